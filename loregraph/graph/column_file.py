"""One file of named numpy arrays and string columns, written once and then mapped into memory.

Layout: 8 bytes of magic, 4 bytes CRC-32 of the header, 4 bytes its length (both little endian), the header (msgpack),
then the arrays, each aligned to 64 bytes. A string column is Arrow's: `<name>.offsets` (n + 1 integers) into
`<name>.bytes` (UTF-8), so that the engine's bulk load can take it as it is. A text column with few distinct values is
`<name>.codes` into a string column `<name>`. Opening reads the header only.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from loregraph import rooted
from loregraph.errors import DamagedStoreError, UnsafePathError

Array = npt.NDArray[Any]

_MAGIC: Final = b"LGCOLS1\n"
_PREFIX: Final = len(_MAGIC) + 8
_ALIGNMENT: Final = 64
_INT32_MAX: Final = 2**31 - 1


class _Entry(msgspec.Struct, array_like=True, frozen=True):
    name: str
    dtype: str
    offset: int
    count: int


class _Header(msgspec.Struct, array_like=True, frozen=True):
    size: int
    crc: int
    entries: tuple[_Entry, ...]
    meta: dict[str, Any]


class ColumnFileWriter:
    """Collects columns; `write` puts them into a file."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {}

    def array(self, name: str, values: Array) -> None:
        """Add a one-dimensional array as it is."""
        self._arrays[name] = np.ascontiguousarray(values)

    def strings(self, name: str, values: Sequence[str]) -> None:
        """Add a string column. Lone surrogates, which UTF-8 cannot hold, become `?`."""
        text = "".join(values)
        if text.isascii():
            data, lengths = text.encode(), np.array(list(map(len, values)), np.int64)
        else:
            encoded = [value.encode("utf-8", "replace") for value in values]
            data, lengths = b"".join(encoded), np.array(list(map(len, encoded)), np.int64)
        self._arrays[f"{name}.offsets"] = _offsets(lengths)
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
        kind = np.uint8 if len(distinct) <= 256 else np.int32
        self._arrays[f"{name}.codes"] = np.array([number[value] for value in values], kind)
        self.strings(name, distinct)

    def lists(self, name: str, values: Sequence[Sequence[str]]) -> None:
        """Add a column of lists of strings: `<name>.lists` (n + 1 integers) into the string column `<name>`."""
        lengths = np.array(list(map(len, values)), np.int64)
        self._arrays[f"{name}.lists"] = _offsets(lengths)
        self.strings(name, [item for value in values for item in value])

    def replace_strings(self, name: str, rows: Mapping[int, str]) -> None:
        """Give some rows of a string column that is there already another text."""
        offsets, content = self._arrays[f"{name}.offsets"], self._arrays[f"{name}.bytes"]
        lengths = np.diff(offsets).astype(np.int64)
        parts, at = [], 0
        for row, value in sorted(rows.items()):
            encoded = value.encode("utf-8", "replace")
            lengths[row] = len(encoded)
            parts += [content[at : int(offsets[row])], np.frombuffer(encoded, np.uint8)]
            at = int(offsets[row + 1])
        self._arrays[f"{name}.offsets"] = _offsets(lengths)
        self._arrays[f"{name}.bytes"] = np.concatenate([*parts, content[at:]])

    def write(self, path: Path, meta: dict[str, Any]) -> int:
        """Write everything to `path`, with `meta` in the header; returns the file's size in bytes."""
        entries, chunks, offset, crc = [], [], 0, 0
        for name, values in self._arrays.items():
            entries.append(_Entry(name, values.dtype.str, offset, values.size))
            data = values.tobytes() + bytes(-values.nbytes % _ALIGNMENT)
            crc = zlib.crc32(data, crc)
            chunks.append(data)
            offset += len(data)
        header = msgspec.msgpack.encode(_Header(offset, crc, tuple(entries), meta))
        header += b"\xc1" * (-(_PREFIX + len(header)) % _ALIGNMENT)
        prefix = _MAGIC + zlib.crc32(header).to_bytes(4, "little") + len(header).to_bytes(4, "little")
        with rooted.create(path.parent, path.name) as file:
            file.write(prefix + header)
            file.writelines(chunks)
        return _PREFIX + len(header) + offset


