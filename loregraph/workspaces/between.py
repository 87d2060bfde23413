"""The edges between the repositories of a workspace."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge
from loregraph.workspaces.dependencies import Dependencies
from loregraph.workspaces.endpoints import requested
from loregraph.workspaces.requirements import implementing


class Between(Struct, frozen=True):
    """`edges` between repositories, their ends with prefixes; `replaced` are the numbers of edges of each repository to
    what is outside of it, in place of which they are."""

    edges: tuple[Edge, ...] = ()
    replaced: Mapping[str, Collection[int]] = {}


def edges_between(members: Mapping[str, GraphColumns]) -> Between:
    """All edges between `members`, by name."""
    found = Dependencies(members)
    requests, answered = requested(members)
    edges = {(edge.rel, edge.source, edge.target): edge for edge in (*requests, *implementing(members))}
    edges.update(found.edges)
    replaced = {name: found.replaced.get(name, set()) | answered.get(name, set()) for name in members}
    return Between(tuple(edges[key] for key in sorted(edges)), replaced)
