"""Stable names within one file's facts: of definitions, calls and other facts, and the expressions in them.

A fact is named by its scope, a hash of its content, and its number among equal facts of the scope, so edits elsewhere
in the file rename nothing. Within an expression, `("c", call)` and `("f", definition)` are indexes into flat lists; the
hash covers what they refer to (a Merkle tree: each call is hashed once). Expressions are named by their position in
their fact, since resolution identifies them by identity.

A scope's facts are only indexed when a name in it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec

from loregraph.indexer.facts import Assignment, Call, Export, Expr, Import, Return
from loregraph.indexer.resolve.model import VALUE, Class, FileIndex, Function, Site

Name = Any
"""Nested tuples of str, int, None and bool."""

CALL: Final = "c"
ASSIGNMENT: Final = "a"
RETURN: Final = "r"
EXPORT: Final = "x"
IMPORTED: Final = "m"
SYNTAX: Final = "s"
HEADER: Final = "h"
CONTRACT: Final = "u"
FACT_KINDS: Final = frozenset({CALL, ASSIGNMENT, RETURN, EXPORT, IMPORTED, SYNTAX, CONTRACT})
"""Kinds of facts. A "header" is the expressions of one definition: types, defaults, decorators, …; a "contract" an
implementation outside its type; "syntax" an implicit call (see `syntax_calls`)."""

_KIND_OF: Final[dict[type, str]] = {
    Call: CALL,
    Assignment: ASSIGNMENT,
    Return: RETURN,
    Export: EXPORT,
    Import: IMPORTED,
}
_REFERENCE: Final = re.compile(rb'\["([cf])",(\d+)\]')
"""`("c", call)` or `("f", definition)` in JSON. Quotes within strings are escaped, so no string matches."""
_HASH_BYTES: Final = 8


def _written(part: Any) -> str | None:
    """For the encoder: the representation of an object that resolution put into an expression."""
    return part.id if isinstance(part, Function | Class) else None


_encode: Final = msgspec.json.Encoder(enc_hook=_written).encode

Root = tuple[str, int, int]
"""(kind, index of the fact or definition, index of the expression in a header)"""


class UnknownNameError(Exception):
    """Raised for a name that matches nothing in the facts, or is malformed."""


class Group:
    """The facts of one kind in one file, by scope."""

    def __init__(self, facts: Sequence[Any], scopes: Iterable[int]) -> None:
        self.facts = facts
        self.by_scope: dict[int, list[int]] = {}
        self.ids: dict[int, int] = {}
        for number, (fact, scope) in enumerate(zip(facts, scopes, strict=True)):
            self.by_scope.setdefault(scope, []).append(number)
            self.ids[id(fact)] = number
        self.keys: dict[int, tuple[int, int]] = {}
        """Number of a fact → hash of its content, number among equal ones."""
        self.numbers: dict[int, dict[tuple[int, int], int]] = {}
        """Scope → the way back."""


class FileNames:
    """The names of one file's facts."""

    def __init__(self, file: FileIndex) -> None:
        self.file = file
        self._definitions: list[Name] = []
        self._numbers: dict[Name, int] = {None: -1}
        counts: dict[str, int] = {}
        for number, definition in enumerate(file.facts.definitions):
            before = counts.get(definition.qualname, 0)
            counts[definition.qualname] = before + 1
            name = (definition.qualname, before) if before else definition.qualname
            self._definitions.append(name)
            self._numbers[name] = number
        self._groups: dict[str, Group] = {}
        self._hashes: dict[int, int] = {}
        self._roots: dict[Root, tuple[list[Any], dict[int, int]]] = {}
        self._headers: dict[int, list[tuple[tuple[int, int], tuple[Any, ...]]]] = {}
        self._at: dict[int, dict[int, list[Root]]] = {}
        """Scope → byte → what stands there, of scopes that were asked for."""
        self._within: dict[int, list[int]] | None = None
        self._taken_apart: dict[int, list[tuple[str, Any]]] | None = None
        self._anywhere: dict[int, Root] | None = None

    # Definitions

    def definition(self, number: int) -> Name:
        """The name of a definition within the file, or of the scope that it is; None for the file itself."""
        return self._definitions[number] if number >= 0 else None

    def definition_number(self, name: Name) -> int:
        """The index of the definition with that name."""
        found = self._numbers.get(name)
        if found is None:
            raise UnknownNameError(name)
        return found

    def number_of(self, name: Name) -> int | None:
        """The same; None where no definition has the name."""
        return self._numbers.get(name)

    # Facts

    def kind_of(self, fact: Any) -> str:
        """The kind of a fact of this file; "" for anything else, such as a call made by resolution."""
        kind = _KIND_OF.get(type(fact), "")
        if kind and id(fact) in self._group(kind).ids:
            return kind
        if kind == CALL and SYNTAX in self._groups and id(fact) in self._groups[SYNTAX].ids:
            return SYNTAX
        return ""

    def add_syntax(self, cells: list[Any]) -> None:
        """Registers the implicit calls, by their cells."""
        if SYNTAX not in self._groups:
            calls = [cell.call for cell in cells]
            self._groups[SYNTAX] = Group(calls, [call.scope for call in calls])

    def fact(self, kind: str, fact: Any) -> tuple[Name, int, int]:
        """(scope, hash of the content, number among equal ones) of a fact known to `kind_of`."""
        group = self._group(kind)
        number = group.ids[id(fact)]
        known = group.keys.get(number)
        scope = fact.scope if kind != CONTRACT else fact[3]
        if known is None:
            self._hash_scope(kind, group, scope)
            known = group.keys[number]
        return (self.definition(scope), *known)

    def fact_number(self, kind: str, scope: Name, content: int, ordinal: int) -> int:
        """The index of a fact among those of its kind."""
        group = self._group(kind)
        number = self.definition_number(scope)
        numbers = group.numbers.get(number)
        if numbers is None:
            self._hash_scope(kind, group, number)
            own = group.by_scope.get(number, ())
            numbers = group.numbers[number] = {group.keys[fact]: fact for fact in own}
        found = numbers.get((content, ordinal))
        if found is None:
            raise UnknownNameError((kind, scope, content, ordinal))
        return found

    def find_fact(self, kind: str, scope: Name, content: int, ordinal: int) -> Any:
        """The fact itself."""
        return self._group(kind).facts[self.fact_number(kind, scope, content, ordinal)]

    def _group(self, kind: str) -> Group:
        group = self._groups.get(kind)
        if group is None:
            facts = self.file.facts
            if kind == CONTRACT:
                rows = facts.extras.get("impls", ())
                group = Group(rows, [row[3] for row in rows])
            else:
                lists: dict[str, Sequence[Any]] = {
                    CALL: facts.calls,
                    ASSIGNMENT: facts.assignments,
                    RETURN: facts.returns,
                    EXPORT: facts.exports,
                    IMPORTED: facts.imports,
                    SYNTAX: (),
                }
                group = Group(lists[kind], [fact.scope for fact in lists[kind]])
            self._groups[kind] = group
        return group

    def _hash_scope(self, kind: str, group: Group, scope: int) -> None:
        counts: dict[int, int] = {}
        for number in group.by_scope.get(scope, ()):
            content = self._call_hash(number) if kind == CALL else self.hash(_content(kind, group.facts[number]))
            ordinal = counts.get(content, 0)
            counts[content] = ordinal + 1
            group.keys[number] = (content, ordinal)

    # Hashes

    def hash(self, content: Any) -> int:
        """A 64-bit hash of expressions and the other parts of facts."""
        text = _encode(content)
        if _REFERENCE.search(text) is not None:
            for number in self._unknown(text):
                self._call_hash(number)
            text = _REFERENCE.sub(self._spelled, text)
        return _digest(text)

    def _call_hash(self, number: int) -> int:
        """The hash of a call, after those nested in it. A call nested in itself (extraction makes none) counts as 0."""
        calls = self.file.facts.calls
        hashes = self._hashes
        entered: set[int] = set()
        stack = [number]
        while stack:
            current = stack[-1]
            if current in hashes:
                stack.pop()
                continue
            call = calls[current]
            text = _encode((call.kind, call.function, call.arguments, call.keywords))
            if _REFERENCE.search(text) is not None:
                missing = self._unknown(text) if current not in entered else ()
                if missing:
                    entered.add(current)
                    stack += missing
                    continue
                text = _REFERENCE.sub(self._spelled, text)
            hashes[current] = _digest(text)
            stack.pop()
        return hashes[number]

    def _unknown(self, text: bytes) -> list[int]:
        """The calls referred to by an encoded expression that have no hash yet."""
        numbers = [int(number) for kind, number in _REFERENCE.findall(text) if kind == b"c"]
        count = len(self.file.facts.calls)
        return [number for number in numbers if number not in self._hashes and number < count]

    def _spelled(self, reference: re.Match[bytes]) -> bytes:
        """What an index refers to: the hash of a call, the name of a definition."""
        number = int(reference[2])
        if reference[1] == b"c":
            return b'["c",%d]' % self._hashes.get(number, 0)
        name = self._definitions[number] if number < len(self._definitions) else None
        return b'["f",%b]' % _encode(name)

    # Expressions

    def place(self, site: Any, expr: Any) -> Name:
        """The name of an expression by its position in a fact, preferably in that of `site`; None where it is in no
        fact."""
        ident = id(expr)
        for root in self._roots_of(site):
            place = self._parts(root)[1].get(ident)
            if place is not None:
                return (*self._root_name(root), place)
        return None

    def place_anywhere(self, expr: Any) -> Name:
        """The same, searched for in all facts of the file."""
        if self._anywhere is None:
            found: dict[int, Root] = {}
            kinds = (CALL, ASSIGNMENT, RETURN, EXPORT, CONTRACT)
            roots = [(kind, number, 0) for kind in kinds for number in range(len(self._group(kind).facts))]
            for number in range(len(self._definitions)):
                roots += [(HEADER, number, i) for i in range(len(self._header(number)))]
            for root in roots:
                # Not cached: most of these roots are needed only once.
                for part in walked(self._expressions(root)):
                    found.setdefault(id(part), root)
            self._anywhere = found
        known = self._anywhere.get(id(expr))
        return (*self._root_name(known), self._parts(known)[1][id(expr)]) if known is not None else None

    def find_place(self, kind: str, scope: Name, content: int, ordinal: int, place: int) -> Any:
        """The expression at a named position."""
        if kind == HEADER:
            number = self.definition_number(scope)
            keys = [key for key, _ in self._header(number)]
            if (content, ordinal) not in keys:
                raise UnknownNameError((kind, scope, content, ordinal))
            root = (HEADER, number, keys.index((content, ordinal)))
        else:
            root = (kind, self.fact_number(kind, scope, content, ordinal), 0)
        parts = self._parts(root)[0]
        if not 0 <= place < len(parts):
            raise UnknownNameError(place)
        return parts[place]

    def site_of(self, kind: str, scope: Name, content: int, ordinal: int) -> Any:
        """The site where the expressions of a fact are normally read; None where it depends on the definition."""
        if kind in (HEADER, CONTRACT):
            return None
        fact = self.find_fact(kind, scope, content, ordinal)
        return Site(fact.scope, fact.at, -2) if kind == EXPORT else fact

    def _root_name(self, root: Root) -> tuple[Any, ...]:
        kind, number, expression = root
        if kind == HEADER:
            return (kind, self.definition(number), *self._header(number)[expression][0])
        return (kind, *self.fact(kind, self._group(kind).facts[number]))

    def _roots_of(self, site: Any) -> list[Root]:
        """The facts at a site, whose expressions are candidates for those read there."""
        kind = _KIND_OF.get(type(site))
        if kind is not None:
            number = self._group(kind).ids.get(id(site))
            if number is not None:
                return [(kind, number, 0)]
        elif site is None:
            return []
        return self.standing_at(site.scope, site.at)

    def standing_at(self, scope: int, at: int) -> list[Root]:
        """The facts and headers at a site."""
        found = self._at.get(scope)
        if found is None:
            found = self._at[scope] = {}
            for kind in (CALL, ASSIGNMENT, RETURN, EXPORT):
                group = self._group(kind)
                for number in group.by_scope.get(scope, ()):
                    found.setdefault(group.facts[number].at, []).append((kind, number, 0))
            if self._within is None:
                self._within = {}
                for number, definition in enumerate(self.file.facts.definitions):
                    self._within.setdefault(definition.parent, []).append(number)
            definitions = self.file.facts.definitions
            for number in (*self._within.get(scope, ()), *((scope,) if scope >= 0 else ())):
                roots = found.setdefault(definitions[number].start_byte, [])
                roots += [(HEADER, number, i) for i in range(_header_size(definitions[number]))]
        return found.get(at, [])

    def _parts(self, root: Root) -> tuple[list[Any], dict[int, int]]:
        """The expressions of a fact in order, and identity → place."""
        found = self._roots.get(root)
        if found is None:
            parts = walked(self._expressions(root))
            places: dict[int, int] = {}
            for place, part in enumerate(parts):
                places.setdefault(id(part), place)
            found = self._roots[root] = (parts, places)
        return found

    def _expressions(self, root: Root) -> tuple[Any, ...]:
        kind, number, expression = root
        if kind == HEADER:
            return self._header(number)[expression][1]
        fact = self._group(kind).facts[number]
        if kind == ASSIGNMENT and fact.target[0] != "n":
            return (*_content(kind, fact), *self._parts_taken(fact))
        return _content(kind, fact)

    def _header(self, number: int) -> list[tuple[tuple[int, int], tuple[Any, ...]]]:
        """The expressions of a definition, each with its hash and its number among equal ones; the last ones are what
        its destructured parameters expand to."""
        found = self._headers.get(number)
        if found is None:
            definition = self.file.facts.definitions[number]
            contents: list[tuple[str, tuple[Any, ...]]] = []
            for parameter in definition.parameters:
                contents.append(("type", (parameter.type,)))
                contents.append(("default", (parameter.default,)))
                contents.append(("pattern", (parameter.pattern,)))
            contents += [("base", (base.type,)) for base in definition.bases]
            contents += [("decorator", (decorator,)) for decorator in definition.decorators]
            contents += [("returns", (definition.returns,)), ("owner", (definition.owner,))]
            counts: dict[int, int] = {}
            found = []
            for what, content in contents:
                key = self.hash((what, content)) if content[0] is not None else 0
                found.append(((key, counts.get(key, 0)), content))
                counts[key] = counts.get(key, 0) + 1
            patterns = tuple(parameter.pattern for parameter in definition.parameters)
            taken = self._parameters_taken(number) if any(patterns) else ()
            found.append(((self.hash(("patterns", patterns)) if taken else -1, 0), taken))
            self._headers[number] = found
        return found

    def _parameters_taken(self, number: int) -> tuple[Any, ...]:
        scope = self.file.scopes[number]
        return tuple(
            binding.payload
            for _, bindings in sorted(scope.bindings.items())
            for binding in bindings
            if binding.kind == VALUE and type(binding.site) is Site and binding.site.scope == number
        )

    def _parts_taken(self, fact: Assignment) -> list[Any]:
        """The expressions that destructuring makes of an assigned value; they occur in no fact."""
        if self._taken_apart is None:
            found: dict[int, list[tuple[str, Any]]] = {}
            for scope in self.file.scopes:
                for name, bindings in scope.bindings.items():
                    for binding in bindings:
                        if type(binding.site) is Assignment and binding.site.target[0] != "n":
                            found.setdefault(id(binding.site), []).append((name, binding.payload))
            for parts in found.values():
                parts.sort(key=_by_name)
            for store in self.file.stores:
                found.setdefault(id(store.assignment), []).append(("", store.value))
            self._taken_apart = found
        return [part for _, part in self._taken_apart.get(id(fact), ())]


