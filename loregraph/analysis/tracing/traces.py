"""Traces each requirement to code, tests, designs and memories in the graph.

A link is an IMPLEMENTS_REQ edge: one from product code implements the requirement, one from test code tests it. An edge
from a bare mention is no link; mentions are listed separately, and count only if requested by a minimum confidence. A
test with a TESTS edge to an implementing function or class, or to a member of one, tests the requirement too; one that
touches anything in an implementing file or component does not: that is too weak. Nor does one of which a run only
shows that the code ran in it: see `tracing.execution`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.tracing.execution import EXECUTED, Execution, execution, is_a_call
from loregraph.analysis.tracing.refinement import parts_of, upward
from loregraph.errors import NotFoundError, NothingToTraceError
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import ACCEPTED, MENTION, Edge
from loregraph.graph.queries import within

EXERCISES: Final = "exercises"
"""`how` of a test without a marker for the requirement: it tests code that implements it."""
SUGGESTED: Final = "suggested"
TEST_CASE: Final = "test_case"
"""`kind` of a Design that is a test case stated in a document."""
WEAK: Final = 0.45
"""Minimum score of a useful suggestion: of 48 first suggestions below it one was right, of those up to .6 a quarter,
above a half. Measured on six sets of requirements with known links during development: not all of them are unseen, so
other projects may differ."""
NOT_COUNTED: Final = frozenset(
    "backlog canceled cancelled deferred deleted deprecated draft future idea inactive obsolete planned postponed "
    "proposed rejected removed replaced retired superseded withdrawn wont wontfix".split()
)
"""Statuses, by their first word, of requirements that need no implementation: not in force yet, or no longer."""


class CodeLink(msgspec.Struct, frozen=True, kw_only=True):
    """Code that implements a requirement, a test of it, or code that mentions it.

    `how` is "marker", "declared", "accepted" or "mention", for a test "exercises" too; `result` is the test's:
    "passed", "failed", "skipped" or "not run", and "" where no results were read.
    """

    id: str
    name: str
    file_path: str
    line: int
    how: str
    confidence: float
    evidence: str
    result: str = ""


class DesignLink(msgspec.Struct, frozen=True, kw_only=True):
    """A design that satisfies a requirement, or that its implementation follows."""

    id: str
    title: str
    kind: str
    status: str
    text: str
    path: str
    line: int
    how: str
    evidence: str


class MemoryLink(msgspec.Struct, frozen=True):
    """A memory about a requirement, or about code that implements it."""

    id: str
    title: str


class SuggestedLink(msgspec.Struct, frozen=True):
    """Code that may implement a requirement, and the reason."""

    id: str
    file_path: str
    score: float
    evidence: str


class RequirementTrace(msgspec.Struct, frozen=True, kw_only=True):
    """One requirement and its links, each list ordered by id; `counted`: it is included in coverage.

    `mentions` name it without declaring that they implement or test it, or have less than the requested confidence:
    they are not counted. `parts` are the ids of requirements that refine it, `parents` those that it refines by its
    document; `implemented` and `tested` are true if it has code, or tests, or all its parts do. `verified` is as
    `CodeLink.result`, "" where no test results were read; `execution` is what runs say of its code; `suggestions` are
    included if requested.
    """

    id: str
    title: str
    text: str
    status: str
    path: str
    line: int
    counted: bool
    implementations: tuple[CodeLink, ...]
    tests: tuple[CodeLink, ...]
    designs: tuple[DesignLink, ...]
    memories: tuple[MemoryLink, ...]
    mentions: tuple[CodeLink, ...] = ()
    parts: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    implemented: bool = False
    tested: bool = False
    verified: str = ""
    execution: Execution = Execution()
    suggestions: tuple[SuggestedLink, ...] | UnsetType = UNSET

    @property
    def is_named_by_tests(self) -> bool:
        """Whether a test declares that it is one of this requirement."""
        return any(test.how != EXERCISES for test in self.tests)

    @property
    def is_only_executed(self) -> bool:
        """Whether it is covered by execution alone: its code ran, and no test names it."""
        return self.execution.state == EXECUTED and not self.is_named_by_tests


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of requirements. `total` are the counted ones; `excluded` are the others, by status; `executed` are those
    covered by execution alone, None where no run says anything of any."""

    implemented: int
    tested: int
    verified: int
    total: int
    excluded: dict[str, int]
    executed: int | None = None

    @property
    def implementation(self) -> float:
        """The share that is implemented, 0 to 1; 1 of none."""
        return _share(self.implemented, self.total)

    @property
    def testing(self) -> float:
        """The share that is tested, 0 to 1; 1 of none."""
        return _share(self.tested, self.total)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 1.0


