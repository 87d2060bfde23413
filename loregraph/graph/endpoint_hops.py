"""From a handler to those who request its endpoints, and back: two edges that are one step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loregraph.graph.columns import GraphColumns


class Hop(NamedTuple):
    """A step to the node `end` along the REQUESTS edge `edge`; `confidence` is the lower one of both edges."""

    end: int
    edge: int
    line: int
    confidence: float
    endpoint: int


# Implements REQ-NET-004.
def hops(columns: GraphColumns, node: int, *, outward: bool) -> Iterator[Hop]:
    """Who requests what a node handles or, `outward`, who handles what it requests, by number."""
    first, second = ("REQUESTS", "HANDLES") if outward else ("HANDLES", "REQUESTS")
    for edge in columns.out(node, first).tolist():
        endpoint = int(columns.target[edge])
        for other in columns.into(endpoint, second).tolist():
            request = edge if outward else other
            confidence = min(float(columns.confidence[edge]), float(columns.confidence[other]))
            yield Hop(int(columns.source[other]), request, int(columns.line[request]), confidence, endpoint)
