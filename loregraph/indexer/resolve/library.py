"""Models of standard library functions: what they do with their arguments.

Policies map external functions to rows of `MODELS`, the table at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from loregraph.indexer.facts import UNKNOWN, Call, Expr
from loregraph.indexer.resolve import (
    calls,
    container_methods,
    containers,
    copying,
    declared,
    keys,
    matching,
    members,
    object_properties,
    operations,
    shaped,
)
from loregraph.indexer.resolve.constructors import keep_given
from loregraph.indexer.resolve.containers import OBJECT
from loregraph.indexer.resolve.dispatch import LINKS, RESULTS, elements_of, evaluate, member_of, result_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import bound
from loregraph.indexer.resolve.model import (
    Bound,
    Class,
    Container,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    FunctionMethod,
    Generator,
    Instance,
    Link,
    Module,
    Partial,
    Super,
    Value,
    Values,
    Wrapped,
)
from loregraph.indexer.resolve.types import instances

Model = Callable[[Engine, FileIndex, Call, External], Values]
Effect = Callable[[Engine, FileIndex, Call], None]


def applied_call(engine: Engine, call: Call, method: FunctionMethod) -> tuple[Call, Expr]:
    """The call that `f.call(this, …)` or `f.apply(this, […])` makes, one for each, and the expression of its
    receiver."""
    return applied_as(engine, call, method.name), (call.arguments or (UNKNOWN,))[0]


def applied_as(engine: Engine, call: Call, name: str) -> Call:
    """The call that `f.call(…)`, or another method `name` of this kind, makes."""
    _, *rest = call.arguments or (UNKNOWN,)
    key = (id(call), name)
    applied: Call | None = engine.applied.get(key)
    if applied is None:
        arguments: tuple[Expr, ...] = tuple(rest) if name != "apply" else tuple(("*", a) for a in rest)
        applied = Call(call.scope, call.line, call.at, call.block, UNKNOWN, arguments)
        engine.applied[key] = applied
        engine.origins[id(applied)] = ("applied", call, name)
        engine.keep(call)
    return applied


def _method_called(engine: Engine, file: FileIndex, call: Call, method: FunctionMethod, skip: int) -> None:
    """Links a function called through `call`, `apply` or `bind`."""
    applied, receiver = applied_call(engine, call, method)
    receivers = evaluate(engine, file, call, receiver)
    for held in receivers:
        calls.reach(engine, method.function, Link(file, applied, held))
    if not receivers:
        calls.reach(engine, method.function, Link(file, applied, None))


def _method_result(engine: Engine, file: FileIndex, call: Call, method: FunctionMethod, skip: int) -> Values:
    """The result of `f.call(…)`, or the function itself for `f.bind(…)`."""
    if method.name == "bind":
        function = method.function
        held = evaluate(engine, file, call, (call.arguments or (UNKNOWN,))[0])
        if not held or function.definition.kind == "lambda" or not function.receives:
            return function.alone
        return tuple(bound(function, receiver) for receiver in held)
    applied, _ = applied_call(engine, call, method)
    return result_of(engine, file, applied, method.function, 0)


def _external_called(engine: Engine, file: FileIndex, call: Call, value: External, skip: int) -> None:
    """The arguments that an external function calls."""
    effect = EFFECTS.get(file.policy.library.models.get(value.path, ""))
    if effect is not None:
        effect(engine, file, call)
    protocol = file.policy.implicit.protocols.get(value.path)
    if protocol is not None:
        operations.protocol_call(engine, file, call, protocol)
    if value.path in file.policy.implicit.text_takers:
        operations.text_calls(engine, file, call)
    wanted = file.policy.calls.callbacks.get(value.path)
    if wanted is None:
        if value.path not in file.policy.library.models:
            shaped.call_back(engine, file, call, value)
        return
    named = dict(call.keywords)
    for place in wanted:
        if isinstance(place, int):
            if place < len(call.arguments):
                calls.implicit_call(engine, file, call, call.arguments[place], _elements_passed(call, place))
        elif place in named:
            calls.implicit_call(engine, file, call, named[place], (("i", call.arguments[0]),) if call.arguments else ())


def _elements_passed(call: Call, place: int) -> tuple[Expr, ...]:
    return tuple(("i", a) for i, a in enumerate(call.arguments) if i != place)


def _external_result(engine: Engine, file: FileIndex, call: Call, value: External, skip: int) -> Values:
    """The result of calling an external symbol."""
    model = file.policy.library.models.get(value.path)
    if model is not None:
        return MODELS[model](engine, file, call, value)
    shape = declared.shape_of(engine, value)
    if shape is not None:
        return shaped.result(engine, file, call, value, shape)
    if is_class_like(file, value):
        if call.function[0] == "s":  # `new ArrayList<Item>()`
            made = instances(engine, file, call, call.function)
            if made:
                return made
        return engine.instance_of(value).alone
    return ()


def _instance_result(engine: Engine, file: FileIndex, call: Call, value: ExternalInstance, skip: int) -> Values:
    """The result of calling the result of an external call: `wraps(f)(g)`."""
    model = file.policy.library.models.get(value.type.path + "()")
    if model is not None:
        return MODELS[model](engine, file, call, value.type)
    method = engine.member_of(value.type, "__call__")
    shape = declared.shape_of(engine, method)
    return shaped.result(engine, file, call, method, shape) if shape is not None else ()


def is_class_like(file: FileIndex, value: External) -> bool:
    """Whether an external symbol is a class, by naming convention."""
    last = value.name.rpartition(".")[2] or value.package.rpartition(".")[2]
    return last[:1].isupper() or (value.package, value.name) in file.policy.types.literal_types.values()


def first(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """The first argument."""
    return evaluate(engine, file, call, call.arguments[0]) if call.arguments else ()


def _on(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """The receiver of the call."""
    return evaluate(engine, file, call, call.function[1]) if call.function[0] == "a" else ()


def _cast(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) < 2:
        return ()
    return evaluate(engine, file, call, ("t", call.arguments[0], call.arguments[1]))


def _itself(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return engine.instance_of(value).alone


def instance_given(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """An instance of the class that is given."""
    return tuple(v.instance for v in first(engine, file, call, value) if isinstance(v, Class))


def _partial(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    found: list[Value] = []
    for function in first(engine, file, call, value):
        if isinstance(function, Function | Bound | Class | Wrapped | Instance):
            found.append(partial(engine, file, call, function))
    return tuple(found)


def partial(engine: Engine, file: FileIndex, call: Call, function: Value) -> Value:
    """`function` with the arguments of `call` bound."""
    key = ("partial", function, id(call))
    known = engine.interned.get(key)
    if known is None:
        given = Call(call.scope, call.line, call.at, call.block, UNKNOWN, call.arguments[1:], call.keywords)
        engine.keep(call)
        known = engine.interned[key] = Partial(function, file, given, len(call.arguments) - 1)
        engine.origins[id(given)] = ("partial", call, known)
    return known


def _getattr(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) < 2:
        return ()
    names = keys.key_values(engine, file, call, call.arguments[1])
    parts = []
    for held in evaluate(engine, file, call, call.arguments[0]):
        parts += [member_of(engine, held, text) for kind, text in names if kind == "str"]
    parts += [evaluate(engine, file, call, a) for a in call.arguments[2:3]]
    if not names and call.function[-1] == "getattr":  # facts do not show other names for it: see `computed_names`
        wanted = matching.patterns(engine, file, call, call.arguments[1])
        if wanted:
            on = call.arguments[0]
            parts += [
                matching.members_like(engine, file, call, on, value, wanted)
                for value in evaluate(engine, file, call, on)
            ]
    return union(parts)


def _sequence(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    parts: list[Values] = []
    for held in first(engine, file, call, value):
        if isinstance(held, Container) and not held.mapping:
            parts.append(held.alone)
        elif isinstance(held, Generator | Instance) or (isinstance(held, Container) and held.origin[0] == OBJECT):
            parts.append(
                container_methods.derived(
                    engine, file, file.policy, ("list", file, call), (file, call, ("i", call.arguments[0]))
                ).alone
            )
    parts.append(engine.instance_of(value).alone)
    return union(parts)


def _next(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if not call.arguments:
        return ()
    return union([_next_of(engine, file, v) for v in first(engine, file, call, value)])


def _next_of(engine: Engine, file: FileIndex, value: Value) -> Values:
    if isinstance(value, Instance):
        return union([members.returned_by(engine, value, m) for m in file.policy.implicit.iterator_methods[1:]])
    return elements_of(engine, file, value)


def _iterated(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    parts = []
    for held in first(engine, file, call, value):
        if isinstance(held, Instance):
            parts.append(members.returned_by(engine, held, file.policy.implicit.iterator_methods[0]))
        else:
            parts.append(held.alone)
    return union(parts)


def _map(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    sources: list[tuple[FileIndex, Any, Expr]] = []
    for place, argument in enumerate(call.arguments):
        if argument[0] in ("n", "a", "f", "c") and any(
            isinstance(v, Function | Bound | Class | Wrapped | Partial) for v in evaluate(engine, file, call, argument)
        ):
            cell = calls.implicit_call(engine, file, call, argument, _elements_passed(call, place))
            sources.append((file, None, ("C", cell)))
    if not sources:
        return ()
    found = container_methods.derived(engine, file, file.policy, ("map", file, call), *sources)
    for source in sources:  # more arguments may have become functions since it was made
        if source not in found.rest.sources:
            engine.source(found.rest, *source)
    return found.alone


def _filter(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) < 2:
        return ()
    return container_methods.derived(
        engine, file, file.policy, ("filter", file, call), (file, call, ("i", call.arguments[1]))
    ).alone


def _enumerate(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return _tuples(engine, file, call, [(1, ("i", call.arguments[0]))] if call.arguments else [])


def _zip(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return _tuples(engine, file, call, [(i, ("i", a)) for i, a in enumerate(call.arguments)])


def _tuples(engine: Engine, file: FileIndex, call: Call, parts: list[tuple[int, Expr]]) -> Values:
    item = engine.interned.get(("tuple", file, id(call)))
    if item is None:
        new = item = container_methods.make(engine, file, False, file.policy, ("tuple", file, call))
        for i, expr in parts:
            containers.add_source(engine, containers.own_field(new, ("int", str(i))), file, call, expr)
    return container_methods.derived(
        engine, file, file.policy, ("tuples", file, call), (file, None, ("V", item.alone))
    ).alone


def _mapping(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return _filled(engine, file, call, call.arguments).alone


def _filled(engine: Engine, file: FileIndex, call: Call, arguments: Iterable[Expr]) -> Container:
    """The mapping that a call makes from its keywords and the contents of `arguments`."""
    found = engine.interned.get(("dict", file, id(call)))
    if found is None:
        new = found = container_methods.make(engine, file, True, file.policy, ("dict", file, call))
        for name, expr in call.keywords:
            if name == "**":
                containers.spread_later(engine, new, file, call, expr)
            else:
                containers.add_source(engine, containers.own_field(new, ("str", name)), file, call, expr)
        for argument in arguments:
            containers.spread_later(engine, new, file, call, argument)
    assert isinstance(found, Container)
    return found


def _defaulting(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`defaultdict(list)`: a mapping whose values are results of the factory, one value for all keys."""
    made = _filled(engine, file, call, call.arguments[1:])
    for factory in first(engine, file, call, value):
        given: Expr | None = None
        if isinstance(factory, Function):
            given = ("F", factory)
        elif isinstance(factory, Class):
            given = ("V", factory.instance.alone)
        elif isinstance(factory, External):
            model = file.policy.library.models.get(factory.path)
            origin = {"sequence": "list", "mapping": "mapped"}.get(model or "")
            if origin is not None:
                inner = engine.interned.get((origin, file, id(call)))
                if inner is None:
                    mapping = origin == "mapped"
                    inner = container_methods.make(engine, file, mapping, file.policy, (origin, file, call))
                given = ("V", inner.alone)
        if given is not None and (file, None, given) not in made.rest.sources:
            engine.source(made.rest, file, None, given)
    return made.alone


