"""Classes without the base that nearly all classes with similar names have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from loregraph.analysis.rules.code import CLASS, EXAMPLES, Code
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import CLEAR, FEWEST, words


class Kin:
    """Classes whose names end with the same word, and the base that nearly all of them have, at any distance."""

    def __init__(self, base: int, having: list[int], others: list[int]) -> None:
        self.base = base
        self.having = having
        self.others = frozenset(others)
        self.share = f"{len(having)} of {len(having) + len(others)}"


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    habits: dict[str, Habit] = {}
    checked = 0
    for node in code.only(members, CLASS):
        key = _key(code, node)
        if key is None:
            continue
        kin = code.once("kin", lambda: _kin(code)).get(key)
        if kin is None or node == kin.base:
            continue
        checked += 1
        base = columns.id(kin.base)
        name = f"classes named …{key[1].capitalize()} derive from {columns.name(kin.base)}"
        habits.setdefault(name, Habit(name, tuple(columns.id(one) for one in kin.having[:EXAMPLES])))
        if node not in kin.others:
            continue
        deviations.append(
            Deviation(
                code.place(node),
                f"{columns.name(node)} does not derive from {columns.name(kin.base)}, as {kin.share} classes named"
                f" …{key[1].capitalize()} do",
                base,
                ", ".join(columns.name(one) for one in code.bases(node)) or "no base",
                (f"{kin.share} {name}", *code.examples(kin.having)),
                columns.id(node),
            )
        )
    return Outcome(tuple(deviations), tuple(habits.values()), checked)


def _key(code: Code, node: int) -> tuple[str, str] | None:
    """Language and last word of a class that has a body and more than one word."""
    columns = code.columns
    parts = words(columns.name(node))
    if len(parts) < 2 or code.is_test(node) or columns.kind(node) not in ("class", "struct"):
        return None
    return columns.language(node), parts[-1]


def _kin(code: Code) -> dict[tuple[str, str], Kin]:
    columns = code.columns
    groups: dict[tuple[str, str], list[int]] = {}
    for node in np.flatnonzero(columns.labels == CLASS).tolist():
        key = _key(code, node)
        if key is not None:
            groups.setdefault(key, []).append(node)
    found = {}
    for key, nodes in groups.items():
        if len(nodes) < FEWEST:
            continue
        ancestors = {node: set(code.ancestors(node)) for node in nodes}
        counted = Counter(base for bases in ancestors.values() for base in bases)
        if not counted:
            continue
        # Of equals the nearest: the one with most bases of its own.
        depth = {base: len(code.ancestors(base)) if columns.labels[base] == CLASS else 0 for base in counted}
        base, number = min(counted.items(), key=lambda item: (-item[1], -depth[item[0]], item[0]))
        candidates = [node for node in nodes if node != base and node not in ancestors.get(base, ())]
        if len(candidates) >= FEWEST and (number == len(candidates) - 1 or number >= CLEAR * len(candidates)):
            having = [node for node in candidates if base in ancestors[node]]
            others = [node for node in candidates if base not in ancestors[node]]
            found[key] = Kin(base, having, others)
    return found


_FORMS = "class Form:\n    pass\n\n\n" + "".join(f"class {n}Form(Form):\n    pass\n\n\n" for n in "ABCDE")

RULE = Rule(
    name="inheritance",
    short="A class does not derive from what nearly all classes of its name derive from.",
    full="Learned from the project's classes whose names end with one word (nine of ten derive from one base, at any"
    " distance; or all but one of six to ten). Test code is left alone.",
    why_off="the last word of a name is seldom what a class is: of 25 findings in seven projects two were right, the"
    " others mixins, exceptions and other things of that name",
    severity="note",
    check=check,
    valid=(Case("at any distance", {"app.py": _FORMS + "class LastForm(AForm):\n    pass\n"}),),
    invalid=(Case("no base", {"app.py": _FORMS + "class LastForm:\n    pass\n"}, (("app.py", 25),)),),
)
