"""CSV and TSV: tables that define requirements or trace them; only configured files are read."""

from __future__ import annotations

import csv
import io
from typing import Final

from loregraph.indexer.requirements import tables
from loregraph.indexer.requirements.ids import IdPattern
from loregraph.indexer.requirements.model import Document

_DELIMITERS: Final = ",;\t|"
MAX_FIELD: Final = 1_000_000
"""Maximum characters of a cell: a longer one is an unclosed quote."""


def read(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """The definitions in a table whose first row is the heading. Data files are CSV too, so only configured ones are
    read."""
    if not named:
        return Document()
    head = text.split("\n", 1)[0]
    delimiter = "\t" if path.lower().endswith(".tsv") else max(_DELIMITERS, key=head.count)
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    problems: list[tuple[int, str]] = []
    try:
        line = 1
        for row in reader:
            rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error as error:
        problems.append((reader.line_num, f"not valid CSV: {error}"))
    if not rows:
        return Document(named=named, problems=tuple(problems))
    header, body = rows[0][1], [(number, row) for number, row in rows[1:] if any(cell.strip() for cell in row)]
    items, traces = tables.read_table(header, body, ids, True)
    if body and not items and not traces:
        problems.append((1, "no column holds ids: name one `id`, or see requirements.pattern"))
    for number, row in body:
        if len(row) > len(header):
            problems.append((number, f"{len(row)} cells under {len(header)} headings"))
    return Document(tuple(items), tuple(traces), named, problems=tuple(problems))
