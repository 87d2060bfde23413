"""Files that hold code of another language: that code as one text, and where each part of it stands in the file.

A language whose record says what it `holds` has a module `embedded` with a function `read`, which is given the path
and text of a file, and answers with `Embedded`, or with facts where there is no code to extract. It writes the code of
a file as a text of the language inside, as the tools of these files do for their own checks: parts of the file copied,
and between them what the language needs around them. The text is extracted like any other; then `moved` takes every
fact back to the line and the byte of the file on the disk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from loregraph.indexer.facts import Base, Block, Definition, FileFacts, Problem

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_BLANK: Final = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


class EmbeddedCode:
    """Text of another language that is being put together. Offsets are bytes; texts are Latin-1, a character a byte."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._parts: list[str] = []
        self.size = 0
        self.runs: list[tuple[int, int, int]] = [(0, 0, 0)]
        """(offset in the code, offset in the file, length) of what is copied, in order of the code; where nothing is,
        what is made up stands for a place of the file."""

    def make(self, text: str, at: int | None = None) -> None:
        """Adds what the file does not have; `at` is the place in the file that it stands for, else that of what was
        added before."""
        if at is not None:
            self.runs.append((self.size, at, 0))
        self._parts.append(text)
        self.size += len(text)

    def copy(self, start: int, end: int) -> None:
        """Adds a part of the file."""
        if end > start:
            self.runs.append((self.size, start, end - start))
            self._parts.append(self._source[start:end])
            self.size += end - start

    def text(self) -> bytes:
        return "".join(self._parts).encode("latin-1")


@dataclass(frozen=True, slots=True)
class Embedded:
    """The code of a file. `language` is what its facts are of, `parsed_as` whose grammar and hooks read it, "" for its
    own."""

    language: str
    code: bytes
    runs: list[tuple[int, int, int]]
    parsed_as: str = ""
    whole: str = ""
    """Name of the definition that is the whole file (a component), "" where none is."""
    finish: Callable[[Extraction, Node], None] | None = None
    """Called once with what was extracted and the code's tree, before markers are looked for."""
    problems: tuple[Problem, ...] = ()
    """What could not be read, by lines of the file."""
    escaped: bool = False
    """Whether the file writes the code in another form, so that a line of it is not the code's."""

    def lines_of(self, source: bytes) -> bytes:
        """The code alone, on the lines of the file `source` that it is from."""
        if self.escaped:
            found: list[list[bytes]] = [[] for _ in range(source.count(b"\n") + 1)]
            for line, text in zip(_Places(self, source).lines, self.code.split(b"\n"), strict=True):
                if text:
                    found[line - 1].append(text)
            return b"\n".join(b" ".join(parts) for parts in found)
        blank = bytearray(source.translate(_BLANK))
        for start, there, length in self.runs:
            blank[there : there + length] = self.code[start : start + length]
        return bytes(blank)


# Implements REQ-GRA-002, REQ-IDX-027.
def moved(
    facts: FileFacts, spans: Iterable[tuple[int, int]], held: Embedded, source: bytes
) -> tuple[FileFacts, list[tuple[int, int]]]:
    """Facts and spans of the text `held` as those of the file that it is from."""
    places = _Places(held, source)
    size = len(source)
    lines = source.count(b"\n") + (not source.endswith(b"\n") and bool(source))
    bodies = [places.span(start, end) for start, end in spans]
    definitions = []
    for number, one in enumerate(facts.definitions):
        if one.qualname == held.whole and one.parent < 0:
            bodies[number] = (0, size)
            own = blake2b(source, digest_size=8).hexdigest()
            changed = replace(one, start_line=1, end_line=max(1, lines), start_byte=0, end_byte=size, content_hash=own)
        else:
            changed = _definition(one, places)
        definitions.append(changed)
    problems = [*held.problems, *(replace(one, line=places.line(one.line)) for one in facts.problems)]
    found = FileFacts(
        path=facts.path,
        language=facts.language,
        content_hash=facts.content_hash,
        lines=lines,
        status="partial" if problems and facts.status == "indexed" else facts.status,
        problems=tuple(problems),
        package=facts.package,
        docstring=facts.docstring,
        definitions=tuple(definitions),
        imports=_all(facts.imports, places),
        exports=_all(facts.exports, places),
        assignments=_all(facts.assignments, places),
        calls=_all(facts.calls, places),
        returns=_all(facts.returns, places),
        references=tuple(replace(one, line=places.line(one.line)) for one in facts.references),
        blocks=tuple(_block(one, places) for one in facts.blocks),
        extras=facts.extras,
        markers=tuple(replace(one, line=places.line(one.line)) for one in facts.markers),
    )
    return found, bodies


def _block(one: Block, places: _Places) -> Block:
    start, end = places.span(one.start, one.end)
    return replace(one, start=start, end=end)


def _definition(one: Definition, places: _Places) -> Definition:
    start, end = places.span(one.start_byte, one.end_byte)
    first = places.line(one.start_line)
    return replace(
        one,
        start_line=first,
        end_line=max(first, places.line(one.end_line)),
        start_byte=start,
        end_byte=end,
        bases=tuple(Base(base.type, base.relation, places.line(base.line)) for base in one.bases),
    )


def _all(listed: tuple[Any, ...], places: _Places) -> tuple[Any, ...]:
    return tuple(replace(one, line=places.line(one.line), at=places.byte(one.at)) for one in listed)


class _Places:
    """Where what stands in a code stands in its file."""

    def __init__(self, held: Embedded, source: bytes) -> None:
        self._starts = [start for start, _, _ in held.runs]
        self._runs = held.runs
        self.lines = _lines(held, source)
        """The line in the file of each line of the code."""

    def byte(self, at: int) -> int:
        """The byte in the file of a byte of the code."""
        start, there, length = self._runs[bisect_right(self._starts, at) - 1]
        return there + min(at - start, length)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The range of bytes in the file of a range of the code; what is empty stays so."""
        there = self.byte(first)
        if last <= first:
            return there, there
        # The end of its last byte: what follows may stand elsewhere.
        start, before, length = self._runs[bisect_right(self._starts, last - 1) - 1]
        return there, max(there, before + min(last - start, length))

    def line(self, line: int) -> int:
        """The line in the file of a line of the code; 0, which blames no line, stays."""
        return self.lines[min(line, len(self.lines)) - 1] if line > 0 else line


def _lines(held: Embedded, source: bytes) -> list[int]:
    """Of each line of a code the line in the file of the first thing that begins in it, else of what was before."""
    found: list[int] = []
    newlines_before = _Counter(source)
    code_lines = _Counter(held.code)
    current = 1
    for (start, there, length), after in zip(held.runs, [*held.runs[1:], (-1, 0, 0)], strict=True):
        if after[0] == start:  # nothing stands for this place
            continue
        line = newlines_before.before(there) + 1
        at = code_lines.before(start)
        while len(found) < at:
            found.append(current)
        current = line
        if len(found) == at:
            found.append(line)
        inside = held.code.count(b"\n", start, start + length)
        for more in range(1, inside + 1):
            if len(found) == at + more:
                found.append(line + more)
        current = line + inside
    total = held.code.count(b"\n") + 1
    while len(found) < total:
        found.append(current)
    return found


class _Counter:
    """How many lines of a text end before a place."""

    def __init__(self, text: bytes) -> None:
        self._ends = [-1]
        at = text.find(b"\n")
        while at >= 0:
            self._ends.append(at)
            at = text.find(b"\n", at + 1)

    def before(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) - 1
