"""Stable names of calls, of sites (places where expressions are read), and of expressions, derived from the facts they
belong to.

A call that resolution itself makes is named by its ingredients: the call it derives from and the expressions it passes.
Looking a name up yields the call that resolution makes or has made. If no code has asked for that call yet, it is
registered in `Engine.announced`, and whoever makes it later uses the registered one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve.calls import CallCell, callback_cell, callback_key
from loregraph.indexer.resolve.decorators import Decoration
from loregraph.indexer.resolve.fact_names import (
    ASSIGNMENT,
    CALL,
    CONTRACT,
    EXPORT,
    FACT_KINDS,
    HEADER,
    IMPORTED,
    RETURN,
    SYNTAX,
    Name,
    UnknownNameError,
    walked,
)
from loregraph.indexer.resolve.functions import outer_site
from loregraph.indexer.resolve.library import applied_as
from loregraph.indexer.resolve.model import Class, Container, FileIndex, Function, Partial, Scope, Site, Value
from loregraph.indexer.resolve.operations import protocol_cell
from loregraph.indexer.resolve.scoping import END
from loregraph.indexer.resolve.stores import item_call
from loregraph.indexer.resolve.syntax_calls import syntax_calls

if TYPE_CHECKING:
    from loregraph.indexer.resolve.naming import Names

MAX_NESTED: Final = 60
"""Maximum nesting of names, and of expressions in a name."""
MAX_NUMBER: Final = 1 << 31


class UnnameableError(Exception):
    """Raised for a thing that has no stable name."""


# Calls


def call_name(names: Names, file: FileIndex, call: Call) -> Name:
    """The name of a call of `file`, whether it is in the facts or made by resolution."""
    own = names.of(file)
    if file.syntactic is not None:
        own.add_syntax(file.syntactic)
    kind = own.kind_of(call)
    if kind:
        return (kind, file.path, *own.fact(kind, call))
    if call.kind == "decorator":
        for cells in file.decorated.values():
            for cell in cells:
                if cell.call is call:
                    return decoration_name(names, cell)
    origin = names.engine.origins.get(id(call))
    if origin is None:
        raise UnnameableError(call)
    what, source = origin[0], origin[1]
    if what == "stored":
        key, value = call.arguments
        return ("st", site_name(names, file, source), *(expression_name(names, file, source, e) for e in (key, value)))
    come_from = names.call(file, source)
    if what == "callback":
        function = expression_name(names, file, source, call.function)
        arguments = tuple(expression_name(names, file, source, argument) for argument in call.arguments)
        return ("cb", file.path, come_from, function, arguments)
    if what == "protocol":
        return ("pr", come_from, *origin[2:])
    if what == "applied":
        return ("ap", come_from, origin[2])
    return ("pa", names.name(origin[2]))


def decoration_name(names: Names, cell: Decoration) -> Name:
    """The name of a decorator's call: the decorator's expression and its number among equal ones, counted from
    below."""
    own = names.of(cell.file)
    content = own.hash(cell.call.function)
    level = cell.level
    below = cell.file.decorated[cell.number][level + 1 :]
    ordinal = sum(own.hash(other.call.function) == content for other in below)
    return ("dc", cell.file.path, own.definition(cell.number), content, ordinal)


def _found_decoration(names: Names, path: Name, definition: Name, content: Name, ordinal: Name) -> Decoration:
    file = names.file(path)
    own = names.of(file)
    number = own.definition_number(definition)
    equal = [c for c in file.decorated.get(number, ()) if own.hash(c.call.function) == content][::-1]
    if type(ordinal) is not int or not 0 <= ordinal < len(equal):
        raise UnknownNameError(definition)
    found: Decoration = equal[ordinal]
    return found


def _found_syntax(names: Names, path: Name, scope: Name, content: Name, ordinal: Name) -> CallCell:
    file = names.file(path)
    cells = syntax_calls(names.engine, file)
    own = names.of(file)
    own.add_syntax(cells)
    return cells[own.fact_number(SYNTAX, scope, content, ordinal)]


def _found_call(names: Names, path: Name, scope: Name, content: Name, ordinal: Name) -> CallCell:
    file = names.file(path)
    number = names.of(file).fact_number(CALL, scope, content, ordinal)
    if number >= len(file.calls):
        raise UnknownNameError(path)
    found: CallCell = file.calls[number]
    return found


def _found_callback(names: Names, path: Name, come_from: Name, function: Name, arguments: Name) -> CallCell:
    engine = names.engine
    file, call = names.find_call(come_from)
    if type(arguments) is not tuple or file.path != path:
        raise UnknownNameError(come_from)
    called = find_expression(names, file, function)
    given = tuple(find_expression(names, file, argument) for argument in arguments)
    key = callback_key(call, called, given)
    found: CallCell | None = engine.implicit.get(key) or engine.announced.get(key)
    if found is None:
        found = engine.announced[key] = callback_cell(engine, key, file, call, called, given)
    return found


def _found_protocol(names: Names, come_from: Name, methods: Name, place: Name) -> CallCell:
    engine = names.engine
    file, call = names.find_call(come_from)
    policy = file.policy
    iterated = policy.implicit.iterator_methods[:1] == methods
    known = next((m for m in (policy.implicit.text_methods, *policy.implicit.protocols.values()) if m == methods), None)
    if not known or type(place) is not int or not 0 <= place < (2 if iterated else len(call.arguments)):
        raise UnknownNameError(come_from)
    if not call.arguments:
        raise UnknownNameError(come_from)
    subject = call.arguments[0 if iterated else place]
    function: Expr = ("I", subject, bool(place)) if iterated else ("M", subject, known)
    key = (id(call), id(known), place)
    found: CallCell | None = engine.implicit.get(key) or engine.announced.get(key)
    if found is None:
        found = engine.announced[key] = protocol_cell(engine, file, call, known, place, function)
    return found


CALL_CELLS: Final[dict[str, Callable[..., CallCell]]] = {
    CALL: _found_call,
    SYNTAX: _found_syntax,
    "dc": _found_decoration,
    "cb": _found_callback,
    "pr": _found_protocol,
}
"""Kind of a call's name → the call's cell."""


def _found_applied(names: Names, come_from: Name, method: Name) -> tuple[FileIndex, Call]:
    file, call = names.find_call(come_from)
    if method not in ("call", "apply", "bind"):
        raise UnknownNameError(method)
    return file, applied_as(names.engine, call, method)


def _found_stored(names: Names, site: Name, key: Name, value: Name) -> tuple[FileIndex, Call]:
    file, place = find_site(names, site)
    if place is None or not hasattr(place, "line"):
        raise UnknownNameError(site)
    parts = [find_expression(names, file, part) for part in (key, value)]
    return file, item_call(names.engine, place, *parts)


def _found_given(names: Names, value: Name) -> tuple[FileIndex, Call]:
    found = names.find(value)
    if not isinstance(found, Partial):
        raise UnknownNameError(value)
    return found.file, found.call


CALLS: Final[dict[str, Callable[..., tuple[FileIndex, Call]]]] = {
    "ap": _found_applied,
    "st": _found_stored,
    "pa": _found_given,
}
"""The same for calls without a cell: the file and the call."""
CALL_PARTS: Final = {"ap": 3, "st": 4, "pa": 2}
"""How many parts the names of each kind have."""


# Sites


def site_name(names: Names, file: FileIndex, site: Any) -> Name:
    """The name of a site in `file`: a fact, a call made by resolution, or a `Site`."""
    if site is None:
        return ("no", file.path)
    if type(site) is Call:
        return names.call(file, site)
    own = names.of(file)
    kind = own.kind_of(site)
    if kind:
        return (kind, file.path, *own.fact(kind, site))
    if type(site) is not Site:
        raise UnnameableError(site)
    if site.at == END:
        return ("at end", file.path, own.definition(site.scope), site.block)
    definitions = file.facts.definitions
    for kind, number, _ in own.standing_at(site.scope, site.at):
        if kind == HEADER:
            if site.block == -2 and definitions[number].parent == site.scope:
                return ("before", file.path, own.definition(number))
            if site.block == -1 and number == site.scope:
                return ("within", file.path, own.definition(number))
        elif kind == EXPORT:
            return ("at", file.path, *own.fact(EXPORT, file.facts.exports[number]))
    raise UnnameableError(site)


def find_site(names: Names, name: Name) -> tuple[FileIndex, Any]:
    """The file and the place of a site's name. A site that is not a fact is represented by one object per name."""
    known = names.sites.get(name)
    if known is None:
        known = names.sites[name] = _found_site(names, name)
    return known


