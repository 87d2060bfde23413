"""Modules, packages and namespaces looked up by name, inside the project and outside."""

from __future__ import annotations

from loregraph.indexer.resolve.canonical import path_rank
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.layout import DottedLayout
from loregraph.indexer.resolve.model import EMPTY, Cell, Constant, External, FileIndex, Namespace, Scope, Values


def external_module(engine: Engine, file: FileIndex, module: str) -> External:
    """The external package of a module, with the module's path within it."""
    package = engine.project.layout.external_package(file.facts.language, module, file.path)
    for separator in (".", "/", "::"):
        if module.startswith(package + separator):
            rest = module[len(package) + len(separator) :]
            return engine.external(package, rest.replace("::", ".").replace("/", "."))
    return engine.external(package, "")


def open_namespace(engine: Engine, language: str, qualified: str) -> Values:
    """The namespace of that name, which may span several files; none where no file declares it."""
    scopes = engine.project.namespaces.get(qualified)
    if scopes is None:
        return ()
    key = ("open", qualified)
    found = engine.interned.get(key)
    if found is None:
        first = min(scopes, key=_place, default=None)
        spoken = first.file.policy.language if first is not None else language
        found = engine.interned[key] = Namespace(qualified, spoken, (), first)
    return found.alone


def _place(scope: Scope) -> tuple[str, int]:
    return path_rank(scope.file), scope.number


def dotted_module(engine: Engine, language: str, dotted: str, path: str) -> Cell:
    """The module or package with a dotted name; EMPTY where the project has none."""
    layout: DottedLayout = engine.project.layout.of(language)
    found = engine.project.file_at(layout.module_file(dotted, path))
    if found is not None:
        return Constant(found.module.alone)
    if layout.package_dir(dotted, path) is not None:
        key = ("package", dotted)
        known = engine.interned.get(key)
        if known is None:
            known = engine.interned[key] = Namespace(dotted, language)
        return Constant(known.alone)
    return EMPTY
