"""A canonical order of values, derived from what they are, never from creation time or memory address.

It matters only where a limit cannot keep all values. The most relevant come first: product code before its tests and
examples, declarations before their overrides in subtypes, named functions before anonymous ones. To make moves and
renames of folders change as little as possible, names are compared before paths, and paths from their end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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

Rank = tuple[str, ...]


def rank(value: Value) -> Rank:
    """The sort key of `value`; unique among the values of a project."""
    found = value.rank
    if found is None:
        found = value.rank = ("1" if _is_aside(value) else "0", *_RANKS[type(value)](value))
    return found


def _is_aside(value: Value) -> bool:
    """Whether a value is defined in test code or examples, or contains one that is."""
    file = file_of(value)
    return file is not None and file.aside


def file_of(value: Value) -> FileIndex | None:
    """The file that defines a value, or what the value contains."""
    part: object = value
    while isinstance(part, Value):
        part = _held(part)
    return part if isinstance(part, FileIndex) else None


def _held(value: Value) -> object:
    """The values that a value consists of, or the file that defines it."""
    if isinstance(value, Function | Class | Module):
        return value.file
    if isinstance(value, Bound | Generator | FunctionMethod | Partial):
        return value.function
    if isinstance(value, Instance | Super):
        return value.cls
    if isinstance(value, Wrapped):
        return value.original
    if isinstance(value, ReturnsReceiver):
        return value.receiver
    if isinstance(value, ContainerMethod):
        return value.container
    return value.origin[1] if isinstance(value, Container) else None


def in_order(values: list[Any]) -> None:
    """Sorts `values` in place."""
    values.sort(key=rank)


def path_rank(file: FileIndex) -> str:
    """A sort key for a path, last part first."""
    return "/".join(reversed(file.path.split("/")))


def _function(value: Function) -> Rank:
    name = value.definition.qualname.replace("<", "~")  # unnamed values last
    return ("f", _depth(value.owner), name, path_rank(value.file))


def _class(value: Class) -> Rank:
    made = "by" if value.scope.definition is None else ""
    name = value.definition.qualname.replace("<", "~")
    return ("c", _depth(value), name, path_rank(value.file), made)


def _depth(cls: Class | None) -> str:
    """A type's distance from the root types. Only meaningful once it is known for all types, and not defined for types
    that functions construct, since a function may become a type at any time."""
    return f"{cls.depth if cls is not None else 0:03}"


def _instance(value: Instance) -> Rank:
    of = texts(value.arguments) if value.arguments else ()
    return ("i", *rank(value.cls)[2:], "declared" if value.declared else "", *of)


def _namespace(value: Namespace) -> Rank:
    first = value.files[0] if value.files else ""
    number = ""
    if value.scope is not None:
        first, number = path_rank(value.scope.file), f"{value.scope.number:09}"
    return ("n", value.language, value.name, first, number)


def _container(value: Container) -> Rank:
    kind, *parts = value.origin
    if kind != "literal":
        return ("l", kind, *texts(parts))
    file, site, expr = parts
    places = file.places.get(id(site))
    if places is None:
        places = file.places[id(site)] = _places(site)
    place = places.get(id(expr), -1)
    return ("l", kind, *texts((file, site, place)), *(texts(expr) if place < 0 else ()))


def _places(site: Any) -> dict[int, int]:
    """Identity of each expression of the fact at `site` → its index. Both live as long as the containers made from
    them."""
    fields = ("value", "function", "arguments", "keywords", "type", "target")
    stack = [part for field in fields if (part := getattr(site, field, None)) is not None]
    places: dict[int, int] = {}
    while stack:
        part = stack.pop()
        if type(part) is tuple or type(part) is list:
            places[id(part)] = len(places)
            stack += part
    return places


def texts(parts: Any) -> list[str]:
    """The parts of facts and values as strings that can be compared."""
    found: list[str] = []
    stack = [parts]
    while stack:
        part = stack.pop()
        kind = type(part)
        if kind is tuple or kind is list:
            found.append(f"({len(part)}")
            stack += reversed(part)
        elif kind is str:
            found.append(part)
        elif kind is int:
            found.append(f"{part:012}")
        elif kind is FileIndex:
            found.append(path_rank(part))
        elif isinstance(part, Value):
            found += rank(part)
        elif isinstance(part, Scope):
            found += (path_rank(part.file), f"{part.number:09}")
        elif part is not None and hasattr(part, "at"):  # a call, an assignment, any place
            found += (f"{part.scope:09}", f"{part.at:012}", f"{part.block:09}")
        else:
            found.append("")
    return found


_RANKS: dict[type[Value], Callable[[Any], Rank]] = {
    Function: _function,
    Class: _class,
    Instance: _instance,
    Module: lambda value: ("m", path_rank(value.file)),
    Namespace: _namespace,
    External: lambda value: ("x", value.package, value.name),
    ExternalInstance: lambda value: ("y", value.type.package, value.type.name),
    Literal: lambda value: ("k", *value.key),
    Bound: lambda value: ("b", *rank(value.function), *rank(value.receiver)),
    Wrapped: lambda value: (
        "a", *rank(value.wrapper), *rank(value.original), *(rank(value.receiver) if value.receiver is not None else ()),
    ),
    Super: lambda value: ("s", *rank(value.cls), *rank(value.receiver)),
    Generator: lambda value: ("g", *rank(value.function)),
    Partial: lambda value: ("aa", *rank(value.function), *texts((value.file, value.call, value.skip))),
    FunctionMethod: lambda value: ("o", *rank(value.function), value.name),
    ReturnsReceiver: lambda value: ("e", *rank(value.receiver)),
    Container: _container,
    ContainerMethod: lambda value: ("q", *rank(value.container), value.name),
}  # fmt: skip
