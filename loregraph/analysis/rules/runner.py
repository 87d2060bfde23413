"""Rules over some code, their findings in order, without those that a comment lets pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from loregraph import patterns
from loregraph.analysis.findings import Finding
from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.registry import chosen, severity_of
from loregraph.analysis.rules.rule import Habit, Rule
from loregraph.analysis.rules.suppression import is_suppressed
from loregraph.analysis.since import overlaps
from loregraph.errors import ConfigError
from loregraph.git import ChangedFile


class Checked(msgspec.Struct, frozen=True):
    """A finding with what was expected, what is there, and the lines that show why."""

    finding: Finding
    expected: str
    actual: str
    evidence: tuple[str, ...]


class Result(msgspec.Struct, frozen=True):
    """`findings` by place; `habits` by rule; `checked` is how many things were looked at, over all rules."""

    findings: tuple[Checked, ...]
    habits: dict[str, tuple[Habit, ...]]
    checked: int
    suppressed: int


def check(code: Code, path: str | None, rules: Iterable[str]) -> list[Checked]:
    """What the rules named `rules`, none for those that are on, find in the file or folder `path`, None for all."""
    wanted = chosen(code.settings, rules)
    return list(run(code, code.members_in(path), wanted).findings)


def touching(found: Iterable[Checked], changes: Mapping[str, ChangedFile]) -> list[Checked]:
    """Those of `found` of which a place, or one related to it, lies on a changed line."""
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
    """What `rules` say of `members`, without generated and vendored files and paths that the configuration excludes."""
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
