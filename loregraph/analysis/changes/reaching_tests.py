"""Finds the tests that reach a piece of code."""

from __future__ import annotations

from typing import Final

from loregraph.graph.columns import GraphColumns

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
        """Test → number of calls between it and `node`, 0 for a direct call; nearest first."""
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
        frontier = [node]
        if columns.kind(node) == "constructor":  # called through its class
            frontier += columns.source[columns.into(node, "CONTAINS")].tolist()
        seen = set(frontier)
        for distance in range(CALLS_TO_A_TEST + 1):
            callers: dict[int, None] = {}
            for one in frontier:
                for test in columns.source[columns.into(one, "TESTS")].tolist():
                    found.setdefault(test, distance)
                callers.update(dict.fromkeys(columns.source[columns.into(one, "CALLS")].tolist()))
            frontier = [one for one in callers if one not in seen and columns.label(one) == "Function"]
            seen.update(frontier)
            if not frontier or len(seen) > _LOOKED_AT:
                break
        return found
