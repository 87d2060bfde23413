"""Modules with explicit export and import lists (Haskell).

An import of one name is a plain import fact. Imports that depend on the other module (all its exports, or the members
behind `T(..)`) are star imports, with one row each in `extras["listed"]`: its position, the prefixes of qualified names
(`""`, `"Map."`), the hidden names, and the parent if only its members are imported. `extras["exports"]` is the export
list: names, parents with members, and modules. `extras["children"]` are the members of each parent.
"""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.facts import FILE_SCOPE, Import
from loregraph.indexer.resolve import names
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.imports import STARS
from loregraph.indexer.resolve.layout import shared_folders
from loregraph.indexer.resolve.model import IMPORT, Cell, Constant, FileIndex, Site, Values
from loregraph.indexer.resolve.modules import external_module
from loregraph.indexer.resolve.scoping import END

_QUALIFIED: Final = re.compile(r"(?:[^\W\d_][\w']*\.)+(?=.)")


class Published(Cell):
    """The values that a module exports as `name`."""

    __slots__ = ("file", "name")

    def __init__(self, file: FileIndex, name: str) -> None:
        super().__init__(file)
        self.file = file
        self.name = name

    def compute(self, engine: Engine) -> Values:
        return _published(engine, self.file, self.name)


def published(engine: Engine, file: FileIndex, name: str) -> Cell:
    """The cell of a module's export `name`."""
    cells = file.scopes[-1].cells
    key = ("published", name)
    found = cells.get(key)
    if found is None:
        found = cells[key] = Published(file, name)
    return found


def _published(engine: Engine, file: FileIndex, name: str) -> Values:
    top = file.scopes[-1]
    bindings = top.bindings.get(name)
    own = bindings is not None and any(b.kind != IMPORT for b in bindings)
    lists = file.facts.extras.get("exports")
    if lists is None:
        return _exit(engine, file, name) if own else ()
    listed, holders, modules = lists
    if name in listed:
        return _at_end(engine, file, name)
    if own:
        local = file.facts.extras.get("children", {})
        if file.facts.package in modules or any(name in local.get(holder, ()) for holder in holders):
            return _exit(engine, file, name)
    for qualified in listed:  # `Map.insert` is exported as `insert`
        if qualified.endswith(f".{name}") and _prefix(qualified) + name == qualified:
            return _at_end(engine, file, qualified)
    for module in modules:
        if module != file.facts.package:
            found = _at_end(engine, file, f"{module}.{name}")
            if found:
                return found
    if not own and any(name in children(engine, file, holder) for holder in holders):
        return _at_end(engine, file, name)
    return ()


def _exit(engine: Engine, file: FileIndex, name: str) -> Values:
    cell = names.exit_cell(engine, file.scopes[-1], name)
    return engine.read(cell) if cell is not None else ()


def _at_end(engine: Engine, file: FileIndex, name: str) -> Values:
    cell = file.scopes[-1].fast.get(name)
    if cell is None:
        cell = names.name_cell(engine, file, name, Site(FILE_SCOPE, END, -1))
    return engine.read(cell)


def children(engine: Engine, file: FileIndex, holder: str) -> frozenset[str]:
    """The members of every type and class called `holder` in files of the language."""
    known = engine.project.member_lists.get(file.policy.language)
    if known is None:
        gathered: dict[str, set[str]] = {}
        for other in engine.project.files.values():
            if other.policy.language == file.policy.language:
                for name, members in other.facts.extras.get("children", {}).items():
                    gathered.setdefault(name, set()).update(members)
        known = {name: frozenset(members) for name, members in gathered.items()}
        engine.project.member_lists[file.policy.language] = known
    return known.get(holder, frozenset())


def modules(engine: Engine, file: FileIndex, module: str) -> list[FileIndex]:
    """The files that declare a module; of several the nearest ones, since every program has a `Main`."""
    key = (file.policy.language, "", "")
    known = engine.project.package_names.get(key)
    if known is None:
        known = engine.project.package_names[key] = {}
        for other in engine.project.files.values():
            if other.policy.language == file.policy.language and other.facts.package:
                known.setdefault(other.facts.package, []).append(other)
    found = [other for other in known.get(module, ()) if other is not file]
    if len(found) > 1:
        shared = [shared_folders(other.path, file.path) for other in found]
        found = [other for other, count in zip(found, shared, strict=True) if count == max(shared)]
    return found


def listed_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """The values of an import: for a single name the module's export, else the module."""
    found = modules(engine, file, fact.module)
    if not found:
        outside = external_module(engine, file, fact.module)
        if fact.name and fact.name != "*":
            return Constant(engine.member_of(outside, fact.name.removesuffix("{}")).alone)
        return Constant(outside.alone)
    if fact.name and fact.name != "*":
        cells = [published(engine, other, fact.name) for other in found]
        return cells[0] if len(cells) == 1 else Several(file, cells)
    return Constant(tuple(other.module for other in found))


class Several(Cell):
    """The exports of several modules with the same name."""

    __slots__ = ("cells",)
    of_import = True

    def __init__(self, file: FileIndex, cells: list[Cell]) -> None:
        super().__init__(file)
        self.cells = cells

    def compute(self, engine: Engine) -> Values:
        return union([engine.read(cell) for cell in self.cells])


def star_member(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name`, qualified or not, as provided by a star import."""
    for at, prefixes, hidden, holder in file.facts.extras.get("listed", ()):
        if at != star.at:
            continue
        prefix = _prefix(name)
        bare = name[len(prefix) :]
        if prefix not in prefixes or bare in hidden:
            return ()
        if holder and bare not in children(engine, file, holder):
            return ()
        found = modules(engine, file, star.module)
        if found:
            return union([engine.read(published(engine, other, bare)) for other in found])
        if prefix and not holder and _only(file, prefix):
            outside = external_module(engine, file, star.module)
            return engine.member_of(outside, bare.removesuffix("{}")).alone
        return ()
    return ()


def _prefix(name: str) -> str:
    match = _QUALIFIED.match(name) if "." in name else None
    return match[0] if match is not None else ""


def _only(file: FileIndex, prefix: str) -> bool:
    """Whether only one import provides names with a prefix."""
    return sum(prefix in row[1] and not row[3] for row in file.facts.extras.get("listed", ())) == 1


STARS["listed"] = star_member
