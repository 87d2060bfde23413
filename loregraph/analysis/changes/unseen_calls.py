"""Counts the calls by which an unseen test might reach code without a known test: the difference between "untested" and
"no test found".

For a function and its known callers, within the maximum distance of a test: in each file with unresolved calls, the
calls written with one of their names, minus those that have an edge. Never more than the file's unresolved calls. So 0
means that no call by name is missing, another number how many might be. Calls under other names (a handler from a
table, a subclass found at run time) are not counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from loregraph.analysis.changes.call_sites import sites
from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import calls_by_file

_LEAST_NAME = 2
"""Minimum letters of a name."""


def unseen_calls(
    columns: GraphColumns, reach: TestReach, nodes: Iterable[int], lines: Callable[[str], Sequence[str]]
) -> dict[int, int]:
    """Node → number of unresolved calls on the way from tests to it, if any. Reads files with unresolved calls,
    once."""
    names = {node: {name for one in reach.way(node) if len(name := columns.name(one)) >= _LEAST_NAME} for node in nodes}
    wanted = {name for own in names.values() for name in own if name[:1] != "<"}
    if not wanted:
        return {}
    known = _known(columns, wanted)
    found: dict[str, tuple[Counter[str], int]] = {}
    for path, calls in calls_by_file(columns).items():
        if calls["unresolved"]:
            missing = Counter(sites(lines(path), wanted)) - known[path]
            if missing:
                found[path] = missing, calls["unresolved"]
    told = {
        node: sum(min(most, sum(missing[name] for name in own)) for missing, most in found.values())
        for node, own in names.items()
    }
    return {node: number for node, number in told.items() if number}


def _known(columns: GraphColumns, names: set[str]) -> defaultdict[str, Counter[str]]:
    """Path → number of its calls with an edge, by name."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for node, name in enumerate(columns.all_names()):
        if name in names:
            for edge in columns.into(node, "CALLS").tolist():
                found[columns.path(int(columns.source[edge]))][name] += int(columns.count[edge])
    return found
