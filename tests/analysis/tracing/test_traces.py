"""From requirements to code, tests and designs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from loregraph.analysis.component_lookup import locate
from loregraph.analysis.context import context
from loregraph.analysis.tracing.orphans import NO_CODE, NO_TEST, STALE, UNKNOWN, orphans
from loregraph.analysis.tracing.traces import EXERCISES, RequirementTrace, coverage, is_counted, trace
from loregraph.errors import NotFoundError, NothingToTraceError
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Class, Component, Design, Edge, File, Function, Graph, Memory, Node, Requirement

from ..conftest import class_, function

Opens = Callable[..., GraphColumns]


@pytest.fixture
def opens(tmp_path: Path) -> Opens:
    """The columns of a graph made of nodes and edges; IMPLEMENTS_REQ and CONTAINS edges as pairs are enough."""

    def open_columns(nodes: list[Node], edges: list[Edge]) -> GraphColumns:
        ordered = tuple(sorted(nodes, key=lambda node: node.id.encode()))
        write_columns(tmp_path, Graph(ordered, tuple(sorted(edges, key=lambda e: (e.source, e.rel, e.target)))))
        return GraphColumns.open(tmp_path)

    return open_columns


def requirement(identity: str, status: str = "", title: str = "") -> Requirement:
    return Requirement(identity, identity, identity, title or f"About {identity}", "", status, "", "r.md", 3)


def file(path: str) -> File:
    return File(path, path, path, path, "python", "", 50, "indexed")


def marker(source: str, target: str, how: str = "marker", confidence: float = 1.0) -> Edge:
    return Edge("IMPLEMENTS_REQ", source, target, how=how, confidence=confidence, evidence=f"{source}:1")


def contains(source: str, *targets: str) -> list[Edge]:
    return [Edge("CONTAINS", source, target) for target in targets]


def ids(links: object) -> list[str]:
    return [link.id for link in links]  # type: ignore[attr-defined]


def one(columns: GraphColumns, identity: str) -> RequirementTrace:
    (found,) = trace(columns, identity)
    return found


def test_one_requirement(columns: GraphColumns) -> None:
    found = one(columns, "REQ-1")
    assert (found.title, found.path, found.line) == ("Orders can be read", "r.md", 3)
    (code,) = found.implementations
    assert (code.id, code.name, code.line) == ("shop/api.py::get_order", "get_order", 1)
    assert (code.how, code.confidence, code.evidence) == ("marker", 1.0, "shop/api.py:1")
    (test,) = found.tests
    assert (test.id, test.how) == ("tests/test_api.py::test_get", EXERCISES)
    assert test.evidence == "tests shop/api.py::get_order"
    (design,) = found.designs
    assert (design.id, design.title, design.how) == ("ADR-1", "Orders are rows", "declared")


def test_all_of_them(columns: GraphColumns) -> None:
    found = trace(columns)
    assert ids(found) == ["REQ-1", "REQ-2"]
    assert found[1].implementations == ()
    total = coverage(found)
    assert (total.implemented, total.tested, total.total) == (1, 1, 2)


def test_one_that_is_not_there_is_answered_with_the_nearest(columns: GraphColumns) -> None:
    with pytest.raises(NotFoundError) as raised:
        trace(columns, "REQ-3")
    assert "REQ-" in raised.value.suggestion


def test_a_graph_without_requirements(opens: Opens) -> None:
    with pytest.raises(NothingToTraceError) as raised:
        trace(opens([file("a.py")], []))
    assert "[requirements]" in raised.value.suggestion


def test_a_marker_in_a_test_is_a_test_and_not_an_implementation(opens: Opens) -> None:
    columns = opens(
        [
            requirement("R-1"),
            file("a.py"),
            file("tests/test_a.py"),
            function("a.py", "do"),
            function("tests/test_a.py", "test_do", is_test=True),
            function("tests/test_a.py", "helper"),
        ],
        [
            marker("a.py::do", "R-1"),
            marker("tests/test_a.py::test_do", "R-1"),
            marker("tests/test_a.py::helper", "R-1"),
        ],
    )
    found = one(columns, "R-1")
    assert ids(found.implementations) == ["a.py::do"]
    assert [(t.id, t.how) for t in found.tests] == [
        ("tests/test_a.py::helper", "marker"),
        ("tests/test_a.py::test_do", "marker"),
    ]


def test_tests_that_name_the_requirement_come_before_those_that_exercise_its_code(opens: Opens) -> None:
    columns = opens(
        [
            requirement("R-1"),
            file("a.py"),
            file("tests/test_a.py"),
            function("a.py", "do"),
            function("tests/test_a.py", "test_any", is_test=True),
            function("tests/test_a.py", "test_do", is_test=True),
        ],
        [
            marker("a.py::do", "R-1"),
            marker("tests/test_a.py::test_do", "R-1"),
            Edge("TESTS", "tests/test_a.py::test_any", "a.py::do", how="call"),
        ],
    )
    assert [(t.id, t.how) for t in one(columns, "R-1").tests] == [
        ("tests/test_a.py::test_do", "marker"),
        ("tests/test_a.py::test_any", "exercises"),
    ]


def test_a_class_and_a_file_of_tests_are_tests_and_a_file_with_some_is_not(opens: Opens) -> None:
    columns = opens(
        [
            requirement("R-1"),
            file("src/lib.rs"),
            file("checks.py"),
            class_("src/lib.rs", "Tests", 9),
            function("src/lib.rs", "a"),
            function("src/lib.rs", "b"),
            function("src/lib.rs", "Tests.works", 10, is_test=True),
            function("checks.py", "test_it", is_test=True),
        ],
        [
            *contains("src/lib.rs", "src/lib.rs::Tests", "src/lib.rs::a", "src/lib.rs::b"),
            *contains("src/lib.rs::Tests", "src/lib.rs::Tests.works"),
            *contains("checks.py", "checks.py::test_it"),
            *(marker(source, "R-1") for source in ("src/lib.rs", "src/lib.rs::Tests", "checks.py")),
        ],
    )
    found = one(columns, "R-1")
    assert ids(found.implementations) == ["src/lib.rs"]
    assert ids(found.tests) == ["checks.py", "src/lib.rs::Tests"]


def test_a_rust_file_whose_tests_are_in_it_is_the_product_s_however_many_they_are(opens: Opens) -> None:
    rust = [
        function("src/lib.rs", "run"),
        *(function("src/lib.rs", f"tests.test_{number}", 10, is_test=True) for number in range(3)),
    ]
    columns = opens(
        [requirement("R-1"), file("src/lib.rs"), *(msgspec.structs.replace(one, language="rust") for one in rust)],
        [marker("src/lib.rs::run", "R-1"), marker("src/lib.rs::tests.test_1", "R-1")],
    )
    found = one(columns, "R-1")
    assert ids(found.implementations) == ["src/lib.rs::run"]
    assert ids(found.tests) == ["src/lib.rs::tests.test_1"]


def test_what_tests_a_member_tests_the_class_and_what_tests_anything_in_a_file_does_not(opens: Opens) -> None:
    nodes = [
        requirement("R-1"),
        requirement("R-2"),
        file("a.py"),
        class_("a.py", "Cart", 1),
        function("a.py", "Cart.add", 2),
        function("a.py", "Cart.drop", 5),
        function("tests/test_a.py", "test_cart", is_test=True),
    ]
    edges = [
        *contains("a.py", "a.py::Cart"),
        *contains("a.py::Cart", "a.py::Cart.add", "a.py::Cart.drop"),
        Edge("TESTS", "tests/test_a.py::test_cart", "a.py::Cart.add", how="call"),
        Edge("TESTS", "tests/test_a.py::test_cart", "a.py::Cart.drop", how="call"),
        marker("a.py::Cart", "R-1", "declared", 0.8),
        marker("a.py", "R-2"),
    ]
    columns = opens(nodes, edges)
    (test,) = one(columns, "R-1").tests
    assert (test.how, test.confidence) == (EXERCISES, 0.8)
    assert test.evidence == "tests a.py::Cart.add and 1 more"
    assert one(columns, "R-2").tests == ()


def test_designs_that_the_code_follows_and_memories_about_either(opens: Opens) -> None:
    def memory(identity: str, state: str) -> Memory:
        return Memory(identity, f"name of {identity}", "", "design", "x", (), 0.5, "project", state, "", "", "")

    design = Design("ADR-2", "ADR-2", "ADR-2", "Money is cents", "adr", "accepted", "", "adr/2.md", 1)
    columns = opens(
        [requirement("R-1"), function("a.py", "do"), design, memory("m1", "active"), memory("m2", "deleted")],
        [
            marker("a.py::do", "R-1"),
            Edge("FOLLOWS_DESIGN", "a.py::do", "ADR-2", how="marker", evidence="a.py:4"),
            Edge("ABOUT", "m1", "a.py::do"),
            Edge("ABOUT", "m2", "R-1"),
        ],
    )
    found = one(columns, "R-1")
    (followed,) = found.designs
    assert (followed.id, followed.evidence) == ("ADR-2", "a.py::do follows it: a.py:4")
    assert ids(found.memories) == ["m1"]


@pytest.mark.parametrize(
    ("status", "counts"),
    [
        ("", True),
        ("implemented", True),
        ("Accepted", True),
        ("open", True),
        ("planned", False),
        ("Draft", False),
        ("superseded by REQ-9", False),
        ("won't fix", False),
        ("DEPRECATED", False),
    ],
)
def test_which_statuses_count(status: str, counts: bool) -> None:
    assert is_counted(status) is counts


def test_coverage_counts_what_is_in_force_and_lists_the_rest(opens: Opens) -> None:
    nodes = [
        requirement("R-1"),
        requirement("R-2", "planned"),
        requirement("R-3", "Planned"),
        requirement("R-4", "draft"),
    ]
    columns = opens([*nodes, function("a.py", "do")], [marker("a.py::do", "R-2")])
    found = coverage(trace(columns))
    assert (found.implemented, found.total, found.excluded) == (0, 1, {"draft": 1, "planned": 2})


def test_accepted_links_hold_beside_what_the_code_says(opens: Opens) -> None:
    nodes = [requirement("R-1"), function("a.py", "do"), function("a.py", "more", 5), function("a.py", "past", 9)]
    columns = opens(nodes, [marker("a.py::do", "R-1"), marker("a.py::past", "R-1", "accepted")])
    accepted = [marker("a.py::do", "R-1", "accepted"), marker("a.py::more", "R-1", "accepted")]
    (found,) = trace(columns, accepted=accepted)
    # What is marked needs nobody; what is accepted no more is gone, though the graph has not heard of it.
    assert [(link.id, link.how) for link in found.implementations] == [
        ("a.py::do", "marker"),
        ("a.py::more", "accepted"),
    ]


def test_a_suggested_edge_implements_nothing(opens: Opens) -> None:
    columns = opens([requirement("R-1"), function("a.py", "do")], [marker("a.py::do", "R-1", "suggested")])
    assert one(columns, "R-1").implementations == ()


# Verifies REQ-TRC-002.
def test_orphans_both_ways(opens: Opens) -> None:
    named = File("a.py", "a.py", "a", "a.py", "python", "", 50, "indexed", orphan_markers=("7: R-9", "2: R-8"))
    nodes = [requirement("R-1"), requirement("R-2"), requirement("R-3", "planned"), named, function("a.py", "do")]
    columns = opens(nodes, [marker("a.py::do", "R-2")])
    accepted = [marker("a.py::gone", "R-1", "accepted"), marker("a.py::do", "R-7", "accepted")]
    found = orphans(columns, trace(columns), accepted)
    assert [(o.kind, o.id, o.path, o.line) for o in found] == [
        (NO_CODE, "R-1", "r.md", 3),
        (NO_TEST, "R-1", "r.md", 3),
        (NO_TEST, "R-2", "r.md", 3),
        (UNKNOWN, "R-8", "a.py", 2),
        (UNKNOWN, "R-9", "a.py", 7),
        (STALE, "R-1", "a.py", 0),
        (STALE, "R-7", "a.py", 0),
    ]
    assert "a.py::gone is gone" in found[5].message
    assert "R-7 is gone" in found[6].message
    assert {o.id for o in orphans(columns, trace(columns, "R-1"), accepted, "R-1")} == {"R-1"}


def test_a_component_can_implement(opens: Opens) -> None:
    shop = Component("component:shop", "shop", "shop", "package", "shop", "python")
    stray = Class("t.py::Stray", "Stray", "t.Stray", "class", "t.py", 1, 2, "python")
    lone = Function("t.py::f", "f", "t.f", "function", "t.py", 1, 2, "python")
    columns = opens([requirement("R-1"), shop, stray, lone], [marker("component:shop", "R-1", "declared")])
    (code,) = one(columns, "R-1").implementations
    assert (code.id, code.file_path) == ("component:shop", "shop")


def test_the_context_of_a_function(columns: GraphColumns) -> None:
    found = context(columns, locate(columns, "get_order"))
    assert found.component["id"] == "shop/api.py::get_order"
    assert [one.requirement_id for one in found.requirements] == ["REQ-1"]
    assert [one.title for one in found.design_documents] == ["Orders are rows"]
    assert [one.id for one in found.dependencies] == ["shop/api.py::find_order"]
    assert {one.id for one in found.dependents} == {"tests/test_api.py::test_get", "shop/sub/deep.py"}


def test_a_folder_has_the_context_of_what_is_in_it(columns: GraphColumns) -> None:
    found = context(columns, locate(columns, "shop"))
    assert [one.requirement_id for one in found.requirements] == ["REQ-1"]
    assert "shop/api.py::find_order" not in [one.id for one in found.dependencies]  # it is inside
