"""Columns of several generations, one after the other, and rows of a column in another order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from loregraph.graph.column_file import (
    Array,
    Codes,
    ColumnFile,
    ColumnFileWriter,
    Lists,
    Strings,
    code_type,
    offsets_of,
)

Written = Callable[[str], str]
"""A text as it is written in the joined column."""


class Order:
    """New places of rows: row i of the result is row `rows[i]` of what there was; None keeps all as they are."""

    def __init__(self, rows: Array | None = None) -> None:
        self.rows = rows

    def array(self, values: Array) -> Array:
        return values if self.rows is None else values[self.rows]

    def numbers(self, count: int) -> Array:
        """The new number of each of `count` rows, -1 for one that is left out."""
        if self.rows is None:
            return np.arange(count)
        numbers = np.full(count, -1, np.int64)
        numbers[self.rows] = np.arange(len(self.rows))
        return numbers

    def ragged(self, offsets: Array, items: Array) -> tuple[Array, Array]:
        """`array` for rows of variable length, given as offsets and items; returns the new ones."""
        if self.rows is None:
            return offsets, items
        lengths = np.diff(offsets)[self.rows].astype(np.int64)
        new = offsets_of(lengths)
        at = np.repeat(offsets[:-1][self.rows].astype(np.int64) - new[:-1], lengths) + np.arange(int(new[-1]))
        return new, items[at]


KEPT: Final = Order()


def joined(arrays: Sequence[Array]) -> Array:
    return np.concatenate(list(arrays)) if arrays else np.empty(0, np.int32)


def joined_ragged(parts: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Rows of variable length, given as offsets and items of each part."""
    lengths = joined([np.diff(offsets).astype(np.int64) for offsets, _ in parts])
    return offsets_of(lengths), joined([items for _, items in parts])


def with_prefixes(offsets: Array, content: Array, prefix: bytes) -> tuple[Array, Array]:
    """A column of texts, as offsets and UTF-8, with `prefix` before each text."""
    rows, width = len(offsets) - 1, len(prefix)
    new = offsets.astype(np.int64) + width * np.arange(rows + 1)
    written = np.empty(int(new[-1]), np.uint8)
    is_prefix = np.zeros(len(written), np.bool_)
    places = (new[:-1, None] + np.arange(width)).ravel()
    is_prefix[places] = True
    written[places] = np.tile(np.frombuffer(prefix, np.uint8), rows)
    written[~is_prefix] = content
    return new, written


def join_strings(
    writer: ColumnFileWriter, name: str, columns: Sequence[Strings], prefixes: Sequence[bytes] = (), order: Order = KEPT
) -> None:
    """Adds the texts of all columns, those of each with its prefix."""
    parts = [(column.offsets, column.content) for column in columns]
    if prefixes:
        parts = [with_prefixes(*part, prefix) for part, prefix in zip(parts, prefixes, strict=True)]
    offsets, content = order.ragged(*joined_ragged(parts))
    writer.array(f"{name}.offsets", _as_offsets(offsets))
    writer.array(f"{name}.bytes", content.astype(np.uint8))


def join_codes(
    writer: ColumnFileWriter, name: str, columns: Sequence[Codes], written: Sequence[Written] = (), order: Order = KEPT
) -> None:
    """Adds columns of few distinct values; `written` says how each column's values are written."""
    values = [
        [write(value) for value in column.values]
        for column, write in zip(columns, written or [str] * len(columns), strict=True)
    ]
    distinct = sorted({value for own in values for value in own})
    number = {value: code for code, value in enumerate(distinct)}
    codes = [
        np.array([number[value] for value in own], np.int64)[column.codes]
        for column, own in zip(columns, values, strict=True)
    ]
    writer.array(f"{name}.codes", order.array(joined(codes)).astype(code_type(len(distinct))))
    writer.strings(name, distinct)


def join_lists(
    writer: ColumnFileWriter, name: str, columns: Sequence[Lists], prefixes: Sequence[bytes] = (), order: Order = KEPT
) -> None:
    """Adds columns of lists of texts, each text with its column's prefix."""
    lists, _ = joined_ragged([(column.lists, np.empty(0, np.int32)) for column in columns])
    if order.rows is None:
        rows = KEPT
    else:
        lists, items = order.ragged(lists, np.arange(int(lists[-1])))
        rows = Order(items)
    writer.array(f"{name}.lists", _as_offsets(lists))
    join_strings(writer, name, [column.items for column in columns], prefixes, rows)


def join_column(
    writer: ColumnFileWriter,
    files: Sequence[ColumnFile],
    name: str,
    prefixes: Sequence[bytes] = (),
    order: Order = KEPT,
) -> None:
    """Adds the column `name` of all files, of any of the four kinds."""
    columns = [file.column(name) for file in files]
    if all(isinstance(column, Codes) for column in columns):
        join_codes(writer, name, [column for column in columns if isinstance(column, Codes)], (), order)
    elif all(isinstance(column, Lists) for column in columns):
        join_lists(writer, name, [column for column in columns if isinstance(column, Lists)], prefixes, order)
    elif all(isinstance(column, Strings) for column in columns):
        join_strings(writer, name, [column for column in columns if isinstance(column, Strings)], prefixes, order)
    else:
        writer.array(name, order.array(joined([column for column in columns if isinstance(column, np.ndarray)])))


def join_index(writer: ColumnFileWriter, name: str, files: Sequence[ColumnFile], firsts: Sequence[int]) -> None:
    """Adds a hash index; `firsts` is the number of each file's first row among all."""
    hashes = joined([file.array(f"{name}.hashes") for file in files])
    rows = joined([file.array(f"{name}.rows") + first for file, first in zip(files, firsts, strict=True)])
    order = np.argsort(hashes, kind="stable")
    writer.array(f"{name}.hashes", hashes[order])
    writer.array(f"{name}.rows", rows[order].astype(np.int32))


def _as_offsets(offsets: Array) -> Array:
    return offsets.astype(np.int32 if offsets[-1] < 1 << 31 else np.int64)
