"""Consistency of a component: applies the rules of `analysis.rules` to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.analysis.component_lookup import locate
from loregraph.analysis.consistency_report import Consistency, Deviation, base_pattern, recommended
from loregraph.analysis.rules import registry
from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.rule import Habit
from loregraph.analysis.rules.runner import run
from loregraph.graph.queries import within

WEIGHT: Final = {"error": 1.0, "warning": 0.6, "note": 0.3}


def check(code: Code, component: str, rules: Iterable[str] = ()) -> Consistency:
    """The consistency of `component` (see `component_lookup.locate`) under `rules`.

    Without `rules`, under the enabled ones that need not read the whole project. Raises UsageError for an unknown rule,
    NotFoundError and AmbiguousSymbolError for the component.
    """
    named = tuple(rules)
    chosen = [rule for rule in registry.chosen(code.settings, named) if named or not rule.whole]
    columns = code.columns
    node = locate(columns, component)
    members = sorted(m for m in within(columns, node) if columns.label(m) in ("Function", "Class", "File"))
    result = run(code, members, chosen)
    deviations = [
        Deviation(
            one.finding.rule,
            one.expected,
            one.actual,
            one.finding.severity,
            one.finding.place.file_path,
            one.finding.place.start_line,
            (one.finding.place.id or one.finding.place.file_path, one.finding.message, *one.evidence),
        )
        for one in result.findings
    ]
    deviations.sort(key=lambda d: (-WEIGHT[d.severity], d.file_path, d.start_line, d.rule))
    lost = sum(WEIGHT[deviation.severity] for deviation in deviations)
    score = round(max(0.0, 1 - lost / result.checked), 3) if result.checked else 1.0
    habits = {rule: _joined(found) for rule, found in result.habits.items()}
    return Consistency(
        component=columns.id(node),
        base_pattern=base_pattern(habits.values()),
        consistency_score=score,
        deviations=tuple(deviations),
        recommendations=recommended(deviations),
        habits=habits,
        checked=result.checked,
    )


def habits(code: Code, component: str) -> tuple[Habit, ...]:
    """The habits of `component`, in the order of the rules that learn them."""
    return tuple(check(code, component).habits.values())


def _joined(habits: tuple[Habit, ...]) -> Habit:
    examples = dict.fromkeys(example for habit in habits for example in habit.examples)
    return Habit("; ".join(habit.name for habit in habits[:MOST_HABITS]), tuple(examples)[:EXAMPLES])


MOST_HABITS: Final = 5
EXAMPLES: Final = 3
