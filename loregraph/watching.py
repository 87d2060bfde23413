"""Follows a project's changes: the one code path of `watch` and of `serve`.

A thread listens to the system and collects paths that matter (`Watching.add`); the caller indexes them batch by batch
(`Watching.batches`), once the folder's turn is its own (`graph.watch_turn`). Where the system reports nothing, whoever
answers a question looks for changes first (`Watching.look`).
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from loregraph import file_system
from loregraph.config import ProjectSettings
from loregraph.errors import ConfigError, LoregraphError, UnsafePathError
from loregraph.freshness import behind
from loregraph.graph.generation import StoreFolder
from loregraph.graph.watch_turn import MOST_PENDING, NoLocksError, WatchNote, WatchTurn
from loregraph.indexer.discover.watched import WatchedTree, watched_tree

EVENTS: Final = "events"
LOOKS: Final = "looks"

STEP_MS: Final = 50
"""How often the listener collects what was reported. A lone save is indexed after one step without further changes."""
COLLECTED_MS: Final = 200
"""Changes are passed on after so long, even in the middle of a burst, so that answers know of them."""
FEW: Final = 3
"""Up to so many changed files are a save; more are a burst, such as a checkout."""
BURST_QUIET: Final = 0.15
"""Seconds without a change after which a burst counts as over."""
BURST_SECONDS: Final = 5.0
"""A burst is indexed after so many seconds even if it continues."""
GIT_LOCK: Final = ".git/index.lock"
GIT_SECONDS: Final = 10.0
"""Age from which on git's lock is taken for one that a crash left behind."""
FREE_RUNS: Final = 3
"""So many runs may follow each other without a pause while files keep changing. Further ones pause, ever longer."""
MOST_REST: Final = 5.0
"""Longest such pause in seconds."""
CALM: Final = 0.5
"""Seconds without a change that end a pause."""
BUSY_SECONDS: Final = 1.0
"""After so long an index run is tried again where another process was writing to the store, or it failed otherwise."""
RETRY_SECONDS: Final = 60.0
"""After so long listening is tried again where it failed."""
LOOK_SECONDS: Final = 1.0
"""Minimum seconds between two looks for changes that nobody reports."""
SAID_SECONDS: Final = 1.0
"""Minimum seconds between two notes to other processes about further events of the same files."""
SCANS: Final = 4
"""How often folders are listed again because new ones appeared meanwhile."""
RECURSIVE: Final = sys.platform in ("darwin", "win32")
"""Whether the system watches a whole tree at no cost per folder. Elsewhere each folder costs a watch, so that only
those of the project are watched, and links are not followed."""


