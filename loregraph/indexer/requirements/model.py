"""The records that every reader of documents returns."""

from __future__ import annotations

from typing import Final

import msgspec

MAX_TEXT: Final = 8_000
"""Maximum characters kept of an item's text."""
MAX_EVIDENCE: Final = 200
"""Maximum characters kept of a quoted line."""


class Link(msgspec.Struct, array_like=True, frozen=True):
    """A reference from one item to another. `role` is "declared" where the document states the meaning of the link (a
    field, a line such as `Satisfies: REQ-1`), "mention" for an id in running text, "parent" for one that it refines or
    derives from.

    `text` is the line of the link.
    """

    target: str
    role: str
    line: int
    text: str


class Item(msgspec.Struct, array_like=True, frozen=True):
    """A requirement or design as stated by a document.

    `kind` is "requirement", or a design's: "adr", "design" (one with an id of its own), "section" (a section of a
    document that names requirements); or "test_case". `id` is "" where the document gives none: `slug` then identifies
    it within the document. `number` is the number of a decision record, 0 without one. `sure`: the format leaves no
    doubt that this is a definition; otherwise it counts only with enough others like it (see `choosing`). `settled`:
    its kind is configured.
    """

    kind: str
    id: str
    line: int
    title: str = ""
    text: str = ""
    status: str = ""
    priority: str = ""
    links: tuple[Link, ...] = ()
    slug: str = ""
    number: int = 0
    sure: bool = True
    settled: bool = False


class Trace(msgspec.Struct, array_like=True, frozen=True):
    """A row of a traceability table: each of `ids` is implemented or tested by each of `places`.

    `places` are paths and symbols as written; `keyword` is a word to search for in the files at `places`, or without
    any in all files, unless it is a symbol. `sure`: the table's heading declares such places, so an unknown one is a
    problem.
    """

    ids: tuple[str, ...]
    places: tuple[str, ...]
    line: int
    text: str
    sure: bool = True
    keyword: str = ""


class DocumentTree(msgspec.Struct, array_like=True, frozen=True):
    """Doorstop's settings of a folder of items (`.doorstop.yml`): the prefix of ids, the parent document's prefix (""
    for a root), and the document's title."""

    prefix: str
    parent: str = ""
    title: str = ""


class Document(msgspec.Struct, array_like=True, frozen=True):
    """The definitions in one document. `named`: the configuration names it as a source; `title` is its first heading.
    `tree` is for a folder of doorstop's, `is_doorstop` for an item in one."""

    items: tuple[Item, ...] = ()
    traces: tuple[Trace, ...] = ()
    named: bool = False
    title: str = ""
    problems: tuple[tuple[int, str], ...] = ()
    tree: DocumentTree | None = None
    is_doorstop: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.items or self.traces or self.problems or self.tree)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Document)


def encode(document: Document) -> bytes:
    return _encoder.encode(document)


def decode(blob: bytes) -> Document:
    return _decoder.decode(blob)


def quoted(line: str) -> str:
    """A line as evidence: white space collapsed, at most `MAX_EVIDENCE` characters."""
    return " ".join(line.split())[:MAX_EVIDENCE]
