"""Type arguments of the project's own generic types and functions.

A type's parameters are bound by the type arguments in the receiver's declared type (`Repo<Owner> owners`) and in the
supertypes clause (`class Owners extends Repo<Owner>`); a function's by the types of its arguments (`func First[T
any](xs []T) T`). Only written types are used; an unbound parameter stays its upper bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.containers import add_source, new
from loregraph.indexer.resolve.dispatch import elements_of, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import outer_site
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.model import (
    PARAMETER,
    Class,
    Container,
    ExternalInstance,
    FileIndex,
    Function,
    Instance,
    Link,
    Scope,
    Site,
    Super,
    Value,
    Values,
)
from loregraph.indexer.resolve.passing import arguments_for
from loregraph.indexer.resolve.scoping import find, innermost
from loregraph.indexer.resolve.type_arguments import applied
from loregraph.indexer.resolve.types import denoted, instances, narrowed

MAX_REST: Final = 4
"""How many arguments of a rest parameter are examined for their type."""
Bound = Mapping[str, Values]
"""Type parameter → the values of its argument."""


# Implements REQ-RES-016.
def given(engine: Engine, function: Function, link: Link, known: Values) -> Values:
    """What a function returns to the call behind `link`: `known`, its result for any call, plus the values of the type
    parameters in its result type. Where all of these are known, values of `known` that do not match are left out."""
    wanted = function.open
    if wanted is None:
        wanted = function.open = _open(function)
    returns = function.definition.returns
    if not wanted or returns is None:
        return known
    if not function.file.policy.types.static_types and not all(
        isinstance(v, Container | ExternalInstance) for v in known
    ):
        return known  # where values are followed anyway, they are more precise than types
    bound = _of_receiver(engine, function, link.receiver)
    if link.call is not None and link.file is not None and not wanted <= bound.keys():
        bound = {**_written(engine, function, link, wanted), **bound}
    if not wanted <= bound.keys():
        bound = {**_of_arguments(engine, function, link, wanted - bound.keys()), **bound}
    if wanted.isdisjoint(bound):
        return known
    values = _Reading(engine, function.file, outer_site(function), bound, link).values(returns)
    return union([values, narrowed(engine, known, values) if values and wanted <= bound.keys() else known])


def member_given(engine: Engine, receiver: Instance, owner: Class, written: Expr) -> Values:
    """The values of a member of `owner` with the type `written`, read through `receiver`."""
    bound = arguments_of(engine, receiver, owner)
    if not bound:
        return ()
    return _Reading(engine, owner.file, Site(owner.number, 0, -2), bound, None).values(written)


def is_open(owner: Class, written: Expr | None) -> bool:
    """Whether a type mentions one of its owner's type parameters."""
    names = owner.definition.type_parameters
    return bool(names) and written is not None and not frozenset(names).isdisjoint(_named(written))


def _open(function: Function) -> frozenset[str]:
    returns = function.definition.returns
    names = set(function.definition.type_parameters)
    if function.owner is not None:
        names.update(function.owner.definition.type_parameters)
    if not names or returns is None:
        return frozenset()
    return frozenset(names & _named(returns))


def _named(written: Expr) -> set[str]:
    """The names that occur in a type."""
    found: set[str] = set()
    stack: list[Any] = [written]
    while stack:
        part = stack.pop()
        if type(part) is tuple or type(part) is list:
            if len(part) == 2 and part[0] == "n":
                found.add(part[1])
            else:
                stack += part
    return found


def _of_receiver(engine: Engine, function: Function, receiver: Value | None) -> dict[str, Values]:
    """The type arguments of a method's type, by the parameter names that the method uses."""
    owner = function.owner
    if isinstance(receiver, Super):
        receiver = receiver.receiver
    if owner is None or not isinstance(receiver, Instance):
        return {}
    bound = arguments_of(engine, receiver, owner)
    if bound and function.definition.owner is not None and function.file.policy.members.embedding:
        # A method defined outside its type may rename the type's parameters.
        held = [bound.get(name, ()) for name in owner.definition.type_parameters]
        return {name: values for name, values in zip(function.definition.type_parameters, held, strict=False) if values}
    return bound


