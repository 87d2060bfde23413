"""The places behind an arrow: which imports and calls lead from one box to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import CODE
from loregraph.pages.project_map.boxes import Boxes
from loregraph.pages.project_map.dependencies import Dependencies
from loregraph.pages.project_map.level import SURE

MOST_PLACES: Final = 60
"""Places listed; the others are counted."""
LONGEST_ID: Final = 2_000
_VERBS: Final = {"IMPORTS": "imports", "CALLS": "calls", "EXTENDS": "extends", "IMPLEMENTS": "implements"}


Noting = Callable[[int], str]
"""What has to be said of an edge, by its number; "" for nothing."""


def says_nothing(edge: int) -> str:
    return ""


@dataclass(frozen=True)
class PlaceOfDependency:
    """One place: code `source` (an id) in `path` names, or calls, `target` (an id). `note` says when an import takes
    effect unless that is at once."""

    path: str
    line: int
    source: str
    verb: str
    target: str
    how: str
    confidence: float
    note: str


@dataclass(frozen=True)
class Evidence:
    """`counts`: verb → number of edges, of those that make the arrow. `places` are the first of these by path and line;
    `calls` the first of the calls besides: they reach the other box by a value, so that they make no dependency in the
    code, and only those that are `SURE`. `more` and `more_calls` count what is left out."""

    counts: dict[str, int]
    places: tuple[PlaceOfDependency, ...]
    more: int
    calls: tuple[PlaceOfDependency, ...]
    more_calls: int


def evidence_between(
    columns: GraphColumns,
    boxes: Boxes,
    dependencies: Dependencies,
    source: int,
    target: int,
    note: Noting = says_nothing,
) -> Evidence:
    """What leads from what is in box `source` to what is in box `target`."""
    edges = dependencies.between(boxes, source, target)
    calls = columns.edges("CALLS")
    sources, targets = boxes.of_node[columns.source[calls]], boxes.of_node[columns.target[calls]]
    calls = calls[
        (sources >= source)
        & (sources < boxes.ends[source])
        & (targets >= target)
        & (targets < boxes.ends[target])
        & (columns.confidence[calls] >= SURE)
    ]
    return _evidence(columns, edges, np.setdiff1d(calls, edges), note)


def first_places(
    columns: GraphColumns,
    boxes: Boxes,
    dependencies: Dependencies,
    source: int,
    target: int,
    most: int,
    note: Noting = says_nothing,
) -> tuple[PlaceOfDependency, ...]:
    """The first of the places that make the arrow from box `source` to box `target`."""
    return _places(columns, dependencies.between(boxes, source, target), note, most)[0]


def evidence_within(columns: GraphColumns, source: int, target: int) -> Evidence:
    """What leads from a symbol, or what is in it, to another of the same file, by their nodes."""
    inside = [_inside(columns, node) for node in (source, target)]
    wanted = set(inside[1])
    edges = [
        edge
        for node in inside[0]
        for rel in ("CALLS", "EXTENDS", "IMPLEMENTS", "REFERENCES")
        for edge in columns.out(node, rel).tolist()
        if int(columns.target[edge]) in wanted and columns.confidence[edge] >= SURE
    ]
    return _evidence(columns, np.array(sorted(edges), np.int32), np.zeros(0, np.int32), says_nothing)


def _inside(columns: GraphColumns, node: int) -> list[int]:
    found = {node: None}
    waiting = [node]
    while waiting:
        for inner in columns.target[columns.out(waiting.pop(), "CONTAINS")].tolist():
            if inner not in found:
                found[inner] = None
                waiting.append(inner)
    return list(found)


def _evidence(
    columns: GraphColumns, edges: npt.NDArray[np.int32], calls: npt.NDArray[np.int32], note: Noting
) -> Evidence:
    counts = Counter(_verb(columns, edge) for edge in edges.tolist())
    places, more = _places(columns, edges, note)
    reached, more_calls = _places(columns, calls, note)
    return Evidence(dict(sorted(counts.items(), key=lambda row: (-row[1], row[0]))), places, more, reached, more_calls)


def _verb(columns: GraphColumns, edge: int) -> str:
    return _VERBS.get(columns.rel(edge), "refers to")


def _named(columns: GraphColumns, node: int) -> str:
    """The id of code; the path of a component, and of code whose name is too long for a page."""
    named = columns.id(node)
    return named if columns.label(node) in CODE and len(named) <= LONGEST_ID else columns.path(node)


def _places(
    columns: GraphColumns, edges: npt.NDArray[np.int32], note: Noting, most: int = MOST_PLACES
) -> tuple[tuple[PlaceOfDependency, ...], int]:
    """The first places by path and line, and the number of the others."""
    order = np.lexsort((columns.line[edges], columns.paths.codes[columns.source[edges]]))
    found = []
    for edge in edges[order][:most].tolist():
        source, target = int(columns.source[edge]), int(columns.target[edge])
        found.append(
            PlaceOfDependency(
                columns.path(source),
                int(columns.line[edge]),
                _named(columns, source),
                _verb(columns, edge),
                _named(columns, target),
                columns.how(edge),
                float(columns.confidence[edge]),
                note(edge),
            )
        )
    return tuple(found), max(0, len(edges) - most)
