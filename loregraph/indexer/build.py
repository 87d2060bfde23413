"""The state's facts → the graph: nodes from definitions, edges from resolution, components from the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, structs

from loregraph.graph.model import Edge, File, Graph, Node
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
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.requirements.joining import CommitLink, Joined, join
from loregraph.indexer.requirements.model import decode
from loregraph.indexer.resolution import resolve
from loregraph.indexer.workers import inflate_facts


class Built(Struct, frozen=True):
    """A graph; how many calls gave no edge, by the reason; the ids of each file's definitions, in facts' order; what is
    wrong with requirements across files."""

    graph: Graph
    unresolved: dict[str, int]
    definitions: dict[str, list[str]]
    problems: tuple[PathProblem, ...] = ()


# Implements REQ-IDX-013.
def build_graph(
    entries: Sequence[FileEntry], state: State, layout: ProjectLayout, commits: Sequence[CommitLink] = ()
) -> Built:
    """The graph of every file in `state`; `commits` are lines that commits which name an id have left."""
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
    documents = {path: decode(blob) for path, blob in sorted(state.blobs("requirements")) if blob}
    joined = join(documents, facts, [*layout.components, *nodes], layout.component_of, commits)
    nodes = [_with_orphans(node, joined) for node in nodes] if joined.orphans else nodes
    edges += joined.edges
    graph = assemble(
        layout.components,
        [*nodes, *joined.nodes],
        edges + depends,
        [*resolution.externals, *package_nodes(depends)],
    )
    ids = {path: [f"{path}::{d.qualname}" for d in f.definitions] for path, f in facts.items()}
    return Built(graph, dict(unresolved), ids, joined.problems)


def _with_orphans(node: Node, joined: Joined) -> Node:
    if isinstance(node, File) and node.id in joined.orphans:
        return structs.replace(node, orphan_markers=joined.orphans[node.id])
    return node
