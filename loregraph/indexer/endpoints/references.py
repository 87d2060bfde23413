"""Names of one file that lead to others: through imports, exports and what modules export again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from loregraph.indexer.endpoints.model import FileEndpoints, Template
from loregraph.indexer.facts import FILE_SCOPE, Definition, Expr, FileFacts, is_node

_NOTHING: Final = FileFacts("", "", "", 0, "")
_encoder: Final = msgspec.msgpack.Encoder()
_DEPTH: Final = 12
_MAX_ABOVE: Final = 32
"""Types that one extends, directly or not, whose methods are asked for."""
_INHERITED: Final = {
    "ModelViewSet": frozenset({"list", "create", "retrieve", "update", "partial_update", "destroy"}),
    "ReadOnlyModelViewSet": frozenset({"list", "retrieve"}),
    "ListModelMixin": frozenset({"list"}),
    "CreateModelMixin": frozenset({"create"}),
    "RetrieveModelMixin": frozenset({"retrieve"}),
    "UpdateModelMixin": frozenset({"update", "partial_update"}),
    "DestroyModelMixin": frozenset({"destroy"}),
    "ListAPIView": frozenset({"get"}),
    "CreateAPIView": frozenset({"post"}),
    "RetrieveAPIView": frozenset({"get"}),
    "DestroyAPIView": frozenset({"delete"}),
    "UpdateAPIView": frozenset({"put", "patch"}),
    "ListCreateAPIView": frozenset({"get", "post"}),
    "RetrieveUpdateAPIView": frozenset({"get", "put", "patch"}),
    "RetrieveDestroyAPIView": frozenset({"get", "delete"}),
    "RetrieveUpdateDestroyAPIView": frozenset({"get", "put", "patch", "delete"}),
    "TemplateView": frozenset({"get"}),
    "ListView": frozenset({"get"}),
    "DetailView": frozenset({"get"}),
    "RedirectView": frozenset({"get"}),
    "FormView": frozenset({"get", "post"}),
    "CreateView": frozenset({"get", "post"}),
    "UpdateView": frozenset({"get", "post"}),
    "DeleteView": frozenset({"get", "post"}),
}
"""What the classes of frameworks answer: Django's and Django REST framework's."""
_ALLOWING: Final = {"require_GET": ("GET",), "require_POST": ("POST",), "require_safe": ("GET",)}


class Place(NamedTuple):
    """Something in a file by its dotted name there, "" for the file itself."""

    path: str
    name: str


class ClassView(NamedTuple):
    """What a class answers: its methods, those that it inherits from a framework, and its further actions as (name,
    methods, whether of one object, path)."""

    methods: frozenset[str]
    inherited: frozenset[str]
    actions: tuple[tuple[str, tuple[str, ...], bool, str], ...]


class Context:
    """Answers for all files. `facts_of` reads the facts of one, `layout` where imports lead."""

    def __init__(self, facts_of: Callable[[str], FileFacts | None], layout: Any) -> None:
        self._facts_of = facts_of
        self._layout = layout
        self.records: Mapping[str, FileEndpoints] = {}
        self.consulted: set[str] = set()
        self._facts: dict[str, FileFacts | None] = {}
        self._ids: dict[str, dict[str, int]] = {}
        self._members: dict[str, dict[str, list[tuple[str, str]]]] = {}
        self._fields: dict[str, dict[tuple[int, str], Expr]] = {}
        self._stems: dict[str, set[tuple[str, str]]] = {}
        self._found: dict[tuple[str, tuple[str, ...]], Place | None] = {}

    def facts(self, path: str) -> FileFacts | None:
        if path not in self._facts:
            self.consulted.add(path)
            self._facts[path] = self._facts_of(path)
        return self._facts[path]

    def _definitions(self, path: str) -> dict[str, int]:
        if path not in self._ids:
            facts = self.facts(path)
            own: dict[str, int] = {}
            for number, definition in enumerate(facts.definitions if facts is not None else ()):
                own.setdefault(definition.qualname, number)
                own.setdefault(definition.dotted_name, number)
            self._ids[path] = own
        return self._ids[path]

    def definition(self, place: Place) -> Definition | None:
        number = self._definitions(place.path).get(place.name)
        facts = self.facts(place.path)
        return facts.definitions[number] if number is not None and facts is not None else None

    def node(self, place: Place) -> str:
        """The id of a definition, "" where it is none."""
        found = self.definition(place)
        return f"{place.path}::{found.qualname}" if found is not None and is_node(found.kind, found.flags) else ""

    def definition_id(self, path: str, scope: int) -> str:
        """The id of the definition with this index, or of the node around it; "" for the file."""
        facts = self.facts(path)
        while facts is not None and scope != FILE_SCOPE and scope < len(facts.definitions):
            found = facts.definitions[scope]
            if is_node(found.kind, found.flags):
                return f"{path}::{found.qualname}"
            scope = found.parent
        return ""

    def beside(self, path: str, name: str) -> Place | None:
        """The only function of this name in the package of a file, where files of a package see one another's names."""
        style = self._layout.of(self._language(path))
        if not hasattr(style, "package_files") or not hasattr(style, "package_dir") or hasattr(style, "type_file"):
            return None
        found = {
            Place(file, definition.qualname)
            for file in style.package_files(path.rpartition("/")[0])
            for definition in (self.facts(file) or _NOTHING).definitions
            if definition.name == name and definition.is_function
        }
        return next(iter(found)) if len(found) == 1 else None

    def line(self, identity: str) -> int:
        """The first line of a definition, by its id; 0 for none."""
        path, _, name = identity.partition("::")
        found = self.definition(Place(path, name))
        return found.start_line if found is not None else 0

    # modules

    def _language(self, path: str) -> str:
        facts = self.facts(path)
        return facts.language if facts is not None else ""

    def module(self, path: str, module: str, level: int = 0) -> str | None:
        """The file of a module that a file names."""
        style = self._layout.of(self._language(path))
        if hasattr(style, "absolute"):
            dotted = style.absolute(path, level, module)
            found: str | None = style.module_file(dotted, path) if dotted is not None else None
            return found
        if hasattr(style, "type_file"):
            return style.type_file(module, path)  # type: ignore[no-any-return]
        if hasattr(style, "package_around"):
            found = style.file_of(path, module)
            return found if found is not None else self._aliased(module)
        return None

    def _aliased(self, module: str) -> str | None:
        """The file of a module that a bundler's settings place: `@/api/http`, `common/api`, where only one with a
        record has a path that ends so."""
        ending = module.removeprefix("@/").removeprefix("~/")
        if ending[:1] in (".", "@", "/", "") or (ending == module and "/" not in module):
            return None
        if not self._stems:
            for path in self.records:
                stem = path.rpartition(".")[0]
                for name in (stem, stem.removesuffix("/index")):
                    self._stems.setdefault(name.rpartition("/")[2], set()).add((name, path))
        own = {
            path for name, path in self._stems.get(ending.rpartition("/")[2], ()) if f"/{name}".endswith(f"/{ending}")
        }
        return next(iter(own)) if len(own) == 1 else None

    # names

    def find(self, path: str, names: tuple[str, ...], depth: int = 0) -> Place | None:
        """Where the thing is that dotted names in a file denote; None where that is not known."""
        key = (path, names)
        if key in self._found:
            return self._found[key]
        self._found[key] = None  # a cycle of imports
        found = self._find(path, names, depth) if depth < _DEPTH and names else None
        self._found[key] = found
        return found

    def _find(self, path: str, names: tuple[str, ...], depth: int) -> Place | None:
        first, rest = names[0], names[1:]
        style = self._layout.of(self._language(path))
        if hasattr(style, "package_dir") and hasattr(style, "package_files") and not hasattr(style, "type_file"):
            return self._own(path, names) or self._in_package(path, names, style)
        if hasattr(style, "module_file") and not hasattr(style, "absolute"):
            return self._own(path, names) or self._in_crate(path, names, style)
        if first[:1] == "=":
            file = self.module(path, first[1:])
            if not rest or rest[0][:1] == "(":
                rest = ("=", *rest)
            return self._inside(file, rest, depth) if file is not None else None
        known = self._imported(path, first)
        if known is not None and self._own(path, names) is None:
            module, level, name = known
            if name in ("", "*", "="):
                return self._module_member(path, module, level, rest, depth)
            file = self.module(path, module, level)
            if file is not None:
                found = self._inside(file, (name, *rest), depth)
                if found is not None:
                    return found
            inner = self.module(path, f"{module}.{name}" if module else name, level)
            return self._inside(inner, rest, depth) if inner is not None else None
        return self._own(path, names) or self._through(path, names, depth)

    def _imported(self, path: str, alias: str) -> tuple[str, int, str] | None:
        """The import that a file binds a name by."""
        record = self.records.get(path)
        known = record.names.get(alias) if record is not None else None
        if known is None:
            facts = self.facts(path)
            one = next((i for i in facts.imports if i.alias == alias), None) if facts is not None else None
            known = (one.module, one.level, one.name) if one is not None else None
        return known

    def _in_package(self, path: str, names: tuple[str, ...], style: Any) -> Place | None:
        """A name of another file of the package, or of a package that the file imports."""
        known = self._imported(path, names[0])
        folder = style.package_dir(known[0], path) if known is not None else path.rpartition("/")[0]
        wanted = names[1:] if known is not None else names
        if folder is None or not wanted:
            return None
        for file in style.package_files(folder):
            found = self._own(file, wanted)
            if found is not None:
                return found
        return None

    def _in_crate(self, path: str, names: tuple[str, ...], style: Any) -> Place | None:
        """A name by a path of modules."""
        known = self._imported(path, names[0])
        if known is not None:
            module, _, name = known
            names = (*(part for part in (*module.split("::"), name) if part), *names[1:])
        plain = next((n for n, one in enumerate(names) if one[:1] == "("), len(names))
        found = style.module_file(path, names[:plain])
        if found is None:
            return None
        return self._own(found[0], (*found[1], *names[plain:]))

    def _module_member(self, path: str, module: str, level: int, rest: tuple[str, ...], depth: int) -> Place | None:
        """`import a.b`, then `a.b.c`; `require("./x").y`."""
        best: Place | None = None
        for count in range(len(rest) + 1):
            dotted = ".".join((module, *rest[:count])) if count else module
            file = self.module(path, dotted, level)
            if file is not None:
                best = self._inside(file, rest[count:], depth) or best
        return best

    def _own(self, path: str, names: tuple[str, ...]) -> Place | None:
        """Something that the file defines itself, or makes routes with."""
        record = self.records.get(path)
        dotted = ".".join(names)
        if record is not None and any(dotted in router.names for router in record.routers):
            return Place(path, dotted)
        if dotted in self._definitions(path):
            return Place(path, dotted)
        return None

    def _inside(self, path: str, names: tuple[str, ...], depth: int) -> Place | None:
        """What names denote that another file looks up in this one."""
        if not names:
            return Place(path, "")
        found = self._own(path, names)
        if found is not None:
            return found
        facts = self.facts(path)
        if facts is None:
            return None
        for export in facts.exports:
            if export.name == names[0] or (export.name in ("=", "default") and names[0] in ("=", "default")):
                found = self._of_expr(path, export.value, names[1:], depth, export.scope)
                if found is not None:
                    return found
        for export in facts.exports:
            if export.name in ("=", "default") and names[0] not in ("=", "default"):
                found = self._of_expr(path, export.value, names, depth, export.scope)
                if found is not None:
                    return found
        for one in facts.imports:
            if one.kind == "reexport" and one.alias == names[0]:
                file = self.module(path, one.module, one.level)
                if file is not None:
                    return self._inside(file, (one.name, *names[1:]), depth + 1) if depth < _DEPTH else None
        found = self.find(path, names, depth + 1)
        if found is not None:
            return found
        if depth < _DEPTH:
            for one in facts.imports:
                if one.name == "*":
                    file = self.module(path, one.module, one.level)
                    if file is not None and (found := self._inside(file, names, depth + 1)) is not None:
                        return found
        return None

    def _through(self, path: str, names: tuple[str, ...], depth: int) -> Place | None:
        """A name that the file assigns."""
        facts = self.facts(path)
        for assignment in facts.assignments if facts is not None and depth < _DEPTH else ():
            target = list(assignment.target)
            if assignment.scope == FILE_SCOPE and target == ["n", names[0]] and assignment.kind in ("=", "declare"):
                return self._of_expr(path, assignment.value, names[1:], depth, FILE_SCOPE)
        return None

    def _of_expr(self, path: str, expr: Expr, rest: tuple[str, ...], depth: int, scope: int) -> Place | None:
        """What an expression of a file denotes, and names in it."""
        facts = self.facts(path)
        if facts is None or depth > _DEPTH:
            return None
        op = expr[0]
        if op == "f":
            return self._own(path, (*facts.definitions[expr[1]].qualname.split("."), *rest))
        if op == "m":
            file = self.module(path, expr[1])
            return self._inside(file, rest or ("=",), depth + 1) if file is not None else None
        if op == "n" or op == "a":
            names: list[str] = []
            while expr[0] == "a":
                names.append(expr[2])
                expr = expr[1]
            if expr[0] == "n":
                return self.find(path, (expr[1], *reversed(names), *rest), depth + 1)
            return None
        if op == "d" and rest:
            for key, value in expr[1]:
                if list(key[:2]) == ["k", "str"] and key[2] == rest[0]:
                    return self._of_expr(path, value, rest[1:], depth + 1, scope)
            return None
        if op == "c":
            call = facts.calls[expr[1]]
            if list(call.function) == ["n", "require"] and call.arguments:
                return self.find(path, (f"={call.arguments[0][2]}", *rest), depth + 1)
            if rest:  # a member of an object of a class
                made = self._of_expr(path, call.function, (), depth + 1, scope)
                if made is not None and made.name and self.class_at(made) is not None:
                    return self._own(made.path, (*made.name.split("."), *rest))
            if call.arguments:  # `asyncHandler(f)`
                return self._of_expr(path, call.arguments[-1], rest, depth + 1, scope)
        return None

    # texts

    def text(self, path: str, parts: Template) -> str:
        """A template with constants of other files filled in, and a NUL for each gap."""
        made = []
        for part in parts:
            if isinstance(part, str):
                made.append(part)
            else:
                made.append(self._constant(path, tuple(part)) if part else "\0")
        return "".join(made)

    def _constant(self, path: str, names: tuple[str, ...], depth: int = 0) -> str:
        if depth > 6:
            return "\0"
        record = self.records.get(path)
        known = record.names.get(names[0]) if record is not None and not depth else None
        if known is not None:
            module, level, name = known
            file = self.module(path, module, level)
            rest = names[1:] if name in ("", "*", "=") else (name, *names[1:])
            if file is None and name and name not in ("*", "="):
                file, rest = self.module(path, f"{module}.{name}" if module else name, level), names[1:]
            return self._constant_in(file, rest, depth + 1) if file is not None and rest else "\0"
        return self._constant_in(path, names, depth + 1)

    def _constant_in(self, path: str, names: tuple[str, ...], depth: int) -> str:
        facts = self.facts(path)
        if facts is None or depth > 6:
            return "\0"
        wanted = [
            one
            for one in facts.assignments
            if one.kind in ("=", "declare") and list(one.target) == ["n", names[0]] and one.scope == FILE_SCOPE
        ]
        if len(names) == 2:
            holders = {n for n, d in enumerate(facts.definitions) if d.is_type and d.name == names[0]}
            for one in wanted:  # `settings = Settings()`
                if one.value[0] == "c":
                    function = facts.calls[one.value[1]].function
                    if function[0] == "n":
                        holders |= {n for n, d in enumerate(facts.definitions) if d.is_type and d.name == function[1]}
                if one.value[0] == "d":
                    for key, value in one.value[1]:
                        if list(key[:2]) == ["k", "str"] and key[2] == names[1]:
                            return _literal(value)
            wanted = [
                one
                for one in facts.assignments
                if one.scope in holders and list(one.target) == ["n", names[1]] and one.kind in ("=", "declare")
            ]
        elif len(names) > 2:
            return "\0"
        if len(wanted) == 1:
            return _literal(wanted[0].value)
        if not wanted:
            one_import = next((i for i in facts.imports if i.alias == names[0]), None)
            if one_import is not None:
                file = self.module(path, one_import.module, one_import.level)
                name = one_import.name
                rest = names[1:] if name in ("", "*") else (name, *names[1:])
                if file is not None and rest:
                    return self._constant_in(file, rest, depth + 1)
        return "\0"

    # classes

    def class_at(self, place: Place) -> ClassView | None:
        """What a class answers; None where the place is none."""
        found = self.definition(place)
        if found is None or not found.is_type:
            return None
        facts = self.facts(place.path)
        if facts is None:
            return None
        methods: set[str] = set()
        inherited: set[str] = set()
        actions: list[tuple[str, tuple[str, ...], bool, str]] = []
        self._answers(place, methods, inherited, actions, 0)
        return ClassView(frozenset(methods), frozenset(inherited), tuple(actions))

    def _answers(
        self,
        place: Place,
        methods: set[str],
        inherited: set[str],
        actions: list[tuple[str, tuple[str, ...], bool, str]],
        depth: int,
    ) -> None:
        facts, found = self.facts(place.path), self.definition(place)
        if facts is None or found is None or depth > 6:
            return
        number = self._definitions(place.path)[place.name]
        for definition in facts.definitions:
            if definition.parent != number or not definition.is_function:
                continue
            if depth:
                inherited.add(definition.name)
                continue
            methods.add(definition.name)
            for decorator in definition.decorators:
                if decorator[0] == "c":
                    call = facts.calls[decorator[1]]
                    if list(call.function) == ["n", "action"]:
                        said = dict(call.keywords)
                        own = said.get("methods")
                        taken = (
                            tuple(o[2].upper() for o in own[1] if o[0] == "k") if own and own[0] == "l" else ("GET",)
                        )
                        detail = _says_detail(definition.decorator_names)
                        path = said.get("url_path")
                        tail = _literal(path) if path is not None else definition.name
                        actions.append((definition.name, taken, detail, tail))
        for base in found.bases:
            written = base.type[1] if base.type[0] == "s" else base.type
            name = written[2] if written[0] == "a" else written[1] if written[0] == "n" else ""
            if name in _INHERITED:
                inherited.update(_INHERITED[name])
                continue
            names: tuple[str, ...] = (written[1],) if written[0] == "n" else ()
            if written[0] == "a" and written[1][0] == "n":
                names = (written[1][1], written[2])
            above = self.find(place.path, names) if names else None
            if above is not None and above != place:
                self._answers(above, methods, inherited, actions, depth + 1)

    def methods_of(self, place: Place) -> list[tuple[str, str]]:
        """(name, id) of a type's methods: its own, also those in other files of a package that is one scope, then those
        of types of the project that it extends, where it has none of the name. At most `_MAX_ABOVE` types are asked."""
        made: dict[str, list[tuple[str, str]]] = {}
        asked = [place]
        for one in asked:
            found = self.definition(one)
            if found is None or not found.is_type:
                continue
            own: dict[str, list[tuple[str, str]]] = {}
            for name, method in self._methods(one.path).get(found.qualname, ()):
                own.setdefault(name, []).append((name, method))
            made = {**own, **made}
            for base in found.bases:
                names = _dotted(base.type[1] if base.type[0] == "s" else base.type)
                above = self.find(one.path, names) if names and len(asked) < _MAX_ABOVE else None
                if above is not None and above not in asked:
                    asked.append(above)
        return [row for _, rows in sorted(made.items()) for row in rows]

    def _methods(self, path: str) -> dict[str, list[tuple[str, str]]]:
        """Qualname of a type → (name, id) of its methods, in a file and those that define methods of its types."""
        style = self._layout.of(self._language(path))
        files: Iterable[str] = (path,)
        key = path
        if hasattr(style, "package_files") and hasattr(style, "package_dir") and not hasattr(style, "type_file"):
            key = path.rpartition("/")[0]
            files = style.package_files(key)
        if key not in self._members:
            members: dict[str, list[tuple[str, str]]] = {}
            for file in files:
                for one in (self.facts(file) or _NOTHING).definitions:
                    if one.is_function:
                        holder = one.qualname.rpartition(".")[0]
                        members.setdefault(holder, []).append((one.name, f"{file}::{one.qualname}"))
            self._members[key] = members
        return self._members[key]

    def field_type(self, path: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """The parts of the type that a field is declared with; `names` are its own type and it. () where unknown."""
        place = self.find(path, names[:-1])
        number = self._definitions(place.path).get(place.name) if place is not None else None
        if place is None or number is None:
            return ()
        if place.path not in self._fields:
            fields: dict[tuple[int, str], Expr] = {}
            for one in (self.facts(place.path) or _NOTHING).assignments:
                if one.target[0] == "n" and one.type is not None:
                    fields.setdefault((one.scope, one.target[1]), one.type)
            self._fields[place.path] = fields
        written = self._fields[place.path].get((number, names[-1]))
        return _dotted(written) if written is not None else ()

    def allowed(self, place: Place) -> tuple[str, ...]:
        """The methods that a function's decorators restrict it to; () where they say nothing."""
        found, facts = self.definition(place), self.facts(place.path)
        if found is None or facts is None:
            return ()
        for decorator in found.decorators:
            if decorator[0] == "c":
                call = facts.calls[decorator[1]]
                name = call.function[-1] if call.function[0] in ("n", "a") else ""
                if name in ("api_view", "require_http_methods"):
                    if not call.arguments:
                        return ("GET",)
                    items = call.arguments[0][1] if call.arguments[0][0] == "l" else ()
                    return tuple(o[2].upper() for o in items if o[0] == "k" and o[1] == "str")
            elif decorator[0] == "n" and decorator[1] in _ALLOWING:
                return _ALLOWING[decorator[1]]
        return ()


def consulted_digest(facts: FileFacts) -> bytes:
    """16 bytes that change with anything that a join may ask of a file: its definitions, and what is imported,
    exported and assigned outside functions."""
    outer = {FILE_SCOPE, *(n for n, d in enumerate(facts.definitions) if not d.is_function)}
    decorating = {d[1] for one in facts.definitions for d in one.decorators if d[0] == "c"}
    parts = (
        facts.language,
        [
            (d.name, d.qualname, d.kind, d.parent, [b.type for b in d.bases], d.decorators, d.decorator_names, d.flags)
            for d in facts.definitions
        ],
        [(i.module, i.level, i.name, i.alias, i.kind) for i in facts.imports],
        [(e.scope, e.name, e.value) for e in facts.exports],
        [(a.scope, a.target, a.value, a.kind) for a in facts.assignments if a.scope in outer],
        [
            (n, c.function, c.arguments, c.keywords)
            for n, c in enumerate(facts.calls)
            if c.scope in outer or n in decorating
        ],
    )
    return hashlib.blake2b(_encoder.encode(parts), digest_size=16).digest()


def _dotted(expr: Expr) -> tuple[str, ...]:
    """The names of a dotted expression; () for another."""
    names: list[str] = []
    while expr[0] == "a":
        names.append(expr[2])
        expr = expr[1]
    return (expr[1], *reversed(names)) if expr[0] == "n" else ()


def _literal(expr: Expr) -> str:
    """A short string's text, a NUL where it is none."""
    return expr[2] if expr[0] == "k" and expr[1] == "str" and expr[2] else "\0"


def _says_detail(decorators: tuple[str, ...]) -> bool:
    """Whether `detail=True` is written."""
    return any("action(" in text and "detail=True" in text.replace(" ", "") for text in decorators)
