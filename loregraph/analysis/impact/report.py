"""The report on a change: call sites, methods that override or are overridden, tests, requirements and memories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.changes.view import requirements_of
from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.component_lookup import around
from loregraph.analysis.explore.answer import Titled
from loregraph.analysis.explore.surroundings import titled
from loregraph.analysis.history.suggesting import ChangesWith
from loregraph.analysis.selection.known import ran
from loregraph.analysis.token_count import CHARACTERS, size
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns
from loregraph.graph.groups import group_of
from loregraph.graph.imported import OBSERVED

MOST_SYMBOLS: Final = 200
"""Changed symbols that a report is about: those with the most callers."""
MOST_SITES: Final = 1_000
MOST_TESTS: Final = 8
"""Tests listed beyond those that call a changed symbol themselves."""
MOST_DIRECT_TESTS: Final = 20
MOST_OTHERS: Final = 100
REFERENCE_CONFIDENCE: Final = 0.5
"""Of a reference that is no call: passed on as a value, a function may be called anywhere, with other arguments."""
_USES: Final = {"CALLS": "", "REFERENCES": "references"}
_VARIANTS: Final = (("OVERRIDES", False, "overrides"), ("OVERRIDES", True, "overridden"))
_SUBTYPES: Final = (("EXTENDS", False, "extends"), ("IMPLEMENTS", False, "implements"))


class CallSite(Struct, frozen=True, omit_defaults=True):
    """`id` uses a changed symbol at `lines` of its file. `confidence` and `how` are those of the edge; `how` is
    "references" where it is named and not called. `symbol` is the one used, where several change."""

    id: str
    file_path: str
    lines: tuple[int, ...]
    confidence: float
    how: str
    symbol: str = ""


class Variant(Struct, frozen=True):
    """A method that overrides or implements a changed one ("overrides"), or is overridden by it ("overridden"), or a
    class that "extends" or "implements" a changed one, at `line` of its file."""

    id: str
    line: int
    how: str


class TestToRun(Struct, frozen=True, omit_defaults=True):
    """A test that calls a changed symbol, or does so through `distance` other calls. `how` is "observed" or "coverage"
    where a run showed that it executes one, "" else."""

    id: str
    distance: int = 0
    how: str = ""


class ImpactReport(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The report. The surest and nearest of each come first; `more` says how many there are beyond those listed, by the
    list's name.

    `unresolved_calls`: so many calls at most, of those whose targets are unknown, may be of a changed symbol, since its
    name is mentioned near them. `changes_with` are suggestions, from history among others, and no edges. `symbols` are
    the changed ones where not one was named; `stale` are the files, among those of the report, that changed since they
    were indexed.
    """

    call_sites: tuple[CallSite, ...]
    overrides: tuple[Variant, ...]
    tests: tuple[TestToRun, ...]
    requirements: tuple[Titled, ...]
    memories: tuple[Remembered, ...]
    unresolved_calls: int
    changes_with: tuple[ChangesWith, ...] = ()
    symbols: tuple[str, ...] = ()
    more: dict[str, int] = {}
    stale: tuple[str, ...] = ()


