"""The project's own functions that copy members between objects: `for (var key in from) to[key] = from[key]`.

The effect depends on the call: each call copies between its own arguments, as `Object.assign` does.
"""

from __future__ import annotations

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import containers, late_types
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import (
    PARAMETER,
    VALUE,
    Cell,
    Class,
    Container,
    FileIndex,
    Function,
    Link,
    Scope,
    Store,
    Value,
    Values,
)
from loregraph.indexer.resolve.passing import arguments_for
from loregraph.indexer.resolve.scoping import find


def copy_members(engine: Engine, source: Value, target: Value) -> None:
    """Makes the members of `source`, present and future, members of `target`."""
    if isinstance(source, Container) and isinstance(target, Container):
        containers.spread(engine, source, target)
    elif isinstance(source, Container) and isinstance(target, Class | Function):
        engine.effect(source.file, containers.copied, source, target)
    elif isinstance(source, Class) and isinstance(target, Class) and source is not target:
        engine.ranked_effect(target.file, source, late_types.mix, source, target)


def _copied_from(store: Store) -> Expr | None:
    """The object whose member a store copies to another object under the same name (`to[key] = from[key]`), if any."""
    if not store.file.policy.construction.functions_construct or store.key is None or store.key[0] != "n":
        return None
    value = store.value
    if value[0] == "n":  # `var value = from[key]; … to[key] = value`
        value = _held(store.file.scopes[store.assignment.scope], value[1]) or value
    return value[1] if value[0] == "s" and value[2] == store.key else None


def copies_parameters(store: Store) -> bool:
    """Whether a store copies between two parameters of one function, so that each call determines the objects."""
    source = _copied_from(store)
    if source is None:
        return False
    number = store.assignment.scope
    into, taken = _parameter(store.file, number, store.base), _parameter(store.file, number, source)
    return into is not None and taken is not None and into[0] is taken[0]


def copies_of(function: Function) -> tuple[tuple[int, int], ...]:
    """(index of the parameter copied to, index of the parameter copied from) for each such pair."""
    file = function.file
    if file.copies is None:
        file.copies = _copies(file) if file.policy.construction.functions_construct else {}
    return tuple(file.copies.get(function.number, ()))


def _copies(file: FileIndex) -> dict[int, dict[tuple[int, int], None]]:
    found: dict[int, dict[tuple[int, int], None]] = {}

    def add(number: int, target: Expr, source: Expr) -> None:
        into, taken = _parameter(file, number, target), _parameter(file, number, source)
        if into is not None and taken is not None and into[0] is taken[0] and into[1] != taken[1]:
            found.setdefault(into[0].number, {})[into[1], taken[1]] = None

    for store in file.stores:
        source = _copied_from(store)
        if source is not None:
            add(store.assignment.scope, store.base, source)
    for call in file.facts.calls:
        if call.function == _DEFINE and len(call.arguments) == 3:
            source = _described(file, call.scope, call.arguments[2], call.arguments[1])
            if source is not None:
                add(call.scope, call.arguments[0], source)
    return found


_DEFINE = ("a", ("n", "Object"), "defineProperty")
_DESCRIBE = ("a", ("n", "Object"), "getOwnPropertyDescriptor")


def _described(file: FileIndex, number: int, descriptor: Expr, name: Expr) -> Expr | None:
    """The object whose property descriptor was read: `Object.getOwnPropertyDescriptor(from, name)`."""
    if descriptor[0] == "n":
        descriptor = _held(file.scopes[number], descriptor[1]) or descriptor
    if descriptor[0] != "c":
        return None
    call = file.facts.calls[descriptor[1]]
    taken = call.function == _DESCRIBE and len(call.arguments) == 2 and call.arguments[1] == name
    return call.arguments[0] if taken else None


def _held(scope: Scope, name: str) -> Expr | None:
    """The value of a variable that is written once."""
    owner = find(scope, name)
    bindings = owner.bindings[name] if owner is not None else ()
    written = [binding for binding in bindings if binding.kind == VALUE and binding.payload[0] != "x"]
    return written[0].payload if len(written) == 1 == len(bindings) else None


def _parameter(file: FileIndex, number: int, expr: Expr) -> tuple[Function, int] | None:
    """The parameter that a name refers to, of this or an enclosing function."""
    owner = find(file.scopes[number], expr[1]) if expr[0] == "n" else None
    for binding in owner.bindings[expr[1]] if owner is not None else ():
        if binding.kind == PARAMETER:
            return binding.payload[1], binding.payload[2]
    return None


class Copying(Cell):
    """The effect of linking one call to a function that copies members."""

    __slots__ = ("call", "file", "function")

    def __init__(self, file: FileIndex, call: Call, function: Function) -> None:
        super().__init__(file)
        self.file = file
        self.call = call
        self.function = function

    def compute(self, engine: Engine) -> Values:
        link = Link(self.file, self.call, None)
        for into, taken in copies_of(self.function):
            sources = [
                source
                for argument in arguments_for(self.function, taken, link)
                for source in evaluate(engine, self.file, self.call, argument)
            ]
            for argument in arguments_for(self.function, into, link) if sources else ():
                for target in evaluate(engine, self.file, self.call, argument):
                    for source in sources:
                        copy_members(engine, source, target)
        return ()
