"""Writes to members and subscripts: finds the objects and adds the written values to the member's cell."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import containers, keys, late_types, members
from loregraph.indexer.resolve.classes import field_cell, function_field
from loregraph.indexer.resolve.constructors import constructed
from loregraph.indexer.resolve.copying import copies_parameters
from loregraph.indexer.resolve.dispatch import evaluate, link_call
from loregraph.indexer.resolve.engine import Engine, Source
from loregraph.indexer.resolve.lua_calls import replaces
from loregraph.indexer.resolve.model import (
    Bound,
    Cell,
    Class,
    Container,
    FileIndex,
    Function,
    Instance,
    Store,
    Value,
)


class StoreTask(Cell):
    """A write to a member or subscript: finds the objects that it writes to."""

    __slots__ = ("store",)

    def __init__(self, store: Store) -> None:
        super().__init__(store.file)
        self.store = store

    def compute(self, engine: Engine) -> tuple[()]:
        store = self.store
        if copies_parameters(store):
            return ()  # each call does that itself: see `copying`
        source = (store.file, store.assignment, store.value)
        sends = store.file.policy.calls.sends
        for value in evaluate(engine, store.file, store.assignment, store.base):
            if sends and replaces(engine, store, value):
                continue
            if store.name == "prototype" and store.file.policy.construction.functions_construct:
                self._inherit(engine, value)
            elif store.name is not None:
                _store_member(engine, value, store.name, source)
            else:
                assert store.key is not None
                _store_item(engine, store.file, store.assignment, value, store.key, source)
        return ()

    def _inherit(self, engine: Engine, value: Value) -> None:
        """`Type.prototype = Object.create(Base.prototype)`, `= new Base()`."""
        store = self.store
        cls = constructed(engine, value) if isinstance(value, Function) else value
        if not isinstance(cls, Class):
            return
        for held in evaluate(engine, store.file, store.assignment, store.value):
            if isinstance(held, Instance) and held.cls is not cls:
                engine.ranked_effect(cls.file, held.cls, late_types.mix, held.cls, cls)


def _store_member(engine: Engine, value: Value, name: str, source: Source) -> None:
    """Records that `source` (file, site, expression) is written to `value.name`."""
    if isinstance(value, Instance):
        field = field_cell(value.cls, name)
    elif isinstance(value, Class):
        field = field_cell(value, name)
    elif isinstance(value, Function):
        field = function_field(value, name)
    elif isinstance(value, Container):
        field = containers.object_field(engine, value, name)
    else:
        return
    engine.source(field, *source)


def _store_item(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr, source: Any) -> None:
    """`value[key] = …`."""
    if isinstance(value, Container):
        known = keys.key_values(engine, file, site, key)
        for field in [containers.field_of(engine, value, k) for k in known] if known else [value.rest]:
            engine.source(field, *source)
    elif isinstance(value, Instance):
        method = file.policy.implicit.item_methods.get("set")
        if method is not None and members.lookup(engine, value.cls, method).cell is not None:
            for held in members.instance_member(engine, value, method):
                if isinstance(held, Bound):
                    mark = (id(key), id(source[2]), held)
                    if mark not in engine.linked:
                        engine.linked.add(mark)
                        link_call(engine, file, item_call(engine, site, key, source[2]), held, 0)


def item_call(engine: Engine, site: Any, key: Expr, value: Expr) -> Call:
    """The call that `object[key] = value` makes, one for each write."""
    known = (id(key), id(value), "=")
    call: Call | None = engine.applied.get(known)
    if call is None:
        call = Call(site.scope, site.line, site.at, site.block, key, (key, value), (), "implicit")
        engine.applied[known] = call
        engine.origins[id(call)] = ("stored", site)
        engine.keep((call, key, value))
    return call