def _found_site(names: Names, name: Name) -> tuple[FileIndex, Any]:
    if type(name) is not tuple or not name or type(name[0]) is not str:
        raise UnknownNameError(name)
    kind, *rest = name
    if kind in CALL_CELLS or kind in CALLS:
        return names.find_call(name)
    if not rest:
        raise UnknownNameError(name)
    file = names.file(rest[0])
    own = names.of(file)
    if kind in (ASSIGNMENT, RETURN, EXPORT, IMPORTED, CONTRACT, "at") and len(rest) == 4:
        fact = own.find_fact(kind if kind != "at" else EXPORT, *rest[1:])
        if kind != "at":
            return file, fact
        bindings = file.exports.get(fact.name, ())
        return file, next((b.site for b in bindings if b.payload is fact.value), Site(fact.scope, fact.at, -2))
    if kind == "no" and len(rest) == 1:
        return file, None
    if kind == "at end" and len(rest) == 3 and rest[2] in (-1, -2):
        return file, Site(own.definition_number(rest[1]), END, rest[2])
    if kind in ("before", "within") and len(rest) == 2:
        number = own.definition_number(rest[1])
        if number >= 0:
            definition = file.facts.definitions[number]
            if kind == "within":
                return file, Site(number, definition.start_byte, -1)
            function = file.functions.get(number)
            place = Site(definition.parent, definition.start_byte, -2)
            return file, outer_site(function) if function is not None else place
    raise UnknownNameError(name)


