"""What reading a document gives: the same few records for every format."""

from __future__ import annotations

from typing import Final

import msgspec

MAX_TEXT: Final = 8_000
"""Characters of an item's text that are kept."""
MAX_EVIDENCE: Final = 200
"""Characters of a quoted line that are kept."""


class Link(msgspec.Struct, array_like=True, frozen=True):
    """An item naming another one. `role` is "declared" where the document says what the link means (a field, a line
    such as `Satisfies: REQ-1`), "mention" for an id in running text, "parent" for one that it refines or derives from.

    `text` is the line it stands in.
    """

    target: str
    role: str
    line: int
    text: str


class Item(msgspec.Struct, array_like=True, frozen=True):
    """A requirement or a design as a document states it.

    `kind` is "requirement", or a design's: "adr", "design" (one with an id of its own), "section" (a section of a
    document that names requirements); or "test_case". `id` is "" where the document gives none: `slug` then stands for
    it within the document. `number` is the number of a decision record, 0 without one. `sure` says that the format
    leaves no doubt that this defines something; otherwise it is one if enough of its like are (see `joining`).
    `settled` says that its kind is configured.
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
    """A row of a traceability table: every one of `ids` is implemented or tested by every one of `places`.

    `places` are paths and symbols as written; `keyword` is a word to look for in the files at `places`, without any in
    all, where it is no symbol itself. `sure` says that the table's heading calls them that: then one that leads nowhere
    is a problem.
    """

    ids: tuple[str, ...]
    places: tuple[str, ...]
    line: int
    text: str
    sure: bool = True
    keyword: str = ""


class DocumentTree(msgspec.Struct, array_like=True, frozen=True):
    """What doorstop says of a folder of items (`.doorstop.yml`): how their ids begin, of which document's items theirs
    are parts ("" for a root), and the document's title."""

    prefix: str
    parent: str = ""
    title: str = ""


class Document(msgspec.Struct, array_like=True, frozen=True):
    """What one document defines. `named` says that the configuration names it as a source; `title` is its first
    heading. `tree` is of a folder of doorstop's, `is_doorstop` of an item in one."""

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
    """A line as evidence: white space folded, at most `MAX_EVIDENCE` characters."""
    return " ".join(line.split())[:MAX_EVIDENCE]
