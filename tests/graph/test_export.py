from __future__ import annotations

import json
from pathlib import Path

import networkx

from loregraph.graph import export
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import External, Graph


def test_rows_have_the_form_of_the_contract(columns: GraphColumns) -> None:
    rows = [json.loads(json.dumps(row)) for row in export.rows(columns)]
    kinds = [row["type"] for row in rows]
    assert kinds == sorted(kinds, reverse=True), "nodes come first"
    by_id = {row["id"]: row for row in rows if row["type"] == "node"}
    opens = by_id["src/shop/app.py::Shop.open"]
    assert list(opens)[:8] == [
        "type", "label", "id", "name", "qualified_name", "file_path", "start_line", "end_line",
    ]  # fmt: skip
    assert opens["file_path"] == "src/shop/app.py"
    assert by_id["REQ-1"]["start_line"] == 5
    assert by_id["src/shop/views.py"]["problems"] == ["line 3: odd", "line 9: Grüße"]
    edges = [row for row in rows if row["type"] == "edge"]
    call = next(row for row in edges if row["rel"] == "CALLS" and row["line"] == 24)
    assert call == {
        "type": "edge", "rel": "CALLS", "from": "src/shop/app.py::main", "to": "src/shop/app.py::Shop.open",
        "line": 24, "confidence": 0.9, "how": "instance", "count": 2, "lines": [24, 26], "unseen": 0,
    }  # fmt: skip
    assert {tuple(row["lines"]) for row in edges if row["rel"] == "CALLS"} == {
        (23,),
        (24, 26),
        (4,),
        (13,),
        (14,),
        (5,),
    }
    assert not any("lines" in row for row in edges if row["rel"] != "CALLS")
    assert next(row for row in edges if row["rel"] == "SUPERSEDES")["relation_type"] == "newer"


def test_networkx_has_every_node_and_edge(columns: GraphColumns) -> None:
    graph = export.to_networkx(columns)
    assert graph.number_of_nodes() == columns.node_count
    guesses = len(columns.edges("CO_CHANGES"))
    assert guesses and graph.number_of_edges() == columns.edge_count - guesses
    assert "commits" not in graph.nodes["src/shop/app.py::main"]
    assert graph.nodes["src/shop/app.py::Shop"]["label"] == "Class"
    assert graph.edges["src/shop/app.py::main", "src/shop/app.py::Shop.open", "CALLS"]["line"] == 24


def test_graphml_can_be_read_again(columns: GraphColumns, tmp_path: Path) -> None:
    export.write_graphml(columns, tmp_path / "graph.graphml")
    graph = networkx.read_graphml(tmp_path / "graph.graphml", force_multigraph=True)
    assert set(graph) == {node.id for node in columns.all_nodes()}
    assert graph.nodes["src/shop/app.py::Shop.close"]["decorators"] == "final,cache"
    assert graph.nodes["src/shop/app.py::Shop.open"]["docstring"] == "Öffnet – “auf”."
    assert graph.edges["src/shop/app.py::main", "src/shop/app.py::Shop.open", "CALLS"]["lines"] == "24,26"


def test_graphml_leaves_out_characters_that_xml_forbids(tmp_path: Path) -> None:
    write_columns(tmp_path, Graph((External("e", "bell\x07\tend\x00\ufffe", "q", ""),), ()))
    export.write_graphml(GraphColumns.open(tmp_path), tmp_path / "graph.graphml")
    assert networkx.read_graphml(tmp_path / "graph.graphml").nodes["e"]["name"] == "bell\tend"
