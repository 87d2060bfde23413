"""The matrix as text for a terminal: one requirement in full, or one line each with gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from loregraph.analysis.tracing.formats.states import counts, coverage_state, place, reason, says_more
from loregraph.analysis.tracing.orphans import IDLE, NO_CODE, NO_TEST, STALE, UNKNOWN
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import WEAK, CodeLink, RequirementTrace, SuggestedLink
from loregraph.terminal import clipped, visible

SUGGESTED: Final = 3
"""Suggestions shown for each of many requirements; a single one shows as many as fit a screen."""
SUGGESTED_ALONE: Final = 20
_TITLES: Final = {
    UNKNOWN: "named in these places, and in no document",
    STALE: "accepted links that lead nowhere; --accept the new place, --withdraw the old",
}
NAMED: Final = 20
"""Places shown per kind of orphan."""
RAN: Final = 10
"""Tests shown that ran the code of a requirement."""
_WIDEST: Final = 60


def write(report: TraceReport, title: str = "") -> str:
    lines = list(matrix(report))
    return "\n".join(visible(line).rstrip() for line in lines) + "\n"


def matrix(report: TraceReport) -> Iterator[str]:
    if len(report.requirements) == 1:
        yield from one_requirement(report.requirements[0])
    else:
        yield from table([row(one, report) for one in report.requirements], suggestions(report))
    for kind, title in _TITLES.items():
        found = [orphan for orphan in report.orphans if orphan.kind == kind]
        if found:
            yield ""
            yield f"{title} ({len(found):,})"
            for orphan in found[:NAMED]:
                what = orphan.id if kind == UNKNOWN else orphan.message
                yield f"  {place(orphan.path, orphan.line)}  {what}"
            if len(found) > NAMED:
                yield f"  and {len(found) - NAMED:,} more; JSON has all"
    if report.results is not None:
        yield ""
        yield from results(report)
    if len(report.requirements) > 1:
        yield ""
        for kind, what in ((NO_CODE, "without code"), (NO_TEST, "without a test"), (IDLE, "whose code did not run")):
            found = [orphan for orphan in report.orphans if orphan.kind == kind]
            if found:
                yield f"{len(found):,} {what}: {clipped(', '.join(orphan.id for orphan in found), 100)}"
        yield "; ".join(counts(report))


def row(one: RequirementTrace, report: TraceReport) -> tuple[str, ...]:
    links = [
        f"{len(found):,} {name if len(found) == 1 else names}"
        for found, name, names in (
            (one.implementations, "code", "code"),
            (one.tests, "test", "tests"),
            (one.designs, "design", "designs"),
            (one.parts, "part", "parts"),
            (one.mentions, "mention", "mentions"),
        )
        if found
    ]
    verified = (one.verified,) if report.results is not None else ()
    executed = (one.execution.state,) if report.coverage.executed is not None else ()
    return (one.id, coverage_state(one), ", ".join(links), *verified, *executed, clipped(one.title, 80))


def suggestions(report: TraceReport) -> dict[int, list[str]]:
    """Row → lines below it: the best suggestions for requirements without code."""
    below: dict[int, list[str]] = {}
    for number, one in enumerate(report.requirements):
        if one.suggestions is not UNSET and one.counted and not one.implementations:
            fitting = [link for link in one.suggestions if link.score >= WEAK]
            below[number] = suggested(fitting, SUGGESTED) or [f"  nothing fits{best_of(one.suggestions)}"]
    return below


def suggested(links: Sequence[SuggestedLink], limit: int) -> list[str]:
    return [f"  {link.score:.2f}  {link.id}  {clipped(link.evidence, 80)}" for link in links[:limit]]


def best_of(links: Sequence[SuggestedLink]) -> str:
    return f"; the best scores {links[0].score:.2f}" if links else ""


def table(rows: Sequence[Sequence[str]], below: dict[int, list[str]]) -> Iterator[str]:
    """Rows in aligned columns; the last is not padded."""
    columns = len(rows[0]) if rows else 0
    widths = [min(_WIDEST, max(len(row[i]) for row in rows)) for i in range(columns - 1)]
    for number, cells in enumerate(rows):
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
        yield "  ".join([*padded, cells[-1]])
        yield from below.get(number, ())


def one_requirement(one: RequirementTrace) -> Iterator[str]:
    verified = f", {one.verified}" if one.verified else ""
    executed = f", {one.execution.state}" if one.execution.state else ""
    status = f", {one.status}" if one.status and one.counted else ""
    yield f"{place(one.path, one.line)}  {one.id}  {one.title}  ({coverage_state(one)}{status}{verified}{executed})"
    if says_more(one):
        yield from (f"  {line}" for line in one.text.splitlines())
    if one.parts:
        yield from ("", "refined by", f"  {', '.join(one.parts)}")
    if one.designs:
        yield from ("", "designs")
        for design in one.designs:
            why = ", ".join(filter(None, (design.how, design.evidence)))
            yield f"  {place(design.path, design.line)}  {design.id}  {design.title}  {why}"
    for title, links in (("code", one.implementations), ("tests", one.tests)):
        if links:
            yield from ("", title)
            yield from (f"  {code(link)}" for link in links)
    if one.execution.tests:
        yield from ("", f"tests that ran its code ({len(one.execution.tests):,})")
        yield from (f"  {test}" for test in one.execution.tests[:RAN])
        if len(one.execution.tests) > RAN:
            yield f"  and {len(one.execution.tests) - RAN:,} more; JSON has more"
    if one.mentions:
        yield from (
            "",
            "mentioned here, which counts for nothing: say `Implements: …` or `Verifies: …`, or --accept it",
        )
        yield from (f"  {code(link)}" for link in one.mentions)
    if one.memories:
        yield from ("", "memories")
        yield from (f"  {memory.id}  {memory.title}" for memory in one.memories)
    if one.suggestions is not UNSET and one.suggestions:
        fits = one.suggestions[0].score >= WEAK
        yield from (
            "",
            f"{'suggested' if fits else 'nothing fits well; this comes nearest'}; --accept or --reject them",
        )
        yield from suggested(one.suggestions, SUGGESTED_ALONE)


def code(link: CodeLink) -> str:
    name = link.id.partition("::")[2]
    return "  ".join(filter(None, (place(link.file_path, link.line), name, link.result, reason(link))))


def results(report: TraceReport) -> Iterator[str]:
    found = report.results
    if found is None:
        return
    of = " of imported runs" if found.runs else ""
    yield f"test results{of}: {found.joined:,} of {found.cases:,} cases are a test of the graph"
    if found.outdated:
        yield f"  {found.outdated:,} are of tests in files that changed since"
    for name in found.unjoined[:5]:
        yield f"  not joined: {name}"
    if len(found.unjoined) > 5:
        yield f"  and {len(found.unjoined) - 5:,} more"
