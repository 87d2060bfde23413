"""How many calls might lead a test to code that none is seen to reach: what stands between "no test" and "none seen".

For a function and those that are known to call it, within as many calls as a test may be away: in each file that has
calls of which it is not known what they reach, the calls that are written with one of their names, less those that the
graph knows. Never more than the unresolved calls of the file. So 0 says that nothing that is written by name is
missing, and another number how much of the way the graph cannot see; a call under another name (a handler out of a
table, a subclass found at run time) is in neither.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from loregraph.analysis.changes.call_sites import sites
from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import calls_by_file

_LEAST_NAME = 2
"""Letters of a name that is looked for."""


def unseen_calls(
    columns: GraphColumns, reach: TestReach, nodes: Iterable[int], lines: Callable[[str], Sequence[str]]
) -> dict[int, int]:
    """Node → unresolved calls on the way from tests to it, those without left out. Reads files that have any, once."""
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
    """Path → how many of its calls by each name have an edge."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for node, name in enumerate(columns.all_names()):
        if name in names:
            for edge in columns.into(node, "CALLS").tolist():
                found[columns.path(int(columns.source[edge]))][name] += int(columns.count[edge])
    return found
