"""Extension functions: declared outside a type but called like its methods (C#, Kotlin, Scala)."""

from __future__ import annotations

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import members, source_sets
from loregraph.indexer.resolve.classes import enclosing_classes
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import bound, outer_site
from loregraph.indexer.resolve.hierarchy import is_subclass, linearised
from loregraph.indexer.resolve.model import Class, Container, FileIndex, Function, Instance, Value, Values
from loregraph.indexer.resolve.scoping import find
from loregraph.indexer.resolve.types import instances

MAX_EXTENSIONS = 300
"""With more extension functions of one name, calls of that name are not resolved to any of them."""


def extension(engine: Engine, file: FileIndex, receivers: Values, name: str) -> Values:
    """The extension functions `name` whose declared receiver fits; where no type information decides, the only one."""
    found: list[Value] = []
    loose: list[Value] = []
    known = engine.project.extensions.get(name, [])
    if len(known) > MAX_EXTENSIONS:  # candidates are compared for each call
        engine.cut(file, 0, f"calls of more than {MAX_EXTENSIONS} extensions of one name, first `{name[:80]}`")
        return ()
    if len(known) > 1 and file.policy.modules.platform_variants:
        known = source_sets.own_variants(file, known)
    if file.policy.members.extensions_imported:
        known = [function for function in known if _in_reach(engine, file, function)]
    for function in known:
        written = _extended(function)
        wanted = instances(engine, function.file, outer_site(function), written) if written else ()
        if not wanted:
            loose.append(function)
        for value in receivers:
            if any(_fits(engine, value, type_) for type_ in wanted):
                found.append(bound(function, value))
    if found or name in engine.project.plain_names or file.policy.members.extensions_imported:
        return tuple(dict.fromkeys(found))
    if not receivers:
        loose = list(known)
    holders = {function.id.rpartition(".")[0] for function in loose if isinstance(function, Function)}
    return tuple(loose) if len(holders) == 1 else ()


def is_type_outside(engine: Engine, file: FileIndex, number: int, base: Expr, name: str) -> bool:
    """Whether an expression is the name of a library type, bound neither by the scopes around it nor by the types
    there. In languages with declared values its own static functions are called this way (`Assert.Equal(…)`). Not where
    the project has an extension `name` in a type of that name: that can be called like any static function."""
    if base[0] != "n" or file.policy.members.extensions_imported or not base[1][:1].isupper():
        return False
    holders = [function.owner for function in engine.project.extensions.get(name, ())]
    if any(cls is not None and cls.definition.name == base[1] for cls in holders):
        return False
    scope = file.scopes[number]
    if find(scope, base[1]) is not None:
        return False
    return not any(members.lookup(engine, cls, base[1]).found for cls in enclosing_classes(scope))


def _in_reach(engine: Engine, file: FileIndex, function: Function) -> bool:
    """Whether a file sees an extension function: it defines it, shares its package, or imports or inherits its
    container."""
    holders = function.definition.qualname.split(".")
    if file.policy.members.extensions_named:
        return _is_named(file, function, holders)
    if function.file is file:
        return True
    own = function.file.facts.package
    if len(holders) == 1 and own and own == file.facts.package:
        return True
    for fact in file.facts.imports:
        last = fact.module.rpartition(".")[2]
        if last in holders or (len(holders) == 1 and fact.module == own):
            return True
    return any(
        isinstance(base, Class) and base.definition.name in holders
        for cls in file.classes.values()
        for base in linearised(engine, cls)
    )


def _is_named(file: FileIndex, function: Function, holders: list[str]) -> bool:
    """Whether a file says that it uses an extension function, or what that stands in; or the function's own file says
    so for all files."""
    named = file.facts.extras.get("extensions", ())
    return any(name in named for name in holders) or (
        function.definition.name in function.file.facts.extras.get("extensions for all", ())
    )


def _extended(function: Function) -> Expr | None:
    """The type that an extension function extends."""
    definition = function.definition
    if definition.owner is not None:
        return definition.owner
    first = definition.parameters[0] if definition.parameters else None
    shown = function.file.policy.members.extensions_named
    return first.type if first is not None and (first.kind == "this" or shown) else None


def _fits(engine: Engine, value: Value, wanted: Value) -> bool:
    if isinstance(value, Instance) and isinstance(wanted, Instance):
        return is_subclass(engine, value.cls, wanted.cls)
    return value is wanted or (isinstance(value, Container) and isinstance(wanted, Container))