def _by_name(part: tuple[str, Any]) -> str:
    return part[0]


def _header_size(definition: Any) -> int:
    """The number of entries of `FileNames._header`."""
    return 3 * len(definition.parameters) + len(definition.bases) + len(definition.decorators) + 3


def _content(kind: str, fact: Any) -> tuple[Any, ...]:
    """The content of a fact, without its position."""
    if kind in (CALL, SYNTAX):
        return (fact.kind, fact.function, fact.arguments, fact.keywords)
    if kind == ASSIGNMENT:
        return (fact.kind, fact.target, fact.value, fact.type)
    if kind == RETURN:
        return (fact.kind, fact.value)
    if kind == EXPORT:
        return (fact.name, fact.value)
    if kind == CONTRACT:
        return (fact[0], fact[1])
    return (fact.module, fact.level, fact.name, fact.alias, fact.kind)


def _digest(text: bytes) -> int:
    return int.from_bytes(blake2b(text, digest_size=_HASH_BYTES).digest())


def walked(expressions: Iterable[Any]) -> list[Expr]:
    """All nested expressions, in order."""
    found: list[Any] = []
    stack = [*expressions][::-1]
    while stack:
        part = stack.pop()
        if type(part) is tuple or type(part) is list:
            found.append(part)
            stack += part[::-1]
    return found
