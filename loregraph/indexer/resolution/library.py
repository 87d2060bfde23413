"""What lists, mappings and the standard library do with the values they are given.

Policies name rows of the two tables at the end: `MODELS` for external functions, `METHODS` for methods of containers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loregraph.indexer.facts import UNKNOWN, Call, Expr
from loregraph.indexer.resolution import (
    calls,
    containers,
    evaluate,
    keys,
    members,
    object_properties,
    operations,
    results,
    types,
)
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.model import (
    Bound,
    Class,
    Container,
    ContainerMethod,
    External,
    ExternalInstance,
    FieldCell,
    FileIndex,
    Function,
    FunctionMethod,
    Generator,
    Instance,
    Link,
    Module,
    Partial,
    Value,
    Values,
    Wrapped,
)
from loregraph.indexer.resolution.policy import Policy

ROOTS = frozenset(
    {"builtins.object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "abc.ABC", "java.Object"}
)
"""External bases that give their subclasses no members worth an edge."""


def is_root(value: External) -> bool:
    """Whether an external base says nothing about members."""
    return value.path in ROOTS


# Containers


def container_member(engine: Engine, value: Container, name: str) -> Values:
    """`container.name`: a method of a list or mapping, or a member of an object literal."""
    policy = value.policy
    objects = policy.literal_members and value.mapping
    if objects:
        field = value.fields.get(("str", name))
        typed = not value.fields and value.rest.sources  # a written type alone tells of it: `Map<K, V>`
        written = name in engine.stored_names and not typed
        if field is not None or written or name not in policy.container_methods:
            # Where tables are objects, those filled under computed keys are read under computed keys.
            parts = [engine.read(value.rest)] if not policy.sends else []
            parts.append(engine.read(containers.field_of(engine, value, ("str", name))))
            found = union(parts)
            return union([_bound_to(engine, v, value) for v in found])
    if name in policy.container_methods:
        key = ("method", value, name)
        method = engine.interned.get(key)
        if method is None:
            method = engine.interned[key] = ContainerMethod(value, name)
        return method.alone
    return ()


def _bound_to(engine: Engine, value: Value, receiver: Container) -> Values:
    if isinstance(value, Function) and value.receives == "instance" and value.owner is None:
        return members.bound(value, receiver).alone
    return value.alone


def function_method(engine: Engine, value: Function, name: str) -> Values:
    """`call`, `apply` and `bind` of a function."""
    key = ("function-method", value, name)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = FunctionMethod(value, name)
    return found.alone


def applied_call(engine: Engine, call: Call, method: FunctionMethod) -> tuple[Call, Expr]:
    """The call that `f.call(this, …)` or `f.apply(this, […])` makes, one for each, and its receiver's expression."""
    receiver, *rest = call.arguments or (UNKNOWN,)
    key = (id(call), method.name)
    applied = engine.applied.get(key)
    if applied is None:
        arguments: tuple[Expr, ...] = tuple(rest) if method.name != "apply" else tuple(("*", a) for a in rest)
        applied = Call(call.scope, call.line, call.at, call.block, UNKNOWN, arguments)
        engine.applied[key] = applied
        engine.keep(call)
    return applied, receiver


def method_called(engine: Engine, file: FileIndex, call: Call, method: FunctionMethod) -> None:
    """Links a function that is called through `call`, `apply` or `bind`."""
    applied, receiver = applied_call(engine, call, method)
    receivers = evaluate.evaluate(engine, file, call, receiver)
    for held in receivers:
        calls.reach(engine, method.function, Link(file, applied, held))
    if not receivers:
        calls.reach(engine, method.function, Link(file, applied, None))


def method_result(engine: Engine, file: FileIndex, call: Call, method: FunctionMethod) -> Values:
    """What `f.call(…)` gives, or the function itself for `f.bind(…)`."""
    if method.name == "bind":
        return method.function.alone
    applied, _ = applied_call(engine, call, method)
    return results.result_of(engine, file, applied, method.function, 0)


def object_field(engine: Engine, value: Container, name: str) -> FieldCell:
    """The member of an object literal that `object.name = …` writes."""
    if value.policy.literal_members:
        return containers.field_of(engine, value, ("str", name))
    return FieldCell()


