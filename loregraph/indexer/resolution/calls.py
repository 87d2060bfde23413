"""Calls: what they reach, and what runs then.

A call's targets are a cell; when a target joins, the call is linked to the function that runs: see `passing` for how
arguments meet parameters, `results` for what comes back.
"""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import UNKNOWN, Call, Expr

# A call's result is an expression's value and a call's callee an expression: loregraph: ignore[import-cycles]
from loregraph.indexer.resolution import (
    callables,
    companions,
    evaluate,
    handed,
    library,
    members,
    names,
    overload_results,
    packages,
    passing,
    reads,
    results,
)
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.hierarchy import linearised
from loregraph.indexer.resolution.model import (
    FINAL,
    NEW,
    Bound,
    Cell,
    Class,
    ContainerMethod,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    FunctionMethod,
    Instance,
    Link,
    Partial,
    Super,
    Value,
    Values,
    Wrapped,
    function_name,
)

MAX_DECORATORS = 8
"""Most functions that one decorator may be; past that it is taken to give back what it is given."""


class CallCell(Cell):
    """What one call may reach."""

    __slots__ = ("call", "file", "outcome")

    def __init__(self, file: FileIndex, call: Call) -> None:
        super().__init__()
        self.file = file
        self.call = call
        self.outcome: Cell | None = None

    def compute(self, engine: Engine) -> Values:
        call = self.call
        function = call.function
        policy = self.file.policy
        found: Values = ()
        if policy.functions_apart and call.kind == "call" and function[0] in ("n", "a"):
            found = evaluate.evaluate(engine, self.file, call, (*function[:-1], function_name(function[-1])))
        if not found:
            found = evaluate.evaluate(engine, self.file, call, function)
        if policy.extensions and function[0] == "a" and all(type(value) is External for value in found):
            receivers = evaluate.evaluate(engine, self.file, call, function[1])
            found = packages.extension(engine, self.file, receivers, function[2]) or found
        if policy.callable_names and function[0] in ("n", "l", "k"):
            found = callables.named(engine, self.file, call, function, found)
        if policy.handed and function[0] == "a" and function[2] in policy.handed:
            found = handed.called(engine, self.file, call, found)
        if not found and call.kind == "macro":
            return named_macros(engine, self.file, function)
        if policy.companions and call.kind in ("call", "new") and found:
            found = companions.types_of(found) if call.kind == "new" else self._companions(engine, found)
        return reads.run(call.kind, found) if call.kind in reads.SILENT else found

    def _companions(self, engine: Engine, found: Values) -> Values:
        return companions.called(engine, found, len(self.call.arguments) + len(self.call.keywords))

    def grown(self, engine: Engine, added: list[Value]) -> None:
        for value in added:
            kind = type(value)
            if kind is Function and self.call.kind != "new":
                engine.effect(add_link, value, Link(self.file, self.call, None))
            elif kind is Bound:
                engine.effect(add_link, value.function, Link(self.file, self.call, value.receiver))  # type: ignore[attr-defined]
            elif kind is Class and (known := settled_constructors(engine, value)) is not None:  # type: ignore[arg-type]
                for function, receiver in known:
                    engine.effect(add_link, function, Link(self.file, self.call, receiver))
            elif kind is not External or library.does_something(self.file, value):  # type: ignore[arg-type]
                engine.later(Linking(self.file, self.call, value))

    def result(self, engine: Engine) -> Cell:
        """The cell of what the call gives."""
        if self.outcome is None:
            self.outcome = reads.Read(self) if self.call.kind == "read" else Result(self)
        return self.outcome


class Linking(Cell):
    """The effect of one call's reaching something that has to be looked into: a class, an instance, a library
    function. It is done again when what it has looked at grows."""

    __slots__ = ("call", "done", "file", "value")

    def __init__(self, file: FileIndex, call: Call, value: Value) -> None:
        super().__init__()
        self.file = file
        self.call = call
        self.value = value
        self.done: set[tuple[object, ...]] = set()

    def compute(self, engine: Engine) -> Values:
        link(engine, self.file, self.call, self.value, 0)
        return ()


