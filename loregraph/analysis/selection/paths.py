"""Tests that the graph leads to from code, with how probable it is that they execute it.

A walk backwards over calls, references and inheritance: the probability of a path is the product of those of its steps
(Dijkstra's algorithm on their logarithms), so that a test counts by its best path. A step's weight says how often code
that is reached in this way is executed with what it is reached from.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from loregraph.analysis.code_roles import CodeRoles
from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import by_run

_CALL: Final = 0.9
"""Times the confidence of the call, and divided by the root of how many targets there are at its line."""
_REFERENCE: Final = 0.25
_FIXTURE: Final = 0.95
"""A test that names a fixture."""
_SUBCLASS: Final = 0.3
_OVERRIDDEN: Final = 0.3
"""Callers of the method that this one overrides."""
_AROUND: Final = 0.5
"""A function within another one."""
_SETUP: Final = 0.1
"""What a framework calls around tests."""
_LOADED: Final = 0.1
"""Tests of a file of tests, or of a class, that does it when it is loaded, and of files that import such a file."""
_IMPLICIT: Final = 0.15
"""A method that the language or code outside calls: users of its class."""
LEAST: Final = 0.03
"""Probability of a path below which a test is not selected unless everything is."""
MOST: Final = 200_000
"""Nodes that one walk visits."""


class Path(Struct, frozen=True):
    """`nodes` are those between a test and the code, the test first, the code last."""

    probability: float
    nodes: tuple[int, ...]


class Paths:
    """Finds the tests of code; numbers of the graph are kept from one question to the next."""

    def __init__(self, columns: GraphColumns, roles: CodeRoles) -> None:
        self._columns = columns
        self._roles = roles
        self._targets: dict[int, Counter[int]] = {}
        self._outside: dict[int, bool] = {}
        self.was_cut = False
        """Whether a walk ended at `MOST` nodes."""

    def of(self, starts: Iterable[int], least: float = LEAST) -> dict[int, Path]:
        """Test → its most probable path to one of `starts`, for paths of at least the probability `least`."""
        best: dict[int, float] = dict.fromkeys(starts, 0.0)
        towards: dict[int, int] = {}
        done: set[int] = set()
        queue = [(0.0, node) for node in best]
        heapq.heapify(queue)
        limit = -math.log(least) if least > 0 else math.inf
        while queue:
            if len(done) >= MOST:
                self.was_cut = True
                break
            cost, node = heapq.heappop(queue)
            if node in done:
                continue
            done.add(node)
            for before, weight in self._steps(node):
                total = cost - math.log(weight)
                if total <= limit and total < best.get(before, math.inf):
                    best[before], towards[before] = total, node
                    heapq.heappush(queue, (total, before))
        columns = self._columns
        return {
            node: Path(math.exp(-best[node]), tuple(_way(node, towards)))
            for node in sorted(done)
            if columns.label(node) == "Function" and columns.own(node, "is_test")
        }

    def _steps(self, node: int) -> Iterator[tuple[int, float]]:
        """What may execute `node`, and with which probability where it runs."""
        columns = self._columns
        for edge in columns.into(node).tolist():
            source = int(columns.source[edge])
            match columns.rel(edge):
                case "CALLS":
                    yield source, _CALL * max(0.1, float(columns.confidence[edge])) / self._choice(edge, source)
                case "TESTS":
                    yield source, 1.0 if by_run(columns.how(edge)) else _CALL
                case "REFERENCES":
                    yield source, _FIXTURE if columns.how(edge) == "fixture" else _REFERENCE
                case "EXTENDS" | "IMPLEMENTS":
                    yield source, _SUBCLASS
                case "CONTAINS":
                    yield from self._around(node, source)
                case "IMPORTS" if self._roles.is_test_file(columns.path(node)) and columns.label(source) == "File":
                    yield source, _LOADED
        for edge in columns.out(node, "OVERRIDES").tolist():
            yield int(columns.target[edge]), _OVERRIDDEN
        if columns.label(node) in ("File", "Class") and self._roles.is_test(node):
            yield from ((test, _LOADED) for test in self._roles.tests_within(node))
        if self._is_called_by_framework(node):
            yield from ((test, _SETUP) for test in self._tests_around(node))

    def _choice(self, edge: int, source: int) -> float:
        counts = self._targets.get(source)
        if counts is None:
            columns = self._columns
            counts = self._targets[source] = Counter(
                line for call in columns.out(source, "CALLS").tolist() for line in columns.lines(call)
            )
        return math.sqrt(min((counts[line] for line in self._columns.lines(edge)), default=1))

    def _around(self, node: int, owner: int) -> Iterator[tuple[int, float]]:
        columns = self._columns
        label = columns.label(owner)
        if columns.label(node) == "Class":
            if label == "Function":
                yield owner, _CALL  # the statement of a class runs with what it stands in
        elif columns.label(node) != "Function":
            return
        elif label == "Function":
            yield owner, _AROUND
        elif label == "Class" and not self._roles.tests_within(owner):
            if columns.kind(node) == "constructor":
                yield owner, 1.0
            elif self.is_implicit(node, owner) or not self._has_users(node):
                yield owner, _IMPLICIT

    def is_implicit(self, node: int, owner: int) -> bool:
        """Whether the language, or a base outside the project, may call the method `node` of the class `owner`."""
        name = self._columns.name(node)
        return (name.startswith("__") and name.endswith("__")) or self._is_of_class_outside(owner)

    def _has_users(self, node: int) -> bool:
        """Whether anything is seen to call a method or to pass it on: what nobody does is called by a name that code
        puts together, from a table, or by a framework."""
        columns = self._columns
        return (
            any(len(columns.into(node, rel)) for rel in ("CALLS", "REFERENCES"))
            or len(columns.out(node, "OVERRIDES")) > 0
        )

    def _is_of_class_outside(self, node: int) -> bool:
        """Whether a class has, at any depth, a base that is not in the project: whose methods may call its own."""
        known = self._outside.get(node)
        if known is None:
            self._outside[node] = False  # for circles
            columns = self._columns
            bases = [
                int(columns.target[edge])
                for rel in ("EXTENDS", "IMPLEMENTS")
                for edge in columns.out(node, rel).tolist()
            ]
            known = self._outside[node] = any(
                columns.label(base) == "External" or self._is_of_class_outside(base) for base in bases
            )
        return known

    def _is_called_by_framework(self, node: int) -> bool:
        """Whether nothing in the project calls a function of test code that is no test: set-up, hooks, fixtures that
        tests need not name."""
        columns = self._columns
        return (
            columns.label(node) == "Function"
            and not columns.own(node, "is_test")
            and self._roles.is_test_file(columns.path(node))
            and not self._has_users(node)
        )

    def _tests_around(self, node: int) -> list[int]:
        """The tests of the class or file that `node` is in; of a file without any, those of its folder."""
        columns = self._columns
        owners = columns.source[columns.into(node, "CONTAINS")].tolist()
        found = self._roles.tests_within(owners[0]) if owners else []
        if found or not owners or columns.label(owners[0]) != "File":
            return list(found)
        return tests_below(columns, columns.path(node).rpartition("/")[0])


def tests_below(columns: GraphColumns, folder: str) -> list[int]:
    """The tests of all files in `folder` and below, by number; "" is the root."""
    first, last = columns.ids_with(f"{folder}/" if folder else "")
    return [node for node in range(first, last) if columns.label(node) == "Function" and columns.own(node, "is_test")]


def _way(node: int, towards: dict[int, int]) -> Iterator[int]:
    yield node
    while node in towards:
        node = towards[node]
        yield node