class ColumnFile:
    """A mapped column file. Raises `StoreError` where `path` is missing, cut short or something else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with rooted.open_read(path.parent, path.name) as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError, UnsafePathError) as error:  # ValueError: an empty file cannot be mapped
            raise _damaged(path, str(error)) from error
        prefix = self._map[:_PREFIX]
        length = int.from_bytes(prefix[12:16], "little")
        header = self._map[_PREFIX : _PREFIX + length]
        if prefix[:8] != _MAGIC or zlib.crc32(header) != int.from_bytes(prefix[8:12], "little"):
            raise _damaged(path, "the header is not one of loregraph's")
        self._header = msgspec.msgpack.decode(header.rstrip(b"\xc1"), type=_Header)
        self._base = _PREFIX + length
        if len(self._map) != self._base + self._header.size:
            raise _damaged(path, "it is cut short")
        self._entries = {entry.name: entry for entry in self._header.entries}

    @property
    def meta(self) -> dict[str, Any]:
        """What the writer put beside the columns."""
        return self._header.meta

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all arrays, in the order they were written."""
        return tuple(self._entries)

    def array(self, name: str) -> Array:
        """The array `name`, a view into the file that cannot be written."""
        entry = self._entries[name]
        return np.frombuffer(self._map, entry.dtype, entry.count, self._base + entry.offset)

    def strings(self, name: str) -> Strings:
        """The string column `name`."""
        data = self._entries[f"{name}.bytes"]
        return Strings(self.array(f"{name}.offsets"), self._map, self._base + data.offset, data.count)

    def codes(self, name: str) -> Codes:
        """The column `name` of few distinct values."""
        return Codes(self.array(f"{name}.codes"), self.strings(name).all())

    def lists(self, name: str) -> Lists:
        """The column `name` of lists of strings."""
        return Lists(self.array(f"{name}.lists"), self.strings(name))

    def index(self, name: str, column: Strings) -> Index:
        """The hash index `name` over `column`."""
        return Index(self.array(f"{name}.hashes"), self.array(f"{name}.rows"), column)

    def column(self, name: str) -> Column:
        """The column `name`, whichever of the four kinds it is."""
        if f"{name}.codes" in self._entries:
            return self.codes(name)
        if f"{name}.lists" in self._entries:
            return self.lists(name)
        if f"{name}.offsets" in self._entries:
            return self.strings(name)
        return self.array(name)

    def is_intact(self) -> bool:
        """Whether the content is what was written: reads all of it (about 1 GB/s)."""
        return zlib.crc32(memoryview(self._map)[self._base :]) == self._header.crc


class Strings:
    """A string column: `column[i]` is the text in row i."""

    __slots__ = ("_base", "_map", "_size", "offsets")

    def __init__(self, offsets: Array, content: mmap.mmap, base: int, size: int) -> None:
        self.offsets = offsets
        self._map = content
        self._base = base
        self._size = size

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> str:
        return self.raw(row).decode()

    def raw(self, row: int) -> bytes:
        """The UTF-8 of row `row`."""
        start, end = self.offsets[row : row + 2].tolist()
        return self._map[self._base + start : self._base + end]

    @property
    def content(self) -> Array:
        """All rows' UTF-8, one after the other."""
        return np.frombuffer(self._map, np.uint8, self._size, self._base)

    def all(self) -> list[str]:
        """Every row."""
        content = self._map[self._base : self._base + self._size]
        bounds = self.offsets.tolist()
        if content.isascii():
            text = content.decode("ascii")
            return [text[a:b] for a, b in pairwise(bounds)]
        return [content[a:b].decode() for a, b in pairwise(bounds)]


class Index:
    """Which rows of a string column hold a text."""

    __slots__ = ("_column", "_hashes", "_rows")

    def __init__(self, hashes: Array, rows: Array, column: Strings) -> None:
        self._hashes = hashes
        self._rows = rows
        self._column = column

    def find(self, text: str) -> list[int]:
        """The rows that are `text`, ascending."""
        wanted = text.encode("utf-8", "replace")
        number = np.uint32(zlib.crc32(wanted))
        first, last = self._hashes.searchsorted(number), self._hashes.searchsorted(number, "right")
        return [row for row in self._rows[first:last].tolist() if self._column.raw(row) == wanted]


class Codes:
    """A column of few distinct values: `codes` per row, `values` the distinct ones in sorted order."""

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


Column = Strings | Codes | Lists | Array


def _offsets(lengths: Array) -> Array:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets.astype(np.int32) if offsets[-1] <= _INT32_MAX else offsets


def _damaged(path: Path, what: str) -> DamagedStoreError:
    return DamagedStoreError(
        f"the store is damaged: {path}: {what}", "run `loregraph index`: it is built again from the sources"
    )
