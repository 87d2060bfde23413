"""Functions that handle errors otherwise than their siblings, or than other callers of the same function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from loregraph.analysis.rules.code import EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.families import Family, families
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import CLEAR, FEWEST


class Manner:
    """An error that nearly all of a group raise or handle."""

    def __init__(self, field: str, error: str, having: list[int], others: list[int]) -> None:
        self.verb = "raise" if field == "raises" else "handle"
        self.error = error
        self.does = f"{self.verb} {error}"
        self.having = having
        self.others = frozenset(others)
        self.share = f"{len(having)} of {len(having) + len(others)}"


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: dict[tuple[int, str], Deviation] = {}
    habits: dict[str, Habit] = {}
    checked = 0
    for node in code.only(members, FUNCTION):
        if code.is_test(node):
            continue
        for family in _groups(code, node):
            checked += 1
            for manner in _manners(code, family):
                says = f"{family.about} {manner.verb} {manner.error}"
                habits.setdefault(says, Habit(says, tuple(columns.id(one) for one in manner.having[:EXAMPLES])))
                if node not in manner.others or (node, manner.does) in deviations:
                    continue
                deviations[node, manner.does] = Deviation(
                    code.place(node),
                    f"{columns.name(node)} does not {manner.verb} {manner.error}; {manner.share} {says}",
                    f"{manner.verb} {manner.error}",
                    f"{manner.verb}s {', '.join(columns.own(node, manner.verb + 's') or ()) or 'nothing'}",
                    (f"{manner.share} {says}", *code.examples(manner.having)),
                    f"{columns.id(node)} {manner.verb} {manner.error}",
                    tuple(code.place(one) for one in manner.having[:EXAMPLES]),
                )
    return Outcome(tuple(deviations.values()), tuple(habits.values()), checked)


def _groups(code: Code, node: int) -> list[Family]:
    """Families of the function, and the other callers of its callees."""
    found = list(families(code, node))
    for called in dict.fromkeys(code.ends(node, "CALLS")):
        if called == node:
            continue
        callers = _callers(code, called)
        if len(callers) >= FEWEST:
            found.append(Family(("callers", called, ""), f"callers of {code.columns.name(called)}", callers))
    return found


def _callers(code: Code, called: int) -> tuple[int, ...]:
    def find() -> tuple[int, ...]:
        columns = code.columns
        callers = sorted(set(code.starts(called, "CALLS")))
        return tuple(one for one in callers if columns.labels[one] == FUNCTION and not code.is_test(one))

    return code.once(("callers", called), find)


def _manners(code: Code, family: Family) -> list[Manner]:
    def learn() -> list[Manner]:
        found = []
        group = family.members
        called = code.columns.name(family.key[1]) if family.key[0] == "callers" else ""
        # A callee determines which errors its callers meet, not which they raise.
        for field in ("handles",) if family.key[0] == "callers" else ("raises", "handles"):
            own = {node: set(code.columns.own(node, field) or ()) for node in group}
            counted = Counter(error for errors in own.values() for error in errors if error not in ("*", called))
            for error, number in sorted(counted.items()):
                if number < len(group) and (number == len(group) - 1 or number >= CLEAR * len(group)):
                    having = [node for node in group if error in own[node]]
                    found.append(Manner(field, error, having, [node for node in group if error not in own[node]]))
        return found

    return code.once(("errors", family.key), learn)


_READER = "def read_{}(x):\n    try:\n        return int(x)\n    except ValueError:\n        return 0\n\n\n"
_READERS = "".join(_READER.format(letter) for letter in "abcde")

RULE = Rule(
    name="error-handling",
    short="A function does not raise or handle an error that nearly all of its siblings do.",
    full="Siblings are those of `signature`, and the callers of one function (nine of ten, or all but one of six"
    " to ten). Errors are what a function itself raises and what its own handlers name; test code is left alone.",
    why_off="few groups of functions share an error, and who does otherwise mostly has a reason: of 15 findings in"
    " eleven projects three were right",
    severity="note",
    check=check,
    valid=(Case("all handle it", {"app.py": _READERS}),),
    invalid=(Case("one does not", {"app.py": _READERS + "def read_last(x):\n    return int(x)\n"}, (("app.py", 36),)),),
)
