"""Parameters that a test framework injects by name (pytest's fixtures)."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import results
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import External, FileIndex, Function, Generator, Site, Values


def injected(engine: Engine, function: Function, name: str) -> Values:
    """What the framework passes to the parameter `name` of a test or fixture; nothing for other functions."""
    if not (is_fixture(engine, function) or "test" in function.definition.flags):
        return ()
    for scope in _scopes(engine, function):
        for binding in reversed(scope[0].scopes[scope[1]].bindings.get(name, ())):
            found = scope[0].functions.get(binding.payload) if isinstance(binding.payload, int) else None
            if found is not None and found is not function and is_fixture(engine, found):
                return _provided(engine, found)
        for found in _named(engine, *scope).get(name, ()):
            if found is not function and is_fixture(engine, found):
                return _provided(engine, found)
    return ()


def _provided(engine: Engine, fixture: Function) -> Values:
    receiver = fixture.owner.instance if fixture.owner is not None else None
    return _result(engine, results.returned_values(engine, fixture, receiver))


def _named(engine: Engine, file: FileIndex, number: int) -> dict[str, list[Function]]:
    """The functions of a scope that a decorator registers under another name: `@fixture(name="app")`, last one
    first."""
    scope = file.scopes[number]
    known: dict[str, list[Function]] | None = engine.project.named_fixtures.get(scope)
    if known is None:
        known = engine.project.named_fixtures[scope] = {}
        for function in reversed(file.functions.values()):
            if function.definition.parent != scope.number:
                continue
            for decorator in function.definition.decorators:
                if decorator[0] == "c":
                    for key, value in file.facts.calls[decorator[1]].keywords:
                        if key == "name" and value[0] == "k" and value[1] == "str":
                            known.setdefault(value[2], []).append(function)
    return known


def _result(engine: Engine, values: Values) -> Values:
    """The value of a fixture: for a generator, what it yields."""
    found: Values = ()
    for value in values:
        if isinstance(value, Generator):
            found += engine.read(results.yielded_cell(engine, value.function))
        else:
            found += value.alone
    return found


def _scopes(engine: Engine, function: Function) -> list[tuple[FileIndex, int]]:
    """(file, scope) of all places where a fixture for `function` may be defined, nearest first."""
    found: list[tuple[FileIndex, int]] = []
    scope = function.scope.parent
    while scope is not None:
        found.append((function.file, scope.number))
        scope = scope.parent
    folder = function.file.path.rpartition("/")[0]
    while True:
        path = (
            f"{folder}/{function.file.policy.library.fixture_files}"
            if folder
            else function.file.policy.library.fixture_files
        )
        file = engine.project.files.get(path)
        if file is not None and file is not function.file:
            found.append((file, -1))
        if not folder:
            return found
        folder = folder.rpartition("/")[0]


def is_fixture(engine: Engine, function: Function) -> bool:
    """Whether a function is decorated as a fixture."""
    file = function.file
    definition = function.definition
    for decorator in definition.decorators:
        expr: Expr = decorator
        if expr[0] == "c":
            expr = file.facts.calls[expr[1]].function
        if expr[0] not in ("n", "a") or expr[-1] != file.policy.library.fixture.rpartition(".")[2]:
            continue
        site = Site(definition.parent, definition.start_byte, -2)
        values = evaluate(engine, file, site, expr)
        if any(isinstance(v, External) and v.path == file.policy.library.fixture for v in values):
            return True
    return False


def _passed(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return injected(engine, expr[1], expr[2])


OPERATORS["A"] = _passed
