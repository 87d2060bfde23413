"""The remote procedure calls that one file declares, answers and makes.

Generated code is known by its names (`rpc_names`), and only what a service of the project has by that name counts when
files are joined: what is recorded here are possibilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.indexer.endpoints import rpc_names
from loregraph.indexer.endpoints.collecting import Collected
from loregraph.indexer.endpoints.model import Rpc
from loregraph.indexer.endpoints.rpc_clients import Clients, dotted
from loregraph.indexer.facts import FILE_SCOPE, Call, Definition, Expr
from loregraph.indexer.languages import registry

_WORDS: Final = re.compile(r"[A-Za-z0-9]+")
_WITH: Final = frozenset({"with_call", "future"})
"""Ways to call a method of a Python stub other than to call it."""
MAX_METHODS: Final = 1_000
"""Methods of one object that is registered."""


# Implements REQ-NET-007.
def collect(c: Collected, limit: int) -> tuple[Rpc, ...]:
    """At most `limit` remote calls of a file; `c.cut` counts the others."""
    found: list[Rpc] = []
    rows = _declared(c) if registry.BY_NAME[c.facts.language].declares_services else _used(c)
    for row in rows:
        if len(found) < limit:
            found.append(row)
        else:
            c.cut += 1
    return tuple(found)


def _declared(c: Collected) -> Iterator[Rpc]:
    for definition in c.facts.definitions:
        around = c.facts.definitions[definition.parent] if definition.parent >= 0 else None
        if definition.kind == "method" and around is not None and around.kind == "interface":
            service = f"{c.facts.package}.{around.name}" if c.facts.package else around.name
            yield Rpc("declares", service, definition.name, definition.start_line, definition.qualname)


def _used(c: Collected) -> Iterator[Rpc]:
    for number, definition in enumerate(c.facts.definitions):
        if definition.is_type:
            yield from _served(c, number)
        elif definition.decorators:
            yield from _annotated(c, number, definition)
    yield from _implementations(c)
    clients = Clients(c)
    for call in c.facts.calls:
        function = call.function
        name = function[1] if function[0] == "n" else function[2] if function[0] == "a" else ""
        if not name:
            continue
        if name == "addService" and len(call.arguments) == 2:
            yield from _added(c, call)
        elif service := rpc_names.registered(name):
            yield from _registered(c, call, service, function)
        elif function[0] == "a":
            base = function[1]
            if name in _WITH and base[0] == "a":
                base, name = base[1], base[2]
            known = clients.of(base, call.scope)
            if known is not None:
                scope = c.view.qualname(c.node_scope(call.scope))
                yield Rpc("requests", known[0], name, call.line, scope, "stub", hint=known[1])
            elif member := _member_elsewhere(c, base, call.scope):
                scope = c.view.qualname(c.node_scope(call.scope))
                yield Rpc("requests", "", name, call.line, scope, "stub", member, True)


def _member_elsewhere(c: Collected, base: Expr, scope: int) -> tuple[str, ...]:
    """(type, field) of `s.carts` in a method whose type another file of the package defines."""
    if base[0] != "a" or base[1][0] != "n" or not c.view.is_receiver(base[1][1], scope):
        return ()
    if c.view.class_of(scope) is not None:
        return ()
    owners = [c.view.definition(at).owner for at in c.view.around(scope) if at != FILE_SCOPE]
    owner = next((one for one in owners if one is not None and one[0] == "n"), None)
    return (owner[1], base[2]) if owner is not None else ()


def _served(c: Collected, number: int) -> Iterator[Rpc]:
    """What a type's supertypes say that it answers, also those that it has by way of another type of the file."""
    definition = c.view.definition(number)
    for base in (base for above in c.view.above(number) for base in c.view.definition(above).bases):
        names = dotted(c, base.type)
        service = rpc_names.extended(names, implements=base.relation == "IMPLEMENTS") if names else ""
        if service:
            own = (definition.qualname,)
            yield Rpc("serves", service, "", definition.start_line, "", "implements", own, hint=hint_of(c, names))


