"""An append-only file of lines, safe for concurrent readers and writers in many processes.

A line is written whole under a cross-process lock and flushed to disk before `append` returns; the flush happens after
the lock is released, so that writers share it. A writer that died in the middle of a line leaves one without an end:
the next writer ends it, which makes it one unreadable line among good ones. A last line that lacks only its end is
accepted: an editor may have left it so, and our own lines cannot be parsed before their last character is written. The
lock file is never deleted: a waiter on the deleted file would share no lock with the creator of a new one.

Lines end with LF; also with CR LF and, as written by old editors for the Mac, CR alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from loregraph import rooted
from loregraph.errors import StoreBusyError, StoreError, UnsafePathError

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.001
"""Seconds between two tries for the lock; an append holds it for a tenth of that."""
FILE_MODE: Final = rooted.PRIVATE
BACKUPS: Final = 5
_ENDS: Final = (b"\n", b"\r")
_TAIL: Final = 128
"""Bytes before the current position that are compared, to detect changes other than appending."""


class JournalFile:
    """The lines of the file at `path`, which need not exist. Thread-safe.

    `base` is the trusted part of its path, by default its folder; below that it is reached without links. `is_whole`
    decides whether a line without an end is complete, by default never.
    """

    def __init__(
        self, path: Path, base: Path | None = None, is_whole: Callable[[bytes], bool] = lambda line: False
    ) -> None:
        self.path = path
        self.base = base or path.parent
        self._is_whole = is_whole
        self._open = False
        """Whether the last line that was read has no end yet."""
        self._mark: tuple[int, int] = (0, 0)
        self._stat: tuple[int, int] = (0, 0)
        self._offset = 0
        self._before = b""
        self._threads = threading.RLock()
        self._lock: BaseFileLock | None = None
        self._held = 0
        self.prepare: Callable[[], None] | None = None
        """Called once, before this process first writes into the folder, when that is there."""

    @property
    def lock_path(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")

    @property
    def rejected_path(self) -> Path:
        return self.path.with_name(self.path.name + ".rejected")

    @property
    def offset(self) -> int:
        """Bytes of complete lines read."""
        return self._offset

    # reading

    def read_new(self) -> tuple[bool, list[bytes]]:
        """(whether to start again from nothing, complete new lines without their LF).

        One `stat` where nothing changed. Raises StoreError where the file exists and cannot be read.
        """
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            afresh = self._offset > 0
            self._forget()
            return afresh, []
        except OSError as error:
            raise self._refused("read", error) from error
        mark, seen = (status.st_dev, status.st_ino), (status.st_size, status.st_mtime_ns)
        if mark == self._mark and seen == self._stat:
            return False, []
        try:
            with rooted.open_read(self.base, self.path) as file:
                status = os.fstat(file.fileno())
                mark, seen = (status.st_dev, status.st_ino), (status.st_size, status.st_mtime_ns)
                grown = mark == self._mark and status.st_size >= self._offset
                if grown and self._before:
                    file.seek(self._offset - len(self._before))
                    grown = file.read(len(self._before)) == self._before
                fresh = file.read(max(0, seen[0] - self._offset)) if grown else b""
                if self._open and fresh:
                    # The end of a line that was already returned; anything else would change that line.
                    end = next((end for end in (b"\r\n", b"\n", b"\r") if fresh.startswith(end)), b"")
                    fresh, grown, self._open = fresh[len(end) :], bool(end), False
                    self._offset += len(end)
                    self._before = (self._before + end)[-_TAIL:]
                if not grown:
                    self._forget()
                    file.seek(0)
                    fresh = file.read(seen[0])
        except FileNotFoundError:
            self._forget()
            return True, []
        except OSError as error:
            raise self._refused("read", error) from error
        whole = fresh[: whole_lines(fresh, self._is_whole)]
        self._mark, self._stat = mark, seen
        self._offset += len(whole)
        if whole:
            self._before = whole[-_TAIL:]
            self._open = not whole.endswith(_ENDS)
        lines = whole.split(b"\n")
        return not grown, lines if lines[-1] else lines[:-1]

    def _forget(self) -> None:
        self._mark, self._stat, self._offset, self._before, self._open = (0, 0), (0, 0), 0, b"", False

    # writing

    @contextmanager
    def locked(self, timeout: float = LOCK_SECONDS) -> Iterator[None]:
        """Be the only writer of all threads and processes. Raises StoreBusyError after `timeout` seconds."""
        with self._threads:
            if self._held == 0:
                self._acquire(timeout)
            self._held += 1
            try:
                yield
            finally:
                self._held -= 1
                if self._held == 0 and self._lock is not None:
                    self._lock.release()

    def _acquire(self, timeout: float) -> None:
        from filelock import FileLock, Timeout  # only writers pay for the import

        try:
            if self._lock is None:
                self.make_folder()
                path = rooted.lock_path(self.base, self.lock_path)
                self._lock = FileLock(path, mode=FILE_MODE, thread_local=False, poll_interval=POLL_SECONDS)
            self._lock.acquire(timeout=timeout)
        except Timeout:
            raise StoreBusyError(
                f"another process has held the lock of {self.path} for {timeout:g} s", "try again when it is done"
            ) from None
        except OSError as error:
            raise self._refused("written", error) from error

    def make_folder(self) -> None:
        """The folder of the file, accessible only to its owner if created here."""
        folder = self.path.parent
        if folder == self.base:
            rooted.make_base(folder, private=True)
        else:
            rooted.make_folder(self.base, folder, private=True)
        if self.prepare is not None:
            prepare, self.prepare = self.prepare, None
            prepare()

    def append(self, lines: Sequence[bytes]) -> Callable[[], None]:
        """Writes `lines` (without their ends) at the end. Only inside `locked()`.

        Returns the function that flushes them to disk: to be called, after the lock is released, before success is
        reported. A failed write leaves nothing behind.
        """
        data = b"".join(line + b"\n" for line in lines)
        try:
            descriptor, created = rooted.open_append(self.base, self.path, FILE_MODE)
        except OSError as error:
            raise self._refused("written", error) from error
        size = 0
        try:
            size = os.fstat(descriptor).st_size
            if size and _last_byte(descriptor, size) != b"\n":
                data = b"\n" + data
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(descriptor, size)
            os.close(descriptor)
            raise self._refused("written", error) from error

        def flush() -> None:
            try:
                os.fsync(descriptor)
            except OSError as error:
                raise self._refused("written", error) from error
            finally:
                os.close(descriptor)
            if created:
                rooted.sync_folder(self.base, self.path.parent)

        return flush

    def replace(self, data: bytes, stamp: str) -> Path | None:
        """Replaces the file by `data` by a rename, the old one kept as a backup; returns its path, None without one.

        `stamp` names the backup; the latest five backups are kept. Only inside `locked()`.
        """
        backup = self.path.with_name(f"{self.path.name}.backup-{stamp}")
        kept: Path | None = None
        try:
            with rooted.replacing(
                self.base, self.path, mode=FILE_MODE, sync=True, fresh=self.path.name + ".new"
            ) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                if rooted.is_file(self.base, self.path):
                    kept = backup
                    rooted.link_or_copy(self.base, self.path, backup)
        except OSError as error:
            if kept is not None:
                with suppress(OSError):
                    rooted.remove(self.base, kept)
            raise self._refused("written", error) from error
        for old in self.backups()[BACKUPS:]:
            with suppress(OSError, UnsafePathError):
                rooted.remove(self.base, old)
        return kept

    def restore(self, backup: Path) -> None:
        """Restores what `replace` has backed up; needs no disk space. Only inside `locked()`."""
        try:
            rooted.rename(self.base, backup, self.path)
            rooted.sync_folder(self.base, self.path.parent)
        except OSError as error:
            raise self._refused("written", error) from error

    def backups(self) -> list[Path]:
        """The backups, latest first."""
        return sorted(self.path.parent.glob(f"{self.path.name}.backup-*"), reverse=True)

    # Implements REQ-MEM-002.
    def set_aside(self, lines: Sequence[bytes]) -> list[bytes]:
        """Stores unreadable lines in `<file>.rejected`; returns the new ones."""
        try:
            there = rooted.read(self.base, self.rejected_path) if rooted.is_file(self.base, self.rejected_path) else b""
            known = set(there.split(b"\n"))
            fresh = [line for line in dict.fromkeys(lines) if line not in known]
            if fresh:
                descriptor, _ = rooted.open_append(self.base, self.rejected_path, FILE_MODE)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(b"".join(line + b"\n" for line in fresh))
        except (OSError, UnsafePathError):
            # In a read-only folder the lines stay in place, and are reported all the same.
            return list(dict.fromkeys(lines))
        return fresh

    def _refused(self, what: str, error: OSError) -> StoreError:
        return StoreError(
            f"the journal {self.path} cannot be {what}: {error.strerror or error}",
            "make room and check who may write there, or name another folder with LOREGRAPH_HOME",
        )


# Implements REQ-SEC-018.
def whole_lines(data: bytes, is_whole: Callable[[bytes], bool]) -> int:
    """The number of bytes in complete lines of `data`, which begins with a line. See the module for the last one."""
    if data.endswith(_ENDS):
        return len(data)
    end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
    # Its end may still be written, or its writer dead: an incomplete line does not count at all.
    return len(data) if is_whole(data[end:]) else end


def _last_byte(descriptor: int, size: int) -> bytes:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1)
