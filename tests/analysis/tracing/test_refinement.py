"""What holds of a requirement by what refines it."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.tracing.junit import FAILED, NOT_RUN, PASSED, CaseResult
from loregraph.analysis.tracing.refinement import parts_of, upward
from loregraph.analysis.tracing.report import TraceReport, report
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Edge, Graph, Node, Requirement

from ..conftest import function

PARTS = {"A": ("B", "C"), "B": ("D",), "X": ("Y",), "Y": ("X",)}
EVERY = set("ABCDXYZ")


@pytest.mark.parametrize(
    ("true_of", "expected"),
    [
        ("", ""),
        ("D", "BD"),
        ("CD", "ABCD"),
        ("BC", "ABC"),
        ("A", "A"),
        ("X", "XY"),
        ("Z", "Z"),
    ],
)
def test_of_all_parts_then_of_the_whole(true_of: str, expected: str) -> None:
    assert upward(true_of, PARTS, EVERY) == set(expected)


def test_of_one_part_then_of_the_whole_where_one_is_enough() -> None:
    assert upward("C", PARTS, EVERY, by_one=True) == set("AC")


def test_what_does_not_count_is_neither_waited_for_nor_enough() -> None:
    assert upward("C", PARTS, EVERY - {"B"}) == set("AC")
    assert upward("D", PARTS, EVERY - {"D"}) == {"D"}


def test_what_is_judged_by_itself_is_not_judged_by_its_parts() -> None:
    assert upward("CD", PARTS, EVERY, own={"B"}) == set("CD")


def requirement(identity: str, *parents: str, status: str = "") -> Requirement:
    return Requirement(identity, identity, identity, f"About {identity}", "", status, "", "r.md", 1, parents)


@pytest.fixture
def columns(tmp_path: Path) -> GraphColumns:
    """SYS-1 is refined by two that are implemented and tested and one that is planned; SYS-2 by one that is not."""
    nodes: list[Node] = [
        requirement("SYS-1"),
        requirement("SYS-2"),
        requirement("SW-1", "SYS-1"),
        requirement("SW-2", "SYS-1", "SYS-2"),
        requirement("SW-3", "SYS-1", status="planned"),
        requirement("SW-4", "SYS-2"),
        function("a.py", "one"),
        function("a.py", "two", 9),
        function("tests/test_a.py", "test_one", is_test=True),
        function("tests/test_a.py", "test_two", 9, is_test=True),
    ]
    edges = [
        Edge("IMPLEMENTS_REQ", source, target, how="marker")
        for source, target in (
            ("a.py::one", "SW-1"),
            ("a.py::two", "SW-2"),
            ("tests/test_a.py::test_one", "SW-1"),
            ("tests/test_a.py::test_two", "SW-2"),
        )
    ]
    ordered = tuple(sorted(nodes, key=lambda node: node.id.encode()))
    write_columns(tmp_path, Graph(ordered, tuple(sorted(edges, key=lambda e: (e.source, e.rel, e.target)))))
    return GraphColumns.open(tmp_path)


def case(name: str, outcome: str) -> CaseResult:
    return CaseResult(name=name, classname="shop", file="", suites=(), outcome=outcome)


def verified(found: TraceReport) -> dict[str, str]:
    return {one.id: one.verified for one in found.requirements}


def test_a_whole_is_covered_by_its_parts(columns: GraphColumns) -> None:
    assert parts_of(columns) == {"SYS-1": ("SW-1", "SW-2", "SW-3"), "SYS-2": ("SW-2", "SW-4")}
    found = report(columns, Path())
    by_id = {one.id: one for one in found.requirements}
    assert (by_id["SYS-1"].implemented, by_id["SYS-1"].tested, by_id["SYS-1"].implementations) == (True, True, ())
    assert (by_id["SYS-2"].implemented, by_id["SYS-2"].tested) == (False, False)
    assert (found.coverage.implemented, found.coverage.tested, found.coverage.total) == (3, 3, 5)
    assert {o.id for o in found.orphans} == {"SW-4", "SYS-2"}


def test_asked_for_alone_it_is_what_it_is_among_all(columns: GraphColumns) -> None:
    (one,) = report(columns, Path(), "SYS-1", cases=[case("test_one", PASSED), case("test_two", PASSED)]).requirements
    assert (one.implemented, one.parts, one.verified) == (True, ("SW-1", "SW-2", "SW-3"), PASSED)


def test_results_of_the_parts_are_those_of_the_whole(columns: GraphColumns) -> None:
    passed = verified(report(columns, Path(), cases=[case("test_one", PASSED), case("test_two", PASSED)]))
    assert (passed["SYS-1"], passed["SYS-2"], passed["SW-4"]) == (PASSED, NOT_RUN, NOT_RUN)
    failed = verified(report(columns, Path(), cases=[case("test_one", PASSED), case("test_two", FAILED)]))
    assert (failed["SYS-1"], failed["SYS-2"], failed["SW-1"]) == (FAILED, FAILED, PASSED)
    half = verified(report(columns, Path(), cases=[case("test_one", PASSED)]))
    assert half["SYS-1"] == NOT_RUN
