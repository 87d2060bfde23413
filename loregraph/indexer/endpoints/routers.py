"""Calls of methods: which register routes or mount routers."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.endpoints import kinds
from loregraph.indexer.endpoints.clients import client_request, imported_client, unknown_client
from loregraph.indexer.endpoints.collecting import Collected, keyword_of
from loregraph.indexer.endpoints.kinds import KINDS, Kind
from loregraph.indexer.endpoints.model import ANY, CALLED, HTTP_METHODS, Mount, Route, Router, Template
from loregraph.indexer.endpoints.texts import keyword
from loregraph.indexer.endpoints.view import Defined, Made, Symbol
from loregraph.indexer.facts import Call, Expr

_SERVERS: Final = frozenset({"app", "router", "server", "api", "route", "routes", "fastify", "instance"})
"""Names under which applications are passed to functions that register routes."""
_TELLING: Final = frozenset({"register_blueprint", "include_router", "add_url_rule", "add_api_route"})
_PATTERN: Final = re.compile(r"(?:([A-Z]{3,7})\s+)?(?:[\w.*-]+)?(/.*)", re.DOTALL)


def passed_on(c: Collected) -> None:
    """All routers that functions are given; only names that stand for one are looked at."""
    names = set(_SERVERS)
    for scope, name in c.view.bound:
        found = c.view.named(name, scope)
        if isinstance(found, Made) and KINDS[found.kind].role == "router":
            names.add(name)
    for call in c.facts.calls:
        function = call.function
        if function[0] not in ("n", "a") or (function[0] == "a" and function[2] in kinds.METHODS):
            continue
        if any(
            (one[0] == "n" and (one[1] in names or one[1].lower() in names))
            or (one[0] == "c" and _last(c, one[1]) in kinds.GROUPING)
            or (one[0] == "a" and one[2] in names)
            for one in call.arguments
        ):
            passed(c, call)


def _last(c: Collected, number: int) -> str:
    function = c.facts.calls[number].function
    return function[2] if function[0] == "a" else ""


def passed(c: Collected, call: Call) -> None:
    """Routers that a function of the project is given: what it registers with its parameter is theirs."""
    found: tuple[str, ...] | None = None
    for position, argument in enumerate(call.arguments):
        if argument[0] not in ("n", "c", "a"):
            continue
        value = c.view.value(argument, call.scope)
        if not isinstance(value, Made) or KINDS[value.kind].role != "router":
            continue
        if value.kind == "parameter" and value.key.rpartition(".")[2].lower() not in _SERVERS:
            continue
        if found is None:
            function = c.view.value(call.function, call.scope)
            if isinstance(function, Made):
                return
            found = c.reference(function)
        if found:
            names = (*found, f"({position})")
            c.mounts.append(Mount(c.router(value), [], "", names, (), call.scope))


def called_method(c: Collected, number: int, call: Call) -> None:
    view = c.view
    base = view.value(call.function[1], call.scope)
    name = call.function[2]
    if isinstance(base, Made):
        if base.kind == "parameter":
            _of_parameter(c, number, call, base, name)
            return
        kind = KINDS[base.kind]
        if kind.role in ("client", "test"):
            client_request(c, call, kind, name, base)
        else:
            _registers(c, number, call, base, kind, name)
        return
    if (
        isinstance(base, Symbol)
        and name in kinds.LOWER
        and number not in c.decorating
        and imported_client(c, call, base)
    ):
        return
    if isinstance(base, Symbol) and base.path in kinds.CONFIGURED and name in kinds.LOWER:
        return  # a function of `kinds.FUNCTIONS`
    if isinstance(base, Symbol) and _may_be_router(c, base, call, number, name):
        _elsewhere(c, number, call, base, name)
    elif name in kinds.LOWER or name in kinds.KINDS["dotnet"].verbs:
        unknown_client(c, call, name, base)


def _registers(c: Collected, number: int, call: Call, base: Made, kind: Kind, name: str) -> None:
    """A call of a known router's method."""
    scope = call.scope
    if base.kind == "chained":
        if name in kind.verbs and call.arguments:
            chain = c.facts.calls[base.call if base.call >= 0 else int(base.key[1:])]
            given = c.given(chain)
            owner = c.view.value(chain.function[1], chain.scope)
            if given and isinstance(owner, Made):
                path = c.template(given[0], scope)
                c.route(c.router(owner), (kind.verbs[name],), path, call, call.arguments[-1], "route")
        return
    if name in kind.groups:
        c.group(number, base, call)
        return
    given = c.given(call)
    if name in kind.chains and len(call.arguments) == 1:
        return
    if number in c.decorating and given and name in (*kind.verbs, *kind.routes):
        methods = (kind.verbs[name],) if name in kind.verbs else c.said_methods(call, ("GET",))
        if name == "api_route":
            methods = c.said_methods(call, ("GET",))
        handler = c.view.qualname(c.decorating[number])
        path = c.first_path(given, call)
        c.routes.append(Route(c.router(base), methods, path, call.line, "route", (handler,)))
        return
    if kind.decorates and name in kind.verbs and name not in kind.adders and number not in c.decorating:
        return
    if name in kind.adders and given:
        view = keyword_of(call, "view_func", "endpoint") or (
            call.arguments[2] if len(call.arguments) > 2 else call.arguments[1] if len(call.arguments) > 1 else None
        )
        _adder(c, base, call, given, view)
    elif name in kind.includes and call.arguments and (name != "register" or c.is_ecmascript):
        _include(c, base, kind, call, given)
    elif name in kind.nested and len(call.arguments) == 2:
        _nested(c, base, call, given)
    elif name in kind.mounts and call.arguments:
        _mount(c, base, call, given)
    elif name in kind.patterns and len(call.arguments) == 2:
        _pattern(c, base, call, given)
    elif name in kind.verbs and len(call.arguments) > 1 and given:
        path = c.template(given[0], scope)
        first = path[0] if path else ""
        is_path = isinstance(first, list) or first[:1] in ("/", "*", ":") or (first and base.kind != "parameter")
        if is_path or (not path and base.kind in kinds.GROUPS):
            c.route(c.router(base), (kind.verbs[name],), path, call, call.arguments[-1], "route")
    elif name in kind.verbs and call.arguments and given and base.kind in kinds.GROUPS:
        path = [] if call.arguments[0][0] == "f" else c.template(given[0], scope)
        c.route(c.router(base), (kind.verbs[name],), path, call, call.arguments[-1], "route")


