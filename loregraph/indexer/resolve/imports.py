"""Imports, whatever the module style: members of modules, star imports.

`STYLES` has a row for each style, which finds the files or symbols behind an import: see `import_styles`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from loregraph.indexer.facts import FILE_SCOPE, Expr, Import
from loregraph.indexer.resolve import names, namespaces, packages
from loregraph.indexer.resolve.dispatch import MEMBERS, OPERATORS, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    EMPTY,
    IMPORT,
    Cell,
    Class,
    FileIndex,
    Module,
    Namespace,
    Site,
    Values,
)
from loregraph.indexer.resolve.modules import dotted_module
from loregraph.indexer.resolve.scoping import END

STYLES: Final[dict[str, Callable[[Engine, FileIndex, Import], Cell]]] = {}
"""Module style (`Modules.style`) → the values that an import binds."""
STARS: Final[dict[str, Callable[[Engine, FileIndex, Import, str], Values]]] = {"using": namespaces.using_member}
"""First word of a star import's kind → how it resolves a name; other kinds bring in the members of the module they
name."""


class StarMember(Cell):
    """A name of a module that its star imports may provide, or a submodule of a package."""

    __slots__ = ("file", "name")

    def __init__(self, file: FileIndex, name: str) -> None:
        super().__init__(file)
        self.file = file
        self.name = name

    def compute(self, engine: Engine) -> Values:
        file, name = self.file, self.name
        passed = file.policy.modules.imports_passed
        for star in reversed((file.scopes[-1].stars or [])[-names.MAX_STARS :]):
            if not passed and star.kind != "part":
                continue
            values = star_member(engine, file, star, name)
            if values:
                return values
        for star in file.star_exports:
            for value in module_values(engine, file, star.module, star.level):
                values = member_of(engine, value, name)
                if values and name != "default":
                    return values
        submodule = engine.project.submodule(file, name)
        return submodule.module.alone if submodule is not None else ()


# Implements REQ-RES-005.
def import_values(engine: Engine, file: FileIndex, fact: Import) -> Values:
    """The values that an import binds its name to."""
    return engine.read(imported_cell(engine, file, fact))


def imported_cell(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """The cell of an import's name."""
    return _cell_of(engine, file, ("import", file.path, fact.at, fact.alias, fact.name), fact, starred=False)


def _cell_of(engine: Engine, file: FileIndex, key: tuple[object, ...], fact: Import, *, starred: bool) -> Cell:
    """The cell of an import, kept as `key`; `starred`: of the object whose members a star import brings in."""
    cells = file.scopes[-1].cells
    found = cells.get(key)
    if found is None:
        cells[key] = EMPTY
        asked = Import(fact.scope, fact.line, fact.at, fact.module, fact.level, "", "", "star") if starred else fact
        found = cells[key] = STYLES[file.policy.modules.style](engine, file, asked)
        _note(engine, found, (file, fact, starred))
    return found


def _note(engine: Engine, cell: Cell, source: tuple[FileIndex, Import, bool]) -> None:
    """Records the import that a cell was made for: the innermost one where imports refer to one another."""
    depth = 0
    while cell.of_import and cell not in engine.importers:
        engine.importers[cell] = (*source, depth)
        if not isinstance(cell, names.MemberCell):
            break
        cell = cell.holder
        depth += 1


def module_values(engine: Engine, file: FileIndex, text: str, level: int = 0) -> Values:
    """The module named by a string: `import("./x")`, `importlib.import_module("a.b")`."""
    return engine.read(STYLES[file.policy.modules.style](engine, file, Import(-1, 0, -1, text, level)))


def member_cell(engine: Engine, file: FileIndex, name: str) -> Cell:
    """The cell of a file's export `name`."""
    top = file.scopes[-1]
    key = ("member", name)
    found = top.cells.get(key)
    if found is None:
        found = top.cells[key] = _member_cell(engine, file, name)
    return found


