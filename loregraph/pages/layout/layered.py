"""A graph of boxes as a picture: places for the boxes, lines for the edges.

A box stands above what it points at, except along the edges that had to be turned round because of cycles. Parts of the
graph that no edge connects are packed into rows, boxes without an edge last. The result is a function of the input:
neither time nor the seed of hashing changes it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from loregraph.pages.layout.acyclic import Edges, backward
from loregraph.pages.layout.placing import centres
from loregraph.pages.layout.rows import Rows, in_rows

Size = tuple[float, float]
"""Width and height."""
Point = tuple[float, float]

GAP: Final = 18.0
"""Room between boxes in a row."""
ROW_GAP: Final = 46.0
"""Room between rows, where edges run."""
WIDEST: Final = 1160.0
"""Rows wider than this are split, unless one box is wider."""
_PORTS: Final = 0.7
"""Share of a box's side over which the ends of its edges are spread."""


class Route(NamedTuple):
    """One edge. `points` lead from the source's side to the target's; a line between two of them is vertical where it
    passes a row. `against`: it was turned round, and leads upwards."""

    source: int
    target: int
    points: tuple[Point, ...]
    against: bool


class Layout(NamedTuple):
    """`places` are the upper left corners of the boxes, in their order; `routes` are sorted by ends. `crossings` is the
    number of pairs of edges that cross."""

    places: tuple[Point, ...]
    routes: tuple[Route, ...]
    width: float
    height: float
    crossings: int


# Implements REQ-WEB-003.
def layered(
    sizes: Sequence[Size],
    edges: Edges,
    *,
    turned: Collection[tuple[int, int]] | None = None,
    widest: float = WIDEST,
) -> Layout:
    """Boxes of `sizes` with `edges` by (source, target) with weights: the less an edge weighs, the sooner it is turned
    round where there is a cycle. Edges from a box to itself are left out.

    Where `edges` are only some of those that matter, `turned` are the edges to turn round; without them the others must
    form no cycle. Meant for up to some hundred boxes: time grows with the square of the edges.
    """
    pairs = {pair: weight for pair, weight in edges.items() if pair[0] != pair[1]}
    turned = backward(len(sizes), pairs) if turned is None else turned
    places: dict[int, Point] = {}
    routes: list[Route] = []
    blocks: list[tuple[Layout, list[int]]] = []
    alone: list[int] = []
    for part in _parts(len(sizes), pairs):
        if len(part) == 1:
            alone.append(part[0])
            continue
        number = {node: place for place, node in enumerate(part)}
        own = {(number[a], number[b]): (a, b) in turned for a, b in pairs if a in number}
        blocks.append((_connected([sizes[node] for node in part], own, widest), part))
    blocks.sort(key=lambda block: (-len(block[1]), block[1]))
    corners, width, height = _packed([(block.width, block.height) for block, _ in blocks], widest, ROW_GAP)
    if alone:
        alone.sort(key=lambda node: (-sizes[node][1], node))
        grid = _grid([sizes[node] for node in alone], widest)
        corners.append((0.0, height + ROW_GAP if blocks else 0.0))
        blocks.append((grid, alone))
        width, height = max(width, grid.width), corners[-1][1] + grid.height
    for (block, part), (left, top) in zip(blocks, corners, strict=True):
        for node, (x, y) in zip(part, block.places, strict=True):
            places[node] = (x + left, y + top)
        for route in block.routes:
            points = tuple((x + left, y + top) for x, y in route.points)
            routes.append(Route(part[route.source], part[route.target], points, route.against))
    crossings = sum(block.crossings for block, _ in blocks)
    return Layout(tuple(places[node] for node in range(len(sizes))), tuple(sorted(routes)), width, height, crossings)


def _parts(count: int, pairs: Edges) -> list[list[int]]:
    """The nodes by what edges connect, each part ascending."""
    leader = list(range(count))

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for source, target in pairs:
        one, other = find(source), find(target)
        leader[max(one, other)] = min(one, other)
    found: dict[int, list[int]] = {}
    for node in range(count):
        found.setdefault(find(node), []).append(node)
    return list(found.values())


