"""What of a trace fails a build."""

from __future__ import annotations

import pytest

from loregraph.analysis.tracing.gates import shortfalls, still_linked
from loregraph.analysis.tracing.orphans import UNKNOWN, Orphan
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import coverage

from .formats.conftest import link, requirement


@pytest.fixture
def report() -> TraceReport:
    requirements = (
        requirement(
            "R-1",
            implementations=(link("a.py::do"),),
            tests=(link("t.py::test_do"), link("t.py::test_more", "exercises")),
            verified="passed",
        ),
        requirement("R-2", implementations=(link("b.py::do"),), verified="failed"),
        requirement("R-3", status="planned", verified="failed"),
    )
    lost = Orphan(kind=UNKNOWN, id="R-9", path="a.py", line=4, message="R-9 is in no document")
    return TraceReport(requirements=requirements, coverage=coverage(requirements), orphans=(lost,))


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"implemented": 100}, []),
        ({"tested": 50, "verified": 50}, []),
        ({"tested": 50.5}, ["1 of 2 requirements has a test, 50.5 % is asked for"]),
        ({"verified": 51}, ["1 of 2 requirements has tests that passed, 51 % is asked for"]),
    ],
)
def test_each_share_has_its_line(report: TraceReport, wanted: dict[str, float], told: list[str]) -> None:
    assert shortfalls(report, **wanted) == told  # type: ignore[arg-type]


def test_strictly_nothing_is_lost_and_no_test_failed(report: TraceReport) -> None:
    assert shortfalls(report, strict=True) == ["1 link to what is not there", "the tests of R-2 fail"]


def test_a_link_that_was_rejected_and_is_declared_again(report: TraceReport) -> None:
    undone = {("R-1", "a.py::do"), ("R-1", "t.py::test_more"), ("R-2", "a.py::do")}
    assert [(one, found.id) for one, found in still_linked(report, undone)] == [("R-1", "a.py::do")]
