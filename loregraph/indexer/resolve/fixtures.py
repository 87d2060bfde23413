"""Parameters that a test framework fills in by their names: with the results of fixtures (pytest's), and with the
values that decorators list.

Which fixture a name stands for is found from definitions and imports alone, so that it is the same before and after an
edit of another file wherever `differences` says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from loregraph.indexer.facts import FILE_SCOPE, Expr, Import
from loregraph.indexer.resolve import containers, results
from loregraph.indexer.resolve.container_methods import NAMESPACE, make
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.layout import DottedLayout
from loregraph.indexer.resolve.marks import (
    argument,
    fixture_decorator,
    fixture_name,
    given,
    is_fixture,
    listed,
    plugins,
    used_by_marks,
)
from loregraph.indexer.resolve.model import (
    DEFINITION,
    IMPORT,
    Class,
    Container,
    FileIndex,
    Function,
    Generator,
    Values,
)

MAX_PASSED_ON: Final = 4
"""A fixture is looked for through at most so many modules that import it from one another."""
MAX_STARS: Final = 20
"""At most so many star imports and plugins of one file are looked into for fixtures."""


def is_filled_in(function: Function) -> bool:
    """Whether the framework fills in a function's parameters: it is a test or a fixture."""
    return "test" in function.definition.flags or is_fixture(function)


# Implements REQ-RES-018, REQ-RES-019.
def injected(engine: Engine, function: Function, name: str) -> Values:
    """What the framework passes to the parameter `name` of a test or fixture; nothing for other functions."""
    if not is_filled_in(function):
        return ()
    values = given(engine.project, function, name)
    if values is not None:
        return union([evaluate(engine, function.file, site, value) for site, value in values])
    if name == function.file.policy.fixtures.request:
        return _request(engine, function)
    fixture = fixture_named(engine, function, name)
    return _provided(engine, fixture) if fixture is not None else ()


# Implements REQ-RES-018.
def used(engine: Engine, function: Function) -> list[tuple[Function, int]]:
    """(fixture, line) of what a test or fixture names: by its parameters, and by the decorators around it."""
    if not is_filled_in(function):
        return []
    project = engine.project
    first = 1 if function.receives and function.lists_receiver else 0
    names = [
        (parameter.name, function.definition.start_line)
        for parameter in function.parameters[first:]
        if not parameter.kind and parameter.default is None and given(project, function, parameter.name) is None
    ]
    if "test" in function.definition.flags:
        names += used_by_marks(project, function)
    found = [(fixture_named(engine, function, name), line) for name, line in names]
    return [(fixture, line) for fixture, line in found if fixture is not None]


def asked_for(engine: Engine, file: FileIndex) -> Iterator[tuple[Function, Function, int]]:
    """(function, fixture, line) of each call in a file that asks for a fixture by a name that is written there."""
    asked = file.policy.fixtures.asked
    for call in file.facts.calls:
        if call.function[0] != "a" or call.function[2] != asked or len(call.arguments) != 1:
            continue
        function, name = file.functions.get(call.scope), call.arguments[0]
        if function is not None and name[0] == "k" and name[1] == "str":
            fixture = fixture_named(engine, function, name[2])
            if fixture is not None:
                yield function, fixture, call.line


def fixture_named(engine: Engine, function: Function, name: str) -> Function | None:
    """The fixture that a test or fixture gets under a name: the nearest one that it is not itself."""
    for file, scope in _scopes(engine, function):
        found = _fixtures(engine, file).get(scope, {}).get(name)
        if found is None and scope == FILE_SCOPE:
            found = _taken_over(engine, file, name, MAX_PASSED_ON)
        if found is not None and found is not function:
            return found
    return None


def _fixtures(engine: Engine, file: FileIndex) -> dict[int, dict[str, Function]]:
    """Number of a scope → its fixtures by their names; of several with one name the last."""
    known = engine.project.fixtures.get(file)
    if known is None:
        known = engine.project.fixtures[file] = {}
        for function in file.functions.values():
            decorator = fixture_decorator(function) if function.definition.decorators else None
            if decorator is not None:
                known.setdefault(function.definition.parent, {})[fixture_name(function, decorator)] = function
    return known


