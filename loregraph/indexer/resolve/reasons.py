"""The reason for each edge: how a call reaches its target, as a key of `how.CONFIDENCE`."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import SCOPE_KINDS, Expr, Import, is_anonymous
from loregraph.indexer.resolve import forwarding, taken_in
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.classes import enclosing_class, enclosing_classes
from loregraph.indexer.resolve.dispatch import evaluate, member_of
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import is_receiver, receiver_function
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.matching import is_asked_for
from loregraph.indexer.resolve.model import (
    DEFINITION,
    IMPORT,
    VALUE,
    Bound,
    Class,
    FileIndex,
    Function,
    Instance,
    Module,
    Namespace,
    Scope,
    Value,
    function_name,
)
from loregraph.indexer.resolve.scoping import END, find


def how(engine: Engine, file: FileIndex, cell: CallCell, value: Value) -> str:
    """The way in which `cell` reaches `value`."""
    call = cell.call
    if call.kind == "decorator":
        return "decorator"
    if call.kind == "callback":
        below = call.function[0] == "a" and isinstance(value, Bound)
        if below and _how_bound(engine, file, cell, value, call.function[1]) == "interface":  # type: ignore[arg-type]
            return "interface"
        return "callback"
    if call.kind == "implicit":
        return _how_implicit(engine, file, cell, value)
    function = call.function
    op = function[0]
    if op == "s" and function[1][0] == "n" and (call.kind == "new" or file.policy.types.type_parameters_followed):
        function, op = function[1], "n"  # `Repo<Owner>(…)`
    if op == "a":
        return _how_member(engine, file, cell, value)
    if op == "p":
        return "super"
    if op == "f":
        return "scope"
    found = _how_name(engine, file, call.scope, function[1], value) if op == "n" else "value"
    held = value.function if isinstance(value, Bound) else value
    if found == "value" and isinstance(held, Function) and is_asked_for(engine, file, call, function, held):
        return "computed-name"
    return found


def _how_implicit(engine: Engine, file: FileIndex, cell: CallCell, value: Value) -> str:
    function = cell.call.function
    if function[0] == "B":
        return "inheritance"
    if function[0] not in ("G", "G=", "G-", "M", "I", "E") or not isinstance(value, Bound):
        return "inferred-type"
    if function[0] == "I" and function[2]:
        return "inferred-type"  # of the iterator
    if function[0] in ("G", "G=", "G-") and value.function.definition.name != function[2]:
        return "attribute"  # of a descriptor, which is defined in the class
    return "super" if function[1][0] == "p" else _how_bound(engine, file, cell, value, function[1])


def _how_name(engine: Engine, file: FileIndex, number: int, name: str, value: Value) -> str:
    scope = file.scopes[number]
    owner = find(scope, name)
    if file.policy.scopes.functions_apart and isinstance(value, Function) and value.definition.name == name:
        name = function_name(name)  # not through a variable of that name
        owner = find(scope, name)
    if owner is None:
        if isinstance(value, Bound) and file.policy.members.instances:
            kind = value.function.owner.definition.kind if value.function.owner is not None else ""
            return "interface" if kind in SCOPE_KINDS else "reexport"
        if isinstance(value, Bound):
            return _how_around(engine, scope, value.function)
        if isinstance(value, Function) and is_anonymous(value.definition.name):
            return "value"
        if isinstance(value, Function) and value.owner in list(enclosing_classes(scope)):
            return "self"  # a static one
        policy = file.policy
        if policy.modules.package_scope:
            return "package"
        return "include" if policy.modules.include_scope else "reexport"
    target = value.function if isinstance(value, Bound) else value
    if isinstance(value, Bound) and file.policy.members.instances and value.function.owner is not None:
        if value.function.owner.definition.kind in SCOPE_KINDS:
            return "interface"
        return "scope" if value.function.file is file else "import"
    if owner.is_type and isinstance(value, Bound):
        return _how_around(engine, scope, value.function)
    if (
        file.policy.members.companions
        and isinstance(value, Function)
        and value.definition.name in file.policy.implicit.call_methods
    ):
        return "attribute"
    names, imports = _ways(owner, name)
    if isinstance(target, Function | Class):
        imported = imports.get(target.definition.name)
        place = imported[0] if imported is not None else END
        if target.file is file and names.get((DEFINITION, target.number), END) < place:
            return "scope"
        if target.file is file and isinstance(target, Function) and names.get((VALUE, target.number), END) < place:
            return "scope"
        if imported is not None:
            return "import" if _direct(file, imported[1], target) else "reexport"
    return "import" if imports else "value"


# Implements REQ-SEC-010.
def _ways(scope: Scope, name: str) -> tuple[dict[tuple[int, int], int], dict[str, tuple[int, Import]]]:
    """The ways in which a scope binds `name`: (kind, definition index) → binding index, and name of what is imported →
    index, and the import. Computed once per name, since a name may be bound thousands of times."""
    if scope.ways is None:
        scope.ways = {}
    found = scope.ways.get(name)
    if found is None:
        found = scope.ways[name] = ({}, {})
        definitions, imports = found
        for place, binding in enumerate(scope.bindings[name]):
            if binding.kind == DEFINITION:
                definitions.setdefault((DEFINITION, binding.payload), place)
            elif binding.kind == VALUE and binding.payload[0] == "f":
                definitions.setdefault((VALUE, binding.payload[1]), place)
            elif binding.kind == IMPORT:
                imports.setdefault(binding.payload.name or binding.payload.alias, (place, binding.payload))
    return found


def _how_around(engine: Engine, scope: Scope, function: Function) -> str:
    """The way in which a bare name reaches a method of the enclosing types: their own, inherited, or of a subtype."""
    around = list(enclosing_classes(scope))
    if function.owner in around:
        return "self"
    below = [cls for cls in around if function.owner is not None and cls in linearised(engine, function.owner)]
    if below:
        return "interface"
    above = any(function.owner in linearised(engine, cls) for cls in around)
    return "inheritance" if above else "inferred-type"


def _direct(file: FileIndex, fact: Any, target: Function | Class) -> bool:
    """Whether an import names the file that defines its target; in languages with package names it always does."""
    if file.policy.modules.package_lookup:
        return True
    stem = target.file.path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
    module = fact.module.replace("/", ".").strip(".").removesuffix(".js").removesuffix(".ts")
    return bool(module) and (stem == module or stem.endswith("." + module))


def _how_member(engine: Engine, file: FileIndex, cell: CallCell, value: Value) -> str:
    base = cell.call.function[1]
    if base[0] == "p":
        return "super"
    if isinstance(value, Bound):
        return _how_bound(engine, file, cell, value, base)
    values = evaluate(engine, file, cell.call, base)
    if len(values) > 1:  # the base with the member determines the way
        values = tuple(v for v in values if isinstance(v, Module | Namespace | Class) and _has(engine, v, cell, value))
    if any(isinstance(v, Module | Namespace) for v in values):
        return "import"
    if any(isinstance(v, Class) for v in values):
        return "attribute"
    if not file.policy.calls.sends:
        return "value"
    return "import" if _is_module_table(file, cell.call.scope, base) else _how_table(file, value, base)


def _has(engine: Engine, holder: Value, cell: CallCell, value: Value) -> bool:
    """Whether a member call reaches `value` through `holder`."""
    name = cell.call.function[2]
    return value in member_of(engine, holder, name) or value in member_of(engine, holder, function_name(name))


def _how_table(file: FileIndex, value: Value, base: Expr) -> str:
    """The way in which a call of a table's member reaches a function (Lua): stored in that very table, or by values."""
    if not isinstance(value, Function) or value.file is not file or base[0] != "n":
        return "value"
    written = f"{base[1]}.{value.definition.name}"
    return "attribute" if value.definition.qualname.partition("#")[0] == written else "value"


