"""Subclasses of one base, and functions under one decorator, that are named otherwise than nearly all of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from loregraph.analysis.rules.code import CLASS, EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.families import families
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import Pattern, pattern, words

FIRST: Final = 0
LAST: Final = -1
Learned = tuple[str, int, Pattern[str]]
"""Their common property, the word that their names share, and the members."""


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    habits: dict[str, Habit] = {}
    checked = 0
    for node in sorted(code.only(members, CLASS) + code.only(members, FUNCTION)):
        for about, at, learned in _habits(code, node):
            checked += 1
            form = f"{learned.trait}…" if at == FIRST else f"…{learned.trait}"
            says = f"{about} are named {form}"
            habits.setdefault(says, Habit(says, tuple(columns.id(one) for one in learned.having[:EXAMPLES])))
            if node in learned.others:
                deviations.append(
                    Deviation(
                        code.place(node),
                        f"{columns.name(node)}: {learned.share} {says}",
                        form,
                        columns.name(node),
                        (f"{learned.share} {says}", *code.examples(learned.having)),
                        f"{columns.id(node)} {about}",
                    )
                )
    return Outcome(tuple(deviations), tuple(habits.values()), checked)


def _habits(code: Code, node: int) -> Iterator[Learned]:
    columns = code.columns
    if code.is_test(node) or columns.name(node).startswith(("_", "<")):
        return
    if columns.labels[node] == CLASS:
        for base in code.bases(node):
            about = f"subclasses of {columns.name(base)}"
            yield from ((about, at, found) for at, found in _of(code, base, _subclasses(code, base), (LAST,)))
        return
    for family in families(code, node):
        if family.key[0] == "decorated":
            learned = _of(code, family.key, family.members, (FIRST, LAST))
            yield from ((family.about, at, found) for at, found in learned)


def _subclasses(code: Code, base: int) -> list[int]:
    nodes = sorted(code.starts(base, "EXTENDS") + code.starts(base, "IMPLEMENTS"))
    return [node for node in nodes if not code.is_test(node) and not code.columns.name(node).startswith(("_", "<"))]


def _of(code: Code, key: Hashable, nodes: Sequence[int], places: Sequence[int]) -> list[tuple[int, Pattern[str]]]:
    """The first or last word common to nearly all names, where these have more than one."""

    def learn() -> list[tuple[int, Pattern[str]]]:
        named = {node: words(code.columns.name(node)) for node in nodes}
        found = []
        for at in places:
            learned = pattern({n: p[at] if len(p) > 1 else "" for n, p in named.items()}, no=frozenset({""}))
            if learned is not None:
                found.append((at, learned))
        return found

    return code.once(("sibling names", key), learn)


_HANDLERS = "class Handler:\n    pass\n\n\n" + "".join(f"class {n}Handler(Handler):\n    pass\n\n\n" for n in "ABCDE")

_ROUTES = "import web\n\n\n" + "".join(f"@web.route\ndef handle_{n}():\n    pass\n\n\n" for n in "abcde")

RULE = Rule(
    name="sibling-names",
    short="A class is not named as nearly all subclasses of its base are, or a function as those under its decorator.",
    full="Learned from the direct subclasses of one base, of the project or not: the last word of their names; and from"
    " the functions of a file under one decorator: the first or the last word (nine of ten, or all but one of six to"
    " ten). Private names and test code are left alone.",
    why_off="names that leave the pattern mostly do so on purpose (ForeignKey is a Field): of 27 findings in eleven"
    " projects eight were right",
    severity="note",
    check=check,
    valid=(Case("one word for all", {"app.py": _HANDLERS}),),
    invalid=(
        Case("another word", {"app.py": _HANDLERS + "class Listener(Handler):\n    pass\n"}, (("app.py", 25),)),
        Case("another verb", {"app.py": _ROUTES + "@web.route\ndef do_f():\n    pass\n"}, (("app.py", 29),)),
    ),
)
