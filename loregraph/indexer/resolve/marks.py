"""What is said of tests and fixtures by decorators, read as it is written: nothing is evaluated, so that code of other
files may ask, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from loregraph.indexer.facts import FILE_SCOPE, Call, Expr, Import
from loregraph.indexer.resolve.model import IMPORT, VALUE, Binding, FileIndex, Function, Scope
from loregraph.indexer.resolve.project import Project
from loregraph.indexer.resolve.scoping import find

MAX_ALIASES: Final = 4
"""At most so many assignments are followed from a name to what it stands for."""
MAX_ROWS: Final = 1000
"""At most so many values of one parameter are looked at."""

Given = tuple[Any, Expr]
"""(site, expression) of a value that a parameter gets."""


def written_path(file: FileIndex, scope: int, expr: Expr, depth: int = MAX_ALIASES) -> str:
    """The dotted path of something outside the file that a name or member stands for, by the file's imports alone:
    `pytest.fixture`; "" where it is no such thing."""
    members: list[str] = []
    while expr[0] == "a":
        members.append(expr[2])
        expr = expr[1]
    if expr[0] != "n":
        return ""
    for binding in reversed(_bound(file, scope, expr[1])):
        base = ""
        if binding.kind == IMPORT and not binding.payload.level:
            fact = binding.payload
            base = f"{fact.module}.{fact.name}" if fact.name else fact.module
            if not fact.name and fact.alias == fact.module.partition(".")[0]:
                base = fact.alias  # `import a.b` binds `a`
        elif binding.kind == VALUE and depth and binding.payload[0] in ("n", "a"):
            base = written_path(file, binding.site.scope, binding.payload, depth - 1)
        if base:
            return ".".join((base, *reversed(members)))
    return ""


def _bound(file: FileIndex, scope: int, name: str) -> list[Binding]:
    owner = find(file.scopes[scope], name)
    return owner.bindings[name] if owner is not None else []


def fixture_decorator(function: Function) -> Expr | None:
    """The decorator that makes a function a fixture; None where it is none."""
    file, definition = function.file, function.definition
    for decorator in definition.decorators:
        called = file.facts.calls[decorator[1]].function if decorator[0] == "c" else decorator
        if written_path(file, definition.parent, called) in file.policy.fixtures.decorators:
            return decorator
    return None


def is_fixture(function: Function) -> bool:
    """Whether a function is decorated as a fixture."""
    return bool(function.definition.decorators) and fixture_decorator(function) is not None


def fixture_name(function: Function, decorator: Expr) -> str:
    """The name by which tests ask for a fixture: its own, or the one in `@fixture(name="app")`."""
    if decorator[0] == "c":
        written = argument(function.file.facts.calls[decorator[1]], -1, "name")
        if written is not None and written[0] == "k" and written[1] == "str":
            return str(written[2])
    return function.definition.name


def argument(call: Call, position: int, keyword: str) -> Expr | None:
    """An argument of a call by its position (−1: it has none) or its keyword."""
    for name, value in call.keywords:
        if name == keyword:
            return value
    return call.arguments[position] if 0 <= position < len(call.arguments) else None


def marks(project: Project, function: Function) -> list[tuple[str, Call]]:
    """(path, call) of what is said of a test: by its decorators, those of the classes around it, and the variable that
    holds such decorators for a class or file. The nearest first."""
    own = _calls(function.file, function.definition.parent, function.definition.decorators)
    return own + _around(project, function.scope.parent)


def _around(project: Project, scope: Scope | None) -> list[tuple[str, Call]]:
    if scope is None:
        return []
    known = project.marks.get(scope)
    if known is None:
        file = scope.file
        written: list[tuple[str, Call]] = []
        for binding in scope.bindings.get(file.policy.fixtures.marks, ()):
            if binding.kind == VALUE:
                held = binding.payload
                written += _calls(file, scope.number, held[1] if held[0] == "l" else (held,))
        if scope.definition is not None:
            written += _calls(file, scope.definition.parent, scope.definition.decorators)
        known = project.marks[scope] = written + _around(project, scope.parent)
    return known


def _calls(file: FileIndex, scope: int, decorators: Any) -> list[tuple[str, Call]]:
    """Those of some decorators that say something of fixtures or values."""
    policy = file.policy.fixtures
    found: list[tuple[str, Call]] = []
    for decorator in decorators:
        expr = _constant(file, scope, decorator)[1]
        if expr[0] == "c":
            call = file.facts.calls[expr[1]]
            path = written_path(file, call.scope, call.function)
            if path and path in (policy.uses, policy.parametrize):
                found.append((path, call))
    return found


def _constant(file: FileIndex, scope: int, expr: Expr) -> tuple[Any, Expr]:
    """(site, expression) of what a name stands for where one assignment in the file gives it; else of the name."""
    site: Any = None
    for _ in range(MAX_ALIASES):
        held = _bound(file, scope, expr[1]) if expr[0] == "n" else []
        if len(held) != 1 or held[0].kind != VALUE:
            break
        site, expr = held[0].site, held[0].payload
        scope = site.scope
    return site, expr


def texts(expr: Expr | None) -> list[str]:
    """The names that an argument lists: `"a, b"`, `["a", "b"]`."""
    if expr is None:
        return []
    if expr[0] == "k" and expr[1] == "str":
        return [name for part in expr[2].split(",") if (name := part.strip())]
    return [part[2] for part in expr[1] if part[0] == "k" and part[1] == "str"] if expr[0] == "l" else []


def used_by_marks(project: Project, function: Function) -> list[tuple[str, int]]:
    """(name, line) of the fixtures that run for a test without being passed to it."""
    uses = function.file.policy.fixtures.uses
    return [
        (name, call.line)
        for path, call in marks(project, function)
        if path == uses
        for part in call.arguments
        for name in texts(part)[:1]
    ]


def given(project: Project, function: Function, name: str) -> list[Given] | None:
    """The values that decorators list for the parameter `name` of a test; None where none names it."""
    file = function.file
    found: list[Given] | None = None
    for path, call in marks(project, function):
        if path != file.policy.fixtures.parametrize:
            continue
        written = argument(call, 0, "argnames")
        names = texts(written)
        if name not in names or _goes_to_fixture(call, name):
            continue
        found = found if found is not None else []
        alone = len(names) == 1 and written is not None and written[0] == "k"
        rows = argument(call, 1, "argvalues")
        if rows is not None:
            found += listed(file, call, rows, -1 if alone else names.index(name))
    return found


def _goes_to_fixture(call: Call, name: str) -> bool:
    """Whether the fixture of that name gets the values, and the test what the fixture makes of them."""
    indirect = argument(call, 2, "indirect")
    return indirect is not None and ((indirect[0] == "k" and indirect[1] == "bool") or name in texts(indirect))


def listed(file: FileIndex, site: Any, rows: Expr, place: int) -> list[Given]:
    """The values in a list: its elements where `place` is −1, else what stands at that place of each of them."""
    found: list[Given] = []
    for number, (where, row) in enumerate(_elements(file, site, rows, MAX_ALIASES)):
        if number >= MAX_ROWS:
            break
        value = _part(file, where, row, place)
        if value is not None and value[0] not in ("k", "x"):
            found.append((where, value))
    return found


def _part(file: FileIndex, site: Any, row: Expr, place: int) -> Expr | None:
    """What stands at a place of an element of such a list."""
    parts: Any = None
    if row[0] == "c" and _is_row(file, row):
        parts, place = file.facts.calls[row[1]].arguments, max(place, 0)
    elif row[0] == "l" and place >= 0:
        parts = row[1]
    if parts is not None and not any(part[0] == "*" for part in parts[: place + 1]):
        return parts[place] if place < len(parts) else None
    return row if place < 0 else ("s", row, ("k", "int", str(place)))


def _is_row(file: FileIndex, expr: Expr) -> bool:
    if expr[0] != "c":
        return False
    call = file.facts.calls[expr[1]]
    return written_path(file, call.scope, call.function) == file.policy.fixtures.row


def _elements(file: FileIndex, site: Any, expr: Expr, depth: int) -> Iterator[Given]:
    """The elements of a sequence: those written in a literal, else what iterating over it gives. A variable is only
    read as it is written where entries are made by `row`, since code may add to what it holds."""
    where, held = _constant(file, site.scope, expr)
    if where is not None and held[0] == "l" and any(_is_row(file, item) for item in held[1]):
        site, expr = where, held
    if expr[0] == "l":
        for item in expr[1]:
            if item[0] != "*":
                yield site, item
            elif depth:
                yield from _elements(file, site, item[1], depth - 1)
    elif expr[0] == "b" and expr[1] == "+" and depth:
        yield from _elements(file, site, expr[2], depth - 1)
        yield from _elements(file, site, expr[3], depth - 1)
    else:
        yield site, ("i", expr)


def plugins(file: FileIndex) -> list[Import]:
    """The modules that a file names as plugins, as star imports."""
    found: list[Import] = []
    for binding in file.scopes[FILE_SCOPE].bindings.get(file.policy.fixtures.plugins, ()):
        if binding.kind == VALUE:
            held = binding.payload
            for part in held[1] if held[0] == "l" else (held,):
                if part[0] == "k" and part[1] == "str":
                    found.append(Import(FILE_SCOPE, 0, binding.at, part[2], 0, "*", "", "star"))
    return found
