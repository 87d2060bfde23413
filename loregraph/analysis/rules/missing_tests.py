"""Untested public functions where nearly all around them are tested."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.analysis.rules.code import CLASS, EXAMPLES, FILE, FUNCTION, Code
from loregraph.analysis.rules.executions import executions
from loregraph.analysis.rules.families import GENERAL
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.analysis.rules.siblings import Pattern, pattern
from loregraph.graph.imported import is_only_of_runs

_SHORT: Final = 3
_COMMENTS: Final = ("*", "/*", "//", "#", "--", ";")
_DEEP: Final = 6
"""Maximum distance in calls from a test to a function that counts as reached."""


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    habits: dict[str, Habit] = {}
    checked = 0
    for node in code.only(members, FUNCTION):
        if code.is_test(node) or not _counts(code, node):
            continue
        common = _habit(code, int(code.file[node])) or _habit(code, int(code.component[node]))
        if common is None:
            continue
        checked += 1
        where = columns.path(int(code.component[node]))
        name = f"public functions of {where} are tested"
        habits.setdefault(name, Habit(name, tuple(columns.id(one) for one in common.having[:EXAMPLES])))
        if (
            _reached(code)[node]
            or executions(code).ran([node])
            or columns.name(node) in _named_in_tests(code)
            or _is_run_otherwise(code, node)
        ):
            continue
        deviations.append(
            Deviation(
                code.place(node),
                f"no test reaches {columns.name(node)}; {common.share} public functions around it are tested",
                "a test that calls it",
                "none is known",
                (f"{common.share} public functions are tested", *code.examples(common.having)),
                columns.id(node),
            )
        )
    return Outcome(tuple(deviations), tuple(habits.values()), checked)


def _counts(code: Code, node: int) -> bool:
    columns = code.columns
    if not code.is_public(node) or columns.kind(node) not in ("function", "method"):
        return False
    if code.is_given(node) or {"abstract", "declaration"} & set(columns.own(node, "modifiers") or ()):
        return False
    return int(columns.end_line[node]) - int(columns.start_line[node]) + 1 > _SHORT


def _habit(code: Code, around: int) -> Pattern[bool] | None:
    """Whether nearly all public functions of a file or directly in a component are called by a test."""

    def learn() -> Pattern[bool] | None:
        if around < 0:
            return None
        if code.columns.labels[around] == FILE:
            inside = [n for n in _functions(code, int(code.component[around])) if int(code.file[n]) == around]
        else:
            inside = _functions(code, around)
        tested = {node: _is_called_by_a_test(code, node) for node in inside if _counts(code, node)}
        return pattern(tested, no=frozenset({False}))

    return code.once(("tests", around), learn)


def _is_called_by_a_test(code: Code, node: int) -> bool:
    """Whether the code says so: runs, which some functions may have and others not, make no habit."""
    edges = code.columns.into(node, "TESTS").tolist()
    return any(not is_only_of_runs(code.columns.how(edge)) for edge in edges)


def _functions(code: Code, component: int) -> list[int]:
    groups = code.by_component(FUNCTION)
    return sorted(node for (own, _), nodes in groups.items() if own == component for node in nodes)


def _reached(code: Code) -> npt.NDArray[np.bool_]:
    """For each node, whether a test reaches it by calls, overrides and references."""

    def spread() -> npt.NDArray[np.bool_]:
        columns = code.columns
        reached = np.zeros(columns.node_count, np.bool_)
        for path_code, path in enumerate(columns.paths.values):
            if code.is_test_path(path):
                reached |= columns.paths.codes == path_code
        for test in _tests(code):
            reached[test] = True
        # Importing a file runs its top level.
        reached |= columns.labels == FILE
        rels = [columns.edges(rel) for rel in ("CALLS", "REFERENCES", "TESTS")]
        forward = np.concatenate(rels)
        sources, targets = columns.source[forward], columns.target[forward]
        overrides = columns.edges("OVERRIDES")
        for _ in range(_DEEP):
            reached[targets[reached[sources]]] = True
            reached[columns.source[overrides][reached[columns.target[overrides]]]] = True
            reached[columns.target[overrides][reached[columns.source[overrides]]]] = True
        return reached

    return code.once("reached by tests", spread)


def _is_run_otherwise(code: Code, node: int) -> bool:
    """Whether unknown code may run it: a framework that reads a decorator, a call with an unknown target."""
    decorators = code.columns.own(node, "decorators") or ()
    called = [one.partition("(")[0].replace("::", ".").rpartition(".")[2] for one in decorators]
    return any(name not in GENERAL for name in called) or _named_elsewhere(code, node)


def _named_elsewhere(code: Code, node: int) -> bool:
    """Whether the name occurs in code of the project that has neither a definition nor a known call of it: an
    unresolved call, by which a test may get here."""
    columns = code.columns
    name = columns.name(node)
    known: dict[str, int] = {}
    for other in columns.find_name(name):
        if columns.labels[other] in (FUNCTION, CLASS):
            known[columns.path(other)] = known.get(columns.path(other), 0) + 1
    for rel in ("CALLS", "REFERENCES"):
        for caller in set(code.starts(node, rel)):
            known[columns.path(caller)] = known.get(columns.path(caller), 0) + 1
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for path in _sources_with(code, name):
        lines = code.lines(path)
        said = sum(len(word.findall(line)) for line in lines if not line.lstrip().startswith(_COMMENTS))
        if said > known.get(path, 0):
            return True
    return False


def _sources_with(code: Code, name: str) -> list[str]:
    """The files with the word, without test code and documents."""

    def read() -> dict[str, list[str]]:
        columns = code.columns
        functions = np.flatnonzero(columns.labels == FUNCTION).tolist()
        wanted = {columns.name(node).encode() for node in functions}
        languages = {columns.language(node) for node in functions}
        found: dict[str, list[str]] = {}
        for file in columns.nodes("File").tolist():
            path = columns.path(file)
            if columns.language(file) in languages and not code.is_test_path(path):
                for word in set(code.content(path).translate(WORDS).split()) & wanted:
                    found.setdefault(word.decode("utf-8", "replace"), []).append(path)
        return found

    return code.once("files by word", read).get(name, [])


def _tests(code: Code) -> list[int]:
    """The functions that are tests."""
    columns = code.columns
    functions = np.flatnonzero(columns.labels == FUNCTION)
    marks = np.asarray(columns.column("Function", "is_test")[0], np.bool_)
    found: list[int] = functions[marks].tolist()
    return found


def _named_in_tests(code: Code) -> frozenset[str]:
    """Every word of the test code: it may reach code by a name in a string, without a known call."""

    def read() -> frozenset[str]:
        columns = code.columns
        found: set[bytes] = set()
        beside: dict[str, int] = {}
        for test in _tests(code):
            path = columns.path(test)
            beside[path] = min(beside.get(path, 2**31), int(columns.start_line[test]))
        for file in columns.nodes("File").tolist():
            path = columns.path(file)
            if code.is_test_path(path):
                found.update(code.content(path).translate(WORDS).split())
            elif path in beside:
                # Tests in the same file are below the code that they test.
                text = "\n".join(code.lines(path)[beside[path] - 1 :])
                found.update(text.encode("utf-8", "replace").translate(WORDS).split())
        return frozenset(word.decode("utf-8", "replace") for word in found)

    return code.once("words of tests", read)


WORDS: Final = bytes(b if chr(b).isalnum() or b == ord("_") or b >= 128 else 32 for b in range(256))
"""Replaces what is between words by spaces."""


_TESTED = "".join(f"def part_{n}(x):\n    y = x\n    z = y\n    return z\n\n\n" for n in "abcde")
_TESTS = "import app\n\n\n" + "".join(f"def test_{n}():\n    assert app.part_{n}(1) == 1\n\n\n" for n in "abcde")

RULE = Rule(
    name="tests",
    short="No test reaches a public function where nearly all around it are tested.",
    full="Learned for each file, else for each component, from its public functions of more than three lines (nine of"
    " ten, or all but one of six to ten, are called by a test). Overrides are left alone. A function counts as reached"
    " through any chain of calls from test code, where a run that was imported executed it, and where test code has its"
    " name as a word. Whether a test reaches it"
    " is not known, and nothing is said, where a framework may run it by its decorator, or its name stands in other"
    " code without a call that the graph can follow.",
    severity="note",
    check=check,
    whole=True,
    valid=(
        Case(
            "reached through another",
            {
                "app.py": _TESTED.replace("y = x", "y = last(x)", 1)
                + "def last(x):\n    y = x\n    z = y\n    return z\n",
                "tests/test_app.py": _TESTS,
            },
        ),
        Case(
            "run, as an imported run shows, by what nothing names",
            {
                "app.py": _TESTED + "def last(x):\n    y = x\n    z = y\n    return z\n",
                "tests/test_app.py": _TESTS,
                "lcov.info": "SF:app.py\nDA:31,1\nDA:32,1\nDA:33,1\nDA:34,1\nend_of_record\n",
            },
            runs=("lcov.info",),
        ),
        Case(
            "a decorator that others read, and a call whose target is not known",
            {
                "app.py": "import web\n\n\n"
                + _TESTED
                + "@web.route\ndef page(x):\n    y = x\n    z = y\n    return z\n\n\n"
                "def last(x):\n    y = x\n    z = y\n    return z\n",
                "run.py": "def run(name):\n    return __import__('app').last(name)\n",
                "tests/test_app.py": _TESTS,
            },
        ),
    ),
    invalid=(
        Case(
            "one of six",
            {
                "app.py": _TESTED + "def last(x):\n    y = x\n    z = y\n    return z\n",
                "tests/test_app.py": _TESTS,
            },
            (("app.py", 31),),
        ),
    ),
)
