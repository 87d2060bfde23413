"""The columns of a generation as CSV files for the engine's bulk load.

Arrow tables load slightly faster, but their library is a quarter of an installation. The engine's CSV reader handles
quotes, line breaks and separators in quoted text correctly, but not lists of text, so such a list is written as one
text and split by the load statement, at a separator that occurs in none of the items.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np

from loregraph.graph import schema
from loregraph.graph.column_file import Answers, Array, Codes, Column, Lists, NumberLists, Strings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS, RELATIONSHIPS

_ROWS: Final = 8_192
"""Rows converted to text at a time."""
_OPTIONS: Final = "HEADER=false, AUTO_DETECT=false, PARALLEL=false, QUOTE='\"', ESCAPE='\"', NULL_STRINGS=['{}']"
_PATTERN: Final = re.compile(r"([*?[])")


class Field(NamedTuple):
    """A column of a table: its name and type there, the source column and its rows (None for all), and the separator of
    list items, b"" for a column without lists."""

    name: str
    type: str
    column: Column
    rows: Array | None
    separator: bytes = b""

    @property
    def is_text(self) -> bool:
        """Whether it is text in the file, of which the load statement makes a value."""
        return bool(self.separator) or isinstance(self.column, Answers)


class Table(NamedTuple):
    """The content of one table of the engine, with `size` rows; `pair` are the labels that its edges connect."""

    name: str
    pair: tuple[str, str] | None
    fields: tuple[Field, ...]
    size: int

    def write(self, file: BinaryIO) -> None:
        """Writes the rows as CSV in UTF-8."""
        texts = [_texts(field) for field in self.fields]
        for first in range(0, self.size, _ROWS):
            last = min(self.size, first + _ROWS)
            parts = [text(_numbers(field, first, last)) for field, text in zip(self.fields, texts, strict=True)]
            file.write(b"\n".join(map(b",".join, zip(*parts, strict=True))) + b"\n")

    def load(self, file: Path) -> str:
        """The statement that loads the file into the table."""
        read = ", ".join(f"{one.name} {'STRING' if one.is_text else one.type}" for one in self.fields)
        given = ", ".join(_value(one) for one in self.fields)
        # The engine treats a path as a pattern: `[*]` is a star.
        path = _PATTERN.sub(r"[\1]", str(file)).replace("\\", "\\\\").replace("'", "\\'")
        pair = "" if self.pair is None else f" (from='{self.pair[0]}', to='{self.pair[1]}')"
        rows = f"LOAD WITH HEADERS ({read}) FROM '{path}' ({_OPTIONS.format(self._no_text())}) RETURN {given}"
        return f"COPY {self.name} FROM ({rows}){pair}"

    def _no_text(self) -> str:
        """The engine's marker for NULL: a text that occurs in no row, since no value is NULL there."""
        texts = [one.column.items if isinstance(one.column, Lists) else one.column for one in self.fields]
        contents = [bytes(one.content) for one in texts if isinstance(one, Strings)]
        contents += ["".join(one.values).encode() for one in texts if isinstance(one, Codes)]
        return _absent(b"\x1d%d\x1e", contents).decode()

    def corrections(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Statements, with their parameters, that repair lists with empty items, which the engine drops when
        splitting."""
        for field in self.fields:
            column = field.column
            if not isinstance(column, Lists) or np.diff(column.items.offsets).all():
                continue
            for place, row in enumerate(_numbers(field, 0, self.size).tolist()):
                items = column[row]
                if not all(items):
                    yield self._correction(field, place, list(items))

    def _correction(self, field: Field, place: int, items: list[str]) -> tuple[str, dict[str, Any]]:
        def end(number: int, label: str) -> str:
            key: Any = self.fields[number]
            return f"(:{label} {{{schema.NUMBER}: {int(key.column[_numbers(key, place, place + 1)[0]])}}})"

        if self.pair is None:
            found = end(0, self.name).replace("(:", "(row:", 1)
        else:
            found = f"{end(0, self.pair[0])}-[row:{self.name}]->{end(1, self.pair[1])}"
        return f"MATCH {found} SET row.{field.name} = $items", {"items": items}


def tables(columns: GraphColumns) -> Iterator[Table]:
    """All node tables and pairs of labels with at least one row."""
    for label in LABELS:
        numbers = columns.nodes(label)
        if len(numbers):
            fields = [Field(schema.NUMBER, "INT64", numbers, None)]
            for name, kind in schema.NODE_COLUMNS[label]:
                column, own = columns.column(label, name)
                fields.append(_field(name, kind, column, None if own else numbers))
            yield Table(label, None, tuple(fields), len(numbers))
    for rel, pairs in RELATIONSHIPS.items():
        edges = columns.edges(rel)
        source_labels, target_labels = columns.labels[columns.source[edges]], columns.labels[columns.target[edges]]
        for source, target in pairs:
            here = edges[(source_labels == LABELS.index(source)) & (target_labels == LABELS.index(target))]
            if len(here):
                fields = [
                    Field("source", "INT64", columns.source, here),
                    Field("target", "INT64", columns.target, here),
                ]
                fields += [
                    _field(name, kind, *columns.edge_column(name, here)) for name, kind in schema.REL_COLUMNS[rel]
                ]
                yield Table(rel, (source, target), tuple(fields), len(here))


def _field(name: str, kind: str, column: Column, rows: Array | None) -> Field:
    if not isinstance(column, Lists):
        return Field(name, kind, column, rows)
    # The separator is not formed across an item's end either: its first character occurs in no item.
    return Field(name, kind, column, rows, _absent(b"\x1f%d\x1e", [bytes(column.items.content)]))


def _absent(form: bytes, contents: Sequence[bytes]) -> bytes:
    """The first text of the given form, with a number in it, that occurs in none of the contents."""
    return next(text for text in map(form.__mod__, count()) if not any(text in content for content in contents))


def _value(field: Field) -> str:
    if isinstance(field.column, Answers):
        return f"CASE WHEN {field.name} = '' THEN NULL ELSE {field.name} = 'true' END"
    if not field.separator:
        return field.name
    split = f"string_split({field.name}, '{field.separator.decode()}')"
    return f"CASE WHEN {field.name} = '' THEN CAST([] AS STRING[]) ELSE {split} END"


def _numbers(field: Field, first: int, last: int) -> Array:
    """The rows of a field's column for the rows `first` up to `last` of the table."""
    return np.arange(first, last) if field.rows is None else field.rows[first:last]


def _texts(field: Field) -> Callable[[Array], list[bytes]]:
    """A function that formats rows of a field for the file."""
    column = field.column
    if isinstance(column, Answers):
        answers = {1: b'"true"', 0: b'"false"'}
        return lambda rows: [answers.get(value, b'""') for value in column.stored[rows].tolist()]
    if isinstance(column, Codes):
        codes, values = column.codes, [_quoted(value.encode()) for value in column.values]
        return lambda rows: [values[code] for code in codes[rows].tolist()]
    if isinstance(column, Strings):
        content, offsets = bytes(column.content), column.offsets
        return lambda rows: [_quoted(text) for text in _cut(content, offsets, rows)]
    if isinstance(column, Lists):
        lists, separator = column.lists, field.separator
        items = _cut(bytes(column.items.content), column.items.offsets, np.arange(len(column.items)))
        return lambda rows: [
            _quoted(separator.join(items[first:last]))
            for first, last in zip(lists[rows].tolist(), lists[rows + 1].tolist(), strict=True)
        ]
    if isinstance(column, NumberLists):
        numbers, bounds = list(map(b"%d".__mod__, column.items.tolist())), column.lists
        return lambda rows: [
            b'"[%b]"' % b",".join(numbers[first:last])
            for first, last in zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
        ]
    if column.dtype.kind == "b":
        return lambda rows: [b"true" if value else b"false" for value in column[rows].tolist()]
    return lambda rows: [repr(value).encode() for value in column[rows].tolist()]


def _cut(content: bytes, offsets: Array, rows: Array) -> list[bytes]:
    return [content[first:last] for first, last in zip(offsets[rows].tolist(), offsets[rows + 1].tolist(), strict=True)]


def _quoted(text: bytes) -> bytes:
    return b'"%b"' % text.replace(b'"', b'""')
