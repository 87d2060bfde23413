"""A file of named numpy arrays and string columns, written once and then memory-mapped (see sections.py).

A string column has Arrow's layout: `<name>.offsets` (n + 1 integers) into `<name>.bytes` (UTF-8). A text column with
few distinct values is `<name>.codes` into a string column `<name>`. Opening reads the header only; an array is checked
when it is first read, indexes against the range they must be in.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from loregraph.errors import DamagedStoreError
from loregraph.graph.sections import ITEM_BYTES, Section, SectionFile, damaged, write_sections

Array = npt.NDArray[Any]

_INT32_MAX: Final = 2**31 - 1


class ColumnFileWriter:
    """Collects columns; `write` puts them into a file."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {}

    def array(self, name: str, values: Array) -> None:
        """Add a one-dimensional array as it is."""
        self._arrays[name] = np.ascontiguousarray(values)

    def added(self, name: str) -> Array:
        """The array `name`, added before."""
        return self._arrays[name]

    def strings(self, name: str, values: Sequence[str]) -> None:
        """Add a string column. Lone surrogates, which UTF-8 cannot encode, become `?`."""
        text = "".join(values)
        if text.isascii():
            data, lengths = text.encode(), np.array(list(map(len, values)), np.int64)
        else:
            encoded = [value.encode("utf-8", "replace") for value in values]
            data, lengths = b"".join(encoded), np.array(list(map(len, encoded)), np.int64)
        self._arrays[f"{name}.offsets"] = offsets_of(lengths)
        self._arrays[f"{name}.bytes"] = np.frombuffer(data, np.uint8)

    def index(self, name: str, values: Sequence[str]) -> None:
        """Add a hash index over `values`: `<name>.hashes` in ascending order and `<name>.rows` they belong to."""
        hashes = np.array([zlib.crc32(value.encode("utf-8", "replace")) for value in values], np.uint32)
        rows = np.argsort(hashes, kind="stable")
        self._arrays[f"{name}.hashes"] = hashes[rows]
        self._arrays[f"{name}.rows"] = rows.astype(np.int32)

    def codes(self, name: str, values: Sequence[str]) -> None:
        """Add a string column of few distinct values, numbered in sorted order."""
        distinct = sorted(set(values))
        number = {value: i for i, value in enumerate(distinct)}
        self._arrays[f"{name}.codes"] = np.array([number[value] for value in values], code_type(len(distinct)))
        self.strings(name, distinct)

    def lists(self, name: str, values: Sequence[Sequence[str]]) -> None:
        """Add a column of lists of strings: `<name>.lists` (n + 1 integers) into the string column `<name>`."""
        lengths = np.array(list(map(len, values)), np.int64)
        self._arrays[f"{name}.lists"] = offsets_of(lengths)
        self.strings(name, [item for value in values for item in value])

    def write(self, path: Path, meta: dict[str, Any]) -> int:
        """Write everything to `path`, with `meta` beside it; returns the file's size in bytes."""
        return write_sections(
            path,
            ((name, values.dtype.str, values.size, values.tobytes()) for name, values in self._arrays.items()),
            meta,
        )


class ColumnFile:
    """A mapped column file; data is checked when it is read. Raises `DamagedStoreError`, on opening or later, where
    `path` is missing or not as written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = SectionFile(path)

    @property
    def meta(self) -> dict[str, Any]:
        """The metadata that the writer added."""
        return self._file.meta

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all arrays, in the order they were written."""
        return self._file.names

    def count(self, name: str) -> int:
        """The length of the array `name`."""
        return self._file.section(name).entry.count

    def array(self, name: str) -> Array:
        """The array `name`, as a read-only view into the file."""
        section = self._file.section(name)
        section.check(0, section.size)
        return _view(section)

    def numbers(self, name: str, below: int) -> Array:
        """The array `name` of indexes from 0 to below `below`."""
        values = self.array(name)
        if values.size and not (values.min() >= 0 and values.max() < below):
            raise damaged(self.path, f"{name} goes beyond {below}")
        return values

    def bounds(self, name: str, end: int) -> Array:
        """The array `name` of n + 1 ascending offsets from 0 to `end`: the start of each of n rows, and the end."""
        values = self.array(name)
        if not values.size or values[0] != 0 or values[-1] != end or (values[1:] < values[:-1]).any():
            raise damaged(self.path, f"{name} does not go from 0 to {end}")
        return values

    def part(self, name: str, first: int, last: int) -> Array:
        """The items `first` up to `last` of the array `name`; reads and checks only these."""
        return self.parts(name, ((first, last),))[first:last]

    def parts(self, name: str, ranges: Iterable[tuple[int, int]]) -> Array:
        """The array `name`, of which only `ranges` (first item, last item + 1) will be read: only these are checked."""
        section = self._file.section(name)
        width = ITEM_BYTES[section.entry.dtype]
        for first, last in ranges:
            section.check(first * width, last * width)
        return _view(section)

    def strings(self, name: str) -> Strings:
        """The string column `name`."""
        return Strings(self, name, self._file.section(f"{name}.bytes"))

    def codes(self, name: str) -> Codes:
        """The column `name` of few distinct values."""
        values = self.strings(name).all()
        return Codes(self.numbers(f"{name}.codes", len(values)), values)

    def lists(self, name: str) -> Lists:
        """The column `name` of lists of strings."""
        items = self.strings(name)
        return Lists(self.bounds(f"{name}.lists", len(items)), items)

    def index(self, name: str, column: Strings) -> Index:
        """The hash index `name` over `column`."""
        return Index(self.array(f"{name}.hashes"), self.numbers(f"{name}.rows", len(column)), column)

    def column(self, name: str) -> StoredColumn:
        """The column `name`, of any of the four kinds."""
        names = self._file.names
        if f"{name}.codes" in names:
            return self.codes(name)
        if f"{name}.lists" in names:
            return self.lists(name)
        if f"{name}.offsets" in names:
            return self.strings(name)
        return self.array(name)

    def is_intact(self) -> bool:
        """Whether the content is as written: reads everything that has not been read yet (about 2 GB/s)."""
        try:
            self._file.check()
        except DamagedStoreError:
            return False
        return True


