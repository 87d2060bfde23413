"""What a name of a file stands for, where that is a generated client of a service."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.endpoints import rpc_names
from loregraph.indexer.endpoints.collecting import Collected
from loregraph.indexer.facts import FILE_SCOPE, Assignment, Expr

_DEPTH: Final = 12
_ASSIGNED: Final = 8
"""Values of one name that are looked at."""
_GENERATED: Final = re.compile(r"(?i)proto|pb\b|pb[_/.]|grpc")
_PASSED_ON: Final = re.compile(r"with[A-Z]\w*|with_\w+|max_\w+|send_compressed|accept_compressed")
_LOADED: Final = frozenset({"e", "w", "*"})
Client = tuple[str, str]
"""(service as far as its name says, words written around that)."""


class Clients:
    """The generated clients that names of one file stand for."""

    def __init__(self, c: Collected) -> None:
        self.c = c
        self._known: dict[tuple[int, str], Client | None] = {}
        self._members: dict[tuple[int, str], Client | None] = {}
        self._results: dict[int, Client | None] = {}

    def of(self, expr: Expr, scope: int, depth: int = 0) -> Client | None:
        """The client that an expression stands for; None for anything else."""
        op = expr[0]
        if depth > _DEPTH:
            return None
        if op == "n":
            return self._named(expr[1], scope, depth)
        if op == "c":
            return self._result(expr[1], depth)
        if op in _LOADED:
            return self.of(expr[1], scope, depth + 1)
        if op == "t":
            return self._typed(expr[1])
        if op == "b" and expr[2] is not None and (expr[3:] == (None,) or expr[1] in ("&", "*", "?", "!")):
            return self.of(expr[2], scope, depth + 1)
        if op == "u":
            return next((own for one in expr[1][:_ASSIGNED] if (own := self.of(one, scope, depth + 1))), None)
        if op == "a":
            return self._member(expr, scope, depth)
        return None

    def _named(self, name: str, scope: int, depth: int) -> Client | None:
        key = (scope, name)
        if key not in self._known:
            self._known[key] = None  # a name that is given itself
            self._known[key] = self._looked_up(name, scope, depth)
        return self._known[key]

    def _looked_up(self, name: str, scope: int, depth: int) -> Client | None:
        view = self.c.view
        for at in view.around(scope):
            found = self._assigned(view.bound.get((at, name), ()), depth)
            if found is not None or (at, name) in view.bound:
                return found
            if at == FILE_SCOPE:
                return None
            definition = view.definition(at)
            for parameter in definition.parameters:
                if parameter.name == name:
                    return self._typed(parameter.type) if parameter.type is not None else None
            if definition.is_type and (own := self._assigned(view.members.get((at, name), ()), depth)) is not None:
                return own
        return None

    def _assigned(self, found: list[Assignment] | tuple[Assignment, ...], depth: int) -> Client | None:
        for one in found[:_ASSIGNED]:
            own = self._typed(one.type) if one.type is not None else None
            own = own or self.of(one.value, one.scope, depth + 1)
            if own is not None:
                return own
        return None

    def _member(self, expr: Expr, scope: int, depth: int) -> Client | None:
        view, base = self.c.view, expr[1]
        cls: int | None = None
        if base[0] == "v" or (base[0] == "n" and view.is_receiver(base[1], scope)):
            cls = view.class_of(scope)
        elif base[0] == "n":
            cls = self._type_of_name(base[1], scope)
        if cls is None:
            return None
        key = (cls, expr[2])
        if key not in self._members:
            self._members[key] = None  # a member that is given itself
            self._members[key] = self._of_type(cls, expr[2], depth)
        return self._members[key]

    def _of_type(self, cls: int, name: str, depth: int) -> Client | None:
        """A member of a type of the file, or of one that it extends there."""
        view = self.c.view
        for above in view.above(cls):
            for assigned in (view.bound, view.members):
                found = self._assigned(assigned.get((above, name), ()), depth)
                if found is not None:
                    return found
            for number in view.defined.get((above, "constructor"), ())[:_ASSIGNED]:
                found = self._parameter(number, name)
                if found is not None:
                    return found
        return None

    def _parameter(self, number: int, name: str) -> Client | None:
        """`constructor(private client: CartClient)`."""
        own = next((one for one in self.c.view.definition(number).parameters if one.name == name), None)
        return self._typed(own.type) if own is not None and own.type is not None else None

    def _type_of_name(self, name: str, scope: int) -> int | None:
        """The type of the file that a parameter or variable is declared with."""
        view = self.c.view
        for at in view.around(scope):
            types = [one.type for one in view.bound.get((at, name), ())[:_ASSIGNED] if one.type is not None]
            types += [one.value[1] for one in view.bound.get((at, name), ())[:_ASSIGNED] if one.value[0] == "t"]
            if at != FILE_SCOPE:
                types += [p.type for p in view.definition(at).parameters if p.name == name and p.type is not None]
            for written in types:
                names = dotted(self.c, written, plain=True)
                found = view.defined.get((FILE_SCOPE, names[0]), ()) if len(names) == 1 else ()
                if found and view.definition(found[0]).is_type:
                    return found[0]
        return None

    def _result(self, number: int, depth: int) -> Client | None:
        if number not in self._results:
            self._results[number] = None  # a call that is given its own result
            self._results[number] = self._made(number, depth)
        return self._results[number]

    def _made(self, number: int, depth: int) -> Client | None:
        call = self.c.facts.calls[number]
        function = call.function
        if function[0] == "a" and _PASSED_ON.fullmatch(function[2]):
            found = self.of(function[1], call.scope, depth + 1)
            if found is not None:
                return found
        if function[0] == "a" and function[2] == "getService" and call.arguments[:1]:
            first = call.arguments[0]
            return (first[2], "") if first[:2] == ("k", "str") and first[2] else None
        names = dotted(self.c, function)
        if not names:
            return None
        own = self._own_function(function, call.scope)
        if own is not None:
            if self.c.view.definition(own).is_type:
                return None
            returns = self.c.view.definition(own).returns
            return self._typed(returns) if returns is not None else None
        service = rpc_names.client_maker(names)
        if not service and call.kind == "new" and self.c.is_ecmascript and call.arguments and self._is_loaded(function):
            service = names[-1]
        return (service, _hint(names)) if service else None

    def _own_function(self, function: Expr, scope: int) -> int | None:
        """The function or type of the file that is called."""
        view = self.c.view
        if function[0] == "n":
            for at in view.around(scope):
                found = view.defined.get((at, function[1]))
                if found:
                    return found[0]
        elif function[0] == "a" and (function[1][0] == "v" or function[1] == ("n", "self")):
            cls = view.class_of(scope)
            return next(iter(view.defined.get((cls, function[2]), ())), None) if cls is not None else None
        return None

    def _is_loaded(self, function: Expr) -> bool:
        """Whether a type may be made from a file of declarations: not where a file of the project exports it."""
        root = function
        while root[0] == "a":
            root = root[1]
        if root[0] == "v":
            return True
        one = self.c.view.imports.get(root[1]) if root[0] == "n" else None
        return bool(root[0] == "n") and (one is None or _GENERATED.search(one.module) is not None)

    def _typed(self, written: Expr | None) -> Client | None:
        if written is None:
            return None
        for part in written[1][:_ASSIGNED] if written[0] == "u" else (written,):
            plain = dotted(self.c, part, plain=True)
            if not plain or (len(plain) == 1 and (FILE_SCOPE, plain[0]) in self.c.view.defined):
                if part[0] == "s" and part[2][0] in ("n", "a", "s"):  # `std::unique_ptr<Cart::Stub>`
                    return self._typed(part[2])
                continue
            names = dotted(self.c, part)
            service = rpc_names.client_type(names)
            if service:
                return service, _hint(names)
            if part[0] == "s" and part[2][0] in ("n", "a", "s"):
                return self._typed(part[2])
        return None


def dotted(c: Collected, expr: Expr, *, plain: bool = False) -> tuple[str, ...]:
    """The parts of a dotted name; () for anything else. What it begins with is put as imported, but where `plain`."""
    names: list[str] = []
    while expr[0] in ("a", "s", "b"):
        if expr[0] == "b":
            if expr[2] is None or expr[1] not in ("&", "*", "?", "!"):
                return ()
            expr = expr[2]
            continue
        if expr[0] == "a":
            names.append(expr[2])
        expr = expr[1]
    if expr[0] == "v":
        names.append("this")
    elif expr[0] == "n":
        names.append(expr[1])
    else:
        return ()
    one = c.view.imports.get(names[-1])
    if one is not None and not plain:
        names[-1] = one.name if one.name not in ("", "*", "=", "default") else ""
        before = [part for part in re.split(r"[^\w]+", one.module) if part]
        found = [*before, *(part for part in reversed(names) if part)]
        return tuple(found)
    return tuple(part for name in reversed(names) for part in name.split(".") if part)


def _hint(names: tuple[str, ...]) -> str:
    return " ".join(re.findall(r"[A-Za-z0-9]+", " ".join(names[:-1]).replace("_", " ").lower()))[:200]