# Implements REQ-CLI-023.
def report(
    columns: GraphColumns,
    roles: CodeRoles,
    starts: Sequence[int],
    mentions: Callable[[str], Iterable[int]],
    memories: Callable[[str], Iterable[Remembered]],
) -> ImpactReport:
    """The report on a change of the nodes `starts`. `mentions` gives the nodes whose text has a name, `memories` those
    about an id, in short."""
    all_starts = sorted(starts, key=lambda node: (-len(columns.into(node, "CALLS")), node))
    kept = all_starts[:MOST_SYMBOLS]
    groups = {start: group_of(columns, start, columns.id(start)) for start in kept}
    inside = {node for group in groups.values() for node in group}
    sites = _call_sites(columns, roles, groups, named=len(kept) > 1)
    variants = _variants(columns, inside)
    tests = _tests(columns, inside)
    direct = sum(test.distance == 0 for test in tests)
    needed = list(dict.fromkeys(one for start in kept for one in requirements_of(columns, start)))
    written = list({one.memory_id: one for start in kept for one in memories(columns.id(start))}.values())
    lists: dict[str, tuple[Sequence[Any], int]] = {
        "call_sites": (sites, MOST_SITES),
        "overrides": (variants, MOST_OTHERS),
        "tests": (tests, min(max(direct, MOST_TESTS), MOST_DIRECT_TESTS)),
        "requirements": ([titled(columns, one) for one in needed], MOST_OTHERS),
        "memories": (written, MOST_OTHERS),
        "symbols": ([columns.id(start) for start in sorted(kept)] if len(starts) > 1 else [], MOST_OTHERS),
    }
    shown = {name: tuple(rows[:most]) for name, (rows, most) in lists.items()}
    more = {name: len(rows) - len(shown[name]) for name, (rows, _) in lists.items() if len(rows) > len(shown[name])}
    if len(all_starts) > len(kept):
        more["symbols"] = len(all_starts) - len(shown["symbols"])
    return ImpactReport(**shown, unresolved_calls=_unresolved(columns, roles, inside, mentions), more=more)


