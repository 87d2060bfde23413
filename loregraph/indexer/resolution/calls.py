"""Calls: what they reach, how arguments meet parameters, what comes back.

A call's targets are a cell; when a target joins, the call is linked to the function that runs, and the parameters that
anybody asked for receive the arguments. Two kinds of return are read in the caller's own terms, not merged over all
callers: a parameter handed back as it came, and in a decorator's wrapper the result of the function it wraps.
"""

from __future__ import annotations

from loregraph.indexer.facts import Call, Expr, Return

# A call's result is an expression's value and a call's callee an expression: loregraph: ignore[import-cycles]
from loregraph.indexer.resolution import evaluate, fixtures, library, members, names, packages, types
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.hierarchy import is_subclass, linearised
from loregraph.indexer.resolution.index import constructed_by
from loregraph.indexer.resolution.model import (
    PARAMETER,
    RECEIVER,
    VALUE,
    Bound,
    Cell,
    Class,
    Constant,
    Container,
    ContainerMethod,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    FunctionMethod,
    Generator,
    Instance,
    Link,
    Partial,
    Same,
    Site,
    Super,
    Value,
    Values,
    Wrapped,
    function_name,
)
from loregraph.indexer.resolution.scoping import find

MAX_DECORATORS = 8
"""Most functions that one decorator may be; past that it is taken to give back what it is given."""
MAX_RECEIVERS = 16
"""Most classes of receivers that a method is looked at with."""


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
            found = packages.extension(engine, receivers, function[2]) or found
        if not found and call.kind == "macro":
            return named_macros(engine, self.file, function)
        return found

    def grown(self, engine: Engine, added: list[Value]) -> None:
        for value in added:
            link(engine, self.file, self.call, value, 0)

    def result(self, engine: Engine) -> Cell:
        """The cell of what the call gives."""
        if self.outcome is None:
            self.outcome = Result(self)
        return self.outcome


class Result(Cell):
    """What one call gives."""

    __slots__ = ("call",)

    def __init__(self, call: CallCell) -> None:
        super().__init__()
        self.call = call

    def compute(self, engine: Engine) -> Values:
        call = self.call
        return union([result_of(engine, call.file, call.call, target, 0) for target in engine.read(call)])


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
        if isinstance(below[0] if below else None, Class):
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
            given = result_of(engine, call.file, call.call, target, 0)
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


# Links


def link(engine: Engine, file: FileIndex, call: Call, value: Value, skip: int) -> None:
    """Has the arguments of `call` flow to what `value` runs."""
    if isinstance(value, Function):
        receiver: Value | None = None
        if call.kind == "new" and value.file.policy.functions_construct:
            receiver = constructed_by(value).instance
        add_link(engine, value, Link(file, call, receiver, skip))
    elif isinstance(value, Bound):
        add_link(engine, value.function, Link(file, call, value.receiver, skip))
    elif isinstance(value, Class):
        for function, receiver in constructors(engine, value):
            add_link(engine, function, Link(file, call, receiver, skip))
    elif isinstance(value, Wrapped):
        add_link(engine, value.wrapper, Link(file, call, value.receiver, skip))
        original = value.original
        if isinstance(original, Function):
            add_link(engine, original, Link(file, call, value.receiver, skip, True))
        elif isinstance(original, Wrapped):
            link(engine, file, call, members.wrapped(engine, original.wrapper, original.original, value.receiver), skip)
    elif isinstance(value, Instance):
        for method in called_method(engine, value):
            link(engine, file, call, method, skip)
    elif isinstance(value, Super):
        for function, receiver in super_constructors(engine, value):
            add_link(engine, function, Link(file, call, receiver, skip))
    elif isinstance(value, Partial):
        link(engine, file, call, value.function, value.skip)
        link(engine, value.file, value.call, value.function, -1)
    elif isinstance(value, ContainerMethod):
        library.container_called(engine, file, call, value)
    elif isinstance(value, FunctionMethod):
        library.method_called(engine, file, call, value)
    elif isinstance(value, External):
        library.external_called(engine, file, call, value)


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
    found: tuple[tuple[Function, Value], ...] | None = cls.lookups.get(("constructors",))  # type: ignore[call-overload]
    if found is None:
        found = cls.lookups[("constructors",)] = _constructors(engine, linearised(engine, cls), cls)  # type: ignore[index]
    return found


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
    if wanted is cls.file.policy.constructors and not cls.file.policy.explicit_receiver:
        found += cls.file.constructors.get(cls.number, [])
        outside = [f for fs in cls.extra.values() for f in fs if f.definition.kind == "constructor"]
        if outside:  # prototypes in the body give way
            found = [f for f in found if "declaration" not in f.definition.flags] + outside
    return found


