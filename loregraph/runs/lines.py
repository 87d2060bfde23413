"""Sets of line numbers as integers: bit n is line n. A file of 10,000 lines takes 1.3 KB, and sets are joined at
once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

MOST_LINES: Final = 2_000_000
"""The largest line number that is read: generated files of a few hundred thousand lines exist."""


class LineSet:
    """Collects line numbers from 1 to `MOST_LINES`; setting a bit of a large integer again and again would copy it."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, line: int) -> None:
        """Raises ValueError for a number that no line has."""
        if not 0 < line <= MOST_LINES:
            raise ValueError(f"{line} is not the number of a line (1 to {MOST_LINES})")
        place = line >> 3
        if place >= len(self._bytes):
            self._bytes.extend(bytes(place + 1 - len(self._bytes)))
        self._bytes[place] |= 1 << (line & 7)

    @property
    def lines(self) -> int:
        return int.from_bytes(self._bytes, "little")


def of(numbers: Iterable[int]) -> int:
    """The set of `numbers`. Raises ValueError for one that no line has."""
    found = LineSet()
    for number in numbers:
        found.add(number)
    return found.lines


def between(first: int, last: int) -> int:
    """The lines from `first` to `last`, both included; none where `last` is less."""
    return ((1 << (last + 1)) - 1) >> first << first if last >= first else 0


def numbers(lines: int) -> Iterator[int]:
    """The numbers in a set, ascending."""
    for place, byte in enumerate(lines.to_bytes((lines.bit_length() + 7) // 8, "little")):
        if byte:
            yield from (place * 8 + bit for bit in range(8) if byte >> bit & 1)
