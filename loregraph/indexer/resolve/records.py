"""The records of resolution that are stored or returned, as structs.

They are separate from the code that fills them because this module is not compiled: mypyc would drop the options in a
class's head (`array_like`, `frozen`) and the element types of lists and dicts.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Struct

from loregraph.indexer.facts import is_anonymous
from loregraph.indexer.resolve.fact_names import Name

Askers = dict[str, int]
"""Path of a file → the first time that its code read the cell: twice the round, plus one for the next round."""
Entry = tuple[int, bool, tuple[Name, ...]]
"""(time, whether earlier values were replaced, added values). Time: twice the round in which the cell was started, if
its values were visible at once, else twice the round at whose end they became visible, plus one."""

Message = tuple[str, *tuple[Name, ...]]
"""The kind of message (`LINK`, …) and the names of its parts."""

Counts = dict[str, int]
"""Name → the number of files that have it."""
Row = tuple[Any, int, list[tuple[int, Any]]]
"""Name of a type within its file, `Class.depth`, its supertypes: (index of a path, name), or (−1 and lower: index of an
external symbol, None)."""

Number = Annotated[int, msgspec.Meta(ge=0)]


class Words(Struct, array_like=True, frozen=True):
    """`mentions` as returned by `differences.mentions`. `known` is the concatenation of a `digest` for each name that
    the file defines anywhere and each member that it writes: the names that certainly exist."""

    mentions: bytes = b""
    known: bytes = b""


class Export(Struct, array_like=True):
    """A cell that other files read: the round it was started in, its height, its values over time."""

    birth: int
    height: int
    history: list[Entry]
    askers: Askers


class Trace(Struct, array_like=True):
    """The interaction of one file with others. `told` are the files that it read from or sent something to; `words` is
    for `reached`."""

    exports: dict[Name, Export]
    inbox: dict[Message, dict[str, int]]
    told: list[str]
    words: Words = Words()


Placed = dict[str, dict[str, list[str]]]
"""Path → what values determine about a type or method there: id → ids."""


class TypesTrace(Struct, array_like=True):
    """The stored changes of types in a language family: see `late_types.placed`, and the trace of the `changes`
    (`recording.changes`)."""

    placed: Placed
    changes: bytes


class Written(Struct, array_like=True):
    """The serialised form of a trace. `nodes` are all names, each part once: a part that is itself a name is a list
    with its index, and precedes its users. Everything else uses indexes of nodes and of `paths`."""

    words: Words
    paths: list[str]
    nodes: list[list[str | int | bool | tuple[Number] | None]]
    exports: list[tuple[Number, int, int, list[tuple[int, bool, list[Number]]], list[tuple[Number, int]]]]
    inbox: list[tuple[Number, list[tuple[Number, int]]]]
    told: list[Number]


class Head(Struct, array_like=True):
    """The head of a serialised trace."""

    words: Words


class Seen(Struct, array_like=True, frozen=True):
    """What other files can see of a file statically. Digests have 16 bytes.

    `language` and `whole` concern all readers of the file; `bindings` has a digest for each scope and name
    (`scope\\0name`), `objects` one for each function and type by its qualified name, `types` one for what determines a
    type's place in the hierarchy. `order` are the objects in the order of the text; `accessors`, `members`, `stored`
    and `listed` are names (of accessors, of all definitions, of members that are written anywhere, in `__all__`).
    `used` has the names in an object's definition, `aliases` pairs of a name and another name for the same thing.
    `hidden` means that other files cannot find top-level bindings by name, except exports.
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
    """What changed in a file for other files: see `differences`. `stored` are those of `names` that exist only because
    members of that name are written here, and `members` those that exist only as the name of some definition: other
    files that write or define them keep them alive. `bound` are the names of the `objects` and `types`."""

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
    """`members`, `stored` and `accessors` are names: of all definitions, of written members, of accessors. `made` maps
    the last name of a callee to the class attributes made by calling it; `hooks` are the descriptor types by path.
    `types` has all types with supertypes; the depth of any other type is 1."""

    members: Counts = {}
    stored: Counts = {}
    accessors: Counts = {}
    made: dict[str, Counts] = {}
    hooks: dict[str, list[Any]] = {}
    paths: list[str] = []
    externals: list[tuple[str, str]] = []
    types: dict[str, list[Row]] = {}


class Said(Struct, frozen=True):
    """The names that one file contributes to a summary."""

    members: frozenset[str]
    stored: frozenset[str]
    accessors: frozenset[str]
    made: frozenset[tuple[str, str]]
