"""The results of calls.

Two kinds of results are computed per call rather than merged over all callers: a parameter returned unchanged, and, in
a decorator's wrapper, the result of the wrapped function.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Call, Expr, Return
from loregraph.indexer.languages.policy import CALL_ANY
from loregraph.indexer.resolve import containers, generics, passing, signatures
from loregraph.indexer.resolve.constructors import constructed
from loregraph.indexer.resolve.dispatch import OPERATORS, RESULTS, evaluate, result_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import (
    bound,
    is_outer_parameter,
    is_receiver,
    outer_site,
    parameter_of,
    takes_receiver,
)
from loregraph.indexer.resolve.model import (
    RECEIVER,
    VALUE,
    Bound,
    Cell,
    Class,
    Container,
    FileIndex,
    Function,
    Generator,
    Instance,
    Link,
    Partial,
    ReturnsReceiver,
    Super,
    Value,
    Values,
    Wrapped,
    expression_cell,
)
from loregraph.indexer.resolve.passing import arguments_for
from loregraph.indexer.resolve.scoping import find
from loregraph.indexer.resolve.type_arguments import applied
from loregraph.indexer.resolve.types import closed, instances, narrowed

MAX_ASSIGNED: Final = 20
"""At most so many assignments to a getter's result are examined for the wrapped function: the first ones."""


def _of_wrapped(engine: Engine, file: FileIndex, call: Call, target: Wrapped, skip: int) -> Values:
    wrapper = target.wrapper
    parts: list[Values] = []
    if wrapper.generator:
        return generator_of(engine, wrapper).alone
    own = wrapper_result(wrapper)
    parts.append(engine.read(own))  # also for an empty cell: an edit may fill it
    if own.forwarded:
        original = target.original
        if target.receiver is not None and isinstance(original, Function):
            original = bound(original, target.receiver)
        parts.append(result_of(engine, file, call, original, skip))
    return union(parts)


def wrapper_result(wrapper: Function) -> WrapperResult:
    """The cell of the values that a decorator's wrapper itself returns."""
    if wrapper.own_result is None:
        wrapper.own_result = WrapperResult(wrapper)
    assert isinstance(wrapper.own_result, WrapperResult)
    return wrapper.own_result


class WrapperResult(Cell):
    """The values that a decorator's wrapper itself returns; `forwarded` tells whether it also returns the result of the
    wrapped function."""

    __slots__ = ("forwarded", "function", "rest")

    def __init__(self, function: Function) -> None:
        super().__init__(function.file)
        self.function = function
        returned = [fact for fact in function.file.returns.get(function.number, ()) if fact.kind == "return"]
        self.rest = [fact for fact in returned if not calls_wrapped(function, fact)]
        self.forwarded = len(self.rest) < len(returned)
        if is_getter(function):  # a descriptor read on the class returns itself
            self.rest = [fact for fact in self.rest if not _is_own(function, fact.value)]

    def compute(self, engine: Engine) -> Values:
        file = self.function.file
        return union([evaluate(engine, file, fact, fact.value) for fact in self.rest])


def calls_wrapped(wrapper: Function, fact: Return) -> bool:
    """Whether a wrapper returns the result of the function that it closes over."""
    expr = fact.value
    if expr[0] == "n":
        bindings = wrapper.scope.bindings.get(expr[1], ())
        if len(bindings) == 1 and bindings[0].kind == VALUE:
            expr = bindings[0].payload
        elif is_getter(wrapper):  # its other values were cached on an earlier read
            return any(b.kind == VALUE and _is_of_wrapped(wrapper, b.payload) for b in bindings[:MAX_ASSIGNED])
    return _is_of_wrapped(wrapper, expr)