class Result(Cell):
    """What one call gives."""

    __slots__ = ("call",)

    def __init__(self, call: CallCell) -> None:
        super().__init__()
        self.call = call

    def compute(self, engine: Engine) -> Values:
        call = self.call
        targets = engine.read(call)
        if call.file.policy.overload_results:
            targets = overload_results.settled(engine, call.file, call.call, targets)
        return union([results.result_of(engine, call.file, call.call, target, 0) for target in targets])


class Decoration(CallCell):
    """A decorator's application: a call of it with what stands below as the only argument."""

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
    """What a decorator makes of the definition below it."""

    __slots__ = ("call",)

    def __init__(self, call: Decoration) -> None:
        super().__init__()
        self.call = call

    def compute(self, engine: Engine) -> Values:
        call = self.call
        below = evaluate.decorated_values(engine, call.file, call.number, call.level + 1)
        if any(isinstance(value, Class) for value in below):
            engine.read(call)
            return below  # what a class decorator gives back is the class, whatever else it does
        targets = engine.read(call)
        if len(targets) > MAX_DECORATORS:
            return below
        parts: list[Values] = []
        for target in targets:
            if isinstance(target, External):
                continue
            outer = target.function if isinstance(target, Bound) else target
            given = results.result_of(engine, call.file, call.call, target, 0)
            parts.append(self._of_this(engine, given, outer, below))
        made = union(parts)
        if made:
            return made
        return below if self._gives_back(engine) or engine.guess() else ()

    def _of_this(self, engine: Engine, given: Values, outer: Value, below: Values) -> Values:
        """What a decorator gives for this definition: its results are merged over all that it decorates."""
        if isinstance(outer, Instance):
            methods = [m.function for m in called_method(engine, outer) if isinstance(m, Bound)]
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
            elif isinstance(value, Instance | Partial):
                found.append(value)
            else:
                other.append(value)
        if not found:
            # A decorator may hand what it is given on to another one, which makes the wrapper.
            made = [v for v in other if isinstance(v, Function) and closes_over(engine, v, below)]
            found = [members.wrapped(engine, v, b, None) for v in made for b in below]
        return tuple(dict.fromkeys(found or other))

    def _gives_back(self, engine: Engine) -> bool:
        """Whether every decorator known here is external: those are taken to hand back what they are given."""
        targets = engine.read(self.call)
        return bool(targets) and all(isinstance(t, External | ExternalInstance) for t in targets)


def named_macros(engine: Engine, file: FileIndex, function: Expr) -> Values:
    """The macros of a name: they are visible far beyond their module, so the nearest files that have one count."""
    nearest: list[Value] = []
    best = -1
    for macro in engine.macros.get(function[-1], ()) if function[0] in ("n", "a") else ():
        shared = shared_folders(macro.file.path, file.path)
        if shared > best:
            nearest, best = [], shared
        if shared == best:
            nearest.append(macro)
    return tuple(nearest)


def shared_folders(one: str, other: str) -> int:
    """How many folders two paths begin with alike."""
    count = 0
    for a, b in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


def is_inside(function: Function, outer: Function) -> bool:
    """Whether `function` is defined within `outer`."""
    scope = function.scope.parent
    while scope is not None:
        if scope is outer.scope:
            return True
        scope = scope.parent
    return False


def closes_over(engine: Engine, function: Function, below: Values) -> bool:
    """Whether `function` stands in a function that is given what is decorated."""
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


# Links


