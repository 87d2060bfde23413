"""Memories as pages show them: in a list, by what they are about, one with its versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.memory.anchors import content_hash
from loregraph.memory.answers import Found
from loregraph.memory.record import Memory, is_memory_id, level_of
from loregraph.pages.links import Links
from loregraph.pages.node_address import address_of
from loregraph.pages.word_differences import Run, word_differences
from loregraph.pages.written_text import Piece, pieces

EXCERPT: Final = 400
"""Characters of a memory in a list."""
LONGEST_TITLE: Final = 110
"""Characters of a memory's first line that are its title."""
LISTED_ANCHORS: Final = 6
"""Anchors of a memory in a list."""
MOST_VERSIONS: Final = 100
"""Versions of a memory that are shown."""

UNCHANGED, CHANGED, GONE, UNKNOWN = "unchanged", "changed since", "gone", ""
"""What became of an anchor since the memory was last confirmed; unknown without a graph, and of other memories."""

COMPARED: Final = ("kind", "category", "tags", "importance", "metadata", "visibility", "state", "anchors")
"""The fields of a version that are compared beside the content."""


class Anchor(msgspec.Struct, frozen=True):
    """What a memory is about. `name` is short, `label` that of the node, "" where the graph has none."""

    id: str
    name: str
    label: str
    path: str
    address: str
    state: str


class Row(msgspec.Struct, frozen=True):
    """A memory in a list; `more_anchors` are not shown."""

    id: str
    address: str
    title: str
    excerpt: str
    kind: str
    scope: str
    state: str
    tags: tuple[str, ...]
    level: str
    author: str
    updated: str
    version: int
    stale: bool
    anchors: tuple[Anchor, ...]
    more_anchors: int
    superseded_by: tuple[str, ...] = ()


class Change(msgspec.Struct, frozen=True):
    """A field in which a version differs from the one before."""

    name: str
    before: str
    after: str


class Version(msgspec.Struct, frozen=True):
    """A version of a memory with what it changed. `words` are the differences of the content, empty where it is the
    same; `what` says in a word what happened."""

    number: int
    at: str
    what: str
    words: tuple[Run, ...]
    changes: tuple[Change, ...]
    is_present: bool
    may_restore: bool


def row_of(found: Found, columns: GraphColumns | None, links: Links) -> Row:
    """A memory for a list."""
    memory = found.memory
    anchors = [anchor_of(one, memory.anchor_hashes, columns, links) for one in memory.anchors[:LISTED_ANCHORS]]
    title, rest = _parted(memory.content.strip())
    return Row(
        id=memory.id,
        address=links.memory(memory.id),
        title=title,
        excerpt=rest[:EXCERPT],
        kind=memory.kind,
        scope=scope_of(memory),
        state=memory.state,
        tags=memory.tags,
        level=level_of(memory.importance),
        author=memory.author.partition(" <")[0],
        updated=time_of(memory.updated_at),
        version=memory.version,
        stale=found.stale,
        anchors=tuple(anchors),
        more_anchors=len(memory.anchors) - len(anchors),
        superseded_by=found.superseded_by,
    )


