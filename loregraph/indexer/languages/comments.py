"""Comments that document what follows them."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from loregraph.indexer.languages.extraction import Extraction

MAX_OPENING: Final = 60
"""Comments that a file begins with: more are a licence, or code that was taken out."""
MAX_COMMENTS: Final = 100
"""Comments above a definition that are read: siblings are slow to walk, and nobody documents at that length."""


def last_line(node: Node) -> int:
    """The line of the last character: a node that ends with its newline ends at column 0 of the next line."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point[0] else row + 1


def comment_above(state: Extraction, node: Node) -> str:
    """The block of comments that ends on the line above `node` (or above what is transparently around it); or higher,
    where it is one that the language's own tool attaches over blank lines."""
    while node.parent is not None and node.parent.type in state.spec.transparent:
        node = node.parent
    found: list[str] = []
    line = node.start_point[0]
    previous = node.prev_sibling
    while previous is not None and previous.type in state.spec.comments:
        if len(found) >= MAX_COMMENTS:
            break
        if last_line(previous) < line and (found or not attaches_over_blank_lines(state, previous)):
            break
        before = previous.prev_sibling
        line = previous.start_point[0]
        if before is not None and before.end_point[0] == line and before.type not in state.spec.comments:
            break  # it stands behind something on the same line, and is about that
        found.append(state.text(previous))
        previous = before
    return clean_comment("\n".join(reversed(found)))


_OTHERS = re.compile(
    r"[@\\](?:file\w*+|overview|packageDocumentation|module|license|copyright|preserve|mainpage|page|defgroup|addtogroup"
    r"|name|typedef|callback)\b|[@\\][{}]|(?i:\bcopyright\b|SPDX-License)"
)
"""What says that a documentation comment is about a file, a group or something without a declaration."""


def attaches_over_blank_lines(state: Extraction, comment: Node) -> bool:
    """Whether a comment documents what follows it, however far below that is: not a plain one, a banner of stars, one
    behind what it is about (`/**< … */`), or one about the file."""
    text = state.text(comment)
    mark = next((mark for mark in state.spec.documentation_marks if text.startswith(mark)), "")
    return bool(mark) and text[len(mark) : len(mark) + 1] not in ("*", "/", "<") and not _OTHERS.search(text)


_COMMENT_EDGE = re.compile(
    r"^\s*(?:/\*\*?<?!?|\*/|\*(?!/)|//[/!]?<?|#+!?|--+|;+)?[ \t]?|(?<!\s)\s*\*/\s*$", re.MULTILINE
)


def clean_comment(text: str) -> str:
    """The words of a comment, without its marks and indentation."""
    return "\n".join(line.strip() for line in _COMMENT_EDGE.sub("", text).splitlines()).strip() if text else ""


def opening_comment(x: Extraction, first: Node | None) -> list[str]:
    """The texts of the comments that a file begins with, from `first` on; none where they are about what follows at
    once, or go on for more than `MAX_OPENING`."""
    found: list[str] = []
    while first is not None and first.type == "comment" and len(found) < MAX_OPENING:
        found.append(x.text(first))
        after = first.next_named_sibling
        if after is None or after.start_point[0] > first.end_point[0] + 1:
            return found
        first = after
    return []