# Expressions

_SHAPES: Final[dict[str, str]] = {
    "n": "s", "v": "", "p": "", "a": "es", "c": "c", "s": "ee", "f": "d", "l": "m", "d": "p", "u": "m", "i": "e",
    "e": "e", "w": "e", "y": "e", "*": "e", "k": "ss", "t": "ee", "m": "s", "b": "seo", "x": "", "P": "Fi", "S": "ei",
    "D": "di", "V": "V", "R": "C", "R*": "e", "C": "L", "T": "e", "F": "F", "A": "Fs", "O": "Os", "H": "V", "G": "es",
    "G=": "es", "G-": "es", "M": "et", "I": "eb", "E": "e", "T!": "e", "B": "KK",
}  # fmt: skip
"""Operator → its operands: an expression (`o` optional, `m` many, `p` pairs), a string (`t` many), an integer, a bool,
a definition, a call of the facts, or an object: Function, Class (K), Container, Value (many), Scope (O), cell of a call
(L)."""
_LEAVES: Final = frozenset({"n", "v", "p", "c", "f", "k", "m", "x"})
_TYPES: Final[dict[str, Any]] = {"F": Function, "K": Class, "C": Container, "O": Scope, "L": CallCell}
_COMPOSED: Final = frozenset({"i", "s", "*", "u", "S", "a", "t", "l"})
"""Operators of facts that resolution also wraps around expressions of facts."""


def expression_name(names: Names, file: FileIndex, site: Any, expr: Expr, depth: int = 0) -> Name:
    """The name of an expression of `file`: its place in a fact, or in the call that resolution made at `site`; other
    expressions made by resolution are named by their parts."""
    own = names.of(file)
    place = own.place(site, expr)
    if place is not None:
        return ("@", *place)
    if type(site) is Call and own.kind_of(site) != CALL:
        for number, given in enumerate(_parts_of(site)):
            if given is expr:
                return ("#", number)
    op = expr[0] if expr else None
    shape = _SHAPES.get(op) if type(op) is str else None
    if depth > MAX_NESTED or shape is None or not isinstance(op, str):
        raise UnnameableError(expr)
    if op not in _LEAVES and op.islower():
        inner = expr[1] if op in _COMPOSED else None
        if op not in _COMPOSED or (type(inner) in (tuple, list) and own.place(site, inner) is None):
            place = own.place_anywhere(expr)
            if place is not None:
                return ("@", *place)
    if op == "D":  # counted from the definition, so decorators added above rename nothing
        return ("(", op, own.definition(expr[1]), len(file.facts.definitions[expr[1]].decorators) - expr[2])
    parts: list[Name] = []
    for kind, part in zip(shape, expr[1:], strict=True):
        if kind == "e" or (kind == "o" and part is not None):
            parts.append(expression_name(names, file, site, part, depth + 1))
        elif kind == "m":
            parts.append(tuple(expression_name(names, file, site, e, depth + 1) for e in part))
        elif kind == "p":
            parts.append(tuple(tuple(expression_name(names, file, site, e, depth + 1) for e in pair) for pair in part))
        elif kind == "d":
            parts.append(own.definition(part))
        elif kind == "c":
            parts.append(names.call(file, file.facts.calls[part]))
        elif kind == "V":
            parts.append(tuple(names.name(value) for value in part))
        elif kind in _TYPES:
            parts.append(names.name(part))
        else:
            parts.append(tuple(part) if kind == "t" else part)
    return ("(", op, *parts)