def _of_parameter(c: Collected, number: int, call: Call, base: Made, name: str) -> None:
    """A call of a method of a parameter without a type: it may be a router where the files' join finds one passed."""
    said = call.function[1]
    written = said[1] if said[0] == "n" else ""
    if name in _TELLING or (number in c.decorating and (name in kinds.LOWER or name == "route")):
        _registers(c, number, call, base, KINDS["fastapi" if "router" in name or "api" in name else "flask"], name)
    elif c.is_ecmascript and written.lower() in _SERVERS and (len(call.arguments) > 1 or name in ("use", "route")):
        last = call.arguments[-1]
        if last[0] != "d" or name == "register":
            _registers(c, number, call, base, KINDS["parameter"], name)
    elif name in kinds.LOWER:
        unknown_client(c, call, name, None)


def _adder(c: Collected, base: Made, call: Call, given: list[str], view: Expr | None) -> None:
    methods = c.said_methods(call, ())
    names, named = c.handler(view, call.scope)
    if not methods:
        methods = (CALLED,) if _is_view(c, view) else ("GET",)
    path = c.first_path(given, call)
    c.routes.append(Route(c.router(base), methods, path, call.line, "route", names, named, call.scope))


def _include(c: Collected, base: Made, kind: Kind, call: Call, given: list[str]) -> None:
    prefix: Template = []
    for argument in given[1:]:
        named = keyword(argument.lstrip("{ ").rstrip("} "))
        if named is not None and named[0] in ("prefix", "url_prefix"):
            prefix = c.template(named[1], call.scope)
    _mounted(c, base, prefix, call.arguments[0], call)


def _mount(c: Collected, base: Made, call: Call, given: list[str]) -> None:
    first = call.arguments[0]
    if call.function[2] == "route" and len(call.arguments) == 1:
        return
    has_prefix = len(call.arguments) > 1 and len(given) > 1 and first[0] in ("k", "n", "a", "b", "c")
    prefix = c.template(given[0], call.scope) if has_prefix and first[0] != "c" else []
    if has_prefix and first[0] == "n" and not any(isinstance(part, str) for part in prefix):
        value = c.view.value(first, call.scope)
        if isinstance(value, Made | Defined):
            prefix = []
    for child in call.arguments[1 if has_prefix and first[0] in ("k", "b", "a", "n") else 0 :]:
        if child[0] in ("n", "a", "c", "m", "f"):
            _mounted(c, base, prefix, child, call)


