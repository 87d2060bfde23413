"""Runs rules over some code: findings in order, without suppressed ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from loregraph import patterns
from loregraph.analysis.findings import GATING, Baseline, Finding, new_findings
from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.registry import chosen, severity_of
from loregraph.analysis.rules.rule import Habit, Rule
from loregraph.analysis.rules.suppression import is_suppressed
from loregraph.analysis.since import overlaps
from loregraph.errors import ConfigError
from loregraph.git import ChangedFile


class Checked(msgspec.Struct, frozen=True):
    """A finding with the expected and the actual state, and the lines of evidence."""

    finding: Finding
    expected: str
    actual: str
    evidence: tuple[str, ...]

    def published(self) -> dict[str, Any]:
        """The JSON form of `check`."""
        return {
            "rule": self.finding.rule,
            "severity": self.finding.severity,
            "file_path": self.finding.place.file_path,
            "start_line": self.finding.place.start_line,
            "message": self.finding.message,
            "expected": self.expected,
            "actual": self.actual,
            "evidence": self.evidence,
        }


class Result(msgspec.Struct, frozen=True):
    """`findings` by place; `habits` by rule; `checked` is the number of things examined by all rules."""

    findings: tuple[Checked, ...]
    habits: dict[str, tuple[Habit, ...]]
    checked: int
    suppressed: int


def check(code: Code, path: str | None, rules: Iterable[str]) -> list[Checked]:
    """The result of the rules named `rules`, none for the enabled ones, for the file or folder `path`, None for all."""
    wanted = chosen(code.settings, rules)
    return list(run(code, code.members_in(path), wanted).findings)


def only_new(found: Iterable[Checked], baseline: Baseline) -> list[Checked]:
    """Those whose findings are not in the baseline."""
    found = list(found)
    fresh = {id(finding) for finding in new_findings([one.finding for one in found], baseline)}
    return [one for one in found if id(one.finding) in fresh]


def fail(found: Iterable[Checked]) -> bool:
    """Whether a build with these fails."""
    return any(one.finding.severity in GATING for one in found)


def touching(found: Iterable[Checked], changes: Mapping[str, ChangedFile]) -> list[Checked]:
    """The findings in `found` with a place, or a related one, on a changed line."""
    return [
        one
        for one in found
        if any(
            overlaps(place.file_path, place.start_line, place.end_line, changes)
            for place in (one.finding.place, *one.finding.related)
        )
    ]


# Implements REQ-CON-001, REQ-CON-002.
def run(code: Code, members: Sequence[int], rules: Sequence[Rule]) -> Result:
    """The result of `rules` for `members`, without generated and vendored files and excluded paths."""
    code.forget_sources()
    excluded = _excluded(code)
    found: list[Checked] = []
    habits: dict[str, tuple[Habit, ...]] = {}
    checked = suppressed = 0
    for rule in rules:
        outcome = rule.check(code, members)
        checked += outcome.checked
        if outcome.habits:
            habits[rule.name] = outcome.habits
        severity = severity_of(rule, code.settings)
        for deviation in outcome.deviations:
            path = deviation.place.file_path
            if path in excluded or code.is_foreign(path):
                continue
            if is_suppressed(code, rule.name, deviation.place):
                suppressed += 1
                continue
            finding = Finding(
                rule.name,
                deviation.severity or severity,
                deviation.message,
                deviation.place,
                deviation.key,
                deviation.related,
            )
            found.append(Checked(finding, deviation.expected, deviation.actual, deviation.evidence))
    found.sort(key=lambda one: (one.finding.place, one.finding.rule, one.finding.key))
    return Result(tuple(found), habits, checked, suppressed)


def _excluded(code: Code) -> frozenset[str]:
    if not code.settings.exclude:
        return frozenset()
    try:
        excluded = patterns.paths(code.settings.exclude)
    except patterns.PatternError as error:
        raise ConfigError(f"check.exclude: {error}", "use patterns as in .gitignore") from error
    return frozenset(path for path in code.columns.paths.values if excluded(path))