def _parts_of(call: Call) -> list[Expr]:
    return walked((call.function, call.arguments, call.keywords))


def find_expression(names: Names, file: FileIndex, name: Name, site: Any = None, depth: int = 0) -> Expr:
    """The expression with that name in `file`, read at `site`. Expressions made by resolution have one object per
    name."""
    if type(name) is not tuple or len(name) < 2 or depth > MAX_NESTED:
        raise UnknownNameError(name)
    if name[0] == "@":
        if len(name) != 6 or name[1] not in FACT_KINDS | {HEADER} or type(name[5]) is not int:
            raise UnknownNameError(name)
        found: Expr = names.of(file).find_place(*name[1:])
        if not _is_expression(found):
            raise UnknownNameError(name)
        return found
    if name[0] == "#" and len(name) == 2 and type(name[1]) is int and type(site) is Call:
        parts = _parts_of(site)
        if 0 <= name[1] < len(parts) and _is_expression(parts[name[1]]):
            return parts[name[1]]
    if name[0] != "(" or type(name[1]) is not str:
        raise UnknownNameError(name)
    shape = _SHAPES.get(name[1])
    if shape is None or len(name) != len(shape) + 2:
        raise UnknownNameError(name)
    known = names.expressions.get((file, name))
    if known is None:
        made: list[Any] = []
        for kind, part in zip(shape, name[2:], strict=True):
            made.append(_found_part(names, file, kind, part, depth))
        if name[1] == "P" and made[1] >= len(made[0].parameters):
            raise UnknownNameError(name)
        if name[1] == "D":
            made[1] = len(file.facts.definitions[made[0]].decorators) - made[1]
            if made[1] < 0:
                raise UnknownNameError(name)
        known = names.expressions[file, name] = (name[1], *made)
    return known


def _is_expression(part: Any) -> bool:
    return bool(part) and type(part[0]) is str and part[0] in _SHAPES


def _found_part(names: Names, file: FileIndex, kind: str, part: Name, depth: int) -> Any:
    if kind == "e":
        return find_expression(names, file, part, None, depth + 1)
    if kind == "o":
        return None if part is None else find_expression(names, file, part, None, depth + 1)
    if kind == "s" and type(part) is str:
        return part
    if kind == "i" and type(part) is int and 0 <= part < MAX_NUMBER:
        return part
    if kind == "b" and type(part) is bool:
        return part
    if kind == "d":
        number = names.of(file).definition_number(part)
        if number >= 0:
            return number
    elif kind == "c":
        cell = names.find(("call", part))
        if isinstance(cell, CallCell) and cell.file is file and cell in file.calls:
            return file.calls.index(cell)
    elif kind in _TYPES:
        found = names.find(part)
        if isinstance(found, _TYPES[kind]):
            return found
    elif type(part) is tuple:
        if kind == "m":
            return tuple(find_expression(names, file, e, None, depth + 1) for e in part)
        if kind == "p" and all(type(pair) is tuple and len(pair) == 2 for pair in part):
            return tuple(tuple(find_expression(names, file, e, None, depth + 1) for e in pair) for pair in part)
        if kind == "t" and all(type(text) is str for text in part):
            return part
        if kind == "V":
            values = tuple(names.find(value) for value in part)
            if all(isinstance(value, Value) for value in values):
                return values
    raise UnknownNameError(part)