def _mounted(c: Collected, base: Made, prefix: Template, child: Expr, call: Call) -> None:
    value = c.view.value(child, call.scope)
    parent = c.router(base)
    if isinstance(value, Made):
        if KINDS[value.kind].role == "router" and value.key != base.key:
            c.mounts.append(Mount(parent, prefix, c.router(value)))
        return
    if isinstance(value, Defined):
        definition = c.view.definition(value.number)
        if definition.is_function and definition.parameters:  # `app.register(routes, {prefix})`
            inside = Made("parameter", f"p{value.number}.{definition.parameters[0].name}")
            c.mounts.append(Mount(parent, prefix, c.router(inside)))
            return
    names = c.reference(value)
    if not names and child[0] == "c":
        names = c.reference(c.view.value(c.facts.calls[child[1]].function, call.scope))
        names = (*names, CALLED) if names else ()
    if names:
        c.mounts.append(Mount(parent, prefix, "", names, (), call.scope))


def _nested(c: Collected, base: Made, call: Call, given: list[str]) -> None:
    """`.route("/x", get(show).put(update))`."""
    if not given:
        return
    path = c.template(given[0], call.scope)
    expr = call.arguments[1]
    found: list[tuple[str, Expr]] = []
    for _ in range(12):
        if expr[0] != "c":
            break
        made = c.facts.calls[expr[1]]
        name = made.function[2] if made.function[0] == "a" else made.function[1] if made.function[0] == "n" else ""
        if name in (*kinds.LOWER, "any") and made.arguments:
            found.append((kinds.LOWER.get(name, ANY), made.arguments[0]))
        if made.function[0] != "a":
            break
        expr = made.function[1]
    for method, handler in reversed(found):
        c.route(c.router(base), (method,), path, call, handler, "route")


def _pattern(c: Collected, base: Made, call: Call, given: list[str]) -> None:
    """`HandleFunc("GET /x/{id}", h)`, and gorilla's `.Methods("GET")` behind it."""
    if not given:
        return
    path = c.template(given[0], call.scope)
    method: tuple[str, ...] = (ANY,)
    if path and isinstance(path[0], str):
        found = _PATTERN.fullmatch(path[0])
        if found is None:
            return
        method = (found[1] or ANY,)
        path = [found[2], *path[1:]]
    said = next(
        (one for one in c.facts.calls if one.at == call.at and one.function[0] == "a" and one.function[2] == "Methods"),
        None,
    )
    if said is not None and base.kind.startswith("mux"):
        written = [one.strip("\"'`") for one in c.given(said)]
        method = tuple(one.rpartition("Method")[2].upper() for one in written if one) or method
        method = tuple(one for one in method if one in HTTP_METHODS and one != "OPTIONS") or method
    c.route(c.router(base), method, path, call, call.arguments[-1], "route")


def _may_be_router(c: Collected, base: Symbol, call: Call, number: int, name: str) -> bool:
    """Whether a call of an imported object's method may be a route: what it is shows when files are joined."""
    alias = c.view.imports.get(base.names[0]) if base.names else None
    if base.names[:1] and base.names[0][:1] == "=":
        return bool(call.arguments)
    is_here = base.path.startswith("<here>")
    if alias is None and not is_here:
        return False
    if number in c.decorating:
        return name in kinds.LOWER or name in ("route", "api_route")
    return name in ("register_blueprint", "include_router", "add_url_rule", "add_api_route", "use", "mount") or (
        c.is_ecmascript and len(call.arguments) > 1 and call.arguments[-1][0] in ("f", "n", "a", "c")
    )


def _elsewhere(c: Collected, number: int, call: Call, base: Symbol, name: str) -> None:
    """A route or mount of a router that another file makes, or a function."""
    names = c.reference(base)
    given = c.given(call)
    here = f"r{'.'.join(names)}"
    routes, mounts = len(c.routes), len(c.mounts)
    kind = KINDS["flask" if number in c.decorating or name.startswith(("register_b", "add_url")) else "fastapi"]
    if name in ("use",) or (number not in c.decorating and c.is_ecmascript):
        kind = KINDS["parameter"]
    made = Made("parameter", here)
    c.routers.setdefault(here, Router(here, "parameter", [], False))
    if given:
        _registers(c, number, call, made, kind, name)
    if len(c.routes) == routes and len(c.mounts) == mounts:
        return
    link = Mount("", [], here, (), names, call.scope)
    if link not in c.mounts:
        c.mounts.append(link)


def _is_view(c: Collected, view: Expr | None) -> bool:
    """Whether a view is made of a class, whose methods are those of HTTP."""
    if view is None or view[0] != "c":
        return False
    function = c.facts.calls[view[1]].function
    return bool(function[0] == "a" and function[2] == "as_view")
