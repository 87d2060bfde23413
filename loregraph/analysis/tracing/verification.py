"""Verifies requirements by the results of their tests.

A test case of a report is matched with a test function of the graph by names: `classname` and `name` together are, in
every dialect, the end of a qualified name, or end with one (a source root more or less). Parameters and subtests after
the name are cut off. A test without a name of its own (`it("adds", () => …)`) is matched by its title, which is read
from its first lines. An ambiguous case is matched with none, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.component_lookup import ends
from loregraph.analysis.tracing.junit import FAILED, NOT_RUN, PASSED, SKIPPED, CaseResult
from loregraph.analysis.tracing.refinement import Parts, parts_of, upward
from loregraph.analysis.tracing.traces import EXERCISES, CodeLink, RequirementTrace
from loregraph.graph.columns import GraphColumns

WORST_FIRST: Final = (FAILED, PASSED, SKIPPED)
"""Precedence among several results: one failure decides, one pass outweighs skipped ones."""
_NAME: Final = re.compile(r"[\w$.:]+")
_PARTS: Final = re.compile(r"[^\w]+")
_TITLE: Final = re.compile(
    r"""\b(?:it|test|specify|fit|xit|xtest|bench)\b[\w.]*\s*(?:\([^()]*\)\s*)?\(\s*(['"`])(.+?)\1""", re.S
)
_TITLE_LINES: Final = 3
"""Lines around the start of a test that are searched for its title."""


class RunOutcomes(NamedTuple):
    """Id of a test → what came of it in runs that were imported, as far as its file is as it was; `outdated` is the
    number of the others."""

    by_test: Mapping[str, str]
    outdated: int = 0


Lines = Callable[[str], Sequence[str]]
"""The lines of the file with an id."""


class Joined(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of matching: the numbers of cases and of matched ones, and the names of the others. `runs`: the cases
    are those of runs that were imported, of which `outdated` are of tests whose file has changed since."""

    cases: int
    joined: int
    unjoined: tuple[str, ...]
    runs: bool = False
    outdated: int = 0


def source_lines(root: Path) -> Lines:
    """Reads files below `root`; no lines for an unreadable one."""

    def lines(path: str) -> Sequence[str]:
        try:
            return (root / path).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ()

    return lines


# Implements REQ-TRC-006.
def verify(
    columns: GraphColumns, traces: Iterable[RequirementTrace], cases: Sequence[CaseResult], lines: Lines
) -> tuple[list[RequirementTrace], Joined]:
    """`traces` with the results of their tests."""
    results, joined = join(columns, cases, lines)
    return judged(columns, traces, results), joined


# Implements REQ-RUN-018.
def verify_by_runs(
    columns: GraphColumns, traces: Iterable[RequirementTrace], outcomes: RunOutcomes
) -> tuple[list[RequirementTrace], Joined]:
    """The same by the results of runs that were imported."""
    nodes = {test: columns.find_id(test) for test in outcomes.by_test}
    results = {node: outcomes.by_test[test] for test, node in nodes.items() if node is not None}
    lost = tuple(test for test, node in nodes.items() if node is None)
    outdated = outcomes.outdated
    joined = Joined(cases=len(nodes) + outdated, joined=len(results), unjoined=lost, runs=True, outdated=outdated)
    return judged(columns, traces, results), joined


def judged(
    columns: GraphColumns, traces: Iterable[RequirementTrace], results: Mapping[int, str]
) -> list[RequirementTrace]:
    """`traces` by the results of test functions."""
    roles = CodeRoles(columns)

    def result_of(link: CodeLink) -> str:
        node = columns.find_id(link.id)
        own = [] if node is None else [one for one in (node, *roles.tests_within(node)) if one in results]
        return worst(results[one] for one in own)

    verified = []
    for trace in traces:
        tests = tuple(msgspec.structs.replace(test, result=result_of(test)) for test in trace.tests)
        verified.append(msgspec.structs.replace(trace, tests=tests, verified=state(tests)))
    return with_parts(verified, parts_of(columns))


def with_parts(traces: Sequence[RequirementTrace], parts: Parts) -> list[RequirementTrace]:
    """`traces` of all requirements; those that no test names are judged by what refines them: failed where one counted
    part failed, passed where all of them passed."""
    counted = {one.id for one in traces if one.counted}
    own = {one.id for one in traces if one.is_named_by_tests}
    failed = upward((one.id for one in traces if one.verified == FAILED), parts, counted, own=own, by_one=True)
    passed = upward((one.id for one in traces if one.verified == PASSED), parts, counted, own=own)
    return [
        msgspec.structs.replace(
            one, verified=FAILED if one.id in failed else PASSED if one.id in passed else one.verified
        )
        for one in traces
    ]


def state(tests: Iterable[CodeLink]) -> str:
    """The state of a requirement by the tests that name it. Where none does it has failed if one of those that test its
    code did; that they passed does not verify it."""
    tests = tuple(tests)
    named = [test.result for test in tests if test.how != EXERCISES]
    failed = any(test.result == FAILED for test in tests)
    return worst(named) if named else FAILED if failed else NOT_RUN


def worst(results: Iterable[str]) -> str:
    found = set(results)
    return next((result for result in WORST_FIRST if result in found), NOT_RUN)


def join(columns: GraphColumns, cases: Sequence[CaseResult], lines: Lines) -> tuple[dict[int, str], Joined]:
    """The result of each test function with a case, and what became of the cases."""
    joiner = CaseMatcher(columns, lines)
    found: dict[int, str] = {}
    lost: dict[str, None] = {}
    for case in cases:
        nodes = joiner.nodes(case)
        if not nodes:
            lost[f"{case.classname}::{case.name}" if case.classname else case.name] = None
        for node in nodes:
            found[node] = worst(filter(None, (found.get(node), case.outcome)))
    return found, Joined(cases=len(cases), joined=sum(bool(joiner.nodes(c)) for c in cases), unjoined=tuple(lost))


class CaseMatcher:
    def __init__(self, columns: GraphColumns, lines: Lines) -> None:
        self.columns = columns
        self.lines = lines
        self.roles = CodeRoles(columns)
        self._known: dict[tuple[str, ...], tuple[int, ...]] = {}

    def nodes(self, case: CaseResult) -> tuple[int, ...]:
        """The functions that `case` is a run of: one, or several overloads."""
        key = (case.file, case.classname, case.name, *case.suites)
        if key not in self._known:
            self._known[key] = tuple(self.by_name(case) or self.by_title(case))
        return self._known[key]

    def by_name(self, case: CaseResult) -> list[int]:
        match = _NAME.match(case.name)
        rest = case.name[match.end() :] if match else ""
        if match is None or (rest and rest[0] not in "([{/# "):
            return []
        words = parts(match.group())
        wanted = (*parts(case.classname), *words)
        candidates = self.named.get(words[-1], []) if words else []
        in_file = self.in_files(candidates, self.files_of(case, case.file))
        if rest.startswith(" ") and not in_file and not case.classname:
            return []  # a sentence, not a name
        fits: dict[int, list[int]] = {}
        for node in in_file or candidates:
            own = parts(self.columns.qualified_name(node))
            common = common_end(own, wanted)
            if common >= min(len(own), len(wanted)) or (in_file and common >= 1):
                fits.setdefault(common, []).append(node)
        best = fits[max(fits)] if fits else []
        return one_of(self.columns, best) or self.inherited(case, words)

    def inherited(self, case: CaseResult, words: tuple[str, ...]) -> list[int]:
        """A test method that the case's class inherits."""
        wanted = (*parts(case.classname), *words[:-1])
        classes = [
            node
            for node in (self.columns.find_name(wanted[-1]) if wanted else ())
            if self.columns.label(node) == "Class"
            and (own := parts(self.columns.qualified_name(node)))
            and common_end(own, wanted) >= min(len(own), len(wanted))
        ]
        for cls in classes if len(classes) == 1 else ():
            bases = [cls]
            for base in bases:
                members = ends(self.columns, [base], "CONTAINS", outward=True)
                if found := [node for node in members if self.columns.name(node) == words[-1]]:
                    return found
                bases += [one for one in ends(self.columns, [base], "EXTENDS", outward=True) if one not in bases]
        return []

    def by_title(self, case: CaseResult) -> list[int]:
        """A test without a name: of those in the case's file, where that is known, the one with the longest title that
        the case's name ends with."""
        files = self.files_of(case, case.file, case.classname, *reversed(case.suites))
        near = [entry for entry in self.titled if not files or self.columns.path(entry[1]) in files]
        fits = [(len(title), node) for title, node in near if ends_with(case.name, title)]
        longest = max((length for length, _ in fits), default=0)
        best = [node for length, node in fits if length == longest]
        return best if len(best) == 1 else []

    def files_of(self, case: CaseResult, *texts: str) -> set[str]:
        """The test files denoted by the first of `texts` that denotes any."""
        for text in texts:
            wanted = text.replace("\\", "/").removeprefix("./")
            found = {
                path
                for path in self.paths.get(wanted.rpartition("/")[2], ())
                if path == wanted or path.endswith(f"/{wanted}") or wanted.endswith(f"/{path}")
            }
            if found:
                return found
        return set()

    def in_files(self, nodes: Iterable[int], files: set[str]) -> list[int]:
        return [node for node in nodes if self.columns.path(node) in files]

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """Name → the functions that are tests; only names with tests."""
        found: dict[str, list[int]] = {}
        for node in self.roles.functions:
            found.setdefault(self.columns.name(node), []).append(node)
        return found

    @cached_property
    def paths(self) -> Mapping[str, list[str]]:
        """Last part of the path → paths, of files with tests."""
        found: dict[str, list[str]] = {}
        for path in sorted({self.columns.path(node) for node in self.roles.functions}):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def titled(self) -> list[tuple[str, int]]:
        """(title, test) of every test without a name of its own."""
        columns = self.columns
        found: list[tuple[str, int]] = []
        read: dict[str, Sequence[str]] = {}
        for node in self.roles.functions:
            if columns.name(node).startswith("<"):
                path, first = columns.path(node), int(columns.start_line[node])
                if path not in read:
                    read[path] = self.lines(path)
                if title := title_at(read[path], first):
                    found.append((title, node))
        return found


def title_at(lines: Sequence[str], first: int) -> str:
    """The title of the test whose function begins in line `first` (1-based); "" where there is no readable one."""
    for start in range(first, max(0, first - _TITLE_LINES), -1):
        text = "\n".join(lines[start - 1 : first])
        if found := list(_TITLE.finditer(text)):
            return found[-1].group(2)
    return ""


def parts(name: str) -> tuple[str, ...]:
    """The words of a dotted name in any language: `a.b::C$D` → a, b, C, D."""
    return tuple(filter(None, _PARTS.split(name)))


def common_end(a: Sequence[str], b: Sequence[str]) -> int:
    """How many last words two names share."""
    count = 0
    for x, y in zip(reversed(a), reversed(b), strict=False):
        if x != y:
            break
        count += 1
    return count


def ends_with(name: str, title: str) -> bool:
    """Whether a case's name is the title, alone or after those of its groups."""
    head = name.removesuffix(title)
    return name == title or (len(head) < len(name) and not head[-1:].isalnum())


def one_of(columns: GraphColumns, nodes: Sequence[int]) -> list[int]:
    """`nodes` if they are one function and its overloads, else none."""
    names = {columns.id(node).partition("#")[0] for node in nodes}
    return list(nodes) if len(names) == 1 else []
