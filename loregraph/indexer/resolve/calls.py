"""Calls and their callees.

A call's targets are a cell. When a target joins it, the call is linked to the function that runs: `passing` matches
arguments with parameters, `results` computes the result.
"""

from __future__ import annotations

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import (
    callables,
    class_objects,
    companions,
    declared,
    extensions,
    forwarding,
    members,
    outside,
    overloading,
    reads,
    results,
)
from loregraph.indexer.resolve.classes import types_of
from loregraph.indexer.resolve.constructors import (
    constructed,
    constructors,
    keep_given,
    kept,
    settled_constructors,
    super_constructors,
)
from loregraph.indexer.resolve.copying import Copying, copies_of
from loregraph.indexer.resolve.dispatch import LINKS, RESULTS, evaluate, link_call, result_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.layout import shared_folders
from loregraph.indexer.resolve.model import (
    Bound,
    Cell,
    Class,
    Container,
    External,
    FileIndex,
    Function,
    Instance,
    Link,
    Partial,
    Super,
    Value,
    Values,
    Wrapped,
    function_name,
)
from loregraph.indexer.resolve.passing import add_link


class CallCell(Cell):
    """The targets that one call may reach."""

    __slots__ = ("call", "file", "outcome")

    def __init__(self, file: FileIndex, call: Call) -> None:
        super().__init__(file)
        self.file = file
        self.call = call
        self.outcome: Cell | None = None

    def compute(self, engine: Engine) -> Values:
        call = self.call
        function = call.function
        policy = self.file.policy
        found: Values = ()
        if policy.scopes.functions_apart and call.kind == "call" and function[0] in ("n", "a"):
            found = evaluate(engine, self.file, call, (*function[:-1], function_name(function[-1])))
        if not found:
            found = evaluate(engine, self.file, call, function)
        if policy.scopes.members_in_scope and policy.calls.dispatch_self and function[0] == "n" and _on_receiver(found):
            scope = self.file.scopes[call.scope]
            found = outside.enclosing_member(engine, scope, function_name(function[1])) or found
        if policy.members.extensions and function[0] == "a" and all(type(value) is External for value in found):
            receivers = evaluate(engine, self.file, call, function[1])
            if receivers or not extensions.is_type_outside(engine, self.file, call.scope, *function[1:]):
                found = extensions.extension(engine, self.file, receivers, function[2]) or found
        if policy.calls.callable_names and function[0] in ("n", "l", "k"):
            found = callables.named(engine, self.file, call, function, found)
        if policy.calls.handed and function[0] == "a" and function[2] in policy.calls.handed:
            found = evaluate(engine, self.file, call, ("H", found))
        if policy.calls.handles and call.kind in ("call", "new") and any(_is_handle(a) for a in call.arguments):
            hand_over(engine, self.file, call, found)
        if not found and call.kind == "macro":
            return named_macros(engine, self.file, function)
        if policy.members.companions and call.kind in ("call", "new") and found:
            found = types_of(found) if call.kind == "new" else self._companions(engine, found)
        return reads.run(call.kind, found) if call.kind in reads.SILENT else found

    def _companions(self, engine: Engine, found: Values) -> Values:
        return companions.called(engine, found, len(self.call.arguments) + len(self.call.keywords))

    def grown(self, engine: Engine, added: list[Value]) -> None:
        for value in added:
            kind = type(value)
            if kind is Function and self.call.kind != "new":
                function: Function = value  # type: ignore[assignment]
                engine.effect(function.file, add_link, function, Link(self.file, self.call, None))
                if function.file.policy.construction.functions_construct and copies_of(function):
                    engine.enqueue(Copying(self.file, self.call, function))
            elif kind is Bound:
                method: Function = value.function  # type: ignore[attr-defined]
                engine.effect(method.file, add_link, method, Link(self.file, self.call, value.receiver))  # type: ignore[attr-defined]
            elif kind is Class and (known := settled_constructors(engine, value)) is not None:  # type: ignore[arg-type]
                for function, receiver in known:
                    engine.effect(function.file, add_link, function, Link(self.file, self.call, receiver))
                if not known and kept(engine, value).members:  # type: ignore[arg-type]
                    engine.enqueue(Linking(self.file, self.call, value))
            elif kind is not External or _does_something(engine, self.file, value):  # type: ignore[arg-type]
                engine.enqueue(Linking(self.file, self.call, value))

    def result(self, engine: Engine) -> Cell:
        """The cell of a call's result."""
        if self.outcome is None:
            self.outcome = reads.Read(self.file, self.call) if self.call.kind == "read" else Result(self)
        return self.outcome


