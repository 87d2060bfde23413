"""Rows of queries as tables, pictures and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest

from loregraph.graph.columns import GraphColumns
from loregraph.pages.links import Links
from loregraph.pages.result_graph import MOST_LINES, MOST_NODES, picture_of
from loregraph.pages.result_table import LONGEST_CELL, LONGEST_LIST, MOST_CELLS, cell_of, csv_of, table_of
from loregraph.project import Project


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[GraphColumns]:
    root = tmp_path_factory.mktemp("rows")
    body = "".join(f"def f{i}():\n    return f{i + 1}()\n\n\n" for i in range(MOST_NODES + 9))
    (root / "chain.py").write_text(body + "def last():\n    return f0()\n", encoding="utf-8")
    with Project(root) as opened:
        opened.index(embed=False, jobs=1)
        yield opened.reader().columns


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[GraphColumns]:
    """Twenty functions that all call one another."""
    root = tmp_path_factory.mktemp("dense")
    calls = "".join(f"    f{number}()\n" for number in range(20))
    (root / "dense.py").write_text("".join(f"def f{number}():\n{calls}\n\n" for number in range(20)), encoding="utf-8")
    with Project(root) as opened:
        opened.index(embed=False, jobs=1)
        yield opened.reader().columns


def node(name: str) -> dict[str, Any]:
    return {"label": "Function", "id": f"chain.py::{name}", "name": name}


def test_ids_and_nodes_lead_to_their_pages(graph: GraphColumns) -> None:
    links = Links()
    assert cell_of("chain.py::f1", graph, links).address == links.symbol("chain.py::f1")
    assert cell_of("chain.py", graph, links).address == links.file("chain.py")
    one = cell_of(node("f1"), graph, links)
    assert (one.kind, one.label, one.text, one.address) == (
        "node",
        "Function",
        "chain.py::f1",
        links.symbol("chain.py::f1"),
    )
    assert cell_of("no such id", graph, links).address == ""
    assert cell_of({"label": "Function", "id": "gone.py::f"}, graph, links).address == ""


def test_values_are_shown_by_their_kind(graph: GraphColumns) -> None:
    shown = [
        cell_of(value, graph, Links()) for value in (None, True, 1204, 0.5, {"rel": "CALLS", "line": 3, "how": ""})
    ]
    assert [(cell.kind, cell.text) for cell in shown] == [
        ("none", "–"),
        ("word", "true"),
        ("number", "1,204"),
        ("number", "0.5"),
        ("relationship", "line 3"),
    ]


def test_long_values_and_lists_are_cut_and_counted(graph: GraphColumns) -> None:
    long = cell_of("x" * 1_000_000, graph, Links())
    assert (len(long.text), long.cut) == (LONGEST_CELL, 1_000_000 - LONGEST_CELL)
    several = cell_of(list(range(1_000)), graph, Links())
    assert (len(several.parts), several.cut) == (LONGEST_LIST, 1_000 - LONGEST_LIST)
    path = cell_of({"nodes": [node("f1"), node("f2")], "rels": [{"rel": "CALLS"}]}, graph, Links())
    assert (path.kind, [part.text for part in path.parts]) == ("path", ["chain.py::f1", "chain.py::f2"])


def test_rows_beyond_the_bound_are_counted(graph: GraphColumns) -> None:
    rows = [{"a": number, "b": "x"} for number in range(MOST_CELLS)]
    table = table_of(["a", "b"], rows, graph, Links())
    assert (len(table.rows), table.left_out, table.numeric) == (MOST_CELLS // 2, MOST_CELLS // 2, (True, False))


def test_a_file_for_spreadsheets_runs_nothing() -> None:
    rows = [{"id": "=HYPERLINK(1)", "n": -3, "list": ["a", {"b": 1}]}, {"id": 'a "b", c', "n": None, "list": []}]
    assert list(csv.reader(io.StringIO(csv_of(["id", "n", "list"], rows)))) == [
        ["id", "n", "list"],
        ["'=HYPERLINK(1)", "-3", '["a",{"b":1}]'],
        ['a "b", c', "", "[]"],
    ]


def test_a_picture_has_the_nodes_of_the_rows_and_what_is_between_them(graph: GraphColumns) -> None:
    rows = [{"a": node("f1"), "b": "chain.py::f2"}, {"a": {"nodes": [node("f2"), node("f3")], "rels": []}, "b": "text"}]
    picture = picture_of("MATCH (a)-[:CALLS]->(b) RETURN a, b", rows, graph, Links())
    assert picture is not None
    assert [box.name for box in picture.boxes] == ["f1", "f2", "f3"]
    assert [(line.source, line.relationships, line.target) for line in picture.lines] == [
        ("chain.py::f1", "CALLS", "chain.py::f2"),
        ("chain.py::f2", "CALLS", "chain.py::f3"),
    ]
    tops = [box.y for box in picture.boxes]
    assert tops == sorted(tops)
    assert tops[0] < tops[2]
    assert all(box.x >= 0 and box.x + box.width <= picture.width for box in picture.boxes)


def test_where_the_statement_names_no_relationship_that_there_is_all_are_drawn(graph: GraphColumns) -> None:
    rows = [{"a": "chain.py", "b": "chain.py::f2"}]
    picture = picture_of("MATCH (a), (b) RETURN a.id, b.id", rows, graph, Links())
    assert picture is not None
    assert [line.relationships for line in picture.lines] == ["CONTAINS"]


def test_a_picture_is_bounded_and_says_so(graph: GraphColumns) -> None:
    rows = [{"id": f"chain.py::f{number}"} for number in range(MOST_NODES + 5)]
    picture = picture_of("MATCH (f) RETURN f.id AS id", rows, graph, Links())
    assert picture is not None
    assert (len(picture.boxes), picture.more_nodes) == (MOST_NODES, 5)
    assert picture_of("MATCH (f) RETURN f.id", rows, graph, Links()) == picture_of(
        "MATCH (f) RETURN f.id", rows, graph, Links()
    )


def test_nodes_from_which_on_there_would_be_too_many_lines_are_left_out(dense: GraphColumns) -> None:
    rows = [{"id": f"dense.py::f{number}"} for number in range(20)]
    picture = picture_of("MATCH (f)-[:CALLS]->(g) RETURN f.id", rows, dense, Links())
    assert picture is not None
    assert 2 < len(picture.boxes) < 20
    assert len(picture.boxes) + picture.more_nodes == 20
    assert len(picture.lines) == len(picture.boxes) * (len(picture.boxes) - 1)
    assert len(picture.lines) <= MOST_LINES


def test_rows_without_a_node_have_no_picture(graph: GraphColumns) -> None:
    assert picture_of("RETURN 1", [{"a": 1, "b": "text", "c": None}], graph, Links()) is None