def _is_of_wrapped(wrapper: Function, expr: Expr) -> bool:
    file = wrapper.file
    while expr[0] == "w":
        expr = expr[1]
    if expr[0] != "c":
        return False
    called = file.facts.calls[expr[1]].function
    if called[0] == "a":
        if not (is_getter(wrapper) or is_caller(wrapper)) or wrapper.owner is None or not _is_own(wrapper, called[1]):
            return False
        return called[2] in file.policy.construction.kept_names or called[2] in _members_given(file).get(
            wrapper.owner, ()
        )
    return called[0] == "n" and is_outer_parameter(wrapper.scope, called[1])


def is_getter(function: Function) -> bool:
    """Whether a method is a descriptor's getter (`__get__`), which answers for attributes of other classes."""
    return function.owner is not None and function.definition.name == function.file.policy.implicit.item_methods.get(
        "descriptor"
    )


def is_caller(function: Function) -> bool:
    """Whether a method runs when an instance of its type is called (`__call__`)."""
    policy = function.file.policy
    return (
        function.owner is not None
        and policy.members.explicit_receiver
        and function.definition.name in policy.implicit.call_methods
    )


def _is_own(method: Function, expr: Expr) -> bool:
    """Whether an expression in a method is its receiver."""
    return method.receives == "instance" and is_receiver(method.file, method.number, expr)


# Implements REQ-SEC-010.
def _members_given(file: FileIndex) -> dict[Class, set[str]]:
    """The members in which the types of a file store their constructor arguments, also indirectly. Linear in the
    members that are written, since it is needed for each `return` of a getter."""
    if file.given is None:
        found: dict[Class, set[str]] = {}
        copies: dict[tuple[Class, str], list[str]] = {}
        for store in file.stores:
            function = file.functions.get(store.assignment.scope)
            if function is None or function.owner is None or store.name is None or not _is_own(function, store.base):
                continue
            value = store.value
            if value[0] == "a" and _is_own(function, value[1]):
                copies.setdefault((function.owner, value[2]), []).append(store.name)
            elif (
                function.definition.name in file.policy.construction.constructors
                and parameter_of(function, value) is not None
            ):
                found.setdefault(function.owner, set()).add(store.name)
        for cls, names in found.items():
            looked = list(names)
            while looked:
                further = set(copies.get((cls, looked.pop()), ())) - names
                names |= further
                looked += further
        file.given = found
    return file.given


def described(engine: Engine, value: Wrapped, receiver: Value) -> Values:
    """The value of an attribute made by decorating a function with a descriptor type."""
    parts: list[Values] = []
    own = wrapper_result(value.wrapper)
    parts.append(engine.read(own))  # also for an empty cell: an edit may fill it
    if own.forwarded:
        original = value.original
        if isinstance(original, Function):
            parts.append(returned_values(engine, original, receiver))
        elif isinstance(original, Wrapped):
            parts.append(described(engine, original, receiver))
    return union(parts)


def returned_values(
    engine: Engine, function: Function, receiver: Value | None, arguments: tuple[Expr, ...] = ()
) -> Values:
    """The result of an implicit call: a property, or a method that syntax calls."""
    link_implicit(engine, function, receiver)
    if arguments and function.signatures:
        chosen = signatures.chosen_result(engine, function, arguments, int(function.lists_receiver))
        if chosen is not None:
            return chosen
    return returned_at(engine, function, Link(None, None, receiver))


def link_implicit(engine: Engine, function: Function, receiver: Value | None) -> None:
    """Records that an implicit call reaches a function."""
    key = ("implicit", engine.home, function, receiver)
    if key not in engine.linked:
        engine.linked.add(key)
        engine.effect(function.file, passing.add_link, function, Link(None, None, receiver))