def derived(
    engine: Engine, policy: Policy, origin: tuple[Any, ...], *sources: tuple[FileIndex, Any, Expr]
) -> Container:
    """A list whose elements are what the sources give; one for each origin."""
    key = _by_identity(origin)
    found = engine.interned.get(key)
    if found is None:
        found = make(engine, False, policy, origin)
        for source in sources:
            containers.add_source(found.rest, *source)
    assert isinstance(found, Container)
    return found


def make(engine: Engine, mapping: bool, policy: Policy, origin: tuple[Any, ...]) -> Container:
    """A new container, known from now on by its origin."""
    container = Container(mapping, policy, origin)
    engine.keep(origin)
    engine.interned[_by_identity(origin)] = container
    return container


def _by_identity(origin: tuple[Any, ...]) -> tuple[object, ...]:
    """Calls by what they are, not by what they say: it takes long to compare."""
    return tuple(id(part) if type(part) is Call else part for part in origin)


def container_called(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod) -> None:
    """What a method call on a list or mapping writes into it, and the functions it calls."""
    container = method.container
    operation = container.policy.container_methods[method.name]
    arguments = call.arguments
    if operation == "append":
        for argument in arguments:
            engine.source(container.rest, file, call, argument)
    elif operation == "insert" and len(arguments) > 1:
        engine.source(container.rest, file, call, arguments[1])
    elif operation in ("extend", "update"):
        for argument in arguments:
            for value in evaluate.evaluate(engine, file, call, argument):
                if isinstance(value, Container) and value is not container:
                    containers.spread(engine, value, container)
                elif isinstance(value, Generator | Instance):
                    engine.source(container.rest, file, call, ("i", argument))
        for name, expr in call.keywords:
            if name != "**":
                engine.source(containers.field_of(engine, container, ("str", name)), file, call, expr)
    elif operation == "setdefault" and len(arguments) > 1:
        for key in keys.key_values(engine, file, call, arguments[0]):
            engine.source(containers.field_of(engine, container, key), file, call, arguments[1])
    elif operation in ("map", "filter", "each", "find", "reduce") and arguments:
        implicit_call(engine, file, call, arguments[0], _callback_arguments(operation, call, container))


def _callback_arguments(operation: str, call: Call, container: Container) -> tuple[Expr, ...]:
    # Of all lists that the call may be made on: there is one call of the function for them.
    element: Expr = ("R*", call.function[1]) if call.function[0] == "a" else ("R", container)
    if operation == "reduce":
        return UNKNOWN, element
    return (element, element) if container.mapping and container.policy.static_types else (element,)


def container_result(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod) -> Values:
    """What a method call on a list or mapping gives."""
    container = method.container
    operation = container.policy.container_methods[method.name]
    arguments = call.arguments
    if operation in ("item", "setdefault"):
        parts = []
        if arguments:
            parts.append(evaluate.item_of(engine, file, call, container, arguments[0]))
            parts += [evaluate.evaluate(engine, file, call, a) for a in arguments[1:2]]
        else:
            parts.append(containers.every_element(engine, container))
        return union(parts)
    if operation == "element":
        return containers.every_element(engine, container)
    if operation == "values":
        return derived(engine, container.policy, ("values", container), (file, None, ("R", container))).alone
    if operation == "pairs":
        pair = engine.interned.get(("pair", container))
        if pair is None:
            pair = make(engine, False, container.policy, ("pair", container))
            containers.add_source(containers.own_field(pair, ("int", "1")), file, None, ("R", container))
        return derived(engine, container.policy, ("pairs", container), (file, None, ("V", pair.alone))).alone
    if operation == "slice":
        bounds = [a[2] for a in arguments if a[0] == "k" and a[1] == "int" and a[2].isdigit()]
        start = int(bounds[0]) if bounds else 0
        return containers.sliced(engine, container, start, int(bounds[1]) if len(bounds) > 1 else None)
    if operation == "map" and arguments:
        made_by = implicit_call(engine, file, call, arguments[0], _callback_arguments(operation, call, container))
        return derived(engine, file.policy, ("map", file, call), (file, None, ("C", made_by))).alone
    if operation == "find":
        return containers.every_element(engine, container)
    if operation in ("same", "filter", "append"):
        return container.alone
    return ()