def _parted(text: str) -> tuple[str, str]:
    """The first line as a title, and the rest: of a long line too."""
    first, _, rest = text.partition("\n")
    line = " ".join(first.split())
    if len(line) <= LONGEST_TITLE:
        return line, rest.strip()
    cut = line.rfind(" ", LONGEST_TITLE // 2, LONGEST_TITLE)
    cut = cut if cut > 0 else LONGEST_TITLE
    return line[:cut] + "…", "…" + line[cut:].lstrip() + "\n" + rest


def scope_of(memory: Memory) -> str:
    """The scope; of an agent's memory with the agent and who else sees it."""
    return f"agent {memory.agent_id}, {memory.visibility}" if memory.scope == "agent" else memory.scope


def time_of(text: str) -> str:
    """A time of a record to the minute, UTC."""
    return text[:16].replace("T", " ")


def anchor_of(anchor: str, confirmed: Mapping[str, str], columns: GraphColumns | None, links: Links) -> Anchor:
    """An anchor with its page, and whether it has changed since `confirmed`: anchor → content hash then."""
    if is_memory_id(anchor):
        return Anchor(anchor, anchor[:8], "Memory", "", links.memory(anchor), UNKNOWN)
    if columns is None:
        return Anchor(anchor, anchor, "", anchor.partition("::")[0], "", UNKNOWN)
    node = columns.find_id(anchor)
    if node is None:
        return Anchor(anchor, anchor, "", anchor.partition("::")[0], "", GONE)
    label, path = columns.label(node), columns.path(node)
    name = anchor.rpartition("::")[2] if label in ("Class", "Function") else anchor.removeprefix("component:")
    now = content_hash(anchor, columns)
    state = CHANGED if confirmed.get(anchor, now) != now else UNCHANGED
    return Anchor(anchor, name, label, path, address_of(links, columns, node), state)


class Place(msgspec.Struct, frozen=True):
    """What is anchored in a file, a folder or a document: (anchor, the memories about it), by the anchor's id."""

    path: str
    address: str
    anchors: tuple[tuple[Anchor, tuple[Row, ...]], ...]
    stale: int


def by_place(rows: Iterable[Row], links: Links) -> list[Place]:
    """The memories by where they are anchored, those with something stale first; each below all of its anchors."""
    held: dict[str, dict[str, tuple[Anchor, list[Row]]]] = {}
    for row in rows:
        for anchor in row.anchors:
            if anchor.label != "Memory":
                held.setdefault(anchor.path, {}).setdefault(anchor.id, (anchor, []))[1].append(row)
    places = []
    for path, anchors in held.items():
        listed = tuple((anchor, tuple(about)) for _, (anchor, about) in sorted(anchors.items()))
        # Each memory knows for itself since when: an anchor is stale where it is for one of them.
        stale = len({row.id for _, about in listed for row in about if row.stale})
        is_file = any(anchor.label in ("File", "Class", "Function", "Requirement", "Design") for anchor, _ in listed)
        places.append(Place(path, links.file(path) if is_file else "", listed, stale))
    return sorted(places, key=lambda place: (not place.stale, place.path))


def versions_of(history: Sequence[Memory], may_change: bool) -> tuple[list[Version], int]:
    """The versions of a memory, the latest first, and the number of older ones that are left out."""
    shown = list(history[-MOST_VERSIONS:])
    first = len(history) - len(shown)
    found = []
    for place, memory in enumerate(shown):
        before = history[first + place - 1] if first + place else None
        is_present = place == len(shown) - 1
        found.append(
            Version(
                number=memory.version,
                at=time_of(memory.updated_at),
                what=_what(memory, before),
                words=() if before is None or before.content == memory.content else _words(before, memory),
                changes=() if before is None else tuple(_changes(before, memory)),
                is_present=is_present,
                may_restore=may_change and not is_present and memory.state != "deleted",
            )
        )
    return found[::-1], first


def _words(before: Memory, memory: Memory) -> tuple[Run, ...]:
    return tuple(word_differences(before.content, memory.content))


def _what(memory: Memory, before: Memory | None) -> str:
    if before is None:
        return "added" if memory.version == 1 else "the oldest that is kept"
    if memory.state != before.state:
        if memory.state == "active":
            return "restored" if before.state == "deleted" else "taken from the archive"
        return memory.state
    if any(getattr(memory, name) != getattr(before, name) for name in ("content", *COMPARED, "relationships")):
        return "changed"
    return "confirmed for the code as it was then"


def _changes(before: Memory, memory: Memory) -> Iterable[Change]:
    for name in COMPARED:
        old, new = getattr(before, name), getattr(memory, name)
        if isinstance(old, tuple) and isinstance(new, tuple):
            gone, come = (tuple(one for one in a if one not in b) for a, b in ((old, new), (new, old)))
            if gone or come:
                yield Change(name, said(gone), said(come))
        elif old != new and name != "state":
            yield Change(name, said(old), said(new))


def said(value: object) -> str:
    """A field's value in words."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:g} ({level_of(value)})"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return msgspec.json.encode(value).decode() if value else ""


def text_of(memory: Memory) -> list[Piece]:
    """The whole content in pieces."""
    return pieces(memory.content)
