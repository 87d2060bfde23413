"""Components that depend on each other in both directions."""

from __future__ import annotations

from collections.abc import Sequence

from loregraph.analysis.findings import Place
from loregraph.analysis.rules.code import COMPONENT, FILE, Code
from loregraph.analysis.rules.imports import imports_of
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    files = {int(code.file[member]) for member in members}
    first: dict[tuple[int, int], int] = {}
    for file in sorted(imports_of(code), key=columns.path):
        if code.is_test(file):
            continue
        for edge in imports_of(code)[file]:
            target = int(columns.target[edge])
            if columns.labels[target] == FILE and code.is_test(target):
                continue
            pair = (int(code.component[file]), int(code.component[target]))
            if columns.labels[target] in (FILE, COMPONENT) and -1 not in pair and pair[0] != pair[1]:
                first.setdefault(pair, edge)
    found = [
        _deviation(code, one, other, first[one, other], first[other, one])
        for one, other in sorted(first)
        if one < other
        and (other, one) in first
        and not _nested(code, one, other)
        and {int(columns.source[first[one, other]]), int(columns.source[first[other, one]])} & files
    ]
    return Outcome(tuple(found), (), len({pair[0] for pair in first}))


def _nested(code: Code, one: int, other: int) -> bool:
    """Whether one is inside the other: a package and its parts belong together."""
    for inner, outer in ((one, other), (other, one)):
        while inner >= 0:
            if inner == outer:
                return True
            inner = code.container(inner)
    return False


def _deviation(code: Code, one: int, other: int, there: int, back: int) -> Deviation:
    columns = code.columns
    places = []
    said = []
    for edge in (there, back):
        file, line = int(columns.source[edge]), int(columns.line[edge])
        places.append(Place(columns.path(file), line, line, columns.id(file)))
        said.append(f"{columns.path(file)}:{line} imports {columns.id(int(columns.target[edge]))}")
    names = columns.path(one), columns.path(other)
    return Deviation(
        places[0],
        f"{names[0]} and {names[1]} depend on each other",
        "dependencies in one direction",
        f"{names[0]} ⇄ {names[1]}",
        tuple(said),
        " ".join(names),
        (places[1],),
    )


RULE = Rule(
    name="component-cycles",
    short="Two components depend on each other.",
    full="Packages or module folders, neither inside the other, with imports in both directions; the first import of"
    " each is shown. Test code does not count, imports inside functions do.",
    why_off="sub-packages that use each other are how most Python and JavaScript projects are built: what is found is"
    " true, and seldom what anybody means to change",
    severity="note",
    check=check,
    valid=(
        Case(
            "a package and its part",
            {
                "a/__init__.py": "from a.b import two\n",
                "a/one.py": "X = 1\n",
                "a/b/__init__.py": "",
                "a/b/two.py": "import a.one\n",
            },
        ),
    ),
    invalid=(
        Case(
            "both directions",
            {
                "a/__init__.py": "",
                "a/one.py": "import b.two\n",
                "b/__init__.py": "",
                "b/two.py": "def f():\n    import a.one\n    return a.one\n",
            },
            (("a/one.py", 1),),
        ),
    ),
)
