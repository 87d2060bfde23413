"""Rows, filters, choices and pages of the matrix."""

from __future__ import annotations

import msgspec
import pytest

from loregraph.analysis.tracing.places import Place
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.verification import Joined
from loregraph.pages.requirements.matrix import BY_DOCUMENT, LINKS, SEPARATOR, Filters, matrix

from .conftest import link, reported, stated

Where = dict[str, Place]


def ids(report: TraceReport, places: Where, filters: Filters) -> list[str]:
    return [row.id for row in matrix(report, places, filters).rows]


def test_what_is_missing_comes_first_and_what_does_not_count_last(report: TraceReport, places: Where) -> None:
    assert ids(report, places, Filters()) == ["R-3", "R-5", "R-2", "R-1", "R-4"]


def test_the_order_of_the_documents(report: TraceReport, places: Where) -> None:
    assert ids(report, places, Filters(order=BY_DOCUMENT)) == ["R-5", "R-1", "R-2", "R-3", "R-4"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(state="missing"), ["R-3"]),
        (Filters(state="planned"), ["R-4"]),
        (Filters(document="docs/other.md"), ["R-5"]),
        (Filters(document="docs/r.md", section="Payments"), ["R-3", "R-2", "R-1"]),
        (Filters(document="docs/r.md", section=f"Payments{SEPARATOR}Refunds"), ["R-3", "R-2"]),
        (Filters(status="none"), ["R-3", "R-5", "R-2", "R-1"]),
        (Filters(text="CARE needs"), ["R-2"]),
        (Filters(text="b.py"), ["R-2"]),
        (Filters(text="title test_f"), ["R-1"]),
        (Filters(text="no such words"), []),
    ],
)
def test_filters(report: TraceReport, places: Where, filters: Filters, expected: list[str]) -> None:
    assert ids(report, places, filters) == expected


def test_choices_count_all_requirements(report: TraceReport, places: Where) -> None:
    made = matrix(report, places, Filters(state="missing"))
    assert [(one.name, one.number) for one in made.states] == [
        ("missing", 1),
        ("only tested", 1),
        ("untested", 1),
        ("covered", 1),
        ("planned", 1),
    ]
    assert [(one.value, one.number) for one in made.documents] == [("docs/other.md", 1), ("docs/r.md", 4)]
    assert [(one.value, one.number) for one in made.statuses] == [("none", 4), ("planned", 1)]
    assert (made.found, made.total) == (1, 5)


def test_pages_are_bounded_and_beyond_the_last_is_the_last(places: Where) -> None:
    report = reported(*(stated(f"R-{n:04}", line=n) for n in range(250)))
    made = matrix(report, {}, Filters(), 2, rows=100)
    assert (made.rows[0].id, len(made.rows), made.page, made.pages) == ("R-0100", 100, 2, 3)
    assert matrix(report, {}, Filters(), 99, rows=100).rows[-1].id == "R-0249"
    assert matrix(reported(), {}, Filters()).pages == 1


def test_links_are_folded_and_counted() -> None:
    report = reported(stated("R-1", tests=tuple(link(f"t.py::test_{n}") for n in range(30))))
    (row,) = matrix(report, {}, Filters()).rows
    assert (len(row.tests.items), row.tests.more) == (LINKS, 30 - LINKS)


def test_results_and_suspects(report: TraceReport, places: Where) -> None:
    failed = msgspec.structs.replace(report.requirements[0], verified="failed")
    rest = [msgspec.structs.replace(one, verified="not run") for one in report.requirements[1:]]
    read = msgspec.structs.replace(report, requirements=(failed, *rest), results=Joined(cases=1, joined=1, unjoined=()))
    made = matrix(read, places, Filters(), suspects={"R-2": 1})
    assert made.rows[0].id == "R-1"
    assert made.columns == ("Requirement", "Refined by", "Code", "Tests", "Result")
    assert [(one.value, one.number) for one in made.results] == [("failed", 1), ("not run", 4)]
    assert made.suspects == 1
    assert [row.id for row in matrix(read, places, Filters(suspect=True), suspects={"R-2": 1}).rows] == ["R-2"]
    assert [row.id for row in matrix(read, places, Filters(result="failed")).rows] == ["R-1"]


def test_refining_requirements_show_their_own_state(report: TraceReport, places: Where) -> None:
    row = next(row for row in matrix(report, places, Filters()).rows if row.id == "R-1")
    assert [(part.id, part.result) for part in row.parts.items] == [("R-4", "planned")]


def test_what_is_printed_of_a_row_is_bounded() -> None:
    long = "x" * 1_000_000
    report = reported(stated("R-1", long, long, implementations=(link(f"{long}.py::{long}"),), path=long))
    (row,) = matrix(report, {}, Filters()).rows
    assert len(row.title) <= 300
    assert len(row.code.items[0].name) <= 120
    assert row.code.items[0].id == ""