def returned_at(engine: Engine, function: Function, link: Link) -> Values:
    """What `function` returns to the call behind `link`."""
    if function.signatures and link.call is not None and not link.call.keywords:
        skip = int(function.lists_receiver and link.receiver is not None)
        chosen = signatures.chosen_result(engine, function, link.call.arguments, skip)
        if chosen is not None:
            return chosen
    if function.generator:
        return generator_of(engine, function).alone
    returned = returned_cell(function)
    values = engine.read(returned)
    if function.open is None or function.open:
        values = generics.given(engine, function, link, values)
    if _gives_receiver(function):
        own = _of_receiver(link.receiver)
        if own is not None:
            return own.alone
    if not returned.passed:
        return values
    parts = [values]
    for number, made in returned.passed:
        if number == RECEIVER or (number == 0 and link.receiver is not None and takes_receiver(function)):
            if link.receiver is not None:
                parts.append(link.receiver.alone)
            continue
        expressions = arguments_for(function, number, link)
        given: list[Values] = []
        if link.file is not None:
            given = [evaluate(engine, link.file, link.call, expr) for expr in expressions]
        default = function.parameters[number].default
        if not expressions and default is not None:
            given.append(at_outer_site(engine, function, default))
        parts += [tuple(v.instance for v in values_ if isinstance(v, Class)) for values_ in given] if made else given
    declared = _declared(engine, function)
    if declared:
        return union([narrowed(engine, union(parts[1:]), declared), values])
    return union(parts)


def _gives_receiver(function: Function) -> bool:
    """Whether a function declares that it returns an instance of its receiver's own class (`@return static`,
    `this`)."""
    returns = function.definition.returns
    return returns is not None and returns[0] == "v" and function.owner is not None


def _of_receiver(receiver: Value | None) -> Value | None:
    if isinstance(receiver, Super):
        receiver = receiver.receiver
    if isinstance(receiver, Class):
        return receiver.typed
    return receiver if isinstance(receiver, Instance) else None


def returned_cell(function: Function) -> Returned:
    """The cell of a function's result, apart from what depends on the individual call."""
    if function.returned is None:
        function.returned = Returned(function)
    assert isinstance(function.returned, Returned)
    return function.returned


def _declared(engine: Engine, function: Function) -> Values:
    """The instances of a function's declared result type."""
    returns = function.definition.returns
    if returns is None:
        return ()
    if function.file is not engine.home and function.definition.parent in function.file.functions:
        return at_outer_site(engine, function, ("T", returns))  # a function's own names are visible in its file only
    return instances(engine, function.file, outer_site(function), returns, function.owner)


def at_outer_site(engine: Engine, function: Function, expr: Expr) -> Values:
    """The values of a function's default or annotation (`("T", type)`), through a cell if the function is in another
    file."""
    site = outer_site(function)
    if function.file is engine.home or engine.home is None:
        return evaluate(engine, function.file, site, expr)
    return engine.read(expression_cell(function.file, site, expr))


class Returned(Cell):
    """The result of a function, apart from what depends on the individual call: `passed` are the indexes of parameters
    that it returns unchanged, or (with True) instances of which it returns."""

    __slots__ = ("function", "passed", "rest")

    def __init__(self, function: Function) -> None:
        super().__init__(function.file)
        self.function = function
        self.passed: tuple[tuple[int, bool], ...] = ()
        self.rest: list[Return] = []
        passed: dict[tuple[int, bool], None] = {}
        returns = function.definition.returns
        primitive = returns is not None and closed(returns)
        for fact in function.file.returns.get(function.number, ()):
            if fact.kind != "return" or primitive:
                continue
            number = _passed_parameter(function, fact.value)
            made = number is None
            if made:
                number = _made_parameter(function, fact.value)
            if number is None:
                if fact.value[0] not in ("x",):
                    self.rest.append(fact)
            else:
                passed[number, made] = None
        self.passed = tuple(passed)

    def compute(self, engine: Engine) -> Values:
        function = self.function
        file = function.file
        values = union([evaluate(engine, file, fact, fact.value) for fact in self.rest])
        declared = _declared(engine, function)
        return union([narrowed(engine, values, declared), declared]) if declared else values


def _passed_parameter(function: Function, expr: Expr) -> int | None:
    if expr[0] == "v" and function.receives:
        return RECEIVER
    number = parameter_of(function, expr)
    return number if number is not None and function.parameters[number].kind in ("", "kw") else None


