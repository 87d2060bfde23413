"""Authored content in the graph: memories and accepted links to requirements are merged into a generation without
extraction or resolution.

A new generation is the current one with these replaced. Node numbers follow the order of ids, so those of code shift;
the lexical index and the vectors are renumbered, not rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from loregraph import rooted
from loregraph.graph.groups import unnumbered
from loregraph.graph.model import ACCEPTED, MENTION, MENTION_CONFIDENCE, RELATIONSHIPS, Edge, Graph, Memory, Node

if TYPE_CHECKING:
    from loregraph.graph.store import EngineIdentity

AUTHORED_RELS: Final = frozenset({"ABOUT", "RELATES_TO", "SUPERSEDES"})
_MENTIONED: Final = "; mentioned at "
"""Relationships that start at a memory."""


class Authored(Struct, frozen=True):
    """Memories with their edges, accepted links, and the number of bytes read of each journal, by the journal's
    name."""

    nodes: Sequence[Memory] = ()
    edges: Sequence[Edge] = ()
    offsets: Mapping[str, int] = {}


class Remembered(Struct, frozen=True):
    """A memory in short. `stale`: the code it is about has changed since."""

    memory_id: str
    memory_type: str
    content: str
    stale: bool


def add_authored(graph: Graph, authored: Authored) -> Graph:
    """`graph` with the memories, and those of the edges that have both ends and are allowed by the model.

    An existing edge stays as it is: a declaration in code needs no acceptance. A mention, which declares nothing, is
    replaced.
    """
    if not authored.nodes and not authored.edges:
        return graph
    nodes: dict[str, Node] = {node.id: node for node in graph.nodes}
    for node in authored.nodes:
        nodes.setdefault(node.id, node)
    edges = {(edge.rel, edge.source, edge.target): edge for edge in graph.edges}
    for edge in _to_all_definitions(authored.edges, nodes):
        source, target = nodes.get(edge.source), nodes.get(edge.target)
        if (type(source).__name__, type(target).__name__) in RELATIONSHIPS[edge.rel]:
            key = (edge.rel, edge.source, edge.target)
            before = edges.setdefault(key, edge)
            if before.how == MENTION and is_authored(edge):
                # Kept with it, so that withdrawing the acceptance restores the mention.
                edges[key] = replace(edge, evidence=f"{edge.evidence}{_MENTIONED}{before.evidence}")
    return Graph(tuple(n for _, n in sorted(nodes.items())), tuple(e for _, e in sorted(edges.items())))


def _to_all_definitions(edges: Sequence[Edge], ids: Iterable[str]) -> Iterator[Edge]:
    """`edges`, where one about a symbol with several definitions (`#2`…) becomes one edge to each of them."""
    further: dict[str, list[str]] = {}
    for identity in ids:
        if "#" in identity and (base := unnumbered(identity)) != identity:
            further.setdefault(base, []).append(identity)
    for edge in edges:
        yield edge
        for identity in further.get(edge.target, ()) if edge.rel == "ABOUT" else ():
            yield replace(edge, target=identity)


def is_authored(edge: Edge) -> bool:
    """Whether an edge comes from a journal."""
    return edge.rel in AUTHORED_RELS or (edge.rel == "IMPLEMENTS_REQ" and edge.how == ACCEPTED)


def mention_in(evidence: str) -> str:
    """The evidence of the mention that an accepted edge replaces; "" where there is none."""
    return evidence.partition(_MENTIONED)[2]


def _without_authored(edges: Iterable[Edge]) -> Iterator[Edge]:
    for edge in edges:
        if not is_authored(edge):
            yield edge
        elif edge.rel == "IMPLEMENTS_REQ" and (mention := mention_in(edge.evidence)):
            yield replace(edge, how=MENTION, confidence=MENTION_CONFIDENCE, evidence=mention)


def with_authored(folder: Path, building: Path, authored: Authored) -> EngineIdentity:
    """Writes the generation in `folder` to `building`, with `authored` in place of its memories and accepted links.

    Raises StoreError as `engine_build.build` does.
    """
    from loregraph.graph import engine_build

    write_arrays(folder, building, authored)
    return engine_build.build(building)


def write_arrays(folder: Path, building: Path, authored: Authored) -> None:
    """As `with_authored`, without the engine's file."""
    # An index run without changes imports this module but needs none of these.
    import numpy as np

    from loregraph.graph import constants, lexical_writer, store, vector_index
    from loregraph.graph.columns import GraphColumns

    columns = GraphColumns.open(folder)
    nodes = tuple(node for node in columns.all_nodes() if not isinstance(node, Memory))
    graph = add_authored(Graph(nodes, tuple(_without_authored(columns.all_edges()))), authored)
    store.write_generation(building, graph, engine=False)
    now = {node.id: number for number, node in enumerate(graph.nodes)}
    numbers = np.array([now.get(identity, -1) for identity in columns.all_ids()], dtype=np.int64)
    count = len(graph.nodes)
    del nodes, graph, now, columns  # what follows takes as much again
    if rooted.is_file(folder, constants.CONSTANTS_FILE):  # stored per file, by path
        rooted.copy(folder, constants.CONSTANTS_FILE, building, constants.CONSTANTS_FILE)
    lexical_writer.renumber(folder, building, numbers, count)
    if (folder / vector_index.VECTORS_FILE).exists():
        vector_index.renumber(folder, building, numbers)