def add_link(engine: Engine, function: Function, link: Link) -> None:
    """Records that a call reaches `function`; parameters that are asked for receive its arguments."""
    function.links.append(link)
    for number, cell in list(function.cells.items()):
        if cell.state != 0:
            feed(engine, function, number, cell, link)
    if function.keyed is not None:
        for cell in function.keyed.values():
            engine.touch(cell)


# Parameters


class ParameterCell(Cell):
    """What calls pass to one parameter, its default, and what its declared type says."""

    __slots__ = ("declared", "fed", "function", "number")

    def __init__(self, function: Function, number: int) -> None:
        super().__init__()
        self.function = function
        self.number = number
        self.fed = 0
        self.declared: Values | None = None

    def compute(self, engine: Engine) -> Values:
        function, number = self.function, self.number
        parameter = function.parameters[number]
        site = outer_site(function)
        parts: list[Values] = []
        if parameter.kind in ("*", "**"):
            return (rest_container(engine, function, number),)
        if parameter.type is not None:
            self.declared = types.instances(engine, function.file, outer_site(function), parameter.type)
            if types.closed(parameter.type):
                return self.declared
            parts.append(self.declared)
        if parameter.default is not None:
            if self._default_used(engine):
                parts.append(self.admit(engine, evaluate.evaluate(engine, function.file, site, parameter.default)))
        elif function.file.policy.fixture:
            parts.append(fixtures.injected(engine, function, parameter.name))
        self.feed_all(engine)
        return union(parts)

    def _default_used(self, engine: Engine) -> bool:
        """Whether some call may leave the argument out; who asks before the calls are known asks again at the end."""
        function = self.function
        if not function.file.policy.defaults_replaced:
            return True
        if any(link.call is None or not arguments_for(function, self.number, link) for link in function.links):
            return True
        return engine.guess() and not function.links

    def feed_all(self, engine: Engine) -> None:
        """Takes the arguments of the links that came before anybody asked."""
        links = self.function.links
        fed, self.fed = self.fed, len(links)
        for link in links[fed:]:
            feed(engine, self.function, self.number, self, link)

    filtered = True

    def admit(self, engine: Engine, values: Values) -> Values:
        declared = self.function.parameters[self.number].type
        if declared is not None and types.closed(declared):
            return ()
        if not self.declared:
            return values
        return union([types.narrowed(engine, values, self.declared), tuple(v for v in values if v in self.declared)])


class ReceiverCell(ParameterCell):
    """The receiver of a method: its own class, and the classes of the receivers it is called on."""

    __slots__ = ()
    limit = MAX_RECEIVERS

    def compute(self, engine: Engine) -> Values:
        function = self.function
        owner = function.owner
        self.feed_all(engine)
        if owner is None:
            return ()
        if function.receives == "class":
            return owner.alone
        return (owner.typed if function.file.policy.dispatch_self else owner.instance).alone

    def admit(self, engine: Engine, values: Values) -> Values:
        function = self.function
        owner = function.owner
        found: list[Value] = []
        for value in values:
            if owner is None or (function.file.policy.functions_construct and not isinstance(value, Instance)):
                found.append(value)
            elif isinstance(value, Instance):
                if is_subclass(engine, value.cls, owner):
                    found.append(value.cls.typed if function.file.policy.dispatch_self else value.cls.instance)
            elif isinstance(value, Class) and is_subclass(engine, value, owner) and function.receives != "instance":
                found.append(value)
        return tuple(found)


