"""Splits Markdown into blocks that may define an id: headings, list items, paragraphs, rows of tables."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


class Block(Struct, frozen=True):
    """One block. `kind` is heading, item, paragraph or row; lines are 0-based, `end` exclusive.

    `content` is its first paragraph as written, `cells` a row's cells and `header` those of its table. `level` is a
    heading's. `linked`: it begins with a link, and so refers to what it names. `group` is the same for all blocks of
    one list or table.
    """

    kind: str
    line: int
    end: int
    content: str = ""
    level: int = 0
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    linked: bool = False
    group: int = 0


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Raw HTML stays text and nothing is rendered: only the blocks and their lines are needed.
    return MarkdownIt("commonmark").enable("table")


def blocks(text: str) -> list[Block]:
    """The blocks of `text` in order of line."""
    tokens = _parser().parse(text)
    found: list[Block] = []
    header: tuple[str, ...] = ()
    groups: list[int] = []
    count = 0
    in_head = False
    for at, token in enumerate(tokens):
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open", "table_open"):
            count += 1
            groups.append(count)
            header = ()
        elif kind in ("bullet_list_close", "ordered_list_close", "table_close"):
            groups.pop()
        elif kind in ("thead_open", "thead_close"):
            in_head = kind == "thead_open"
        elif kind == "tr_open":
            cells = _cells(tokens, at)
            if in_head:
                header = cells
            else:
                start, end = _lines(token)
                linked = bool(cells) and _begins_with_link(tokens[at + 2])
                found.append(
                    Block("row", start, end, " | ".join(cells), 0, cells, header, linked, groups[-1] if groups else 0)
                )
        elif kind == "heading_open":
            inline = tokens[at + 1]
            start, end = _lines(token)
            found.append(
                Block("heading", start, end, inline.content, int(token.tag[1:]), linked=_begins_with_link(inline))
            )
        elif kind == "list_item_open":
            if at + 2 < len(tokens) and tokens[at + 1].type == "paragraph_open":
                inline = tokens[at + 2]
                start, end = _lines(token)
                linked = _begins_with_link(inline)
                found.append(Block("item", start, end, inline.content, linked=linked, group=groups[-1]))
        elif kind == "paragraph_open" and token.level == 0:
            inline = tokens[at + 1]
            start, end = _lines(token)
            found.append(Block("paragraph", start, end, inline.content, linked=_begins_with_link(inline)))
    return found


def _lines(token: Token) -> tuple[int, int]:
    return (token.map[0], token.map[1]) if token.map else (0, 0)


def _cells(tokens: Sequence[Token], at: int) -> tuple[str, ...]:
    cells = []
    for token in tokens[at + 1 :]:
        if token.type == "tr_close":
            break
        if token.type == "inline":
            cells.append(token.content.strip())
    return tuple(cells)


def _begins_with_link(inline: Token) -> bool:
    first = next((child for child in inline.children or () if child.type != "text" or child.content.strip()), None)
    return first is not None and first.type == "link_open"
