"""Functions that one object keeps, told apart from those that others of its class keep.

What is stored on objects is one set for all of a class. Where a name alone stands for the object that a call in the
same file makes, `cart = Cart(total)`, and the constructor keeps the argument as it comes, `cart.count` is `total`;
behind `cart.count = other` it is `other`. Only functions and classes are told apart: what else the member holds stays.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import passing
from loregraph.indexer.resolve.constructors import constructors, kept
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import is_receiver, outer_site, receiver_function
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
"""Most writes to members of one name in a file with which objects are told apart."""


# Implements REQ-SEC-010.
def kept_parameters(function: Function) -> dict[str, int]:
    """The members in which a constructor keeps a parameter as it comes, if no other method of its file writes to
    them that may be one of the type or of one below it."""
    if function.definition.name not in function.file.policy.constructors or not function.lists_receiver:
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
    """What a file writes to members, by their names and by the scopes that it stands in."""
    if file.stored is None:
        file.stored = {}
        for store in file.stores:
            if store.name is not None:
                file.stored.setdefault(store.name, []).append(store)
                file.stored.setdefault(store.assignment.scope, []).append(store)
    return file.stored


def _is_own(constructor: Function, store: Store) -> bool:
    """Whether a write may be one to a member of what a constructor makes, by one of its own methods."""
    number = store.assignment.scope
    if not is_receiver(constructor.file, number, store.base):
        return False
    method = receiver_function(constructor.file, number)
    owner = method.owner if method is not None else None
    return owner is constructor.owner or (owner is not None and bool(owner.definition.bases))


def _parameter(function: Function, store: Store) -> int | None:
    """The number of the parameter that a write keeps, where it stands in the constructor itself."""
    if store.assignment.scope != function.number:
        return None
    bindings = function.scope.bindings.get(store.value[1], ()) if store.value[0] == "n" else ()
    if len(bindings) != 1 or bindings[0].kind != PARAMETER:
        return None
    number: int = bindings[0].payload[2]
    return number if number > 0 and not function.parameters[number].kind.startswith("*") else None


def own_values(
    engine: Engine, file: FileIndex, site: Any, variable: str, value: Instance, name: str, all_: Values
) -> Values:
    """Of all that objects of a class hold as `name`, what the one does that a variable stands for."""
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
    """What a variable was last assigned, where that is one call's result for certain."""
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
    """Whether a write is one of a method to its receiver: `kept_parameters` knows of these."""
    return is_receiver(file, store.assignment.scope, store.base)


def _written_before(owner: Scope, writes: list[Store], binding: Binding, site: Any) -> list[Store] | None:
    """The writes to a variable's member before a place, in order; None where it is not certain that the last of them
    is what the member holds there."""
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
    """What a call gives the constructor of a class to keep as `name`; None where it cannot be told."""
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