class Argument(Cell):
    """An argument as the call passes it."""

    __slots__ = ("call", "expr", "file")

    def __init__(self, file: FileIndex, call: Call, expr: Expr) -> None:
        super().__init__()
        self.file = file
        self.call = call
        self.expr = expr

    def compute(self, engine: Engine) -> Values:
        return evaluate.evaluate(engine, self.file, self.call, self.expr)


def outer_site(function: Function) -> Site:
    """Where a function's defaults and annotations are read."""
    definition = function.definition
    return Site(definition.parent, definition.start_byte, -2)


def receiver_cell(engine: Engine, function: Function) -> Cell:
    """The cell of a function's receiver."""
    return parameter_cell(engine, function, 0 if function.lists_receiver else RECEIVER)


def parameter_cell(engine: Engine, function: Function, number: int) -> Cell:
    """The cell of a parameter."""
    found = function.cells.get(number)
    if found is None:
        if number == RECEIVER:
            found = ReceiverCell(function, number)
        elif number >= len(function.parameters):
            found = Constant(())
        elif number == 0 and function.receives and function.lists_receiver:
            found = ReceiverCell(function, number)
        else:
            found = ParameterCell(function, number)
        function.cells[number] = found
    return found


def rest_container(engine: Engine, function: Function, number: int) -> Container:
    """The list or mapping that a rest parameter is."""
    key = ("rest", function, number)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = Container(function.parameters[number].kind == "**", function.file.policy)
        for known in function.links:
            _feed_rest(engine, function, number, found, known)
    assert isinstance(found, Container)
    return found


def feed(engine: Engine, function: Function, number: int, cell: Cell, link: Link) -> None:
    """Lets what `link` passes to parameter `number` join `cell`."""
    if isinstance(cell, ReceiverCell) or (number == 0 and link.receiver is not None and takes_receiver(function)):
        if link.receiver is not None:
            engine.grow(cell, link.receiver.alone)
            return
        if number == RECEIVER:
            return
    if link.file is None or link.call is None or number < 0:
        return
    kind = function.parameters[number].kind
    if kind in ("*", "**"):
        _feed_rest(engine, function, number, rest_container(engine, function, number), link)
        return
    if function.file.policy.static_types and function.parameters[number].type is not None:
        return
    for expr in arguments_for(function, number, link):
        op = expr[0]
        if op == "n":
            source = link.file.scopes[link.call.scope].fast.get(expr[1])
            if source is None:
                source = names.name_cell(engine, link.file, expr[1], link.call)
            engine.flow(source, cell)
        elif op == "k":
            engine.grow(cell, evaluate.evaluate(engine, link.file, link.call, expr))
        elif op != "x":
            engine.flow(Argument(link.file, link.call, expr), cell)


def takes_receiver(function: Function) -> bool:
    """Whether the receiver is the first of the listed parameters, or takes the place of a listed one."""
    return function.lists_receiver or function.file.policy.explicit_receiver


def _feed_rest(engine: Engine, function: Function, number: int, container: Container, link: Link) -> None:
    from loregraph.indexer.resolution.keys import field_of

    if link.file is None or link.call is None or link.transparent:
        return
    call = link.call
    if function.parameters[number].kind == "**":
        named = {p.name for p in function.parameters}
        for name, value in call.keywords:
            if name == "**":
                if not _forwards(link, call, value):
                    evaluate.spread_later(engine, container, link.file, call, value)
            elif name not in named:
                evaluate.add_source(engine, field_of(engine, container, ("str", name)), link.file, call, value)
        return
    first = number
    if link.receiver is not None and takes_receiver(function):
        first -= 1
    for i, argument in enumerate(call.arguments):
        if argument[0] == "*":
            if not _forwards(link, call, argument[1]):
                evaluate.spread_later(engine, container, link.file, call, argument[1], i - first)
            break
        if i >= first and argument[0] not in ("x", "k"):
            field = field_of(engine, container, ("int", str(i - first)))
            evaluate.add_source(engine, field, link.file, call, argument)