def arguments_of(engine: Engine, receiver: Instance, owner: Class) -> dict[str, Values]:
    """The type arguments of `owner` in an instance of it or of a subtype."""
    names = owner.definition.type_parameters
    if not names:
        return {}
    if receiver.cls is owner:
        return _bound(names, receiver.arguments)
    known = {receiver.cls: _bound(receiver.cls.definition.type_parameters, receiver.arguments)}
    for cls in linearised(engine, receiver.cls):
        if cls is owner or not isinstance(cls, Class):
            break
        reading = _Reading(engine, cls.file, _header(cls), known.get(cls, {}), None)
        for base in cls.definition.bases:
            if base.type[0] != "s":
                continue
            for value in evaluate(engine, cls.file, reading.site, base.type[1]):
                if isinstance(value, Class) and value not in known and value.definition.type_parameters:
                    held = tuple(reading.argument(part) for part in _parts(base.type))
                    known[value] = _bound(value.definition.type_parameters, held)
    return known.get(owner, {})


def embedded(engine: Engine, receiver: Instance, owner: Class) -> Instance:
    """The embedded part of an object: the one of type `owner`."""
    if receiver.cls is owner:
        return receiver
    names = owner.definition.type_parameters
    bound = arguments_of(engine, receiver, owner) if names else {}
    return applied(owner, True, tuple(bound.get(name, ()) for name in names)) if bound else owner.typed


def _header(cls: Class) -> Site:
    """The site at which the supertypes of a type are read."""
    parent = cls.scope.parent
    start = cls.definition.start_byte
    block = innermost(parent, start) if parent is not None and cls.file.facts.blocks else -1
    return Site(parent.number if parent is not None else -1, start, block)


def _bound(names: Sequence[str], arguments: Sequence[Values]) -> dict[str, Values]:
    return {name: held for name, held in zip(names, arguments, strict=False) if held}


def _parts(generic: Expr) -> Sequence[Expr]:
    """The type arguments in a written type."""
    written = generic[2]
    return written[1] if written[0] == "l" else (written,)


# Types with bound parameters


class _Reading:
    """Reads types under a binding of type parameters. `link` is the call that asks."""

    __slots__ = ("bound", "engine", "file", "link", "site")

    def __init__(self, engine: Engine, file: FileIndex, site: Any, bound: Bound, link: Link | None) -> None:
        self.engine = engine
        self.file = file
        self.site = site
        self.bound = bound
        self.link = link

    def argument(self, written: Expr) -> Values:
        """The values of a type argument, even one that mentions no parameter."""
        return self.values(written) or instances(self.engine, self.file, self.site, written)

    def values(self, written: Expr) -> Values:
        """The instances of a type, as far as bound parameters determine them."""
        op = written[0]
        if op == "n":
            return self.bound.get(written[1], ())
        if op == "u":
            return union([self.values(option) for option in written[1]])
        if op in ("*", "w"):
            return self.values(written[1])
        if op != "s" or self.bound.keys().isdisjoint(_named(written[2])):
            return ()
        return self._generic(written)

    def _generic(self, written: Expr) -> Values:
        policy = self.file.policy
        name = _name(written)
        classes = [v for v in denoted(self.engine, self.file, self.site, written[1]) if isinstance(v, Class)]
        if classes:
            arguments = tuple(self.argument(part) for part in _parts(written))
            return tuple(applied(cls, True, arguments) for cls in classes)
        if name in policy.types.type_wrappers:
            return self.values(_parts(written)[0])
        if name in policy.types.type_classes:
            held = self.values(_parts(written)[0])
            return tuple(dict.fromkeys(v.cls for v in held if isinstance(v, Instance)))
        return self._container(written) if name in policy.types.type_containers else ()

    def _container(self, written: Expr) -> Values:
        """A list or mapping of a parameter's values; one per call."""
        link = self.link
        held = self.values(_parts(written)[-1])
        if link is None or link.call is None or link.file is None or link.file is not self.engine.home or not held:
            return ()
        key = ("given", link.file, id(link.call))
        known = self.engine.interned.get(key)
        if isinstance(known, Container):
            found = known
            if (link.file, None, ("V", held)) not in found.rest.sources:
                self.engine.source(found.rest, link.file, None, ("V", held))
        else:
            origin = ("given", link.file, link.call)
            found = new(self.engine, link.file, key, len(_parts(written)) == 2, link.file.policy, origin)
            self.engine.keep(origin)
            self.engine.interned[key] = found
            add_source(self.engine, found.rest, link.file, None, ("V", held))
        return (found,)


