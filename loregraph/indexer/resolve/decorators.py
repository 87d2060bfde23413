"""Decorators: calls of the decorator with the decorated definition as the only argument, and their results."""

from __future__ import annotations

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import calls, definitions, members, passing
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.dispatch import result_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    Bound,
    Cell,
    Class,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    Instance,
    Partial,
    Value,
    Values,
    Wrapped,
)

MAX_DECORATORS = 8
"""A decorator with more candidate functions than this is assumed to return its argument."""


class Decoration(CallCell):
    """One application of a decorator: a call of it with the definition below as the only argument."""

    __slots__ = ("level", "number")

    def __init__(self, file: FileIndex, number: int, level: int, decorator: Expr) -> None:
        definition = file.facts.definitions[number]
        argument: Expr = ("D", number, level + 1)
        call = Call(
            definition.parent, definition.start_line, definition.start_byte, -2, decorator, (argument,), (), "decorator"
        )
        super().__init__(file, call)
        self.number = number
        self.level = level

    def result(self, engine: Engine) -> Cell:
        if self.outcome is None:
            self.outcome = Decorated(self)
        return self.outcome


class Decorated(Cell):
    """What a decorator turns the definition below it into."""

    __slots__ = ("call",)

    def __init__(self, call: Decoration) -> None:
        super().__init__(call.file)
        self.call = call

    def compute(self, engine: Engine) -> Values:
        call = self.call
        below = definitions.decorated_values(engine, call.file, call.number, call.level + 1)
        if any(isinstance(value, Class) for value in below):
            engine.read(call)
            return below  # a decorated class stays the class, whatever its decorator does
        targets = engine.read(call)
        if len(targets) > MAX_DECORATORS:
            return below
        parts: list[Values] = []
        for target in targets:
            if isinstance(target, External):
                continue
            outer = target.function if isinstance(target, Bound) else target
            given = result_of(engine, call.file, call.call, target, 0)
            parts.append(self._for_definition(engine, given, outer, below))
        made = union(parts)
        if made:
            return made
        return below if self._returns_argument(engine) or engine.allow_fallback() else ()

    def _for_definition(self, engine: Engine, given: Values, outer: Value, below: Values) -> Values:
        """The decorator's results for this definition; its result cell merges those of everything it decorates."""
        if isinstance(outer, Instance):
            methods = [m.function for m in calls.called_method(engine, outer) if isinstance(m, Bound)]
        else:
            methods = [outer] if isinstance(outer, Function) else []
        found: list[Value] = []
        other: list[Value] = []
        for value in given:
            kind = type(value)
            if value in below:
                found.append(value)
            elif kind is Class or kind is Wrapped or kind is Bound:
                continue
            elif isinstance(value, Function):
                if any(value.file is m.file and is_inside(value, m) for m in methods):
                    found.extend(members.wrapped(engine, value, b, None) for b in below)
                else:
                    other.append(value)
            elif isinstance(value, Instance):
                found.append(value)
                for method in (members.getter_of(engine, value), members.caller_of(engine, value)):
                    if method is not None:
                        found.extend(members.wrapped(engine, method, b, None) for b in below)
            elif isinstance(value, Partial):
                found.append(value)
            else:
                other.append(value)
        if not found:
            # A decorator may pass its argument to another decorator, which makes the wrapper.
            made = [v for v in other if isinstance(v, Function) and closes_over(engine, v, below)]
            found = [members.wrapped(engine, v, b, None) for v in made for b in below]
        if not found and len(other) > MAX_DECORATORS:
            # So many values are not its own wrapper but arguments of its other applications.
            decorated = _arguments_of(engine, methods)
            other = [v for v in other if v not in decorated] or list(below)
        return tuple(dict.fromkeys(found or other))

    def _returns_argument(self, engine: Engine) -> bool:
        """Whether every known decorator here is external: these are assumed to return their argument."""
        targets = engine.read(self.call)
        return bool(targets) and all(isinstance(t, External | ExternalInstance) for t in targets)


def _arguments_of(engine: Engine, methods: list[Function]) -> set[Value]:
    """Everything that the decorators are applied to: where they return one of these, it belongs to another
    definition."""
    found: set[Value] = set()
    for method in methods:
        for number, parameter in enumerate(method.parameters):
            if not parameter.kind:
                found.update(engine.read(passing.parameter_cell(engine, method, number)))
    return found


def is_inside(function: Function, outer: Function) -> bool:
    """Whether `function` is defined within `outer`."""
    scope = function.scope.parent
    while scope is not None:
        if scope is outer.scope:
            return True
        scope = scope.parent
    return False


def closes_over(engine: Engine, function: Function, below: Values) -> bool:
    """Whether `function` is defined in a function that has the decorated one in scope."""
    scope = function.scope.parent
    while scope is not None and scope.definition is not None:
        outer = function.file.functions.get(scope.number)
        if outer is not None:
            for number, parameter in enumerate(outer.parameters):
                if not parameter.kind and any(
                    b in engine.read(passing.parameter_cell(engine, outer, number)) for b in below
                ):
                    return True
        scope = scope.parent
    return False
