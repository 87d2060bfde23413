"""Facts and resolved edges → the graph. Pure functions: no disk, no graph engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from loregraph.graph.constants import Constant
from loregraph.graph.model import Class, Edge, External, File, Function, Graph, Node
from loregraph.indexer.build.traits import caught, modifiers, parameters, thrown
from loregraph.indexer.discover.layout import ProjectLayout
from loregraph.indexer.facts import FILE_SCOPE, FileFacts, is_node, is_type_node

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns


class FileEntry(msgspec.Struct, array_like=True, frozen=True):
    """A file as the graph describes it: its row in the state, without the blobs."""

    path: str
    language: str
    content_hash: str
    lines: int
    status: str
    problems: tuple[tuple[int, str], ...] = ()
    constants: tuple[Constant, ...] = ()
    generated: str = ""


def file_nodes(facts: FileFacts, module: str) -> tuple[list[Node], list[Edge]]:
    """The functions and classes of one file, and the CONTAINS edges among them and from the file.

    `module` is the file's qualified name in its language, "" for none.
    """
    path = facts.path
    nodes: list[Node] = []
    edges: list[Edge] = []
    around: list[str] = []
    raises, handles = thrown(facts), caught(facts)
    for number, definition in enumerate(facts.definitions):
        parent = path if definition.parent == FILE_SCOPE else around[definition.parent]
        if not is_node(definition.kind, definition.flags):
            around.append(parent)
            continue
        identity = f"{path}::{definition.qualname}"
        around.append(identity)
        qualified = f"{module}.{definition.dotted_name}" if module else definition.dotted_name
        is_type = is_type_node(definition.kind, definition.flags)
        if not is_type:
            nodes.append(
                Function(
                    identity,
                    definition.name,
                    qualified,
                    definition.kind,
                    path,
                    definition.start_line,
                    definition.end_line,
                    facts.language,
                    definition.signature,
                    definition.docstring,
                    "test" in definition.flags,
                    "exported" in definition.flags,
                    definition.decorator_names,
                    definition.complexity,
                    definition.content_hash,
                    parameters(definition),
                    modifiers(definition),
                    raises.get(number, ()),
                    handles.get(number, ()),
                )
            )
        else:
            nodes.append(
                Class(
                    identity,
                    definition.name,
                    qualified,
                    "class" if definition.is_function else definition.kind,
                    path,
                    definition.start_line,
                    definition.end_line,
                    facts.language,
                    definition.signature,
                    definition.docstring,
                    definition.content_hash,
                    "exported" in definition.flags,
                    definition.decorator_names,
                )
            )
        if definition.owner is None:
            edges.append(Edge("CONTAINS", parent, identity))
    return nodes, edges


def file_node(entry: FileEntry, module: str, orphan_markers: tuple[str, ...] = ()) -> File:
    """The node of one file; `orphan_markers` as in the model."""
    problems = tuple(f"{line}: {message}" if line else message for line, message in entry.problems)
    return File(
        entry.path,
        PurePosixPath(entry.path).name,
        module or entry.path,
        entry.path,
        entry.language,
        entry.content_hash,
        entry.lines,
        entry.status,
        problems,
        orphan_markers,
        generated=entry.generated,
    )


def calls_kept(node: File, columns: GraphColumns, number: int) -> File:
    """`node` with the call counts that a graph keeps for it, where it is node `number` there."""
    kept = {name: columns.own(number, name) or 0 for name in ("calls_resolved", "calls_external", "calls_unresolved")}
    return structs.replace(node, **kept)


def component_edges(layout: ProjectLayout, paths: Iterable[str]) -> list[Edge]:
    """CONTAINS edges from components to the components and files directly in them."""
    edges = [
        Edge("CONTAINS", parent, component.id)
        for component in layout.components
        if (parent := layout.parent_component(component.id)) is not None
    ]
    return edges + [Edge("CONTAINS", layout.component_of(path), path) for path in paths]


# Implements REQ-GRA-010.
def dependency_edges(layout: ProjectLayout, imports: Iterable[Edge], packages: Mapping[str, str]) -> list[Edge]:
    """DEPENDS_ON edges: the files' IMPORTS edges, counted between components and to external packages.

    `packages` maps the id of an external symbol to its package.
    """
    components = {c.id for c in layout.components}
    count: Counter[tuple[str, str]] = Counter()
    for edge in imports:
        source = layout.component_of(edge.source)
        if edge.target.startswith("external:"):
            package = packages.get(edge.target, "")
            target = f"external:{package}" if package else ""
        else:
            target = edge.target if edge.target in components else layout.component_of(edge.target)
        if target and target != source:
            count[source, target] += edge.count
    return [Edge("DEPENDS_ON", source, target, count=n) for (source, target), n in sorted(count.items())]


def package_nodes(edges: Iterable[Edge]) -> list[External]:
    """The external packages at the ends of `dependency_edges`."""
    names = {edge.target.removeprefix("external:") for edge in edges if edge.target.startswith("external:")}
    return [package_node(name) for name in sorted(names)]


def package_node(name: str) -> External:
    """The external package `name`."""
    return External(f"external:{name}", name, name, name)


# Implements REQ-IDX-015.
def assemble(
    layout: ProjectLayout,
    nodes: Iterable[Node],
    edges: Iterable[Edge],
    externals: Mapping[str, External],
) -> Graph:
    """The whole graph: unique ids, unique (rel, source, target), no dangling edges, sorted, with DEPENDS_ON edges. Of
    `externals`, by id, only those that an edge ends at."""
    by_id: dict[str, Node] = {}
    for node in (*layout.components, *nodes):
        by_id.setdefault(node.id, node)
    kept: dict[tuple[str, str, str], Edge] = {}
    reached: dict[str, External] = {}
    for edge in edges:
        if edge.source not in by_id:
            continue
        if edge.target not in by_id:
            external = externals.get(edge.target)
            if external is None:
                continue
            reached[edge.target] = external
        kept.setdefault((edge.rel, edge.source, edge.target), edge)
    by_id.update(reached)
    packages = {identity: external.package for identity, external in reached.items()}
    depends = dependency_edges(layout, [edge for edge in kept.values() if edge.rel == "IMPORTS"], packages)
    for package in package_nodes(depends):
        by_id.setdefault(package.id, package)
    kept.update(((edge.rel, edge.source, edge.target), edge) for edge in depends)
    return Graph(
        tuple(node for _, node in sorted(by_id.items())),
        tuple(edge for _, edge in sorted(kept.items())),
    )
