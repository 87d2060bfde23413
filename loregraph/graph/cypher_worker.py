"""Runs a user's Cypher in a separate process with limits of time, memory and rows.

The parent (`CypherWorker`) and the worker (`main`, started as a subprocess) exchange messages of msgpack (see
`worker_process`). The worker holds a lease on its generation, opens its file read-only, and answers one query at a
time.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

from loregraph import orphans
from loregraph.errors import (
    DamagedStoreError,
    LoregraphError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    SchemaTooNewError,
    StoreError,
    UsageError,
)
from loregraph.graph.cypher import check_parameters, check_read_only
from loregraph.graph.cypher_names import check_names
from loregraph.worker_process import (
    NARROWER,
    WorkerProcess,
    answer_within,
    limit_memory,
    receive,
    send,
    take_output,
)

DEFAULT_LIMIT: Final = 200
"""Maximum rows of an answer."""
DEFAULT_TIMEOUT: Final = 5.0
"""Maximum seconds of a query."""
MAX_RESULT_BYTES: Final = 64 << 20
"""Maximum bytes of an answer on the wire."""

_MEMORY: Final = 3 << 30
"""Address space of a worker, in bytes. The engine's buffer pool takes 256 MiB of it, and its file is mapped into 1
GiB."""
_START_TIMEOUT: Final = 120.0
_GRACE: Final = 1.0
"""Seconds after the timeout that the engine has to stop by itself before its process is killed."""
_ERRORS: Final[dict[str, type[LoregraphError]]] = {
    kind.__name__: kind
    for kind in (DamagedStoreError, QueryFailedError, QueryLimitError, QueryRefusedError, SchemaTooNewError, StoreError)
}


class QueryResult(msgspec.Struct, frozen=True):
    """The answer to a query as plain JSON values; `seconds` is its duration, `truncated` whether there were more
    rows."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool
    seconds: float

    def as_dicts(self) -> list[dict[str, Any]]:
        """One mapping per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def accepted(cypher: str, params: Mapping[str, Any]) -> str:
    """The statement for the engine, see `cypher.check_read_only`; raises everything that can be decided without the
    graph: QueryRefusedError for anything but a read, QueryFailedError for unknown names, for missing parameters, and
    for invalid parameter values."""
    checked = check_read_only(cypher)
    check_names(checked)
    check_parameters(checked, params)
    return checked


class _Request(msgspec.Struct):
    cypher: str
    params: dict[str, Any]
    limit: int
    timeout_ms: int


class _Answer(msgspec.Struct):
    columns: tuple[str, ...] = ()
    rows: list[list[Any]] = []
    truncated: bool = False
    error: str = ""
    message: str = ""
    suggestion: str = ""


# Implements REQ-QRY-004.
class CypherWorker:
    """Runs reads on the generation in `generation_dir`. Thread-safe: queries run one at a time.

    The process is started by the first query, reused by the next ones, and restarted if it had to be killed. It ends by
    `close`, when the last reference is lost, and with its parent.
    """

    def __init__(self, generation_dir: Path, *, memory_bytes: int = _MEMORY) -> None:
        self.generation_dir = Path(generation_dir)
        self._memory = memory_bytes
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None

    def run(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        limit: int = DEFAULT_LIMIT,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> QueryResult:
        """At most `limit` rows of the answer, in at most `timeout` seconds after the graph is open.

        Raises `QueryRefusedError` for anything but a read, `QueryFailedError` for what the engine does not accept,
        `QueryLimitError` beyond a limit and `StoreError` where the graph cannot be opened.
        """
        if limit < 1 or timeout <= 0:
            raise UsageError("limit and timeout must be positive")
        checked, given = accepted(cypher, params or {}), dict(params or {})
        request = _Request(checked, given, limit, max(1, round(timeout * 1000)))
        try:
            message = msgspec.msgpack.encode(request)
        except (TypeError, ValueError, OverflowError) as error:
            raise QueryFailedError(f"a parameter cannot be passed on: {error}", "parameters are JSON values") from None
        with self._lock:
            process = self._started()
            started = time.perf_counter()
            answer = self._ask(process, message, timeout + _GRACE)
            seconds = time.perf_counter() - started
            if answer.error == QueryLimitError.__name__:
                self._stop()  # its allocated memory would count against the next query
        _raise(answer)
        return QueryResult(answer.columns, answer.rows, answer.truncated, seconds)

    @property
    def pid(self) -> int | None:
        """Process id of the worker, None while none is running."""
        return self._process.pid if self._process is not None and self._process.running else None

    def close(self) -> None:
        """End the process. The next query starts another."""
        with self._lock:
            self._stop()

    def __enter__(self) -> CypherWorker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _started(self) -> WorkerProcess:
        """The running worker, with the graph open."""
        if self._process is not None and self._process.running:
            return self._process
        self._stop()
        process = WorkerProcess("loregraph.graph.cypher_worker", str(self.generation_dir), str(self._memory))
        self._process = process
        try:
            _raise(self._ask(process, None, _START_TIMEOUT))
        except LoregraphError:
            self._stop()
            raise
        return process

    def _ask(self, process: WorkerProcess, message: bytes | None, seconds: float) -> _Answer:
        """Send `message` and wait for the answer."""
        content = answer_within(
            process,
            message,
            seconds,
            late=f"the query took longer than {seconds - _GRACE:g} s",
            gone="the query needs more memory than it may have, or crashed the engine",
        )
        return msgspec.msgpack.decode(content, type=_Answer)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def _raise(answer: _Answer) -> None:
    if answer.error:
        raise _ERRORS.get(answer.error, QueryFailedError)(answer.message, answer.suggestion)


# the worker process


def main() -> None:
    """Serve queries on the generation given by the arguments until the input ends."""
    orphans.end_with_parent()
    folder, memory = Path(sys.argv[2]), int(sys.argv[3])
    output = take_output()
    try:
        descriptor, connection = _open(folder, memory)
    except LoregraphError as error:
        send(output, msgspec.msgpack.encode(_failed(error)))
        return
    send(output, msgspec.msgpack.encode(_Answer()))
    while (message := receive(sys.stdin.buffer)) is not None:
        request = msgspec.msgpack.decode(message, type=_Request)
        send(output, _answer(connection, request))
    connection.close()
    os.close(descriptor)


def _open(folder: Path, memory: int) -> tuple[int, Any]:
    from loregraph.graph import generation, store  # the parent never imports the engine

    descriptor = generation.hold(folder, folder.parent)
    if descriptor is None:
        raise StoreError(f"{folder} is no longer there", "open the project again")
    scratch = tempfile.TemporaryDirectory(prefix="loregraph-", ignore_cleanup_errors=True)
    connection = store.ReadConnection(store.ensure_graph(folder, Path(scratch.name)), is_sound=True)
    if os.name == "posix":
        scratch.cleanup()  # a file that is open stays readable without its name
    else:
        weakref.finalize(connection, scratch.cleanup)
    limit_memory(memory)
    return descriptor, connection


def _answer(connection: Any, request: _Request) -> bytes:
    # The engine checks its timeout only now and then, and the parent that would kill this process may be gone.
    watchdog = threading.Timer(request.timeout_ms / 1000 + 2 * _GRACE, os._exit, (1,))
    watchdog.daemon = True
    watchdog.start()
    try:
        connection.set_timeout(request.timeout_ms)
        rows = connection.execute(request.cypher, request.params, request.limit)
        message = msgspec.msgpack.encode(_Answer(rows.columns, rows.rows, rows.truncated))
        if len(message) > MAX_RESULT_BYTES:
            raise QueryLimitError(f"the answer is larger than {MAX_RESULT_BYTES >> 20} MiB", NARROWER)
        return message
    except LoregraphError as error:
        return msgspec.msgpack.encode(_failed(error))
    except MemoryError:
        return msgspec.msgpack.encode(
            _failed(QueryLimitError("the query needs more memory than it may have", NARROWER))
        )
    except (TypeError, ValueError, OverflowError) as error:
        # A value that msgpack cannot carry: an integer of more than 64 bits.
        return msgspec.msgpack.encode(_failed(QueryFailedError(f"the answer cannot be written: {error}", "cast it")))
    finally:
        watchdog.cancel()


def _failed(error: LoregraphError) -> _Answer:
    return _Answer(error=type(error).__name__, message=error.message, suggestion=error.suggestion)