def _does_something(engine: Engine, file: FileIndex, value: External) -> bool:
    """Whether calling an external function writes to anything or calls code of the project."""
    policy, path = file.policy, value.path
    if path in policy.calls.callbacks or path in policy.implicit.protocols or path in policy.implicit.text_takers:
        return True
    if policy.library.models.get(path) in _WRITING:
        return True
    return policy.library.declared_outside and declared.calls_back(engine, value)


_WRITING = frozenset({"assign", "define", "define all", "reflected call", "construct", "inherit", "keep"})
"""Rows of `library.EFFECTS`."""


class Linking(Cell):
    """Links one call to a target that has to be analysed first: a class, an instance, a library function. Done again
    when the analysed values grow."""

    __slots__ = ("call", "done", "file", "value")

    def __init__(self, file: FileIndex, call: Call, value: Value) -> None:
        super().__init__(file)
        self.file = file
        self.call = call
        self.value = value
        self.done: set[tuple[object, ...]] = set()

    def compute(self, engine: Engine) -> Values:
        link_call(engine, self.file, self.call, self.value, 0)
        return ()


class Result(Cell):
    """The result of one call."""

    __slots__ = ("call",)

    def __init__(self, call: CallCell) -> None:
        super().__init__(call.file)
        self.call = call

    def compute(self, engine: Engine) -> Values:
        call = self.call
        targets = members.called_apart(engine, engine.read(call))
        if call.file.policy.calls.overload_results:
            targets = overloading.settled(engine, call.file, call.call, targets)
        found = union([result_of(engine, call.file, call.call, target, 0) for target in targets])
        if call.file.policy.members.forwards and call.call.function[0] == "a":
            found = union([found, forwarding.announced(engine, call.file, call.call)])
        if call.file.policy.members.class_objects:
            found = union([found, class_objects.looked_up(engine, call.file, call.call)])
        if call.file.policy.construction.makers and call.call.arguments:
            found = union([found, _made(engine, call.file, call.call)])
        return found


def _on_receiver(found: Values) -> bool:
    """Whether a bare name is a method, called on the receiver: subclasses may override it."""
    return any(type(value) is Function and value.receives == "instance" and value.owner is not None for value in found)


def _made(engine: Engine, file: FileIndex, call: Call) -> Values:
    """The instance that a service container returns for the class it is asked for: `$app->make(Cart::class)`."""
    function, asked = call.function, call.arguments[0]
    if function[0] not in ("a", "n") or function[-1] not in file.policy.construction.makers or not _is_written(asked):
        return ()
    return tuple(value.typed for value in evaluate(engine, file, call, asked) if isinstance(value, Class))


def _is_written(expr: Expr) -> bool:
    """Whether an argument names a class literally, rather than through a variable."""
    while expr[0] == "a":
        expr = expr[1]
    return bool(expr[0] == "n" and expr[1][:1] != "$")


def named_macros(engine: Engine, file: FileIndex, function: Expr) -> Values:
    """The macros with that name. Macros are visible far beyond their module, so the nearest files that define one
    win."""
    nearest: list[Value] = []
    best = -1
    for macro in engine.project.macros.get(function[-1], ()) if function[0] in ("n", "a") else ():
        shared = shared_folders(macro.file.path, file.path)
        if shared > best:
            nearest, best = [], shared
        if shared == best:
            nearest.append(macro)
    return tuple(nearest)


def callback_key(call: Call, function: Expr, arguments: tuple[Expr, ...]) -> tuple[int, ...]:
    """The key that identifies a callback's call."""
    return (
        id(call), id(function), *(id(part) if type(part) is Container else len(a) for a in arguments for part in a)
    )  # fmt: skip


def callback_cell(
    engine: Engine, key: tuple[int, ...], file: FileIndex, call: Call, function: Expr, arguments: tuple[Expr, ...]
) -> CallCell:
    """The cell of a callback's call: a new one, or the announced one (see `naming`)."""
    found: CallCell | None = engine.announced.pop(key, None)
    if found is None:
        made = Call(call.scope, call.line, call.at, call.block, function, arguments, (), "callback")
        engine.origins[id(made)] = ("callback", call)
        found = CallCell(file, made)
    return found