def _made_parameter(function: Function, expr: Expr) -> int | None:
    """The parameter that `expr` calls: `kind(…)`, or a variable holding only that."""
    if expr[0] == "n" and function.file.policy.construction.instantiation == CALL_ANY:
        bindings = function.scope.bindings.get(expr[1], ())
        if len(bindings) == 1 and bindings[0].kind == VALUE:
            expr = bindings[0].payload
    if expr[0] != "c" or function.file.policy.construction.instantiation != CALL_ANY:
        return None
    call = function.file.facts.calls[expr[1]]
    return _passed_parameter(function, call.function) if call.scope == function.number else None


class Yielded(Cell):
    """The values that a generator function yields."""

    __slots__ = ("function",)

    def __init__(self, function: Function) -> None:
        super().__init__(function.file)
        self.function = function

    def compute(self, engine: Engine) -> Values:
        function = self.function
        file = function.file
        parts = []
        for fact in file.returns.get(function.number, ()):
            if fact.kind == "yield":
                parts.append(evaluate(engine, file, fact, fact.value))
            elif fact.kind == "yield from":
                parts.append(evaluate(engine, file, fact, ("i", fact.value)))
        returns = function.definition.returns
        if returns is not None:
            for value in instances(engine, file, outer_site(function), returns, function.owner):
                if isinstance(value, Container):
                    parts.append(containers.every_element(engine, value))
        return union(parts)


def yielded_cell(engine: Engine, function: Function) -> Cell:
    """The cell of the values that a generator function yields."""
    if function.yielded is None:
        function.yielded = Yielded(function)
    return function.yielded


def generator_of(engine: Engine, function: Function) -> Generator:
    """The result of calling a generator function."""
    key = ("generator", function)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = Generator(function)
    assert isinstance(found, Generator)
    return found


def _given(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return returned_at(engine, expr[1], Link(None, None, None))


def _of_function(engine: Engine, file: FileIndex, call: Call, target: Function, skip: int) -> Values:
    if call.kind == "new" and target.file.policy.construction.functions_construct:
        return constructed(engine, target).instance.alone
    return returned_at(engine, target, Link(file, call, None, skip))


def _of_bound(engine: Engine, file: FileIndex, call: Call, target: Bound, skip: int) -> Values:
    return returned_at(engine, target.function, Link(file, call, target.receiver, skip))


def _of_class(engine: Engine, file: FileIndex, call: Call, target: Class, skip: int) -> Values:
    policy = file.policy
    if call.kind == "new" or policy.construction.instantiation == "call" or policy.members.class_objects:
        return _made(engine, file, call, target).alone
    if not policy.construction.conversion or _is_type_parameter(file, call):
        return ()
    return target.typed.alone


def _is_type_parameter(file: FileIndex, call: Call) -> bool:
    """Whether a conversion is to a type parameter, of which only the bound is known: `E(text)`."""
    name = call.function[1]
    owner = find(file.scopes[call.scope], name) if call.function[0] == "n" else None
    return owner is not None and owner.definition is not None and name in owner.definition.type_parameters


def _made(engine: Engine, file: FileIndex, call: Call, cls: Class) -> Instance:
    """The instance that a constructor call creates: `new Repo<Owner>()`."""
    if call.function[0] != "s" or not cls.definition.type_parameters:
        return cls.instance
    for value in instances(engine, file, call, call.function):
        if isinstance(value, Instance) and value.cls is cls and value.arguments:
            return applied(cls, False, value.arguments)
    return cls.instance


def _of_partial(engine: Engine, file: FileIndex, call: Call, target: Partial, skip: int) -> Values:
    return result_of(engine, file, call, target.function, target.skip)


def _of_same(engine: Engine, file: FileIndex, call: Call, target: ReturnsReceiver, skip: int) -> Values:
    return target.receiver.alone


OPERATORS["F"] = _given
RESULTS.update(
    {
        Function: _of_function,
        Bound: _of_bound,
        Class: _of_class,
        Wrapped: _of_wrapped,
        Partial: _of_partial,
        ReturnsReceiver: _of_same,
    }
)
