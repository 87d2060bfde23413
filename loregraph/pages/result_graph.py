"""The nodes of a query's rows as a picture: boxes in layers, with the relationships that the graph has between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from loregraph.errors import QueryRefusedError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.cypher import tokens_of
from loregraph.graph.model import RELATIONSHIPS
from loregraph.pages.layout.layered import layered
from loregraph.pages.links import Links
from loregraph.pages.node_address import address_of
from loregraph.pages.result_table import LONGEST_ID

MOST_NODES: Final = 60
"""Nodes of a picture, in the order in which the rows have them."""
MOST_LINES: Final = 60
"""Lines of a picture: the nodes from which on there would be more are left out."""
LONGEST_NAME: Final = 30
"""Characters of a name in a box."""
HEIGHT: Final = 40.0
_CHARACTER: Final = 7.4
_PADDING: Final = 20.0
_NARROWEST: Final = 70.0
_MARGIN: Final = 12.0


class Box(msgspec.Struct, frozen=True):
    """A node; `x` and `y` are its upper left corner."""

    id: str
    name: str
    label: str
    address: str
    x: float
    y: float
    width: float


class Line(msgspec.Struct, frozen=True):
    """The relationships from one node to another. `path` is that of an SVG, (`x`, `y`) its middle."""

    source: str
    target: str
    relationships: str
    path: str
    x: float
    y: float


class Picture(msgspec.Struct, frozen=True):
    """Every line between the boxes is drawn; `more_nodes` of the rows are left out."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: float
    height: float
    more_nodes: int
    box_height: float = HEIGHT


def picture_of(cypher: str, rows: Iterable[Mapping[str, Any]], graph: GraphColumns, links: Links) -> Picture | None:
    """The picture of what is in `rows`: nodes, paths, and texts that are ids; None where there is no node.

    The lines are the relationships that `cypher` names, and all where it names none that there are.
    """
    found = list(dict.fromkeys(node for row in rows for value in row.values() for node in nodes_in(value, graph)))
    if not found:
        return None
    candidates = found[:MOST_NODES]
    rels = _named_relationships(cypher)
    edges = _between(candidates, graph, rels) or _between(candidates, graph, RELATIONSHIPS)
    shown = candidates[: _legible(len(candidates), edges)]
    kept = {pair: rels for pair, rels in sorted(edges.items()) if max(pair) < len(shown)}
    names = [_name(graph, node) for node in shown]
    widths = [max(_NARROWEST, _CHARACTER * max(len(name), 8) + _PADDING) for name in names]
    layout = layered([(width, HEIGHT) for width in widths], dict.fromkeys(kept, 1))
    boxes = tuple(
        Box(graph.id(node), name, graph.label(node), address_of(links, graph, node), x + _MARGIN, y + _MARGIN, width)
        for node, name, width, (x, y) in zip(shown, names, widths, layout.places, strict=True)
    )
    lines = tuple(
        Line(
            boxes[route.source].id,
            boxes[route.target].id,
            ", ".join(kept[route.source, route.target]),
            _curve(route.points),
            *_middle(route.points),
        )
        for route in layout.routes
    )
    return Picture(
        boxes,
        lines,
        round(layout.width + 2 * _MARGIN),
        round(layout.height + 2 * _MARGIN),
        len(found) - len(shown),
    )


def nodes_in(value: Any, graph: GraphColumns) -> Iterator[int]:
    """The nodes that a value of a result stands for, in order."""
    if isinstance(value, str):
        if 0 < len(value) <= LONGEST_ID and (node := graph.find_id(value)) is not None:
            yield node
    elif isinstance(value, list):
        for one in value:
            yield from nodes_in(one, graph)
    elif isinstance(value, Mapping):
        if isinstance(value.get("label"), str) and "id" in value:
            yield from nodes_in(value["id"], graph)
        elif value.keys() == {"nodes", "rels"}:
            yield from nodes_in(value["nodes"], graph)


def _named_relationships(cypher: str) -> frozenset[str]:
    try:
        words = {token.word for token in tokens_of(cypher)}
    except QueryRefusedError:
        return frozenset()
    return frozenset(words & RELATIONSHIPS.keys())


def _between(nodes: Sequence[int], graph: GraphColumns, rels: Collection[str]) -> dict[tuple[int, int], list[str]]:
    """(place of the source, place of the target) → the relationships of `rels` between them."""
    place = {node: number for number, node in enumerate(nodes)}
    found: dict[tuple[int, int], list[str]] = {}
    for node in nodes if rels else ():
        for edge in graph.out(node).tolist():
            target = int(graph.target[edge])
            if target in place and target != node and graph.rel(edge) in rels:
                found.setdefault((place[node], place[target]), []).append(graph.rel(edge))
    return found


def _legible(count: int, edges: Collection[tuple[int, int]]) -> int:
    """How many of `count` nodes, from the first on, have at most `MOST_LINES` of the edges between them."""
    last = sorted(max(pair) for pair in edges)
    return count if len(last) <= MOST_LINES else max(2, last[MOST_LINES])


def _name(graph: GraphColumns, node: int) -> str:
    identity = graph.id(node)
    label = graph.label(node)
    if label in ("Class", "Function"):
        name = identity.rpartition("::")[2]
    elif label == "File":
        name = identity.rpartition("/")[2]
    else:
        name = graph.name(node)
    return name if len(name) <= LONGEST_NAME else "…" + name[1 - LONGEST_NAME :]


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A line through the points that leaves and reaches each of them vertically."""
    moved = [(x + _MARGIN, y + _MARGIN) for x, y in points]
    drawn = [f"M{moved[0][0]:.1f} {moved[0][1]:.1f}"]
    for (x, y), (to_x, to_y) in pairwise(moved):
        if abs(x - to_x) < 0.5:
            drawn.append(f"L{to_x:.1f} {to_y:.1f}")
        else:
            middle = (y + to_y) / 2
            drawn.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
    return "".join(drawn)


def _middle(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    place = (len(points) - 1) // 2
    (x, y), (to_x, to_y) = points[place], points[min(place + 1, len(points) - 1)]
    return round((x + to_x) / 2 + _MARGIN, 1), round((y + to_y) / 2 + _MARGIN, 1)
