"""The state's facts → the graph: nodes from definitions, edges from resolution, components from the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from loregraph.graph.model import Edge, File, Graph, Node
from loregraph.graph.state import State
from loregraph.indexer.assemble import (
    FileEntry,
    assemble,
    calls_kept,
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
from loregraph.indexer.requirements.keywords import Hits
from loregraph.indexer.requirements.model import decode
from loregraph.indexer.resolution import Resolution, resolve
from loregraph.indexer.resolution.policies import family_of
from loregraph.indexer.untouched import keep
from loregraph.indexer.workers import inflate_facts

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns


class Built(Struct, frozen=True):
    """A graph; how many calls gave no edge, by the reason, in each family that was resolved; the ids of each file's
    definitions, in facts' order; what is wrong with requirements across files."""

    graph: Graph
    unresolved: dict[str, dict[str, int]]
    definitions: dict[str, list[str]]
    problems: tuple[PathProblem, ...] = ()
    cuts: dict[str, tuple[PathProblem, ...]] = {}
    """What bounds on resolution left out of account, in each family that was resolved."""


# Implements REQ-IDX-013.
def build_graph(
    entries: Sequence[FileEntry],
    state: State,
    layout: ProjectLayout,
    commits: Sequence[CommitLink] = (),
    before: GraphColumns | None = None,
    touched: frozenset[str] | None = None,
    keywords: Hits | None = None,
) -> Built:
    """The graph of every file in `state`; `commits` are lines that commits which name an id have left, `keywords` where
    the words stand that documents point to code by.

    `before` is the graph of the same files where only ones in the families `touched` have changed since, if there is
    such a graph: what it says of other families is taken over.
    """
    facts: dict[str, FileFacts] = {path: inflate_facts(blob) for path, blob in sorted(state.blobs("facts")) if blob}
    kept = None if before is None or touched is None else keep(before, facts, touched)
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
    families = kept.families if kept is not None else ()
    resolution = resolve({p: f for p, f in facts.items() if family_of(f.language) not in families}, layout)
    nodes = [_with_calls(node, resolution, before) if isinstance(node, File) else node for node in nodes]
    unresolved: dict[str, Counter[str]] = {}
    for path in sorted(resolution.files):
        result = resolution.files[path]
        edges += result.edges
        unresolved.setdefault(family_of(facts[path].language), Counter()).update(result.unresolved)
    outside = {external.id: external for external in resolution.externals}
    if kept is not None:
        edges += kept.edges
        outside.update((external.id, external) for external in kept.externals)
    packages = {external.id: external.package for external in outside.values()}
    depends = dependency_edges(layout, (e for e in edges if e.rel == "IMPORTS"), packages)
    documents = {path: decode(blob) for path, blob in sorted(state.blobs("requirements")) if blob}
    joined = join(documents, facts, [*layout.components, *nodes], layout.component_of, commits, keywords)
    nodes = [_with_orphans(node, joined) for node in nodes] if joined.orphans else nodes
    edges += joined.edges
    graph = assemble(
        layout.components,
        [*nodes, *joined.nodes],
        edges + depends,
        [*(external for _, external in sorted(outside.items())), *package_nodes(depends)],
    )
    ids = {path: [f"{path}::{d.qualname}" for d in f.definitions] for path, f in facts.items()}
    cuts = {
        family: tuple(p for p in resolution.problems if family_of(facts[p.path].language) == family)
        for family in unresolved
    }
    return Built(graph, {family: dict(own) for family, own in unresolved.items()}, ids, joined.problems, cuts)


def _with_calls(node: File, resolution: Resolution, before: GraphColumns | None) -> File:
    """The node of a file with what became of its calls; what `before` says of it where it was not resolved anew."""
    own = resolution.files.get(node.id)
    if own is not None:
        unresolved = sum(own.unresolved.values())
        return structs.replace(
            node, calls_resolved=own.resolved, calls_external=own.external, calls_unresolved=unresolved
        )
    number = before.find_id(node.id) if before is not None else None
    return calls_kept(node, before, number) if before is not None and number is not None else node


def _with_orphans(node: Node, joined: Joined) -> Node:
    if isinstance(node, File) and node.id in joined.orphans:
        return structs.replace(node, orphan_markers=joined.orphans[node.id])
    return node
