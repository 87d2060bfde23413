"""Properties defined by a call in JavaScript: `Object.defineProperty(target, "name", {value: …, get: …})`."""

from __future__ import annotations

from loregraph.indexer.facts import Call
from loregraph.indexer.resolve import containers, keys, results
from loregraph.indexer.resolve.classes import field_cell, function_field
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    Bound,
    Cell,
    Class,
    Container,
    FieldCell,
    FileIndex,
    Function,
    Instance,
    Value,
    Values,
)


class Definitions(Cell):
    """The effect of one `Object.defineProperty(target, name, descriptor)`, or of `…Properties(target, descriptors)`."""

    __slots__ = ("call", "file", "several")

    def __init__(self, file: FileIndex, call: Call, several: bool) -> None:
        super().__init__(file)
        self.file = file
        self.call = call
        self.several = several

    def compute(self, engine: Engine) -> Values:
        arguments = self.call.arguments
        if len(arguments) < (2 if self.several else 3):
            return ()
        targets = evaluate(engine, self.file, self.call, arguments[0])
        for held in evaluate(engine, self.file, self.call, arguments[-1]):
            if not isinstance(held, Container):
                continue
            if not self.several:
                for kind, name in keys.key_values(engine, self.file, self.call, arguments[1]):
                    if kind == "str":
                        self._define(engine, targets, name, held)
                continue
            if held.file is not self.file:
                engine.unheard = True  # the list of members is read without a cell
            for (_, name), field in list(held.fields.items()):
                for descriptor in engine.read(field):
                    if isinstance(descriptor, Container):
                        self._define(engine, targets, name, descriptor)
        return ()

    def _define(self, engine: Engine, targets: Values, name: str, descriptor: Container) -> None:
        for target in targets:
            field = _field(engine, target, name)
            if field is None:
                continue
            engine.flow(containers.field_of(engine, descriptor, ("str", "value")), field)
            for accessor in ("get", "set"):
                for function in engine.read(containers.field_of(engine, descriptor, ("str", accessor))):
                    key = ("accessor", self.file, function, target, name)
                    if key in engine.linked:
                        continue
                    engine.linked.add(key)
                    on = target.instance if isinstance(target, Class) else target
                    given = given_cell(engine, self.file, function, on)
                    engine.enqueue(given)
                    if accessor == "get":
                        engine.flow(given, field)


def _field(engine: Engine, target: Value, name: str) -> FieldCell | None:
    """The cell that holds `target.name`."""
    if isinstance(target, Container):
        return containers.field_of(engine, target, ("str", name))
    if isinstance(target, Function):
        return function_field(target, name)
    cls = target.cls if isinstance(target, Instance) else target
    if not isinstance(cls, Class):
        return None
    stored = name in engine.project.stored_names or name in (cls.gained or ())
    return field_cell(cls, name) if stored else None


def given_cell(engine: Engine, file: FileIndex, function: Value, receiver: Value) -> Cell:
    """The cell of an accessor's result."""
    key = (file, function, receiver)
    found = engine.givens.get(key)
    if found is None:
        found = engine.givens[key] = AccessorResult(file, function, receiver)
    return found


class AccessorResult(Cell):
    """The result of an accessor, whose receiver is the object with the property."""

    __slots__ = ("function", "receiver")

    def __init__(self, file: FileIndex, function: Value, receiver: Value) -> None:
        super().__init__(file)
        self.function = function
        self.receiver = receiver

    def compute(self, engine: Engine) -> Values:
        function = self.function.function if isinstance(self.function, Bound) else self.function
        if not isinstance(function, Function):
            return ()
        return union([results.returned_values(engine, function, self.receiver)])
