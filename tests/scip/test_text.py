"""Columns of SCIP's ranges in the units that documents count them in."""

from __future__ import annotations

import pytest

from loregraph.scip import schema
from loregraph.scip.reading import Place
from loregraph.scip.text import SourceText

LINE = 'x = "naïve 🚀"; total(1)'
RAW = f"first\n{LINE}\n".encode()


def place(start: int, end: int, line: int = 1) -> Place:
    return Place(line, start, end, "x . . . total().", 0)


# Verifies REQ-EXC-001.
@pytest.mark.parametrize(
    ("encoding", "start"), [(schema.UTF32, 15), (schema.UTF16, 16), (0, 16), (schema.UTF8, 19)], ids=str
)
def test_a_name_behind_wide_characters_is_found(encoding: int, start: int) -> None:
    text = SourceText(RAW, encoding)
    columns = text.columns(place(start, start + 5))
    assert columns is not None
    assert text.text(1, columns) == "total"
    assert RAW[text.byte(1, columns[0]) :].startswith(b"total")
    assert text.is_called(1, columns[1])
    assert not text.splits(1, columns)
    assert text.splits(1, (columns[0], columns[1] - 1)) and text.splits(1, (columns[0] + 1, columns[1]))


# Verifies REQ-EXC-004.
@pytest.mark.parametrize("encoding", [schema.UTF32, schema.UTF16, schema.UTF8])
def test_what_is_beyond_a_line_has_no_columns(encoding: int) -> None:
    text = SourceText(RAW, encoding)
    end = {schema.UTF32: 23, schema.UTF16: 24, schema.UTF8: 27}[encoding]
    assert text.columns(place(0, end)) == (0, len(LINE))
    assert text.columns(place(0, end + 1)) is None
    assert text.columns(place(0, 6, line=0)) is None
    assert text.columns(place(0, 1, line=9)) is None


# Verifies REQ-EXC-004.
def test_bytes_that_are_no_text_have_places() -> None:
    text = SourceText(b"a\xff\xfe b(1)", schema.UTF8)
    assert text.lines == ["a\ufffd\ufffd b(1)"]
    assert text.columns(place(0, 1, line=0)) == (0, 1)