def implicit_call(engine: Engine, file: FileIndex, call: Call, function: Expr, arguments: tuple[Expr, ...]) -> CallCell:
    """The call that a library function makes of a function passed to it."""
    key = callback_key(call, function, arguments)
    found = engine.implicit.get(key)
    if found is None:
        found = engine.implicit[key] = callback_cell(engine, key, file, call, function, arguments)
        file.implicit.append(found)
        engine.enqueue(found)
    return found


def _is_handle(expr: Expr) -> bool:
    """Whether an argument is a function reference that is not called here: `Owner::name`, `$this->run(...)`, a
    lambda."""
    return expr[0] == "f" or (expr[0] in ("a", "n") and expr[-1].endswith("()"))


def hand_over(engine: Engine, file: FileIndex, call: Call, found: Values) -> None:
    """Records that code outside the project calls the named functions passed to it. An unknown callee is assumed to be
    outside the project."""
    if any(type(value) is not External for value in found) or not (found or engine.allow_fallback()):
        return
    for argument in call.arguments:
        if _is_handle(argument):
            implicit_call(engine, file, call, argument, ())


# Links


def called_method(engine: Engine, value: Instance) -> Values:
    """The method that runs when an instance is called."""
    found: list[Values] = []
    for name in value.cls.file.policy.implicit.call_methods:
        if members.lookup(engine, value.cls, name).cell is not None:
            found.append(members.instance_member(engine, value, name))
    return tuple(v for v in union(found) if not isinstance(v, Instance))


def reach(engine: Engine, function: Function, link: Link) -> None:
    """Links a call to a function, once for each cell that finds the function."""
    finder = engine.reader
    if isinstance(finder, Linking):
        key = (function, id(link.call), link.receiver, link.skip, link.transparent)
        if key in finder.done:
            return
        finder.done.add(key)
    engine.effect(function.file, add_link, function, link)


def _link_function(engine: Engine, file: FileIndex, call: Call, value: Function, skip: int) -> None:
    receiver: Value | None = None
    if call.kind == "new" and value.file.policy.construction.functions_construct:
        receiver = constructed(engine, value).instance
    reach(engine, value, Link(file, call, receiver, skip))


def _link_bound(engine: Engine, file: FileIndex, call: Call, value: Bound, skip: int) -> None:
    reach(engine, value.function, Link(file, call, value.receiver, skip))


def _link_class(engine: Engine, file: FileIndex, call: Call, value: Class, skip: int) -> None:
    found = constructors(engine, value)
    for function, receiver in found:
        reach(engine, function, Link(file, call, receiver, skip))
    if not found:
        keep_given(engine, file, call, value)


def _link_wrapped(engine: Engine, file: FileIndex, call: Call, value: Wrapped, skip: int) -> None:
    if not results.is_caller(value.wrapper):  # by which the object itself is called
        reach(engine, value.wrapper, Link(file, call, value.receiver, skip))
    original = value.original
    if isinstance(original, Function):
        reach(engine, original, Link(file, call, value.receiver, skip, True))
    elif isinstance(original, Wrapped):
        inner = members.wrapped(engine, original.wrapper, original.original, value.receiver)
        link_call(engine, file, call, inner, skip)


def _link_instance(engine: Engine, file: FileIndex, call: Call, value: Instance, skip: int) -> None:
    for method in called_method(engine, value):
        link_call(engine, file, call, method, skip)


def _link_super(engine: Engine, file: FileIndex, call: Call, value: Super, skip: int) -> None:
    for function, receiver in super_constructors(engine, value):
        reach(engine, function, Link(file, call, receiver, skip))


def _link_partial(engine: Engine, file: FileIndex, call: Call, value: Partial, skip: int) -> None:
    link_call(engine, file, call, value.function, value.skip)
    link_call(engine, value.file, value.call, value.function, -1)


def _instance_result(engine: Engine, file: FileIndex, call: Call, target: Instance, skip: int) -> Values:
    if call.kind == "call" and file.policy.members.attributes_called:
        return target.alone
    return union([result_of(engine, file, call, method, skip) for method in called_method(engine, target)])


def container_result(engine: Engine, file: FileIndex, call: Call, target: Container, skip: int) -> Values:
    """The result of calling a list or mapping."""
    return target.alone if call.kind == "call" and file.policy.members.attributes_called else ()


LINKS.update(
    {
        Function: _link_function,
        Bound: _link_bound,
        Class: _link_class,
        Wrapped: _link_wrapped,
        Instance: _link_instance,
        Super: _link_super,
        Partial: _link_partial,
    }
)
RESULTS.update({Instance: _instance_result, Container: container_result})