def _name(written: Expr) -> str:
    base = written[1]
    return base[1] if base[0] == "n" else base[2] if base[0] == "a" else ""


# Generic functions


def _written(engine: Engine, function: Function, link: Link, wanted: frozenset[str]) -> dict[str, Values]:
    """The explicit type arguments of a call: `First[Owner](…)`."""
    names = function.definition.type_parameters
    if link.file is None or link.call is None or link.call.function[0] != "s" or link.transparent:
        return {}
    parts = _parts(link.call.function)
    found = {
        name: instances(engine, link.file, link.call, part)
        for name, part in zip(names, parts, strict=False)
        if name in wanted
    }
    return {name: held for name, held in found.items() if held} if len(parts) <= len(names) else {}


def _of_arguments(engine: Engine, function: Function, link: Link, wanted: frozenset[str]) -> dict[str, Values]:
    """The type arguments of a function, inferred from a call's arguments."""
    names = wanted & frozenset(function.definition.type_parameters)
    found: dict[str, list[Values]] = {}
    if not names or link.file is None or link.call is None:
        return {}
    for number, parameter in enumerate(function.parameters):
        written = parameter.type
        if written is None or names.isdisjoint(_named(written)):
            continue
        for argument in _arguments(function, number, link):
            if argument[0] not in ("x", "k") and not _is_merged(link.file, link.call.scope, argument):
                values = evaluate(engine, link.file, link.call, argument)
                _match(engine, function.file, outer_site(function), written, values, names, found)
    return {name: union(held) for name, held in found.items() if any(held)}


def _is_merged(file: FileIndex, number: int, argument: Expr) -> bool:
    """Whether an argument is a variable whose type mentions type parameters of the enclosing code: its cell merges all
    their arguments."""
    scope = file.scopes[number]
    owner = find(scope, argument[1]) if argument[0] == "n" else None
    if owner is None:
        return False
    written: set[str] = set()
    for binding in owner.bindings[argument[1]]:
        type_ = binding.type
        if binding.kind == PARAMETER:
            type_ = binding.payload[1].parameters[binding.payload[2]].type
        if type_ is not None:
            written |= _named(type_)
    return any(_is_parameter(scope, name) for name in written)


def _is_parameter(scope: Scope, name: str) -> bool:
    owner = find(scope, name)
    return owner is not None and owner.definition is not None and name in owner.definition.type_parameters


def _arguments(function: Function, number: int, link: Link) -> Sequence[Expr]:
    if function.parameters[number].kind != "*":
        return arguments_for(function, number, link)
    if link.call is None or link.skip:
        return ()
    first = number - int(link.receiver is not None and function.lists_receiver)
    return link.call.arguments[first : first + MAX_REST] if first >= 0 else ()


def _match(
    engine: Engine,
    file: FileIndex,
    site: Any,
    written: Expr,
    values: Values,
    names: frozenset[str],
    found: dict[str, list[Values]],
) -> None:
    """Matches values against the type `written` and adds to `found` what the parameters `names` are bound to."""
    if written[0] == "*" and values:
        _match(engine, file, site, written[1], values, names, found)
    if written[0] == "n" and written[1] in names:
        held = tuple(v for v in values if isinstance(v, Instance | Container | ExternalInstance))
        found.setdefault(written[1], []).append(held)
    if written[0] != "s" or not values or names.isdisjoint(_named(written[2])):
        return
    policy, name, parts = file.policy, _name(written), _parts(written)
    classes = [v for v in denoted(engine, file, site, written[1]) if isinstance(v, Class)]
    if classes:
        for value in values:
            for cls in classes:
                if isinstance(value, Instance) and cls in linearised(engine, value.cls):
                    bound = arguments_of(engine, value, cls)
                    for parameter, part in zip(cls.definition.type_parameters, parts, strict=False):
                        if parameter in bound:
                            _match(engine, file, site, part, bound[parameter], names, found)
    elif name in policy.types.type_wrappers:
        _match(engine, file, site, parts[0], values, names, found)
    elif name in policy.types.type_classes:
        held = tuple(v.typed for v in values if isinstance(v, Class))
        _match(engine, file, site, parts[0], held, names, found)
    elif name in policy.types.type_containers:
        elements = union([elements_of(engine, file, v) for v in values if isinstance(v, Container) and not v.mapping])
        _match(engine, file, site, parts[-1], elements, names, found)
