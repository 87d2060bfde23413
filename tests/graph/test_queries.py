from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.errors import AmbiguousSymbolError, NotFoundError, UsageError
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Edge, Endpoint, External, File, Function, Graph, Requirement
from loregraph.graph.queries import CallHit

APP, VIEWS, TESTS = "src/shop/app.py", "src/shop/views.py", "tests/test_app.py"


def test_a_symbol_that_is_not_there_names_its_neighbours(columns: GraphColumns) -> None:
    with pytest.raises(NotFoundError) as caught:
        queries.resolve_number(columns, "shop.app.Shop.opne")
    assert "src/shop/app.py::Shop.open" in caught.value.suggestion
    with pytest.raises(NotFoundError, match="zzzzzz"):
        queries.resolve_number(columns, "zzzzzz")
    with pytest.raises(NotFoundError):
        queries.resolve_number(columns, " ")


# Verifies REQ-CLI-005.
def test_a_name_of_several_symbols_is_not_guessed(columns: GraphColumns) -> None:
    with pytest.raises(AmbiguousSymbolError) as caught:
        queries.resolve_number(columns, "open")
    assert caught.value.candidates == (f"{APP}::Shop.open", f"{VIEWS}::Stall.open")
    assert caught.value.exit_code == 2


def test_definitions_with_one_name_in_a_scope_are_one_symbol(columns: GraphColumns) -> None:
    both = [f"{APP}::Shop.close", f"{APP}::Shop.close#2"]
    for text in ("shop.app.Shop.close", "Shop.close", "close", both[0]):
        assert [columns.id(node) for node in queries.resolve_group(columns, text)] == both
        assert columns.id(queries.resolve_number(columns, text)) == both[0]
    for text in ("Shop.close#2", both[1]):
        assert [columns.id(node) for node in queries.resolve_group(columns, text)] == both[1:]


def test_labels_narrow_what_a_symbol_may_be(columns: GraphColumns) -> None:
    with pytest.raises(AmbiguousSymbolError) as caught:
        queries.resolve_number(columns, "shop")
    assert set(caught.value.candidates) == {"component:.", "component:src/shop"}
    with pytest.raises(NotFoundError):
        queries.resolve_number(columns, "shop", labels=("Function",))


def test_what_is_in_the_project_comes_before_external_symbols(tmp_path: Path) -> None:
    nodes = (
        External("external:a.join", "join", "a.join", "a"),
        Function("p.py::join", "join", "p.join", "f", "p", 1, 1, ""),
    )
    write_columns(tmp_path, Graph(nodes, ()))
    columns = GraphColumns.open(tmp_path)
    assert columns.id(queries.resolve_number(columns, "join")) == "p.py::join"
    assert columns.id(queries.resolve_number(columns, "a.join")) == "external:a.join"
    assert queries.nearest(columns, "joni") == ["p.py::join", "external:a.join"]


def test_callers_stand_where_the_call_is(columns: GraphColumns) -> None:
    assert queries.callers(columns, "Shop.open") == [
        CallHit(f"{APP}::main", APP, 24, 1, 0.9, "instance", (24, 26)),
        CallHit(f"{VIEWS}::Stall.open", VIEWS, 4, 1, 1.0, "super", (4,)),
        CallHit(f"{TESTS}::test_open", TESTS, 5, 1, 1.0, "instance", (5,)),
    ]


def test_callers_of_callers_carry_the_weakest_confidence_on_the_way(columns: GraphColumns) -> None:
    hits = queries.callers(columns, f"{APP}::Shop.open", depth=5)
    assert [(h.id, h.distance, h.confidence) for h in hits if h.distance > 1] == [(f"{VIEWS}::render", 2, 0.6)]
    assert {h.id for h in queries.callers(columns, "Shop.open", 5, min_confidence=0.95)} == {
        f"{VIEWS}::Stall.open",
        f"{TESTS}::test_open",
    }


def test_callees_stand_in_the_callers_file(columns: GraphColumns) -> None:
    hits = queries.callees(columns, "render", depth=9)
    assert [(h.id, h.file_path, h.line, h.distance) for h in hits] == [
        (f"{VIEWS}::Stall.open", VIEWS, 13, 1),
        (f"{VIEWS}::render", VIEWS, 14, 1),
        (f"{APP}::Shop.open", VIEWS, 4, 2),
        ("external:print", APP, 4, 3),
    ]


def test_a_function_that_calls_itself_is_its_own_caller_once(columns: GraphColumns) -> None:
    hits = queries.callers(columns, "render", depth=4)
    assert hits == [CallHit(f"{VIEWS}::render", VIEWS, 14, 1, 1.0, "name", (14,))]


