"""The engine holds exactly what the columns hold, whatever texts are made of and wherever the store lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loregraph.graph import csv_tables, store
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge, Function, Graph

TEXTS = st.text(st.sampled_from(list("\"',\\\n\r[]{}()|;: \t\x00\x01\x1d\x1e\x1f0aé\u202e\U0001f600")), max_size=8)
QUOTES = ('"', '""', "\\", "\\N", "\\n", "NULL", "", " ", "\r\n", "[a,b]", "{a: 1}")
HOSTILE = (*QUOTES, "\x00", "a\x00b", "\x1f0\x1e", "\x1d0\x1e", "x" * 100_000)


def function(number: int, text: str, items: tuple[str, ...]) -> Function:
    return Function(
        id=f"a.py::f{number:03}", name=f"f{number:03}", qualified_name=f"a.f{number:03}", file_path="a.py",
        start_line=1, end_line=2,
        language="python", signature=text, docstring=text, kind="function", decorators=items, parameters=items,
        complexity=number,
    )  # fmt: skip


def graph(texts: list[str], lists: list[tuple[str, ...]]) -> Graph:
    nodes = [function(number, text, items) for number, (text, items) in enumerate(zip(texts, lists, strict=True))]
    edges = [
        Edge("CALLS", node.id, nodes[0].id, 7, 3, 1 / 3, "self", more_lines=(9, 70_000) if node.complexity % 2 else ())
        for node in nodes[1:]
    ]
    return Graph(nodes, edges)


def rows(folder: Path) -> list[list[object]]:
    with store.open_read(folder) as connection:
        asked = "MATCH (f:Function) RETURN f.signature, f.decorators, f.parameters, f.complexity ORDER BY f.id"
        return connection.execute(asked).rows


# Verifies REQ-STO-001.
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=3).map(tuple)), min_size=1, max_size=40))
def test_texts_and_lists_come_back_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, tuple[str, ...]]]
) -> None:
    drawn += [(text, (text, "b", text)) for text in HOSTILE]
    drawn = drawn[:90]
    folder = tmp_path_factory.mktemp("store")
    store.write_generation(folder, graph([text for text, _ in drawn], [items for _, items in drawn]))
    assert rows(folder) == [[text, list(items), list(items), number] for number, (text, items) in enumerate(drawn)]


def test_more_rows_than_are_written_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_tables, "_ROWS", 7)
    store.write_generation(tmp_path, graph([str(n) for n in range(50)], [()] * 50))
    with store.open_read(tmp_path) as connection:
        assert connection.execute("MATCH (f:Function) RETURN count(*), sum(f.complexity)").rows == [[50, 1225]]
        found = "MATCH (:Function {id: $id})-[c:CALLS]->(g) RETURN g.id, c.line, c.lines, c.count, c.confidence, c.how"
        [several], [one] = (connection.execute(found, {"id": f"a.py::f00{number}"}).rows for number in (7, 8))
    assert several == ["a.py::f000", 7, [7, 9, 70_000], 3, 1 / 3, "self"]
    assert one == ["a.py::f000", 7, [7], 3, 1 / 3, "self"]


@pytest.mark.parametrize("name", ["a[b]c", "it's", "sto*re", "a b?", "dollar$x", 'quo"te', "back\\slash", "ümläut"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    store.write_generation(folder, graph(["one"], [("a",)]))
    assert rows(folder) == [["one", ["a"], ["a"], 0]]


def test_a_separator_is_in_no_item(tmp_path: Path) -> None:
    store.write_generation(tmp_path, graph(["a"], [("\x1f0\x1e", "\x1f1\x1e")]))
    [field] = [
        field
        for table in csv_tables.tables(GraphColumns.open(tmp_path))
        for field in table.fields
        if field.name == "decorators"
    ]
    assert field.separator == b"\x1f2\x1e"
