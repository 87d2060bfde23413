"""Function-valued attributes told apart by object, not merged per class.

An attribute normally has one cell for all instances of a class. Where a name can only be the object that one call in
the same file makes, `cart = Cart(total)`, and the constructor stores the argument unchanged, `cart.count` is `total`;
after `cart.count = other` it is `other`. Only functions and classes are told apart; other values of the attribute are
kept.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import passing
from loregraph.indexer.resolve.constructors import constructors, kept
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import is_receiver, outer_site, parameter_of, receiver_function
from loregraph.indexer.resolve.model import (
    CALLABLE,
    PARAMETER,
    VALUE,
    Binding,
    Class,
    FileIndex,
    Function,
    Instance,
    Link,
    Scope,
    Store,
    Values,
    expression_cell,
)
from loregraph.indexer.resolve.scoping import find, innermost, reaching

MAX_WRITES: Final = 50
"""With more writes to members of one name in a file, objects are not told apart."""


# Implements REQ-SEC-010.
def kept_parameters(function: Function) -> dict[str, int]:
    """The members in which a constructor stores a parameter unchanged and to which no other method in its file writes
    that may belong to the type or a subtype."""
    if function.definition.name not in function.file.policy.construction.constructors or not function.lists_receiver:
        return {}
    found = function.file.kept.get(function.number)
    if found is None:
        found = function.file.kept[function.number] = {}
        by_name = stored(function.file)
        for one in by_name.get(function.number, ()):
            writes = by_name[one.name]
            own = [store for store in writes if _is_own(function, store)] if len(writes) <= MAX_WRITES else []
            number = _parameter(function, one) if own == [one] else None
            if number is not None and one.name is not None:
                found[one.name] = number
    return found


def stored(file: FileIndex) -> dict[str | int | None, list[Store]]:
    """The writes to members in a file, by member name and by scope."""
    if file.stored is None:
        file.stored = {}
        for store in file.stores:
            if store.name is not None:
                file.stored.setdefault(store.name, []).append(store)
                file.stored.setdefault(store.assignment.scope, []).append(store)
    return file.stored


def _is_own(constructor: Function, store: Store) -> bool:
    """Whether a write may be one of the type's own methods writing to an instance."""
    number = store.assignment.scope
    if not is_receiver(constructor.file, number, store.base):
        return False
    method = receiver_function(constructor.file, number)
    owner = method.owner if method is not None else None
    return owner is constructor.owner or (owner is not None and bool(owner.definition.bases))


def _parameter(function: Function, store: Store) -> int | None:
    """The index of the parameter that a write in the constructor itself stores."""
    if store.assignment.scope != function.number:
        return None
    number = parameter_of(function, store.value)
    return number if number and not function.parameters[number].kind.startswith("*") else None


def own_values(
    engine: Engine, file: FileIndex, site: Any, variable: str, value: Instance, name: str, all_: Values
) -> Values:
    """The values of the attribute `name` for the one object that a variable holds, out of those of all instances."""
    scope = file.scopes[site.scope]
    owner = scope if variable in scope.bindings else find(scope, variable)
    if owner is None or owner.bindings[variable][0].kind == PARAMETER:
        return all_
    if name not in engine.project.stored_names and not kept(engine, value.cls).members:
        return all_
    if not any(held.sort == CALLABLE for held in all_):
        return all_
    binding = _only_binding(scope, owner, variable, site)
    if binding is None:
        return all_
    written = stored(file).get(name, [])
    if len(written) > MAX_WRITES:
        return all_
    own_writes = [s for s in written if s.base[0] == "n" and s.base[1] == variable]
    if any(s not in own_writes and not _by_method(file, s) for s in written):
        return all_
    if own_writes and owner is not scope:
        return all_
    before = _written_before(owner, own_writes, binding, site) if own_writes else own_writes
    if before is None:
        return all_
    own: Values | None
    if before:
        own = evaluate(engine, file, before[-1].assignment, before[-1].value)
    else:
        own = _given(engine, file, file.facts.calls[binding.payload[1]], binding.payload[1], value.cls, name)
    if own is None or (not own and engine.allow_fallback()):
        return all_
    return tuple(held for held in all_ if held.sort != CALLABLE or held in own)


def _only_binding(scope: Scope, owner: Scope, variable: str, site: Any) -> Binding | None:
    """The last value assigned to a variable, if it is certainly one call's result."""
    bindings = tuple(owner.bindings[variable])
    if len(bindings) > 1:
        if owner is not scope:
            return None
        bindings = reaching(owner, variable, site)[0]
    first = bindings[0] if len(bindings) == 1 else None
    if first is None or first.kind != VALUE or first.payload[0] != "c" or first.foreign:
        return None
    return first


def _by_method(file: FileIndex, store: Store) -> bool:
    """Whether a write is a method's write to its receiver, which `kept_parameters` covers."""
    return is_receiver(file, store.assignment.scope, store.base)


def _written_before(owner: Scope, writes: list[Store], binding: Binding, site: Any) -> list[Store] | None:
    """The writes to a variable's member before a place, in order; None where it is uncertain whether the last one
    determines the member there."""
    blocks = owner.file.facts.blocks
    around = {-1}
    block = innermost(owner, site.at)
    while block >= 0:
        around.add(block)
        if blocks[block].kind == "loop" and not blocks[block].start <= binding.at < blocks[block].end:
            return None
        block = blocks[block].parent
    if any(store.assignment.scope != owner.number for store in writes):
        return None
    before = sorted([s for s in writes if s.assignment.at < site.at], key=lambda store: store.assignment.at)
    if before and (before[-1].assignment.block not in around or before[-1].assignment.at < binding.at):
        return None
    return before


def _given(engine: Engine, file: FileIndex, call: Call, number: int, cls: Class, name: str) -> Values | None:
    """The argument that a call passes to the constructor for the member `name`; None where it is unknown."""
    if any(argument[0] == "*" for argument in call.arguments) or any(key == "**" for key, _ in call.keywords):
        return None
    if tuple(engine.read(file.calls[number])) != (cls,):
        return None
    run = [function for function, _ in constructors(engine, cls)]
    if len(run) == 1:
        place = kept_parameters(run[0]).get(name)
        if place is None:
            return None
        link = Link(file, call, cls.instance)
        given = passing.arguments_for(run[0], place, link)
        default = run[0].parameters[place].default
        if not given and default is not None:
            return engine.read(expression_cell(run[0].file, outer_site(run[0]), default))
        return union([evaluate(engine, file, call, expr) for expr in given])
    if run:
        return None
    named: dict[str, Expr] = dict(call.keywords)
    at = kept(engine, cls).places.get(name)
    if at is None:
        return None
    held = call.arguments[at] if at < len(call.arguments) else named.get(name)
    return evaluate(engine, file, call, held) if held is not None else ()
