"""Routes and clients that annotations declare: of classes and their methods, of functions.

Annotations are compared by their names where a file mentions the package that they come from, since their types are
imported as a whole, from other files, or not at all.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from loregraph.indexer.endpoints import kinds
from loregraph.indexer.endpoints.collecting import Collected
from loregraph.indexer.endpoints.model import ANY, Request, Route, Router, Template
from loregraph.indexer.endpoints.texts import keyword
from loregraph.indexer.endpoints.view import Symbol
from loregraph.indexer.facts import FILE_SCOPE, Definition


class Mapped(NamedTuple):
    """What an annotation says: the methods, and whether it is one of a client."""

    methods: tuple[str, ...]
    client: bool = False


_SPRING: Final = {
    **{f"{name.title()}Mapping": Mapped((method,)) for name, method in kinds.LOWER.items()},
    "RequestMapping": Mapped((ANY,)),
    **{f"{name.title()}Exchange": Mapped((method,), True) for name, method in kinds.LOWER.items()},
}
_DOTNET: Final = {f"Http{name.title()}": Mapped((method,)) for name, method in kinds.LOWER.items()}
_UPPER: Final = {method: Mapped((method,)) for method in kinds.LOWER.values()}
_ROUTED: Final = {**{name: Mapped((method,)) for name, method in kinds.LOWER.items()}}
_NEST: Final = {
    **{f"@nestjs/common.{name.title()}": method for name, method in kinds.LOWER.items()},
    "@nestjs/common.All": ANY,
}
_METHODS: Final = re.compile(r"(?:RequestMethod|HttpMethod)\.([A-Z]+)")
_CONTROLLER: Final = re.compile(r"Controller$")
_NAME: Final = re.compile(r"\w+")
_QUALIFIER: Final = re.compile(r"[\w.]*")
_PATHS: Final = frozenset({"value", "path", "template", "Template"})
_VERSION: Final = re.compile(r"\[(controller|action|area)\]", re.IGNORECASE)


def collect(c: Collected) -> None:
    """Adds what the file's annotations declare."""
    definitions = c.facts.definitions
    if not any(definition.decorators or definition.decorator_names for definition in definitions):
        _global_prefix(c)
        return
    annotations = {
        number: [found for name in definition.decorator_names if (found := _annotation(name[:300])) is not None]
        for number, definition in enumerate(definitions)
        if definition.decorator_names
    }
    for number, definition in enumerate(definitions):
        own = annotations.get(number)
        if not own or not definition.is_function:
            continue
        parent = definition.parent
        above = annotations.get(parent, []) if parent != FILE_SCOPE else []
        holder = definitions[parent] if parent != FILE_SCOPE and definitions[parent].is_type else None
        if holder is not None and c.is_ecmascript:
            _nest(c, number, definition, parent)
        elif holder is not None:
            _method(c, definition, holder, own, above, parent)
        else:
            _function(c, definition, own)
    _global_prefix(c)


def _method(
    c: Collected,
    definition: Definition,
    holder: Definition,
    own: list[tuple[str, str]],
    above: list[tuple[str, str]],
    parent: int,
) -> None:
    names = {name for name, _ in own}
    if names & _SPRING.keys() and not any(name in _DOTNET for name in names):
        _annotated(c, definition, holder, own, above, _SPRING, ("RequestMapping", "HttpExchange"))
    elif names & _DOTNET.keys() or ("Route" in names and any(name in ("ApiController", "Route") for name, _ in above)):
        _attributed(c, definition, holder, own, above)
    elif names & _UPPER.keys() and any(arguments for name, arguments in own if name in _UPPER):
        _annotated(c, definition, holder, own, [], {k: v._replace(client=True) for k, v in _UPPER.items()}, ())
    elif names & _UPPER.keys() and (any(name == "Path" for name, _ in above) or "Path" in names):
        _resource(c, definition, own, above)