def _member_cell(engine: Engine, file: FileIndex, name: str) -> Cell:
    top = file.scopes[-1]
    bindings = file.exports.get(name)
    if bindings:
        return names.Variable(file, tuple(bindings))
    if not file.policy.modules.module_exports or (not file.exports and not file.star_exports):
        cell = names.exit_cell(engine, top, name)
        if cell is not None:
            return cell
    whole = file.exports.get("=")
    if whole:
        if name == "default":
            return whole_cell(file)
        return WholeMember(file, name)
    if top.stars is None and not file.star_exports and engine.project.submodule(file, name) is None:
        return EMPTY
    return StarMember(file, name)


class WholeMember(Cell):
    """A member of the value that a CommonJS module exports as a whole."""

    __slots__ = ("file", "name")

    def __init__(self, file: FileIndex, name: str) -> None:
        super().__init__(file)
        self.file = file
        self.name = name

    def compute(self, engine: Engine) -> Values:
        whole = engine.read(whole_cell(self.file))
        return union([member_of(engine, value, self.name) for value in whole])


def whole_cell(file: FileIndex) -> Cell:
    """The cell of the value that a CommonJS module exports as a whole."""
    cells = file.scopes[-1].cells
    found = cells.get("=")
    if found is None:
        found = cells["="] = names.Variable(file, tuple(file.exports.get("=", ())))
    return found


def member_values(engine: Engine, file: FileIndex, name: str) -> Values:
    """The values of a file's export `name`, or of a submodule with that name."""
    return engine.read(member_cell(engine, file, name))


def star_member(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` as provided by a star import."""
    row = STARS.get(star.kind.partition(" ")[0])
    if row is not None:
        return row(engine, file, star, name)
    parts: list[Values] = []
    for value in engine.read(starred_cell(engine, file, star)):
        if isinstance(value, Module) and star.kind in ("part", "part of"):
            parts.append(_of_library(engine, value.file, star, name))
        elif isinstance(value, Module):
            listed = value.file.facts.extras.get("all")
            if listed is not None:
                if name not in listed:
                    continue
            elif file.policy.modules.private_prefix and name.startswith(file.policy.modules.private_prefix):
                continue
            if value.file is not file:
                parts.append(member_values(engine, value.file, name))
        elif isinstance(value, Namespace) and packages.is_declared(engine, value):
            parts.append(packages.member(engine, value.language, value.name, name, file))
        elif isinstance(value, Class | Namespace):
            parts.append(member_of(engine, value, name))
    return union(parts)


def starred_cell(engine: Engine, file: FileIndex, star: Import) -> Cell:
    """The cell of the object whose members a star import brings in."""
    return _cell_of(engine, file, ("star", star.module, star.level, star.at), star, starred=True)


def _of_library(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` in another file of the same library: private names too, and for a part file what the library imports."""
    if star.kind == "part":
        return member_values(engine, file, name)
    return engine.read(names.name_cell(engine, file, name, Site(FILE_SCOPE, END, -1)))


def _named_module(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return module_values(engine, file, expr[1])


def namespace_member(engine: Engine, value: Namespace, name: str) -> Values:
    """`name` in a package or namespace."""
    if packages.is_declared(engine, value):
        return packages.member(engine, value.language, value.name, name)
    if value.scope is not None or engine.interned.get(("open", value.name)) is value:
        return namespaces.opened_member(engine, value, name)
    parts = []
    for path in value.files:
        file = engine.project.files.get(path)
        if file is not None:
            parts.append(member_values(engine, file, name))
    found = union(parts)
    if found or engine.interned.get(("package", value.name)) is not value:
        return found
    return engine.read(dotted_module(engine, value.language, f"{value.name}.{name}", ""))


def _module_member(engine: Engine, value: Module, name: str) -> Values:
    return member_values(engine, value.file, name)


names.CELLS[IMPORT] = imported_cell
OPERATORS["m"] = _named_module
MEMBERS.update({Module: _module_member, Namespace: namespace_member})
