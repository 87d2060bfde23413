"""What is around a symbol: the surest callers and callees, tests, requirements and designs."""

from __future__ import annotations

from typing import Final

from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.changes.view import requirements_of
from loregraph.analysis.component_lookup import ends
from loregraph.analysis.explore.answer import Titled
from loregraph.graph.columns import GraphColumns
from loregraph.graph.groups import group_of
from loregraph.graph.queries import CallHit

MOST_READ: Final = 5_000
"""Edges looked at for one list."""
_TITLE: Final = 120
"""Characters shown of a title."""


def calls(columns: GraphColumns, node: int, *, outward: bool, most: int) -> tuple[list[CallHit], int]:
    """The `most` surest direct callers or callees (`outward`) in the project, and how many there are. Callers that are
    no tests come first."""
    nodes = group_of(columns, node, columns.id(node))
    edges = [
        edge for one in nodes for edge in (columns.out if outward else columns.into)(one, "CALLS")[:MOST_READ].tolist()
    ]
    ends_at = columns.target if outward else columns.source
    found: dict[int, int] = {}
    for edge in sorted(edges, key=lambda edge: (-float(columns.confidence[edge]), edge)):
        end = int(ends_at[edge])
        if columns.label(end) != "External":
            found.setdefault(end, edge)
    ordered = sorted(
        found,
        key=lambda end: (
            not outward and bool(columns.own(end, "is_test")),
            -float(columns.confidence[found[end]]),
            columns.path(end),
            int(columns.line[found[end]]),
        ),
    )
    rows = []
    for end in ordered[:most]:
        edge = found[end]
        place = columns.path(node if outward else end)
        rows.append(
            CallHit(
                columns.id(end), place, int(columns.line[edge]), 1, float(columns.confidence[edge]), columns.how(edge)
            )
        )
    return rows, len(ordered)


def tests(columns: GraphColumns, reach: TestReach, node: int) -> list[str]:
    """The tests that reach the symbol, nearest first."""
    return [columns.id(test) for test in reach.of(node) if test != node]


def requirements(columns: GraphColumns, node: int) -> list[int]:
    """The requirements that the symbol, its class or its file implements."""
    return requirements_of(columns, node)


def designs(columns: GraphColumns, node: int, of: list[int]) -> list[int]:
    """The designs that the symbol follows, and those that satisfy the requirements `of` it."""
    found = ends(columns, [node], "FOLLOWS_DESIGN", outward=True) if columns.label(node) != "File" else []
    return list(dict.fromkeys([*found, *ends(columns, of, "SATISFIES", outward=False)]))


def titled(columns: GraphColumns, node: int) -> Titled:
    return Titled(columns.id(node), (columns.own(node, "title") or columns.name(node))[:_TITLE])