def _is_module_table(file: FileIndex, number: int, base: Expr) -> bool:
    """Whether an expression is the result of an import, in a language where a module is the table its file returns
    (Lua)."""
    if base[0] == "m":
        return True
    owner = find(file.scopes[number], base[1]) if base[0] == "n" else None
    return owner is not None and all(binding.kind == IMPORT for binding in owner.bindings[base[1]])


def _how_bound(engine: Engine, file: FileIndex, cell: CallCell, value: Bound, base: Expr) -> str:
    receiver = value.receiver
    if file.policy.members.forwards or file.policy.members.taken_in:
        on = evaluate(engine, file, cell.call, base)
        name = function_name(cell.call.function[2].removesuffix("()"))
        if file.policy.members.taken_in and taken_in.is_left(engine, on, value, name):
            return "inheritance"
        if file.policy.members.forwards and forwarding.is_forwarded(engine, on, value):
            return "interface" if forwarding.is_overriding(engine, on, value, name) else "forwarded"
    if isinstance(receiver, Class):
        return "attribute"
    if value.function.owner is None and file.policy.calls.sends and isinstance(receiver, Instance):
        return "value"  # a function that was stored on an object
    if not isinstance(receiver, Instance):
        module = file.policy.calls.sends and _is_module_table(file, cell.call.scope, base)
        return "import" if module else _how_table(file, value.function, base)
    called = cell.call.function
    if called[0] == "a" and value.function.definition.name != called[2].removesuffix("()"):
        return "value"  # the member holds a method of another name
    bases = evaluate(engine, file, cell.call, base)
    if receiver not in bases:
        if file.policy.members.embedding:
            around = [v for v in bases if isinstance(v, Instance) and receiver.cls in linearised(engine, v.cls)]
            if around:  # a method of the embedded type
                return "declared-type" if any(v.declared for v in around) else "inferred-type"
        return "interface" if any(isinstance(v, Instance) for v in bases) else "value"
    owner = value.function.owner
    if is_receiver(file, cell.call.scope, base):
        enclosing = enclosing_class(file, cell.call.scope)
        function = receiver_function(file, cell.call.scope)
        if function is not None and function.owner is not None:
            enclosing = function.owner
        if owner is enclosing:
            return "self"
        if enclosing is not None and owner in linearised(engine, enclosing):
            return "inheritance"
        return "interface"
    promised = file.policy.members.structural and receiver.cls.definition.kind != "interface"
    if promised and any(isinstance(v, Instance) and v.cls.definition.kind == "interface" for v in bases):
        return "inferred-type"  # behind an interface, the implementation was found by following values
    return "declared-type" if receiver.declared else "inferred-type"