# Implements REQ-TRC-002.
def trace(
    columns: GraphColumns,
    requirement_id: str | None = None,
    *,
    accepted: Sequence[Edge] = (),
    rejected: Collection[tuple[str, str]] = (),
    min_confidence: float | None = None,
) -> list[RequirementTrace]:
    """The trace of one requirement, or of every one in the order of their documents.

    `accepted` are the links accepted by a person: they count even if the graph does not have them yet. Declarations are
    links; with `min_confidence` (0 to 1) so is everything with at least that confidence, including mentions, except
    those `rejected` as (requirement, code). Raises NothingToTraceError where the graph has no requirement at all,
    NotFoundError for an unknown one.
    """
    wanted = {columns.id(node) for node in chosen(columns, requirement_id)}
    tracer = _Tracer(columns, accepted, rejected, min_confidence)
    # All of them, also for one: its coverage may come from those that refine it.
    traces = [tracer.trace(node) for node in chosen(columns, None)]
    counted = {one.id for one in traces if one.counted}
    implemented = upward((one.id for one in traces if one.implementations), tracer.parts, counted)
    tested = upward((one.id for one in traces if one.tests), tracer.parts, counted)
    return [
        msgspec.structs.replace(one, implemented=one.id in implemented, tested=one.id in tested)
        for one in traces
        if one.id in wanted
    ]


def chosen(columns: GraphColumns, requirement_id: str | None) -> list[int]:
    """The nodes of one requirement, or of all. Raises as `trace` does."""
    nodes: list[int] = columns.nodes("Requirement").tolist()
    if not nodes:
        raise NothingToTraceError(
            "the graph holds no requirement",
            "name the documents that hold them as sources under [requirements] in loregraph.toml, then index",
        )
    if requirement_id is None:
        return sorted(nodes, key=lambda node: (columns.path(node), int(columns.start_line[node]), node))
    node = columns.find_id(requirement_id)
    if node is None or columns.label(node) != "Requirement":
        near = queries.nearest(columns, requirement_id, ("Requirement",))
        hint = f"did you mean {', '.join(near)}?" if near else "leave it out to see every requirement"
        raise NotFoundError(f"requirement_id: there is no requirement {requirement_id!r}", hint)
    return [node]


