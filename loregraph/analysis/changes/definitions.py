"""Matches the functions and classes in two versions of some files.

A definition is first looked up by its own name in its own file, then by its text anywhere among the rest, then by
similarity: the Dice coefficient of adjacent pairs of words; words rather than lines, because functions are short. Only
definitions that share a rare pair of words are compared, so that the cost grows with the size of the change and not
with its square.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from loregraph.analysis.changes.signatures import Difference, differences
from loregraph.graph.definitions import SourceDefinition
from loregraph.graph.model import Class

ChangeKind = Literal["added", "removed", "signature", "body", "moved", "renamed"]

ALIKE: Final = 0.7
"""Similarity from which on a function of another name is taken for the removed one."""
ALIKE_SAME_NAME: Final = 0.5
"""The same where the name is specific: see `_is_telling`."""
TELLING_WORDS: Final = 20
"""Shorter texts are similar by chance: such a definition is only matched by its own name."""
COMMON: Final = 40
"""A pair of words shared by more of the candidates is not specific."""

_WORD: Final = re.compile(r"\w+|[^\w\s]")
_NUMBER: Final = re.compile(r"#\d+(?=\.|$)")
_SPECIAL: Final = re.compile(r"__\w+__$")
_SPACE: Final = re.compile(r"[\s,]+")


class DefinitionChange(Struct, frozen=True):
    """`old` is None for "added", `new` for "removed".

    "signature" is changed in place with another signature, "body" with the same one; "moved" has its name elsewhere,
    "renamed" another name. `likeness` is 1 where the text is the same except for the name. `differences` are those of
    the signatures.
    """

    kind: ChangeKind
    old: SourceDefinition | None
    new: SourceDefinition | None
    likeness: float = 0.0
    differences: tuple[Difference, ...] = ()

    @property
    def definition(self) -> SourceDefinition:
        """The new definition, or the old one where it was removed."""
        found = self.new or self.old
        assert found is not None
        return found

    @property
    def loses_test(self) -> bool:
        """Whether it was a test and is none any more, or was removed."""
        was = self.old is not None and getattr(self.old.node, "is_test", False)
        return was and not (self.new is not None and getattr(self.new.node, "is_test", False))

    @property
    def breaks(self) -> bool:
        """Whether its users may have to change."""
        return self.kind in ("removed", "moved", "renamed") or any(d.breaks for d in self.differences)


Definitions = Mapping[str, Sequence[SourceDefinition]]
"""Path → the definitions of a file, in the order of its source."""
Pairs = Iterator[tuple[SourceDefinition, SourceDefinition]]


class Compared(Struct, frozen=True):
    """The changes, by path and line of what exists now, then the removed definitions; and the new id of each old
    definition that still exists, changed or not.

    A definition that only moves along with its file or class is not a change.
    """

    changes: tuple[DefinitionChange, ...]
    places: dict[str, str]


def compare(before: Definitions, after: Definitions, renamed: Mapping[str, str]) -> Compared:
    """Compares two versions of some files. `renamed` maps old paths of files to new."""
    matching = _Matching(before, after, renamed)
    found: list[DefinitionChange] = []
    for classes in (True, False):  # classes first: their members move with them
        matching.begin(classes)
        for step in (matching.in_place, matching.by_text, matching.by_likeness):
            for old, new in list(step()):
                found += _compared(old, new, matching)
                matching.settle(old, new)
        found += [DefinitionChange("added", None, one) for one in matching.new.values()]
        found += [DefinitionChange("removed", one, None) for one in matching.old.values()]
    return Compared(tuple(sorted(found, key=_order)), matching.places)


def _order(change: DefinitionChange) -> tuple[bool, str, int, str]:
    node = change.definition.node
    return change.new is None, node.file_path, node.start_line, node.id


def _compared(old: SourceDefinition, new: SourceDefinition, matching: _Matching) -> Iterator[DefinitionChange]:
    """The change from `old` to `new`, if there is one."""
    stayed = _NUMBER.sub("", matching.place(old)) == _NUMBER.sub("", new.node.id)
    if stayed and folded(old.text) == folded(new.text):
        return
    found = () if isinstance(new.node, Class) else tuple(differences(old, new))
    likeness = matching.likeness(old, new)
    if not stayed:
        yield DefinitionChange("moved" if old.node.name == new.node.name else "renamed", old, new, likeness, found)
    else:
        same = _signature(old) == _signature(new) and not found
        yield DefinitionChange("body" if same else "signature", old, new, likeness, found)


class _Matching:
    """The definitions not matched yet, and the result so far: old id → new id."""

    def __init__(self, before: Definitions, after: Definitions, renamed: Mapping[str, str]) -> None:
        self._sides = (before, after)
        self._renamed = renamed
        self.places: dict[str, str] = {}
        self.old: dict[str, SourceDefinition] = {}
        self.new: dict[str, SourceDefinition] = {}
        self._whole: list[dict[str, str]] = [{}, {}]
        self._texts: list[dict[str, str]] = [{}, {}]
        self._bigrams = cache(lambda text: Counter(_bigrams(text)))

    def begin(self, classes: bool) -> None:
        self.old, self.new = (
            {one.node.id: one for path in sorted(side) for one in side[path] if isinstance(one.node, Class) is classes}
            for side in self._sides
        )
        self._whole = [whole_texts(side) if classes else {} for side in self._sides]

    def settle(self, old: SourceDefinition, new: SourceDefinition) -> None:
        del self.old[old.node.id], self.new[new.node.id]
        self.places[old.node.id] = new.node.id

    def place(self, definition: SourceDefinition) -> str:
        """The id of an old definition if neither its name nor its container changed."""
        path, _, name = definition.node.id.partition("::")
        outer = name
        while "." in outer:
            outer = outer.rpartition(".")[0]
            if (now := self.places.get(f"{path}::{outer}")) is not None:
                return now + name[len(outer) :]
        return f"{self._renamed.get(path, path)}::{name}"

    def likeness(self, old: SourceDefinition, new: SourceDefinition) -> float:
        """0 to 1."""
        one, other = self._bigrams(self._text(old, 0)), self._bigrams(self._text(new, 1))
        if one == other:
            return 1.0
        return round(min(0.99, 2 * (one & other).total() / (one.total() + other.total())), 2)

    def in_place(self) -> Pairs:
        """Matches same file, same name. Of several with one name (overloads) those with the same text, then with the
        same signature."""
        there: dict[str, list[SourceDefinition]] = defaultdict(list)
        for one in self.new.values():
            there[_NUMBER.sub("", one.node.id)].append(one)
        groups: dict[str, list[SourceDefinition]] = defaultdict(list)
        for one in self.old.values():
            groups[_NUMBER.sub("", self.place(one))].append(one)
        for place, those in groups.items():
            yield from _first_equal(those, there.get(place, []), (lambda d: folded(d.text), _signature, lambda _: ""))

    def by_text(self) -> Pairs:
        """Matches by the same text except for the name, elsewhere: same name first, same file first."""
        there: dict[str, list[SourceDefinition]] = defaultdict(list)
        for other in self.new.values():
            there[self._text(other, 1)].append(other)
        for same_name in (True, False):
            for one in list(self.old.values()):
                text = self._text(one, 0)
                candidates = [
                    other
                    for other in there.get(text, ())
                    if (other.node.name == one.node.name if same_name else len(_WORD.findall(text)) >= TELLING_WORDS)
                ]
                if candidates and one.node.id in self.old:
                    best = min(candidates, key=lambda o: (o.node.file_path != one.node.file_path, o.node.id))
                    there[text].remove(best)
                    yield one, best

    def by_likeness(self) -> Pairs:
        """Matches the most similar pairs first, down to the thresholds."""
        having: dict[tuple[str, str], list[str]] = defaultdict(list)
        named: dict[str, list[str]] = defaultdict(list)
        for id, other in self.new.items():
            named[other.node.name].append(id)
            for pair in self._bigrams(self._text(other, 1)):
                having[pair].append(id)
        scored = []
        for id, one in self.old.items():
            own = self._bigrams(self._text(one, 0))
            near = set(named.get(one.node.name, ())[:COMMON])
            if own.total() >= TELLING_WORDS:
                near.update(new for pair in own if len(found := having.get(pair, ())) <= COMMON for new in found)
            for new in near:
                likeness = self.likeness(one, self.new[new])
                same_name = one.node.name == self.new[new].node.name
                known = same_name and _is_telling(one, self.new[new])
                if likeness >= ALIKE_SAME_NAME if known else likeness >= ALIKE and own.total() >= TELLING_WORDS:
                    scored.append((not same_name, -likeness, id, new))
        taken: set[str] = set()
        for _, _, id, new in sorted(scored):
            if id not in taken and new not in taken:
                taken |= {id, new}
                yield self.old[id], self.new[new]

    def _text(self, definition: SourceDefinition, side: int) -> str:
        """The words of a definition, a class's including its members', without indentation and its own name."""
        known = self._texts[side].get(definition.node.id)
        if known is None:
            known = self._texts[side][definition.node.id] = _nameless(definition, self._whole[side])
        return known


def _nameless(definition: SourceDefinition, whole: Mapping[str, str]) -> str:
    text = whole.get(definition.node.id, definition.text)
    lines = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    name = definition.node.name
    return re.sub(rf"\b{re.escape(name)}\b", "\0", lines) if name.isidentifier() else lines


def _is_telling(old: SourceDefinition, new: SourceDefinition) -> bool:
    """Whether a name is specific enough to identify a definition: every second class has an `__init__` or a `get`."""
    if _SPECIAL.match(old.node.name):
        return False
    (path, _, name), (new_path, _, new_name) = (one.node.id.partition("::") for one in (old, new))
    return path == new_path or name.rpartition(".")[0] == new_name.rpartition(".")[0]


def _first_equal(
    old: list[SourceDefinition], new: list[SourceDefinition], keys: Sequence[Callable[[SourceDefinition], str]]
) -> Pairs:
    """Pairs with equal keys, by the first of `keys`, then the next; removes them from the lists."""
    for key in keys:
        for one in list(old):
            match = next((other for other in new if key(other) == key(one)), None)
            if match is not None:
                new.remove(match)
                old.remove(one)
                yield one, match


def whole_texts(side: Definitions) -> dict[str, str]:
    """Id of each class → its text including its members'."""
    texts: dict[str, list[str]] = defaultdict(list)
    for definitions in side.values():
        classes = {one.node.id for one in definitions if isinstance(one.node, Class)}
        for one in definitions:
            path, _, name = one.node.id.partition("::")
            while name:
                if f"{path}::{name}" in classes:
                    texts[f"{path}::{name}"].append(one.text)
                name = name.rpartition(".")[0]
    return {id: "\n".join(parts) for id, parts in texts.items()}


def folded(text: str) -> str:
    """A text without common indentation, empty lines and trailing space."""
    first, _, rest = text.partition("\n")
    kept = "\n".join(line.rstrip() for line in rest.splitlines() if line.strip())
    return f"{first.strip()}\n{textwrap.dedent(kept)}"


def _signature(definition: SourceDefinition) -> str:
    return _SPACE.sub("", definition.node.signature)


def _bigrams(text: str) -> list[tuple[str, str]]:
    words = _WORD.findall(text)
    return list(pairwise(words))
