"""Routes that a module lists: Django's `urlpatterns`, and the routers of Django REST framework."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.endpoints.model import ANY, CALLED, Mount, Route, Router, Template
from loregraph.indexer.endpoints.view import Symbol
from loregraph.indexer.facts import FILE_SCOPE, Call, Expr

if TYPE_CHECKING:
    from loregraph.indexer.endpoints.collecting import Collected

LISTED: Final = "urlpatterns"
_ROUTES: Final = frozenset(
    {
        "django.urls.path",
        "django.urls.re_path",
        "django.conf.urls.url",
        "django.urls.conf.path",
        "django.conf.urls.path",
    }
)
_INCLUDES: Final = frozenset({"django.urls.include", "django.conf.urls.include", "django.urls.conf.include"})
_ROUTERS: Final = re.compile(r"(?:\w+\.)*(?:Default|Simple|Nested|Nested(?:Default|Simple)|\w*)Router\.\(\)")
_MAX_NESTED: Final = 200


def collect(collector: Collected) -> None:
    """Adds what the file lists."""
    view = collector.view
    for number, call in enumerate(collector.facts.calls):
        function = call.function
        if function[0] in ("n", "a") and (function[1] if function[0] == "n" else function[2]) == "register":
            _registered(collector, number, call)
    lists = [one for (scope, name), own in view.bound.items() if scope == FILE_SCOPE for one in own if _is_list(name)]
    lists = [one for one in lists if _mentions_routes(collector, one.value)]
    for assignment in lists:
        name = assignment.target[1]
        collector.routers.setdefault(f"u{name}", Router(f"u{name}", "urls", [], name == LISTED, (name,)))
        _listed(collector, f"u{name}", assignment.value, 0)


def _is_list(name: str) -> bool:
    return name.endswith(("patterns", "urls", "routes"))


def _mentions_routes(collector: Collected, expr: Expr, depth: int = 0) -> bool:
    """Whether a list has anything that is a route."""
    if depth > 6:
        return False
    if expr[0] == "l":
        return any(_mentions_routes(collector, one, depth + 1) for one in expr[1][:_MAX_NESTED])
    if expr[0] == "b" and expr[1] == "+":
        return any(one is not None and _mentions_routes(collector, one, depth + 1) for one in expr[2:])
    if expr[0] == "c":
        call = collector.facts.calls[expr[1]]
        value = collector.view.value(call.function, call.scope)
        return isinstance(value, Symbol) and (value.path in _ROUTES or any(
            _mentions_routes(collector, one, depth + 1) for one in call.arguments))  # fmt: skip
    return bool(expr[0] == "a" and expr[2] == "urls")


def _listed(collector: Collected, key: str, expr: Expr, depth: int) -> None:
    if depth > 12 or expr is None:
        return
    if expr[0] == "l":
        for one in expr[1]:
            _listed(collector, key, one, depth + 1)
    elif expr[0] == "*":
        _listed(collector, key, expr[1], depth + 1)
    elif expr[0] == "b":
        _listed(collector, key, expr[2], depth + 1)
        _listed(collector, key, expr[3], depth + 1)
    elif expr[0] == "c":
        _one(collector, key, collector.facts.calls[expr[1]], depth)
    elif expr[0] == "n" or (expr[0] == "a" and expr[2] == "urls"):
        _of_value(collector, key, expr, [])


def _one(collector: Collected, key: str, call: Call, depth: int) -> None:
    value = collector.view.value(call.function, call.scope)
    if not isinstance(value, Symbol):
        return
    if value.path not in _ROUTES:
        for argument in call.arguments:  # `format_suffix_patterns([…])`, `i18n_patterns(path(…))`
            _listed(collector, key, argument, depth + 1)
        return
    given = collector.given(call)
    if not given or len(call.arguments) < 1:
        return
    path = _plain(collector.template(given[0], call.scope))
    target = call.arguments[1] if len(call.arguments) > 1 else next((v for n, v in call.keywords if n == "view"), None)
    if target is None:
        return
    if target[0] == "c":
        inner = collector.facts.calls[target[1]]
        made = collector.view.value(inner.function, inner.scope)
        if isinstance(made, Symbol) and made.path in _INCLUDES and inner.arguments:
            _included(collector, key, path, inner.arguments[0])
            return
        if inner.function[0] == "a" and inner.function[2] == "as_view":
            _class_view(collector, key, path, call, inner)
            return
    if target[0] == "a" and target[2] == "urls":
        _of_value(collector, key, target, path)
        return
    if target[0] == "l" or target[0] == "t":
        _included(collector, key, path, target)
        return
    names, named = collector.handler(target, call.scope)
    if names:
        collector.routes.append(Route(key, (ANY,), path, call.line, "route", names, named, call.scope))


def _class_view(collector: Collected, key: str, path: Template, call: Call, inner: Call) -> None:
    names, named = collector.handler(inner.function[1], call.scope)
    if not names:
        return
    if inner.arguments and inner.arguments[0][0] == "d":
        for method, name in inner.arguments[0][1]:
            if method[:2] == ("k", "str") and name[:2] == ("k", "str"):
                own = (*names, name[2]) if named else (f"{names[0]}.{name[2]}",)
                route = Route(key, (method[2].upper(),), path, call.line, "route", own, named, call.scope)
                collector.routes.append(route)
        return
    collector.routes.append(Route(key, (CALLED,), path, call.line, "route", names, named, call.scope))


def _included(collector: Collected, key: str, prefix: Template, target: Expr) -> None:
    if target[0] == "l" and target[1]:
        first = target[1][0]
        if first[0] in ("k", "n", "a") and len(target[1]) <= 3:  # `include(("shop.urls", "shop"))`
            _included(collector, key, prefix, first)
            return
        inner = f"i{len(collector.routers)}.{len(collector.mounts)}"
        collector.routers[inner] = Router(inner, "urls")
        collector.mounts.append(Mount(key, prefix, inner))
        _listed(collector, inner, target, 1)
    elif target[:2] == ("k", "str"):
        collector.mounts.append(Mount(key, prefix, module=target[2]))
    elif target[0] in ("n", "a"):
        _of_value(collector, key, target, prefix)


def _of_value(collector: Collected, key: str, target: Expr, prefix: Template) -> None:
    """A list by its name, a module, or the `urls` of a router."""
    if target[0] == "a" and target[2] == "urls":
        base = target[1]
        if base[0] == "n" and (FILE_SCOPE, base[1]) in collector.view.bound:
            collector.mounts.append(Mount(key, prefix, f"u{base[1]}"))
            collector.routers.setdefault(f"u{base[1]}", Router(f"u{base[1]}", "urls", [], False, (base[1],)))
            return
        names = collector.reference(collector.view.value(base, FILE_SCOPE))
        if names:
            collector.mounts.append(Mount(key, prefix, "", names))
        return
    if target[0] == "n" and (FILE_SCOPE, target[1]) in collector.view.bound:
        if target[1] == LISTED:
            return
        collector.mounts.append(Mount(key, prefix, f"u{target[1]}"))
        return
    names = collector.reference(collector.view.value(target, FILE_SCOPE))
    if names:
        collector.mounts.append(Mount(key, prefix, "", names))


def _registered(collector: Collected, number: int, call: Call) -> None:
    """`router.register("users", UserViewSet)`."""
    if call.function[0] != "a" or call.function[1][0] != "n" or len(call.arguments) < 2:
        return
    base = collector.view.value(call.function[1], call.scope)
    if not isinstance(base, Symbol) or _ROUTERS.fullmatch(base.path) is None:
        return
    given = collector.given(call)
    if not given:
        return
    name = call.function[1][1]
    key = f"u{name}"
    collector.routers.setdefault(key, Router(key, "urls", [], False, (name,)))
    names, named = collector.handler(call.arguments[1], call.scope)
    if names:
        path = _plain(collector.template(given[0], call.scope))
        collector.routes.append(Route(key, (CALLED,), path, call.line, "viewset", names, named, call.scope))


def _plain(path: Template) -> Template:
    """A path without what a regular expression says of its beginning and end."""
    return [
        part.replace("^", "").removesuffix("$").removesuffix("\\Z").removesuffix("/?")
        if isinstance(part, str)
        else part
        for part in path
    ]
