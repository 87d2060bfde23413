"""Whether a trace is good enough for a build to pass."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from loregraph.analysis.tracing.report import Pair, TraceReport
from loregraph.analysis.tracing.traces import EXERCISES, CodeLink

NAMED: Final = 10
"""Maximum requirements named in a line."""


def shortfalls(
    report: TraceReport,
    *,
    implemented: float | None = None,
    tested: float | None = None,
    verified: float | None = None,
    strict: bool = False,
) -> list[str]:
    """A line for each condition that `report` does not meet; none: the build may pass.

    The numbers are percentages of the counted requirements that need code, a test, and tests that passed; `strict`
    allows no reference to what is not there, and no failed test of a counted requirement.
    """
    covered = report.coverage
    told = []
    for wanted, part, what in (
        (implemented, covered.implemented, "has code"),
        (tested, covered.tested, "has a test"),
        (verified, covered.verified, "has tests that passed"),
    ):
        if wanted is not None and 100 * part < wanted * covered.total:
            of = f"{covered.total:,} requirement{'' if covered.total == 1 else 's'}"
            told.append(f"{part:,} of {of} {what}, {wanted:g} % is asked for")
    if strict:
        broken = len(report.broken)
        failing = [one.id for one in report.requirements if one.counted and one.verified == "failed"]
        if broken:
            told.append(f"{broken:,} link{'' if broken == 1 else 's'} to what is not there")
        if failing:
            others = " and others" if len(failing) > NAMED else ""
            told.append(f"the tests of {', '.join(failing[:NAMED])}{others} fail")
    return told


def still_linked(report: TraceReport, undone: Collection[Pair]) -> list[tuple[str, CodeLink]]:
    """(requirement, link) of the rejected or withdrawn links `undone` that the code or a document still declares."""
    return [
        (one.id, link)
        for one in report.requirements
        for link in (*one.implementations, *one.tests)
        if link.how != EXERCISES
        and any(one.id == requirement and link.id.endswith(code) for requirement, code in undone)
    ]
