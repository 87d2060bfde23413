"""Undocumented public definitions where nearly all are documented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loregraph.analysis.rules.code import CLASS, EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import Pattern, pattern
from loregraph.analysis.rules.surroundings import MAX_HEAD, is_conditional
from loregraph.indexer.languages import registry

_MODULES: Final = registry.expressions(lambda language: language.signatures.inline_module)
_ATTRIBUTES: Final = registry.expressions(lambda language: language.documentation.attribute)
_PRIVATE_MODULES: Final = registry.expressions(lambda language: language.documentation.private_module)
_TEST_NAME: Final = re.compile(r"(?:(?i:test)(?:[A-Z_0-9]|$)|(?:doctests?|main)$)")
"""Definitions called by a runner: tests that their path does not identify, tests in documentation, a program's entry
point."""
_STAND_INS: Final = registry.where(lambda language: language.documentation.stands_in)
_PACKAGE_FILES: Final = registry.table(lambda language: language.documentation.package_file)
_INTERFACES: Final = registry.table(lambda language: language.documentation.interfaces)
_PROTOCOLS: Final = registry.table(lambda language: language.documentation.protocols)
_PROTOCOL: Final = 3
"""With so many definitions of a name, it means the same in all of them and is documented in one place."""
_SHORT: Final = 3
"""Maximum lines of a self-explanatory function."""
_SHARED_NAMES: Final = 3
"""Methods of a file or container: a class with one of them is such, and its methods' names explain themselves."""


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
    """Whether documentation is expected: public, longer than a few lines, not an override of a documented
    definition."""
    columns = code.columns
    if not code.is_public(node) or _TEST_NAME.match(columns.name(node)):
        return False
    language = columns.language(node)
    module = _MODULES.get(language)
    if module is not None and any(
        module.match(line) for line in code.around(columns.path(node), int(columns.start_line[node]))
    ):
        # The contents of a `mod` in the same file are seldom meant for other code, `pub` or not.
        return False
    attribute = _ATTRIBUTES.get(language)
    if attribute is not None:
        first = int(columns.start_line[node]) - 1
        lines = code.lines(columns.path(node))[max(0, first - MAX_HEAD) : first + MAX_HEAD]
        if any(attribute.match(line) for line in _attributes(lines, min(first, MAX_HEAD))):
            # `#[doc = include_str!(…)]` documents; `#[doc(hidden)]` means that no documentation is wanted.
            return False
    if _is_inner(code, node) or (language in _STAND_INS and is_conditional(code, node)):
        # Fallbacks for missing modules, definitions for type checkers only, and those private to the package.
        return False
    if label == CLASS:
        return True
    if columns.kind(node) == "method" and _is_of_protocol(code, node):
        return False
    if any(one.endswith("overload") for one in columns.own(node, "decorators") or ()):
        return False
    length = int(columns.end_line[node]) - int(columns.start_line[node]) + 1
    if columns.kind(node) == "method" and not columns.docstring(node):
        same = [one for one in columns.find_name(columns.name(node)) if columns.labels[one] == FUNCTION]
        if len(same) >= _PROTOCOL and any(columns.docstring(one) for one in same):
            return False
    return length > _SHORT and not code.is_given(node) and columns.kind(node) in ("function", "method")


def _is_inner(code: Code, node: int) -> bool:
    """Whether a definition is in a module that is named as private, and that no package gives names from on."""
    columns = code.columns
    path, language = columns.path(node), columns.language(node)
    private = _PRIVATE_MODULES.get(language)
    if private is None or not private.search(path):
        return False
    file = int(code.file[node])
    return not any(
        columns.path(one).endswith(_PACKAGE_FILES[language]) and columns.path(one) != path
        for one in code.starts(file, "IMPORTS")
    )


