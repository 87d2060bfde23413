"""What resolution keeps of files and tells of them, as structs.

They stand here, and not with the code that fills them, because mypyc makes other classes of them: without the options
in the head of a class (`array_like`, `frozen`) and without what a list or dict holds. This module is not compiled.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Struct

from loregraph.indexer.facts import is_anonymous
from loregraph.indexer.resolve.fact_names import Name

Askers = dict[str, int]
"""Path of a file → the first time that its code asked: twice the round, and one more for the next one."""
Entry = tuple[int, bool, tuple[Name, ...]]
"""(when, whether what was held before was given up, what joined). When: twice the round that a cell was started in,
where its values showed at once, else one more than twice the round at whose end they did."""

Message = tuple[str, *tuple[Name, ...]]
"""What is wanted (`LINK`, …) and the names of what it is about."""

Counts = dict[str, int]
"""Name → how many files have it."""
Row = tuple[Any, int, list[tuple[int, Any]]]
"""Name of a type within its file, `Class.depth`, its supertypes: (number of a path, name), or (−1 and lower: number of
an external symbol, None)."""

Number = Annotated[int, msgspec.Meta(ge=0)]


class Words(Struct, array_like=True, frozen=True):
    """`mentions` is as `differences.mentions` gives it. `known` has a `digest` for each name that the file defines
    anywhere and each member that it writes, joined: only of these can be said that they are there for certain."""

    mentions: bytes = b""
    known: bytes = b""


class Export(Struct, array_like=True):
    """A cell that code of other files asked for: the round it was started in, its height, what it held when."""

    birth: int
    height: int
    history: list[Entry]
    askers: Askers


class Trace(Struct, array_like=True):
    """What one file had to do with others. `told` are the files that it asked or sent something to; `words` is for
    `reached`."""

    exports: dict[Name, Export]
    inbox: dict[Message, dict[str, int]]
    told: list[str]
    words: Words = Words()


Placed = dict[str, dict[str, list[str]]]
"""Path → what values decide of a type or method there: id → ids."""


class TypesTrace(Struct, array_like=True):
    """What is kept of a family of languages whose types change: see `late_types.placed`, and the trace of what
    `changes` (`recording.changes`)."""

    placed: Placed
    changes: bytes


class Written(Struct, array_like=True):
    """A trace as it is kept. `nodes` are all names, each part once: a part that is a name itself is written as a list
    of its number, and stands before. Everything else says numbers of nodes and of `paths`."""

    words: Words
    paths: list[str]
    nodes: list[list[str | int | bool | tuple[Number] | None]]
    exports: list[tuple[Number, int, int, list[tuple[int, bool, list[Number]]], list[tuple[Number, int]]]]
    inbox: list[tuple[Number, list[tuple[Number, int]]]]
    told: list[Number]


class Head(Struct, array_like=True):
    """What a trace begins with."""

    words: Words


class Seen(Struct, array_like=True, frozen=True):
    """What of one file others can see statically. Digests are of 16 bytes.

    `language` and `whole` are what concerns all that look into the file; `bindings` has a digest for each scope and
    name (`scope\\0name`), `objects` one for each function and type by its qualified name, `types` one for what decides
    a type's place among the others. `order` are the objects in the order of the text; `accessors`, `members`, `stored`
    and `listed` names (of accessors, of all definitions, of members that are written anywhere, of `__all__`). `used`
    has the names in an object's definition, `aliases` pairs of a name and another one that stands for the same.
    `hidden` says that no other file finds what the top level binds by its name, but for what is exported.
    """

    language: str
    whole: bytes
    bindings: dict[str, bytes]
    objects: dict[str, bytes]
    types: dict[str, bytes]
    order: tuple[str, ...]
    accessors: frozenset[str]
    members: frozenset[str]
    stored: frozenset[str]
    listed: frozenset[str] | None
    used: dict[str, tuple[str, ...]]
    aliases: tuple[tuple[str, str], ...]
    hidden: bool


class Difference(Struct, frozen=True):
    """What of a file changed for others: see above. `stored` are those of `names` that are there only for being written
    as members here, and `members` those that are there only for being the name of any definition: others that write or
    define them keep them as they were. `bound` are the names that `objects` and `types` have."""

    names: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    everything: bool = False
    why: tuple[str, ...] = ()
    stored: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()

    @property
    def bound(self) -> frozenset[str]:
        found = {path.partition("#")[0].rpartition(".")[2] for path in self.objects | self.types}
        return frozenset(name for name in found if not is_anonymous(name))

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.everything or self.names or self.objects or self.types)


class Summary(Struct, array_like=True):
    """`members`, `stored` and `accessors` are names: of all definitions, of members that are written, of accessors.
    `made` has, for the last name of what class attributes are made by calling, the attributes; `hooks` the types with
    methods that answer for attributes, by path. `types` has those with supertypes; all others have a depth of 1."""

    members: Counts = {}
    stored: Counts = {}
    accessors: Counts = {}
    made: dict[str, Counts] = {}
    hooks: dict[str, list[Any]] = {}
    paths: list[str] = []
    externals: list[tuple[str, str]] = []
    types: dict[str, list[Row]] = {}


class Said(Struct, frozen=True):
    """What the names in one file add to a summary."""

    members: frozenset[str]
    stored: frozenset[str]
    accessors: frozenset[str]
    made: frozenset[tuple[str, str]]
