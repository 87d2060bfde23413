"""`export`."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run


# Verifies REQ-CLI-010.
def test_jsonl_has_every_node_and_then_every_edge(run: Run, indexed: Path) -> None:
    rows = [json.loads(line) for line in run("--root", indexed, "export").out.splitlines()]
    kinds = [row["type"] for row in rows]
    assert kinds == ["node"] * kinds.count("node") + ["edge"] * kinds.count("edge")
    nodes = {row["id"]: row for row in rows if row["type"] == "node"}
    edges = [row for row in rows if row["type"] == "edge"]
    assert len(nodes) == kinds.count("node")
    assert all({"label", "id", "name", "qualified_name"} <= set(row) for row in nodes.values())
    assert all({"rel", "from", "to", "line", "confidence", "how"} <= set(row) for row in edges)
    assert all(edge["from"] in nodes and edge["to"] in nodes for edge in edges)
    checkout = nodes["shop/cart.py::checkout"]
    assert (checkout["label"], checkout["file_path"], checkout["start_line"]) == ("Function", "shop/cart.py", 17)
    assert ("CALLS", "shop/jobs.py::run", "shop/cart.py::checkout") in {(e["rel"], e["from"], e["to"]) for e in edges}


def test_the_same_graph_is_written_the_same(run: Run, indexed: Path) -> None:
    assert run("--root", indexed, "export").out == run("--root", indexed, "export").out


# Verifies REQ-CLI-010.
def test_graphml_can_be_read_back(run: Run, indexed: Path, tmp_path: Path) -> None:
    import networkx

    file = tmp_path / "graph.graphml"
    result = run("--root", indexed, "export", "--format", "graphml", "--output", file)
    assert (result.code, result.out) == (0, "")
    graph = networkx.read_graphml(file)
    rows = [json.loads(line) for line in run("--root", indexed, "export").out.splitlines()]
    assert set(graph.nodes) == {row["id"] for row in rows if row["type"] == "node"}
    assert graph.number_of_edges() == sum(row["type"] == "edge" for row in rows)
    assert graph.nodes["shop/cart.py::Cart"]["label"] == "Class"
