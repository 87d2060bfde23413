"""Which process follows a project's changes: one of any number of servers and `watch` commands.

The lock is the operating system's, so it ends with the process that holds it, and the next one gets it at once. What
the holder says of itself, in `watch.json`, is only believed while somebody holds the lock, and only shown.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import UnsafePathError
from loregraph.graph.generation import StoreFolder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

WATCH_LOCK: Final = "watch.lock"
WATCH_FILE: Final = "watch.json"
MOST_PENDING: Final = 100
"""Maximum paths in `WatchNote.pending`."""
POLL_SECONDS: Final = 1.0
"""How often the lock is tried where the system cannot wait for it."""
_MOST_BYTES: Final = 1 << 20
_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


class NoLocksError(OSError):
    """The file system has no locks."""


class WatchNote(msgspec.Struct, frozen=True, kw_only=True):
    """What the following process says of itself. Times are seconds since the epoch, 0 for none yet."""

    pid: int
    by: str
    """The command: "serve" or "watch"."""
    since: float
    mode: str
    """"events" where the system reports changes; "looks" where files are compared before an answer."""
    pending: tuple[str, ...] = ()
    """Changed files that are not in the graph yet, at most `MOST_PENDING`."""
    pending_files: int = 0
    oldest: float = 0.0
    """When the first of the pending files was reported."""
    last_event: float = 0.0
    last_indexed: float = 0.0
    run_seconds: float = 0.0
    """Duration of the last run of the indexer."""
    error: str = ""
    """What the last run or the watch itself failed at."""


class WatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """Who follows a project's changes, and how far the graph is behind what is known to have changed.

    `by` is the command, "" where nobody does; `mode` as in `WatchNote`. Times are ISO 8601 in UTC, None for none yet.
    `behind_seconds` is the age of the oldest change that is not in the graph, 0 without one.
    """

    by: str = ""
    pid: int = 0
    since: str | None = None
    mode: str = ""
    pending_files: int = 0
    behind_seconds: float = 0.0
    last_event: str | None = None
    last_indexed: str | None = None
    error: str = ""


def reported(note: WatchNote | None) -> WatchReport:
    """The report of a note; that of nobody for None."""
    if note is None:
        return WatchReport()
    return WatchReport(
        by=note.by,
        pid=note.pid,
        since=utc_text(note.since),
        mode=note.mode,
        pending_files=note.pending_files,
        behind_seconds=round(max(0.0, time.time() - note.oldest), 1) if note.oldest else 0.0,
        last_event=utc_text(note.last_event),
        last_indexed=utc_text(note.last_indexed),
        error=note.error,
    )


def utc_text(seconds: float) -> str | None:
    """A time since the epoch as ISO 8601 in UTC; None for 0 and for what is no time."""
    try:
        at = datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (OverflowError, OSError, ValueError):  # whatever another process wrote
        return None
    return None if at is None else at.isoformat(timespec="seconds").replace("+00:00", "Z")


# Implements REQ-MCP-013.
class WatchTurn:
    """The held lock of a store. `release` gives it to the next process; so does the end of this one."""

    def __init__(self, folder: StoreFolder, stopped: Callable[[], bool]) -> None:
        """Waits until no other process holds the lock, or, where the system cannot be waited for, until `stopped`.

        Raises NoLocksError where the file system has none, OSError and UnsafePathError where the file cannot be made.
        """
        self._folder = folder
        self._release: Callable[[], None]
        self._descriptor: int
        path = rooted.lock_path(folder.base, folder.path / WATCH_LOCK)
        if fcntl is None:
            self._release = _polled(path, stopped)
            self._descriptor = -1
            return
        descriptor, _ = rooted.open_append(folder.base, path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _NO_LOCKS:
                raise NoLocksError(error.errno, error.strerror) from error
            raise
        self._descriptor = descriptor
        self._release = lambda: os.close(descriptor)

    @property
    def is_good(self) -> bool:
        """Whether the lock is still that of the store, which may have been removed or replaced."""
        if self._descriptor < 0:
            return True
        try:
            held, there = os.fstat(self._descriptor), rooted.status(self._folder.base, self._folder.path / WATCH_LOCK)
        except (OSError, UnsafePathError):
            return False
        return (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino)

    def note(self, note: WatchNote) -> None:
        """Replaces what the others are told. A full disk or a removed store is no reason to stop."""
        with suppress(OSError, UnsafePathError):
            data = msgspec.json.encode(note)
            rooted.write(self._folder.base, self._folder.path / WATCH_FILE, data, fresh=f"{WATCH_FILE}.new")

    def release(self) -> None:
        self._release()


def _polled(path: Path, stopped: Callable[[], bool]) -> Callable[[], None]:
    """Takes the lock by trying, on Windows the only way; returns what releases it."""
    from filelock import FileLock, Timeout

    lock = FileLock(path, thread_local=False)
    while not stopped():
        with suppress(Timeout):
            lock.acquire(timeout=POLL_SECONDS, poll_interval=POLL_SECONDS)
            break
    return lock.release


def followed_by(folder: StoreFolder) -> WatchNote | None:
    """What the process that follows the project's changes says of itself; None where there is none."""
    note = _read(folder.path / WATCH_FILE)
    return note if note is not None and is_held(folder) else None


def is_held(folder: StoreFolder) -> bool:
    """Whether a process holds the lock."""
    try:
        path = rooted.plain(folder.base, folder.path / WATCH_LOCK, writes=False)
        if fcntl is None:
            from filelock import FileLock, Timeout

            if not path.exists():
                return False
            try:
                with FileLock(path, timeout=0):
                    return False
            except Timeout:
                return True
        descriptor = rooted.descriptor(folder.base, path)
    except (OSError, UnsafePathError):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _read(path: Path) -> WatchNote | None:
    from loregraph.user_files import read

    try:
        content = read(path)
        return None if content is None or len(content) > _MOST_BYTES else msgspec.json.decode(content, type=WatchNote)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
