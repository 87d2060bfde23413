"""Packages that are imported by the name which a file in their folder gives them, and files that are run or included by
their paths: R's and Julia's."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.facts import Import
from loregraph.indexer.resolve import names, packages
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.import_styles import external_cell, imported_file, imported_from_outside
from loregraph.indexer.resolve.imports import STYLES
from loregraph.indexer.resolve.layout import NamedLayout
from loregraph.indexer.resolve.model import Cell, Constant, FileIndex, Namespace, Values
from loregraph.indexer.resolve.modules import external_module

SOURCED: Final = "source"
"""Kind of an import that names a file."""


def library_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`library(shop)`, `shop::total`, `source("shop.R")`; "" is the file's own package."""
    layout: NamedLayout = engine.project.layout.of(file.policy.language)
    if file.policy.modules.inside.search(fact.module):
        return imported_file(engine, file, layout.file_of(file.path, fact.module), fact, inside=True)
    declared = layout.declared_package(fact.module) if fact.module else file.facts.package
    found = packages.package(engine, file.policy.language, declared) if declared is not None else ()
    return Constant(found) if found else external_cell(engine, file, fact.module)


def included_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`using Shop`, `import ..Money: round`, `include("a.jl")`; "" is the file's own module."""
    layout: NamedLayout = engine.project.layout.of(file.policy.language)
    if file.policy.modules.inside.search(fact.module):
        return imported_file(engine, file, layout.file_of(file.path, fact.module), fact, inside=True)
    names_ = fact.module.lstrip(".")
    own = file.facts.package.split(".")
    level = len(fact.module) - len(names_)
    if level or not names_:
        around = own[: max(1, len(own) - level + 1)]
        dotted: str | None = ".".join([*around, *names_.split(".")]) if names_ else ".".join(around)
        first, _, rest = names_.partition(".")
        if layout.declared_package(first) == own[0]:  # the package by its own name
            dotted = f"{own[0]}.{rest}" if rest else own[0]
    else:
        first, _, rest = names_.partition(".")
        package = layout.declared_package(first)
        dotted = f"{package}.{rest}" if package is not None and rest else package
    if dotted is None:
        return imported_from_outside(engine, external_module(engine, file, fact.module), fact)
    family, name = file.policy.language, fact.name.strip("*")
    around_, _, last = dotted.rpartition(".")
    values = _module(engine, file, dotted) or _included(engine, file, last or fact.module)
    if values:
        return names.MemberCell(file, Constant(values), name) if name else Constant(values)
    held: Cell = packages.PackageMember(file, family, around_ or own[0], last)  # a module within a file
    return names.MemberCell(file, held, name) if name else held


def _module(engine: Engine, file: FileIndex, dotted: str) -> Values:
    """A module of a package: its name space, and the files that it includes from elsewhere."""
    layout: NamedLayout = engine.project.layout.of(file.policy.language)
    found = packages.package(engine, file.policy.language, dotted)
    values = list(found)
    for path in found[0].files if found and isinstance(found[0], Namespace) else ():
        for fact in engine.project.files[path].facts.imports:
            if fact.kind == SOURCED:
                target = engine.project.file_at(layout.file_of(path, fact.module))
                if target is not None and len(target.facts.package) < len(dotted):
                    values.append(target.module)
    return tuple(values)


def _included(engine: Engine, file: FileIndex, name: str) -> Values:
    """The file that a file includes, or that its package has, and that is the module `name`."""
    layout: NamedLayout = engine.project.layout.of(file.policy.language)
    for fact in file.facts.imports:
        if fact.kind == SOURCED:
            target = engine.project.file_at(layout.file_of(file.path, fact.module))
            if target is not None and target.facts.extras.get("module") == name:
                return target.module.alone
    around = file.facts.package.partition(".")[0]
    for target in engine.project.packages.get((file.policy.language, "", around), ()):
        if target.facts.extras.get("module") == name:
            return target.module.alone
    return ()


STYLES.update({"library": library_import, "included": included_import})
