"""What is collected of one file, with what all collectors ask of it: texts, names, routers."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.endpoints import kinds
from loregraph.indexer.endpoints.kinds import KINDS
from loregraph.indexer.endpoints.model import ANY, Mount, Request, Route, Router, Template
from loregraph.indexer.endpoints.texts import Texts, keyword
from loregraph.indexer.endpoints.view import Defined, Made, Symbol, Value, View
from loregraph.indexer.facts import FILE_SCOPE, Call, Expr, FileFacts, is_node
from loregraph.indexer.languages import registry

_TESTS: Final = re.compile(r"(?:^|[/_.])(?:tests?|spec|specs|__tests__|conftest)(?:[/_.]|$)")


class Collected:
    """What is collected of one file."""

    def __init__(self, facts: FileFacts, source: bytes) -> None:
        self.facts = facts
        self.view = View(facts)
        self.texts = Texts(source, facts.language)
        self.is_ecmascript = registry.BY_NAME[facts.language].ecmascript or bool(registry.BY_NAME[facts.language].holds)
        self.routers: dict[str, Router] = {}
        self.routes: list[Route] = []
        self.mounts: list[Mount] = []
        self.requests: list[Request] = []
        self.names: dict[str, tuple[str, int, str]] = {}
        self.cut = 0
        self.decorating: dict[int, int] = {}
        for number, definition in enumerate(facts.definitions):
            for decorator in definition.decorators:
                if decorator[0] == "c":
                    self.decorating[decorator[1]] = number

    def given(self, call: Call) -> list[str]:
        """A call's arguments as written."""
        function = call.function
        name = function[2] if function[0] == "a" else function[1]
        return self.texts.arguments(call.at, self.view.depth_in_chain(call), name) or []

    def template(self, text: str, scope: int) -> Template:
        """The text that an expression in a scope stands for, with this file's own constants filled in."""
        return self._known(self.texts.template(text), scope, 0)

    def _known(self, parts: Template, scope: int, depth: int) -> Template:
        made: Template = []
        for part in parts:
            if isinstance(part, str) or not part:
                made.append(part)
                continue
            made += self._constant(part, scope, depth)
        return made

    def _constant(self, names: list[str], scope: int, depth: int) -> Template:
        view = self.view
        found = None
        if len(names) == 1:
            at = next((at for at in view.around(scope) if (at, names[0]) in view.bound), None)
            found = view.bound[at, names[0]] if at is not None else None
            if found is None and any(
                p.name == names[0]
                for at in view.around(scope)
                if at != FILE_SCOPE
                for p in view.definition(at).parameters
            ):
                return [[]]
        elif len(names) == 2 and (names[0] == "this" or view.is_receiver(names[0], scope)):
            cls = view.class_of(scope)
            if cls is not None:
                for above in view.above(cls):
                    found = found or view.members.get((above, names[1])) or view.bound.get((above, names[1]))
        elif len(names) == 2:
            cls = next(iter(view.defined.get((FILE_SCOPE, names[0]), ())), None)
            found = view.bound.get((cls, names[1])) if cls is not None else None
        if found is not None:
            if len(found) > 1 or depth > 4 or found[0].kind not in ("=", "declare"):
                return [[]]
            one = found[0]
            text = self.texts.value(one.at)
            return self._known(self.texts.template(text), one.scope, depth + 1) if text else [[]]
        self.note(names[0])
        return [names]

    def note(self, alias: str) -> None:
        """Keeps the import behind a name, for the look-up in other files."""
        one = self.view.imports.get(alias)
        if one is not None:
            self.names.setdefault(alias, (one.module, one.level, one.name))

    def router(self, made: Made) -> str:
        """The key of a router's record."""
        if made.key not in self.routers:
            kind = KINDS[made.kind]
            prefix: Template = []
            if made.call >= 0 and kind.prefix:
                call = self.facts.calls[made.call]
                for argument in self.given(call):
                    named = keyword(argument)
                    if named is not None and named[0] == kind.prefix:
                        prefix = self.template(named[1], call.scope)
            self.routers[made.key] = Router(made.key, made.kind, prefix, kind.root)
        return made.key

    def group(self, number: int, parent: Made, call: Call) -> None:
        """A group of routes below `parent`."""
        given = self.given(call)
        key = f"c{number}"
        if key not in self.routers:
            self.routers[key] = Router(key, kinds.GROUPS.get(parent.kind, parent.kind))
        first = call.arguments[0] if call.arguments else None
        prefix = self.template(given[0], call.scope) if given and first is not None and first[0] != "f" else []
        if call.function[2] in ("With", "Group") and first is not None and first[0] in ("f", "n") and len(given) == 1:
            prefix = []
        self.mounts.append(Mount(self.router(parent), prefix, key))
        for argument in call.arguments:
            if argument[0] == "f":  # `r.Route("/x", func(r chi.Router) { … })`
                inner = self.facts.definitions[argument[1]]
                for parameter in inner.parameters[:1]:
                    inside = Made(kinds.GROUPS.get(parent.kind, parent.kind), f"p{argument[1]}.{parameter.name}")
                    self.mounts.append(Mount(key, [], self.router(inside)))

    def reference(self, value: Value | None) -> tuple[str, ...]:
        """The names of something that another file may define; () for none."""
        if isinstance(value, Symbol):
            if value.names and value.names[0][:1] == "=":
                self.names.setdefault(value.names[0], (value.names[0][1:], 0, "="))
            elif value.names:
                self.note(value.names[0])
            return value.names
        if isinstance(value, Defined):
            return tuple(self.view.definition(value.number).qualname.split("."))
        return ()

    def handler(self, expr: Expr | None, scope: int) -> tuple[tuple[str, ...], bool]:
        """A handler as `Route` has it."""
        depth = 0
        while expr is not None and expr[0] == "c" and depth < 4:  # `http.HandlerFunc(f)`, `wrap(f)`, `View.as_view()`
            call = self.facts.calls[expr[1]]
            if call.function[0] == "a" and call.function[2] in ("as_view", "bind", "layer", "WithTags"):
                expr = call.function[1]
            elif given := [one for one in call.arguments if one[0] in ("n", "a", "f", "c")]:
                expr = given[-1]
            elif call.function[0] in ("n", "a"):
                expr = call.function
                break
            else:
                break
            depth += 1
        if expr is None:
            return (), False
        if expr[0] == "l" and expr[1]:
            return self.handler(expr[1][-1], scope)
        typed = self._typed(expr, scope)
        if typed:
            return typed, True
        value = self.view.value(expr, scope)
        if isinstance(value, Defined):
            return (self.view.definition(value.number).qualname,), False
        names = self.reference(value) if isinstance(value, Symbol) else written_of(expr)
        if names:
            self.note(names[0])
        return names, bool(names)

    def _typed(self, expr: Expr, scope: int) -> tuple[str, ...]:
        """`s.list` by the type that the parameter `s` is declared with, where another file defines the method."""
        if expr[0] != "a" or expr[1][0] != "n":
            return ()
        for at in self.view.around(scope):
            if at == FILE_SCOPE:
                return ()
            for assignment in self.view.bound.get((at, expr[1][1]), ()):
                value = assignment.value
                value = value[2] if value[0] == "b" and value[1] == "&" else value
                names = written_of(value[1]) if value[0] == "t" else ()
                if names:
                    self.note(names[0])
                    return (*names, expr[2])
            for parameter in self.view.definition(at).parameters:
                if parameter.name != expr[1][1] or parameter.type is None:
                    continue
                written = parameter.type
                while written[0] == "b" or (written[0] == "s" and written[1]):
                    written = written[2] if written[0] == "b" else written[1]
                names = written_of(written)
                if names:
                    self.note(names[0])
                    return (*names, expr[2])
        return ()

    def route(
        self, key: str, methods: tuple[str, ...], path: Template, call: Call, handler: Expr | None, how: str
    ) -> None:
        names, named = self.handler(handler, call.scope)
        self.routes.append(Route(key, methods, path, call.line, how, names, named, call.scope))

    def node_scope(self, scope: int) -> int:
        """The innermost scope around a place that is a node of the graph."""
        for at in self.view.around(scope):
            if at == FILE_SCOPE or is_node(self.view.definition(at).kind, self.view.definition(at).flags):
                return at
        return FILE_SCOPE

    def first_path(self, given: list[str], call: Call) -> Template:
        named = keyword(given[0])
        if named is not None and named[0] in ("path", "rule"):
            return self.template(named[1], call.scope)
        if named is not None and given[0][:1] not in ("'", '"'):
            path = next((own for one in given if (own := keyword(one)) and own[0] in ("path", "rule")), None)
            return self.template(path[1], call.scope) if path is not None else []
        return self.template(given[0], call.scope)

    def said_methods(self, call: Call, default: tuple[str, ...]) -> tuple[str, ...]:
        """What `methods=` says."""
        written = keyword_of(call, "methods")
        if written is None:
            return default
        items = written[1] if written[0] == "l" else ()
        found = [one[2].upper() for one in items if one[0] == "k" and one[1] == "str"]
        return tuple(dict.fromkeys(found)) or (ANY,)

    def in_test(self, scope: int) -> bool:
        if any("test" in self.view.definition(at).flags for at in self.view.around(scope) if at != FILE_SCOPE):
            return True
        return _TESTS.search(self.facts.path) is not None


def keyword_of(call: Call, *names: str) -> Expr | None:
    """A named argument of a call."""
    return next((value for name, value in call.keywords if name in names), None)


def written_of(expr: Expr) -> tuple[str, ...]:
    """The names of a dotted expression; () for another."""
    names: list[str] = []
    while expr[0] == "a":
        names.append(expr[2])
        expr = expr[1]
    if expr[0] == "n":
        return (*([expr[1]]), *reversed(names))
    return ("this", *reversed(names)) if expr[0] == "v" else ()
