"""The places of a SCIP index against the definitions and call sites of our own facts.

Symbols are strings of whoever made the index and say nothing here. What an index defines is one of our definitions
where it stands in its head under its name; what it refers to is a call where our facts have a call of that name, or a
bracket follows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from loregraph.indexer.facts import ATTRIBUTE, FILE_SCOPE, NAME, Definition, Expr, FileFacts, is_node
from loregraph.scip.reading import Place
from loregraph.scip.text import SourceText

LINES_OF_A_HEAD: Final = 60
"""Lines from a definition's first on which its name is looked for; decorators stand above it."""
MOST_CANDIDATES: Final = 100
"""Places of its name that are looked at for a definition."""
LONGEST_NAME: Final = 1_000
"""Characters of a name; longer places are passed over."""
_SPLIT: Final = 50
"""A document is of another text if one of so many places is outside the file, or cuts a word."""
_SILENT: Final = ("read", "operator")
"""Calls of the facts that no name stands for."""


_At = tuple[int, int]
"""Line and column, from 0."""


class _Standing(NamedTuple):
    """What an index has at a place: the symbols that it defines there, and the column that the place ends at."""

    defined: list[str]
    end: int


class MatchedFile:
    """One indexed file: its text, its facts, and the places that an index has in it."""

    def __init__(self, facts: FileFacts, text: SourceText) -> None:
        self.facts = facts
        self.text = text

    def is_of_this_text(self, places: Iterable[Place]) -> bool:
        """Whether the places fit the text: names of another one would be cut here and there, or be outside."""
        total = wrong = 0
        for place in places:
            total += 1
            columns = self.text.columns(place)
            wrong += columns is None or self.text.splits(place.line, columns)
        return wrong * _SPLIT <= total

    def defined(self, places: Iterable[Place]) -> tuple[dict[str, list[str]], set[_At]]:
        """Id of a definition of ours → the symbols that `places` define it as; and the places of the names of
        definitions. There stand references, too: of an overload or a setter to the first definition, of a property to
        that of the type that is expected."""
        by_name: dict[str, dict[_At, _Standing]] = {}
        for place in places:
            columns = self.text.columns(place)
            if columns is not None and 0 < columns[1] - columns[0] <= LONGEST_NAME:
                name = self.text.text(place.line, columns)
                standing = by_name.setdefault(name, {}).setdefault((place.line, columns[0]), _Standing([], columns[1]))
                if place.defines:
                    standing.defined.append(place.symbol)
        ordered = {name: sorted(found) for name, found in by_name.items()}
        symbols: dict[str, list[str]] = {}
        heads: set[_At] = set()
        # Inner ones first: else an outer one of the same name that has no place would take theirs.
        for definition in sorted(self.facts.definitions, key=lambda one: (-one.start_byte, one.end_byte)):
            if is_node(definition.kind, definition.flags):
                at = self._head(definition, ordered.get(definition.name, []), by_name.get(definition.name, {}), heads)
                if at is not None:
                    heads.add(at)
                    if defined := by_name[definition.name][at].defined:
                        symbols[self._id(definition)] = defined
        return symbols, heads

    def _head(
        self, definition: Definition, places: list[_At], standing: Mapping[_At, _Standing], taken: set[_At]
    ) -> _At | None:
        """Where the name of a definition stands: the first place of that name in its head that the index defines, or
        that a bracket follows. Parameters of the same name stand behind it."""
        first, last = definition.start_line - 1, definition.end_line - 1
        found: _At | None = None
        begun = bisect_left(places, (first, 0))
        for at in places[begun : begun + MOST_CANDIDATES]:
            if at[0] > min(last, first + LINES_OF_A_HEAD):
                break
            if at in taken or self.text.byte(*at) < definition.start_byte or self.text.is_decorator(at[0]):
                continue
            if standing[at].defined or self.text.is_called(at[0], standing[at].end):
                return at
            found = at if found is None else found
        return found

    def caller(self, line: int, column: int, name: str) -> tuple[str, bool]:
        """The id of what the code at a place belongs to, a definition or the file; and whether the facts have a call of
        `name` there. `line` is from 0."""
        at = self.text.byte(line, column)
        calls = self._calls.get((line + 1, name), [])
        before = bisect_right(calls, (at, len(self.facts.definitions)))
        return (self._around(calls[before - 1][1] if before else self._scope_at(at)), before > 0)

    @cached_property
    def _calls(self) -> dict[tuple[int, str], list[tuple[int, int]]]:
        """(line, name) → (first byte, scope) of the calls in the facts, ascending."""
        found: dict[tuple[int, str], list[tuple[int, int]]] = {}
        for call in self.facts.calls:
            if call.kind not in _SILENT and (name := _called(call.function)):
                found.setdefault((call.line, name), []).append((call.at, call.scope))
        for places in found.values():
            places.sort()
        return found

    def _scope_at(self, at: int) -> int:
        """The innermost definition around a byte, FILE_SCOPE for none."""
        starts, order = self._starts
        best = FILE_SCOPE
        place = bisect_right(starts, at) - 1
        if place >= 0:
            best = order[place]
            while best != FILE_SCOPE and self.facts.definitions[best].end_byte <= at:
                best = self.facts.definitions[best].parent
        return best

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]]:
        """The first bytes of the definitions, ascending, and their numbers; of two that begin together the inner one is
        the last."""
        definitions = self.facts.definitions
        order = sorted(range(len(definitions)), key=lambda n: (definitions[n].start_byte, -definitions[n].end_byte, n))
        return [definitions[number].start_byte for number in order], order

    def _around(self, scope: int) -> str:
        definitions: Sequence[Definition] = self.facts.definitions
        while scope != FILE_SCOPE and not is_node(definitions[scope].kind, definitions[scope].flags):
            scope = definitions[scope].parent
        return self.facts.path if scope == FILE_SCOPE else self._id(definitions[scope])

    def _id(self, definition: Definition) -> str:
        return f"{self.facts.path}::{definition.qualname}"


def names_in(places: Iterable[Place], text: SourceText) -> dict[tuple[int, int, int], set[str]]:
    """Line and columns, from 0, of the references that are names → their symbols: an index gives a name several, one
    for each declaration of it."""
    found: dict[tuple[int, int, int], set[str]] = {}
    for place in places:
        columns = None if place.defines else text.columns(place)
        if columns and columns[1] - columns[0] <= LONGEST_NAME and text.is_name(place.line, columns):
            found.setdefault((place.line, *columns), set()).add(place.symbol)
    return found


def _called(function: Expr) -> str:
    """The name that a call has in the source; "" for none."""
    if function[0] == NAME:
        return str(function[1])
    return str(function[2]) if function[0] == ATTRIBUTE else ""
