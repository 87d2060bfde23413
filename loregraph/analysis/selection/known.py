"""What runs know of tests: which functions each executed, how it ended and how long it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from loregraph.analysis.tracing.junit import FAILED
from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import OBSERVED, RUNS, FileClaims, by_run


class Ran(Struct, frozen=True):
    """How a test was seen to execute something: `how` is OBSERVED or COVERAGE."""

    test: int
    how: str


class Known(Struct, frozen=True):
    """`tests` are those with facts of a run; `failed` those that did not pass when they ran last. `gone` has, for
    functions that are not in the graph any more, the tests that executed them. `seconds` are durations."""

    tests: frozenset[int] = frozenset()
    failed: frozenset[int] = frozenset()
    seconds: Mapping[int, float] = {}
    gone: Mapping[str, tuple[Ran, ...]] = {}


def known(columns: GraphColumns, claims: Iterable[tuple[str, FileClaims]], gone: Iterable[str]) -> Known:
    """What the claims of all runs (key of the source, claims about a file) say. `gone` are ids of functions that the
    change removed or renamed."""
    sought = frozenset(gone)
    failed: set[int] = set()
    seconds: dict[int, float] = {}
    tests: set[int] = set()
    before: dict[str, dict[int, str]] = {}
    for key, own in claims:
        kind = key.partition(":")[0]
        if kind not in RUNS:
            continue
        for one in own.tested:
            node = columns.find_id(one.test)
            if node is None:
                continue
            tests.add(node)
            if one.outcome == FAILED:
                failed.add(node)
            if one.seconds >= 0:
                seconds[node] = max(seconds.get(node, 0.0), one.seconds)
        for claim in own.claims:
            if claim.rel == "TESTS" and claim.target in sought and (node := columns.find_id(claim.source)) is not None:
                ways = before.setdefault(claim.target, {})
                ways[node] = OBSERVED if OBSERVED in (kind, ways.get(node)) else kind
    tests |= _with_edges(columns)
    return Known(
        frozenset(tests),
        frozenset(failed),
        seconds,
        {id: tuple(Ran(node, how) for node, how in sorted(ways.items())) for id, ways in before.items()},
    )


def ran(columns: GraphColumns, node: int) -> list[Ran]:
    """The tests that a run saw executing the function `node`."""
    found = []
    for edge in columns.into(node, "TESTS").tolist():
        how = by_run(columns.how(edge))
        if how:
            found.append(Ran(int(columns.source[edge]), how))
    return found


def _with_edges(columns: GraphColumns) -> set[int]:
    return {int(columns.source[edge]) for edge in columns.edges("TESTS").tolist() if by_run(columns.how(edge))}
