"""Names in another style than most of their kind in the component."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loregraph.analysis.rules.code import CLASS, EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import Pattern, pattern
from loregraph.analysis.rules.surroundings import is_conditional
from loregraph.graph.model import LABELS
from loregraph.indexer.languages import registry

_STYLES: Final = (
    ("snake_case", re.compile(r"_*+[a-z0-9]++(?:_[a-z0-9]++)++_*+")),
    ("camelCase", re.compile(r"_*+[a-z][a-z0-9]*+(?:[A-Z][a-z0-9]*+)++")),
    ("PascalCase", re.compile(r"_*+(?:[A-Z]++[a-z0-9]++)++[A-Z]*+")),
)
_MARKED: Final = re.compile(r"(?:unstable|experimental|internal|deprecated|legacy|unsafe|UNSAFE|dangerously)_(?=\w)")
"""Prefixes that may precede a name of any style."""
_HUMPS: Final = frozenset({"camelCase", "PascalCase"})
_CASE_EXPORTS: Final = registry.where(lambda language: language.constants.capital_exports)
"""Languages in which the first letter tells whether a name is exported."""
_SCRIPTS: Final = registry.where(lambda language: language.ecmascript)
_MEMBER_OF_OTHER: Final = re.compile(r"\s*+(?!(?:module\.)?exports\.|this\.)\w++\.(?!prototype\.)\w++\.[\w.]++\s*+=")
"""An assignment to a member of a member: `renderer.rules.code_inline = …`, a name determined by its reader."""
_CALLABLE: Final = frozenset({"__call__", "__get__", "__enter__"})
"""Methods of classes that are used as functions, decorators or context managers."""
_HOOK: Final = 3
"""With so many definitions of a name, it belongs to some protocol and was not chosen here."""


def style_of(name: str) -> str:
    """The style of a name, "" where it fits several (one word), is mixed or is the language's own."""
    if name.startswith("__") or not name.isidentifier():
        return ""
    if marked := _MARKED.match(name):
        # `unstable_pipe` is `pipe` with a warning that it may change.
        name = name[marked.end() :]
    return next((style for style, written in _STYLES if written.fullmatch(name)), "")


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    habits: dict[str, Habit] = {}
    checked = 0
    for label in (FUNCTION, CLASS):
        for node in code.only(members, label):
            style = style_of(columns.name(node))
            common = _habit(code, node, label) if style else None
            if common is None or code.is_test(node) or code.is_stub(columns.path(node)) or is_conditional(code, node):
                continue
            checked += 1
            name = f"{LABELS[label].lower()} names in {common.trait}"
            examples = common.having[:EXAMPLES]
            habits.setdefault(name, Habit(name, tuple(columns.id(one) for one in examples)))
            if style == common.trait or _same_kind(code, node, style, common.trait) or _is_given(code, node, label):
                continue
            if _is_of_several(code, node, style, common.others):
                continue
            deviations.append(
                Deviation(
                    code.place(node),
                    f"{columns.name(node)} is written in {style}; {common.share} {LABELS[label].lower()} names"
                    f" around it are in {common.trait}",
                    common.trait,
                    f"{columns.name(node)} ({style})",
                    (f"{common.share} names are in {common.trait}", *code.examples(examples)),
                    columns.id(node),
                )
            )
    return Outcome(tuple(deviations), tuple(habits.values()), checked)


def _is_of_several(code: Code, node: int, style: str, others: Sequence[int]) -> bool:
    """Whether several in the same class or file have this style: computed names, or a deliberate choice."""
    columns = code.columns
    here = code.container(node)
    alike = [n for n in others if code.container(n) == here and style_of(columns.name(n)) == style]
    return len(alike) >= _HOOK


def _same_kind(code: Code, node: int, style: str, common: str) -> bool:
    """Whether two styles differ only in what the first letter means: a constructor function, an export."""
    humps = {style, common} <= _HUMPS
    if code.columns.labels[node] == CLASS:
        if code.columns.name(node).startswith("_") or (
            code.columns.kind(node) == "type" and "<" in code.columns.signature(node)
        ):
            # A private class is often used as a value, a generic type as a function.
            return True
        return humps and code.columns.language(node) in _CASE_EXPORTS
    return humps or style == "PascalCase"


def _is_given(code: Code, node: int, label: int) -> bool:
    """Whether the name was not chosen freely: an override, a method that an unknown base may require, a word used by
    many classes, a class used as a function."""
    columns = code.columns
    if label == CLASS:
        own = {columns.name(inner) for inner in code.ends(node, "CONTAINS")}
        bases = [columns.name(base) for base in code.ancestors(node)]
        return bool(own & _CALLABLE) or any(base[:1].islower() for base in bases)
    start = int(columns.start_line[node])
    lines = code.lines(columns.path(node))
    if columns.language(node) in _SCRIPTS and start <= len(lines) and _MEMBER_OF_OTHER.match(lines[start - 1]):
        return True
    return code.is_given(node) or len(columns.find_name(columns.name(node))) >= _HOOK


