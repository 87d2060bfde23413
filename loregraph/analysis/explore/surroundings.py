"""What is around a symbol: the surest callers and callees, tests, requirements and designs."""

from __future__ import annotations

from itertools import islice
from typing import Final

from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.changes.view import requirements_of
from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.component_lookup import ends
from loregraph.analysis.explore.answer import Titled
from loregraph.graph.columns import GraphColumns
from loregraph.graph.endpoint_hops import hops
from loregraph.graph.groups import group_of
from loregraph.graph.queries import CallHit

MOST_READ: Final = 5_000
"""Edges looked at for one list."""
TEST_CALLERS: Final = 2
_TITLE: Final = 120
"""Characters shown of a title."""


def calls(columns: GraphColumns, roles: CodeRoles, node: int, *, outward: bool, most: int) -> tuple[list[CallHit], int]:
    """The `most` surest direct callers or callees (`outward`) in the project, and how many there are.

    Of callers in tests there are at most `TEST_CALLERS`, after the others: the tests are listed as such. A constructor
    stands for its class only where that is not there itself.
    """
    nodes = group_of(columns, node, columns.id(node))
    at = columns.out if outward else columns.into
    ends_at = columns.target if outward else columns.source
    edges = [(edge, int(ends_at[edge])) for one in nodes for edge in at(one, "CALLS")[:MOST_READ].tolist()]
    steps = (hop for one in nodes for hop in hops(columns, one, outward=outward))
    edges += [(hop.edge, hop.end) for hop in islice(steps, MOST_READ)]
    surest: dict[int, int] = {}
    for edge, end in sorted(edges, key=lambda one: (-float(columns.confidence[one[0]]), one[0])):
        if columns.label(end) != "External" and end not in nodes:
            surest.setdefault(end, edge)

    if outward:
        for end in [end for end in surest if columns.kind(end) == "constructor"]:
            if surest.keys() & set(columns.source[columns.into(end, "CONTAINS")].tolist()):
                del surest[end]

    def order(end: int) -> tuple[bool, float, str, int]:
        edge = surest[end]
        in_test = not outward and roles.is_test(end)
        return in_test, -float(columns.confidence[edge]), columns.path(end), int(columns.line[edge])

    ordered = sorted(surest, key=order)
    tested = [end for end in ordered if not outward and roles.is_test(end)]
    shown = ordered[: min(most, len(ordered) - len(tested) + TEST_CALLERS)]
    rows = [
        CallHit(
            columns.id(end),
            columns.path(node if outward else end),
            int(columns.line[surest[end]]),
            1,
            float(columns.confidence[surest[end]]),
            columns.how(surest[end]),
            columns.lines(surest[end]),
            endpoint=columns.id(int(columns.target[surest[end]])) if columns.rel(surest[end]) == "REQUESTS" else "",
            unseen=int(columns.unseen[surest[end]]),
        )
        for end in shown
    ]
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
