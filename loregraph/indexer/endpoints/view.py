"""What a name of one file stands for, as far as the file itself says: enough to tell a router from a dictionary.

A much smaller sibling of resolution, which runs in the worker and sees one file only. What comes from elsewhere is
followed when all files are joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from loregraph.indexer.endpoints import kinds
from loregraph.indexer.endpoints.model import CALLED
from loregraph.indexer.facts import FILE_SCOPE, Assignment, Call, Definition, Expr, FileFacts, Import

_DEPTH: Final = 24
_WRAPPERS: Final = frozenset({"e", "w", "*"})


class Symbol(NamedTuple):
    """Something imported: its `path` as in `kinds`, and the `names` that it is written with here."""

    path: str
    names: tuple[str, ...]


class Made(NamedTuple):
    """An object of a kind; `key` is unique in the file. `names` where it came of another file's name."""

    kind: str
    key: str
    call: int = -1


class Defined(NamedTuple):
    """A function or type of the file, by its number there."""

    number: int


Value = Symbol | Made | Defined


class View:
    """One file's facts, arranged by name."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.bound: dict[tuple[int, str], list[Assignment]] = {}
        self.members: dict[tuple[int, str], list[Assignment]] = {}
        self.defined: dict[tuple[int, str], list[int]] = {}
        self.parts: dict[tuple[int, str], tuple[Expr, str]] = {}
        """Names that a pattern takes out of an object: `const { Router } = require("express")`."""
        self.imports: dict[str, Import] = {}
        self.stars: list[str] = []
        for assignment in facts.assignments:
            target = assignment.target
            if assignment.kind in ("is", "is not", "read", "del"):
                continue
            if target[0] == "n":
                self.bound.setdefault((assignment.scope, target[1]), []).append(assignment)
            elif target[0] == "a" and target[1][0] in ("n", "v"):
                cls = self.class_of(assignment.scope)
                if cls is not None:
                    self.members.setdefault((cls, target[2]), []).append(assignment)
            elif target[0] == "d":
                for key, inner in target[1]:
                    if key[:2] == ("k", "str") and inner[0] == "n":
                        self.parts.setdefault((assignment.scope, inner[1]), (assignment.value, key[2]))
            elif target[0] == "l" and target[1] and target[1][0][0] == "n":
                self.bound.setdefault((assignment.scope, target[1][0][1]), []).append(assignment)
        for number, definition in enumerate(facts.definitions):
            self.defined.setdefault((definition.parent, definition.name), []).append(number)
        for one in facts.imports:
            if one.alias:
                self.imports.setdefault(one.alias, one)
            elif one.name == "*":
                self.stars.append(one.module)
        self._results: dict[int, Value | None] = {}
        self._names: dict[tuple[int, str], Value | None] = {}
        self._busy: set[tuple[int, str]] = set()
        self._of_types: dict[tuple[int, str], Value | None] = {}

    def definition(self, index: int) -> Definition:
        return self.facts.definitions[index]

    def qualname(self, scope: int) -> str:
        return "" if scope == FILE_SCOPE else self.definition(scope).qualname

    def class_of(self, scope: int) -> int | None:
        """The type around a scope, or the one that a method outside its type belongs to."""
        for at in self.around(scope):
            if at == FILE_SCOPE:
                return None
            definition = self.definition(at)
            if definition.is_type:
                return at
            if definition.owner is not None and definition.owner[0] == "n":
                found = self.defined.get((FILE_SCOPE, definition.owner[1]), ())
                return next((one for one in found if self.definition(one).is_type), None)
        return None

    def around(self, scope: int) -> Iterator[int]:
        """A scope and those around it, innermost first; the file's last."""
        while scope != FILE_SCOPE:
            yield scope
            scope = self.definition(scope).parent
        yield FILE_SCOPE

    def value(self, expr: Expr | None, scope: int, depth: int = 0) -> Value | None:
        """What an expression stands for; None where that is unknown or of no interest."""
        if expr is None or depth > _DEPTH:
            return None
        op = expr[0]
        if op == "n":
            return self.named(expr[1], scope, depth)
        if op in _WRAPPERS:
            return self.value(expr[1], scope, depth + 1)
        if op == "f":
            return Defined(expr[1])
        if op == "a":
            return self._member(expr, scope, depth)
        if op == "c":
            return self.result(expr[1], depth)
        if op == "m":
            return Symbol(expr[1], (f"={expr[1]}",))
        if op == "u":
            return next((found for one in expr[1] if (found := self.value(one, scope, depth + 1)) is not None), None)
        if op == "t":
            return self.instance(expr[1], scope, f"t{scope}")
        if op == "b" and expr[1] in ("&", "*", "?", "!"):
            return self.value(expr[2], scope, depth + 1)
        return None

    def named(self, name: str, scope: int, depth: int = 0) -> Value | None:
        """What a name stands for in a scope."""
        key = (scope, name)
        if key in self._names:
            return self._names[key]
        if key in self._busy:
            return None
        self._busy.add(key)
        found = self._looked_up(name, scope, depth + 1)
        self._busy.discard(key)
        self._names[key] = found
        return found

    def _looked_up(self, name: str, scope: int, depth: int) -> Value | None:
        for at in self.around(scope):
            here = self.bound.get((at, name), ())
            for assignment in here:
                found = self.value(assignment.value, assignment.scope, depth)
                if not isinstance(found, Made) and assignment.type is not None:
                    found = self.instance(assignment.type, at, f"v{at}.{name}") or found
                if isinstance(found, Symbol) and assignment.kind == "=":
                    found = self._declared(name, at) or found
                if found is not None:
                    return found
            if (at, name) in self.parts:
                whole, part = self.parts[at, name]
                return self._member(("a", whole, part), at, depth)
            for number in self.defined.get((at, name), ()):
                if "expression" not in self.definition(number).flags:
                    return Defined(number)
            if at != FILE_SCOPE:
                definition = self.definition(at)
                for parameter in definition.parameters if definition.is_function else ():
                    if parameter.name == name:
                        if name == "$http":
                            return Made("http-service", f"p{at}.{name}")
                        made = self.instance(parameter.type, at, f"p{at}.{name}")
                        return made if made is not None else Made("parameter", f"p{at}.{name}")
            if here:
                return None
        one = self.imports.get(name)
        if one is not None:
            return Symbol(".".join(filter(None, ("." * one.level + one.module, one.name))).replace("::", "."), (name,))
        return Symbol(f"*.{name}" if name[:1].isupper() else name, (name,))

    def _declared(self, name: str, scope: int) -> Made | None:
        """A member that a function assigns by its bare name, by the type that it is declared with."""
        cls = self.class_of(scope)
        if cls is None or cls == scope:
            return None
        types = (one.type for one in self.bound.get((cls, name), ()) if one.kind == "declare")
        return next((made for one in types if (made := self.instance(one, cls, f"v{cls}.{name}"))), None)

    def _member(self, expr: Expr, scope: int, depth: int) -> Value | None:
        base, name = expr[1], expr[2]
        if name == "$axios":
            return Made("injected", "$axios")
        if base[0] == "v" or (base[0] == "n" and self.is_receiver(base[1], scope)):
            cls = self.class_of(scope)
            return self.member(cls, name, depth) if cls is not None else None
        found = self.value(base, scope, depth + 1)
        if isinstance(found, Symbol):
            return Symbol(f"{found.path}.{name}", (*found.names, name))
        if isinstance(found, Defined):
            definition = self.definition(found.number)
            if definition.is_type:
                return self.member(found.number, name, depth)
        return None

    def is_receiver(self, name: str, scope: int) -> bool:
        """Whether a name is the method's own object."""
        for at in self.around(scope):
            if at == FILE_SCOPE:
                return False
            definition = self.definition(at)
            if definition.is_function and definition.parameters and definition.parameters[0].name == name:
                return definition.owner is not None or (
                    definition.parent != FILE_SCOPE and self.definition(definition.parent).is_type
                )
        return False

    def above(self, cls: int) -> list[int]:
        """A type of the file and those that it extends here, nearest first."""
        found = [cls]
        for one in found:
            for base in self.definition(one).bases:
                written = base.type[1] if base.type[0] == "s" else base.type
                if written[0] == "n" and len(found) < 8:
                    found += [n for n in self.defined.get((FILE_SCOPE, written[1]), ()) if n not in found]
        return found

    def member(self, cls: int, name: str, depth: int = 0) -> Value | None:
        """A member of a type, or of one that it extends in this file."""
        key = (cls, name)
        if key not in self._of_types:
            self._of_types[key] = None  # a member that is given itself, perhaps by way of many others
            own = (self._own_member(one, name, depth) for one in self.above(cls))
            self._of_types[key] = next((found for found in own if found is not None), None)
        return self._of_types[key]

    def _own_member(self, cls: int, name: str, depth: int) -> Value | None:
        for number in self.defined.get((cls, name), ()):
            return Defined(number)
        best: Value | None = None
        for assignment in (*self.members.get((cls, name), ()), *self.bound.get((cls, name), ())):
            found = self.value(assignment.value, assignment.scope, depth + 1)
            if not isinstance(found, Made) or found.kind == "parameter":
                found = self.instance(assignment.type, assignment.scope, f"m{cls}.{name}") or found
            if isinstance(found, Made):
                return found
            best = best or found
        return best

    def instance(self, written: Expr | None, scope: int, key: str) -> Made | None:
        """An object of a written type, if that is of a known kind."""
        while written is not None and written[0] in ("s", "b", "u"):
            if written[0] == "u":
                return next((made for one in written[1] if (made := self.instance(one, scope, key))), None)
            written = written[2] if written[0] == "b" else written[1]
        if written is None or written[0] not in ("n", "a"):
            return None
        found = self._type(written, scope)
        if isinstance(found, Symbol):
            kind = self._kind(found.path, kinds.TYPES)
            return Made(kind, key) if kind is not None else None
        return None

    def _kind(self, path: str, table: Mapping[str, str]) -> str | None:
        """What `table` says of a name, of its last part in any module, or of it in what is imported whole."""
        kind = table.get(path) or table.get(f"*.{path.rpartition('.')[2]}")
        if kind is None and path.startswith("*."):
            kind = next((one for star in self.stars if (one := table.get(star + path[1:]))), None)
        return kind

    def _type(self, written: Expr, scope: int) -> Value | None:
        if written[0] == "a":
            base = self._type(written[1], scope) if written[1][0] in ("n", "a") else None
            return Symbol(f"{base.path}.{written[2]}", (*base.names, written[2])) if isinstance(base, Symbol) else None
        one = self.imports.get(written[1])
        if one is not None:
            return Symbol(".".join(filter(None, ("." * one.level + one.module, one.name))).replace("::", "."), ())
        if (FILE_SCOPE, written[1]) in self.defined:
            return None
        return Symbol(f"*.{written[1]}", ())

    def result(self, number: int, depth: int = 0) -> Value | None:
        """What a call gives."""
        if number in self._results:
            return self._results[number]
        if depth > _DEPTH:
            return None
        self._results[number] = None  # a call that is given its own result
        found = self._results[number] = self._result(number, depth)
        return found

    def _result(self, number: int, depth: int) -> Value | None:
        call = self.facts.calls[number]
        function = call.function
        if function[0] == "a":
            base = self.value(function[1], call.scope, depth + 1)
            if isinstance(base, Made):
                return self.of_method(base, function[2], number, call)
            if call.kind == "decorator":
                return None
        found = self.value(function, call.scope, depth + 1)
        if isinstance(found, Symbol):
            kind = self._kind(found.path, kinds.MAKES)
            if kind is not None:
                return Made(kind, f"c{number}", number)
            if found.path in kinds.INJECTS and call.arguments:
                return self.instance(call.arguments[0], call.scope, f"c{number}")
            if (kind := kinds.like(found.path)) and number >= 0:
                return Made(kind, f"c{number}", number)
            if found.path == "require" and call.arguments and call.arguments[0][:2] == ("k", "str"):
                return Symbol(call.arguments[0][2], (f"={call.arguments[0][2]}",))
            return Symbol(f"{found.path}.{CALLED}", (*found.names, CALLED))
        if isinstance(found, Defined):
            kind = self.kind_of_class(found.number)
            if kind:
                return Made(kind, f"c{number}", number)
            names = tuple(self.definition(found.number).qualname.split("."))
            return Symbol(f"<here>.{'.'.join(names)}.{CALLED}", (*names, CALLED))
        return None

    def of_method(self, base: Made, method: str, number: int, call: Call) -> Value | None:
        """What a method of a known object gives."""
        kind = kinds.KINDS[base.kind]
        if method in kind.groups:
            group = kinds.GROUPS.get(base.kind, base.kind)
            return Made(group, f"c{number}", number)
        if method in kind.chains and len(call.arguments) == 1:
            return Made("chained", f"c{number}", number)
        if method in ("test_client", "test_cli_runner"):
            return Made("test", f"c{number}", number)
        if kind.role in ("client", "test") and method in ("request", *kind.verbs):
            return None
        return base

    def kind_of_class(self, index: int, depth: int = 0) -> str:
        """The kind of a type's objects by its supertypes, "" for none."""
        definition = self.definition(index)
        if not definition.is_type or depth > 5:
            return ""
        for base in definition.bases:
            written = base.type[1] if base.type[0] == "s" else base.type
            found = self.value(written, definition.parent)
            if isinstance(found, Symbol):
                kind = kinds.TYPES.get(found.path, "")
                if kind:
                    return kind
            elif isinstance(found, Defined) and found.number != index:
                kind = self.kind_of_class(found.number, depth + 1)
                if kind:
                    return kind
        return ""

    def depth_in_chain(self, call: Call) -> int:
        """How many calls come before this one in its chain."""
        depth, expr = 0, call.function
        while expr[0] in ("a", "s", "c", "w", "b"):
            if expr[0] == "c":
                depth += 1
                expr = self.facts.calls[expr[1]].function
            elif expr[0] == "b":
                break
            else:
                expr = expr[1]
        return depth
