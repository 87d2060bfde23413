"""Calls with an explicit or implicit receiver argument: `a:f(x)` is `a.f(a, x)` (Lua)."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.canonical import path_rank
from loregraph.indexer.resolve.dispatch import evaluate, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import bound
from loregraph.indexer.resolve.model import Bound, Class, Container, Function, Store, Value, Values

_MAKING: Final = "new"
"""The name that class libraries give to the method that creates an object."""


class SendCell(CallCell):
    """The targets of a call, with its receiver only where the call syntax passes one."""

    __slots__ = ()

    def compute(self, engine: Engine) -> Values:
        call = self.call
        function = call.function
        if call.kind != "send" or function[0] != "a":
            found = super().compute(engine)
            if any(isinstance(value, Bound) for value in found):
                return tuple(dict.fromkeys(v.function if isinstance(v, Bound) else v for v in found))
            return found
        parts: list[Values] = []
        for receiver in evaluate(engine, self.file, call, function[1]):
            held = member_of(engine, receiver, function[2])
            if held:
                parts.append(tuple(_sent(value, receiver) for value in held))
            elif isinstance(receiver, Class) and function[2] == _MAKING:
                parts.append(receiver.alone)
        return union(parts)


def replaces(engine: Engine, store: Store, value: Value) -> bool:
    """Whether a file replaces a member of another file's module, as tests do temporarily. Calls in other files run the
    original."""
    name = store.name
    if name is None:
        return False
    if isinstance(value, Class):
        return value.file is not store.file and (name in value.scope.bindings or name in value.extra)
    if not isinstance(value, Container):
        return False
    origin = engine.project.module_tables.get(value)
    if origin is None or origin is store.file:
        return False
    field = value.fields.get(("str", name))
    if field is not None and any(source[0] is origin for source in field.sources):
        return True
    return any(own.name == name for own in origin.stores)


def find_module_tables(engine: Engine) -> None:
    """Finds the tables that files return, before values are followed."""
    for file in engine.project.files.values():
        for binding in file.exports.get("=", ()) if file.policy.calls.sends else ():
            for value in evaluate(engine, file, binding.site, binding.payload):
                known = engine.project.module_tables.get(value)
                if known is None or path_rank(file) < path_rank(known):
                    engine.project.module_tables[value] = file


def _sent(value: Value, receiver: Value) -> Value:
    return bound(value, receiver) if isinstance(value, Function) else value
