"""What is around the code that a memory is about."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Edge, Function, Graph
from loregraph.memory.anchors import hops_from


def test_three_edges_in_either_direction_are_near(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p.py::f{i}", f"f{i}", f"p.f{i}", "function", "p.py", i, i, "") for i in range(10))
    edges = tuple(Edge("CALLS", f"p.py::f{i}", f"p.py::f{i + 1}", line=1, how="scope") for i in range(9))
    write_columns(tmp_path, Graph(nodes, edges))
    found = hops_from(["p.py::f4", "p.py::gone"], GraphColumns.open(tmp_path))
    assert found == {f"p.py::f{i}": abs(i - 4) for i in range(1, 8)}
    assert hops_from(["p.py::f4"], None) == {}
