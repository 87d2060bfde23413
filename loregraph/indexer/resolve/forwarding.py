"""Calls of methods that a type has not, which it hands on to other objects: PHP's `__call` and `__callStatic`, `@mixin`
comments, facades.

Extraction writes what is handed to as members of the type (`facts.FORWARD`): they are found like any other member.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import DECORATE, FORWARD, FORWARD_STATIC, GIVEN, Call, Expr
from loregraph.indexer.resolve import members
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import bound
from loregraph.indexer.resolve.hierarchy import is_subclass, linearised
from loregraph.indexer.resolve.model import Bound, Class, FileIndex, Instance, Value, Values

MAX_FORWARDS: Final = 4
"""Objects that a call is handed on through, one after the other: a facade, its manager, a connection, a builder."""

MAX_TARGETS: Final = 8
"""Objects that one type is seen to hand on to, at most: a proxy for anything hands on to everything. What there is to
count is known when nothing else moves any more, so it waits for that."""


def forwards(engine: Engine, value: Value) -> tuple[Values, Values]:
    """What `value` hands unknown calls to, and of that what gives the caller `value` itself back."""
    if isinstance(value, Class):
        # What is written above a facade says more than what all facades' `__callStatic` was seen to work on.
        written = members.lookup(engine, value, FORWARD_STATIC).cell
        return engine.read(written) if written else _stored(engine, value, FORWARD_STATIC), ()
    if isinstance(value, Instance):
        decorated = _stored(engine, value.cls, DECORATE)
        return union([_stored(engine, value.cls, FORWARD), decorated]), decorated
    return (), ()


def _stored(engine: Engine, cls: Class, name: str) -> Values:
    """A member that only facts of the project give: nothing outside has one of such a name."""
    member = members.lookup(engine, cls, name)
    found = union([engine.read(field) for field in member.fields])
    if found and (not engine.allow_fallback() or len(found) > MAX_TARGETS):
        found = ()
    written = engine.read(member.cell) if member.cell is not None else ()
    return tuple(v for v in union([found, written]) if isinstance(v, Instance | Class))


def is_forwarded(engine: Engine, bases: Values, value: Bound) -> bool:
    """Whether a method belongs to none of the types that it was called on, nor to one below or above them."""
    owner = value.function.owner
    if owner is None:
        return False
    for base in bases:
        cls = base.cls if isinstance(base, Instance) else base
        if isinstance(cls, Class) and (is_subclass(engine, cls, owner) or is_subclass(engine, owner, cls)):
            return False
    return True


def is_overriding(engine: Engine, bases: Values, value: Bound, name: str) -> bool:
    """Whether a method that calls of `name` on `bases` were handed on to is one that a type below may have."""
    held = union([handed_to(engine, base, name)[0] for base in bases])
    owner = value.function.owner
    for target in held:
        cls = target.cls if isinstance(target, Instance) else target
        if isinstance(cls, Class) and owner is not None and owner in linearised(engine, cls):
            return False
    return bool(held)


def handed_to(engine: Engine, value: Value, name: str) -> tuple[Values, Values]:
    """The nearest of the objects to which `value` hands a call of `name` on that have it, and what they have."""
    level: dict[Value, Value | None] = {value: None}
    met: set[Value] = {value}
    for _ in range(MAX_FORWARDS):
        further: dict[Value, Value | None] = {}
        for holder, given in level.items():
            to, decorated = forwards(engine, holder)
            for target in to:
                if target not in met:
                    met.add(target)
                    further[target] = (given or holder) if target in decorated else given
        parts = {target: _own(engine, target, name, given) for target, given in further.items()}
        found = union(list(parts.values()))
        if found or not further:
            return tuple(target for target, held in parts.items() if held), found
        level = further
    return (), ()


def _own(engine: Engine, target: Value, name: str, given: Value | None) -> Values:
    if isinstance(target, Instance):
        found = members.own_instance_member(engine, target, name)
    else:
        found = members.own_class_member(engine, target, name) if isinstance(target, Class) else ()
    if given is None:
        return found
    return tuple(bound(v.function, given) if isinstance(v, Bound) else v for v in found)


def _forwarded(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return handed_to(engine, expr[1], expr[2])[1]


def announced(engine: Engine, file: FileIndex, call: Call) -> Values:
    """What a method gives that the receiver's type only announces: `@method Repository store()`."""
    parts: list[Values] = []
    for value in evaluate(engine, file, call, call.function[1]):
        cls = value.cls if isinstance(value, Instance) else value
        if isinstance(cls, Class):
            member = members.lookup(engine, cls, call.function[2] + GIVEN)
            if member.cell is not None:
                parts.append(engine.read(member.cell))
    return union(parts)


OPERATORS["->"] = _forwarded