def _namespace(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`ArgumentParser()`: one object for the parser, its subparsers and the namespace they parse into."""
    made = engine.interned.get(("namespace", file, id(call)))
    if made is None:
        made = container_methods.make(engine, file, True, file.policy, ("namespace", file, call))
    return (made, engine.instance_of(value))


def _globals(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    return file.module.alone


def _listed(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`listOf(a, b)`."""
    found = engine.interned.get(("listed", file, id(call)))
    if found is None:
        new = found = container_methods.make(engine, file, False, file.policy, ("listed", file, call))
        for i, argument in enumerate(call.arguments):
            if argument[0] == "*":
                containers.add_source(engine, new.rest, file, call, ("i", argument[1]))
            elif argument[0] not in ("x", "k"):
                containers.add_source(engine, containers.own_field(new, ("int", str(i))), file, call, argument)
    return found.alone


def _mapped(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`mapOf(k to v, …)`, `Map.of(k, v, …)`."""
    found = engine.interned.get(("mapped", file, id(call)))
    if found is None:
        new = found = container_methods.make(engine, file, True, file.policy, ("mapped", file, call))
        pairs = [a[1][1] for a in call.arguments if a[0] == "l" and len(a[1]) == 2]
        for held in pairs or call.arguments[1::2]:
            if held[0] not in ("x", "k"):
                containers.add_source(engine, new.rest, file, call, held)
    return found.alone


def _type(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    if len(call.arguments) != 1:
        return ()
    found: list[Value] = []
    for held in first(engine, file, call, value):
        if isinstance(held, Instance):
            found.append(held.cls)
        elif isinstance(held, ExternalInstance):
            found.append(held.type)
    return tuple(dict.fromkeys(found))


def _import(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    parts = []
    for argument in call.arguments[:1]:
        names = keys.key_values(engine, file, call, argument)
        parts += [evaluate(engine, file, call, ("m", text)) for kind, text in names if kind == "str"]
    return tuple(v for v in union(parts) if isinstance(v, Module))


def _class_named(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """The class named by a string: `Class.forName("shop.Item")`."""
    found: list[Values] = []
    for argument in call.arguments[:1]:
        for kind, text in keys.key_values(engine, file, call, argument):
            if kind == "str" and _QUALIFIED.fullmatch(text):
                found.append(evaluate(engine, file, call, ("n", text.replace("$", "."))))
    return tuple(v for v in union(found) if isinstance(v, Class))


_QUALIFIED = re.compile(r"[A-Za-z_][\w$]*+(?:\.[A-Za-z_][\w$]*+){1,20}")


def _assign(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.assign(target, source, …)`: copies members, onto classes too."""
    _assigned(engine, file, call)
    return first(engine, file, call, value)


def _assigned(engine: Engine, file: FileIndex, call: Call) -> None:
    targets = evaluate(engine, file, call, call.arguments[0]) if call.arguments else ()
    for argument in call.arguments[1:]:
        for source in evaluate(engine, file, call, argument):
            for target in targets:
                copying.copy_members(engine, source, target)


def _defined(several: bool) -> Effect:
    return lambda engine, file, call: engine.enqueue(object_properties.Definitions(file, call, several))


def _create(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.create(prototype)`."""
    made: Values = ()
    for held in first(engine, file, call, value):
        made += held.instance.alone if isinstance(held, Class) else held.alone
    return made


def _metatable(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`setmetatable(object, metatable)`: the object, as an instance of the class that the metatable or its `__index__`
    is."""
    held = first(engine, file, call, value)
    if len(call.arguments) < 2 or any(isinstance(v, Class) for v in held):
        return held
    found: list[Value] = []
    for meta in evaluate(engine, file, call, call.arguments[1]):
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


def _kept(engine: Engine, file: FileIndex, call: Call) -> None:
    """`super().__init__(fget)` in a class that is a property."""
    for value in evaluate(engine, file, call, call.function[1]) if call.function[0] == "a" else ():
        if isinstance(value, Super) and isinstance(value.receiver, Instance):
            keep_given(engine, file, call, value.receiver.cls)


EFFECTS: dict[str, Effect] = {
    "keep": _kept,
    "assign": _assigned,
    "define": _defined(False),
    "define all": _defined(True),
}
"""Row name → the effects of calling the external function: what it writes or calls."""

MODELS: dict[str, Model] = {
    "class named": _class_named,
    "assign": _assign,
    "create": _create,
    "metatable": _metatable,
    "define": first,
    "define all": first,
    "first": first,
    "on": _on,
    "keep": lambda engine, file, call, value: (),
    "cast": _cast,
    "itself": _itself,
    "instance": instance_given,
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
    "defaulting": _defaulting,
    "namespace": _namespace,
    "globals": _globals,
    "listed": _listed,
    "mapped": _mapped,
    "type": _type,
    "import": _import,
}
"""Row name → the result of calling the external function: `first` its first argument, `itself` an object that is
called again, …"""


LINKS.update({External: _external_called, FunctionMethod: _method_called})
RESULTS.update({External: _external_result, ExternalInstance: _instance_result, FunctionMethod: _method_result})