# Implements REQ-IDX-018.
class Watching:
    """Follows the project at `root` for the command `by`. All methods are thread-safe, `batches` is for one thread.

    `read_settings` reads the settings anew. `needs_graph`: it begins when there is a graph, the first run of the
    indexer being up to the user.
    """

    def __init__(
        self,
        root: Path,
        store: StoreFolder,
        read_settings: Callable[[], ProjectSettings],
        by: str,
        *,
        needs_graph: bool,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._root = root
        # Its own: `StoreFolder` remembers what it saw and serves one thread.
        self._store = StoreFolder(store.path, root)
        self._read_settings = read_settings
        self._settings = read_settings()
        self._by = by
        self._needs_graph = needs_graph
        self._say = say
        self._stop = threading.Event()
        self._change = threading.Condition()
        self._turn: WatchTurn | None = None
        self._mode = ""
        self._remark = ""
        self._error = ""
        self._since = 0.0
        self._pending: dict[str, float] = {}
        self._running: dict[str, float] = {}
        self._whole = False
        """Whether something changed of which no path is known."""
        self._is_run = False
        self._due = 0.0
        self._moved = 0.0
        self._last_event = self._last_indexed = self._seconds = 0.0
        self._streak = 0
        self._rest_until = 0.0
        self._noted = 0.0
        self._looked = 0.0
        self._folder_times: dict[str, int] = {}

    # what it knows

    def note(self) -> WatchNote | None:
        """What is to be said of it; None while it is not this process that follows the changes."""
        with self._change:
            if not self._mode:
                return None
            paths = {**self._pending, **self._running}
            return WatchNote(
                pid=os.getpid(),
                by=self._by,
                since=self._since,
                mode=self._mode,
                pending=tuple(sorted(paths)[:MOST_PENDING]),
                pending_files=len(paths) or int(self._whole or self._is_run),
                oldest=min([*self._running.values(), *self._pending.values()], default=0.0),
                last_event=self._last_event,
                last_indexed=self._last_indexed,
                run_seconds=self._seconds,
                error=self._error or self._remark,
            )

    @property
    def is_idle(self) -> bool:
        """Whether nothing is known that would have to be indexed."""
        return not (self._pending or self._running or self._whole or self._is_run)

    @property
    def remark(self) -> str:
        """Why changes are not followed as they should be; "" where they are."""
        return self._remark

    def _set(self, mode: str) -> None:
        with self._change:
            self._mode = mode
            self._since = time.time() if mode else 0.0
            if not mode:
                self._pending, self._whole = {}, False
        self._tell()

    def _tell(self, *, briefly: bool = False) -> None:
        """Writes the note for other processes; `briefly`: only if the last one is old enough."""
        now = time.monotonic()
        turn, note = self._turn, self.note()
        if turn is not None and note is not None and not (briefly and now - self._noted < SAID_SECONDS):
            self._noted = now
            turn.note(note)

    # changes

    def add(self, paths: Collection[str], *, whole: bool = False) -> None:
        """Makes files due that changed. With `whole`, something else changed as well."""
        if not (paths or whole):
            return
        with self._change:
            if not self._mode:
                return
            now = time.time()
            is_known = self._pending.keys() >= set(paths) and (self._whole or not whole)
            for path in paths:
                self._pending.setdefault(path, now)
            self._whole = self._whole or whole
            self._last_event = now
            self._moved = time.monotonic()
            self._due = self._due or self._moved
            self._change.notify_all()
        self._tell(briefly=is_known)

    def notice(self, paths: Collection[str]) -> None:
        """Makes files due that a call has found changed, unless they are known to be."""
        with self._change:
            new = set(paths) - self._pending.keys() - self._running.keys()
        self.add(new)

    def kick(self) -> None:
        """Tries again what waits for a graph to appear, or what failed."""
        with self._change:
            if (self._pending or self._whole) and not self._is_run and not self._due:
                self._due = time.monotonic()
            self._change.notify_all()

    def look(self) -> None:
        """Compares files with the graph, at most once a second, where the system does not report changes."""
        with self._change:
            now = time.monotonic()
            if self._mode != LOOKS or now - self._looked < LOOK_SECONDS:
                return
            self._looked = now
        found = behind(self._root, self._settings.max_file_bytes, self._store, ())
        before = self._folder_times
        now_at = _times(before)
        self._folder_times = now_at
        self.add(found.changed, whole=bool(found.unsure) or now_at != before)

    # runs

    def batches(self) -> Iterator[frozenset[str]]:
        """Changed files, whenever some are due, to be followed by `done` or `failed`. First an empty set: whatever
        changed before. Waits for its turn, and ends after `stop`."""
        while not self._stop.is_set():
            if self._needs_graph and not self._has_graph():
                with self._change:
                    self._change.wait()
                continue
            kind = file_system.without_events(self._root)
            if kind or not self._settings.serve.events:
                self._remark = f"changes are not reported on {kind}" if kind else ""
                yield from self._looking()
                continue
            self._remark = ""
            try:
                self._turn = WatchTurn(self._store, self._stop.is_set)
            except NoLocksError:
                self._remark = "the file system has no locks"
                yield from self._looking()
                continue
            except (OSError, UnsafePathError) as error:
                if not self._needs_graph:
                    raise
                self._remark = f"the store cannot be written: {error}"
                with self._change:
                    self._change.wait(RETRY_SECONDS)
                continue
            try:
                if not self._stop.is_set():
                    yield from self._listening()
            finally:
                self._release()
            if self._remark and not self._stop.is_set():
                yield from self._looking(RETRY_SECONDS)

    def _release(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.release()

    def _has_graph(self) -> bool:
        try:
            return self._store.current() is not None
        except LoregraphError:
            return False

    def _listening(self) -> Iterator[frozenset[str]]:
        over, ready = threading.Event(), threading.Event()
        listener = threading.Thread(target=self._listen, args=(over, ready), name="watch", daemon=True)
        self._set(EVENTS)
        listener.start()
        try:
            ready.wait()
            while self._may_go_on() and not over.is_set():
                yield self._begin()
                self._wait()
        finally:
            over.set()
            listener.join()
            self._set("")

    def _looking(self, seconds: float = math.inf) -> Iterator[frozenset[str]]:
        """Without a turn: each process looks when it is asked, and the store's own lock lets one write at a time. For
        about `seconds`."""
        self._set(LOOKS)
        end = time.monotonic() + seconds
        try:
            while self._may_go_on() and time.monotonic() < end:
                with suppress(LoregraphError):
                    self._folder_times = _times(self._tree().absolute())
                yield self._begin()
                self._wait()
        finally:
            self._set("")

    def _may_go_on(self) -> bool:
        if self._stop.is_set() or (self._needs_graph and not self._has_graph()):
            return False
        return self._turn is None or self._turn.is_good

    def _begin(self) -> frozenset[str]:
        with self._change:
            self._running, self._pending, self._whole = self._pending, {}, False
            self._is_run, self._due = True, 0.0
        self._tell()
        return frozenset(self._running)

    def done(self, seconds: float) -> None:
        """The last batch is in the graph; the run took so many seconds."""
        with self._change:
            self._running, self._is_run, self._error = {}, False, ""
            self._seconds, self._last_indexed = seconds, time.time()
            self._streak = self._streak + 1 if self._due else 0
            rest = min(MOST_REST, seconds * max(0, self._streak - FREE_RUNS))
            self._rest_until = time.monotonic() + rest
        self._tell()

    def failed(self, why: str, *, busy: bool = False) -> None:
        """The last batch could not be indexed. `busy`: another process is writing, so it is tried again soon; else with
        the next change."""
        with self._change:
            self._pending = {**self._pending, **self._running}
            self._running, self._is_run, self._error = {}, False, why
            self._whole = True
            self._rest_until = time.monotonic() + BUSY_SECONDS
            if busy:
                self._due = self._due or time.monotonic()
        self._tell()

    def _wait(self) -> None:
        """Returns when a batch is due, or it was stopped."""
        with self._change:
            while not self._due and not self._stop.is_set():
                self._change.wait()
            begun = self._due
        while not self._stop.is_set():
            now = time.monotonic()
            quiet = now - self._moved
            is_rested = now >= self._rest_until or (quiet >= CALM and not self._error)
            is_over = len(self._pending) <= FEW or quiet >= BURST_QUIET or now - begun >= BURST_SECONDS
            if is_rested and is_over and not self._git_works():
                return
            self._stop.wait(STEP_MS / 2000)

    def _git_works(self) -> bool:
        """Whether git is changing the work tree."""
        try:
            return time.time() - os.lstat(self._root / GIT_LOCK).st_mtime < GIT_SECONDS
        except OSError:
            return False

    def stop(self) -> None:
        """Ends `batches`, unless the thread that runs them waits for the turn: then it ends when it gets it."""
        self._stop.set()
        with self._change:
            self._change.notify_all()

    # listening

    def _tree(self) -> WatchedTree:
        with suppress(ConfigError):  # the run of the indexer says what is wrong with them
            self._settings = self._read_settings()
        known: frozenset[str] = frozenset()
        with suppress(LoregraphError):
            state = self._store.open_state(counted=False)
            if state is not None:
                with closing(state):
                    known = state.paths()
        return watched_tree(self._root, self._settings, known)

    def _listen(self, over: threading.Event, ready: threading.Event) -> None:
        """Adds what the system reports until `over`. `ready` is set when it has begun, or failed."""
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        def begin() -> tuple[RustNotify, WatchedTree]:
            tree = self._tree()
            for _ in range(SCANS):
                paths = [str(self._root)] if RECURSIVE else tree.absolute()
                notify = RustNotify(paths, False, False, STEP_MS, RECURSIVE, True)
                # What appeared in a folder before it was watched was not reported.
                again = tree if RECURSIVE else self._tree()
                if again.folders.keys() == tree.folders.keys():
                    return notify, tree
                tree = again
                notify.close()
            return RustNotify(tree.absolute(), False, False, STEP_MS, RECURSIVE, True), tree

        notify: RustNotify | None = None
        try:
            notify, tree = begin()
            ready.set()
            while not over.is_set():
                changes = notify.watch(COLLECTED_MS, STEP_MS, 0, _Either(over, self._stop))
                if isinstance(changes, str):
                    continue
                reported = {path for _, raw in changes if (path := tree.relative(raw)) is not None}
                paths = {path for path in reported if tree.concerns(path)}
                if any(map(tree.decides, paths)):
                    old = notify
                    notify, tree = begin()
                    old.close()
                self.add(paths)
        except (OSError, WatchfilesRustInternalError, LoregraphError) as error:
            self._remark = f"changes are not reported: {error}"
            self._say(self._remark)
            over.set()
            with self._change:
                self._due = self._due or time.monotonic()
                self._change.notify_all()
        finally:
            ready.set()
            if notify is not None:
                notify.close()


def _times(folders: Iterable[str]) -> dict[str, int]:
    """When something was last added to or removed from each folder."""
    found = {}
    for folder in folders:
        with suppress(OSError):
            found[folder] = os.lstat(folder).st_mtime_ns
    return found


class _Either:
    """An event that is set when either of two is."""

    def __init__(self, one: threading.Event, other: threading.Event) -> None:
        self._one, self._other = one, other

    def is_set(self) -> bool:
        return self._one.is_set() or self._other.is_set()
