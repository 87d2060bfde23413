"""Boxes in rows, each edge from a row to one further down, with few crossings."""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_SWEEPS: Final = 10
"""Maximum passes down and up: on maps of real projects the best order is found by the sixth."""


class Rows:
    """`rows` are nodes from left to right, top row first. Nodes from `count` on are where an edge passes a row; `paths`
    are the nodes of each edge from top to bottom."""

    def __init__(self, count: int, rows: list[list[int]], paths: dict[tuple[int, int], list[int]]) -> None:
        self.count = count
        self.rows = rows
        self.paths = paths
        self.below: dict[int, list[int]] = {}
        self.above: dict[int, list[int]] = {}
        for path in paths.values():
            for upper, lower in itertools.pairwise(path):
                self.below.setdefault(upper, []).append(lower)
                self.above.setdefault(lower, []).append(upper)

    def crossings(self) -> int:
        """The number of pairs of edges that cross."""
        return sum(_crossings(upper, lower, self.below) for upper, lower in zip(self.rows, self.rows[1:], strict=False))


def in_rows(count: int, edges: Iterable[tuple[int, int]], widths: Sequence[float], widest: float) -> Rows:
    """The `count` boxes, connected by `edges` without a cycle, in rows of little more than `widest`."""
    pairs = sorted(set(edges))
    ranked = _ranked(count, pairs)
    across = {node: float(place) for row in ranked for place, node in enumerate(row)}
    degree = dict.fromkeys(range(count), 0)
    for source, target in pairs:
        degree[source] -= 1
        degree[target] += 1
    split: list[list[int]] = []
    for row in ranked:
        split.extend(_split(row, widths, widest, degree))
    found = _with_passages(count, split, pairs, across)
    _uncross(found)
    return found


def _ranked(count: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Rows by Gansner and others, "A technique for drawing directed graphs" (1993), as fast-sugiyama computes them."""
    from fast_sugiyama import from_edges

    if not pairs:
        return [list(range(count))]
    # It orders nodes by a set: small integers keep their order there, whatever the seed of hashing.
    drawn = from_edges(pairs, vertex_spacing=1, dummy_vertices=True, check_layout=False)
    rows: dict[int, list[tuple[float, int]]] = {}
    for positions, *_ in drawn:
        highest = max(y for _, (_, y) in positions)
        for node, (x, y) in positions:
            if isinstance(node, int) and node < count:
                rows.setdefault(round(highest - y), []).append((x, node))
    return [[node for _, node in sorted(rows[number])] for number in sorted(rows)]


def _split(row: Sequence[int], widths: Sequence[float], widest: float, degree: Mapping[int, int]) -> list[list[int]]:
    """A row in as many as keep to `widest`: what others point at above what points at others, near its own."""
    total = sum(widths[node] for node in row)
    if total <= widest or len(row) < 2:
        return [list(row)]
    share = total / -(-total // widest)
    across = {node: place for place, node in enumerate(row)}
    found: list[list[int]] = [[]]
    room = share
    for node in sorted(row, key=lambda node: (-degree[node], across[node])):
        if found[-1] and room < widths[node] / 2:
            found.append([])
            room = share
        found[-1].append(node)
        room -= widths[node]
    return [sorted(part, key=across.__getitem__) for part in found]


def _with_passages(
    count: int, ranked: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]], across: Mapping[int, float]
) -> Rows:
    """The rows with a node wherever an edge passes one, near the straight line."""
    level = {node: number for number, row in enumerate(ranked) for node in row}
    places: list[list[tuple[float, int]]] = [
        [((place + 0.5) / len(row), node) for place, node in enumerate(row)] for row in ranked
    ]
    x = {node: place for row in places for place, node in row}
    paths: dict[tuple[int, int], list[int]] = {}
    following = count
    for source, target in pairs:
        path = [source]
        first, last = level[source], level[target]
        for number in range(first + 1, last):
            share = (number - first) / (last - first)
            places[number].append((x[source] + share * (x[target] - x[source]), following))
            path.append(following)
            following += 1
        paths[source, target] = [*path, target]
    return Rows(count, [[node for _, node in sorted(row)] for row in places], paths)


def _uncross(drawn: Rows) -> None:
    """Sweeps down and up by the mean of neighbours, then exchanges neighbours, and keeps the best order seen."""
    best, fewest = [list(row) for row in drawn.rows], drawn.crossings()
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        numbers = range(1, len(drawn.rows)) if down else range(len(drawn.rows) - 2, -1, -1)
        for number in numbers:
            fixed = drawn.rows[number - 1 if down else number + 1]
            _by_mean(drawn.rows[number], fixed, drawn.above if down else drawn.below)
        _exchange(drawn)
        now = drawn.crossings()
        if now < fewest:
            best, fewest = [list(row) for row in drawn.rows], now
    drawn.rows = best


def _by_mean(row: list[int], fixed: Sequence[int], neighbours: Mapping[int, Sequence[int]]) -> None:
    place = {node: number for number, node in enumerate(fixed)}
    scale = len(fixed) / max(1, len(row))
    wanted = {}
    for number, node in enumerate(row):
        near = [place[other] for other in neighbours.get(node, ())]
        wanted[node] = sum(near) / len(near) if near else number * scale
    row.sort(key=wanted.__getitem__)


def _exchange(drawn: Rows) -> None:
    """Exchanges neighbours in a row where that takes crossings away."""
    for number, row in enumerate(drawn.rows):
        upper = _numbers(drawn.rows[number - 1]) if number else {}
        lower = _numbers(drawn.rows[number + 1]) if number + 1 < len(drawn.rows) else {}
        near = {
            node: (
                sorted(upper[other] for other in drawn.above.get(node, ())),
                sorted(lower[other] for other in drawn.below.get(node, ())),
            )
            for node in row
        }
        for place in range(len(row) - 1):
            one, other = near[row[place]], near[row[place + 1]]
            now = _crossed(one[0], other[0]) + _crossed(one[1], other[1])
            if now and _crossed(other[0], one[0]) + _crossed(other[1], one[1]) < now:
                row[place], row[place + 1] = row[place + 1], row[place]


def _numbers(row: Sequence[int]) -> dict[int, int]:
    return {node: number for number, node in enumerate(row)}


def _crossed(left: Sequence[int], right: Sequence[int]) -> int:
    """The crossings between edges of a node to places `left` and those of its right neighbour to `right`, ascending."""
    return sum(bisect_left(right, place) for place in left)


def _crossings(upper: Sequence[int], lower: Sequence[int], below: Mapping[int, Sequence[int]]) -> int:
    place = _numbers(lower)
    ends: list[int] = []
    found = 0
    for node in upper:
        own = sorted(place[other] for other in below.get(node, ()))
        found += sum(len(ends) - _behind(ends, end) for end in own)
        for end in own:
            insort(ends, end)
    return found


def _behind(ends: Sequence[int], end: int) -> int:
    """The number of `ends`, ascending, that are at most `end`."""
    return bisect_left(ends, end + 1)
