"""An append-only file of lines that many processes write and read at once.

A line is written whole under a cross-process lock and flushed to disk before `append` returns; the flush happens after
the lock is let go, so that writers share it. A writer that died in the middle of a line leaves one without an end: the
next writer ends it, and it is one unreadable line among good ones. The lock file is never deleted: who waits on a
deleted one shares no lock with who makes it anew.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from loregraph.errors import StoreBusyError, StoreError

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.001
"""Between two tries for the lock; whoever holds it needs a tenth of that for an append."""
FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
BACKUPS: Final = 5
_TAIL: Final = 128
"""Bytes before the place read so far that are compared, to see a file that was changed otherwise than by appending."""


class JournalFile:
    """The lines of the file at `path`, which need not exist. Threads of one process may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
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
        """Bytes of complete lines that were read."""
        return self._offset

    # reading

    def read_new(self) -> tuple[bool, list[bytes]]:
        """(whether to start from nothing, complete lines that were not given yet, without their ends).

        One `stat` where nothing changed. Raises StoreError where the file is there and cannot be read.
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
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                mark, seen = (status.st_dev, status.st_ino), (status.st_size, status.st_mtime_ns)
                grown = mark == self._mark and status.st_size >= self._offset
                if grown and self._before:
                    file.seek(self._offset - len(self._before))
                    grown = file.read(len(self._before)) == self._before
                if not grown:
                    self._forget()
                    file.seek(0)
                fresh = file.read(max(0, seen[0] - self._offset))
        except FileNotFoundError:
            self._forget()
            return True, []
        except OSError as error:
            raise self._refused("read", error) from error
        # A line without its end is still being written, or its writer died: nothing of it counts yet.
        whole = fresh[: fresh.rfind(b"\n") + 1]
        self._mark, self._stat = mark, seen
        self._offset += len(whole)
        if whole:
            self._before = whole[-_TAIL:]
        return not grown, whole.split(b"\n")[:-1]

    def _forget(self) -> None:
        self._mark, self._stat, self._offset, self._before = (0, 0), (0, 0), 0, b""

    # writing

    @contextmanager
    def locked(self, timeout: float = LOCK_SECONDS) -> Iterator[None]:
        """Be the only writer, of all threads and processes. Raises StoreBusyError past `timeout` seconds."""
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
                self._lock = FileLock(self.lock_path, mode=FILE_MODE, thread_local=False, poll_interval=POLL_SECONDS)
            self._lock.acquire(timeout=timeout)
        except Timeout:
            raise StoreBusyError(
                f"another process has held the lock of {self.path} for {timeout:g} s", "try again when it is done"
            ) from None
        except OSError as error:
            raise self._refused("written", error) from error

    def make_folder(self) -> None:
        """The folder of the file, for its owner alone where it is made here."""
        folder = self.path.parent
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
            folder.chmod(FOLDER_MODE)
        if self.prepare is not None:
            prepare, self.prepare = self.prepare, None
            prepare()

    def append(self, lines: Sequence[bytes]) -> Callable[[], None]:
        """Writes `lines` (without their ends) at the end. Only inside `locked()`.

        Returns what flushes them to disk: to be called, after the lock is let go, before anyone is told of success.
        """
        created = not self.path.exists()
        data = b"".join(line + b"\n" for line in lines)
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, FILE_MODE)
        except OSError as error:
            raise self._refused("written", error) from error
        try:
            size = os.fstat(descriptor).st_size
            if created and os.name != "nt":
                os.fchmod(descriptor, FILE_MODE)
            if size and _last_byte(descriptor, size) != b"\n":
                data = b"\n" + data
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        except OSError as error:
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
                sync_folder(self.path.parent)

        return flush

    def replace(self, data: bytes, stamp: str) -> Path | None:
        """Puts `data` in the place of the file by a rename, the old one kept as a backup; its path, None without one.

        `stamp` names the backup; of all backups the latest five are kept. Only inside `locked()`.
        """
        fresh = self.path.with_name(self.path.name + ".new")
        backup = self.path.with_name(f"{self.path.name}.backup-{stamp}")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            kept: Path | None = None
            if self.path.exists():
                with suppress(FileNotFoundError):
                    backup.unlink()
                _link_or_copy(self.path, backup)
                kept = backup
            fresh.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink()
            raise self._refused("written", error) from error
        for old in self.backups()[BACKUPS:]:
            with suppress(OSError):
                old.unlink()
        return kept

    def backups(self) -> list[Path]:
        """The backups, latest first."""
        return sorted(self.path.parent.glob(f"{self.path.name}.backup-*"), reverse=True)

    # Implements REQ-MEM-002.
    def set_aside(self, lines: Sequence[bytes]) -> list[bytes]:
        """Keeps unreadable lines in `<file>.rejected`; returns those that were not there yet."""
        try:
            known = set(self.rejected_path.read_bytes().split(b"\n")) if self.rejected_path.exists() else set()
            fresh = [line for line in dict.fromkeys(lines) if line not in known]
            if fresh:
                descriptor = os.open(self.rejected_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, FILE_MODE)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(b"".join(line + b"\n" for line in fresh))
        except OSError:
            # A folder that cannot be written: the lines stay where they are, and are named all the same.
            return list(dict.fromkeys(lines))
        return fresh

    def _refused(self, what: str, error: OSError) -> StoreError:
        return StoreError(
            f"the journal {self.path} cannot be {what}: {error.strerror or error}",
            "make room and check who may write there, or name another folder with LOREGRAPH_HOME",
        )


def _last_byte(descriptor: int, size: int) -> bytes:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError:
        import shutil

        shutil.copy2(source, target)


def sync_folder(folder: Path) -> None:
    """Flushes a folder's entries to disk, where the platform can."""
    if os.name == "nt":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
