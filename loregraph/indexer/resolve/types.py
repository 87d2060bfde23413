"""Written types → their instances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loregraph.indexer.facts import FILE_SCOPE, Expr
from loregraph.indexer.resolve import containers
from loregraph.indexer.resolve.classes import enclosing_class, types_of
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.hierarchy import is_subclass
from loregraph.indexer.resolve.model import (
    VALUE,
    Class,
    Container,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    Instance,
    Site,
    Value,
    Values,
)
from loregraph.indexer.resolve.scoping import END, find
from loregraph.indexer.resolve.type_arguments import applied


def instances(engine: Engine, file: FileIndex, site: Any, expr: Expr, owner: Class | None = None) -> Values:
    """The values that an expression of type `expr` may have. `owner` is the class that `Self` denotes."""
    op = expr[0]
    if op in ("n", "a"):
        return _named(engine, file, site, expr, owner)
    if op == "s":
        return _generic(engine, file, site, expr, owner)
    if op == "u":
        return union([instances(engine, file, site, option, owner) for option in expr[1]])
    if op == "k" and expr[1] == "str" and expr[2].replace(".", "").replace("_", "").isalnum():
        return instances(engine, file, site, dotted(expr[2]), owner)
    if op == "v" and owner is not None:
        return owner.typed.alone
    if op == "d":
        return _object(engine, file, site, expr)
    if op == "m":
        return _named(engine, file, site, expr, owner)
    if op == "t":  # `typeof value`
        return evaluate(engine, file, site, expr[2])
    if op == "l" and expr[1]:  # Go's multiple results, tuple types
        return _container(engine, file, site, expr, expr[1], False)
    if op in ("*", "w"):
        return instances(engine, file, site, expr[1], owner)
    if op == "k" and not expr[2]:
        return evaluate(engine, file, site, expr)
    return ()


def closed(expr: Expr) -> bool:
    """Whether a type consists only of primitives (`string`, `number | null`), so that no value of the project has
    it."""
    if expr[0] == "u":
        return bool(expr[1]) and all(closed(option) for option in expr[1])
    return bool(expr[0] == "k" and not expr[2])


def dotted(text: str) -> Expr:
    """`a.b.c` as an expression."""
    first, *rest = text.split(".")
    expr: Expr = ("n", first)
    for name in rest:
        expr = ("a", expr, name)
    return expr


def _named(engine: Engine, file: FileIndex, site: Any, expr: Expr, owner: Class | None) -> Values:
    name = expr[1] if expr[0] == "n" else expr[-1]
    if owner is None and name in file.policy.types.self_types:
        owner = enclosing_class(file, site.scope)
    if owner is not None and name in file.policy.types.self_types:
        return owner.typed.alone
    found: list[Values] = []
    for value in denoted(engine, file, site, expr):
        if isinstance(value, Class):
            found.append(value.typed.alone)
        elif isinstance(value, External):
            found.append(engine.instance_of(value).alone)
        elif isinstance(value, Container | Instance | ExternalInstance):  # an alias of a union, container or generic
            found.append(value.alone)
        elif isinstance(value, Function) and value.is_type and value.constructs is not None:
            found.append(value.constructs.typed.alone)
    return union(found)


def denoted(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """What the name of a type denotes. A member may have the name of its own type (`Color Color`, a struct that Go
    embeds): in a type position the member is skipped."""
    values = evaluate(engine, file, site, expr)
    if expr[0] == "n" and not any(isinstance(value, Class | External | Container) for value in values):
        owner = find(file.scopes[site.scope], expr[1])
        if owner is not None and owner.is_type and all(b.kind == VALUE for b in owner.bindings[expr[1]]):
            around = owner.parent
            site = Site(around.number if around is not None else FILE_SCOPE, END, -1)
            return evaluate(engine, file, site, expr)
    return types_of(values) if file.policy.members.companions else values


def _generic(engine: Engine, file: FileIndex, site: Any, expr: Expr, owner: Class | None) -> Values:
    base = expr[1]
    policy = file.policy
    name = base[1] if base[0] == "n" else base[2] if base[0] == "a" else ""
    arguments = expr[2][1] if expr[2][0] == "l" else (expr[2],)
    if name in policy.types.type_wrappers and not any(isinstance(v, Class) for v in denoted(engine, file, site, base)):
        # `Annotated[T, …]`, `Result<T, E>`: the first argument is the contained value; `Union[A, B]` may be either.
        chosen = arguments if name == "Union" else arguments[:1]
        return union([instances(engine, file, site, a, owner) for a in chosen])
    if name in policy.types.type_classes:
        classes = union([instances(engine, file, site, a, owner) for a in arguments])
        return tuple(v.cls for v in classes if isinstance(v, Instance))
    if name in policy.types.type_operators:
        return _operated(engine, file, site, policy.types.type_operators[name], arguments[0])
    if name in policy.types.type_containers and not any(
        isinstance(v, Class) for v in denoted(engine, file, site, base)
    ):
        return _container(engine, file, site, expr, arguments, name in ("tuple", "Tuple"))
    found: list[Values] = []
    for value in denoted(engine, file, site, base):
        if isinstance(value, Class):
            found.append(_applied(engine, file, site, value, arguments, owner).alone)
        elif isinstance(value, External):
            found.append(engine.instance_of(value).alone)
    return union(found)


def _applied(
    engine: Engine, file: FileIndex, site: Any, cls: Class, arguments: Sequence[Expr], owner: Class | None
) -> Instance:
    if not cls.definition.type_parameters:
        return cls.typed
    return applied(cls, True, tuple(instances(engine, file, site, argument, owner) for argument in arguments))


def _operated(engine: Engine, file: FileIndex, site: Any, operator: str, argument: Expr) -> Values:
    """`ReturnType<typeof f>`: "returned" is the result of a call, "instance" an instance of the class."""
    found: list[Values] = []
    for value in instances(engine, file, site, argument):
        if operator == "instance" and isinstance(value, Class):
            found.append(value.typed.alone)
        elif operator == "returned" and isinstance(value, Function):
            found.append(evaluate(engine, file, site, ("F", value)))
    return union(found)


def _object(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """`{item: Item, [key: string]: Item}`."""
    found = file.containers.get(id(expr))
    if found is None:
        found = containers.literal(engine, True, file, site, expr)
        for key, held in expr[1]:
            if held[0] != "x":
                field = containers.own_field(found, (key[1], key[2])) if key[0] == "k" else found.rest
                containers.add_source(engine, field, file, site, ("T", held))
    return found.alone


def _container(
    engine: Engine, file: FileIndex, site: Any, expr: Expr, arguments: Sequence[Expr], every: bool
) -> Values:
    found = file.containers.get(id(expr))
    if found is None:
        mapping = len(arguments) == 2 and not every and expr[0] == "s"
        found = containers.literal(engine, mapping, file, site, expr)
        positional = expr[0] == "l" or (every and not (len(arguments) == 2 and arguments[1][0] == "x"))
        for i, argument in enumerate(arguments if every or positional else arguments[-1:]):
            field = containers.own_field(found, ("int", str(i))) if positional else found.rest
            containers.add_source(engine, field, file, site, ("T", argument))
    return found.alone


def narrowed(engine: Engine, values: Values, declared: Values) -> Values:
    """The values that are instances of one of the declared types and more specific than it."""
    if not values:
        return ()
    classes = [v.cls for v in declared if isinstance(v, Instance)]
    if not classes:
        if all(isinstance(v, ExternalInstance) for v in declared):
            return tuple(v for v in values if not isinstance(v, ExternalInstance))
        return values
    found: list[Value] = []
    for value in values:
        if isinstance(value, Instance):
            if any(is_subclass(engine, value.cls, cls) for cls in classes):
                open_ = value.arguments and value.cls.typed in declared  # `Box<T> box = INTS`: merged over all T
                found.append((value.cls.typed if value.declared else value.cls.instance) if open_ else value)
        elif not isinstance(value, ExternalInstance):
            found.append(value)
    return tuple(found)


def _typed(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    declared = instances(engine, file, site, expr[1])
    if closed(expr[1]) or (expr[1][0] == "t" and declared):  # a cast to `typeof other`
        return declared
    values = evaluate(engine, file, site, expr[2])
    if not declared:
        return values
    return union([declared, narrowed(engine, values, declared)])


def _of_type(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return instances(engine, file, site, expr[1])


OPERATORS.update({"t": _typed, "T": _of_type})
