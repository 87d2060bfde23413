"""What a change of a symbol may touch, by distance: a small picture of rings, and the numbers behind it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from loregraph.graph.columns import GraphColumns, Numbers
from loregraph.graph.queries import IMPACT, within
from loregraph.pages.source import name_of

DEPTH: Final = 4
MOST_PARTS: Final = 6
"""Components told apart on a ring, the largest first; the rest is one part."""
MOST_NAMED: Final = 8
SIZE: Final = 220
_INNER: Final = 16.0
_BAND: Final = 19.0
_GAP: Final = 2.0


@dataclass(frozen=True)
class Part:
    """The symbols of a ring in one component, "" for the rest. `path` draws it."""

    component: str
    count: int
    path: str


@dataclass(frozen=True)
class Ring:
    """The symbols at one distance. `named` are ids and names of the first, those of the product before tests."""

    distance: int
    count: int
    tests: int
    parts: tuple[Part, ...]
    named: tuple[tuple[str, str], ...]


def reached(columns: GraphColumns, starts: Sequence[int], depth: int = DEPTH) -> list[Numbers]:
    """The nodes at distance 1, 2, … of `starts` and what they contain, against the direction of the relationships that
    `queries.impact` follows; as that gives, for thousands of nodes in a few milliseconds."""
    frontier = np.unique(np.array([node for one in starts for node in within(columns, one)], np.int64))
    followed = np.isin(np.arange(len(columns.rels)), [columns.rels.index(rel) for rel in IMPACT])
    seen = np.zeros(columns.node_count, np.bool_)
    seen[frontier] = True
    found: list[Numbers] = []
    for _ in range(depth):
        first, last = columns.into_offsets[frontier], columns.into_offsets[frontier + 1]
        counts = (last - first).astype(np.int64)
        # The edges into all of the frontier: for each node a run of `into_edges`.
        at = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
        edges = columns.into_edges[at]
        ends = columns.source[edges[followed[columns.rel_codes[edges]]]]
        frontier = np.unique(ends[~seen[ends]]).astype(np.int64)
        if not len(frontier):
            break
        seen[frontier] = True
        found.append(frontier.astype(np.int32))
    return found


def rings(
    columns: GraphColumns, found: Sequence[Numbers], is_test: Callable[[str], bool], component: Callable[[str], str]
) -> tuple[Ring, ...]:
    """The rings of what `reached` gave; `component` is the name of a file's component."""
    made = []
    for distance, nodes in enumerate(found, 1):
        codes, counts = np.unique(columns.paths.codes[nodes], return_counts=True)
        paths = [columns.paths.values[code] for code in codes.tolist()]
        are_tests = np.array([is_test(path) for path in paths], np.bool_)
        by_component: dict[str, int] = {}
        for path, count in zip(paths, counts.tolist(), strict=True):
            name = component(path)
            by_component[name] = by_component.get(name, 0) + count
        ordered = sorted(by_component.items(), key=lambda one: (-one[1], one[0]))
        kept = ordered[:MOST_PARTS]
        if rest := sum(count for _, count in ordered[MOST_PARTS:]):
            kept.append(("", rest))
        of_tests = np.isin(columns.paths.codes[nodes], codes[are_tests])
        first = [*nodes[~of_tests].tolist()[:MOST_NAMED], *nodes[of_tests].tolist()[:MOST_NAMED]][:MOST_NAMED]
        named = tuple((columns.id(node), name_of(columns.id(node))) for node in first)
        made.append(Ring(distance, len(nodes), int(of_tests.sum()), _parts(distance, kept), named))
    return tuple(made)


def _parts(distance: int, counted: Sequence[tuple[str, int]]) -> tuple[Part, ...]:
    total = sum(count for _, count in counted)
    at, parts = 0.0, []
    for name, count in counted:
        end = at + count / total
        parts.append(Part(name, count, arc(distance, at, end)))
        at = end
    return tuple(parts)


def arc(distance: int, start: float, end: float) -> str:
    """The path of a band of the ring at `distance`, from `start` to `end` as shares of the circle from the top,
    clockwise, within a square of `SIZE` around its middle."""
    inner = _INNER + (distance - 1) * _BAND + _GAP
    outer = inner + _BAND - _GAP
    if end - start > 0.9999:  # an arc that ends where it begins is not drawn
        half = (start + end) / 2
        return f"{arc(distance, start, half)} {arc(distance, half, end)}"
    large = int(end - start > 0.5)

    def at(radius: float, share: float) -> str:
        angle = 2 * math.pi * share - math.pi / 2
        return f"{SIZE / 2 + radius * math.cos(angle):.1f} {SIZE / 2 + radius * math.sin(angle):.1f}"

    return (
        f"M{at(inner, start)} L{at(outer, start)} A{outer:.1f} {outer:.1f} 0 {large} 1 {at(outer, end)} "
        f"L{at(inner, end)} A{inner:.1f} {inner:.1f} 0 {large} 0 {at(inner, start)} Z"
    )
