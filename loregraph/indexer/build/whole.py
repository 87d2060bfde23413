"""Builds the graph from the stored facts: nodes from definitions, edges from resolution, components from the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from loregraph.graph.imported import executions, with_execution
from loregraph.graph.model import Edge, File, Graph, Node
from loregraph.graph.state import State
from loregraph.indexer.build.assemble import (
    FileEntry,
    assemble,
    calls_kept,
    component_edges,
    file_node,
    file_nodes,
)
from loregraph.indexer.build.edits import definition_ids
from loregraph.indexer.build.endpoint_graph import endpoints_of
from loregraph.indexer.build.kept_resolution import KeptFile, keep_resolution
from loregraph.indexer.build.untouched import Kept, keep
from loregraph.indexer.build.workers import inflate_facts
from loregraph.indexer.discover.layout import ProjectLayout
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.requirements.joining import CommitLink, Joined, join
from loregraph.indexer.requirements.keywords import Hits
from loregraph.indexer.requirements.model import decode
from loregraph.indexer.resolve import Resolution, resolve
from loregraph.indexer.resolve.policies import family_of

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns


class Resolved(Struct, frozen=True):
    """The facts of all files, the layout with their packages, the edges of resolved families and those copied for the
    others."""

    facts: dict[str, FileFacts]
    layout: ProjectLayout
    resolution: Resolution
    kept: Kept | None = None

    def unresolved(self) -> dict[str, dict[str, int]]:
        """The number of calls without an edge by reason, for each resolved family."""
        found: dict[str, Counter[str]] = {}
        for path, own in sorted(self.resolution.files.items()):
            found.setdefault(family_of(self.facts[path].language), Counter()).update(own.unresolved)
        return {family: dict(own) for family, own in found.items()}

    def cuts(self) -> dict[str, tuple[PathProblem, ...]]:
        """What limits on resolution left out, for each resolved family."""
        problems, languages = self.resolution.problems, {path: own.language for path, own in self.facts.items()}
        families = {family_of(languages[path]) for path in self.resolution.files}
        return {
            family: tuple(p for p in problems if family_of(languages[p.path]) == family) for family in sorted(families)
        }


class Built(Struct, frozen=True):
    """A graph; for each resolved family the number of calls without an edge by reason; the ids of each file's
    definitions, in facts' order; problems of requirements across files; what to store of the files' resolution, None
    where nothing can be."""

    graph: Graph
    unresolved: dict[str, dict[str, int]]
    definitions: dict[str, tuple[str, ...]]
    problems: tuple[PathProblem, ...] = ()
    cuts: dict[str, tuple[PathProblem, ...]] = {}
    """What limits on resolution left out, for each resolved family."""
    resolved: dict[str, KeptFile] | None = None


def resolve_files(
    state: State, layout: ProjectLayout, before: GraphColumns | None = None, touched: frozenset[str] | None = None
) -> Resolved:
    """The resolution of every file in `state`.

    `before` is the graph of the same files, if there is one in which only files of the families `touched` have changed
    since: the other families' edges are copied from it.
    """
    facts: dict[str, FileFacts] = {path: inflate_facts(blob) for path, blob in sorted(state.blobs("facts")) if blob}
    kept = None if before is None or touched is None else keep(before, facts, touched)
    layout = layout.with_packages({path: f.package for path, f in facts.items() if f.package})
    families = kept.families if kept is not None else ()
    own = {path: found for path, found in facts.items() if family_of(found.language) not in families}
    resolution = resolve(own, layout, traced=True)
    return Resolved(facts, layout, resolution, kept)


# Implements REQ-IDX-013.
def build_graph(
    entries: Sequence[FileEntry],
    state: State,
    resolved: Resolved,
    commits: Sequence[CommitLink] = (),
    before: GraphColumns | None = None,
    keywords: Hits | None = None,
) -> Built:
    """The graph of every file in `state`; `commits` are the lines left by commits that name an id, `keywords` the
    places of the keywords by which documents refer to code; `before` is the graph that families were copied from."""
    facts, layout, resolution, kept = resolved.facts, resolved.layout, resolved.resolution, resolved.kept
    nodes: list[Node] = []
    edges: list[Edge] = []
    ran = executions(state)
    for entry in entries:
        found = facts.get(entry.path)
        module = layout.module_name(entry.path, found.package if found else "", entry.language)
        nodes.append(file_node(entry, module))
        if found is not None:
            inner, contained = file_nodes(found, module)
            nodes += with_execution(inner, ran) if ran else inner
            edges += contained
    edges += component_edges(layout, [entry.path for entry in entries])
    nodes = [_with_calls(node, resolution, before) if isinstance(node, File) else node for node in nodes]
    for path in sorted(resolution.files):
        edges += resolution.files[path].edges
    outside = {external.id: external for external in resolution.externals}
    if kept is not None:
        edges += kept.edges
        outside.update((external.id, external) for external in kept.externals)
    documents = {path: decode(blob) for path, blob in sorted(state.blobs("requirements")) if blob}
    joined = join(documents, facts, [*layout.components, *nodes], layout.component_of, commits, keywords)
    nodes = [_with_orphans(node, joined) for node in nodes] if joined.orphans else nodes
    network = endpoints_of(state, facts.get, layout, {node.id for node in nodes})
    graph = assemble(layout, [*nodes, *joined.nodes, *network.nodes], [*edges, *joined.edges, *network.edges], outside)
    ids = {path: definition_ids(own) for path, own in facts.items()}
    own = keep_resolution(resolution.files, [node.id for node in graph.nodes])
    problems = (*joined.problems, *network.problems)
    return Built(graph, resolved.unresolved(), ids, problems, resolved.cuts(), own)


def _with_calls(node: File, resolution: Resolution, before: GraphColumns | None) -> File:
    """The node of a file with its call counts, from `before` where the file was not resolved again."""
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
