"""Absolute module names, the same from every file: Elixir's.

A module is a type here; facts refer to it by its full name, `("m", "MyApp.Repo")`. Several files may define a module of
the same name (test suites do): the importing file's own definition wins, else the nearest one.
"""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Import
from loregraph.indexer.resolve import imports, names
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.imports import STARS
from loregraph.indexer.resolve.layout import shared_folders
from loregraph.indexer.resolve.model import EMPTY, Cell, Class, Constant, FileIndex, Function, Value, Values
from loregraph.indexer.resolve.modules import external_module

MAX_NEAREST = 3
"""With more modules of the same name equally near, none is chosen."""


def absolute_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """The module that an import names, or one of its functions."""
    found = _nearest(file, _modules(engine, file.policy.language).get(fact.module, []))
    if not found:
        if fact.module in _modules(engine, file.policy.language):
            return EMPTY
        external = external_module(engine, file, fact.module)
        return Constant((engine.member_of(external, fact.name) if fact.name.strip("*") else external).alone)
    values: list[Value] = []
    for cls in found:
        values.append(cls)
        if cls.definition.kind == "protocol":  # its implementations may run
            values.append(cls.typed)
    if fact.name and fact.name != "*":
        return names.MemberCell(file, Constant(tuple(values)), fact.name)
    return Constant(tuple(values))


def _modules(engine: Engine, language: str) -> dict[str, list[Class]]:
    """The modules with that full name; none for a name that is only the prefix of others."""
    key = ("modules", language)
    memo: dict[tuple[object, ...], Any] = engine.interned
    known: dict[str, list[Class]] | None = memo.get(key)
    if known is None:
        found: dict[str, list[Class]] = {}
        for file in engine.project.files.values():
            if file.policy.language == language:
                for cls in file.classes.values():
                    name = cls.definition.qualname.partition("#")[0]
                    found.setdefault(name, []).append(cls)
        for name in list(found):
            while "." in name:
                name = name.rpartition(".")[0]
                found.setdefault(name, [])
        known = memo[key] = found
    return known


def _nearest(file: FileIndex, modules: list[Class]) -> list[Class]:
    if len(modules) < 2:
        return modules
    own = [cls for cls in modules if cls.file is file]
    if own:
        return own
    shared = [shared_folders(cls.file.path, file.path) for cls in modules]
    found = [cls for cls, count in zip(modules, shared, strict=True) if count == max(shared)]
    return found if len(found) <= MAX_NEAREST else []


def used_member(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` as `use Module` brings it into scope: what the code quoted in `__using__` imports and defines. `use
    Module, :which` often calls the function `which` of the module to get that code."""
    key = ("used", star.at, name)
    cells = file.scopes[-1].cells
    cell = cells.get(key)
    if cell is None:
        cell = cells[key] = Used(file, star, name)
    return engine.read(cell)


class Used(Cell):
    """A name that code quoted by a used module may bring into scope. A used module may use itself, also through other
    modules."""

    __slots__ = ("file", "name", "star")

    def __init__(self, file: FileIndex, star: Import, name: str) -> None:
        super().__init__(file)
        self.file = file
        self.star = star
        self.name = name

    def compute(self, engine: Engine) -> Values:
        found: list[Values] = []
        which = self.star.kind.partition(" ")[2]
        for value in imports.module_values(engine, self.file, self.star.module):
            for wanted in ("__using__", which) if isinstance(value, Class) else ():
                cell = names.exit_cell(engine, value.scope, wanted) if wanted and isinstance(value, Class) else None
                for function in engine.read(cell) if cell is not None else ():
                    if isinstance(function, Function):
                        found.append(_quoted(engine, function, self.name))
        return union(found)


def _quoted(engine: Engine, function: Function, name: str) -> Values:
    found: list[Values] = []
    cell = names.exit_cell(engine, function.scope, name)
    if cell is not None:
        found.append(tuple(value for value in engine.read(cell) if isinstance(value, Function)))
    for star in function.scope.stars or ():
        found.append(imports.star_member(engine, function.file, star, name))
    return union(found)


STARS["use"] = used_member
