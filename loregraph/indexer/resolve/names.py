"""The cells of names: the possible values of a name at a place. `scoping` selects the bindings that count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from loregraph.indexer.facts import FILE_SCOPE, SCOPE_KINDS, Expr
from loregraph.indexer.resolve.declarations import declared_type
from loregraph.indexer.resolve.definitions import definition_values, plain_values
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import outer_site
from loregraph.indexer.resolve.model import (
    DEFINITION,
    EMPTY,
    OPAQUE,
    PARAMETER,
    VALUE,
    Binding,
    Cell,
    Constant,
    Container,
    External,
    ExternalInstance,
    FileIndex,
    Instance,
    Scope,
    Site,
    Values,
)
from loregraph.indexer.resolve.narrowing import holding, narrowed_cell
from loregraph.indexer.resolve.scoping import MAX_REACHING, closure, find, reaching
from loregraph.indexer.resolve.types import closed, instances, narrowed

MAX_STARS: Final = 200
"""At most so many star imports of one scope are searched for a name: the last ones."""


CELLS: Final[dict[int, Callable[[Engine, FileIndex, Any], Cell]]] = {}
"""Kind of binding → the cell of a name with a single binding of this kind. Imports and parameters have their own kinds
of cells, registered by `imports` and `passing`."""


class Variable(Cell):
    """The union of several bindings of a name."""

    __slots__ = ("bindings", "file")

    def __init__(self, file: FileIndex, bindings: tuple[Binding, ...]) -> None:
        super().__init__(file)
        self.file = file
        self.bindings = bindings

    def compute(self, engine: Engine) -> Values:
        file = self.file
        if len(self.bindings) == 1:
            return _held(engine, file, self.bindings[0])
        return union([_held(engine, file, b) for b in self.bindings])


class Lookup(Cell):
    """A name that other files may provide: through a star import, a package, an include."""

    __slots__ = ("name", "scope")

    def __init__(self, scope: Scope, name: str) -> None:
        super().__init__(scope.file)
        self.scope = scope
        self.name = name

    def compute(self, engine: Engine) -> Values:
        return evaluate(engine, self.scope.file, None, ("O", self.scope, self.name))


def name_cell(engine: Engine, file: FileIndex, name: str, site: Any) -> Cell:
    """The cell of `name` read at `site`. Cells that do not depend on the place are cached in `scope.fast`."""
    scope = file.scopes[site.scope]
    owner = find(scope, name)
    if owner is None:
        cell: Cell = _unbound(engine, scope, name)
        scope.fast[name] = cell
        return cell
    bindings = owner.bindings[name]
    tested = owner is scope and scope.narrowings is not None and name in scope.narrowings
    if len(bindings) == 1 and not tested:
        cell = variable(engine, owner, name, tuple(bindings))
        if owner.narrowings is not None and name in owner.narrowings:
            cell = _seen_within(owner, scope, name, cell)
        scope.fast[name] = cell
        return cell
    if owner is scope:
        place = ("at", name, site.at, site.block)
        at_place = scope.cells.get(place)
        if at_place is None:
            at_place = scope.cells[place] = _cell_at(engine, scope, name, site, tested)
        return at_place
    key = ("within", name)
    within = owner.cells.get(key)
    if within is None:
        within = owner.cells[key] = variable(engine, owner, name, closure(owner, bindings))
    scope.fast[name] = within
    return within


def _seen_within(owner: Scope, scope: Scope, name: str, cell: Cell) -> Cell:
    """The cell of a name in an inner function, if the outer function binds it once: type tests around the inner
    function's definition apply."""
    around: Scope | None = scope
    while around is not None and around.parent is not owner:
        around = around.parent
    if around is None or around.definition is None:
        return cell
    tests = holding(owner, name, Site(owner.number, around.definition.start_byte, -2))
    return narrowed_cell(owner, cell, tests) if tests else cell


def _cell_at(engine: Engine, scope: Scope, name: str, site: Any, tested: bool) -> Cell:
    """The cell of a scope's own name at a place."""
    reach = tuple(scope.bindings[name])
    if len(reach) > 1:
        reach, cut = reaching(scope, name, site)
        if cut:
            found = f"of what `{name[:80]}` may hold at one place all but {MAX_REACHING} assignments"
            engine.cut(scope.file, 0, found)
    cell = variable(engine, scope, name, reach)
    tests = holding(scope, name, site) if tested else ()
    return narrowed_cell(scope, cell, tests) if tests else cell


def variable(engine: Engine, scope: Scope, name: str, bindings: tuple[Binding, ...]) -> Cell:
    """The cell of these bindings of `name`; one per set of bindings."""
    key: Any = name if len(bindings) == len(scope.bindings[name]) else (name, *(id(b) for b in bindings))
    cell = scope.cells.get(key)
    if cell is None:
        cell = scope.cells[key] = _variable(engine, scope, bindings)
    return cell


