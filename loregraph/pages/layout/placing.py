"""Places across the page for boxes in rows: near their neighbours, in order, and with room between them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final

from loregraph.pages.layout.rows import Rows

PASSAGE: Final = 10.0
"""The room of an edge that passes a row, in the units of the sizes."""
_PASSES: Final = 8
_STRAIGHT: Final = 6.0
"""How much more it counts that the middle of a long edge is straight than that boxes stand above each other."""


def centres(drawn: Rows, widths: Sequence[float], gap: float) -> dict[int, float]:
    """Node → the middle of its place across, from 0; neighbours in a row are `gap` apart."""
    wide = {node: widths[node] if node < drawn.count else PASSAGE for row in drawn.rows for node in row}
    x: dict[int, float] = {}
    steps = []
    for row in drawn.rows:
        offsets = _offsets(row, wide, gap, drawn.count)
        middle = offsets[-1] / 2 if offsets else 0.0
        x.update((node, offset - middle) for node, offset in zip(row, offsets, strict=True))
        steps.append(offsets)
    for turn in range(_PASSES):
        down = turn % 2 == 0
        last = turn >= _PASSES - 2
        numbers = range(len(drawn.rows)) if down else range(len(drawn.rows) - 1, -1, -1)
        for number in numbers:
            row = drawn.rows[number]
            wanted, weights = [], []
            for node in row:
                near = drawn.above.get(node, []) if down or last else []
                near = near + drawn.below.get(node, []) if not down or last else near
                one, weight = _wanted(node, near, x, drawn.count)
                wanted.append(one)
                weights.append(weight)
            x.update(zip(row, _apart(wanted, weights, steps[number]), strict=True))
    left = min((x[node] - wide[node] / 2 for node in x), default=0.0)
    return {node: place - left for node, place in x.items()}


def _offsets(row: Sequence[int], wide: Mapping[int, float], gap: float, count: int) -> list[float]:
    """The least place of each node of a row behind the first."""
    found = [0.0]
    for one, other in itertools.pairwise(row):
        between = gap if one < count and other < count else gap / 2
        found.append(found[-1] + (wide[one] + wide[other]) / 2 + between)
    return found[: len(row)]


def _wanted(node: int, near: Sequence[int], x: Mapping[int, float], count: int) -> tuple[float, float]:
    """Where a node would stand by its neighbours, and how much that counts."""
    total = place = 0.0
    for other in near:
        weight = _STRAIGHT if node >= count and other >= count else 1.0
        total += weight
        place += weight * x[other]
    return (place / total, total) if total else (x[node], 0.2)


def _apart(wanted: Sequence[float], weights: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """The places nearest to `wanted` (least squares) that are at least as far apart as `offsets`: isotonic regression
    by pooling adjacent violators (Ayer and others, 1955)."""
    pools: list[list[float]] = []  # mean, weight, number of nodes
    for place, weight, offset in zip(wanted, weights, offsets, strict=True):
        pools.append([place - offset, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, weight, number = pools.pop()
            before = pools[-1]
            before[0] = (before[0] * before[1] + mean * weight) / (before[1] + weight)
            before[1] += weight
            before[2] += number
    means = [mean for mean, _, number in pools for _ in range(int(number))]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
