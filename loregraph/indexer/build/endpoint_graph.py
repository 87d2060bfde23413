"""Endpoints in the graph: of all files' records at once, and what of them an edit changes.

The state keeps which files the join consulted besides the records: an edit of others, or of nothing that the join asks
for, changes lines only.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from loregraph.graph.model import Edge
from loregraph.graph.state import State
from loregraph.indexer.build.difference import Difference, Source, key_of
from loregraph.indexer.build.edits import Published
from loregraph.indexer.build.workers import inflate_facts
from loregraph.indexer.endpoints.model import GRPC, decode, lines_of, without_lines
from loregraph.indexer.facts import FileFacts

if TYPE_CHECKING:
    from loregraph.indexer.endpoints.join import Joined
    from loregraph.indexer.resolve.layout import Layout

NETWORK: Final = ("HANDLES", "REQUESTS", "DECLARES")
"""Relationships to endpoints."""
_META: Final = "endpoints"
"""The key under which the state keeps the files that the join consulted."""


def endpoints_of(
    state: State, facts_of: Callable[[str], FileFacts | None], layout: Layout, ids: Container[str]
) -> Joined:
    """The endpoints of all files in `state`, of edges that start at nodes with one of `ids`. Stores which files were
    consulted; does not commit."""
    from loregraph.indexer.endpoints.join import Joined, join
    from loregraph.indexer.endpoints.references import Context

    records = {path: decode(blob) for path, blob in state.blobs("endpoints") if blob}
    if not records:
        state.put_meta(_META, None)
        return Joined((), (), frozenset())
    found = join(records, Context(facts_of, layout))
    edges = tuple(edge for edge in found.edges if edge.source in ids)
    reached = {edge.target for edge in edges}
    state.put_meta(_META, msgspec.msgpack.encode(sorted(found.consulted)))
    # What a service announces is an endpoint even where nothing of the project answers or requests it.
    nodes = tuple(node for node in found.nodes if node.id in reached or node.protocol == GRPC)
    return replace(found, nodes=nodes, edges=edges)


# Implements REQ-NET-005.
def changed_endpoints(
    state: State,
    before: Mapping[str, Published],
    sources: Sequence[Source],
    difference: Difference,
    layout: Callable[[], Layout | None],
) -> bool:
    """Adds to `difference` what changes of endpoints and the edges to them; False where that is uncertain."""
    now = dict(state.blobs("endpoints", before))
    saved = state.meta(_META)
    consulted: set[str] = set(msgspec.msgpack.decode(saved, type=list[str])) if saved else set()
    is_joined = False
    for source in sources:
        was, own = decode(before[source.path].endpoints), decode(now.get(source.path, b""))
        if without_lines(was) != without_lines(own):
            is_joined = True
        elif source.path in consulted and source.was is not None and source.now is not None:
            from loregraph.indexer.endpoints.references import consulted_digest

            is_joined |= consulted_digest(source.was) != consulted_digest(source.now)
    if is_joined:
        return _again(state, difference, layout())
    for source in sources:
        was, own = decode(before[source.path].endpoints), decode(now.get(source.path, b""))
        moves: dict[int, int] = {}
        for old, new in zip(lines_of(was), lines_of(own), strict=True):
            if moves.setdefault(old, new) != new:
                return _again(state, difference, layout())
        if not _moved(source, difference, moves):
            return _again(state, difference, layout())
    return True


def _moved(source: Source, difference: Difference, moves: Mapping[int, int]) -> bool:
    """Moves the edges from a file's nodes to their present lines."""
    columns = difference.columns
    for identity in (source.path, *source.nodes):
        number = difference.number(identity)
        if number is None:
            continue
        for rel in NETWORK:
            for edge in columns.out(number, rel).tolist():
                record = columns.edge(edge)
                node = source.nodes.get(identity)
                start = getattr(node, "start_line", 0)
                line = start if rel == "HANDLES" and record.how != "registered" else moves.get(record.line, 0)
                if not line:
                    return False
                if line != record.line:
                    difference.old_edges[key_of(record)] = edge
                    difference.new_edges[key_of(record)] = replace(record, line=line)
    return True


def _again(state: State, difference: Difference, layout: Layout | None) -> bool:
    """Joins everything, and compares the result with the columns."""
    if layout is None:
        return False
    columns = difference.columns

    def facts_of(path: str) -> FileFacts | None:
        blob = dict(state.blobs("facts", (path,))).get(path)
        return inflate_facts(blob) if blob else None

    joined = endpoints_of(state, facts_of, layout, _Ids(difference))
    first, last = columns.ids_with("endpoint:")
    old = {columns.id(number): number for number in range(first, last)}
    before: dict[tuple[str, str, str], int] = {}
    for number in old.values():
        for edge in columns.into(number).tolist():
            if columns.rel(edge) in NETWORK:
                before[key_of(columns.edge(edge))] = edge
    wanted = {node.id: node for node in joined.nodes}
    for identity, number in old.items():
        if columns.label(number) != "Endpoint":
            return False
        if identity not in wanted:
            difference.gone[identity] = number
    for identity, node in wanted.items():
        if identity not in old:
            difference.came[identity] = difference.fresh[identity] = node
        elif columns.node(old[identity]) != node:
            difference.fresh[identity] = node
    edges: dict[tuple[str, str, str], Edge] = {key_of(edge): edge for edge in joined.edges}
    for key, edge_number in before.items():
        if edges.get(key) != columns.edge(edge_number):
            difference.old_edges[key] = edge_number
    for key, edge in edges.items():
        if key not in before or key in difference.old_edges:
            difference.new_edges[key] = edge
    return True


class _Ids:
    """The ids of the nodes of an edited graph."""

    def __init__(self, difference: Difference) -> None:
        self._difference = difference

    def __contains__(self, identity: object) -> bool:
        found = self._difference
        if not isinstance(identity, str) or identity in found.gone:
            return False
        return identity in found.came or found.number(identity) is not None