def _implementations(c: Collected) -> Iterator[Rpc]:
    """`impl Cart for Server`, where the trait is one of a module `cart_server`."""
    starred = any(module.endswith("_server") for module in c.view.stars)
    for type_, trait, line, *_ in c.facts.extras.get("impls", ()):
        written, names = dotted(c, type_), dotted(c, trait)
        if not written or not names or not (starred or any(part.endswith("_server") for part in names)):
            continue
        yield Rpc("serves", names[-1], "", line, "", "implements", written[-1:], hint=hint_of(c, names))


def _annotated(c: Collected, number: int, definition: Definition) -> Iterator[Rpc]:
    """NestJS: `@GrpcMethod("Cart", "GetCart")`; what is left out is the class's and the method's name."""
    for decorator in definition.decorators:
        if decorator[0] != "c" or definition.parent < 0:
            continue
        call = c.facts.calls[decorator[1]]
        if call.function[-1] not in ("GrpcMethod", "GrpcStreamMethod", "GrpcStreamCall"):
            continue
        said = [one[2] for one in call.arguments if one[:2] == ("k", "str")]
        service = said[0] if said else c.facts.definitions[definition.parent].name
        method = said[1] if len(said) > 1 else definition.name
        yield Rpc("handles", service, method, definition.start_line, "", "annotation", (definition.qualname,))


def _added(c: Collected, call: Call) -> Iterator[Rpc]:
    """`server.addService(proto.shop.Cart.service, {getCart, addItem: handlers.add})`."""
    names = dotted(c, call.arguments[0])
    if not names:
        return
    service, hint = rpc_names.described(names), hint_of(c, names)
    given = call.arguments[1]
    if given[0] == "n":
        bound = next((own for at in c.view.around(call.scope) if (own := c.view.bound.get((at, given[1])))), ())
        given = next((one.value for one in bound if one.value[0] in ("d", "c")), given)
    if given[0] == "d":
        for key, value in given[1][:MAX_METHODS]:
            if key[:2] == ("k", "str"):
                handler, named = c.handler(value, call.scope)
                if handler:
                    yield Rpc("handles", service, key[2], call.line, "", "route", handler, named, hint)
        return
    made = _type_of(c, given, call.scope)
    if made:
        yield Rpc("serves", service, "", call.line, "", "implements", made, True, hint)


def _registered(c: Collected, call: Call, service: str, function: Expr) -> Iterator[Rpc]:
    """`pb.RegisterCartServer(s, &server{})`, `add_CartServicer_to_server(Cart(), server)`."""
    for argument in call.arguments[:2]:
        made = _type_of(c, argument, call.scope)
        if made:
            hint = hint_of(c, dotted(c, function))
            yield Rpc("serves", service, "", call.line, "", "implements", made, True, hint)


def _type_of(c: Collected, expr: Expr, scope: int, depth: int = 0) -> tuple[str, ...]:
    """The type's name of a value that the file makes, as it is written; () where that is not known."""
    if depth > 3:
        return ()
    if expr[0] == "b":
        return _type_of(c, expr[2], scope, depth + 1) if expr[2] is not None else ()
    if expr[0] == "t":
        return _noted(c, dotted(c, expr[1], plain=True))
    if expr[0] == "n":
        for at in c.view.around(scope):
            bound = c.view.bound.get((at, expr[1]), ())[:8]
            found = next((own for one in bound if (own := _type_of(c, one.value, one.scope, depth + 1))), ())
            if found or bound:
                return found
    if expr[0] == "c":
        function = c.facts.calls[expr[1]].function
        names = dotted(c, function, plain=True)
        made = next(iter(c.view.defined.get((FILE_SCOPE, names[0]), ())), None) if len(names) == 1 else None
        if made is not None and not c.view.definition(made).is_type:
            returns = c.view.definition(made).returns
            return dotted(c, returns, plain=True) if returns is not None else ()
        return _noted(c, names)
    return ()


def _noted(c: Collected, names: tuple[str, ...]) -> tuple[str, ...]:
    if names:
        c.note(names[0])
    return names


def hint_of(c: Collected, names: tuple[str, ...]) -> str:
    """The words of a dotted name, in lower case."""
    return " ".join(_WORDS.findall(" ".join(names[:-1]).replace("_", " ").lower()))[:200]
