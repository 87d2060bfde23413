"""Stable names of values, and of the files and scopes that contain them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from loregraph.indexer.resolve import (
    container_methods,
    functions,
    import_styles,
    library,
    members,
    modules,
    packages,
    results,
)
from loregraph.indexer.resolve.call_names import (
    MAX_NUMBER,
    UnnameableError,
    expression_name,
    find_expression,
)
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.containers import OBJECT
from loregraph.indexer.resolve.definitions import plain_values
from loregraph.indexer.resolve.fact_names import HEADER, Name, UnknownNameError
from loregraph.indexer.resolve.functions import outer_site
from loregraph.indexer.resolve.index import made_by
from loregraph.indexer.resolve.model import (
    Bound,
    Class,
    Container,
    ContainerMethod,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    FunctionMethod,
    Generator,
    Instance,
    Literal,
    Module,
    Namespace,
    Partial,
    ReturnsReceiver,
    Scope,
    Super,
    Value,
    Wrapped,
)
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.scope_functions import Handed
from loregraph.indexer.resolve.type_arguments import applied

if TYPE_CHECKING:
    from loregraph.indexer.resolve.naming import Names

_Defined = TypeVar("_Defined")

METHODS_OF_FUNCTIONS: Final = ("call", "apply", "bind")
CALLED: Final = frozenset(
    {
        "given",
        "list",
        "map",
        "filter",
        "tuple",
        "tuples",
        "dict",
        "listed",
        "mapped",
        "namespace",
        "shaped",
        "shaped mapping",
        "shaped tuple",
    }
)
"""Containers that library functions make from their arguments, with a call as their origin."""
MAPPINGS: Final = frozenset({"dict", "mapped", "namespace", "shaped mapping"})
OF_CONTAINERS: Final = frozenset({"values", "pair", "pairs"})

# Names


def _scope(names: Names, scope: Scope) -> Name:
    if scope.number >= 0 and scope.definition is None:
        return ("made scope", names.name(scope.file.functions[scope.number]))
    return ("scope", scope.file.path, names.of(scope.file).definition(scope.number))


def _defined(kind: str) -> Callable[[Names, Any], Name]:
    return lambda names, value: (kind, value.file.path, names.of(value.file).definition(value.number))


def _class(names: Names, value: Class) -> Name:
    kind = "made" if value.file.classes.get(value.number) is not value else "class"
    return (kind, value.file.path, names.of(value.file).definition(value.number))


def _instance(names: Names, value: Instance) -> Name:
    kind = "typed" if value.declared else "instance"
    if not value.arguments:
        return (kind, names.name(value.cls))
    return ("applied", kind, names.name(value.cls), tuple(tuple(map(names.name, held)) for held in value.arguments))


def _namespace(names: Names, value: Namespace) -> Name:
    interned = names.engine.interned
    scope = value.scope
    if interned.get(("open", value.name)) is value:
        return ("open", value.name)
    if scope is not None and interned.get(("namespace", scope.file.path, scope.number)) is value:
        return ("namespace", scope.file.path, names.of(scope.file).definition(scope.number))
    if interned.get(("declared", value.language, value.name)) is value:
        return ("declared", value.language, value.name)
    if interned.get(("package", value.language, value.name)) is value:
        return ("package of", value.language, value.name)
    if interned.get(("package", value.name)) is value:
        return ("package", value.language, value.name)
    raise UnnameableError(value)


def _wrapped(names: Names, value: Wrapped) -> Name:
    receiver = names.name(value.receiver) if value.receiver is not None else None
    return ("wrapped", names.name(value.wrapper), names.name(value.original), receiver)


def _partial(names: Names, value: Partial) -> Name:
    origin = names.engine.origins[id(value.call)]
    return ("partial", names.name(value.function), names.call(value.file, origin[1]))


def _container(names: Names, value: Container) -> Name:
    kind, *parts = value.origin
    if kind == "literal":
        file, site, expr = parts
        return ("written", file.path, expression_name(names, file, site, expr), value.mapping)
    if kind == "rest":
        return ("rest", names.name(parts[0]), parts[1])
    if kind == "slice":
        return ("slice", names.name(parts[0]), *parts[1:])
    if kind in OF_CONTAINERS:
        return (kind, names.name(parts[0]))
    if kind == OBJECT:
        return (kind, names.call(parts[0], parts[1]), parts[2])
    return (kind, names.call(*parts))


NAMERS: Final[dict[type, Callable[[Names, Any], Name]]] = {
    FileIndex: lambda names, file: ("file", file.path),
    Scope: _scope,
    Function: _defined("function"),
    Class: _class,
    Instance: _instance,
    Module: lambda names, value: ("module", value.file.path),
    Namespace: _namespace,
    External: lambda names, value: ("external", value.package, value.name),
    ExternalInstance: lambda names, value: ("external instance", value.type.package, value.type.name),
    Literal: lambda names, value: ("literal", *value.key),
    Bound: lambda names, value: ("bound", names.name(value.function), names.name(value.receiver)),
    Wrapped: _wrapped,
    Super: lambda names, value: ("super", names.name(value.cls), names.name(value.receiver)),
    Generator: lambda names, value: ("generator", names.name(value.function)),
    Partial: _partial,
    FunctionMethod: lambda names, value: ("function method", names.name(value.function), value.name),
    ReturnsReceiver: lambda names, value: ("same", names.name(value.receiver)),
    ContainerMethod: lambda names, value: ("method", names.name(value.container), value.name),
    Handed: lambda names, value: ("handed", names.name(value.cell)),
    Container: _container,
}

# From names back to values


def _text(name: Name) -> str:
    if type(name) is not str:
        raise UnknownNameError(name)
    return name


def _found_scope(names: Names, path: Name, definition: Name) -> Scope:
    file = names.file(path)
    number = names.of(file).definition_number(definition)
    found: Scope = file.scopes[number] if number >= 0 else file.scopes[-1]
    return found


def _found_function(names: Names, path: Name, definition: Name) -> Function:
    file = names.file(path)
    return _defined_there(file.functions, names, file, definition)


def _found_class(names: Names, path: Name, definition: Name) -> Class:
    file = names.file(path)
    return _defined_there(file.classes, names, file, definition)


def _defined_there(values: dict[int, _Defined], names: Names, file: FileIndex, definition: Name) -> _Defined:
    found = values.get(names.of(file).definition_number(definition))
    if found is None:
        raise UnknownNameError(definition)
    return found


def _found_made(names: Names, path: Name, definition: Name) -> Class:
    function = _found_function(names, path, definition)
    if not function.file.policy.construction.functions_construct:
        raise UnknownNameError(definition)
    return made_by(function)


def _found_open(names: Names, qualified: Name) -> Value:
    found = modules.open_namespace(names.engine, "", _text(qualified))
    if not found:
        raise UnknownNameError(qualified)
    return found[0]


def _found_namespace(names: Names, path: Name, definition: Name) -> Value:
    file = names.file(path)
    number = names.of(file).definition_number(definition)
    found = plain_values(names.engine, file, number) if number >= 0 else ()
    if len(found) != 1 or not isinstance(found[0], Namespace):
        raise UnknownNameError(definition)
    return found[0]


def _found_declared(names: Names, family: Name, dotted: Name) -> Value:
    found = packages.package(names.engine, _text(family), _text(dotted))
    if not found:
        raise UnknownNameError(dotted)
    return found[0]


def _found_package(names: Names, language: Name, dotted: Name) -> Value:
    found: Value | None = names.engine.interned.get(("package", _text(dotted)))
    if found is None:
        if dotted not in names.folders():
            raise UnknownNameError(dotted)
        found = names.engine.interned["package", dotted] = Namespace(dotted, _text(language))
    return found


def _found_package_of(names: Names, language: Name, name: Name) -> Value:
    engine = names.engine
    found: Value | None = engine.interned.get(("package", _text(language), _text(name)))
    if found is None:
        finder = import_styles.PACKAGE_FILES.get(policy_of(_text(language)).modules.style)
        files = finder(engine, _text(language), _text(name)) if finder is not None else ()
        if not files:
            raise UnknownNameError(name)
        found = import_styles.package_of(engine, language, name, files)
    return found


def _found_wrapped(names: Names, wrapper: Name, original: Name, receiver: Name) -> Value:
    key = (
        "wrapped",
        names.function(wrapper),
        names.value(original),
        names.value(receiver) if receiver is not None else None,
    )
    found: Value | None = names.engine.interned.get(key)
    if found is None:
        found = names.engine.interned[key] = Wrapped(*key[1:])
    return found


def _found_super(names: Names, cls: Name, receiver: Name) -> Value:
    owner, held = names.find(cls), names.find(receiver)
    if not isinstance(owner, Class) or not isinstance(held, Instance | Class):
        raise UnknownNameError(cls)
    key = ("super", owner, held)
    found = names.engine.interned.get(key)
    if found is None:
        found = names.engine.interned[key] = Super(owner, held)
    return found


def _found_partial(names: Names, function: Name, call: Name) -> Value:
    file, found = names.find_call(call)
    held = names.value(function)
    if not isinstance(held, Function | Bound | Class | Wrapped | Instance) or not found.arguments:
        raise UnknownNameError(function)
    return library.partial(names.engine, file, found, held)


def _found_function_method(names: Names, function: Name, name: Name) -> Value:
    if name not in METHODS_OF_FUNCTIONS:
        raise UnknownNameError(name)
    return members.function_method(names.engine, names.function(function), name)[0]


def _found_method(names: Names, container: Name, name: Name) -> Value:
    held = names.container(container)
    if type(name) is not str or not container_methods.is_method(names.engine, held, name):
        raise UnknownNameError(name)
    key = ("method", held, name)
    found = names.engine.interned.get(key)
    if found is None:
        found = names.engine.interned[key] = ContainerMethod(held, name)
    return found


def _found_handed(names: Names, cell: Name) -> Value:
    held = names.find(cell)
    origin = names.engine.origins.get(id(held.call)) if isinstance(held, CallCell) else None
    if origin is None or origin[0] != "callback" or not isinstance(held, CallCell):
        raise UnknownNameError(cell)
    key = ("handed", id(origin[1]))
    found = names.engine.interned.get(key)
    if found is None:
        found = names.engine.interned[key] = Handed(held)
    return found


def _found_instance(names: Names, cls: Name) -> Value:
    return names.cls(cls).instance


def _found_typed(names: Names, cls: Name) -> Value:
    return names.cls(cls).typed


def _found_applied(names: Names, kind: Name, cls: Name, arguments: Name) -> Value:
    if type(arguments) is not tuple or not all(type(held) is tuple for held in arguments):
        raise UnknownNameError(cls)
    given = tuple(tuple(names.value(name) for name in held) for held in arguments)
    return applied(names.cls(cls), kind == "typed", given)


def _found_external(names: Names, package: Name, name: Name) -> External:
    return names.engine.external(_text(package), _text(name))


# Containers


def _found_written(names: Names, path: Name, expression: Name, mapping: Name) -> Container:
    file = names.file(path)
    expr = find_expression(names, file, expression)
    found = file.containers.get(id(expr))
    if found is None:
        if expr[0] not in ("l", "d", "s") or type(mapping) is not bool or type(expression) is not tuple:
            raise UnknownNameError(expression)
        site: Any = None
        if expression[0] == "@":
            site = names.of(file).site_of(*expression[1:5])
            if site is None and expression[1] == HEADER:
                function = file.functions.get(names.of(file).definition_number(expression[2]))
                site = outer_site(function) if function is not None else None
        key = ("literal", file, id(expr))
        found = _announced(names, key, mapping, file, ("literal", file, site, expr))
    return found


def _found_rest(names: Names, function: Name, number: Name) -> Container:
    held = names.function(function)
    if type(number) is not int or not 0 <= number < len(held.parameters):
        raise UnknownNameError(function)
    if held.parameters[number].kind not in ("*", "**"):
        raise UnknownNameError(function)
    key = ("rest", held, number)
    return _interned(names, key, held.parameters[number].kind == "**", held.file, key)


def _found_slice(names: Names, container: Name, start: Name, stop: Name) -> Container:
    held = names.container(container)
    if type(start) is not int or type(stop) is not int or not (0 <= start < MAX_NUMBER and -1 <= stop < MAX_NUMBER):
        raise UnknownNameError(container)
    origin = ("slice", held, start, stop)
    return _interned(names, ("slice", held, start, stop if stop >= 0 else None), False, held, origin)


def _found_of_container(kind: str) -> Callable[[Names, Name], Container]:
    def found(names: Names, container: Name) -> Container:
        held = names.container(container)
        return _interned(names, (kind, held), False, held, (kind, held))

    return found


def _found_called(kind: str) -> Callable[[Names, Name], Container]:
    def found(names: Names, call: Name) -> Container:
        file, made = names.find_call(call)
        origin = (kind, file, made)
        return _interned(names, container_methods.by_identity(origin), kind in MAPPINGS, file, origin)

    return found


def _found_object(names: Names, call: Name, path: Name) -> Container:
    file, made = names.find_call(call)
    origin = (OBJECT, file, made, _text(path))
    return _interned(names, container_methods.by_identity(origin), True, file, origin)


def _interned(
    names: Names, key: tuple[Any, ...], mapping: bool, holder: FileIndex | Container, origin: tuple[Any, ...]
) -> Container:
    found = names.engine.interned.get(key)
    if found is None:
        return _announced(names, key, mapping, holder, origin)
    if not isinstance(found, Container):
        raise UnknownNameError(key)
    return found


def _file_of(holder: FileIndex | Container) -> FileIndex:
    return holder if isinstance(holder, FileIndex) else holder.file


def _announced(
    names: Names, key: tuple[Any, ...], mapping: bool, holder: FileIndex | Container, origin: tuple[Any, ...]
) -> Container:
    """A container that no code has created yet: its creator uses this object and adds its members."""
    announced = names.engine.announced
    found: Container | None = announced.get(key)
    if found is None:
        found = announced[key] = Container(_file_of(holder), mapping, holder.policy, origin)
        names.engine.keep(origin)
    return found


Finder = tuple[int, Callable[..., object]]

FINDERS: Final[dict[str, Finder]] = {
    "file": (1, lambda names, path: names.file(path)),
    "scope": (2, _found_scope),
    "made scope": (1, lambda names, function: made_by(names.function(function)).scope),
    "function": (2, _found_function),
    "class": (2, _found_class),
    "made": (2, _found_made),
    "instance": (1, _found_instance),
    "typed": (1, _found_typed),
    "applied": (3, _found_applied),
    "module": (1, lambda names, path: names.file(path).module),
    "open": (1, _found_open),
    "namespace": (2, _found_namespace),
    "declared": (2, _found_declared),
    "package of": (2, _found_package_of),
    "package": (2, _found_package),
    "external": (2, _found_external),
    "external instance": (2, lambda names, *parts: names.engine.instance_of(_found_external(names, *parts))),
    "literal": (2, lambda names, kind, text: names.engine.literal((_text(kind), _text(text)))),
    "bound": (2, lambda names, f, receiver: functions.bound(names.function(f), names.value(receiver))),
    "wrapped": (3, _found_wrapped),
    "super": (2, _found_super),
    "generator": (1, lambda names, function: results.generator_of(names.engine, names.function(function))),
    "partial": (2, _found_partial),
    "function method": (2, _found_function_method),
    "same": (1, lambda names, value: members.same(names.engine, names.value(value))),
    "method": (2, _found_method),
    "handed": (1, _found_handed),
    "written": (3, _found_written),
    "rest": (2, _found_rest),
    "slice": (3, _found_slice),
    **{kind: (1, _found_of_container(kind)) for kind in OF_CONTAINERS},
    **{kind: (1, _found_called(kind)) for kind in CALLED},
    OBJECT: (2, _found_object),
}
"""First part of a name → how many parts follow it, and how to find the value."""
