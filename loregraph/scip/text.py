"""A file's text by lines, with the columns of SCIP's ranges in each of its units."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final

from loregraph.scip import schema
from loregraph.scip.reading import Place

_NAME: Final = re.compile(r"[^\W\d][\w$]*|[$#@][\w$]+")
_CUT: Final = re.compile(r"[\w$][\w$]")
_DECORATOR: Final = re.compile(r"\s*+@")
_CALLED: Final = re.compile(r"(?:\?\.|!)?\s{0,4}\(")


class SourceText:
    """The text of one file in UTF-8."""

    def __init__(self, raw: bytes, encoding: int) -> None:
        """`encoding` is what the columns of places count; where an index does not say it, units of UTF-16, which those
        indexers have that are written in JavaScript and older than the field."""
        self._raw_lines = raw.split(b"\n")
        self._encoding = encoding
        self.lines = [line.decode("utf-8", "replace") for line in self._raw_lines]
        self._measured: dict[tuple[int, int], list[int]] = {}

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
        offsets = self._offsets(number, self._encoding)
        return bisect_left(offsets, column) if column <= offsets[-1] else -1

    def _offsets(self, number: int, encoding: int) -> list[int]:
        """The column of every code point of a line, and of its end; each line is measured once."""
        found = self._measured.get((number, encoding))
        if found is None:
            line = self.lines[number]
            widths = _bytes_of(line) if encoding == schema.UTF8 else (1 + (one > "\uffff") for one in line)
            found = self._measured[number, encoding] = list(accumulate(widths, initial=0))
        return found

    def text(self, line: int, columns: tuple[int, int]) -> str:
        return self.lines[line][slice(*columns)]

    def byte(self, line: int, column: int) -> int:
        """The byte of the file at a code point of a line."""
        if not self.lines[line].isascii():
            column = self._offsets(line, schema.UTF8)[column]
        return self.starts[line] + column

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

    def is_decorator(self, line: int) -> bool:
        """Whether a line begins with a decorator or an annotation."""
        return _DECORATOR.match(self.lines[line]) is not None


def _bytes_of(line: str) -> Iterator[int]:
    """The bytes of each code point in UTF-8; what was no UTF-8 is read as a code point of three."""
    return (len(one.encode("utf-8", "surrogatepass")) for one in line)
