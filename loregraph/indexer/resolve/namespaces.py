"""Namespaces that span several files (C++), as far as includes make them visible."""

from __future__ import annotations

from loregraph.indexer.facts import Import
from loregraph.indexer.resolve import names
from loregraph.indexer.resolve.classes import enclosing_classes
from loregraph.indexer.resolve.definitions import with_definitions
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import Cell, FileIndex, Function, Namespace, Scope, Values
from loregraph.indexer.resolve.modules import open_namespace


def opened_member(engine: Engine, value: Namespace, name: str) -> Values:
    """`name` in a namespace, from all its files."""
    qualified = _name_of(value) or value.name
    scopes = engine.project.namespaces.get(qualified) or ([value.scope] if value.scope is not None else [])
    found = union([engine.read(cell) for cell in _cells(engine, ("", qualified, name), scopes)])
    return _definitions_first(found) or open_namespace(engine, value.language, f"{qualified}.{name}")


def using_member(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` through `using namespace`; the namespace's own name is looked up from the inside out."""
    written = star.module.replace("::", ".")
    for around in (*_namespaces_around(file.scopes[star.scope]), ""):
        found = _in_namespace(engine, file, f"{around}.{written}" if around else written, name)
        if found:
            return found
    return ()


def enclosing_namespaces_member(engine: Engine, scope: Scope, name: str) -> Values:
    """`name` in the namespaces around `scope`, from the files that its file includes, innermost first."""
    for qualified in _namespaces_around(scope):
        found = _in_namespace(engine, scope.file, qualified, name)
        if found:
            return found
    return ()


def _namespaces_around(scope: Scope) -> list[str]:
    """Qualified names of the namespaces around a scope, innermost first; for a method also those around its type."""
    found: dict[str, None] = {}
    starts = [scope, *(cls.scope for cls in enclosing_classes(scope))]
    for start in starts:
        around: Scope | None = start
        while around is not None and around.definition is not None:
            if around.definition.kind == "namespace":
                name = around.definition.qualname.partition("#")[0]
                while name:
                    found[name] = None
                    name = name.rpartition(".")[0]
                break
            around = around.parent
    return list(found)


def _in_namespace(engine: Engine, file: FileIndex, qualified: str, name: str) -> Values:
    """`name` in the parts of a namespace in `file` and the files it includes."""
    if qualified not in engine.project.namespaces:
        return ()
    cells = _cells(engine, (file.path, qualified, name), _visible_scopes(engine, file, qualified))
    found = with_definitions(engine, union([engine.read(cell) for cell in cells]))
    return found or open_namespace(engine, file.policy.language, f"{qualified}.{name}")


def _cells(engine: Engine, key: tuple[str, str, str], scopes: list[Scope]) -> list[Cell]:
    cells = engine.namespace_cells.get(key)
    if cells is None:
        found = (names.exit_cell(engine, scope, key[2]) for scope in scopes)
        cells = engine.namespace_cells[key] = [cell for cell in found if cell is not None]
    return cells


def _visible_scopes(engine: Engine, file: FileIndex, qualified: str) -> list[Scope]:
    """The scopes in which a file, or one it includes, opens a namespace."""
    found = engine.project.visible.get((file.path, qualified))
    if found is None:
        seen = {file.path, *(other.path for other in engine.project.included(file))}
        found = [scope for scope in engine.project.namespaces.get(qualified, ()) if scope.file.path in seen]
        engine.project.visible[file.path, qualified] = found
    return found


def _name_of(value: Namespace) -> str:
    scope = value.scope
    return scope.definition.qualname.partition("#")[0] if scope is not None and scope.definition is not None else ""


def _definitions_first(values: Values) -> Values:
    """The same without prototypes where definitions exist."""
    found = tuple(v for v in values if not (isinstance(v, Function) and "declaration" in v.definition.flags))
    return found or values