def fitted(columns: GraphColumns, roles: CodeRoles, whole: ImpactReport, max_tokens: int) -> ImpactReport:
    """The report within so many tokens: the longest lists are shortened, and what is left out is counted. Of the call
    sites those in tests give way first."""
    limit = max_tokens * CHARACTERS
    lists: dict[str, list[Any]] = {
        name: list(value) for name in whole.__struct_fields__ if isinstance(value := getattr(whole, name), tuple)
    }
    spare = [
        one for one in lists["call_sites"] if (node := columns.find_id(one.id)) is not None and roles.is_test(node)
    ]
    more = dict(whole.more)
    made = whole
    while (over := size(made) - limit) > 0:
        # Call sites are what the report is for: they give way last.
        weights = {name: size(rows) // (3 if name == "call_sites" else 1) for name, rows in lists.items() if rows}
        if not weights:
            break
        longest = max(weights, key=lambda name: (weights[name], name))
        rows, dropped = lists[longest], 0
        while rows and dropped < min(over, 1 + weights[longest] // 4):
            if longest == "call_sites" and spare:
                row = spare.pop()
                rows.remove(row)
            else:
                row = rows.pop()
            dropped += size(row) + 1
            more[longest] = more.get(longest, 0) + 1
        made = replace(whole, **{name: tuple(rows) for name, rows in lists.items()}, more=more)
    return made


def files(found: ImpactReport) -> set[str]:
    """The files that the report rests on."""
    ids = (*found.symbols, *(one.id for rows in (found.overrides, found.tests) for one in rows))
    return {*(one.file_path for one in found.call_sites), *(id.partition("::")[0] for id in ids)}


def _call_sites(
    columns: GraphColumns, roles: CodeRoles, groups: Mapping[int, Sequence[int]], *, named: bool
) -> list[CallSite]:
    """Every use of each group, the surest first; calls before references, the product's before those of tests."""
    found: dict[tuple[int, int], CallSite] = {}
    for start, group in groups.items():
        targets = dict.fromkeys(group)
        if columns.kind(start) == "constructor":  # called through its class
            targets |= dict.fromkeys(columns.source[columns.into(start, "CONTAINS")].tolist())
        for rel, said in _USES.items():
            for target in targets:
                if rel == "REFERENCES" and target not in group:
                    continue
                for edge in columns.into(target, rel).tolist():
                    source = int(columns.source[edge])
                    if said and len(columns.out(source, "CONTAINS")) and source in around(columns, target):
                        continue  # what stands within a function is named where it stands
                    site = CallSite(
                        columns.id(source),
                        columns.path(source),
                        columns.lines(edge),
                        REFERENCE_CONFIDENCE if said else float(columns.confidence[edge]),
                        said or columns.how(edge),
                        columns.id(start) if named else "",
                    )
                    before = found.get((source, start))
                    if before is None:
                        found[source, start] = site
                    elif not said:
                        lines = tuple(sorted({*before.lines, *site.lines}))
                        best = max(before, site, key=lambda one: one.confidence)
                        found[source, start] = replace(best, lines=lines)

    def order(end: tuple[int, int]) -> tuple[float, bool, bool, str, tuple[int, ...], str]:
        one = found[end]
        is_reference = one.how == "references"
        return -one.confidence, is_reference, roles.is_test(end[0]), one.file_path, one.lines, one.id

    return [found[end] for end in sorted(found, key=order)]


def _variants(columns: GraphColumns, inside: set[int]) -> list[Variant]:
    """What overrides, implements or extends the nodes, at any depth, and what they override."""
    found: dict[int, Variant] = {}
    for rel, outward, how in (*_VARIANTS, *_SUBTYPES):
        frontier = sorted(inside)
        seen = set(frontier)
        while frontier and len(found) < MOST_SITES:
            edges = [e for one in frontier for e in (columns.out if outward else columns.into)(one, rel).tolist()]
            ends = (columns.target if outward else columns.source)[edges].tolist()
            frontier = [end for end in dict.fromkeys(ends) if end not in seen and columns.label(end) != "External"]
            seen.update(frontier)
            for end in frontier:
                found.setdefault(end, Variant(columns.id(end), int(columns.start_line[end]), how))
    return list(found.values())


def _tests(columns: GraphColumns, inside: set[int]) -> list[TestToRun]:
    """The tests that reach the nodes: those that were seen to first, then the nearest."""
    reach = TestReach(columns)
    nearest: dict[int, int] = {}
    seen: dict[int, str] = {}
    for node in sorted(inside):
        if columns.own(node, "is_test"):
            nearest[node] = 0
        for test, distance in reach.of(node).items():
            nearest[test] = min(distance, nearest.get(test, distance))
        for one in ran(columns, node):
            seen[one.test] = OBSERVED if OBSERVED in (one.how, seen.get(one.test)) else one.how
    order = sorted(nearest, key=lambda one: (one not in seen, nearest[one], one))
    return [TestToRun(columns.id(test), nearest[test], seen.get(test, "")) for test in order]


def _sought(columns: GraphColumns, roles: CodeRoles, inside: set[int]) -> set[str]:
    """The names under which the nodes may be called: of tests nobody does, and a constructor has the name of its
    class."""
    functions = [node for node in inside if columns.label(node) == "Function" and not roles.is_test(node)]
    classes = {
        end
        for node in functions
        if columns.kind(node) == "constructor"
        for end in columns.source[columns.into(node, "CONTAINS")].tolist()
    }
    named = [node for node in (*functions, *classes) if columns.kind(node) != "constructor"]
    return {name for node in named if (name := columns.name(node)) and not name.startswith(("__", "<"))}


def _unresolved(
    columns: GraphColumns, roles: CodeRoles, inside: set[int], mentions: Callable[[str], Iterable[int]]
) -> int:
    """How many unresolved calls may be of the nodes: by file, the functions that mention a name and have no edge, and
    at most as many as the file has unresolved calls."""
    users = set(inside)
    for node in inside:
        users.update(columns.source[columns.into(node, "CALLS")].tolist())
        users.update(columns.source[columns.into(node, "REFERENCES")].tolist())
    found: dict[str, set[int]] = {}
    for name in sorted(_sought(columns, roles, inside)):
        for one in mentions(name):
            if one not in users and columns.label(one) == "Function":
                found.setdefault(columns.path(one), set()).add(one)
    total = 0
    for path, functions in found.items():
        file = columns.find_id(path)
        if file is not None:
            total += min(len(functions), columns.own(file, "calls_unresolved") or 0)
    return total
