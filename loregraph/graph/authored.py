"""What people wrote, in the graph: memories join a generation without anything being extracted or resolved again.

A new generation is the current one with its memories replaced. Node numbers follow the order of ids, so those of code
shift; the word index and the vectors are renumbered, not made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from loregraph.graph import lexical, store, vector_index
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge, Graph, Memory, Node

AUTHORED_RELS: Final = frozenset({"ABOUT", "RELATES_TO", "SUPERSEDES"})
"""Relationships that start at a memory."""


class Authored(Struct, frozen=True):
    """Memories with their edges, and how many bytes of each journal they are, by the journal's name."""

    nodes: Sequence[Memory] = ()
    edges: Sequence[Edge] = ()
    offsets: Mapping[str, int] = {}


def add_authored(graph: Graph, authored: Authored) -> Graph:
    """`graph` with the memories, and those of their edges whose ends are there."""
    if not authored.nodes:
        return graph
    nodes: dict[str, Node] = {node.id: node for node in graph.nodes}
    for node in authored.nodes:
        nodes.setdefault(node.id, node)
    edges = {(edge.rel, edge.source, edge.target): edge for edge in graph.edges}
    for edge in authored.edges:
        if edge.source in nodes and edge.target in nodes:
            edges.setdefault((edge.rel, edge.source, edge.target), edge)
    return Graph(tuple(n for _, n in sorted(nodes.items())), tuple(e for _, e in sorted(edges.items())))


def with_authored(folder: Path, building: Path, authored: Authored) -> store.EngineIdentity:
    """Writes into `building` the generation in `folder` with `authored` in place of its memories."""
    columns = GraphColumns.open(folder)
    kept = [node for node in columns.all_nodes() if not isinstance(node, Memory)]
    graph = add_authored(
        Graph(tuple(kept), tuple(edge for edge in columns.all_edges() if edge.rel not in AUTHORED_RELS)), authored
    )
    written = store.write_generation(building, graph)
    now = {node.id: number for number, node in enumerate(graph.nodes)}
    numbers = np.array([now.get(identity, -1) for identity in columns.all_ids()], dtype=np.int64)
    lexical.renumber(folder, building, numbers, len(graph.nodes))
    if (folder / vector_index.VECTORS_FILE).exists():
        vector_index.renumber(folder, building, numbers)
    return written.engine
