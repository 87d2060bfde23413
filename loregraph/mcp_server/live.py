"""Keeps the graph of a server's project up to date, and knows how far behind it is.

One process of all that serve a project follows its changes (`watching`); it indexes them in a worker that stays loaded.
The others read what that process says of itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.config import ProjectSettings, load_settings
from loregraph.errors import LoregraphError
from loregraph.graph.generation import StoreFolder
from loregraph.mcp_server import log
from loregraph.worker_process import GoneError, TooLateError, WorkerProcess

if TYPE_CHECKING:
    from loregraph.graph.watch_turn import WatchNote, WatchReport
    from loregraph.mcp_server.index_worker import Indexed
    from loregraph.mcp_server.workspace import Workspace
    from loregraph.watching import Watching

IDLE_SECONDS: Final = 600.0
"""The worker ends after so long without a change: its memory is worth more than half a second by then."""
RUN_SECONDS: Final = 3600.0
"""A run that takes longer hangs, for instance on a dead network mount."""
SPENT: Final = 1 << 30
"""Bytes of peak memory above which the worker is replaced after a run: the allocator returns little of it."""
POLL_SECONDS: Final = 0.01
"""While a call waits for a run: how often it looks whether a graph was published."""


class IndexWorker:
    """The process that indexes, started when there is something to do. For one thread, but `close` for any."""

    def __init__(self, opening: bytes, idle_seconds: float = IDLE_SECONDS) -> None:
        self._opening = opening
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    def index(self) -> Indexed:
        """Raises TooLateError and GoneError where the process was ended."""
        from loregraph.mcp_server.index_worker import Indexed

        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            process = self._process
            if self._closed:
                raise GoneError
            if process is None or not process.running:
                process = self._process = WorkerProcess("loregraph.mcp_server.index_worker", told=True)
                process.tell(self._opening)
        done = msgspec.msgpack.decode(process.ask(b"index", RUN_SECONDS), type=Indexed)
        with self._lock:
            if done.memory_bytes > SPENT:
                self._end()
            else:
                self._timer = threading.Timer(self._idle_seconds, self._rest, (process,))
                self._timer.daemon = True
                self._timer.start()
        return done

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            if self._process is not None:
                self._process.kill()

    def _rest(self, process: WorkerProcess) -> None:
        with self._lock:
            if process is self._process:
                self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


# Implements REQ-MCP-013.
class Live:
    """How up to date the graph of `workspace` is. With `watch` it is brought up to date. Thread-safe.

    `after` is called when a run has changed the graph.
    """

    def __init__(self, workspace: Workspace, *, watch: bool, after: Callable[[], None] = lambda: None) -> None:
        self._workspace = workspace
        self._after = after
        self.wanted = watch and not workspace.is_no_project
        self.wait_seconds = workspace.settings.serve.wait_ms / 1000
        self._lock = threading.Lock()
        self._watching: Watching | None = None
        self._worker: IndexWorker | None = None
        self._note: tuple[float, WatchNote | None] = (-1.0, None)
        self._closed = False

    def start(self) -> None:
        """Begins to follow the changes, in a thread. Only the first call does anything."""
        with self._lock:
            if not self.wanted or self._watching is not None or self._closed:
                return
            from loregraph.mcp_server.index_worker import Opening
            from loregraph.watching import Watching

            workspace = self._workspace
            store = None if workspace.store is None else str(workspace.store)
            path = workspace.store_folder.path
            self._worker = IndexWorker(
                msgspec.msgpack.encode(Opening(str(workspace.root), store, workspace.options, str(path)))
            )
            self._watching = Watching(
                workspace.root,
                StoreFolder(path, workspace.root),
                lambda: settings_of(workspace.root, workspace.store, workspace.options),
                "serve",
                needs_graph=True,
                say=lambda said: log.write("WARNING", said),
            )
        threading.Thread(target=self._follow, name="index", daemon=True).start()

    def _follow(self) -> None:
        watching, worker = self._watching, self._worker
        assert watching is not None
        assert worker is not None
        for paths in watching.batches():
            try:
                done = worker.index()
            except (GoneError, TooLateError, OSError) as error:
                if self._closed:
                    return
                log.write("ERROR", "the index run was ended", error=type(error).__name__)
                watching.failed("the index run was ended: out of memory, or killed")
                continue
            if done.error:
                watching.failed(done.error, busy=done.busy)
            else:
                watching.done(done.seconds)
                if done.indexed or done.removed or done.failed:
                    self._after()
            log.write(
                "INFO" if not done.error or done.busy else "ERROR",
                "followed a change",
                files=len(paths),
                indexed=done.indexed,
                removed=done.removed,
                duration_ms=round(done.seconds * 1000, 1),
                **({"error": done.error} if done.error else {}),
            )

    @property
    def index_pid(self) -> int | None:
        """Process id of the worker, None while there is none."""
        return None if self._worker is None else self._worker.pid

    def before_call(self) -> None:
        """To be called before a tool answers: begins where there is a graph now, and looks where nothing is
        reported."""
        watching = self._watching
        if watching is not None:
            watching.kick()
            try:
                watching.look()
            except LoregraphError as error:
                log.write("WARNING", "changes could not be looked for", error=error.message)

    def note(self) -> WatchNote | None:
        """What is known of whoever follows the changes; None where nobody does."""
        from loregraph.graph.watch_turn import followed_by

        own = self._watching.note() if self._watching is not None else None
        return own if own is not None else followed_by(self._workspace.store_folder)

    def report(self) -> WatchReport:
        """Who follows the changes, or why this server, which should, does not."""
        from loregraph.graph.watch_turn import reported

        report = reported(self.note())
        if not report.by and self._watching is not None:
            return msgspec.structs.replace(report, error=self._watching.remark)
        return report

    def pending(self) -> tuple[str, ...]:
        """Changed files that are known not to be in the graph yet; the first of many."""
        note = self.note()
        return () if note is None else note.pending

    def is_behind(self) -> bool:
        """Whether changes are known that are not in the graph yet."""
        note = self.note()
        return note is not None and bool(note.pending_files)

    def add(self, paths: frozenset[str]) -> None:
        """Passes on changes that a call has found, in case nobody reported them."""
        if self._watching is not None:
            self._watching.notice(paths)

    def wait(self, generation: int, deadline: float, cancelled: threading.Event) -> bool:
        """Waits until another generation than this one is current, which is returned, or until `deadline`, or until
        nobody is about to make one."""
        while time.monotonic() < deadline and not cancelled.is_set():
            current = self._workspace.store_folder.current()
            if current is not None and current.generation != generation:
                return True
            if not self.is_followed:
                return False
            time.sleep(POLL_SECONDS)
        return False

    @property
    def is_followed(self) -> bool:
        return self.note() is not None

    def close(self) -> None:
        with self._lock:
            self._closed = True
            watching, worker = self._watching, self._worker
        if watching is not None:
            watching.stop()
        if worker is not None:
            worker.close()


def settings_of(root: Path, store: Path | None, options: dict[str, Any]) -> ProjectSettings:
    """The settings as `Project` would read them now."""
    return load_settings(root, **options, **({} if store is None else {"store": str(store.absolute())}))
