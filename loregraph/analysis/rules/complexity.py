"""Functions far more complex than most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from loregraph.analysis.rules.code import FUNCTION, Code
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import FEWEST

TALL: Final = 3
"""An outlier has at least so many times the complexity of the 90th percentile."""
COMPLEX: Final = 15
"""Paths through a function below which none is an outlier."""


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    habits: dict[str, Habit] = {}
    checked = 0
    for node in code.only(members, FUNCTION):
        usual = _usual(code, columns.language(node))
        if usual is None or code.is_test(node):
            continue
        checked += 1
        habits.setdefault(columns.language(node), Habit(f"nine of ten functions have at most {usual} paths", ()))
        most, value = max(COMPLEX, TALL * usual), int(columns.own(node, "complexity") or 1)
        if value > most:
            deviations.append(
                Deviation(
                    code.place(node),
                    f"{columns.name(node)} has {value} paths through it; nine of ten functions have at most {usual}",
                    f"at most {most} paths",
                    f"{value} paths",
                    (f"nine of ten functions of the project have at most {usual}",),
                    columns.id(node),
                )
            )
    return Outcome(tuple(deviations), tuple(habits.values()), checked)


def _usual(code: Code, language: str) -> int | None:
    """The 90th percentile of the language, None where there are too few functions."""

    def learn() -> int | None:
        columns = code.columns
        values = sorted(
            int(columns.own(node, "complexity") or 1)
            for (_, own), nodes in code.by_component(FUNCTION).items()
            if own == language
            for node in nodes
        )
        return values[int(0.9 * (len(values) - 1))] if len(values) >= FEWEST else None

    return code.once(("complexity", language), learn)


_SIMPLE = "".join(f"def part_{letter}(x):\n    return x\n\n\n" for letter in "abcdefghijklmnopqrst")
_TALL = "def tall(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(16)) + "    return x\n"

RULE = Rule(
    name="complexity",
    short="A function has many times as many paths through it as nine of ten others.",
    full="Paths are McCabe's cyclomatic complexity. Learned from the project's functions of the language: a function"
    " stands out with more than three times what nine of ten have, and with more than 15.",
    severity="note",
    check=check,
    valid=(Case("all alike", {"app.py": _SIMPLE}),),
    invalid=(Case("one with a branch for each case", {"app.py": _SIMPLE + _TALL}, (("app.py", 81),)),),
)
