"""Everything in a graph is somewhere: each symbol is contained once, on a path that leads up to the root component."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from loregraph.config import load_settings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import Class, Edge, File, Function, Node
from loregraph.indexer.pipeline import index

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Node], list[Edge]]:
    store = tmp_path_factory.mktemp("store") / "store"
    index(FIXTURES, load_settings(FIXTURES, store=str(store)), jobs=1, embed=False)
    with StoreFolder(store).lease() as lease:
        columns = GraphColumns(lease.path)
        return list(columns.all_nodes()), list(columns.all_edges())


def test_each_symbol_and_file_of_the_fixtures_is_contained_exactly_once(graph: tuple[list[Node], list[Edge]]) -> None:
    nodes, edges = graph
    times = Counter(edge.target for edge in edges if edge.rel == "CONTAINS")
    found = {node.id: times[node.id] for node in nodes if isinstance(node, Class | Function | File)}
    assert len(found) > 100
    assert {identity: n for identity, n in found.items() if n != 1} == {}


# Verifies REQ-GRA-003.
def test_a_method_outside_its_type_is_contained_in_the_type(graph: tuple[list[Node], list[Edge]]) -> None:
    nodes, edges = graph
    kinds = {node.id: node for node in nodes}
    inside = {
        kinds[edge.source].language  # type: ignore[union-attr]
        for edge in edges
        if edge.rel == "CONTAINS"
        and isinstance(kinds[edge.source], Class)
        and isinstance(kinds[edge.target], Function)
        and kinds[edge.target].end_line > kinds[edge.source].end_line  # type: ignore[union-attr]
    }
    assert {"go", "rust", "cpp"} <= inside