def arguments_for(function: Function, number: int, link: Link) -> list[Expr]:
    """The expressions that `link` passes to parameter `number`, read at the call."""
    call = link.call
    if call is None:
        return []
    parameter = function.parameters[number]
    found: list[Expr] = []
    position = number
    if link.receiver is not None and takes_receiver(function):
        position -= 1
    if link.skip > 0:
        position -= link.skip
    if parameter.kind == "" and position >= 0:
        for i, argument in enumerate(call.arguments):
            if argument[0] == "*":
                if not _forwards(link, call, argument[1]):
                    found.append(("s", argument[1], ("k", "int", str(position - i))))
                break
            if i == position:
                found.append(argument)
                break
    for name, value in call.keywords:
        if name == parameter.name:
            return [value]
        if name == "**" and not found and not _forwards(link, call, value):
            found.append(("s", value, ("k", "str", parameter.name)))
    return found


def _forwards(link: Link, call: Call, spread: Expr) -> bool:
    """Whether a wrapper hands on its own rest parameter to a function it closes over.

    Who calls the wrapper is linked to the wrapped function directly; through here all wrapped functions would mix.
    """
    if link.file is None or spread[0] != "n" or call.function[0] != "n":
        return False
    scope = link.file.scopes[call.scope]
    owner = find(scope, call.function[1])
    if owner is None or owner is scope or owner.definition is None:
        return False
    return any(b.kind == PARAMETER for b in owner.bindings[call.function[1]])


# Results


def result_of(engine: Engine, file: FileIndex, call: Call, target: Value, skip: int) -> Values:
    """What `call` gives when it reaches `target`."""
    if isinstance(target, Function):
        if call.kind == "new" and target.file.policy.functions_construct:
            return constructed_by(target).instance.alone
        return returned_at(engine, target, Link(file, call, None, skip))
    if isinstance(target, Bound):
        return returned_at(engine, target.function, Link(file, call, target.receiver, skip))
    if isinstance(target, Class):
        policy = file.policy
        if call.kind == "new" or policy.instantiation == "call":
            return target.instance.alone
        return target.typed.alone if policy.conversion else ()
    if isinstance(target, External):
        return library.external_result(engine, file, call, target)
    if isinstance(target, Wrapped):
        return _wrapped_result(engine, file, call, target, skip)
    if call.kind == "call" and file.policy.attributes_called and isinstance(target, Instance | Container):
        return target.alone
    if isinstance(target, Instance):
        return union([result_of(engine, file, call, m, skip) for m in called_method(engine, target)])
    if isinstance(target, ContainerMethod):
        return library.container_result(engine, file, call, target)
    if isinstance(target, ExternalInstance):
        return library.instance_result(engine, file, call, target)
    if isinstance(target, FunctionMethod):
        return library.method_result(engine, file, call, target)
    if isinstance(target, Same):
        return target.receiver.alone
    if isinstance(target, Partial):
        return result_of(engine, file, call, target.function, target.skip)
    return ()


def _wrapped_result(engine: Engine, file: FileIndex, call: Call, target: Wrapped, skip: int) -> Values:
    wrapper = target.wrapper
    parts: list[Values] = []
    if wrapper.generator:
        return generator_of(engine, wrapper).alone
    forwarded = False
    for fact in wrapper.file.returns.get(wrapper.number, ()):
        if fact.kind != "return":
            continue
        if _calls_wrapped(wrapper, fact):
            forwarded = True
        else:
            parts.append(evaluate.evaluate(engine, wrapper.file, fact, fact.value))
    if forwarded:
        original = target.original
        if target.receiver is not None and isinstance(original, Function):
            original = members.bound(original, target.receiver)
        parts.append(result_of(engine, file, call, original, skip))
    return union(parts)


def _calls_wrapped(wrapper: Function, fact: Return) -> bool:
    """Whether a wrapper returns what the function it closes over gave it."""
    file = wrapper.file
    expr = fact.value
    if expr[0] == "n":
        bindings = wrapper.scope.bindings.get(expr[1], ())
        if len(bindings) == 1 and bindings[0].kind == VALUE:
            expr = bindings[0].payload
    while expr[0] == "w":
        expr = expr[1]
    if expr[0] != "c":
        return False
    called = file.facts.calls[expr[1]].function
    if called[0] != "n":
        return False
    owner = find(wrapper.scope, called[1])
    if owner is None or owner is wrapper.scope:
        return False
    return any(b.kind == PARAMETER for b in owner.bindings[called[1]])


