"""Access counters: how often and when memories were last recalled; derived, stored beside the journal.

`<journal>.access` is one JSON object, id → [count, time], plus the entry "" with the CRC-32 of the others. Counts are
absolute, so a lost or damaged file only loses the counts since each memory's last version.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import UnsafePathError
from loregraph.memory.journal_file import FILE_MODE, POLL_SECONDS
from loregraph.memory.record import Memory

FLUSH_SECONDS: Final = 5.0
FLUSH_AT: Final = 500
"""Limits of unwritten accesses, in seconds and in number."""

Counts = dict[str, tuple[int, str]]


class AccessCounts:
    """The counters of one journal. Thread-safe. Read and write errors are ignored."""

    def __init__(self, path: Path, base: Path | None = None) -> None:
        self.path = path
        self.base = base or path.parent
        self._threads = threading.Lock()
        self._stored: Counts = {}
        self._mark: tuple[int, ...] | None = None
        self._pending: Counts = {}
        self._pending_since = 0.0

    def note(self, memories: Iterable[Memory], at: str) -> None:
        """Each of `memories` was recalled once."""
        with self._threads:
            if not self._pending:
                self._pending_since = time.monotonic()
            for memory in memories:
                more, _ = self._pending.get(memory.id, (0, ""))
                base = max(0, memory.access_count - self._stored.get(memory.id, (0, ""))[0])
                self._pending[memory.id] = (more + 1 + (base if not more else 0), at)
            due = time.monotonic() - self._pending_since > FLUSH_SECONDS or len(self._pending) >= FLUSH_AT
        if due:
            self.flush()

    def of(self, memory: Memory) -> tuple[int, str]:
        """(count, time of the last access or "") of the memory."""
        count, at = self._stored.get(memory.id, (0, ""))
        more, later = self._pending.get(memory.id, (0, ""))
        return max(memory.access_count, count + more), max(memory.accessed_at, at, later)

    def refresh(self) -> None:
        """Reads the counts of other processes. One `stat` where nothing changed."""
        try:
            status = self.path.stat()
            mark = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            if mark == self._mark:
                return
            stored = msgspec.json.decode(rooted.read(self.base, self.path), type=Counts)
        except (OSError, UnsafePathError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        crc, _ = stored.pop("", (-1, ""))
        self._mark, self._stored = mark, stored if crc in (-1, _crc(stored)) else {}

    def flush(self, forget: Iterable[str] = ()) -> None:
        """Adds this process's counts to the file; drops the counters of the memories in `forget`."""
        forget = set(forget)
        if not (self._pending or forget):
            return
        from filelock import FileLock, Timeout  # only writers pay for the import

        with self._threads, suppress(OSError, UnsafePathError, Timeout):
            lock = rooted.lock_path(self.base, self.path.with_name(f"{self.path.name}.lock"))
            with FileLock(lock, 1, FILE_MODE, poll_interval=POLL_SECONDS):
                self._mark = None
                self.refresh()
                merged = dict(self._stored)
                for memory_id, (more, at) in self._pending.items():
                    count, before = merged.get(memory_id, (0, ""))
                    merged[memory_id] = (count + more, max(at, before))
                kept = {memory_id: value for memory_id, value in sorted(merged.items()) if memory_id not in forget}
                content = msgspec.json.encode({"": (_crc(kept), ""), **kept})
                fresh = f"{self.path.name}.new"
                rooted.write(self.base, self.path, content, mode=FILE_MODE, fresh=fresh)
                self._stored, self._mark = kept, None
            self._pending.clear()


def _crc(counts: Counts) -> int:
    return zlib.crc32(msgspec.json.encode(sorted(counts.items())))