def _habit(code: Code, node: int, label: int) -> Pattern[str] | None:
    """The style of names with the label in the nearest component that has a habit, in the node's language."""
    component = int(code.component[node])
    while component >= 0:
        found = _of_component(code, component, _kind(code, node), label)
        if found is not None:
            return found
        component = code.container(component)
    return None


def _kind(code: Code, node: int) -> tuple[str, bool]:
    """The node's language, and whether it is a member of a class: helpers outside have habits of their own."""
    columns = code.columns
    parent = code.container(node)
    return columns.language(node), parent >= 0 and columns.labels[parent] == CLASS


def _of_component(code: Code, component: int, kind: tuple[str, bool], label: int) -> Pattern[str] | None:
    def learn() -> Pattern[str] | None:
        columns = code.columns
        nodes = [node for node in _named(code, component, kind[0], label) if _kind(code, node) == kind]
        styles = {node: style_of(columns.name(node)) for node in nodes}
        styles = {node: style for node, style in styles.items() if style}
        if len(set(styles.values())) > 1:
            styles = {node: style for node, style in styles.items() if not is_conditional(code, node)}
        return pattern(styles)

    return code.once(("naming", component, kind, label), learn)


def _named(code: Code, component: int, language: str, label: int) -> list[int]:
    """The definitions of the component and of its subcomponents."""
    groups = code.by_component(label)
    found = list(groups.get((component, language), ()))
    for inner in code.ends(component, "CONTAINS"):
        if code.columns.label(inner) == "Component":
            found += _named(code, inner, language, label)
    return sorted(found)


_SNAKE = "".join(f"def read_part{letter}_now():\n    pass\n\n\n" for letter in "abcde")

RULE = Rule(
    name="naming",
    short="A name is written otherwise than nearly all names of its kind around it.",
    full="Learned from the functions, methods and classes of the nearest component that has a habit (nine of ten, or"
    " all but one of six to ten), each by themselves: snake_case, camelCase or PascalCase. Left alone are tests, what"
    " is compiled or defined under a condition, prefixes like `unstable_`, names of one word, overrides, methods of"
    " classes with a base outside the project, names that three or more definitions share, functions in PascalCase"
    " (they make things), names of which a class or file has three in the same other style, private classes and"
    " generic type aliases in another style, and classes that are used as functions or derive from one that is not in"
    " PascalCase.",
    severity="note",
    check=check,
    why_off="a name in another style is mostly written so on purpose: of four findings in eighteen projects two were"
    " right, one was a function that its framework calls so, one a type that stands for a function",
    valid=(
        Case(
            "free helper functions beside methods",
            {
                "app.php": "<?php\nclass App {\n"
                + "".join(f"    function readPart{letter}() {{}}\n" for letter in "ABCDEFGHIJKLMNOPQRST")
                + "}\n\nfunction read_all() {}\n"
            },
        ),
        Case(
            "under a condition",
            {
                "app.py": _SNAKE + "import sys\n\nif sys.platform == 'win32':\n    def readAll():\n        pass\n",
                "app.rs": "".join(f"fn read_part{letter}_now() {{}}\n" for letter in "abcde")
                + "#[cfg(windows)]\nfn readAll() {}\n",
                "app.c": "".join(f"int read_part{letter}_now(void) {{ return 1; }}\n" for letter in "abcde")
                + "#ifdef _WIN32\nint readAll(void) { return 1; }\n#endif\n",
                "app.go": "package app\n" + "".join(f"func readPart{letter}() {{}}\n" for letter in "ABCDE"),
                "app_windows.go": "package app\n\nfunc read_all() {}\n",
                "app.ts": "".join(f"export function readPart{letter}() {{}}\n" for letter in "ABCDE")
                + "export function unstable_read() {}\nmarkdown.renderer.rules.code_inline = () => 1;\n",
            },
        ),
        Case(
            "several of one class that are called by names that are built",
            {
                "app.php": "<?php\nclass App {\n"
                + "".join(f"    function readPart{letter}() {{}}\n" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
                + "".join(f"    function read_{n}() {{}}\n    function write_{n}2() {{}}\n" for n in "a")
                + "    function add_all() {}\n}\n"
            },
        ),
        Case("names in one style", {"app.py": _SNAKE + "def run():\n    pass\n"}),
        Case(
            "a name that the base asks for",
            {"app.py": _SNAKE + "import json\n\n\nclass W(json.JSONEncoder):\n    def writeAll(self):\n        pass\n"},
        ),
    ),
    invalid=(
        Case(
            "camelCase among snake_case",
            {"app.py": _SNAKE + "def readAll():\n    pass\n"},
            (("app.py", 21),),
        ),
    ),
)
