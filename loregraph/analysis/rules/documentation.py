"""Public definitions are documented where nearly all are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loregraph.analysis.rules.code import CLASS, EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import Pattern, pattern
from loregraph.analysis.rules.surroundings import MAX_HEAD

_MODULE: Final = re.compile(r"\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+")
_TEST_NAME: Final = re.compile(r"(?:(?i:test)(?:[A-Z_0-9]|$)|(?:doctests?|main)$)")
"""What a runner calls: a test that no path tells, the tests of the documentation, a program."""
_DOC_ATTRIBUTE: Final = re.compile(r"\s*+#\[\s*+(?:doc\b|cfg_attr\([^\]]*\bdoc\b|cfg\s*+\(\s*+doctest)")
_PROTOCOL: Final = 3
"""Definitions of one name from which it means the same in all of them, and is explained where it is explained."""
_SHORT: Final = 3
"""Lines of a function that says what it does by itself."""


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    habits: dict[str, Habit] = {}
    checked = 0
    for label, kind in ((FUNCTION, "functions"), (CLASS, "classes")):
        for node in code.only(members, label):
            common = _habit(code, node, label) if not code.is_test(node) and _counts(code, node, label) else None
            if common is None:
                continue
            checked += 1
            where = columns.path(int(code.component[node]))
            name = f"public {kind} of {where} are documented"
            habits.setdefault(name, Habit(name, tuple(columns.id(one) for one in common.having[:EXAMPLES])))
            if columns.docstring(node):
                continue
            deviations.append(
                Deviation(
                    code.place(node),
                    f"{columns.name(node)} has no documentation; {common.share} public {kind} of {where} have",
                    "documentation",
                    "none",
                    (f"{common.share} public {kind} are documented", *code.examples(common.having)),
                    columns.id(node),
                )
            )
    return Outcome(tuple(deviations), tuple(habits.values()), checked)


def _habit(code: Code, node: int, label: int) -> Pattern[bool] | None:
    """Whether nearly all public definitions of the label in the node's component, in its language, are documented."""
    columns = code.columns
    group = (int(code.component[node]), columns.language(node))

    def learn() -> Pattern[bool] | None:
        siblings = code.by_component(label).get(group, ())
        documented = {one: bool(columns.docstring(one)) for one in siblings if _counts(code, one, label)}
        return pattern(documented, no=frozenset({False}))

    return code.once(("documentation", group, label), learn)


def _counts(code: Code, node: int, label: int) -> bool:
    """Whether people expect words on the node: public, longer than a few lines, not an override of what has them."""
    columns = code.columns
    if not code.is_public(node) or _TEST_NAME.match(columns.name(node)):
        return False
    if columns.language(node) == "rust" and any(
        _MODULE.match(line) for line in code.around(columns.path(node), int(columns.start_line[node]))
    ):
        # What is in a `mod` of the same file is seldom meant for others, `pub` or not.
        return False
    if columns.language(node) == "rust":
        first = int(columns.start_line[node]) - 1
        lines = code.lines(columns.path(node))[max(0, first - MAX_HEAD) : first + MAX_HEAD]
        if any(_DOC_ATTRIBUTE.match(line) for line in _attributes(lines, min(first, MAX_HEAD))):
            # `#[doc = include_str!(…)]` documents, `#[doc(hidden)]` says that nobody should read it.
            return False
    if label == CLASS:
        return True
    if any(one.endswith("overload") for one in columns.own(node, "decorators") or ()):
        return False
    length = int(columns.end_line[node]) - int(columns.start_line[node]) + 1
    if columns.kind(node) == "method" and not columns.docstring(node):
        same = [one for one in columns.find_name(columns.name(node)) if columns.labels[one] == FUNCTION]
        if len(same) >= _PROTOCOL and any(columns.docstring(one) for one in same):
            return False
    return length > _SHORT and not code.is_given(node) and columns.kind(node) in ("function", "method")


def _attributes(lines: Sequence[str], at: int) -> list[str]:
    """The attributes above and below the position `at` of `lines`, without a gap."""
    first = last = at
    while first > 0 and lines[first - 1].lstrip().startswith(("#[", "//")):
        first -= 1
    while last < len(lines) and lines[last].lstrip().startswith(("#[", "//")):
        last += 1
    return list(lines[first:last])


_DOCUMENTED = "".join(
    f'def part_{letter}(x):\n    """Do {letter}."""\n    y = x\n    return y\n\n\n' for letter in "abcde"
)
_LAST = "def last(x):\n    a = 1\n    b = 2\n    return a\n"

RULE = Rule(
    name="documentation",
    short="A public definition has no documentation where nearly all around it have.",
    full="Learned for each component from its public functions of more than three lines and its public classes (nine of"
    " ten, or all but one of six to ten). Overrides, methods that a base outside the project may have, overloads,"
    " accessors, what is inside functions and test code are left alone. A blank line below a comment does not matter"
    " where the language's own tool does not mind it (Javadoc, JSDoc, PHPDoc, XML documentation, Doxygen, rustdoc, …).",
    severity="note",
    check=check,
    valid=(
        Case(
            "a blank line below the comment, where the language's own tool attaches it",
            {
                "App.java": "".join(f"/** {n}. */\npublic class {n} {{}}\n\n" for n in "ABCDE")
                + "/** F. */\n\npublic class F {}\n"
            },
        ),
        Case("a private function", {"app.py": _DOCUMENTED + _LAST.replace("last", "_last")}),
        Case(
            "a test that no path tells, and what a trait asks for",
            {
                "app.py": _DOCUMENTED + _LAST.replace("last", "test_last"),
                "src/lib.rs": "".join(f"/// {n}.\npub fn part_{n}() {{\n    a();\n    b();\n}}\n\n" for n in "abcde")
                + "pub struct S;\n\nimpl<T> Into<T> for S\nwhere\n    T: Clone,\n{\n    fn into(self) -> T {\n"
                '        a();\n        b()\n    }\n}\n\n#[doc = include_str!("a.md")]\n#[must_use]\n'
                "pub fn elsewhere() {\n    a();\n    b();\n}\n"
                "\nimpl From<S> for String {\n    fn from(s: S) -> Self {\n        a();\n        b()\n    }\n}\n",
            },
        ),
    ),
    invalid=(Case("one of six", {"app.py": _DOCUMENTED + _LAST}, (("app.py", 31),)),),
)
