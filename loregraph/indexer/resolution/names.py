"""The cells of names: what a name may hold at a place. `scoping` says which bindings count."""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import FILE_SCOPE, SCOPE_KINDS
from loregraph.indexer.resolution import evaluate, imports, members, passing
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.model import (
    DEFINITION,
    EMPTY,
    IMPORT,
    OPAQUE,
    PARAMETER,
    Binding,
    Cell,
    Constant,
    FileIndex,
    Scope,
    Values,
)
from loregraph.indexer.resolution.scoping import MAX_REACHING, closure, find, reaching

MAX_STARS: Final = 200
"""Imports of all names of something, in one scope, in which a name is looked for: the last ones."""


class Variable(Cell):
    """What some bindings of one name hold together."""

    __slots__ = ("bindings", "file")

    def __init__(self, file: FileIndex, bindings: tuple[Binding, ...]) -> None:
        super().__init__()
        self.file = file
        self.bindings = bindings

    def compute(self, engine: Engine) -> Values:
        file = self.file
        if len(self.bindings) == 1:
            return evaluate.binding_values(engine, file, self.bindings[0])
        return union([evaluate.binding_values(engine, file, b) for b in self.bindings])


class Lookup(Cell):
    """A name that other files may provide: by a star import, a package, an include."""

    __slots__ = ("name", "scope")

    def __init__(self, scope: Scope, name: str) -> None:
        super().__init__()
        self.scope = scope
        self.name = name

    def compute(self, engine: Engine) -> Values:
        return outside(engine, self.scope, self.name)


def name_cell(engine: Engine, file: FileIndex, name: str, site: Any) -> Cell:
    """The cell of `name` read at `site`. Cells that do not depend on the place are kept in `scope.fast`."""
    scope = file.scopes[site.scope]
    owner = find(scope, name)
    if owner is None:
        cell: Cell = _unbound(engine, scope, name)
        scope.fast[name] = cell
        return cell
    bindings = owner.bindings[name]
    if len(bindings) == 1:
        cell = variable(engine, owner, name, tuple(bindings))
        scope.fast[name] = cell
        return cell
    if owner is scope:
        reach, cut = reaching(owner, name, site)
        if cut:
            engine.cut(file, 0, f"of what `{name[:80]}` may hold at one place all but {MAX_REACHING} assignments")
        return variable(engine, owner, name, reach)
    key = ("within", name)
    within = owner.cells.get(key)
    if within is None:
        within = owner.cells[key] = variable(engine, owner, name, closure(owner, bindings))
    scope.fast[name] = within
    return within


def variable(engine: Engine, scope: Scope, name: str, bindings: tuple[Binding, ...]) -> Cell:
    """The one cell for these bindings of `name`."""
    key: Any = name if len(bindings) == len(scope.bindings[name]) else (name, *(id(b) for b in bindings))
    cell = scope.cells.get(key)
    if cell is None:
        cell = scope.cells[key] = _variable(engine, scope, bindings)
    return cell


def _variable(engine: Engine, scope: Scope, bindings: tuple[Binding, ...]) -> Cell:
    """A cell of its own only where the name does not simply stand for another one."""
    file = scope.file
    if len(bindings) == 1:
        binding = bindings[0]
        if binding.kind == DEFINITION and not file.facts.definitions[binding.payload].decorators:
            return Constant(evaluate.plain_values(engine, file, binding.payload))
        if binding.kind == PARAMETER:
            return passing.parameter_cell(engine, binding.payload[1], binding.payload[2])
        if binding.kind == IMPORT:
            return imports.imported_cell(engine, file, binding.payload)
    if all(b.kind == OPAQUE for b in bindings):
        return EMPTY
    return Variable(file, bindings)


def exit_cell(engine: Engine, scope: Scope, name: str) -> Cell | None:
    """What `name` holds once the scope's own code has run; None where the scope does not bind it."""
    bindings = scope.bindings.get(name)
    if bindings is None:
        return None
    if len(bindings) == 1:
        return variable(engine, scope, name, tuple(bindings))
    key = ("exit", name)
    cell = scope.cells.get(key)
    if cell is None:
        cell = scope.cells[key] = variable(engine, scope, name, reaching(scope, name, None)[0])
    return cell


def _unbound(engine: Engine, scope: Scope, name: str) -> Cell:
    """A name that no scope of the file binds."""
    file = scope.file
    policy = file.policy
    top = file.scopes[-1]
    local = policy.members_in_scope or name in policy.self_types
    if policy.package_scope or policy.include_scope or local or _has_stars(scope):
        key = ("outside", name, scope.number if local else _seen_from(scope))
        cell = top.cells.get(key)
        if cell is None:
            cell = top.cells[key] = Lookup(scope, name)
        return cell
    return builtin(engine, file, name)


def _seen_from(scope: Scope) -> int:
    """The scope whose surroundings say what a name outside the file is: the innermost one with an import of all names
    or, where files are included, a namespace; else the file."""
    around: Scope | None = scope
    while around is not None and around.definition is not None:
        if around.stars is not None or (scope.file.policy.include_scope and around.definition.kind in SCOPE_KINDS):
            return around.number
        if around.definition.owner is not None and scope.file.policy.include_scope:
            return around.number  # of a method that stands outside its type, the type's namespaces count too
        around = around.parent
    return FILE_SCOPE


def _has_stars(scope: Scope) -> bool:
    around: Scope | None = scope
    while around is not None:
        if around.stars is not None:
            return True
        around = around.parent
    return False


def builtin(engine: Engine, file: FileIndex, name: str) -> Cell:
    """The cell of a name that the language provides, EMPTY for an unknown name."""
    package = file.policy.default_externals.get(name)
    if package is None:
        return EMPTY
    cells = file.scopes[-1].cells
    key = ("builtin", name)
    cell = cells.get(key)
    if cell is None:
        cell = cells[key] = Constant(engine.external(package, name).alone)
    return cell


def outside(engine: Engine, scope: Scope, name: str) -> Values:
    """Values of a name that the file itself does not bind."""
    file = scope.file
    policy = file.policy
    if name in policy.self_types:
        cls = evaluate.enclosing_class(file, scope.number)
        if cls is not None:
            return cls.alone
    if policy.members_in_scope:
        values = members.enclosing_member(engine, scope, name)
        if values:
            return values
    if policy.include_scope:
        values = imports.enclosing_namespaces_member(engine, scope, name)
        if values:
            return values
    if policy.package_lookup:
        values = imports.package_member(engine, file, name)
        if values:
            return values
        shared = engine.shared_stars.get((policy.language, engine.layout.component_of(file.path)), ())
        values = union([imports.star_member(engine, file, star, name) for star in shared])
        if values:
            return values
    around: Scope | None = scope
    while around is not None:
        if around.stars is not None:
            if len(around.stars) > MAX_STARS:
                engine.cut(file, around.stars[0].line, f"imports of all names before the last {MAX_STARS}")
            for star in reversed(around.stars[-MAX_STARS:]):
                values = imports.star_member(engine, file, star, name)
                if values:
                    return values
        around = around.parent
    if (policy.package_scope or policy.include_scope) and not policy.package_lookup:
        values = imports.package_member(engine, file, name)
        if not values and policy.include_scope:
            values = imports.open_namespace(engine, policy.language, name)
        if values:
            return values
    return engine.read(builtin(engine, file, name))
