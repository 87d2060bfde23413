"""Requests of one repository for what another one handles: endpoints are joined by protocol, method and path.

No packaging file says which service a client talks to. So an endpoint is joined only where nothing in the client's own
repository handles it, where exactly one other repository does, and where something literal of the path agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.endpoint_paths import GAP, REST
from loregraph.graph.joined_columns import prefix_of
from loregraph.graph.model import Edge

ENDPOINT: Final = "Endpoint"
PATH: Final = "path"
"""`how` of an edge to what handles the whole path."""
_ANY: Final = "ANY"


class Address(NamedTuple):
    """The parts of an endpoint's id, `endpoint:<protocol>:<METHOD>:<normal path>`."""

    protocol: str
    method: str
    segments: tuple[str, ...]

    @property
    def looseness(self) -> int:
        """How many parts can be anything."""
        return sum(GAP in part or part == REST for part in self.segments)

    @property
    def is_literal(self) -> bool:
        return any(GAP not in part and part != REST for part in self.segments)


# Implements REQ-WSP-010.
def requested(members: Mapping[str, GraphColumns]) -> tuple[list[Edge], dict[str, set[int]]]:
    """REQUESTS edges from the code of one repository to the endpoints of another, and the numbers of the edges of each
    repository to endpoints that nothing handles, in place of which they are."""
    edges: list[Edge] = []
    replaced: dict[str, set[int]] = {}
    handled: dict[str, list[tuple[Address, int]]] = {}
    for name, columns in members.items():
        for node in columns.nodes(ENDPOINT).tolist():
            if len(columns.into(node, "HANDLES")):
                handled.setdefault(name, []).append((address(columns.id(node)), node))
    for name, columns in members.items():
        for node in columns.nodes(ENDPOINT).tolist():
            wanted = address(columns.id(node))
            requests = columns.into(node, "REQUESTS").tolist()
            if not requests or len(columns.into(node, "HANDLES")) or not wanted.is_literal:
                continue
            answers = {other: best(wanted, rows) for other, rows in handled.items() if other != name}
            answering = [other for other, nodes in answers.items() if nodes]
            if len(answering) != 1:
                continue
            for edge in requests:
                request = columns.edge(edge)
                source = prefix_of(name) + request.source
                for one in answers[answering[0]]:
                    target = prefix_of(answering[0]) + members[answering[0]].id(one)
                    edges.append(msgspec.structs.replace(request, source=source, target=target, how=PATH))
                replaced.setdefault(name, set()).add(edge)
    return edges, replaced


def best(wanted: Address, rows: Iterable[tuple[Address, int]]) -> list[int]:
    """Of what handles a request, that with the fewest parameters, and of these what names the method."""
    found = [(own, node) for own, node in rows if reaches(wanted, own)]
    least = min((own.looseness for own, _ in found), default=0)
    found = [(own, node) for own, node in found if own.looseness == least]
    return [node for own, node in found if own.method == wanted.method] or [node for _, node in found]


def address(identity: str) -> Address:
    """The parts of an endpoint's id."""
    _, protocol, method, path = (*identity.split(":", 3), "", "", "")[:4]
    return Address(protocol, method, tuple(part for part in path.split("/") if part))


def reaches(wanted: Address, own: Address) -> bool:
    """Whether a request for `wanted` is handled by `own`: the same path, with a parameter of the handler for any
    segment."""
    if wanted.protocol != own.protocol or not (wanted.method == own.method or _ANY in (wanted.method, own.method)):
        return False
    given, taken = wanted.segments, own.segments
    if taken and taken[-1] == REST:
        taken = taken[:-1]
        given = given[: len(taken)] if taken else ()
        if not taken:
            return False
    return len(given) == len(taken) and all(a == b or b == GAP for a, b in zip(given, taken, strict=True))
