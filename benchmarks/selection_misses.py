"""Why a test was missed: the calls without an edge on its way to what changed, as the plugin saw it run."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from selection_runs import graph_id, plain

FRAMEWORK = "(pytest or a library)"
Edges = set[tuple[str, str]]


@dataclass(frozen=True)
class Missing:
    """A call that ran without an edge: `line` is that of the call, 0 where no function of the project called."""

    caller: str
    callee: str
    line: int
    kind: str


KINDS = ("call", "attribute", "operator", "iteration", "with", "other")


class Record:
    """What the plugin recorded of each test, folded over its cases."""

    def __init__(self, path: Path) -> None:
        files: list[str] = []
        self.places: list[str] = []
        self.functions: dict[str, set[int]] = {}
        self.calls: dict[str, dict[tuple[int, int], tuple[int, int]]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            if "file" in one:
                files.append(one["file"][0])
            elif "place" in one:
                file, name, _ = one["place"]
                self.places.append(f"{files[file]}::{name}")
            elif one.get("test"):
                test = plain(one["test"])
                self.functions.setdefault(test, set()).update(one["functions"])
                calls = self.calls.setdefault(test, {})
                for caller, callee, at, kind in one["calls"]:
                    calls.setdefault((caller, callee), (at, kind))

    def of_test(self, test: str, ids: frozenset[str], targets: Iterable[str], edges: Edges) -> list[Missing] | None:
        """The same for the first of the test's node ids that ran a target."""
        nodes = [node for node in self.functions if graph_id(node) in ids]
        answers = (self.missing(node, test, targets, edges) for node in nodes)
        return next((answer for answer in answers if answer is not None), None)

    def missing(self, test: str, own: str, targets: Iterable[str], edges: Edges) -> list[Missing] | None:
        """The calls without an edge on the way with the fewest, from `own` or from what pytest or a library called.

        None if the plugin did not see any of the targets run in the test.
        """
        wanted = {number for number in self.functions.get(test, ()) if self.places[number] in {*targets}}
        calls = self.calls.get(test, {})
        called = {callee for _, callee in calls}
        following: dict[int, list[int]] = {}
        for caller, callee in calls:
            following.setdefault(caller, []).append(callee)
        cost: dict[int, int] = {}
        before: dict[int, int | None] = {}
        queue: deque[int] = deque()
        for number in sorted(self.functions.get(test, ())):
            if self.places[number] == own:
                cost[number], before[number] = 0, None
                queue.appendleft(number)
            elif number not in called:
                cost[number], before[number] = 1, None
                queue.append(number)
        while queue:
            number = queue.popleft()
            for other in following.get(number, ()):
                known = (self.places[number], self.places[other]) in edges
                price = cost[number] + (0 if known else 1)
                if price < cost.get(other, 1_000_000):
                    cost[other], before[other] = price, number
                    (queue.appendleft if known else queue.append)(other)
        reached = [number for number in wanted if number in cost]
        if not reached:
            return None
        at: int | None = min(reached, key=lambda number: (cost[number], number))
        found = []
        while at is not None:
            back = before[at]
            if back is None:
                if self.places[at] != own:
                    found.append(Missing(FRAMEWORK, self.places[at], 0, "framework"))
            elif (self.places[back], self.places[at]) not in edges:
                line, kind = calls[back, at]
                found.append(Missing(self.places[back], self.places[at], line, KINDS[kind]))
            at = back
        return found[::-1]


def explained(
    missed: Mapping[str, tuple[str, ...]], ids: Mapping[str, frozenset[str]], record: Record | None, edges: Edges
) -> list[dict[str, object]]:
    """One row a missed test: `missing` are the calls without an edge, null where the record does not say."""
    rows = []
    for test, functions in missed.items():
        why = None if record is None else record.of_test(test, ids[test], functions, edges)
        missing = None if why is None else [vars(one) for one in why]
        rows.append({"test": test, "functions": list(functions), "missing": missing})
    return rows