def _annotated(
    c: Collected,
    definition: Definition,
    holder: Definition,
    own: list[tuple[str, str]],
    above: list[tuple[str, str]],
    known: dict[str, Mapped],
    prefixed: tuple[str, ...],
) -> None:
    """Paths of the class before those of the method, each one of several."""
    prefixes = [path for name, text in above if name in prefixed for path in _paths(c, text, definition.parent)]
    feign = next((text for name, text in above if name == "FeignClient"), None)
    if feign is not None:
        prefixes = list(_paths(c, feign, definition.parent, frozenset({"path"}))) or prefixes
    for name, text in own:
        row = known.get(name)
        if row is None:
            continue
        methods = tuple(dict.fromkeys(_METHODS.findall(text or ""))) or row.methods
        if methods == (ANY,) and feign is None and not prefixed:
            continue
        for prefix in prefixes or [[]]:
            for path in _paths(c, text, definition.parent) or [[]]:
                whole = _joined(prefix, path)
                for method in methods:
                    if feign is not None or row.client:
                        c.requests.append(
                            Request(
                                definition.qualname, method, whole or ["/"], definition.start_line, "declared",
                                has_base=True,
                            )
                        )  # fmt: skip
                    else:
                        c.routes.append(_route(c, holder, method, whole or ["/"], definition))


def _route(c: Collected, holder: Definition, method: str, path: Template, definition: Definition) -> Route:
    key = f"a{holder.qualname}"
    c.routers.setdefault(key, Router(key, "annotated", [], True))
    return Route(key, (method,), path, definition.start_line, "annotation", (definition.qualname,))


def _attributed(
    c: Collected, definition: Definition, holder: Definition, own: list[tuple[str, str]], above: list[tuple[str, str]]
) -> None:
    """A controller's action: `[Route("api/[controller]")]` of the class, `[HttpGet("{id}")]` of the method."""
    prefixes = [path for name, text in above if name == "Route" for path in _paths(c, text, definition.parent)]
    methods: list[tuple[str, Template]] = []
    further = [path for name, text in own if name == "Route" for path in _paths(c, text, definition.parent)]
    for name, text in own:
        if name in _DOTNET:
            paths = _paths(c, text, definition.parent) or further or [[]]
            methods += [(_DOTNET[name].methods[0], path) for path in paths]
    if not methods:
        methods = [(ANY, path) for path in further]
    if not prefixes and not any(path for _, path in methods):
        return
    for method, path in methods:
        first = path[0] if path else ""
        is_absolute = isinstance(first, str) and first[:1] in ("/", "~")
        for prefix in [[]] if is_absolute else prefixes or [[]]:
            whole: Template = []
            for part in _joined(prefix, path):
                whole.append(_tokens(part, holder, definition).lstrip("~") if isinstance(part, str) else part)
            c.routes.append(_route(c, holder, method, whole or ["/"], definition))


def _tokens(text: str, holder: Definition, definition: Definition) -> str:
    values = {"controller": _CONTROLLER.sub("", holder.name), "action": definition.name, "area": "{area}"}
    return _VERSION.sub(lambda found: values[found[1].lower()], text)


def _resource(c: Collected, definition: Definition, own: list[tuple[str, str]], above: list[tuple[str, str]]) -> None:
    """JAX-RS: `@Path` of the class and the method, `@GET`."""
    prefixes = [path for name, text in above if name == "Path" for path in _paths(c, text, definition.parent)]
    paths = [path for name, text in own if name == "Path" for path in _paths(c, text, definition.parent)]
    holder = c.facts.definitions[definition.parent]
    for name, _ in own:
        if name in _UPPER:
            for prefix in prefixes or [[]]:
                for path in paths or [[]]:
                    whole = _joined(prefix, path) or ["/"]
                    c.routes.append(_route(c, holder, _UPPER[name].methods[0], whole, definition))


def _function(c: Collected, definition: Definition, own: list[tuple[str, str]]) -> None:
    """`#[get("/users/<id>")]` above a function."""
    for name, text in own:
        if name in _ROUTED and (text or "").lstrip()[:1] in ('"', "r") and not c.is_ecmascript:
            given = c.texts.paired(f"f({text})")
            if given is None or not given[1] or (definition.decorators and definition.decorators[0][0] == "c"):
                continue
            path = c.template(given[1][0], FILE_SCOPE)
            if path and isinstance(path[0], str) and path[0][:1] == "/":
                key = "attributes"
                c.routers.setdefault(key, Router(key, "annotated"))
                bare = [path[0].split("?", 1)[0], *path[1:]]
                c.routes.append(
                    Route(
                        key, _ROUTED[name].methods, bare, definition.start_line, "annotation", (definition.qualname,)
                    )
                )  # fmt: skip


