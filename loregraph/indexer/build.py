"""The state's facts → the graph: nodes from definitions, edges from resolution, components from the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from loregraph.graph.model import Edge, Graph, Node
from loregraph.graph.state import State
from loregraph.indexer.assemble import (
    FileEntry,
    assemble,
    component_edges,
    dependency_edges,
    file_node,
    file_nodes,
    package_nodes,
)
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.layout import ProjectLayout
from loregraph.indexer.resolution import resolve
from loregraph.indexer.workers import inflate_facts


class Built(Struct, frozen=True):
    """A graph; how many calls gave no edge, by the reason; the ids of each file's definitions, in facts' order."""

    graph: Graph
    unresolved: dict[str, int]
    definitions: dict[str, list[str]]


def build_graph(entries: Sequence[FileEntry], state: State, layout: ProjectLayout) -> Built:
    """The graph of every file in `state`."""
    facts: dict[str, FileFacts] = {path: inflate_facts(blob) for path, blob in sorted(state.blobs("facts")) if blob}
    layout = layout.with_packages({path: f.package for path, f in facts.items() if f.package})
    nodes: list[Node] = []
    edges: list[Edge] = []
    for entry in entries:
        found = facts.get(entry.path)
        module = layout.module_name(entry.path, found.package if found else "", entry.language)
        nodes.append(file_node(entry, module))
        if found is not None:
            inner, contained = file_nodes(found, module)
            nodes += inner
            edges += contained
    edges += component_edges(layout, [entry.path for entry in entries])
    resolution = resolve(facts, layout)
    unresolved: Counter[str] = Counter()
    for path in sorted(resolution.files):
        result = resolution.files[path]
        edges += result.edges
        unresolved.update(result.unresolved)
    packages = {external.id: external.package for external in resolution.externals}
    depends = dependency_edges(layout, (e for e in edges if e.rel == "IMPORTS"), packages)
    graph = assemble(layout.components, nodes, edges + depends, [*resolution.externals, *package_nodes(depends)])
    ids = {path: [f"{path}::{d.qualname}" for d in f.definitions] for path, f in facts.items()}
    return Built(graph, dict(unresolved), ids)
