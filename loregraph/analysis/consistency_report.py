"""The consistency of a component: its habits, deviations from them, and recommendations."""

from __future__ import annotations

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


class Consistency(msgspec.Struct, frozen=True):
    """`score` is 1 without deviations; `habits` are those learned, by rule."""

    component: str
    habits: dict[str, Habit]
    score: float
    deviations: tuple[Deviation, ...]
    checked: int

    @property
    def base_pattern(self) -> Habit:
        """All habits as one text."""
        names = "; ".join(habit.name for habit in self.habits.values()) or NO_HABIT
        examples = dict.fromkeys(example for habit in self.habits.values() for example in habit.examples)
        return Habit(names, tuple(examples))

    @property
    def recommendations(self) -> list[str]:
        """What to unify, the worst first."""
        return [f"{d.evidence[0]}: {d.rule}, expected {d.expected}" for d in self.deviations[:MOST_RECOMMENDED]]