def returned_values(engine: Engine, function: Function, receiver: Value | None) -> Values:
    """What a call without arguments gives: a property, a method that syntax calls."""
    key = ("implicit", function, receiver)
    if key not in engine.linked:
        engine.linked.add(key)
        add_link(engine, function, Link(None, None, receiver))
    return returned_at(engine, function, Link(None, None, receiver))


def returned_at(engine: Engine, function: Function, link: Link) -> Values:
    """What `function` returns to the call behind `link`."""
    if function.generator:
        return generator_of(engine, function).alone
    if function.returned is None:
        function.returned = Returned(function)
    returned = function.returned
    values = engine.read(returned)
    if not isinstance(returned, Returned) or not returned.passed:
        return values
    parts = [values]
    for number in returned.passed:
        if number == RECEIVER or (number == 0 and link.receiver is not None and takes_receiver(function)):
            if link.receiver is not None:
                parts.append(link.receiver.alone)
            continue
        expressions = arguments_for(function, number, link)
        if link.file is not None:
            for expr in expressions:
                parts.append(evaluate.evaluate(engine, link.file, link.call, expr))
        default = function.parameters[number].default
        if not expressions and default is not None:
            parts.append(evaluate.evaluate(engine, function.file, outer_site(function), default))
    if returned.declared:
        passed = types.narrowed(engine, union(parts[1:]), returned.declared)
        return union([passed, values])
    return union(parts)


class Returned(Cell):
    """What a function returns, but for parameters it hands back as they came: their numbers are `passed`."""

    __slots__ = ("declared", "function", "passed", "rest")

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function
        self.declared: Values = ()
        self.passed: tuple[int, ...] = ()
        self.rest: list[Return] = []
        passed: dict[int, None] = {}
        returns = function.definition.returns
        primitive = returns is not None and types.closed(returns)
        for fact in function.file.returns.get(function.number, ()):
            if fact.kind != "return" or primitive:
                continue
            number = _passed_parameter(function, fact.value)
            if number is None:
                if fact.value[0] not in ("x",):
                    self.rest.append(fact)
            else:
                passed[number] = None
        self.passed = tuple(passed)

    def compute(self, engine: Engine) -> Values:
        function = self.function
        file = function.file
        values = union([evaluate.evaluate(engine, file, fact, fact.value) for fact in self.rest])
        returns = function.definition.returns
        if returns is not None:
            self.declared = types.instances(engine, file, outer_site(function), returns, function.owner)
            if self.declared:
                return union([types.narrowed(engine, values, self.declared), self.declared])
        return values


def _passed_parameter(function: Function, expr: Expr) -> int | None:
    if expr[0] == "v" and function.receives:
        return RECEIVER
    if expr[0] != "n":
        return None
    bindings = function.scope.bindings.get(expr[1])
    if bindings is None or len(bindings) != 1 or bindings[0].kind != PARAMETER:
        return None
    number: int = bindings[0].payload[2]
    return number if function.parameters[number].kind in ("", "kw") else None


class Yielded(Cell):
    """What a generator function yields."""

    __slots__ = ("function",)

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def compute(self, engine: Engine) -> Values:
        function = self.function
        file = function.file
        parts = []
        for fact in file.returns.get(function.number, ()):
            if fact.kind == "yield":
                parts.append(evaluate.evaluate(engine, file, fact, fact.value))
            elif fact.kind == "yield from":
                parts.append(evaluate.evaluate(engine, file, fact, ("i", fact.value)))
        returns = function.definition.returns
        if returns is not None:
            for value in types.instances(engine, file, outer_site(function), returns, function.owner):
                if isinstance(value, Container):
                    parts.append(evaluate.every_element(engine, value))
        return union(parts)


def yielded_cell(engine: Engine, function: Function) -> Cell:
    """The cell of what a generator function yields."""
    if function.yielded is None:
        function.yielded = Yielded(function)
    return function.yielded


def generator_of(engine: Engine, function: Function) -> Generator:
    """What calling a generator function gives."""
    key = ("generator", function)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = Generator(function)
    assert isinstance(found, Generator)
    return found
