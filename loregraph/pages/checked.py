"""Findings of `check` as pages show them: by rule, each with its text and cases; filtered, folded and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct

from loregraph.analysis.findings import Severity
from loregraph.analysis.rules.registry import RULES, chosen, severity_of
from loregraph.analysis.rules.rule import Case, Rule
from loregraph.analysis.rules.runner import Checked
from loregraph.config import CheckSettings

BADGES: Final[dict[Severity, str]] = {"error": "bad", "warning": "fair", "note": "none"}
"""Severities, the worst first → kinds of badges."""
FINDINGS: Final = 10
"""Findings of a rule shown at once where all rules are."""
FINDINGS_OF_ONE: Final = 100
"""Findings on a page about one rule."""
FINDINGS_IN_REPORT: Final = 150
"""Findings of a rule in a report."""
MOST_EVIDENCE: Final = 12
LONGEST_CASE: Final = 60
"""Maximum lines of a case shown: readers would skip a longer one."""


class Wanted(Struct, frozen=True):
    """Which findings: of `rule`, of `severity`, with `path` in their path; "" for any. `state`: new or known where
    there is a baseline, "" for all."""

    rule: str = ""
    severity: str = ""
    path: str = ""
    state: str = ""

    def takes(self, one: Checked, is_known: bool) -> bool:
        finding = one.finding
        return (
            (not self.rule or finding.rule == self.rule)
            and (not self.severity or finding.severity == self.severity)
            and (not self.path or self.path.casefold() in finding.place.file_path.casefold())
            and (not self.state or is_known == (self.state == "known"))
        )


class CaseShown(Struct, frozen=True):
    """A case of a rule: texts by path, and the places with findings. `is_long`: it has too many lines to be shown."""

    about: str
    files: tuple[tuple[str, str], ...]
    memories: tuple[tuple[str, str, str], ...]
    places: tuple[str, ...]
    is_long: bool


class FindingShown(Struct, frozen=True):
    """A finding; `evidence` are lines, `more_evidence` counts those left out."""

    checked: Checked
    badge: str
    is_known: bool
    evidence: tuple[str, ...]
    more_evidence: int


class RuleShown(Struct, frozen=True):
    """A rule with its findings: those shown, `total` of them wanted, `start` the number of the first."""

    rule: Rule
    severity: str
    badge: str
    is_on: bool
    findings: tuple[FindingShown, ...] = ()
    start: int = 0
    total: int = 0
    invalid: tuple[CaseShown, ...] = ()
    valid: tuple[CaseShown, ...] = ()

    @property
    def next_start(self) -> int:
        """Where the next page begins, 0 after the last."""
        after = self.start + len(self.findings)
        return after if after < self.total else 0


class RulesShown(Struct, frozen=True):
    """Rules with findings; `quiet` found nothing, `off` are not on. `severities` counts the wanted findings of each
    severity, the worst first; `known` are those in the baseline."""

    rules: tuple[RuleShown, ...]
    quiet: tuple[RuleShown, ...]
    off: tuple[RuleShown, ...]
    severities: tuple[tuple[str, str, int], ...]
    total: int
    known: int


def rules_shown(
    found: Sequence[Checked],
    fresh: Iterable[Checked],
    wanted: Wanted,
    settings: CheckSettings,
    *,
    start: int = 0,
    most: int = FINDINGS,
) -> RulesShown:
    """The findings `found` that are `wanted`, by rule; `fresh` are those that are in no baseline. Of each rule `most`
    are shown, from number `start` on."""
    new = {id(one) for one in fresh}
    taken = [one for one in found if wanted.takes(one, id(one) not in new)]
    by_rule: dict[str, list[Checked]] = {}
    for one in taken:
        by_rule.setdefault(one.finding.rule, []).append(one)
    on = {rule.name for rule in chosen(settings)}
    asked = [RULES[wanted.rule]] if wanted.rule in RULES else list(RULES.values())
    rules = [_rule_shown(rule, by_rule.get(rule.name, ()), new, settings, on, start, most) for rule in asked]
    order = list(BADGES)
    counted = Counter(str(one.finding.severity) for one in taken)
    return RulesShown(
        tuple(sorted((one for one in rules if one.total), key=lambda one: order.index(_worst(by_rule[one.rule.name])))),
        tuple(one for one in rules if not one.total and (one.is_on or wanted.rule)),
        tuple(one for one in rules if not one.total and not one.is_on and not wanted.rule),
        tuple((severity, badge, counted[severity]) for severity, badge in BADGES.items() if counted[severity]),
        len(taken),
        sum(id(one) not in new for one in taken),
    )


def _worst(found: Iterable[Checked]) -> Severity:
    return min((one.finding.severity for one in found), key=list(BADGES).index)


def _rule_shown(
    rule: Rule,
    found: Sequence[Checked],
    new: Collection[int],
    settings: CheckSettings,
    on: Collection[str],
    start: int,
    most: int,
) -> RuleShown:
    severity = severity_of(rule, settings)
    # New ones first: they are what a build fails on.
    ordered = sorted(found, key=lambda one: id(one) not in new)
    return RuleShown(
        rule,
        severity,
        BADGES[severity],
        rule.name in on,
        tuple(_finding_shown(one, id(one) not in new) for one in ordered[start : start + most]),
        start,
        len(found),
        tuple(map(_case_shown, rule.invalid)),
        tuple(map(_case_shown, rule.valid)),
    )


def _finding_shown(one: Checked, is_known: bool) -> FindingShown:
    evidence = one.evidence[:MOST_EVIDENCE]
    return FindingShown(one, BADGES[one.finding.severity], is_known, evidence, len(one.evidence) - len(evidence))


def _case_shown(case: Case) -> CaseShown:
    lines = sum(text.count("\n") for text in case.files.values())
    return CaseShown(
        case.about,
        tuple((path, text.rstrip("\n")) for path, text in case.files.items() if text.strip()),
        case.memories,
        tuple(f"{path}:{line}" for path, line in case.findings),
        lines > LONGEST_CASE,
    )