def _connected(sizes: Sequence[Size], turned: Mapping[tuple[int, int], bool], widest: float) -> Layout:
    """A connected part; `turned` says of each edge whether it was turned round."""
    widths = [width for width, _ in sizes]
    downward = {(b, a) if against else (a, b) for (a, b), against in turned.items()}
    drawn = in_rows(len(sizes), downward, [width + GAP for width in widths], widest)
    x = centres(drawn, widths, GAP)
    tops, bottoms = [], []
    y = 0.0
    for row in drawn.rows:
        tops.append(y)
        y += max((sizes[node][1] for node in row if node < len(sizes)), default=0.0)
        bottoms.append(y)
        y += ROW_GAP
    level = {node: number for number, row in enumerate(drawn.rows) for node in row}
    places = []
    for node, (width, height) in enumerate(sizes):
        room = bottoms[level[node]] - tops[level[node]]
        places.append((x[node] - width / 2, tops[level[node]] + (room - height) / 2))
    lines = _lines(drawn, sizes, places, x, tops, bottoms, level)
    routes = []
    for (source, target), against in turned.items():
        points = lines[(target, source) if against else (source, target)]
        # Both directions between two boxes: side by side.
        if (target, source) in turned:
            points = [(px + (5 if against else -5), py) for px, py in points]
        routes.append(Route(source, target, tuple(reversed(points) if against else points), against))
    right = max(
        [left + width for (left, _), (width, _) in zip(places, sizes, strict=True)]
        + [px for route in routes for px, _ in route.points]
    )
    return Layout(tuple(places), tuple(sorted(routes)), right, bottoms[-1], drawn.crossings())


def _lines(
    drawn: Rows,
    sizes: Sequence[Size],
    places: Sequence[Point],
    x: Mapping[int, float],
    tops: Sequence[float],
    bottoms: Sequence[float],
    level: Mapping[int, int],
) -> dict[tuple[int, int], list[Point]]:
    """The points of each edge downwards: from the box's lower side through the gaps to the other's upper side."""
    out: dict[int, list[tuple[float, tuple[int, int]]]] = {}
    into: dict[int, list[tuple[float, tuple[int, int]]]] = {}
    for pair, path in drawn.paths.items():
        out.setdefault(pair[0], []).append((x[path[1]], pair))
        into.setdefault(pair[1], []).append((x[path[-2]], pair))
    start = _ports(out, sizes, places)
    end = _ports(into, sizes, places)
    found = {}
    for pair, path in drawn.paths.items():
        source, target = pair
        points = [(start[pair], places[source][1] + sizes[source][1]), (start[pair], bottoms[level[source]])]
        for node in path[1:-1]:
            points += [(x[node], tops[level[node]]), (x[node], bottoms[level[node]])]
        points += [(end[pair], tops[level[target]]), (end[pair], places[target][1])]
        found[pair] = [point for place, point in enumerate(points) if not place or point != points[place - 1]]
    return found


def _ports(
    ends: Mapping[int, list[tuple[float, tuple[int, int]]]], sizes: Sequence[Size], places: Sequence[Point]
) -> dict[tuple[int, int], float]:
    """Where along its box each edge ends: in the order of where they come from."""
    found = {}
    for node, edges in ends.items():
        width = sizes[node][0]
        step = min(14.0, width * _PORTS / len(edges))
        first = places[node][0] + width / 2 - step * (len(edges) - 1) / 2
        for number, (_, pair) in enumerate(sorted(edges)):
            found[pair] = first + step * number
    return found


def _grid(sizes: Sequence[Size], widest: float) -> Layout:
    """Boxes without edges, in their order, row by row."""
    corners, width, height = _packed(sizes, widest, GAP)
    return Layout(tuple(corners), (), width, height, 0)


def _packed(sizes: Sequence[Size], widest: float, gap: float) -> tuple[list[Point], float, float]:
    """Rectangles in rows from left to right, in their order; their corners, and the width and height of all."""
    corners: list[Point] = []
    x = y = tall = width = 0.0
    for wide, high in sizes:
        if x and x + wide > widest:
            x, y, tall = 0.0, y + tall + gap, 0.0
        corners.append((x, y))
        x, tall = x + wide + gap, max(tall, high)
        width = max(width, x - gap)
    return corners, width, y + tall
