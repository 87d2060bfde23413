"""Members that a trait expects from the types that use it: `$this->save()` where those types have `save` and the trait
does not.

A member counts only if all using types that have it get it from the same type; with several owners any could be meant.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import members
from loregraph.indexer.resolve.classes import takers
from loregraph.indexer.resolve.dispatch import OPERATORS, member_of
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import Bound, Class, FileIndex, Instance, Value, Values

MAX_TAKERS: Final = 256
"""With more types that use a trait, its missing members are not looked up: each type is searched for each name."""
_TAKERS: Final = ("takers",)


# Implements REQ-RES-003.
def _left(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """The method from the types that use the trait whose object or class a value is."""
    _, value, name = expr
    owner = owner_of(engine, _class_of(value), name)
    if owner is None:
        return ()
    held = member_of(engine, owner.instance if isinstance(value, Instance) else owner, name)
    return tuple(v for v in held if type(v) is Bound and v.function.owner is owner)


def _class_of(value: Value) -> Class:
    cls = value.cls if isinstance(value, Instance) else value
    assert isinstance(cls, Class)
    return cls


def owner_of(engine: Engine, cls: Class, name: str) -> Class | None:
    """The single type that binds `name` for all types that use a trait; None where the trait binds it itself, or
    several types do."""
    key = ("taken in", name)
    if key not in cls.lookups:
        found: dict[Class, None] = {}
        if members.lookup(engine, cls, name).owner is None:
            for taker in _takers(engine, cls):
                owner = members.lookup(engine, taker, name).owner
                if owner is not None:
                    found[owner] = None
                if len(found) > 1:
                    break
        cls.lookups[key] = next(iter(found)) if len(found) == 1 else None
    known: Class | None = cls.lookups[key]
    return known


def _takers(engine: Engine, cls: Class) -> list[Class]:
    known: list[Class] | None = cls.lookups.get(_TAKERS)
    if known is None:
        known = takers(cls)
        if len(known) > MAX_TAKERS:
            line = cls.definition.start_line
            engine.cut(cls.file, line, f"members that a trait leaves to more than {MAX_TAKERS} types")
            known = []
        cls.lookups[_TAKERS] = known
    return known


def is_left(engine: Engine, bases: Values, value: Bound, name: str) -> bool:
    """Whether a call of `name` on `bases` reaches a method that a trait among them expects from its users."""
    held = [_class_of(base) for base in bases if isinstance(base, Instance | Class)]
    owner = value.function.owner
    return owner is not None and any(owner_of(engine, cls, name) is owner for cls in held)


OPERATORS["^"] = _left