def implicit_call(
    engine: Engine, file: FileIndex, call: Call, function: Expr, arguments: tuple[Expr, ...]
) -> calls.CallCell:
    """The call that a library function makes of a function it is given."""
    key = (id(call), id(function), *(id(part) if type(part) is Container else len(a) for a in arguments for part in a))
    found = engine.implicit.get(key)
    if found is None:
        made = Call(call.scope, call.line, call.at, call.block, function, arguments, (), "callback")
        found = engine.implicit[key] = calls.CallCell(file, made)
        file.implicit.append(found)
        engine.later(found)
    return found


# External functions


def does_something(file: FileIndex, value: External) -> bool:
    """Whether calling an external function writes to anything or calls something of the project."""
    policy, path = file.policy, value.path
    return path in policy.callbacks or path in policy.protocols or policy.models.get(path) in _WRITING


_WRITING = frozenset({"assign", "define", "define all"})


def external_called(engine: Engine, file: FileIndex, call: Call, value: External) -> None:
    """The functions that an external function calls of those it is given."""
    model = file.policy.models.get(value.path)
    if model == "assign":
        _assign(engine, file, call, value)
    elif model in ("define", "define all"):
        engine.later(object_properties.Definitions(file, call, model == "define all"))
    protocol = file.policy.protocols.get(value.path)
    if protocol is not None:
        operations.protocol_call(engine, file, call, protocol)
    wanted = file.policy.callbacks.get(value.path)
    if wanted is None:
        return
    named = dict(call.keywords)
    for place in wanted:
        if isinstance(place, int):
            if place < len(call.arguments):
                implicit_call(engine, file, call, call.arguments[place], _elements_passed(call, place))
        elif place in named:
            implicit_call(engine, file, call, named[place], (("i", call.arguments[0]),) if call.arguments else ())


def _elements_passed(call: Call, place: int) -> tuple[Expr, ...]:
    return tuple(("i", a) for i, a in enumerate(call.arguments) if i != place)


