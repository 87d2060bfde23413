"""Groups of definitions that are one symbol to users: overloads, variants, `#2` and higher.

Ids number repeated definitions in a scope (`Owner.getPet`, `Owner.getPet#2`). A name or an id without a number denotes
all of them; one with a number only that one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, Final, Protocol

from loregraph.graph.model import LABELS

_NUMBER: Final = re.compile(r"#[0-9]+$")
_NUMBERED: Final = re.compile(r"#[0-9]+")


class Symbols(Protocol):
    """The part of `graph.columns.GraphColumns` that is needed."""

    def id(self, node: int, /) -> str: ...
    def label(self, node: int, /) -> str: ...
    def own(self, node: int, field: str, /) -> Any: ...
    def find_id(self, text: str, /) -> int | None: ...
    def ids_with(self, prefix: str, /) -> tuple[int, int]: ...


def unnumbered(identity: str) -> str:
    """An id without the numbers of its definitions: shared by all of a group."""
    path, inside, name = identity.partition("::")
    return path + inside + ".".join(_NUMBER.sub("", part) for part in name.split(".")) if inside else identity


def group_of(columns: Symbols, node: int, text: str = "", labels: Collection[str] = LABELS) -> list[int]:
    """The nodes with one of `labels` that `text`, the user's name for `node`, also denotes, in order of id. A part of
    `text` with a number denotes that definition only; `node` itself is always included."""
    path, inside, name = columns.id(node).partition("::")
    if not inside:
        return [node]
    parts = name.split(".")
    said = text.rpartition("::")[2].split(".")
    # From the end: `text` is a suffix of the id.
    pinned = {len(parts) - back for back, part in enumerate(reversed(said), 1) if _NUMBER.search(part)}
    found, scopes = [node], [path + inside]
    for place, part in enumerate(parts):
        if place in pinned:
            grown = [[scope + part] for scope in scopes]
        else:
            plain = _NUMBER.sub("", part)
            grown = [[scope + plain, *_numbered(columns, scope + plain)] for scope in scopes]
        ids = [identity for variants in grown for identity in variants]
        scopes = [identity + "." for identity in ids]
    found += (number for identity in ids if (number := columns.find_id(identity)) is not None)
    return sorted({number for number in found if number == node or columns.label(number) in labels})


def _numbered(columns: Symbols, identity: str) -> list[str]:
    """The ids that consist of `identity` and a number."""
    first, last = columns.ids_with(identity + "#")
    ids = (columns.id(number) for number in range(first, last))
    return [found for found in ids if _NUMBERED.fullmatch(found, len(identity))]


def lead(columns: Symbols, group: Iterable[int]) -> int:
    """The representative of a group: the first that is not a stub (`@overload` in Python, followed by its
    implementation)."""
    nodes = list(group)
    return next((node for node in nodes if not is_stub(columns, node)), nodes[0])


def is_stub(columns: Symbols, node: int) -> bool:
    """Whether a definition is only a signature: Python's `@overload`."""
    return any(name.rpartition(".")[2] == "overload" for name in columns.own(node, "decorators") or ())