def _paths(c: Collected, text: str | None, scope: int, names: frozenset[str] = _PATHS) -> list[Template]:
    """The paths that an annotation is given: one, several in braces, or by name."""
    given = c.texts.paired(f"f({text})") if text else None
    if given is None:
        return []
    found: list[Template] = []
    is_named = names is not _PATHS
    for argument in given[1]:
        named = keyword(argument) if argument[:1] not in ('"', "'", "{", "[", "$", "@") else None
        if named is not None:
            if named[0] not in names:
                continue
            argument = named[1]
        elif is_named:
            continue
        if argument[:1] in "{[":
            inner = c.texts.paired(f"f({argument[1:-1]})")
            found += [c.template(one, scope) for one in (inner[1] if inner is not None else [])]
        else:
            found.append(c.template(argument, scope))
    return found


def annotations_of(definition: Definition) -> list[tuple[str, str]]:
    """The names and arguments of a definition's annotations."""
    found = map(_annotation, definition.decorator_names)
    return [one for one in found if one is not None]


def _annotation(text: str) -> tuple[str, str] | None:
    """The name and the arguments of `web.GetMapping("/x")`, "" where it has none; None for a text of another form."""
    head, paren, rest = text.partition("(")
    head, rest = head.rstrip(), rest.rstrip()
    if paren and not rest.endswith(")"):
        return None
    cut = max(head.rfind("."), head.rfind(":"))
    if _NAME.fullmatch(head[cut + 1 :]) is None or _QUALIFIER.fullmatch(head[: max(cut, 0)]) is None:
        return None
    return head[cut + 1 :], rest[:-1]


def named_paths(c: Collected, text: str, scope: int, names: frozenset[str]) -> list[Template]:
    """The texts that an annotation is given by one of these names."""
    return _paths(c, text, scope, names)


def _joined(prefix: Template, path: Template) -> Template:
    if not prefix or not path:
        return [*prefix, *path]
    return [*prefix, "/", *path]


# classes of TypeScript


def _nest(c: Collected, number: int, definition: Definition, parent: int) -> None:
    """`@Controller("cats")` of a class, `@Get(":id")` of its methods."""
    found: list[tuple[str, Template]] = []
    for call_number, call in enumerate(c.facts.calls):
        if call.function[0] != "n" or call.scope != parent or c.decorating.get(call_number) != number:
            continue
        value = c.view.value(call.function, call.scope)
        if isinstance(value, Symbol) and value.path in _NEST:
            given = c.given(call)
            method = _NEST[value.path]
            if given and given[0][:1] == "[":
                inner = c.texts.paired(f"f({given[0][1:-1]})")
                found += [(method, c.template(one, parent)) for one in (inner[1] if inner is not None else [])]
            else:
                found.append((method, c.template(given[0], parent) if given else []))
    if not found:
        return
    prefixes: list[Template] = [[]]
    for call_number, call in enumerate(c.facts.calls):
        if c.decorating.get(call_number) == parent and call.function == ("n", "Controller"):
            given = c.given(call)
            if given and given[0][:1] == "{":
                inner = c.texts.paired(f"f({given[0][1:-1]})")
                said = [
                    named[1] for one in (inner[1] if inner else []) if (named := keyword(one)) and named[0] == "path"
                ]
                given = said
            if given and given[0][:1] == "[":
                inner = c.texts.paired(f"f({given[0][1:-1]})")
                prefixes = [c.template(one, FILE_SCOPE) for one in (inner[1] if inner is not None else [])]
            elif given:
                prefixes = [c.template(given[0], FILE_SCOPE)]
    key = f"a{c.facts.definitions[parent].qualname}"
    c.routers.setdefault(key, Router(key, "nest", [], True))
    for method, path in found:
        for prefix in prefixes or [[]]:
            whole = _joined(prefix, path) or ["/"]
            c.routes.append(Route(key, (method,), whole, definition.start_line, "annotation", (definition.qualname,)))


def _global_prefix(c: Collected) -> None:
    for call in c.facts.calls:
        if call.function[0] == "a" and call.function[2] == "setGlobalPrefix" and c.is_ecmascript:
            given = c.given(call)
            if given:
                c.routers["nest"] = Router("nest", "nest-global", c.template(given[0], call.scope), True, ("nest",))
