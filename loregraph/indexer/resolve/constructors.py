"""The functions that run when a type is instantiated."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from loregraph.indexer.facts import UNKNOWN, Call, Expr
from loregraph.indexer.resolve import late_types, names
from loregraph.indexer.resolve.classes import declared_members, field_cell, is_record
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.index import made_by
from loregraph.indexer.resolve.model import (
    FINAL,
    Class,
    External,
    FileIndex,
    Function,
    Instance,
    Super,
    Value,
    Wrapped,
)


# Implements REQ-RES-002.
def constructors(engine: Engine, cls: Class) -> tuple[tuple[Function, Value], ...]:
    """The project's functions that run when `cls` is instantiated, each with its receiver."""
    return _constructors(engine, linearised(engine, cls), cls)


_SETTLED = ("constructors",)


def settled_constructors(engine: Engine, cls: Class) -> tuple[tuple[Function, Value], ...] | None:
    """The same where definitions alone decide it, else None. Computes no cells."""
    found: Any = cls.lookups.get(_SETTLED, UNKNOWN)
    if found is UNKNOWN:
        policy = cls.file.policy
        cells = [
            names.exit_cell(engine, owner.scope, name)
            for owner in linearised(engine, cls)
            if isinstance(owner, Class)
            for name in (*policy.construction.constructors, *policy.construction.allocators)
        ]
        final = all(cell is None or cell.state == FINAL for cell in cells)
        found = cls.lookups[_SETTLED] = constructors(engine, cls) if final else None
    return found  # type: ignore[no-any-return]


def super_constructors(engine: Engine, value: Super) -> tuple[tuple[Function, Value], ...]:
    """The constructors that `super(…)` runs."""
    cls = value.receiver.cls if isinstance(value.receiver, Instance) else value.receiver
    if not isinstance(cls, Class):
        return ()
    order = linearised(engine, cls)
    rest = order[order.index(value.cls) + 1 :] if value.cls in order else ()
    return _constructors(engine, rest, cls)


def _constructors(
    engine: Engine, order: tuple[Class | External, ...], cls: Class
) -> tuple[tuple[Function, Value], ...]:
    policy = cls.file.policy
    found: list[tuple[Function, Value]] = []
    for names_, receiver in ((policy.construction.constructors, cls.instance), (policy.construction.allocators, cls)):
        for owner in order:
            if isinstance(owner, External):
                continue
            functions = _own_constructors(engine, owner, names_)
            if functions:
                found += [(f, receiver) for f in functions]
                break
    return tuple(found)


def _own_constructors(engine: Engine, cls: Class, wanted: tuple[str, ...]) -> list[Function]:
    found: list[Function] = []
    for name in wanted:
        cell = names.exit_cell(engine, cls.scope, name)
        if cell is not None:
            for value in engine.read(cell):
                held = value.original if isinstance(value, Wrapped) else value
                if isinstance(held, Function):
                    found.append(held)
        found += [f for f in cls.extra.get(name, ()) if f.definition.kind != "constructor"]
    if wanted is cls.file.policy.construction.constructors and not cls.file.policy.members.explicit_receiver:
        found += cls.file.constructors.get(cls.number, [])
        outside = [f for fs in cls.extra.values() for f in fs if f.definition.kind == "constructor"]
        if outside:  # prototypes in the body are ignored
            found = [f for f in found if "declaration" not in f.definition.flags] + outside
    return found


class Kept(NamedTuple):
    """Members by the class that declares them, in the order of the constructor's parameters, and the index of each
    name."""

    members: tuple[tuple[Class, str], ...]
    places: dict[str, int]


def kept(engine: Engine, cls: Class) -> Kept:
    """The members that a generated constructor (one that no code of the project defines) initialises from its
    arguments."""
    policy = cls.file.policy
    if not policy.construction.kept_by_bases:
        return _NOTHING_KEPT
    found: Kept | None = cls.lookups.get(_KEPT)
    if found is None:
        members = _kept(engine, cls)
        found = cls.lookups[_KEPT] = Kept(members, {name: place for place, (_, name) in enumerate(members)})
    return found


_KEPT = ("kept",)
_NOTHING_KEPT: Final = Kept((), {})


def _kept(engine: Engine, cls: Class) -> tuple[tuple[Class, str], ...]:
    policy = cls.file.policy
    order = linearised(engine, cls)
    for base in order:
        if isinstance(base, External) and base.path in policy.construction.kept_by_bases:
            return tuple((cls, name) for name in policy.construction.kept_by_bases[base.path])
    outside = any(isinstance(base, External) and base.path in policy.construction.record_bases for base in order)
    if not outside and not is_record(cls):
        return ()
    found: dict[str, Class] = {}
    for base in reversed(order):
        if isinstance(base, Class) and (outside or is_record(base)):
            for name in declared_members(base):
                found[name] = base
    return tuple((base, name) for name, base in found.items())


def keep_given(engine: Engine, file: FileIndex, call: Call, cls: Class) -> None:
    """Stores the arguments of `call` on instances of `cls`, whose constructor is generated or unknown."""
    members, places = kept(engine, cls)
    given: dict[int, Expr] = {}
    for place, expr in enumerate(call.arguments[: len(members)]):
        if expr[0] == "*":
            break
        given[place] = expr
    for name, expr in call.keywords:
        if name in places:
            given.setdefault(places[name], expr)
    for place in sorted(given):
        if given[place][0] not in ("x", "k"):
            owner, name = members[place]
            engine.source(field_cell(owner, name), file, call, given[place])


def constructed(engine: Engine, function: Function) -> Class:
    """The type that `new` on a function creates. From the next round on the function is a method of it."""
    if function.owner is None:
        engine.effect(function.file, late_types.become, function)
    return made_by(function)
