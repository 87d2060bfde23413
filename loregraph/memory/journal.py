"""The journal of memories: every version ever written, folded into the present state.

A line is a version of a memory, `{"purge": id, "at": time}` or a decision about a link (links.py). The order of lines
has no meaning: of a memory's versions the greatest by (version, updated_at) wins, a purge wins over all, and of the
decisions about one link the latest wins. So two git branches can be merged by keeping both sides' lines, in any order.
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
"""Maximum appends of one writer that wait to be flushed; each holds a file open."""

log: Final = logging.getLogger("loregraph.memory")


class Purge(msgspec.Struct, frozen=True):
    """The line that deletes a memory for good."""

    purge: str
    at: str


Entry = Memory | Purge | LinkDecision
"""The kinds of lines in a journal."""


# Implements REQ-MEM-007.
class Folded:
    """The lines read so far: all versions by memory, purges, all decisions by link."""

    def __init__(self) -> None:
        self.versions: dict[str, list[Memory]] = {}
        self.purged: dict[str, str] = {}
        self.links: dict[Pair, list[LinkDecision]] = {}
        self.duplicates = 0

    def add(self, entry: Entry) -> str | None:
        """Adds one line; returns the memory whose state may have changed, None for no change."""
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
        """The present version of a memory, deleted or not."""
        versions = self.versions.get(memory_id)
        return versions[-1] if versions else None


def parse(line: bytes) -> Entry:
    """One line of a journal. Raises UsageError with the reason for an invalid one."""
    try:
        memory = _as_written.decode(line)
        if is_sound(memory):
            return memory
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # a purge, a link, a line from another program, or an invalid one: decided by the slow path
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
    """Whether a line is a valid journal entry."""
    try:
        parse(line)
    except UsageError:
        return False
    return True


# Implements REQ-MEM-001.
class Journal:
    """The journal at `path`, held in memory and updated from its tail. Thread-safe.

    `changed` is called with the ids whose state may have changed by a refresh, or with None after which all earlier
    state is invalid. It is called before the refresh returns, never concurrently. `base`: see JournalFile.
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
        """Reads what other processes wrote. One `stat` where nothing changed."""
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
        """The non-blank lines, with their numbers as `_line`. A CR also ends a line, except within a line of JSON,
        where it is white space."""
        for line in lines:
            parts = [line] if b"\r" not in line.rstrip(b"\r") or is_entry(line) else line.split(b"\r")
            for part in parts:
                self._line += 1
                if part.strip():
                    yield part

    def current(self, memory_id: str) -> Memory | None:
        """The present version of a memory, including a deleted one."""
        return self._folded.current(memory_id)

    def all(self) -> Iterator[Memory]:
        """The present version of every memory, in the order of first appearance."""
        for versions in list(self._folded.versions.values()):
            yield versions[-1]

    def history(self, memory_id: str) -> list[Memory]:
        """Every version of a memory, oldest first."""
        return list(self._folded.versions.get(memory_id, ()))

    def purged(self) -> dict[str, str]:
        """Purged ids with times."""
        return dict(self._folded.purged)

    def links(self) -> Iterator[LinkDecision]:
        """The latest decision about every link, in the order of first appearance."""
        for decided in list(self._folded.links.values()):
            yield latest(decided)

    def decisions(self) -> Iterator[LinkDecision]:
        """Every decision about a link, including superseded ones."""
        for decided in list(self._folded.links.values()):
            yield from decided

    @property
    def offset(self) -> int:
        """Bytes of complete lines read from the file."""
        return self.file.offset

    # writing

    # Implements REQ-MEM-003.
    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Be the only writer, up to date with all others. Written lines are on disk when the context is left."""
        writer = Writer(self)
        try:
            with self.file.locked():
                self.refresh()
                yield writer
                writer.write()
        finally:
            # Also after an error: earlier appends must not leave an open file behind.
            writer.flush()


class Writer:
    """Collects the lines of one writer; see `Journal.writing`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lines: list[bytes] = []
        self._flushes: list[Callable[[], None]] = []

    def put(self, entry: Entry) -> None:
        """Adds a version, a purge or a decision; visible in the journal once it is written."""
        self._lines.append(encode(entry) if isinstance(entry, Memory) else msgspec.json.encode(entry))

    def write(self) -> None:
        """Appends the collected lines, in one piece."""
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
    """A journal that folds to `folded`, without unreadable, repeated or purged lines, with every version and
    decision."""
    lines = [encode(version) for versions in folded.versions.values() for version in versions]
    lines += [msgspec.json.encode(Purge(memory_id, at)) for memory_id, at in folded.purged.items()]
    lines += [msgspec.json.encode(decision) for decided in folded.links.values() for decision in decided]
    return b"".join(line + b"\n" for line in lines)


def _nobody(_: Any) -> None:
    """A callback that does nothing."""
