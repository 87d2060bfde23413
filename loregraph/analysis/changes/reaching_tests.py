"""Finds the tests that reach a piece of code."""

from __future__ import annotations

from typing import Final

from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import is_only_of_runs

CALLS_TO_A_TEST: Final = 3
"""Maximum calls between a test and code that it counts for."""
_LOOKED_AT: Final = 2_000
"""Maximum callers examined for one piece of code."""


class TestReach:
    """Caches its answers: adjacent code shares most of its paths to tests."""

    def __init__(self, columns: GraphColumns) -> None:
        self._columns = columns
        self._known: dict[int, dict[int, int]] = {}

    def of(self, node: int) -> dict[int, int]:
        """Test → number of calls between it and `node`, 0 for a direct call; nearest first.

        Tests that only a run showed to reach it come last, with CALLS_TO_A_TEST; where no run measured `node` as it is,
        those that ran its callers do.
        """
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._walked(node)
        return found

    def way(self, node: int) -> list[int]:
        """`node` and the functions that reach it within the maximum distance of a test, nearest first."""
        columns = self._columns
        found = [node]
        if columns.kind(node) == "constructor":
            found += columns.source[columns.into(node, "CONTAINS")].tolist()
        seen, frontier = set(found), found
        for _ in range(CALLS_TO_A_TEST):
            callers = [end for one in frontier for end in columns.source[columns.into(one, "CALLS")].tolist()]
            frontier = [one for one in dict.fromkeys(callers) if one not in seen and columns.label(one) == "Function"]
            seen.update(frontier)
            found = [*found, *frontier]
            if not frontier or len(seen) > _LOOKED_AT:
                break
        return found

    def _walked(self, node: int) -> dict[int, int]:
        columns = self._columns
        found: dict[int, int] = {}
        ran: dict[int, int] = {}
        is_measured = columns.own(node, "executed") is not None
        frontier = [node]
        if columns.kind(node) == "constructor":  # called through its class
            frontier += columns.source[columns.into(node, "CONTAINS")].tolist()
        seen = set(frontier)
        for distance in range(CALLS_TO_A_TEST + 1):
            callers: dict[int, None] = {}
            for one in frontier:
                for edge in columns.into(one, "TESTS").tolist():
                    test = int(columns.source[edge])
                    if not is_only_of_runs(columns.how(edge)):
                        found.setdefault(test, distance)
                    elif not distance or not is_measured:
                        ran.setdefault(test, CALLS_TO_A_TEST)
                callers.update(dict.fromkeys(columns.source[columns.into(one, "CALLS")].tolist()))
            frontier = [one for one in callers if one not in seen and columns.label(one) == "Function"]
            seen.update(frontier)
            if not frontier or len(seen) > _LOOKED_AT:
                break
        return {**found, **{test: distance for test, distance in ran.items() if test not in found}}