def is_counted(status: str) -> bool:
    """Whether a requirement of that status is included in coverage; without a status it is."""
    words = re.findall(r"[a-z]+", status.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", ""))
    return not words or words[0] not in NOT_COUNTED


def coverage(traces: Iterable[RequirementTrace]) -> Coverage:
    traces = list(traces)
    counted = [one for one in traces if one.counted]
    excluded: dict[str, int] = {}
    for one in traces:
        if not one.counted:
            status = one.status.strip().lower()
            excluded[status] = excluded.get(status, 0) + 1
    return Coverage(
        implemented=sum(one.implemented for one in counted),
        tested=sum(one.tested for one in counted),
        verified=sum(one.verified == "passed" for one in counted),
        total=len(counted),
        excluded=dict(sorted(excluded.items())),
        executed=sum(one.is_only_executed for one in counted) if any(one.execution.state for one in traces) else None,
    )


class _Tracer:
    def __init__(
        self,
        columns: GraphColumns,
        accepted: Sequence[Edge],
        rejected: Collection[tuple[str, str]],
        min_confidence: float | None,
    ) -> None:
        self.columns = columns
        self.rejected = rejected
        self.min_confidence = min_confidence
        self.roles = CodeRoles(columns)
        self.parts = parts_of(columns)
        self.accepted: dict[str, list[Edge]] = {}
        for edge in accepted:
            self.accepted.setdefault(edge.target, []).append(edge)

    def trace(self, node: int) -> RequirementTrace:
        columns = self.columns
        implementations: dict[int, CodeLink] = {}
        tests: dict[int, CodeLink] = {}
        mentions: dict[int, CodeLink] = {}
        for source, edge in self.links(node):
            if not self.counts(edge):
                mentions[source] = self.link(source, edge)
            else:
                (tests if self.roles.is_test(source) else implementations)[source] = self.link(source, edge)
        for case, link in self.test_cases(node).items():
            tests.setdefault(case, link)
        for test, link in self.exercising(implementations).items():
            tests.setdefault(test, link)
        status = columns.own(node, "status") or ""
        return RequirementTrace(
            id=columns.id(node),
            title=columns.own(node, "title") or columns.name(node),
            text=columns.own(node, "text") or "",
            status=status,
            path=columns.path(node),
            line=int(columns.start_line[node]),
            counted=is_counted(status),
            implementations=in_order(implementations),
            tests=in_order(tests),
            designs=self.designs(node, implementations),
            memories=self.memories(node, implementations),
            mentions=in_order(mentions),
            parts=self.parts.get(columns.id(node), ()),
            parents=tuple(columns.own(node, "parents") or ()),
            execution=execution(columns, implementations),
        )

    def links(self, node: int) -> Iterable[tuple[int, Edge]]:
        """(code, edge) of the links in code and documents, then of additional accepted links."""
        columns = self.columns
        requirement = columns.id(node)
        accepted = {edge.source for edge in self.accepted.get(requirement, ())}
        seen: set[int] = set()
        for number in columns.into(node, "IMPLEMENTS_REQ").tolist():
            edge = columns.edge(number)
            # An accepted link of code that mentions the requirement takes precedence over the mention.
            decided = edge.source in accepted or (requirement, edge.source) in self.rejected
            if edge.how not in (ACCEPTED, SUGGESTED) and not (edge.how == MENTION and decided):
                source = int(columns.source[number])
                seen.add(source)
                yield source, edge
        for edge in self.accepted.get(requirement, ()):
            code = columns.find_id(edge.source)
            if code is not None and code not in seen:
                yield code, edge

    def counts(self, edge: Edge) -> bool:
        """Whether an edge is a link rather than a mention only."""
        if self.min_confidence is None or edge.how == ACCEPTED:
            return edge.how != MENTION
        return edge.confidence >= self.min_confidence

    def link(self, node: int, edge: Edge) -> CodeLink:
        return self.described(node, edge.how, edge.confidence, edge.evidence)

    def described(self, node: int, how: str, confidence: float, evidence: str) -> CodeLink:
        columns = self.columns
        return CodeLink(
            id=columns.id(node),
            name=columns.name(node),
            file_path=columns.path(node),
            line=int(columns.start_line[node]),
            how=how,
            confidence=round(confidence, 3),
            evidence=evidence,
        )

    def exercising(self, implementations: Mapping[int, CodeLink]) -> dict[int, CodeLink]:
        """Tests that call the implementations, by their TESTS edges."""
        columns = self.columns
        reached: dict[int, dict[str, float]] = {}
        for node, link in implementations.items():
            if columns.label(node) not in ("Function", "Class"):
                continue
            for member in within(columns, node):
                for edge in columns.into(member, "TESTS").tolist():
                    if not is_a_call(columns, edge):
                        continue
                    sure = link.confidence * float(columns.confidence[edge])
                    tested = reached.setdefault(int(columns.source[edge]), {})
                    tested[columns.id(member)] = max(sure, tested.get(columns.id(member), 0.0))
        found: dict[int, CodeLink] = {}
        for test, tested in reached.items():
            first = min(tested, key=lambda one: (-tested[one], one))
            more = f" and {len(tested) - 1} more" if len(tested) > 1 else ""
            found[test] = self.described(test, EXERCISES, tested[first], f"tests {first}{more}")
        return found

    def test_cases(self, node: int) -> dict[int, CodeLink]:
        """Test cases stated in documents that refer to the requirement."""
        columns = self.columns
        found: dict[int, CodeLink] = {}
        for number in columns.into(node, "SATISFIES").tolist():
            source, edge = int(columns.source[number]), columns.edge(number)
            if columns.kind(source) == TEST_CASE and edge.how != MENTION:
                found[source] = self.described(source, edge.how, 1.0, edge.evidence)
        return found

    def designs(self, node: int, implementations: Mapping[int, CodeLink]) -> tuple[DesignLink, ...]:
        columns = self.columns
        edges = columns.into(node, "SATISFIES").tolist()
        sources = {int(columns.source[edge]): edge for edge in edges}
        found = {
            source: self.design(edge, source) for source, edge in sources.items() if columns.kind(source) != TEST_CASE
        }
        for code in implementations:
            for edge in columns.out(code, "FOLLOWS_DESIGN").tolist():
                if columns.kind(int(columns.target[edge])) == TEST_CASE:
                    continue
                found.setdefault(int(columns.target[edge]), self.design(edge, int(columns.target[edge])))
        return tuple(found[design] for design in sorted(found))

    def design(self, edge: int, node: int) -> DesignLink:
        columns = self.columns
        record = columns.edge(edge)
        evidence = record.evidence
        if record.rel == "FOLLOWS_DESIGN":
            evidence = f"{record.source} follows it" + (f": {evidence}" if evidence else "")
        return DesignLink(
            id=columns.id(node),
            title=columns.own(node, "title") or columns.name(node),
            kind=columns.kind(node),
            status=columns.own(node, "status") or "",
            text=columns.own(node, "text") or "",
            path=columns.path(node),
            line=int(columns.start_line[node]),
            how=record.how,
            evidence=evidence,
        )

    def memories(self, node: int, implementations: Iterable[int]) -> tuple[MemoryLink, ...]:
        columns = self.columns
        about = [node, *implementations]
        sources = {int(columns.source[edge]) for one in about for edge in columns.into(one, "ABOUT").tolist()}
        kept = [one for one in sorted(sources) if columns.own(one, "state") == "active"]
        return tuple(MemoryLink(columns.id(one), columns.name(one)) for one in kept)


def in_order(links: Mapping[int, CodeLink]) -> tuple[CodeLink, ...]:
    """Those that name the requirement first, then by id."""
    return tuple(links[node] for node in sorted(links, key=lambda node: (links[node].how == EXERCISES, node)))
