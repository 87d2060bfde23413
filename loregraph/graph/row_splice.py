"""Removes and inserts rows in columns, at the cost of copying them.

There is no loop over rows: unchanged rows are copied in runs. The results equal what `ColumnFileWriter` makes of the
whole new column, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct

from loregraph.graph.column_file import Array, ColumnFile, ColumnFileWriter, code_type, offsets_of

Value = TypeVar("Value", str, float)


class RowSplice(Struct, frozen=True):
    """`gone` are the removed rows of `count`, ascending; `at` has for each inserted row the index, among the remaining
    rows, of the one it precedes (their number: at the end), ascending."""

    count: int
    gone: Array
    at: Array

    @property
    def new_count(self) -> int:
        return self.count - len(self.gone) + len(self.at)

    def come(self) -> Array:
        """The new numbers of the inserted rows."""
        return self.at + np.arange(len(self.at))

    def numbers(self) -> Array:
        """The new number of each old row, -1 for a removed one."""
        left = self.count - len(self.gone)
        before = np.cumsum(np.bincount(self.at, minlength=left + 1))[:left]
        numbers = np.full(self.count, -1, np.int64)
        stays = np.ones(self.count, np.bool_)
        stays[self.gone] = False
        numbers[stays] = np.arange(left) + before
        return numbers

    def array(self, values: Array, come: Array) -> Array:
        """`values` without the removed rows and with `come` inserted."""
        left = np.delete(values, self.gone) if len(self.gone) else values
        return np.insert(left, self.at, come) if len(self.at) else left

    def ragged(self, offsets: Array, items: Array, come_offsets: Array, come: Array) -> tuple[Array, Array]:
        """`array` for rows of variable length, given as offsets and items; returns the new ones."""
        gap = len(items) + 1  # so that no inserted row begins where the last old one ends
        starts = self.array(offsets[:-1].astype(np.int64), come_offsets[:-1].astype(np.int64) + gap)
        lengths = self.array(np.diff(offsets).astype(np.int64), np.diff(come_offsets))
        if not len(starts):
            return offsets_of(lengths), items[:0]
        # Rows adjacent both before and after are copied in one piece.
        firsts = np.append(0, np.flatnonzero(starts[1:] != starts[:-1] + lengths[:-1]) + 1)
        lasts = np.append(firsts[1:], len(starts)) - 1
        parts = [
            items[start:end] if start < gap else come[start - gap : end - gap]
            for start, end in zip(starts[firsts].tolist(), (starts[lasts] + lengths[lasts]).tolist(), strict=True)
        ]
        return offsets_of(lengths), np.concatenate(parts)


def splice_column(
    writer: ColumnFileWriter, file: ColumnFile, come: ColumnFileWriter, name: str, rows: RowSplice
) -> None:
    """Puts into `writer` the column `name` of `file`, of any of the four kinds, with the rows of `come` inserted."""
    if f"{name}.codes" in file.names:
        column = file.codes(name)
        texts = _texts(come, name)
        splice_codes(writer, name, rows, column.codes, column.values, come.added(f"{name}.codes"), texts)
    elif f"{name}.lists" in file.names:
        lists, come_lists = file.array(f"{name}.lists"), come.added(f"{name}.lists")
        items = RowSplice(
            int(lists[-1]),
            _ranges(lists, rows.gone),
            np.repeat(_starts_left(lists, rows), np.diff(come_lists)),
        )
        splice_strings(writer, file, come, name, items)
        writer.array(f"{name}.lists", offsets_of(rows.array(np.diff(lists).astype(np.int64), np.diff(come_lists))))
    elif f"{name}.offsets" in file.names:
        splice_strings(writer, file, come, name, rows)
    else:
        writer.array(name, rows.array(file.array(name), come.added(name)))


def splice_strings(
    writer: ColumnFileWriter, file: ColumnFile, come: ColumnFileWriter, name: str, rows: RowSplice
) -> None:
    """`splice_column` for a column of strings."""
    old = file.strings(name)
    offsets, content = rows.ragged(
        old.offsets, old.content, come.added(f"{name}.offsets"), come.added(f"{name}.bytes")
    )  # fmt: skip
    writer.array(f"{name}.offsets", offsets)
    writer.array(f"{name}.bytes", content)


def splice_codes(
    writer: ColumnFileWriter,
    name: str,
    rows: RowSplice,
    codes: Array,
    values: Sequence[str],
    come_codes: Array,
    come_values: Sequence[str],
) -> None:
    """`splice_column` for a column of few distinct values."""
    found, distinct = recoded(rows, codes, values, come_codes, come_values)
    writer.array(f"{name}.codes", found.astype(code_type(len(distinct))))
    writer.strings(name, distinct)


def recoded(
    rows: RowSplice, codes: Array, values: Sequence[Value], come_codes: Array, come_values: Sequence[Value]
) -> tuple[Array, list[Value]]:
    """The codes of the values in each row, and the sorted values, without those no longer used."""
    union: list[Any] = sorted({*values, *come_values})
    number = {value: i for i, value in enumerate(union)}
    old, new = (np.array([number[value] for value in one], np.int64) for one in (values, come_values))
    found = rows.array(old[codes], new[come_codes])
    used = np.bincount(found, minlength=len(union)) > 0
    return (np.cumsum(used) - 1)[found], [value for value, is_used in zip(union, used.tolist(), strict=True) if is_used]


def splice_index(
    hashes: Array, owners: Array, gone: Array, numbers: Array, come_hashes: Array, come_owners: Array
) -> tuple[Array, Array]:
    """A hash index (ascending `hashes`, and their rows) without the rows `gone` (a mask), with others renumbered by the
    ascending `numbers`, and with inserted ones."""
    stays = ~gone[owners]
    keys = _index_keys(hashes[stays], numbers[owners[stays]])
    come = np.sort(_index_keys(come_hashes, come_owners))
    keys = np.insert(keys, keys.searchsorted(come), come)
    return (keys >> np.uint64(32)).astype(hashes.dtype), (keys & np.uint64(0xFFFFFFFF)).astype(owners.dtype)


def _index_keys(hashes: Array, rows: Array) -> Array:
    return hashes.astype(np.uint64) << np.uint64(32) | rows.astype(np.uint64)


def _ranges(offsets: Array, rows: Array) -> Array:
    """The indexes of all items of some rows, ascending."""
    starts = offsets[rows].astype(np.int64)
    lengths = offsets[rows + 1] - starts
    return np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))


def _starts_left(offsets: Array, rows: RowSplice) -> Array:
    """For each inserted row, the index of the remaining item that it precedes."""
    lengths = np.delete(np.diff(offsets).astype(np.int64), rows.gone)
    return np.append(0, np.cumsum(lengths))[rows.at]


def _texts(writer: ColumnFileWriter, name: str) -> list[str]:
    offsets, content = writer.added(f"{name}.offsets").tolist(), writer.added(f"{name}.bytes").tobytes()
    return [content[a:b].decode() for a, b in pairwise(offsets)]
