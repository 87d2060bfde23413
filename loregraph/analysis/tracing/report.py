"""The whole trace: every requirement with its links, coverage, gaps, and test results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from loregraph.analysis.tracing import verification
from loregraph.analysis.tracing.junit import CaseResult
from loregraph.analysis.tracing.orphans import BROKEN, Orphan, orphans
from loregraph.analysis.tracing.places import Places
from loregraph.analysis.tracing.traces import Coverage, RequirementTrace, SuggestedLink, chosen, coverage, trace
from loregraph.analysis.tracing.verification import Joined, RunOutcomes
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge

Pair = tuple[str, str]
"""The id of a requirement and of code."""


class TraceReport(msgspec.Struct, frozen=True, kw_only=True):
    """`results` is None where no test results were read; `missing_results` are configured patterns that match no
    file. `places` are added for the forms that show documents and sections."""

    requirements: tuple[RequirementTrace, ...]
    coverage: Coverage
    orphans: tuple[Orphan, ...]
    results: Joined | None = None
    missing_results: tuple[str, ...] = ()
    places: Places = {}

    @property
    def broken(self) -> tuple[Orphan, ...]:
        """References to requirements, or code, that do not exist."""
        return tuple(orphan for orphan in self.orphans if orphan.kind in BROKEN)


def report(
    columns: GraphColumns,
    root: Path,
    requirement_id: str | None = None,
    *,
    accepted: Sequence[Edge] = (),
    rejected: Collection[Pair] = (),
    cases: Sequence[CaseResult] | None = None,
    outcomes: RunOutcomes | None = None,
    min_confidence: float | None = None,
) -> TraceReport:
    """The trace of one requirement, or of all. `cases` are test results, None where there are none to read; then
    `outcomes` count, those of runs that were imported.

    For the other arguments, and errors, see `traces.trace`.
    """
    wanted = {columns.id(node) for node in chosen(columns, requirement_id)}
    # All of them, also for one: those that refine it count for it.
    traces = trace(columns, accepted=accepted, rejected=rejected, min_confidence=min_confidence)
    joined = None
    if cases is not None:
        traces, joined = verification.verify(columns, traces, cases, verification.source_lines(root))
    elif outcomes is not None:
        traces, joined = verification.verify_by_runs(columns, traces, outcomes)
    traces = [one for one in traces if one.id in wanted]
    return TraceReport(
        requirements=tuple(traces),
        coverage=coverage(traces),
        orphans=orphans(columns, traces, accepted, requirement_id),
        results=joined,
    )


def with_suggestions(
    found: TraceReport,
    suggested: Mapping[str, Iterable[SuggestedLink]],
    rejected: Collection[Pair],
) -> TraceReport:
    """`found` with suggestions for each requirement, best first, without linked or rejected code.

    Containers of linked code count as linked; contents of rejected or linked files count as decided too.
    """
    requirements = []
    for one in found.requirements:
        linked = {link.id for link in (*one.implementations, *one.tests)}
        decided = linked | {code for requirement, code in rejected if requirement == one.id}
        kept = tuple(
            link
            for link in suggested.get(one.id, ())
            if link.id not in decided and link.file_path not in decided and not holds(link.id, linked)
        )
        requirements.append(msgspec.structs.replace(one, suggestions=kept))
    return msgspec.structs.replace(found, requirements=tuple(requirements))


# Implements REQ-TRC-005.
def holds(code: str, others: Iterable[str]) -> bool:
    """Whether one of `others` is inside `code`, by their ids."""
    return any(other.startswith((f"{code}.", f"{code}::")) for other in others)
