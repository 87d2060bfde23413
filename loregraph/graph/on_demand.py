"""Adds what is computed on demand to a generation: SIMILAR_TO edges (copies of functions), and what git's history says
of the code (CO_CHANGES edges, `commits` and `authors`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.graph import constants, engine_build, lexical, store, vector_index
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge, File, Function, Graph

SIMILAR_TO: Final = "SIMILAR_TO"
CO_CHANGES: Final = "CO_CHANGES"


def with_similar(folder: Path, building: Path, edges: Iterable[Edge]) -> store.EngineIdentity:
    """Writes the generation in `folder` to `building`, with `edges` as its SIMILAR_TO edges.

    Raises StoreError as `engine_build.build` does.
    """
    columns = GraphColumns.open(folder)
    _write(folder, building, Graph(tuple(columns.all_nodes()), _instead(columns, SIMILAR_TO, edges)))
    del columns  # loading the engine's file takes as long again
    return engine_build.build(building)


class Worked(msgspec.Struct, frozen=True):
    """Who worked on a file or function: see `model.Function`."""

    commits: int
    authors: tuple[str, ...]


NOBODY: Final = Worked(0, ())


def with_history(
    folder: Path, building: Path, edges: Iterable[Edge], worked: Mapping[str, Worked]
) -> store.EngineIdentity:
    """Writes the generation in `folder` to `building`, with `edges` as its CO_CHANGES edges, and `worked` on the files
    and functions with these ids.

    Raises StoreError as `engine_build.build` does.
    """
    columns = GraphColumns.open(folder)
    nodes = tuple(
        _worked_on(node, worked.get(node.id, NOBODY)) if isinstance(node, File | Function) else node
        for node in columns.all_nodes()
    )
    _write(folder, building, Graph(nodes, _instead(columns, CO_CHANGES, edges)))
    del columns, nodes
    return engine_build.build(building)


def _worked_on(node: File | Function, worked: Worked) -> File | Function:
    if (node.commits, node.authors) == (worked.commits, worked.authors):
        return node
    return msgspec.structs.replace(node, commits=worked.commits, authors=worked.authors)


def _instead(columns: GraphColumns, rel: str, edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """All edges, with `edges` instead of those of the relationship `rel`."""
    return tuple(sorted([*(edge for edge in columns.all_edges() if edge.rel != rel), *edges], key=_key))


def _write(folder: Path, building: Path, graph: Graph) -> None:
    store.write_generation(building, graph, engine=False)
    for name in (lexical.LEXICAL_FILE, constants.CONSTANTS_FILE, vector_index.VECTORS_FILE):
        if rooted.is_file(folder, name):  # nodes keep their numbers
            rooted.copy(folder, name, building, name)


def _key(edge: Edge) -> tuple[str, str, str]:
    return edge.rel, edge.source, edge.target