def _is_of_protocol(code: Code, node: int) -> bool:
    """Whether a method is well known from files, containers or the interfaces of a standard library."""
    columns = code.columns
    name, language = columns.name(node), columns.language(node)
    if name in _INTERFACES.get(language, ()):
        return True
    known = next((names for names in _PROTOCOLS.get(language, ()) if name in names), None)
    if known is None:
        return False
    own = {columns.name(one) for one in code.ends(code.container(node), "CONTAINS")}
    return len(own & known) >= _SHARED_NAMES


def _attributes(lines: Sequence[str], at: int) -> list[str]:
    """The attributes directly above and below the index `at` of `lines`."""
    first = last = at
    while first > 0 and lines[first - 1].lstrip().startswith(("#[", "//")):
        first -= 1
    while last < len(lines) and lines[last].lstrip().startswith(("#[", "//")):
        last += 1
    return list(lines[first:last])


_DOCUMENTED = "".join(
    f'def part_{letter}(x):\n    """Do {letter}."""\n    y = x\n    return y\n\n\n' for letter in "abcde"
)
_MANY = "".join(_DOCUMENTED.replace("part", f"part{number}") for number in range(6))
_LAST = "def last(x):\n    a = 1\n    b = 2\n    return a\n"

RULE = Rule(
    name="documentation",
    short="A public definition has no documentation where nearly all around it have.",
    full="Learned for each component from its public functions of more than three lines and its public classes (nine of"
    " ten, or all but one of six to ten). Overrides, methods that a base outside the project may have, overloads,"
    " accessors, what is inside functions and test code are left alone; so are methods that everybody knows from files,"
    " containers (Python) or the standard library's interfaces (Go), and in Python what is defined under a condition,"
    " or in a module named as private that no `__init__` imports. A blank line below a comment does not matter"
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
        Case("a module that is named as private", {"app.py": _DOCUMENTED, "_loop.py": _LAST}),
        Case(
            "for the type checker alone, and what stands in where something is missing",
            {
                "app.py": _MANY
                + "import os\nimport typing as t\n\nif t.TYPE_CHECKING:\n\n"
                + "".join(f"    {line}\n" if line else "\n" for line in _LAST.split("\n"))
                + "if hasattr(os, 'fork'):\n    fork = os.fork\nelse:\n\n    def fork():\n        a = 1\n"
                "        b = 2\n        return a\n"
            },
        ),
        Case(
            "what a file of Python answers to, and what Go's interfaces ask for",
            {
                "app.py": _MANY
                + 'class Wrapper:\n    """Wraps."""\n\n'
                + "".join(
                    f"    def {name}(self):\n        a = 1\n        b = 2\n        return a\n\n"
                    for name in ("seek", "tell", "isatty")
                ),
                "app.go": "package app\n\n"
                + "".join(
                    f"// Part{n} does {n}.\nfunc Part{n}() int {{\n\ta := 1\n\tb := 2\n\treturn a + b\n}}\n\n"
                    for n in "ABCDE"
                )
                + "// Fault is one.\ntype Fault struct{}\n\nfunc (f Fault) Error() string {\n\ta := `a`\n\tb := `b`\n"
                "\treturn a + b\n}\n",
            },
        ),
        Case(
            "a comment above a chain of assignments",
            {
                "app.js": "".join(
                    f"/** Do {n}. */\nexports.part{n} = function part{n}() {{\n  a();\n  b();\n}};\n\n" for n in "ABCDE"
                )
                + "/** Get. */\n\nexports.get =\nexports.header = function header() {\n  a();\n  b();\n};\n"
            },
        ),
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
    invalid=(
        Case("one of six", {"app.py": _DOCUMENTED + _LAST}, (("app.py", 31),)),
        Case(
            "a private module whose names the package gives on, and one method that a file has too",
            {
                "app/__init__.py": "from app._loop import last\n",
                "app/app.py": _MANY,
                "app/_loop.py": _LAST,
                "app/wrap.py": 'class Wrapper:\n    """Wraps."""\n\n    def write(self):\n        a = 1\n'
                "        b = 2\n        return a\n",
            },
            (("app/_loop.py", 1), ("app/wrap.py", 4)),
        ),
    ),
)