def _taken_over(engine: Engine, file: FileIndex, name: str, depth: int) -> Function | None:
    """A fixture of another module that a file imports under its name, or has from a plugin."""
    top = file.scopes[FILE_SCOPE]
    for binding in reversed(top.bindings.get(name, ())):
        if binding.kind == IMPORT and binding.payload.name:
            found = _defined(engine, _module(engine, file, binding.payload), binding.payload.name, depth)
            if found is not None:
                return found
    sources = [*(top.stars or ()), *plugins(file)]
    for fact in reversed(sources[-MAX_STARS:]):
        module = _module(engine, file, fact)
        if module is None or module is file:
            continue
        found = _fixtures(engine, module).get(FILE_SCOPE, {}).get(name)
        if found is None and depth:
            found = _taken_over(engine, module, name, depth - 1)
        if found is not None:
            return found
    return None


def _defined(engine: Engine, file: FileIndex | None, name: str, depth: int) -> Function | None:
    """The fixture that a module has under a name, its own or one that it imports itself."""
    if file is None:
        return None
    for binding in reversed(file.scopes[FILE_SCOPE].bindings.get(name, ())):
        function = file.functions.get(binding.payload) if binding.kind == DEFINITION else None
        if function is not None:
            return function if is_fixture(function) else None
    return _taken_over(engine, file, name, depth - 1) if depth else None


def _module(engine: Engine, file: FileIndex, fact: Import) -> FileIndex | None:
    """The file of the module that an import names; None for what lies outside the project."""
    if file.policy.modules.style != "dotted":
        return None
    layout: DottedLayout = engine.project.layout.of(file.policy.language)
    dotted = layout.absolute(file.path, fact.level, fact.module) if fact.level else fact.module
    return engine.project.file_at(layout.module_file(dotted, file.path)) if dotted else None


def _scopes(engine: Engine, function: Function) -> Iterator[tuple[FileIndex, int]]:
    """(file, scope) of all places where a fixture for `function` may be defined, nearest first."""
    file = function.file
    scope = function.scope.parent
    while scope is not None:
        yield file, scope.number
        cls = file.classes.get(scope.number) if scope.is_type else None
        if cls is not None and cls.definition.bases:
            for base in linearised(engine, cls)[1:]:
                if isinstance(base, Class):
                    yield base.file, base.number
        scope = scope.parent
    folder = file.path
    while folder:
        folder = folder.rpartition("/")[0]
        shared = engine.project.files.get(f"{folder}/{file.policy.fixtures.files}".lstrip("/"))
        if shared is not None and shared is not file:
            yield shared, FILE_SCOPE


def _provided(engine: Engine, fixture: Function) -> Values:
    """The value of a fixture: what it returns; for a generator, what it yields."""
    receiver = fixture.owner.instance if fixture.owner is not None else None
    found: Values = ()
    for value in results.returned_values(engine, fixture, receiver):
        if isinstance(value, Generator):
            found += engine.read(results.yielded_cell(engine, value.function))
        else:
            found += value.alone
    return found


def _request(engine: Engine, fixture: Function) -> Values:
    """What tells a fixture about the test: an object with the values that the fixture's decorator lists."""
    decorator = fixture_decorator(fixture)
    if decorator is None or decorator[0] != "c":
        return ()
    file, policy = fixture.file, fixture.file.policy.fixtures
    call = file.facts.calls[decorator[1]]
    params = argument(call, -1, policy.params)
    if params is None:
        return ()
    origin = (NAMESPACE, file, call)
    made = engine.interned.get((NAMESPACE, file, id(call)))
    if made is None:
        made = make(engine, file, True, file.policy, origin)
        field = containers.own_field(made, ("str", policy.param))
        for site, value in listed(file, call, params, -1):
            containers.add_source(engine, field, file, site, value)
    assert isinstance(made, Container)
    return made.alone


def _passed(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return injected(engine, expr[1], expr[2])


OPERATORS["A"] = _passed