def external_result(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """What calling an external symbol gives."""
    model = file.policy.models.get(value.path)
    if model is not None:
        return MODELS[model](engine, file, call, value)
    if is_class_like(file, value):
        if call.function[0] == "s":  # `new ArrayList<Item>()`
            made = types.instances(engine, file, call, call.function)
            if made:
                return made
        return engine.instance_of(value).alone
    return ()


def instance_result(engine: Engine, file: FileIndex, call: Call, value: ExternalInstance) -> Values:
    """What calling what an external call gave gives: `wraps(f)(g)`."""
    model = file.policy.models.get(value.type.path + "()")
    return MODELS[model](engine, file, call, value.type) if model is not None else ()


def is_class_like(file: FileIndex, value: External) -> bool:
    """Whether an external symbol is a class, by the convention of its name."""
    last = value.name.rpartition(".")[2] or value.package.rpartition(".")[2]
    return last[:1].isupper() or (value.package, value.name) in file.policy.literal_types.values()


def _first(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return evaluate.evaluate(engine, file, call, call.arguments[0]) if call.arguments else ()


def _cast(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) < 2:
        return ()
    return evaluate.evaluate(engine, file, call, ("t", call.arguments[0], call.arguments[1]))


def _itself(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return engine.instance_of(value).alone


def _instance(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """An instance of the class that is given."""
    return tuple(v.instance for v in _first(engine, file, call, value) if isinstance(v, Class))


def _partial(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    found: list[Value] = []
    for function in _first(engine, file, call, value):
        if isinstance(function, Function | Bound | Class | Wrapped | Instance):
            key = ("partial", function, id(call))
            known = engine.interned.get(key)
            if known is None:
                given = Call(call.scope, call.line, call.at, call.block, UNKNOWN, call.arguments[1:], call.keywords)
                engine.keep(call)
                known = engine.interned[key] = Partial(function, file, given, len(call.arguments) - 1)
            found.append(known)
    return tuple(found)


def _getattr(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) < 2:
        return ()
    names = keys.key_values(engine, file, call, call.arguments[1])
    parts = []
    for held in evaluate.evaluate(engine, file, call, call.arguments[0]):
        parts += [members.get(engine, held, text) for kind, text in names if kind == "str"]
    parts += [evaluate.evaluate(engine, file, call, a) for a in call.arguments[2:3]]
    return union(parts)


def _sequence(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    parts: list[Values] = []
    for held in _first(engine, file, call, value):
        if isinstance(held, Container) and not held.mapping:
            parts.append(held.alone)
        elif isinstance(held, Generator | Instance):
            parts.append(
                derived(engine, file.policy, ("list", file, call), (file, call, ("i", call.arguments[0]))).alone
            )
    parts.append(engine.instance_of(value).alone)
    return union(parts)


def _next(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if not call.arguments:
        return ()
    return union([_next_of(engine, file, v) for v in _first(engine, file, call, value)])


def _next_of(engine: Engine, file: FileIndex, value: Value) -> Values:
    if isinstance(value, Instance):
        return union([members.returned_by(engine, value, m) for m in file.policy.iterator_methods[1:]])
    return evaluate.elements(engine, file, value)


def _iterated(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    parts = []
    for held in _first(engine, file, call, value):
        if isinstance(held, Instance):
            parts.append(members.returned_by(engine, held, file.policy.iterator_methods[0]))
        else:
            parts.append(held.alone)
    return union(parts)


def _map(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    sources: list[tuple[FileIndex, Any, Expr]] = []
    for place, argument in enumerate(call.arguments):
        if argument[0] in ("n", "a", "f", "c") and any(
            isinstance(v, Function | Bound | Class | Wrapped | Partial)
            for v in evaluate.evaluate(engine, file, call, argument)
        ):
            cell = implicit_call(engine, file, call, argument, _elements_passed(call, place))
            sources.append((file, None, ("C", cell)))
    if not sources:
        return ()
    found = derived(engine, file.policy, ("map", file, call), *sources)
    for source in sources:  # more arguments may be functions than when it was made
        if source not in found.rest.sources:
            engine.source(found.rest, *source)
    return found.alone


def _filter(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) < 2:
        return ()
    return derived(engine, file.policy, ("filter", file, call), (file, call, ("i", call.arguments[1]))).alone


def _enumerate(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return _tuples(engine, file, call, [(1, ("i", call.arguments[0]))] if call.arguments else [])


def _zip(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return _tuples(engine, file, call, [(i, ("i", a)) for i, a in enumerate(call.arguments)])


def _tuples(engine: Engine, file: FileIndex, call: Call, parts: list[tuple[int, Expr]]) -> Values:
    item = engine.interned.get(("tuple", file, id(call)))
    if item is None:
        new = item = make(engine, False, file.policy, ("tuple", file, call))
        for i, expr in parts:
            containers.add_source(containers.own_field(new, ("int", str(i))), file, call, expr)
    return derived(engine, file.policy, ("tuples", file, call), (file, None, ("V", item.alone))).alone


def _mapping(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    found = engine.interned.get(("dict", file, id(call)))
    if found is None:
        new = found = make(engine, True, file.policy, ("dict", file, call))
        for name, expr in call.keywords:
            if name == "**":
                evaluate.spread_later(engine, new, file, call, expr)
            else:
                containers.add_source(containers.own_field(new, ("str", name)), file, call, expr)
        for argument in call.arguments:
            evaluate.spread_later(engine, new, file, call, argument)
    return found.alone


def _listed(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`listOf(a, b)`."""
    found = engine.interned.get(("listed", file, id(call)))
    if found is None:
        new = found = make(engine, False, file.policy, ("listed", file, call))
        for i, argument in enumerate(call.arguments):
            if argument[0] == "*":
                containers.add_source(new.rest, file, call, ("i", argument[1]))
            elif argument[0] not in ("x", "k"):
                containers.add_source(containers.own_field(new, ("int", str(i))), file, call, argument)
    return found.alone


def _mapped(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`mapOf(k to v, …)`, `Map.of(k, v, …)`."""
    found = engine.interned.get(("mapped", file, id(call)))
    if found is None:
        new = found = make(engine, True, file.policy, ("mapped", file, call))
        pairs = [a[1][1] for a in call.arguments if a[0] == "l" and len(a[1]) == 2]
        for held in pairs or call.arguments[1::2]:
            if held[0] not in ("x", "k"):
                containers.add_source(new.rest, file, call, held)
    return found.alone


def _type(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) != 1:
        return ()
    found: list[Value] = []
    for held in _first(engine, file, call, value):
        if isinstance(held, Instance):
            found.append(held.cls)
        elif isinstance(held, ExternalInstance):
            found.append(held.type)
    return tuple(dict.fromkeys(found))


def _import(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    from loregraph.indexer.resolution.imports import module_values

    parts = []
    for argument in call.arguments[:1]:
        names = keys.key_values(engine, file, call, argument)
        parts += [module_values(engine, file, text) for kind, text in names if kind == "str"]
    return tuple(v for v in union(parts) if isinstance(v, Module))


def _assign(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.assign(target, source, …)`: members are copied, onto classes too."""
    if not call.arguments:
        return ()
    targets = evaluate.evaluate(engine, file, call, call.arguments[0])
    for argument in call.arguments[1:]:
        for source in evaluate.evaluate(engine, file, call, argument):
            for target in targets:
                _copy_members(engine, source, target)
    return targets


def _copy_members(engine: Engine, source: Value, target: Value) -> None:
    if isinstance(source, Container) and isinstance(target, Container):
        containers.spread(engine, source, target)
    elif isinstance(source, Container) and isinstance(target, Class):
        engine.effect(containers.copied, source, target)
    elif isinstance(source, Class) and isinstance(target, Class) and source is not target:
        engine.ranked_effect(source, _mix, source, target)


def _mix(engine: Engine, source: Class, target: Class) -> None:
    """Makes a class one of the supertypes of another one. At the barrier."""
    mixed = engine.extra_bases.setdefault(target, [])
    if source not in mixed:
        mixed.append(source)
        target.bases = (*(target.bases or ()), source)
        source.subclasses.append(target)
        containers.changed(engine, target)


def _create(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.create(prototype)`."""
    made: Values = ()
    for held in _first(engine, file, call, value):
        made += held.instance.alone if isinstance(held, Class) else held.alone
    return made


def _metatable(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`setmetatable(object, metatable)`: the object, as an instance of the class that it looks into."""
    held = _first(engine, file, call, value)
    if len(call.arguments) < 2 or any(isinstance(v, Class) for v in held):
        return held
    found: list[Value] = []
    for meta in evaluate.evaluate(engine, file, call, call.arguments[1]):
        looked_into = meta.alone
        if isinstance(meta, Container):
            looked_into = engine.read(containers.field_of(engine, meta, ("str", "__index")))
        for behind in looked_into:
            if isinstance(behind, Class | Instance):
                found.append(behind.instance if isinstance(behind, Class) else behind.cls.instance)
            elif isinstance(behind, Container) and behind is not meta:
                found.append(behind)
    if found and call.arguments[0] == ("d", ()):
        return tuple(dict.fromkeys(found))
    return union([held, tuple(dict.fromkeys(found))])


Model = Callable[[Engine, FileIndex, Call, External], Values]

MODELS: dict[str, Model] = {
    "assign": _assign,
    "create": _create,
    "metatable": _metatable,
    "define": _first,
    "define all": _first,
    "first": _first,
    "cast": _cast,
    "itself": _itself,
    "instance": _instance,
    "partial": _partial,
    "getattr": _getattr,
    "sequence": _sequence,
    "next": _next,
    "iter": _iterated,
    "map": _map,
    "filter": _filter,
    "enumerate": _enumerate,
    "zip": _zip,
    "mapping": _mapping,
    "listed": _listed,
    "mapped": _mapped,
    "type": _type,
    "import": _import,
}
"""What calling an external function gives: `first` its first argument, `itself` something that is called again, …"""

METHODS = frozenset(
    {
        "append", "insert", "extend", "update", "setdefault", "map", "filter", "each", "find", "reduce", "item",
        "element", "values", "pairs", "slice", "same",
    }
)  # fmt: skip
"""What methods of lists and mappings do."""
