"""Functions with other parameters or modifiers than their siblings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loregraph.analysis.rules.code import EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.families import Family, families, same_role
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import Pattern, pattern
from loregraph.indexer.languages import registry

_ANY: Final = "…"
_NUMBER: Final = re.compile(r"(?<!\d)\d++$")


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: dict[tuple[int, str], Deviation] = {}
    habits: dict[str, Habit] = {}
    checked = 0
    for node in code.only(members, FUNCTION):
        for family in families(code, node):
            checked += 1
            for trait, learned in _habits(code, family):
                says = f"{family.about} {trait.says(learned.trait)}"
                habits.setdefault(says, Habit(says, tuple(columns.id(one) for one in learned.having[:EXAMPLES])))
                if node not in learned.others or (node, trait.name) in deviations or trait.excused(code, node, learned):
                    continue
                if family.by_name and not same_role(code, node, learned.having):
                    continue
                actual = trait.says(trait.of(code, node), one=True)
                deviations[node, trait.name] = Deviation(
                    code.place(node),
                    f"{columns.name(node)} {actual}; {learned.share} {says}",
                    trait.says(learned.trait),
                    actual,
                    (f"{learned.share} {says}", *code.examples(learned.having)),
                    f"{columns.id(node)} {trait.name}",
                    tuple(code.place(one) for one in learned.having[:EXAMPLES]),
                )
    return Outcome(tuple(deviations.values()), tuple(habits.values()), checked)


class Trait:
    """A property of a signature: how to read it, its description, when it does not matter."""

    name = ""
    no: frozenset[str] = frozenset()

    def of(self, code: Code, node: int) -> str:
        raise NotImplementedError

    def says(self, value: str, *, one: bool = False) -> str:
        raise NotImplementedError

    def excused(self, code: Code, node: int, learned: Pattern[str]) -> bool:
        return False


class FirstParameter(Trait):
    name = "first parameter"
    no = frozenset({"", "_", "{}"})

    def of(self, code: Code, node: int) -> str:
        if code.columns.language(node) in _BY_POSITION:
            return ""
        names = code.parameters(node)
        # `_x` is `x`, unused here.
        return (names[0].lstrip("_") or "_") if names else ""

    def says(self, value: str, *, one: bool = False) -> str:
        verb = "takes" if one else "take"
        return f"{verb} ({value}, {_ANY})" if value else f"{verb} nothing"

    def excused(self, code: Code, node: int, learned: Pattern[str]) -> bool:
        # All that take any parameter take this one; one that does not need it may omit or rename it.
        first = self.of(code, node)
        if "**" in "".join(code.columns.own(node, "parameters") or ()):
            return True
        columns = code.columns
        if not first and columns.language(node) in _MAY_TAKE_LESS:
            return True
        if columns.language(node) in _OVERLOADS and len(columns.own(node, "parameters") or ()) != len(
            columns.own(learned.having[0], "parameters") or ()
        ):
            return True
        same = _NUMBER.sub("", first) == _NUMBER.sub("", learned.trait)
        return same or first.startswith(("*", "_", "{")) or learned.trait in code.parameters(node)


class Asynchronous(Trait):
    name = "async"
    no = frozenset({""})

    def of(self, code: Code, node: int) -> str:
        return "async" if "async" in (code.columns.own(node, "modifiers") or ()) else ""

    def says(self, value: str, *, one: bool = False) -> str:
        verb = "is" if one else "are"
        return f"{verb} async" if value else f"{verb} not async"


_OVERLOADS: Final = registry.where(lambda language: language.signatures.overloads)
"""Languages in which functions with the same name and other parameters are different functions."""
_BY_POSITION: Final = registry.where(lambda language: language.signatures.checked_by_position)
"""Languages in which the compiler checks arguments, and calls cannot name parameters."""
_MAY_TAKE_LESS: Final = registry.where(lambda language: language.signatures.ignores_surplus_arguments)
"""Languages in which a call may pass more arguments than the function takes."""
TRAITS: Final[tuple[Trait, ...]] = (FirstParameter(), Asynchronous())


def _habits(code: Code, family: Family) -> list[tuple[Trait, Pattern[str]]]:
    def learn() -> list[tuple[Trait, Pattern[str]]]:
        found = []
        for trait in TRAITS:
            learned = pattern({node: trait.of(code, node) for node in family.members}, no=trait.no)
            if learned is not None:
                found.append((trait, learned))
        return found

    return code.once(("signature", family.key), learn)


_VIEW = "@shop.page\ndef {}(request, x):\n    return x\n\n\n"
_VIEWS = "import shop\n\n\n" + "".join(_VIEW.format(name) for name in ("cart", "item", "order", "price", "user"))
_HANDLERS = "".join(f"def handle_{letter}(request):\n    return request\n\n\n" for letter in "abcdefghi")

RULE = Rule(
    name="signature",
    short="A function does not take what nearly all of its siblings take, or is not declared as they are.",
    full="Siblings are overrides of one method, functions of a file under one decorator (nine of ten, or all but one of"
    " six to ten), and functions of a file, class or component whose names share their first or last word and that are"
    " used alike (at least ten). Compared are the first parameter's name and whether they are async; the name not where"
    " the compiler checks what is given and no caller writes it (C, C++, Go, Haskell, Java, Rust, Zig). A function that"
    " takes anything (`*args`), or takes the parameter in another place, is left alone; so are one that takes nothing"
    " in languages that drop what is too much, what is compiled or defined under a condition, test code and stubs."
    " Names alone make siblings in Python and JavaScript only.",
    severity="warning",
    check=check,
    valid=(
        Case("all take the request", {"app.py": _VIEWS + _HANDLERS + "def handle_j(request):\n    return request\n"}),
        Case(
            "another name, where the compiler checks what is given and no caller writes the name",
            {
                "Base.java": "abstract class Base {\n    abstract String read(String in);\n}\n",
                "App.java": "".join(
                    f"class Part{n} extends Base {{\n    @Override\n    String read(String {'x' if n == 'J' else 'in'})"
                    " { return null; }\n}\n"
                    for n in "ABCDEFGHIJ"
                ),
            },
        ),
        Case("anything at all", {"app.py": _VIEWS + "@shop.page\ndef any(*args):\n    return args\n"}),
        Case(
            "takes nothing, where what is given too much is dropped",
            {
                "app.js": "".join(f"export function handle_{n}(request) {{ return request; }}\n" for n in "abcdefghi")
                + "export function handle_j() { return 1; }\n"
            },
        ),
        Case(
            "attributes that only the compiler reads, and a name that says that it is not used",
            {
                "app.rs": "".join(f"#[inline]\npub fn part_{n}(request: u8) {{}}\n" for n in "abcde")
                + "#[inline]\npub fn last(x: u8) {}\n",
                "app.py": _VIEWS + "@shop.page\ndef last(_request, x):\n    return x\n",
            },
        ),
        Case(
            "under a condition",
            {
                "app.py": _VIEWS
                + "try:\n    import lib\nexcept ImportError:\n    @shop.page\n    def any(x):\n        return x\n"
            },
        ),
        Case(
            "a helper of those that it is named like",
            {
                "app.py": _HANDLERS.replace("return request", "return handle_by(str, request)")
                + "def handle_by(kind, request):\n    return kind(request)\n"
            },
        ),
    ),
    invalid=(
        Case(
            "one that does not",
            {"app.py": _VIEWS + "@shop.page\ndef last(x):\n    return x\n"},
            (("app.py", 29),),
        ),
        Case(
            "one that is not async",
            {"app.py": _VIEWS.replace("def ", "async def ") + "@shop.page\ndef last(request):\n    return request\n"},
            (("app.py", 29),),
        ),
        Case(
            "one of ten by their names", {"app.py": _HANDLERS + "def handle_j(x):\n    return x\n"}, (("app.py", 37),)
        ),
    ),
)
