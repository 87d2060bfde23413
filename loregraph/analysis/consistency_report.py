"""The consistency of a component: its habits, deviations from them, and recommendations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from loregraph.analysis.rules.rule import Habit

NO_HABIT: Final = "no clear habit"
MOST_RECOMMENDED: Final = 10


class Deviation(msgspec.Struct, frozen=True):
    """A member that deviates. `severity` is error, warning or note; `evidence` is the place, then the reason."""

    rule: str
    expected: str
    actual: str
    severity: str
    file_path: str
    start_line: int
    evidence: tuple[str, ...]


class Consistency(msgspec.Struct, frozen=True, kw_only=True):
    """`consistency_score` is 1 without deviations; `base_pattern` has all habits as one text; `recommendations` say
    what to unify, the worst first; `habits` are those learned, by rule; `checked` is the number of things examined."""

    component: str
    base_pattern: Habit
    consistency_score: float
    deviations: tuple[Deviation, ...]
    recommendations: tuple[str, ...]
    habits: dict[str, Habit]
    checked: int


def base_pattern(habits: Iterable[Habit]) -> Habit:
    """All habits as one text, with the examples of each."""
    habits = tuple(habits)
    names = "; ".join(habit.name for habit in habits) or NO_HABIT
    return Habit(names, tuple(dict.fromkeys(example for habit in habits for example in habit.examples)))


def recommended(deviations: Sequence[Deviation]) -> tuple[str, ...]:
    """What to unify, in the order of `deviations`."""
    return tuple(f"{d.evidence[0]}: {d.rule}, expected {d.expected}" for d in deviations[:MOST_RECOMMENDED])
