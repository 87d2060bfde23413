"""The matrix as CSV."""

from __future__ import annotations

import csv
import io

import msgspec

from loregraph.analysis.tracing.formats.csv_table import HEADER, write
from loregraph.analysis.tracing.places import Place
from loregraph.analysis.tracing.report import TraceReport

from .conftest import HOSTILE


def rows_of(report: TraceReport) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(write(report), newline="")))


def test_a_row_a_link(report: TraceReport) -> None:
    rows = rows_of(report)
    assert tuple(rows[0]) == HEADER
    links = [(row["link"], row["target"], row["how"], row["result"]) for row in rows if row["requirement"] == "R-1"]
    assert links[:6] == [
        ("design", "ADR-1", "declared", ""),
        ("code", "a.py::do", "marker", ""),
        ("code", "b.py", "declared", ""),
        ("test", "t.py::test_do", "marker", "passed"),
        ("test", "t.py::test_more", "exercises", "not run"),
        ("memory", "m1", "", ""),
    ]


def test_text_parents_and_place_are_in_the_last_columns(report: TraceReport) -> None:
    one = msgspec.structs.replace(report.requirements[0], parents=("R-3", "X-1"))
    places = {"R-1": Place("docs/r.md", "Needs", ("Part", "Detail"), (7,))}
    changed = msgspec.structs.replace(report, requirements=(one, *report.requirements[1:]), places=places)
    rows = rows_of(changed)
    assert HEADER[:15][-1] == "result"
    assert (rows[0]["text"], rows[0]["parents"]) == (f"A longer text. {HOSTILE}", "R-3, X-1")
    assert (rows[0]["document"], rows[0]["section"]) == ("docs/r.md", "Part / Detail")
    (other,) = [row for row in rows if row["requirement"] == "R-3"]
    assert (other["document"], other["section"]) == ("docs/r.md", "")


def test_a_requirement_without_links_has_a_row_and_so_has_what_leads_nowhere(report: TraceReport) -> None:
    rows = rows_of(report)
    (missing,) = [row for row in rows if row["requirement"] == "R-2"]
    assert (missing["state"], missing["link"], missing["title"]) == ("missing", "", HOSTILE)
    assert [(row["requirement"], row["state"]) for row in rows[-2:]] == [
        ("R-9", "unknown_requirement"),
        ("R-1", "stale_accepted_link"),
    ]


def test_no_cell_is_a_formula(report: TraceReport) -> None:
    (planned,) = [row for row in rows_of(report) if row["requirement"] == "R-3"]
    assert planned["title"].startswith("'=")