def _variable(engine: Engine, scope: Scope, bindings: tuple[Binding, ...]) -> Cell:
    """The cell of these bindings; a new one only where the name is not simply an alias of another cell."""
    file = scope.file
    if len(bindings) == 1:
        binding = bindings[0]
        if binding.kind == DEFINITION and not file.facts.definitions[binding.payload].decorators:
            return Constant(plain_values(engine, file, binding.payload))
        stands_for = CELLS.get(binding.kind)
        if stands_for is not None:
            return stands_for(engine, file, binding.payload)
    if all(b.kind == OPAQUE for b in bindings):
        return EMPTY
    return Variable(file, bindings)


def exit_cell(engine: Engine, scope: Scope, name: str) -> Cell | None:
    """The values of `name` after the scope's code has run; None where the scope does not bind it."""
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
    """The cell of a name that no scope of the file binds."""
    if is_looked_up(scope, name):
        return lookup(scope, name)
    return builtin(engine, scope.file, name)


def is_looked_up(scope: Scope, name: str) -> bool:
    """Whether other files may provide a name that no scope of the file binds."""
    policy = scope.file.policy
    return policy.modules.package_scope or policy.modules.include_scope or _is_local(scope, name) or _has_stars(scope)


def _is_local(scope: Scope, name: str) -> bool:
    """Whether the answer differs from scope to scope."""
    policy = scope.file.policy
    return policy.scopes.members_in_scope or name in policy.types.self_types


def lookup(scope: Scope, name: str) -> Cell:
    """The cell of a name that other files may provide."""
    cells = scope.file.scopes[-1].cells
    key = ("outside", name, seen_as(scope, name).number)
    cell = cells.get(key)
    if cell is None:
        cell = cells[key] = Lookup(scope, name)
    return cell


def seen_as(scope: Scope, name: str) -> Scope:
    """The scope that represents all scopes with the same answer for a name."""
    return scope if _is_local(scope, name) else scope.file.scopes[_seen_from(scope)]


def _seen_from(scope: Scope) -> int:
    """The scope that determines the meaning of a name bound outside the file: the innermost one with a star import or,
    in languages with includes, a namespace; else the file."""
    around: Scope | None = scope
    while around is not None and around.definition is not None:
        if around.stars is not None or (
            scope.file.policy.modules.include_scope and around.definition.kind in SCOPE_KINDS
        ):
            return around.number
        if around.definition.owner is not None and scope.file.policy.modules.include_scope:
            return around.number  # for a method defined outside its type, the type's namespaces count too
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
    """The cell of a name built into the language, EMPTY for an unknown name."""
    package = file.policy.scopes.default_externals.get(name)
    if package is None:
        return EMPTY
    cells = file.scopes[-1].cells
    key = ("builtin", name)
    cell = cells.get(key)
    if cell is None:
        cell = cells[key] = Constant(engine.external(package, name).alone)
    return cell


def _held(engine: Engine, file: FileIndex, binding: Binding) -> Values:
    """The values of one binding."""
    kind = binding.kind
    if kind != VALUE:
        if kind == DEFINITION:
            return definition_values(engine, file, binding.payload)
        stands_for = CELLS.get(kind)
        return engine.read(stands_for(engine, file, binding.payload)) if stands_for is not None else ()
    values = evaluate(engine, file, binding.site, binding.payload)
    if binding.type is not None:
        declared = instances(engine, file, binding.site, binding.type)
        if closed(binding.type):
            return declared
        if declared:
            return union([narrowed(engine, values, declared), declared])
    elif binding.declaration is not None:
        return _kept_to(engine, file, values, binding.declaration)
    return values


def _kept_to(engine: Engine, file: FileIndex, values: Values, declaration: Binding) -> Values:
    """The values assigned to a name with a declared type: an unknown value is taken to be of that type."""
    if values:
        if not any(isinstance(value, External | ExternalInstance) for value in values):
            return values
    elif not engine.allow_fallback():
        return values
    written = declared_type(declaration)
    if written is None:  # the declaration of a field in another file
        held = evaluate(engine, file, declaration.site, declaration.payload)
        declared: Values = tuple(value for value in held if isinstance(value, Instance) and value.declared)
    elif closed(written):
        return values
    else:
        site = outer_site(declaration.payload[1]) if declaration.kind == PARAMETER else declaration.site
        declared = instances(engine, file, site, written)
    if not any(isinstance(value, Instance | Container) for value in declared):
        return values
    return union([tuple(value for value in values if not isinstance(value, ExternalInstance)), declared])


class MemberCell(Cell):
    """A member of the values of another cell, for imports of single names."""

    __slots__ = ("holder", "name")
    of_import = True

    def __init__(self, file: FileIndex, holder: Cell, name: str) -> None:
        super().__init__(file)
        self.holder = holder
        self.name = name

    def compute(self, engine: Engine) -> Values:
        return union([member_of(engine, value, self.name) for value in engine.read(self.holder)])


def _named(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    name = expr[1]
    cell = file.scopes[site.scope].fast.get(name)
    if cell is None:
        cell = name_cell(engine, file, name, site)
    return engine.read(cell)


OPERATORS["n"] = _named
