"""The process that keeps the graph up to date: it stays loaded between edits and indexes on request. See `live`."""

from __future__ import annotations

import gc
import os
import select
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from loregraph import orphans
from loregraph.worker_process import receive, send, take_output

REST_SECONDS: Final = 1.0
"""What a run leaves is collected after so long without a request: after a large edit that takes seconds."""
MOST_RUNS: Final = 8
"""After so many runs it is collected in any case."""


class Opening(msgspec.Struct):
    """The first message: which project, how, and where its store was when the watch began."""

    root: str
    store: str | None
    options: dict[str, Any]
    store_path: str


class Indexed(msgspec.Struct):
    """The result of a run. `error` is that of a failed one; `busy`: another process was writing to the store."""

    seconds: float
    indexed: int = 0
    removed: int = 0
    failed: int = 0
    error: str = ""
    busy: bool = False
    memory_bytes: int = 0
    """Peak of this process."""


def main() -> None:
    orphans.end_with_parent()
    # Before numpy loads: see cli.main.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    serve(sys.stdin.buffer, take_output())


def serve(given: IO[bytes], output: IO[bytes]) -> None:
    from loregraph.mcp_server import log

    first = receive(given)
    if first is None:
        return
    opening = msgspec.msgpack.decode(first, type=Opening)
    log.take_over()
    is_new, runs = True, 0
    while receive(given) is not None:
        gc.disable()  # what a run leaves is collected after its answer
        send(output, msgspec.msgpack.encode(index(opening)))
        if is_new:
            is_new = False
            prepare(opening)
        runs += 1
        if runs < MOST_RUNS and comes_soon(given):
            continue
        runs = 0
        # What was loaded stays, so later collections need not look at it.
        gc.collect()
        gc.freeze()


def comes_soon(given: IO[bytes]) -> bool:
    """Whether a request comes within `REST_SECONDS`. False where the system cannot wait for a pipe, as on Windows."""
    try:
        return bool(select.select([given], [], [], REST_SECONDS)[0])
    except (OSError, ValueError):
        return False


def prepare(opening: Opening) -> None:
    """Loads what the next run will need, while nobody waits for it."""
    from loregraph.errors import LoregraphError
    from loregraph.indexer.pipeline import preload
    from loregraph.project import Project

    with suppress(LoregraphError), Project(Path(opening.root), store=opening.store, **opening.options) as project:
        preload(project.languages())


def index(opening: Opening) -> Indexed:
    """One run of the indexer, with the settings of now."""
    from loregraph.errors import LoregraphError, StoreBusyError
    from loregraph.mcp_server import log
    from loregraph.mcp_server.analysis_worker import peak
    from loregraph.mcp_server.errors import without_paths
    from loregraph.project import Project

    started = time.monotonic()
    root = Path(opening.root)

    def failure(error: str, *, busy: bool = False) -> Indexed:
        return Indexed(time.monotonic() - started, error=without_paths(error, root), busy=busy)

    try:
        with Project(root, store=opening.store, **opening.options) as project:
            if str(project.store.path) != opening.store_path:
                return failure("the settings name another store now: start the server again")
            files = project.index().files
    except StoreBusyError as error:
        return failure(error.message, busy=True)
    except LoregraphError as error:
        return failure(error.message)
    except Exception as error:
        log.write("ERROR", "index run failed", exception=log.traced(error))
        return failure("the index run failed; the server's log has the details")
    seconds = time.monotonic() - started
    return Indexed(seconds, files.indexed, files.removed, files.failed, memory_bytes=peak())
