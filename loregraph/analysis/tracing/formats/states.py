"""Words shared by all formats of the matrix."""

from __future__ import annotations

from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import CodeLink, RequirementTrace


def coverage_state(one: RequirementTrace) -> str:
    """The coverage state of a requirement; its status where it is excluded from coverage."""
    if not one.counted:
        return one.status.strip().lower()
    if one.implemented:
        return "covered" if one.tested else "untested"
    return "only tested" if one.tested else "missing"


def percent(part: int, whole: int) -> str:
    """`80.0 %`, never rounded up; 100 % of nothing."""
    if not whole:
        return "100 %"
    thousandths = part * 1000 // whole
    return f"{thousandths // 10}.{thousandths % 10} %" if thousandths % 10 else f"{thousandths // 10} %"


def place(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def reason(link: CodeLink) -> str:
    """The evidence of a link: `marker 0.90, line 3: # PAY-7`, with the confidence where it is not certain."""
    sure = f"{link.how} {link.confidence:.2f}" if link.confidence < 1 else link.how
    if link.evidence.startswith(link.how):
        return link.evidence
    here = f"{link.file_path}:"
    evidence = f"line {link.evidence.removeprefix(here)}" if link.evidence.startswith(here) else link.evidence
    return f"{sure}, {evidence}" if evidence else sure


def says_more(one: RequirementTrace) -> bool:
    """Whether the text of a requirement has more than its title."""
    text, title = (" ".join(words.split()).rstrip(".") for words in (one.text, one.title))
    return text not in ("", title)


def counts(report: TraceReport) -> list[str]:
    """The summary of a report, in sentences."""
    covered = report.coverage
    total = covered.total
    found = [
        f"implemented {covered.implemented:,} of {total:,} ({percent(covered.implemented, total)})",
        f"tested {covered.tested:,} of {total:,} ({percent(covered.tested, total)})",
    ]
    if report.results is not None:
        found.append(f"verified {covered.verified:,} of {total:,} ({percent(covered.verified, total)})")
    if covered.executed is not None:
        found.append(
            f"covered by execution alone {covered.executed:,} of {total:,} ({percent(covered.executed, total)})"
        )
    if covered.excluded:
        statuses = ", ".join(f"{count:,} {status}" for status, count in covered.excluded.items())
        found.append(f"not counted: {statuses}")
    return found