class Strings:
    """A string column: `column[i]` is the text in row i."""

    __slots__ = ("_bytes", "_file", "_name", "_offsets")

    def __init__(self, file: ColumnFile, name: str, content: Section) -> None:
        self._file = file
        self._name = name
        self._bytes = content
        self._offsets: Array | None = None

    def __len__(self) -> int:
        return self._file.count(f"{self._name}.offsets") - 1

    def __getitem__(self, row: int) -> str:
        return self._decoded(self.raw(row))

    @property
    def offsets(self) -> Array:
        """The start of each row in `content`, and the end."""
        if self._offsets is None:
            self._offsets = self._file.bounds(f"{self._name}.offsets", self._bytes.size)
        return self._offsets

    def raw(self, row: int) -> bytes:
        """The UTF-8 of row `row`."""
        section = self._bytes
        start, end = self.offsets[row : row + 2].tolist()
        if not section.is_whole:
            section.check(start, end)
        return section.content[section.start + start : section.start + end]

    @property
    def content(self) -> Array:
        """The UTF-8 of all rows, one after the other."""
        self._bytes.check(0, self._bytes.size)
        return _view(self._bytes)

    def all(self) -> list[str]:
        """Every row."""
        content = self._bytes.all()
        bounds = self.offsets.tolist()
        if content.isascii():
            text = content.decode("ascii")
            return [text[a:b] for a, b in pairwise(bounds)]
        return [self._decoded(content[a:b]) for a, b in pairwise(bounds)]

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError:
            raise damaged(self._file.path, f"{self._name} is not UTF-8") from None


class Index:
    """A hash index of a string column: text → rows."""

    __slots__ = ("_column", "_hashes", "_rows")

    def __init__(self, hashes: Array, rows: Array, column: Strings) -> None:
        self._hashes = hashes
        self._rows = rows
        self._column = column

    def find(self, text: str) -> list[int]:
        """The rows equal to `text`, ascending."""
        wanted = text.encode("utf-8", "replace")
        number = np.uint32(zlib.crc32(wanted))
        first, last = self._hashes.searchsorted(number), self._hashes.searchsorted(number, "right")
        return [row for row in self._rows[first:last].tolist() if self._column.raw(row) == wanted]


UNKNOWN: Final = -1
"""Stands for None in a column of answers."""


class Answers:
    """A column of true, false and not known (None), stored as 1, 0 and `UNKNOWN`."""

    __slots__ = ("stored",)

    def __init__(self, stored: Array) -> None:
        self.stored = stored

    def __len__(self) -> int:
        return len(self.stored)

    def __getitem__(self, row: int) -> bool | None:
        value = int(self.stored[row])
        return None if value == UNKNOWN else value == 1

    def all(self) -> list[bool | None]:
        """Every row."""
        return [None if value == UNKNOWN else value == 1 for value in self.stored.tolist()]


class Codes:
    """A column with few distinct values: `codes` per row, `values` the distinct ones in sorted order."""

    __slots__ = ("codes", "values")

    def __init__(self, codes: Array, values: list[str]) -> None:
        self.codes = codes
        self.values = values

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.values[int(self.codes[row])]

    def all(self) -> list[str]:
        """Every row."""
        values = self.values
        return [values[code] for code in self.codes.tolist()]


class Lists:
    """A column of lists of strings."""

    __slots__ = ("items", "lists")

    def __init__(self, lists: Array, items: Strings) -> None:
        self.lists = lists
        self.items = items

    def __len__(self) -> int:
        return len(self.lists) - 1

    def __getitem__(self, row: int) -> tuple[str, ...]:
        start, end = self.lists[row : row + 2].tolist()
        return tuple(self.items[i] for i in range(start, end))

    def all(self) -> list[tuple[str, ...]]:
        """Every row."""
        items, bounds = self.items.all(), self.lists.tolist()
        return [tuple(items[a:b]) for a, b in pairwise(bounds)]


class NumberLists:
    """A column of lists of numbers."""

    __slots__ = ("items", "lists")

    def __init__(self, lists: Array, items: Array) -> None:
        self.lists = lists
        self.items = items

    def __len__(self) -> int:
        return len(self.lists) - 1

    def __getitem__(self, row: int) -> tuple[int, ...]:
        start, end = self.lists[row : row + 2].tolist()
        return tuple(self.items[start:end].tolist())

    def all(self) -> list[tuple[int, ...]]:
        """Every row."""
        items, bounds = self.items.tolist(), self.lists.tolist()
        return [tuple(items[a:b]) for a, b in pairwise(bounds)]


StoredColumn = Strings | Codes | Lists | NumberLists | Array
Column = StoredColumn | Answers


def code_type(distinct: int) -> type[np.integer[Any]]:
    """The integer type for the codes of so many distinct texts."""
    return np.uint8 if distinct <= 256 else np.int32


def narrow(values: Array) -> Array:
    """Non-negative numbers in the smallest type that holds them."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def offsets_of(lengths: Array) -> Array:
    """The start offsets of rows with these lengths, and the end."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets.astype(np.int32) if offsets[-1] <= _INT32_MAX else offsets


def _view(section: Section) -> Array:
    return np.frombuffer(section.content, section.entry.dtype, section.entry.count, section.start)
