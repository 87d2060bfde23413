"""The names under which other files reach the routers of one."""

from __future__ import annotations

from loregraph.indexer.endpoints.clients import base_of
from loregraph.indexer.endpoints.collecting import Collected
from loregraph.indexer.endpoints.kinds import KINDS
from loregraph.indexer.endpoints.model import CALLED, Router
from loregraph.indexer.endpoints.view import Defined, Made
from loregraph.indexer.facts import FILE_SCOPE


def _is_shared(found: Made) -> bool:
    return (
        found.kind != "parameter"
        and KINDS[found.kind].role in ("router", "client", "messages")
        and found.kind != "injected"
    )


def _key(c: Collected, found: Made) -> str:
    """The key of a router's or client's record; a client's prefix is its address."""
    key = c.router(found)
    kind = KINDS[found.kind]
    if kind.role == "client" and found.call >= 0:
        c.routers[key] = Router(key, found.kind, base_of(c, found, kind) or [], True)
    return key


def exported(
    c: Collected,
) -> None:
    """The dotted names under which routers are known in this file."""
    names: dict[str, list[str]] = {}
    for scope, name in c.view.bound:
        if scope == FILE_SCOPE or c.view.definition(scope).is_type:
            found = c.view.named(name, scope)
            if isinstance(found, Made) and _is_shared(found):
                dotted = name if scope == FILE_SCOPE else f"{c.view.qualname(scope)}.{name}"
                names.setdefault(_key(c, found), []).append(dotted)
    for cls, name in c.view.members:
        found = c.view.member(cls, name)
        if isinstance(found, Made) and _is_shared(found):
            names.setdefault(_key(c, found), []).append(f"{c.view.qualname(cls)}.{CALLED}.{name}")
    for export in c.facts.exports:
        found = c.view.value(export.value, export.scope)
        if isinstance(found, Made) and _is_shared(found):
            names.setdefault(_key(c, found), []).append(export.name)
        elif isinstance(found, Defined) and export.name in ("=", "default"):
            _parameter_names(c, found.number, export.name, names)
    for returned in c.facts.returns:
        if returned.scope == FILE_SCOPE or returned.kind != "return":
            continue
        found = c.view.value(returned.value, returned.scope)
        if isinstance(found, Made) and _is_shared(found):
            names.setdefault(_key(c, found), []).append(f"{c.view.qualname(returned.scope)}.{CALLED}")
    for number, definition in enumerate(c.facts.definitions):
        if definition.is_function and definition.parameters:
            _parameter_names(c, number, definition.qualname, names)
        kind = c.view.kind_of_class(number) if definition.is_type and definition.bases else ""
        if kind and KINDS[kind].role == "router":
            key = f"k{number}"
            c.routers[key] = Router(key, kind, [], KINDS[kind].root)
            names.setdefault(key, []).append(f"{definition.qualname}.{CALLED}")
    for key, own in names.items():
        c.routers[key] = Router(
            key, c.routers[key].kind, c.routers[key].prefix, c.routers[key].root, tuple(dict.fromkeys(own))
        )
    # A router that nothing is registered with, mounted on or known by says nothing.
    used = {route.key for route in c.routes} | {m.parent for m in c.mounts} | {m.child for m in c.mounts}
    c.routers = {key: router for key, router in c.routers.items() if key in used or router.names or key in names}


def _parameter_names(c: Collected, number: int, name: str, names: dict[str, list[str]]) -> None:
    for position, parameter in enumerate(c.facts.definitions[number].parameters):
        key = f"p{number}.{parameter.name}"
        if key in c.routers:
            names.setdefault(key, []).append(f"{name}.({position})")
