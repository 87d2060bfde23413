"""Copies as findings for SARIF and baselines: one for each removable copy.

A copy is identified by its own id, never by that of the kept one, which may change with every edit. So a baseline has a
line for every member of a family, including the one to keep.
"""

from __future__ import annotations

from typing import Final

import msgspec

from loregraph.analysis.duplicates.results import (
    EXACT,
    FILE,
    FRAGMENT,
    FUNCTION,
    RENAMED,
    SEMANTIC,
    Duplicates,
    Family,
    Side,
)
from loregraph.analysis.findings import Baseline, Finding, Place, Severity, fingerprint
from loregraph.analysis.sarif import RuleText

_RELATED: Final = 20

RULES: Final[dict[str, RuleText]] = {
    f"duplicate-{scope}": RuleText(f"duplicate-{scope}", f"A {what} that is a copy.", full, "warning")
    for scope, what, full in (
        (FUNCTION, "function", "A function that is the same as another one, renamed or edited."),
        (FILE, "file", "A file that is the same as another one, renamed or edited."),
        (FRAGMENT, "part of a function", "Lines that stand in another function too, where the functions differ."),
    )
} | {
    "duplicate-semantic": RuleText(
        "duplicate-semantic",
        "A function that may do what another one does.",
        "A candidate by meaning: words and shape are near to those of another function, and the code differs.",
        "note",
    )
}


def findings(found: Duplicates) -> list[Finding]:
    """One for each member of a failing family except the one to keep, by family."""
    return [_finding(family, side) for family in found.findings for side in family.members[1:]]


def known_findings(found: Duplicates) -> list[Finding]:
    """The findings in a baseline: one for each member of every family."""
    return [_finding(family, side) for family in found.families for side in family.members]


def only_new(found: Duplicates, baseline: Baseline) -> Duplicates:
    """Without the members in the baseline: families with a new one, and the pairs of new ones."""
    known = {finding.fingerprint for finding in baseline.findings}
    fresh: set[Side] = set()
    families = []
    for family in found.families:
        new = [side for side in family.members if fingerprint(_finding(family, side)) not in known]
        if new:
            families.append(family)
            fresh.update(new)
    pairs = tuple(pair for pair in found.pairs if pair.a in fresh or pair.b in fresh)
    return msgspec.structs.replace(found, pairs=pairs, families=tuple(families))


def _finding(family: Family, side: Side) -> Finding:
    semantic = family.clone_type == SEMANTIC
    rule = "duplicate-semantic" if semantic else f"duplicate-{family.scope}"
    severity: Severity = "note" if semantic else "warning"
    others = [other for other in family.members if other != side]
    first = others[0]
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    like = {EXACT: "is the same as", RENAMED: "is, but for names, the same as", SEMANTIC: "may do the same as"}.get(
        family.clone_type, "is an edited copy of"
    )
    subject = f"{side.id}, lines {side.start_line}-{side.end_line}," if family.scope == FRAGMENT else side.id
    message = (
        f"{subject} {like} {first.id} ({first.file_path}:{first.start_line}){more} "
        f"[{family.clone_type}, {family.similarity:.0%}]. {family.recommendation}"
    )
    related = tuple(_place(other) for other in others[:_RELATED])
    # Parts have no name: the functions that share them identify the finding.
    key = side.id if family.scope != FRAGMENT else "\0".join(sorted({side.id, *(other.id for other in others)}))
    return Finding(rule, severity, message, _place(side), key, related)


def _place(side: Side) -> Place:
    return Place(side.file_path, side.start_line, side.end_line, side.id)
