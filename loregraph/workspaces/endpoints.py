"""Requests of one repository for what another one handles: endpoints are joined by protocol, method and path.

No packaging file says which service a client talks to. So an endpoint is joined only where nothing in the client's own
repository handles it, where exactly one other repository does, and where something literal of the path agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.joined_columns import prefix_of
from loregraph.graph.model import LABELS, Edge

ENDPOINT: Final = "Endpoint"
_ANY: Final = "ANY"
_GAP, _REST = "{}", "{*}"


class Address(NamedTuple):
    """The parts of an endpoint's id, `endpoint:<protocol>:<METHOD>:<normal path>`."""

    protocol: str
    method: str
    segments: tuple[str, ...]

    @property
    def is_literal(self) -> bool:
        return any(_GAP not in part and part != _REST for part in self.segments)


# Implements REQ-WSP-010.
def requested(members: Mapping[str, GraphColumns]) -> Iterator[Edge]:
    """REQUESTS edges from the code of one repository to the endpoints of another."""
    if ENDPOINT not in LABELS:
        return
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
            found = {
                other: [one for own, one in rows if reaches(wanted, own)]
                for other, rows in handled.items()
                if other != name
            }
            found = {other: nodes for other, nodes in found.items() if nodes}
            if len(found) != 1:
                continue
            ((other, nodes),) = found.items()
            for edge in requests:
                for one in nodes:
                    request = columns.edge(edge)
                    source, target = prefix_of(name) + request.source, prefix_of(other) + members[other].id(one)
                    yield msgspec.structs.replace(request, source=source, target=target)


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
    if taken and taken[-1] == _REST:
        taken = taken[:-1]
        given = given[: len(taken)] if taken else ()
        if not taken:
            return False
    return len(given) == len(taken) and all(a == b or b == _GAP for a, b in zip(given, taken, strict=True))