def link(engine: Engine, file: FileIndex, call: Call, value: Value, skip: int) -> None:
    """Has the arguments of `call` flow to what `value` runs."""
    if type(value) is External:
        library.external_called(engine, file, call, value)
    elif isinstance(value, Function):
        receiver: Value | None = None
        if call.kind == "new" and value.file.policy.functions_construct:
            receiver = members.constructed(engine, value).instance
        reach(engine, value, Link(file, call, receiver, skip))
    elif isinstance(value, Bound):
        reach(engine, value.function, Link(file, call, value.receiver, skip))
    elif isinstance(value, Class):
        for function, receiver in constructors(engine, value):
            reach(engine, function, Link(file, call, receiver, skip))
    elif isinstance(value, Wrapped):
        reach(engine, value.wrapper, Link(file, call, value.receiver, skip))
        original = value.original
        if isinstance(original, Function):
            reach(engine, original, Link(file, call, value.receiver, skip, True))
        elif isinstance(original, Wrapped):
            link(engine, file, call, members.wrapped(engine, original.wrapper, original.original, value.receiver), skip)
    elif isinstance(value, Instance):
        for method in called_method(engine, value):
            link(engine, file, call, method, skip)
    elif isinstance(value, Super):
        for function, receiver in super_constructors(engine, value):
            reach(engine, function, Link(file, call, receiver, skip))
    elif isinstance(value, Partial):
        link(engine, file, call, value.function, value.skip)
        link(engine, value.file, value.call, value.function, -1)
    elif isinstance(value, ContainerMethod):
        library.container_called(engine, file, call, value)
    elif isinstance(value, FunctionMethod):
        library.method_called(engine, file, call, value)


def called_method(engine: Engine, value: Instance) -> Values:
    """The method that runs when an instance is called."""
    found: list[Values] = []
    for name in value.cls.file.policy.call_methods:
        if members.lookup(engine, value.cls, name).cell is not None:
            found.append(members.instance_member(engine, value, name))
    return tuple(v for v in union(found) if not isinstance(v, Instance))


# Implements REQ-RES-002.
def constructors(engine: Engine, cls: Class) -> tuple[tuple[Function, Value], ...]:
    """The functions of the project that run when `cls` is instantiated, each with its receiver."""
    return _constructors(engine, linearised(engine, cls), cls)


_SETTLED = ("constructors",)


def settled_constructors(engine: Engine, cls: Class) -> tuple[tuple[Function, Value], ...] | None:
    """The same where definitions alone decide it, None elsewhere: nothing has to be computed."""
    found: Any = cls.lookups.get(_SETTLED, UNKNOWN)
    if found is UNKNOWN:
        policy = cls.file.policy
        cells = [
            names.exit_cell(engine, owner.scope, name)
            for owner in linearised(engine, cls)
            if isinstance(owner, Class)
            for name in (*policy.constructors, *policy.allocators)
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
    for names_, receiver in ((policy.constructors, cls.instance), (policy.allocators, cls)):
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
    if wanted is cls.file.policy.constructors and not cls.file.policy.explicit_receiver:
        found += cls.file.constructors.get(cls.number, [])
        outside = [f for fs in cls.extra.values() for f in fs if f.definition.kind == "constructor"]
        if outside:  # prototypes in the body give way
            found = [f for f in found if "declaration" not in f.definition.flags] + outside
    return found


def reach(engine: Engine, function: Function, link: Link) -> None:
    """Has a call reach a function, once for each cell that finds it out."""
    finder = engine.reader
    if isinstance(finder, Linking):
        key = (function, id(link.call), link.receiver, link.skip, link.transparent)
        if key in finder.done:
            return
        finder.done.add(key)
    engine.effect(add_link, function, link)


def add_link(engine: Engine, function: Function, link: Link) -> None:
    """Records that a call reaches `function`; parameters that are asked for receive its arguments. At the barrier."""
    function.links.append(link)
    for number, cell in list(function.cells.items()):
        if cell.state != NEW:
            if function.file.policy.defaults_replaced:
                engine.touch(cell)  # whether a call leaves the argument out is not asked before
            for given in passing.passed(engine, function, number, cell, link):
                if isinstance(given, Cell):
                    engine.flow(given, cell)
                else:
                    engine.add(cell, given)
    if function.keyed is not None:
        for keyed in function.keyed.values():
            engine.touch(keyed)
