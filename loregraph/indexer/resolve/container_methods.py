"""Methods of lists and mappings, and members of object literals.

Policies refer to rows of the table at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from loregraph.indexer.facts import UNKNOWN, Call, Expr
from loregraph.indexer.languages.policy import Policy
from loregraph.indexer.outside.types import FUNCTION
from loregraph.indexer.resolve import calls, containers, declared, keys, results
from loregraph.indexer.resolve.containers import OBJECT
from loregraph.indexer.resolve.dispatch import ELEMENTS, LINKS, MEMBERS, RESULTS, evaluate, item_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import bound
from loregraph.indexer.resolve.model import (
    Container,
    ContainerMethod,
    FileIndex,
    Function,
    Generator,
    Instance,
    Value,
    Values,
)

NAMESPACE: Final = "namespace"
"""Origin of the result of parsing a command line: an object whose members are set by name."""


def _member(engine: Engine, value: Container, name: str) -> Values:
    """`container.name`: a method of a list or mapping, or a member of an object literal."""
    if value.origin[0] == OBJECT:
        return _object_member(engine, value, name)
    policy = value.policy
    is_method = name in methods_of(value)
    objects = (
        policy.members.literal_members and value.mapping and value.origin[0] != "dict"
    )  # `new Map()` has its own methods
    if objects and (not is_method or engine.read(containers.has_cell(value, name))):
        # Where tables are objects, values stored under computed keys are read only under computed keys. Elsewhere a
        # name that is never written may be one of the computed keys.
        computed = not policy.calls.sends and name not in engine.project.stored_names
        parts = [engine.read(value.rest)] if computed and not containers.is_written(value, name) else []
        parts.append(engine.read(containers.field_of(engine, value, ("str", name))))
        return union([_bound_to(engine, v, value) for v in union(parts)])
    if is_method:
        return method(engine, value, name)
    return engine.read(containers.field_of(engine, value, ("str", name))) if value.origin[0] == NAMESPACE else ()


def method(engine: Engine, value: Container, name: str) -> tuple[ContainerMethod, ...]:
    """A method of a container."""
    key = ("method", value, name)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = ContainerMethod(value, name)
    assert isinstance(found, ContainerMethod)
    return (found,)


def _object_member(engine: Engine, value: Container, name: str) -> Values:
    """A member of an instance of a generic class outside the project."""
    if is_method(engine, value, name):
        return method(engine, value, name)
    shape = declared.member_shape(engine, value, name)
    held = declared.of_object(engine, value, shape.type) if shape is not None else ()
    return held or engine.member_of(declared.external_at(engine, declared.class_of(value)), name).alone


def is_method(engine: Engine, value: Container, name: str) -> bool:
    """Whether a container has a method of a name."""
    if value.origin[0] == OBJECT:
        shape = declared.member_shape(engine, value, name)
        return shape is not None and shape.kind == FUNCTION
    return name in methods_of(value)


def methods_of(value: Container) -> Mapping[str, str]:
    """The methods of a container."""
    return (
        value.policy.library.namespace_methods
        if value.origin[0] == NAMESPACE
        else value.policy.library.container_methods
    )


def _bound_to(engine: Engine, value: Value, receiver: Container) -> Values:
    if type(value) is Function and value.owner is None and value.receives == "instance":
        kind = value.definition.kind
        if kind == "getter":
            return results.returned_values(engine, value, receiver)
        return bound(value, receiver).alone if kind != "setter" else ()
    return value.alone


def derived(
    engine: Engine, file: FileIndex, policy: Policy, origin: tuple[Any, ...], *sources: tuple[FileIndex, Any, Expr]
) -> Container:
    """A list whose elements are values of the sources; one list per origin."""
    key = by_identity(origin)
    found = engine.interned.get(key)
    if found is None:
        found = make(engine, file, False, policy, origin)
        for source in sources:
            containers.add_source(engine, found.rest, *source)
    assert isinstance(found, Container)
    return found


def make(engine: Engine, file: FileIndex, mapping: bool, policy: Policy, origin: tuple[Any, ...]) -> Container:
    """A new container, registered under its origin."""
    key = by_identity(origin)
    container = containers.new(engine, file, key, mapping, policy, origin)
    engine.keep(origin)
    engine.interned[key] = container
    return container


def by_identity(origin: tuple[Any, ...]) -> tuple[object, ...]:
    """Compares calls by identity: comparing their contents takes long."""
    return tuple(id(part) if type(part) is Call else part for part in origin)


def called(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod, skip: int) -> None:
    """What a method call on a list or mapping writes to it, and the functions that it calls."""
    container = method.container
    operation = methods_of(container)[method.name]
    arguments = call.arguments
    if operation == "append":
        for argument in arguments:
            engine.source(container.rest, file, call, argument)
    elif operation in ("insert", "set") and len(arguments) > 1:
        known = keys.key_values(engine, file, call, arguments[0]) if container.mapping else ()
        for field in [containers.field_of(engine, container, key) for key in known] or [container.rest]:
            engine.source(field, file, call, arguments[1])
    elif operation in ("extend", "update"):
        for argument in arguments:
            for value in evaluate(engine, file, call, argument):
                if isinstance(value, Container) and value is not container and value.origin[0] != OBJECT:
                    containers.spread(engine, value, container)
                elif isinstance(value, Generator | Instance | Container) and value is not container:
                    engine.source(container.rest, file, call, ("i", argument))
        for name, expr in call.keywords:
            if name != "**":
                engine.source(containers.field_of(engine, container, ("str", name)), file, call, expr)
    elif operation == "setdefault" and len(arguments) > 1:
        for key in keys.key_values(engine, file, call, arguments[0]):
            engine.source(containers.field_of(engine, container, key), file, call, arguments[1])
    elif operation == "sort":
        for name, expr in call.keywords:
            if name == "key":
                calls.implicit_call(engine, file, call, expr, (("R*", call.function[1]),))
    elif operation in ("map", "flatmap", "filter", "each", "find", "reduce") and arguments:
        calls.implicit_call(engine, file, call, arguments[0], _callback_arguments(operation, call, container))


def _concatenated(engine: Engine, file: FileIndex, call: Call, container: Container) -> Values:
    held = [v for a in call.arguments for v in evaluate(engine, file, call, a)]
    return union([container.alone, tuple(v for v in held if isinstance(v, Container) and not v.mapping)])


def _callback_arguments(operation: str, call: Call, container: Container) -> tuple[Expr, ...]:
    # For all lists that the call may be made on: the function is called once for all of them.
    element: Expr = ("R*", call.function[1]) if call.function[0] == "a" else ("R", container)
    if operation == "reduce":
        return (call.arguments[1] if len(call.arguments) > 1 else UNKNOWN), element
    return (element, element) if container.mapping and container.policy.types.static_types else (element,)


def given(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod, skip: int) -> Values:
    """The result of a method call on a list or mapping."""
    container = method.container
    operation = methods_of(container)[method.name]
    arguments = call.arguments
    if operation in ("item", "setdefault"):
        parts = []
        if arguments:
            parts.append(item_of(engine, file, call, container, arguments[0]))
            parts += [evaluate(engine, file, call, a) for a in arguments[1:2]]
        else:
            parts.append(containers.every_element(engine, container))
        return union(parts)
    if operation == "element":
        return containers.every_element(engine, container)
    if operation == "values":
        return values_of(engine, container).alone
    if operation == "pairs":
        return pairs_of(engine, container).alone
    if operation == "slice":
        literals = (containers.position((a[1], a[2])) for a in arguments if a[0] == "k")
        bounds = [place for place in literals if place >= 0]
        return containers.sliced(engine, container, bounds[0] if bounds else 0, bounds[1] if len(bounds) > 1 else None)
    if operation == "map" and arguments:
        made_by = calls.implicit_call(engine, file, call, arguments[0], _callback_arguments(operation, call, container))
        return derived(engine, file, file.policy, ("map", file, call), (file, None, ("C", made_by))).alone
    if operation == "flatmap" and arguments:
        return _flattened(engine, file, call, container)
    if operation == "find" and not container.policy.members.class_objects:
        return containers.every_element(engine, container)
    if operation == "reduce" and len(arguments) > 1:
        made_by = calls.implicit_call(engine, file, call, arguments[0], _callback_arguments(operation, call, container))
        return union([engine.read(made_by.result(engine)), evaluate(engine, file, call, arguments[1])])
    if operation == "concat":
        return _concatenated(engine, file, call, container)
    if operation == "flat":
        held = containers.every_element(engine, container)
        return tuple(v for v in held if isinstance(v, Container) and not v.mapping) or container.alone
    if operation in ("same", "filter", "append", "set", "find"):
        return container.alone
    if operation == "wrapped":
        return derived(engine, file, file.policy, ("list", file, call), (file, None, ("V", container.alone))).alone
    return ()


def _flattened(engine: Engine, file: FileIndex, call: Call, container: Container) -> Values:
    """The result of `flatMap`: the elements of what the function returns for each element."""
    function, element = call.arguments[0], _callback_arguments("map", call, container)
    if function[0] == "a" and container.policy.library.container_methods.get(function[2].removesuffix("()")) == "same":
        source: Expr = ("i", element[0])  # `flatMap(List::stream)`
        return derived(engine, file, file.policy, ("map", file, call), (file, call, source)).alone
    made_by = calls.implicit_call(engine, file, call, function, element)
    return derived(engine, file, file.policy, ("map", file, call), (file, None, ("i", ("C", made_by)))).alone


def values_of(engine: Engine, container: Container) -> Container:
    """The list of the values of a mapping."""
    file = container.file
    return derived(engine, file, container.policy, ("values", container), (file, None, ("R", container)))


def pair_of(engine: Engine, container: Container) -> Container:
    """A key of a mapping with its value."""
    pair = engine.interned.get(("pair", container))
    if pair is None:
        pair = make(engine, container.file, False, container.policy, ("pair", container))
        second = containers.own_field(pair, ("int", "1"))
        containers.add_source(engine, second, container.file, None, ("R", container))
    assert isinstance(pair, Container)
    return pair


def pairs_of(engine: Engine, container: Container) -> Container:
    """The list of the keys of a mapping with their values."""
    file, pair = container.file, pair_of(engine, container)
    return derived(engine, file, container.policy, ("pairs", container), (file, None, ("V", pair.alone)))


def _elements(engine: Engine, file: FileIndex, value: Container) -> Values:
    if value.origin[0] == OBJECT:
        return declared.object_elements(engine, value)
    if value.mapping:
        return pair_of(engine, value).alone if value.policy.library.mappings_give_pairs else ()
    return containers.every_element(engine, value)


def made_again(engine: Engine, container: Container) -> None:
    """Makes a container that is derived from another one, exactly as the first reader of it would."""
    kind, *parts = container.origin
    if kind == "values":
        values_of(engine, parts[0])
    elif kind == "pair":
        pair_of(engine, parts[0])
    elif kind == "pairs":
        pairs_of(engine, parts[0])
    elif kind == "slice":
        containers.sliced(engine, parts[0], parts[1], None if parts[2] < 0 else parts[2])


METHODS = frozenset(
    {
        "append", "insert", "extend", "update", "setdefault", "map", "flatmap", "filter", "each", "find", "reduce",
        "item", "element", "values", "pairs", "slice", "same", "set", "concat", "flat", "sort",
        "wrapped",
    }
)  # fmt: skip
"""Effects and results of the methods of lists and mappings."""


ELEMENTS[Container] = _elements
MEMBERS[Container] = _member
LINKS[ContainerMethod] = called
RESULTS[ContainerMethod] = given