# Verifies REQ-NET-004.
def test_who_requests_a_handler_calls_it(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p::{n}", n, f"p.{n}", "function", "p", 1, 1, "") for n in "abc")
    endpoint = Endpoint("endpoint:http:GET:/x/{}", "GET /x/{id}", "GET /x/{id}", "GET", "/x/{id}", "http")
    edges = (
        Edge("CALLS", "p::c", "p::a", line=7, how="scope"),
        Edge("HANDLES", "p::b", endpoint.id, line=1, confidence=0.9, how="route"),
        Edge("REQUESTS", "p::a", endpoint.id, line=3, confidence=0.95, how="path"),
    )
    write_columns(tmp_path, Graph((endpoint, *nodes), edges))
    columns = GraphColumns.open(tmp_path)
    row = CallHit("p::a", "p", 3, 1, 0.9, "path", (3,), endpoint=endpoint.id)
    assert queries.callers(columns, "b", depth=2) == [row, CallHit("p::c", "p", 7, 2, 0.9, "scope", (7,))]
    assert [hit.id for hit in queries.callees(columns, "a")] == ["p::b"]
    assert [(hit.id, hit.how) for hit in queries.impact(columns, "b")][:1] == [("p::a", "requests")]
    assert [hit.id for hit in queries.callers(columns, endpoint.id)] == ["p::a"]
    assert queries.callers(columns, "b", min_confidence=0.95) == []
    shown = queries.show(columns, "b")
    assert [link.id for link in shown.handles] == [endpoint.id]
    assert [hit.id for hit in shown.callers] == ["p::a"]


def test_a_cycle_ends(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p::f{i}", f"f{i}", f"p.f{i}", "function", "p", i, i, "") for i in range(4))
    edges = tuple(Edge("CALLS", f"p::f{i}", f"p::f{(i + 1) % 4}", line=i) for i in range(4))
    write_columns(tmp_path, Graph(nodes, edges))
    hits = queries.callees(GraphColumns.open(tmp_path), "f0", depth=1000)
    assert [(h.id, h.distance) for h in hits] == [("p::f1", 1), ("p::f2", 2), ("p::f3", 3), ("p::f0", 4)]


def test_the_surest_of_two_equally_short_ways_counts(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p::{n}", n, f"p.{n}", "function", "p", 1, 1, "") for n in "abcd")
    edges = (
        Edge("CALLS", "p::a", "p::b", line=1, confidence=0.3),
        Edge("CALLS", "p::a", "p::c", line=2, confidence=0.8),
        Edge("CALLS", "p::b", "p::d", line=3, confidence=1.0, how="weak"),
        Edge("CALLS", "p::c", "p::d", line=4, confidence=0.9, how="sure"),
    )
    write_columns(tmp_path, Graph(nodes, edges))
    assert queries.callees(GraphColumns.open(tmp_path), "a", depth=2)[-1] == CallHit(
        "p::d", "p", 4, 2, 0.8, "sure", (4,)
    )


# Verifies REQ-CLI-009.
def test_a_row_has_all_places_of_the_edges_between_two_symbols(tmp_path: Path) -> None:
    names = ("a", "b", "b#2", "c")
    nodes = tuple(Function(f"p.py::{n}", n[0], f"p.{n}", "function", "p.py", 1, 1, "") for n in names)
    edges = (
        Edge("CALLS", "p.py::a", "p.py::b", line=4, more_lines=(9,)),
        Edge("CALLS", "p.py::a", "p.py::b#2", line=7),
        Edge("CALLS", "p.py::c", "p.py::a", line=12, more_lines=(14, 70_000)),
        Edge("CALLS", "p.py::c", "p.py::b", line=2, confidence=0.5),
        Edge("CALLS", "p.py::c", "p.py::b#2", line=3),
    )
    write_columns(tmp_path, Graph(nodes, edges))
    columns = GraphColumns.open(tmp_path)
    c, a = queries.callers(columns, "b", depth=2)
    assert (a.id, a.line, a.lines) == ("p.py::a", 4, (4, 7, 9))
    assert (c.id, c.line, c.lines) == ("p.py::c", 3, (3,)), "the less sure call is none of its places"
    [only] = queries.callers(columns, "p.py::a")
    assert only.lines == (12, 14, 70_000)
    assert queries.callees(columns, "c", depth=2)[-1].lines == (12, 14, 70_000)
    assert json.loads(msgspec.json.encode(only)) == {
        "id": "p.py::c", "file_path": "p.py", "line": 12, "distance": 1, "confidence": 1.0, "how": "",
        "lines": [12, 14, 70_000],
    }  # fmt: skip


def test_an_edge_without_a_place_is_where_the_symbol_begins(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p.py::{n}", n, f"p.{n}", "method", "p.py", i, i, "") for i, n in enumerate("ab", 8))
    write_columns(tmp_path, Graph(nodes, (Edge("OVERRIDES", "p.py::a", "p.py::b"),)))
    [hit] = queries.impact(GraphColumns.open(tmp_path), "b")
    assert (hit.id, hit.how, hit.line, hit.lines) == ("p.py::a", "overrides", 8, (8,))


def test_depth_must_be_positive(columns: GraphColumns) -> None:
    with pytest.raises(UsageError):
        queries.callers(columns, "render", depth=0)


def test_impact_of_a_method(columns: GraphColumns) -> None:
    hits = queries.impact(columns, "Shop.open")
    assert [(h.id, h.distance, h.how) for h in hits] == [
        (f"{APP}::main", 1, "instance"),
        (f"{VIEWS}::Stall.open", 1, "super"),
        (f"{TESTS}::test_open", 1, "instance"),
        (f"{VIEWS}::render", 2, "parameter type"),
    ]


def test_impact_goes_ten_steps_where_no_depth_is_given(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p.py::f{i:02}", f"f{i:02}", f"p.f{i:02}", "function", "p.py", i, i, "") for i in range(13))
    edges = tuple(Edge("CALLS", f"p.py::f{i + 1:02}", f"p.py::f{i:02}", line=1, how="scope") for i in range(12))
    write_columns(tmp_path, Graph(nodes, edges))
    hits = queries.impact(GraphColumns.open(tmp_path), "f00")
    assert [(hit.id, hit.distance) for hit in hits] == [(f"p.py::f{i:02}", i) for i in range(1, 11)]


def test_impact_of_a_class_covers_what_is_in_it_and_its_subclasses(columns: GraphColumns) -> None:
    hits = {h.id: (h.distance, h.how) for h in queries.impact(columns, "Shop")}
    assert hits[f"{VIEWS}::Stall"] == (1, "extends")
    assert hits[f"{APP}::main"] == (1, "import")
    assert hits[f"{TESTS}::test_open"] == (1, "instance")
    assert f"{APP}::Shop.open" not in hits and f"{APP}::Shop" not in hits


def test_impact_of_a_file_covers_those_that_import_it(columns: GraphColumns) -> None:
    hits = {h.id: (h.file_path, h.line, h.how) for h in queries.impact(columns, APP)}
    assert hits[VIEWS] == (VIEWS, 1, "imports")
    assert hits[TESTS] == (TESTS, 2, "imports")
    assert not any(symbol.startswith(APP) for symbol in hits)


def test_show_tells_everything_around_a_symbol(columns: GraphColumns) -> None:
    shown = queries.show(columns, "Shop.open")
    assert (shown.label, shown.kind, shown.file_path, shown.start_line) == ("Function", "method", APP, 3)
    assert shown.container == f"{APP}::Shop"
    assert [hit.id for hit in shown.callees] == ["external:print"]
    assert len(shown.callers) == 3
    assert shown.overridden_by == (f"{VIEWS}::Stall.open",)
    assert shown.tests == (queries.Link(f"{TESTS}::test_open", "calls"),)
    assert shown.requirements == (queries.Link("REQ-1", "marker", 0.8, "# REQ-1"),)
    assert shown.memories == ("m-1",)


def test_show_of_a_class_and_of_a_requirement(columns: GraphColumns) -> None:
    shop = queries.show(columns, "Shop")
    assert shop.contains == (f"{APP}::Shop.close", f"{APP}::Shop.close#2", f"{APP}::Shop.open")
    assert shop.subclasses == (f"{VIEWS}::Stall",)
    assert [link.id for link in shop.designs] == ["docs/adr.md#opening"]
    requirement = queries.show(columns, "REQ-1")
    assert [link.id for link in requirement.designs] == ["docs/adr.md#opening"]
    assert requirement.callers == ()


def test_related_walks_both_ways_and_tells_where_the_edge_comes_from(columns: GraphColumns) -> None:
    found = queries.related(columns, "REQ-1", depth=2)
    assert [(r.entity_id, r.relationship, r.distance) for r in found][:2] == [
        (f"{APP}::Shop.open", "IMPLEMENTS_REQ", 1),
        ("docs/adr.md#opening", "SATISFIES", 1),
    ]
    assert found[0].evidence == "# REQ-1"
    assert (found[0].direction, found[0].confidence, found[0].how, found[0].lines) == ("INCOMING", 0.8, "marker", ())
    assert {r.distance for r in found} == {1, 2}


def test_related_keeps_to_types_direction_and_limit(columns: GraphColumns) -> None:
    calls = queries.related(columns, "Shop.open", ["calls"], "incoming")
    assert [r.entity_id for r in calls] == [f"{APP}::main", f"{VIEWS}::Stall.open", f"{TESTS}::test_open"]
    assert calls[0].evidence == f"{APP}:24 (instance)"
    assert (calls[0].direction, calls[0].confidence, calls[0].how) == ("INCOMING", 0.9, "instance")
    assert calls[0].lines == (24, 26)
    both = queries.related(columns, "Shop.open", ["CALLS"], "BOTH")
    assert [(r.entity_id, r.direction, r.lines) for r in both[:2]] == [
        ("external:print", "OUTGOING", (4,)),
        (f"{APP}::main", "INCOMING", (24, 26)),
    ]
    assert [r.entity_id for r in queries.related(columns, "Shop.open", ["CALLS"], "OUTGOING")] == ["external:print"]
    assert len(queries.related(columns, "Shop.open", limit=2, depth=3)) == 2
    with pytest.raises(UsageError, match="NOPE"):
        queries.related(columns, "Shop.open", ["NOPE"])
    with pytest.raises(UsageError, match="SIDEWAYS"):
        queries.related(columns, "Shop.open", direction="sideways")


FAMILIES = {"": "", "python": "python", "javascript": "javascript", "vue": "javascript", "java": "jvm", "kotlin": "jvm"}


@pytest.fixture(scope="module")
def unresolved(tmp_path_factory: pytest.TempPathFactory) -> GraphColumns:
    """Files of several languages with 1, 2, 4, … calls whose targets are unknown."""
    paths = {"a.py": "python", "b.py": "python", "c.js": "javascript", "d.vue": "vue", "e.java": "java"}
    nodes = [
        File(path, path, path, path, language, "", 9, "indexed", calls_unresolved=1 << number)
        for number, (path, language) in enumerate(paths.items())
    ]
    functions = [Function(f"{p}::f", "f", f"{p}.f", "function", p, 1, 2, language) for p, language in paths.items()]
    others = [
        External("external:os.join", "join", "os.join", "os"),
        Requirement("REQ-1", "R", "R", "R", "", "", "", "x.md", 1),
    ]
    edges = [
        Edge("CALLS", "a.py::f", "b.py::f", line=3),
        Edge("CALLS", "b.py::f", "external:os.join", line=4),
        Edge("IMPLEMENTS_REQ", "c.js::f", "REQ-1", how="marker"),
    ]
    folder = tmp_path_factory.mktemp("unresolved")
    graph = Graph(tuple(sorted([*nodes, *functions, *others], key=lambda node: node.id)), tuple(edges))
    write_columns(folder, graph, strict=True)
    return GraphColumns.open(folder)


# Verifies REQ-RES-011.
@pytest.mark.parametrize(
    ("symbol", "asked", "number"),
    [
        ("a.py::f", {"direction": "INCOMING"}, 0b00011),
        ("a.py::f", {"direction": "both"}, 0b00011),
        ("a.py::f", {"direction": "outgoing"}, 0b00001),
        ("a.py::f", {"direction": "OUTGOING", "depth": 2}, 0b00011),
        ("a.py::f", {"relationship_types": ["tests"]}, 0b00011),
        ("a.py::f", {"relationship_types": ["REFERENCES", "CONTAINS"]}, 0),
        ("d.vue::f", {"direction": "INCOMING"}, 0b01100),
        ("e.java::f", {}, 0b10000),
        ("e.java", {"direction": "OUTGOING"}, 0b10000),
        ("external:os.join", {"direction": "INCOMING"}, 0b11111),
        ("external:os.join", {"direction": "OUTGOING"}, 0),
        ("REQ-1", {}, 0),
        ("REQ-1", {"depth": 2}, 0b01100),
    ],
)
def test_calls_that_may_hide_a_row_are_counted(
    unresolved: GraphColumns, symbol: str, asked: dict[str, Any], number: int
) -> None:
    found = queries.related(unresolved, symbol, **asked)
    assert queries.unresolved_near(unresolved, symbol, found, FAMILIES.__getitem__, **asked) == number


def test_counts(columns: GraphColumns) -> None:
    counted = queries.counts(columns)
    assert counted.labels["Function"] == 7
    assert counted.relationships["CALLS"] == 7
    assert counted.languages == {"python": 3}
    assert counted.statuses == {"indexed": 2, "partial": 1}
