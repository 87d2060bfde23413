"""How one graph differs from another."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from loregraph.graph.model import Edge, Node


class GraphChange(Struct, frozen=True):
    """What is different from the graph of some columns.

    `nodes` are those that come, and in place of the ones with their ids those that change; `gone_nodes` the numbers of
    those whose ids go. `edges` and `gone_edges` are the same for edges, by (rel, source, target): the edge that another
    one with its ends replaces is in `gone_edges`, and so is each that begins or ends at a node that goes.
    """

    nodes: Sequence[Node] = ()
    gone_nodes: Sequence[int] = ()
    edges: Sequence[Edge] = ()
    gone_edges: Sequence[int] = ()
