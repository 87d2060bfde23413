"""Joining columns gives the bytes of writing the graph of all, with prefixes before ids and paths."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.columns_writer import COLUMNS_FILE
from loregraph.graph.joined_columns import by_prefix, join_columns
from loregraph.graph.model import RELATIONSHIPS, Edge, Graph, Node, Requirement

from .test_columns_splice import graph_of, some_edges, some_node


def prefixed_node(prefix: str, node: Node) -> Node:
    fields: dict[str, Any] = {"id": prefix + node.id}
    for name in ("path", "file_path"):
        if getattr(node, name, ""):
            fields[name] = prefix + getattr(node, name)
    if isinstance(node, Requirement):
        fields["parents"] = tuple(prefix + parent for parent in node.parents)
    return msgspec.structs.replace(node, **fields)


def prefixed_edge(prefix: str, edge: Edge) -> Edge:
    return msgspec.structs.replace(edge, source=prefix + edge.source, target=prefix + edge.target)


def some_graph(chance: random.Random) -> Graph:
    everything = [some_node(chance, number) for number in range(chance.choice((0, 3, 40)))]
    everything.append(Requirement("REQ-9", "REQ-9", "REQ-9", "T", "x", "", "", "docs/req.md", 1, ("REQ-1", "REQ-2")))
    nodes = {node.id: node for node in everything}
    return graph_of(nodes, some_edges(chance, list(nodes.values()), 80))


def between(chance: random.Random, graphs: dict[str, Graph]) -> list[Edge]:
    """Edges from nodes of one graph to those of another."""
    found = {}
    for _ in range(40):
        one, other = chance.sample(sorted(graphs), 2)
        source, target = chance.choice(graphs[one].nodes), chance.choice(graphs[other].nodes)
        pair = (type(source).__name__, type(target).__name__)
        for rel in sorted(rel for rel, pairs in RELATIONSHIPS.items() if pair in pairs):
            edge = Edge(rel, f"{one}:{source.id}", f"{other}:{target.id}", chance.randrange(1, 9), how="dependency")
            found[rel, edge.source, edge.target] = edge
    return [found[key] for key in sorted(found)]


# Verifies REQ-WSP-002.
@pytest.mark.parametrize("seed", range(25))
def test_joining_gives_the_bytes_of_the_whole_graph(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    graphs = {name: some_graph(chance) for name in by_prefix(("web", "web-2", "w.api", "web.b")[: seed % 4 + 1])}
    members = {}
    for name, graph in graphs.items():
        (tmp_path / name).mkdir()
        write_columns(tmp_path / name, graph, strict=True)
        members[name] = GraphColumns.open(tmp_path / name)
    gone = {name: chance.sample(range(one.edge_count), one.edge_count // 4) for name, one in members.items()}
    edges = between(chance, graphs) if len(graphs) > 1 else []
    kept = [
        prefixed_edge(f"{name}:", edge)
        for name, columns in members.items()
        for number, edge in enumerate(columns.all_edges())
        if number not in gone[name]
    ]
    nodes = [prefixed_node(f"{name}:", node) for name, graph in graphs.items() for node in graph.nodes]
    (tmp_path / "all").mkdir()
    write_columns(tmp_path / "all", Graph(tuple(nodes), tuple(kept + edges)), strict=True)
    (tmp_path / "joined").mkdir()
    join_columns(tmp_path / "joined", members, edges, gone)
    assert (tmp_path / "joined" / COLUMNS_FILE).read_bytes() == (tmp_path / "all" / COLUMNS_FILE).read_bytes()
    assert sorted(path.name for path in (tmp_path / "joined").iterdir()) == [COLUMNS_FILE, "lease"]
