"""A file's text by lines, with the columns of SCIP's ranges in each of its units."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from loregraph.scip import schema
from loregraph.scip.reading import Place

_NAME: Final = re.compile(r"[^\W\d][\w$]*|[$#@][\w$]+")
_CUT: Final = re.compile(r"[\w$][\w$]")
_CALLED: Final = re.compile(r"(?:\?\.|!)?\s{0,4}\(")


class SourceText:
    """The text of one file in UTF-8."""

    def __init__(self, raw: bytes, encoding: int) -> None:
        """`encoding` is what the columns of places count; where an index does not say it, units of UTF-16, which those
        indexers have that are written in JavaScript and older than the field."""
        self._raw_lines = raw.split(b"\n")
        self._encoding = encoding
        self.lines = [line.decode("utf-8", "replace") for line in self._raw_lines]

    @cached_property
    def starts(self) -> list[int]:
        """The byte that each line begins at."""
        at, found = 0, []
        for line in self._raw_lines:
            found.append(at)
            at += len(line) + 1
        return found

    def columns(self, place: Place) -> tuple[int, int] | None:
        """The code points of its line between which a place is; None where it is not within the line."""
        if place.line >= len(self.lines):
            return None
        line = self.lines[place.line]
        if not line.isascii() and self._encoding != schema.UTF32:
            start, end = self._points(place.line, place.start), self._points(place.line, place.end)
        else:
            start, end = place.start, place.end
        return (start, end) if 0 <= start <= end <= len(line) else None

    def _points(self, number: int, column: int) -> int:
        """A column as a number of code points; -1 beyond the line."""
        line = self.lines[number]
        if self._encoding == schema.UTF8:
            raw = self._raw_lines[number]
            return len(raw[:column].decode("utf-8", "replace")) if column <= len(raw) else -1
        units = 0
        for points, character in enumerate(line):
            if units >= column:
                return points
            units += 1 + (character > "\uffff")
        return len(line) if units >= column else -1

    def text(self, line: int, columns: tuple[int, int]) -> str:
        return self.lines[line][slice(*columns)]

    def byte(self, line: int, column: int) -> int:
        """The byte of the file at a code point of a line."""
        return self.starts[line] + len(self.lines[line][:column].encode("utf-8", "surrogatepass"))

    def is_name(self, line: int, columns: tuple[int, int]) -> bool:
        """Whether a name stands there."""
        return _NAME.fullmatch(self.lines[line], *columns) is not None

    def splits(self, line: int, columns: tuple[int, int]) -> bool:
        """Whether a word is cut there, which no place of an index of this very text does."""
        start, end = columns
        text = self.lines[line]
        return start < end and any(at > 0 and _CUT.match(text, at - 1) is not None for at in (start, end))

    def is_called(self, line: int, column: int) -> bool:
        """Whether what ends before `column` is called with a bracket."""
        return _CALLED.match(self.lines[line], column) is not None
