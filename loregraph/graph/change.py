"""The difference between two graphs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from loregraph.graph.model import Edge, Node


class GraphChange(Struct, frozen=True):
    """The difference from the graph of some columns.

    `nodes` are added nodes, and the new versions of changed ones; `gone_nodes` the numbers of removed ones. `edges` and
    `gone_edges` are the same for edges, by (rel, source, target); `gone_edges` includes the old version of each
    replaced edge, and every edge of a removed node.
    """

    nodes: Sequence[Node] = ()
    gone_nodes: Sequence[int] = ()
    edges: Sequence[Edge] = ()
    gone_edges: Sequence[int] = ()
