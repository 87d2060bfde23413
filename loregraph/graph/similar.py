"""Adds SIMILAR_TO edges (copies of functions) to a generation, on demand rather than by indexing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from loregraph import rooted
from loregraph.graph import constants, engine_build, lexical, store, vector_index
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge, Graph

SIMILAR_TO: Final = "SIMILAR_TO"


def with_similar(folder: Path, building: Path, edges: Iterable[Edge]) -> store.EngineIdentity:
    """Writes the generation in `folder` to `building`, with `edges` as its SIMILAR_TO edges.

    Raises StoreError as `engine_build.build` does.
    """
    columns = GraphColumns.open(folder)
    kept = [edge for edge in columns.all_edges() if edge.rel != SIMILAR_TO]
    graph = Graph(tuple(columns.all_nodes()), tuple(sorted([*kept, *edges], key=_key)))
    store.write_generation(building, graph, engine=False)
    del columns, kept, graph  # loading the engine's file takes as long again
    for name in (lexical.LEXICAL_FILE, constants.CONSTANTS_FILE, vector_index.VECTORS_FILE):
        if rooted.is_file(folder, name):  # nodes keep their numbers
            rooted.copy(folder, name, building, name)
    return engine_build.build(building)


def _key(edge: Edge) -> tuple[str, str, str]:
    return edge.rel, edge.source, edge.target
