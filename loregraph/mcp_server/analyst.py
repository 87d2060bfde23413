"""Runs work without a time bound (analyses, updates of the graph) in a process that can be killed.

An analysis reads whatever a repository contains, and `re` and numpy hold the interpreter's lock: in a thread of the
server one malicious docstring would block every tool. Building a generation also costs memory that a process never
returns completely.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.errors import LoregraphError
from loregraph.worker_process import GoneError, TooLateError, WorkerProcess

SECONDS: Final = 45.0
"""Maximum seconds of an analysis; hosts give up after a minute."""
MEMORY: Final = 4 << 30
"""Address space of the worker, in bytes."""
TURN_SECONDS: Final = 5.0
"""How long a quick question waits for an update of the graph."""
SMALLER: Final = (
    "ask about a smaller component: a function or a file; if one file alone takes so long, `exclude` it from the index"
)


class AnalysisLimitError(LoregraphError):
    """An analysis that exceeded its limits and was killed."""

    code = "LIMIT_EXCEEDED"


class AnsweredError(LoregraphError):
    """An error returned by the worker, with its own `code`."""

    def __init__(self, code: str, message: str, suggestion: str) -> None:
        super().__init__(message, suggestion)
        self.code = code


class Opening(msgspec.Struct):
    """The first message to the worker: which project to open, and how."""

    root: str
    store: str | None
    options: dict[str, Any]
    memory_bytes: int


class Request(msgspec.Struct):
    """A request: a call of `tool` of `profile`, or without a tool the update named by `bring`, "memories" or
    "copies"."""

    tool: str = ""
    profile: str = ""
    arguments: dict[str, Any] = {}
    correlation_id: str = ""
    bring: str = ""


class Reply(msgspec.Struct):
    """The result: the body of the answer as JSON, and "ok" or the error's code. `spent` asks for the worker to be
    replaced, because of its memory use."""

    body: bytes
    outcome: str
    spent: bool = False


# Implements REQ-SEC-020.
class Analyst:
    """The worker of one project. Thread-safe: requests are answered one at a time.

    The process is started by the first call, reused by the next ones, and restarted after it had to be killed.
    """

    def __init__(
        self,
        root: Path,
        store: Path | None,
        options: dict[str, Any],
        *,
        seconds: float = SECONDS,
        memory_bytes: int = MEMORY,
    ) -> None:
        self._opening = Opening(str(root), None if store is None else str(store), options, memory_bytes)
        self._seconds = seconds
        self._turn = threading.Lock()
        self._state = threading.Lock()
        self._process: WorkerProcess | None = None
        self._asking: threading.Event | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Process id of the worker, None while it is not running."""
        process = self._process
        return None if process is None else process.pid

    def answer(
        self, profile: str, tool: str, arguments: dict[str, Any], correlation_id: str, cancelled: threading.Event
    ) -> tuple[bytes, str]:
        """The answer's body as JSON, and "ok" or the error's code.

        Raises AnalysisLimitError beyond the limit of time or memory. `cancel` ends it.
        """
        with self._turn:
            reply = self._ask(Request(tool, profile, arguments, correlation_id), cancelled)
        return reply.body, reply.outcome

    def bring(self, what: str) -> bool:
        """Adds "memories" or "copies" to the graph; False where it is busy.

        Raises AnsweredError with the worker's error, AnalysisLimitError beyond the limit.
        """
        if not self._turn.acquire(timeout=TURN_SECONDS):
            return False
        try:
            reply = self._ask(Request(bring=what), threading.Event())
        finally:
            self._turn.release()
        if reply.outcome != "ok":
            error = msgspec.json.decode(reply.body)["error"]
            raise AnsweredError(error["code"], error["message"], error["suggestion"])
        return True

    def cancel(self, cancelled: threading.Event) -> None:
        """Ends the call that `cancelled` belongs to, if it is the current one."""
        with self._state:
            if self._asking is cancelled and self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Ends the worker, even in the middle of a request."""
        with self._state:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        with self._turn:
            self._stop()

    def _ask(self, request: Request, cancelled: threading.Event) -> Reply:
        """Waits for its turn. The time limit includes the start of a new worker."""
        with self._state:
            if self._closed or cancelled.is_set():
                raise AnalysisLimitError("the call was cancelled", "call it again")
            process = self._process
            if process is None or not process.running:
                process = self._process = WorkerProcess("loregraph.mcp_server.analysis_worker", told=True)
                opening: Opening | None = self._opening
            else:
                opening = None
            self._asking = cancelled
        try:
            if opening is not None:
                process.ask(msgspec.msgpack.encode(opening), self._seconds)
            reply = msgspec.msgpack.decode(process.ask(msgspec.msgpack.encode(request), self._seconds), type=Reply)
        except TooLateError:
            self._stop()
            raise AnalysisLimitError(f"this took longer than {self._seconds:g} s and was ended", SMALLER) from None
        except GoneError:
            self._stop()
            said = "the call was cancelled" if cancelled.is_set() else "this needs more memory than it may have"
            raise AnalysisLimitError(f"{said} and was ended", SMALLER) from None
        finally:
            with self._state:
                self._asking = None
        if reply.spent:
            self._stop()
        return reply

    def _stop(self) -> None:
        with self._state:
            process, self._process = self._process, None
        if process is not None:
            process.end()
