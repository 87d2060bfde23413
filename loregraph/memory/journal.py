"""The journal of memories: every version that was ever written, folded into what holds now.

A line is a version of a memory, `{"purge": id, "at": time}` or a decision about a link (links.py). The order of lines
means nothing: of the versions of one memory the greatest by (version, updated_at) holds, a purge outlives all, and of
the decisions about one link the latest holds. So the lines of two git branches may be merged by keeping both sides, in
any order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.errors import UsageError
from loregraph.memory.journal_file import JournalFile
from loregraph.memory.links import LinkDecision, Pair, decode_link, is_link, latest
from loregraph.memory.record import Memory, decode, encode, is_sound

_as_written: Final = msgspec.json.Decoder(Memory)

MAX_UNFLUSHED: Final = 64
"""Appends of one writer that wait to be flushed at most; each holds a file open."""

log: Final = logging.getLogger("loregraph.memory")


class Purge(msgspec.Struct, frozen=True):
    """The line after which nothing of a memory is read any more."""

    purge: str
    at: str


Entry = Memory | Purge | LinkDecision
"""What a line of a journal holds."""


# Implements REQ-MEM-007.
class Folded:
    """Lines read so far: all versions by memory, what is purged, all decisions by link."""

    def __init__(self) -> None:
        self.versions: dict[str, list[Memory]] = {}
        self.purged: dict[str, str] = {}
        self.links: dict[Pair, list[LinkDecision]] = {}
        self.duplicates = 0

    def add(self, entry: Entry) -> str | None:
        """Takes in one line; the memory whose state may be another now, None where the line says nothing new of one."""
        if isinstance(entry, LinkDecision):
            decided = self.links.setdefault(entry.pair, [])
            if entry in decided:
                self.duplicates += 1
            else:
                decided.append(entry)
            return None
        if isinstance(entry, Purge):
            earlier = self.purged.get(entry.purge)
            if earlier is not None:
                self.duplicates += 1
            self.purged[entry.purge] = min(entry.at, earlier) if earlier is not None else entry.at
            self.versions.pop(entry.purge, None)
            return entry.purge
        if entry.id in self.purged:
            return None
        versions = self.versions.get(entry.id)
        if versions is None:
            self.versions[entry.id] = [entry]
        elif entry.version > versions[-1].version:
            versions.append(entry)
        elif entry in versions:
            self.duplicates += 1
            return None
        else:
            versions.append(entry)
            versions.sort(key=lambda version: version.order)
        return entry.id

    def current(self, memory_id: str) -> Memory | None:
        """What holds of a memory, deleted or not."""
        versions = self.versions.get(memory_id)
        return versions[-1] if versions else None


def parse(line: bytes) -> Entry:
    """One line of a journal. Raises UsageError that says what is wrong with it."""
    try:
        memory = _as_written.decode(line)
        if is_sound(memory):
            return memory
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # a purge, a link, a line by another hand, or a bad one: the slow way tells which
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UsageError("not a JSON object")
    if "purge" in value:
        try:
            return msgspec.convert(value, Purge)
        except msgspec.ValidationError as error:
            raise UsageError(str(error)) from None
    return decode_link(value) if is_link(value) else decode(value)


def is_entry(line: bytes) -> bool:
    """Whether a line can be read as one of a journal."""
    try:
        parse(line)
    except UsageError:
        return False
    return True


# Implements REQ-MEM-001.
class Journal:
    """The journal at `path`, held in memory and brought up to date by its tail. Threads may share it.

    `changed` is called with the ids whose state may be another after a refresh, or with None after which nothing that
    was known holds any more. It is called before the refresh returns, never twice at once. `base`: see JournalFile.
    """

    def __init__(
        self,
        path: Path,
        changed: Callable[[Iterable[str] | None], None] | None = None,
        base: Path | None = None,
    ) -> None:
        self.path = path
        self.file = JournalFile(path, base, is_entry)
        self._changed = changed or _nobody
        self._folded = Folded()
        self._line = 0
        self.rejected = 0
        """Unreadable lines in the file."""

    # reading

    def refresh(self) -> None:
        """Takes in what others wrote. One `stat` where nothing changed."""
        with self.file._threads:
            afresh, lines = self.file.read_new()
            if afresh:
                self._folded, self._line, self.rejected = Folded(), 0, 0
                self._changed(None)
            if lines:
                self._take(lines)

    def _take(self, lines: Sequence[bytes]) -> None:
        bad: list[tuple[int, bytes, str]] = []
        touched: dict[str, None] = {}
        for line in self._numbered(lines):
            try:
                entry = parse(line)
            except UsageError as error:
                bad.append((self._line, line, error.message))
                continue
            if (memory_id := self._folded.add(entry)) is not None:
                touched[memory_id] = None
        if touched:
            self._changed(touched)
        if bad:
            self.rejected += len(bad)
            fresh = set(self.file.set_aside([line for _, line, _ in bad]))
            for number, line, why in bad:
                if line in fresh:
                    log.warning(
                        "%s:%d is left out: %s (kept in %s)", self.path, number, why, self.file.rejected_path.name
                    )

    def _numbered(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Those that are not blank, with `_line` the number of each. A CR ends a line too, but for one within a line
        of JSON, where it is but space."""
        for line in lines:
            parts = [line] if b"\r" not in line.rstrip(b"\r") or is_entry(line) else line.split(b"\r")
            for part in parts:
                self._line += 1
                if part.strip():
                    yield part

    def current(self, memory_id: str) -> Memory | None:
        """What holds of a memory, also of a deleted one."""
        return self._folded.current(memory_id)

    def all(self) -> Iterator[Memory]:
        """What holds of every memory, in the order in which they first came."""
        for versions in list(self._folded.versions.values()):
            yield versions[-1]

    def history(self, memory_id: str) -> list[Memory]:
        """Every version of a memory, oldest first."""
        return list(self._folded.versions.get(memory_id, ()))

    def purged(self) -> dict[str, str]:
        """Ids that were purged, and when."""
        return dict(self._folded.purged)

    def links(self) -> Iterator[LinkDecision]:
        """What holds of every link that was decided about, in the order in which they first came."""
        for decided in list(self._folded.links.values()):
            yield latest(decided)

    def decisions(self) -> Iterator[LinkDecision]:
        """Every decision about a link, also those that hold no more."""
        for decided in list(self._folded.links.values()):
            yield from decided

    @property
    def offset(self) -> int:
        """Bytes of the file that were read: whole lines."""
        return self.file.offset

    # writing

    # Implements REQ-MEM-003.
    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Be the only writer, up to date with all others. What was written is on disk when the context is left."""
        writer = Writer(self)
        try:
            with self.file.locked():
                self.refresh()
                yield writer
                writer.write()
        finally:
            # Also after an error: what had been appended before it must not stay behind as an open file.
            writer.flush()


class Writer:
    """Collects what one writer appends; see `Journal.writing`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lines: list[bytes] = []
        self._flushes: list[Callable[[], None]] = []

    def put(self, entry: Entry) -> None:
        """Another version, a purge or a decision; in the journal's own view once it is written."""
        self._lines.append(encode(entry) if isinstance(entry, Memory) else msgspec.json.encode(entry))

    def write(self) -> None:
        """Appends what was put so far, in one piece."""
        if self._lines:
            lines, self._lines = self._lines, []
            if len(self._flushes) >= MAX_UNFLUSHED:
                self.flush()
            self._flushes.append(self._journal.file.append(lines))
            self._journal.refresh()

    def flush(self) -> None:
        flushes, self._flushes = self._flushes, []
        for flush in flushes:
            flush()


def encoded_lines(folded: Folded) -> bytes:
    """A journal that folds to `folded`: no unreadable, repeated or purged line, every version of the others, every
    decision."""
    lines = [encode(version) for versions in folded.versions.values() for version in versions]
    lines += [msgspec.json.encode(Purge(memory_id, at)) for memory_id, at in folded.purged.items()]
    lines += [msgspec.json.encode(decision) for decided in folded.links.values() for decision in decided]
    return b"".join(line + b"\n" for line in lines)


def _nobody(_: Any) -> None:
    """Nobody wants to know."""
