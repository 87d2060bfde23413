"""The values of a definition's name: the definition itself, the results of its decorators, the definition behind a
prototype."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.dispatch import OPERATORS
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import FileIndex, Function, Namespace, Value, Values
from loregraph.indexer.resolve.modules import open_namespace


def definition_values(engine: Engine, file: FileIndex, number: int) -> Values:
    """The values of a definition's name, decorators applied."""
    definition = file.facts.definitions[number]
    if definition.decorators and file.policy.members.explicit_receiver:
        return decorated_values(engine, file, number, 0)
    return plain_values(engine, file, number)


def plain_values(engine: Engine, file: FileIndex, number: int) -> Values:
    """The definition itself, decorators not applied."""
    function = file.functions.get(number)
    if function is not None:
        if function.owner is None and "prototype" in function.definition.flags:
            return definitions_of(engine, function) or function.alone
        return function.alone
    cls = file.classes.get(number)
    if cls is not None:
        return cls.alone
    qualified = file.facts.definitions[number].qualname.partition("#")[0]
    opened = open_namespace(engine, file.policy.language, qualified)
    if opened:
        return opened
    definition = file.facts.definitions[number]
    key = ("namespace", file.path, number)
    found = engine.interned.get(key)
    if found is None:
        found = Namespace(definition.name, file.policy.language, (), file.scopes[number])
        engine.interned[key] = found
    return found.alone


def decorated_values(engine: Engine, file: FileIndex, number: int, level: int) -> Values:
    """The values after applying decorator number `level` and those below it (nearer to the definition)."""
    cells = file.decorated.get(number)
    if cells is None or level >= len(cells):
        return plain_values(engine, file, number)
    return engine.read(cells[level].result(engine))


def with_definitions(engine: Engine, values: Values) -> Values:
    """Replaces prototypes by the project's functions that they declare."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, Function) and "declaration" in value.definition.flags:
            found.extend(definitions_of(engine, value) or value.alone)
        else:
            found.append(value)
    return tuple(dict.fromkeys(found))


def definitions_of(engine: Engine, function: Function) -> Values:
    """The definitions that a prototype declares: same name, in a file that sees the prototype."""
    qualname = function.definition.qualname.partition("#")[0]
    found = []
    for other in engine.project.bodies.get((function.file.policy.family, qualname), ()):
        if other.file is function.file or function.file in engine.project.included(other.file):
            found.append(other)
    if not found:
        # As the linker does: the only function of that name that is visible to other files.
        bodies = engine.project.bodies.get((function.file.policy.family, qualname), ())
        found = [other for other in bodies if "exported" in other.definition.flags]
        found = found if len(found) == 1 else []
    return tuple(found)


def _definition(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return plain_values(engine, file, expr[1])


def _decorated(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return decorated_values(engine, file, expr[1], expr[2])


OPERATORS.update({"f": _definition, "D": _decorated})
