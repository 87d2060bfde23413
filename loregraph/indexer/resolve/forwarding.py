"""Method forwarding: calls of unknown methods that a type passes on to other objects: PHP's `__call` and
`__callStatic`, `@mixin` comments, facades.

Extraction records the objects forwarded to as members of the type (`facts.FORWARD`), which are looked up like any other
member.
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
"""Maximum chain of forwarding objects: a facade, its manager, a connection, a builder."""

MAX_TARGETS: Final = 8
"""A type seen to forward to more objects than this is a proxy for anything, and none of them counts. The number is only
known at the fixpoint, so the answer waits until then."""


def forwards(engine: Engine, value: Value) -> tuple[Values, Values]:
    """The objects to which `value` forwards unknown calls, and those among them whose results are replaced by `value`
    itself."""
    if isinstance(value, Class):
        # A facade's own annotation is more precise than the values seen in the `__callStatic` that all facades share.
        written = members.lookup(engine, value, FORWARD_STATIC).cell
        return engine.read(written) if written else _stored(engine, value, FORWARD_STATIC), ()
    if isinstance(value, Instance):
        decorated = _stored(engine, value.cls, DECORATE)
        return union([_stored(engine, value.cls, FORWARD), decorated]), decorated
    return (), ()


def _stored(engine: Engine, cls: Class, name: str) -> Values:
    """A member from the project's own facts alone: no library has a member of that name."""
    member = members.lookup(engine, cls, name)
    found = union([engine.read(field) for field in member.fields])
    if found and (not engine.allow_fallback() or len(found) > MAX_TARGETS):
        found = ()
    written = engine.read(member.cell) if member.cell is not None else ()
    return tuple(v for v in union([found, written]) if isinstance(v, Instance | Class))


def is_forwarded(engine: Engine, bases: Values, value: Bound) -> bool:
    """Whether a method belongs neither to a type that it was called on nor to a sub- or supertype of one."""
    owner = value.function.owner
    if owner is None:
        return False
    for base in bases:
        cls = base.cls if isinstance(base, Instance) else base
        if isinstance(cls, Class) and (is_subclass(engine, cls, owner) or is_subclass(engine, owner, cls)):
            return False
    return True


def is_overriding(engine: Engine, bases: Values, value: Bound, name: str) -> bool:
    """Whether a method may override a forwarding target of `name` on `bases` in a subtype."""
    held = union([handed_to(engine, base, name)[0] for base in bases])
    owner = value.function.owner
    for target in held:
        cls = target.cls if isinstance(target, Instance) else target
        if isinstance(cls, Class) and owner is not None and owner in linearised(engine, cls):
            return False
    return bool(held)


def handed_to(engine: Engine, value: Value, name: str) -> tuple[Values, Values]:
    """The nearest objects to which `value` forwards a call of `name` that have the method, and the methods."""
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
    """The result of a method that the receiver's type only announces: `@method Repository store()`."""
    parts: list[Values] = []
    for value in evaluate(engine, file, call, call.function[1]):
        cls = value.cls if isinstance(value, Instance) else value
        if isinstance(cls, Class):
            member = members.lookup(engine, cls, call.function[2] + GIVEN)
            if member.cell is not None:
                parts.append(engine.read(member.cell))
    return union(parts)


OPERATORS["->"] = _forwarded
