"""Text → syntax tree, with bounds on the work that a parse may take.

The bounds count what the parser does, never time, so that a file has the same tree on any machine at any load:

    operations   tree-sitter calls back after each 100 of them (`OP_COUNT_PER_PARSER_CALLBACK_CHECK` in its parser.c).
                 Error recovery can follow several readings of a text side by side, for minutes.
    bytes read   the parser asks for its text in pieces. A scanner that looks ahead to the end of the text at each
                 token reads all of it as often, and that counts as one operation.

    depth       brackets that are open at one place, counted before the text is parsed: at its end error recovery
                takes all of them in one operation, for a time that grows with their square.

What none of them sees, a single operation of native code that takes long, is left to the limits of memory and processor
time that `workers` sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final

from tree_sitter import Node, Parser, Point, Tree
from tree_sitter_language_pack import get_language

OPERATIONS_A_BYTE: Final = 20
"""Operations that a parse may take for each byte. Code takes up to 4.3 in thousands of files of twenty languages, text
made to be ambiguous up to 13 as long as it is linear."""
OPERATIONS: Final = 100_000
"""Operations that any parse may take besides: a twentieth of a second."""
READ_A_BYTE: Final = 5_000
"""Bytes that a parse may read for each byte of its text. Most code takes up to 4, Scala's
scanner up to 1,216 in released files; text made for it takes 25,000."""
READ: Final = 16 << 20
"""Bytes that any parse may read besides."""

DEPTH: Final = 10_000
"""Brackets that may be open at one place. The deepest of 16,173 real files has 352, in strings as in code."""

_COUNTED_TOGETHER: Final = 100
_NO_BRACKETS: Final = bytes(sorted(set(range(256)) - set(b"([{}])")))
_STEP: Final = {**dict.fromkeys(b"([{", 1), **dict.fromkeys(b")]}", -1)}
_PIECE: Final = 1 << 12
"""Bytes handed over at a time: small, so that what a scanner reads ahead is counted and what it does not need is not;
smaller ones cost time."""


@cache
def _parser(grammar: str) -> Parser:
    return Parser(get_language(grammar))  # type: ignore[arg-type]


def parse(grammar: str, source: bytes) -> Node | None:
    """The root of `source`'s syntax tree, or None where parsing takes more work than a text of its size may."""
    tree = parse_tree(grammar, source)
    return None if tree is None else tree.root_node


# Implements REQ-SEC-010, REQ-IDX-023.
def parse_tree(grammar: str, source: bytes, old: tuple[Tree, bytes] | None = None) -> Tree | None:
    """`source`'s syntax tree, or None where parsing takes more work than a text of its size may.

    `old` is the tree of a text that has its lines at the same offsets: what did not change is taken from there.
    """
    if _is_too_deep(source):
        return None
    parser = _parser(grammar)
    calls_left = (OPERATIONS + OPERATIONS_A_BYTE * len(source)) // _COUNTED_TOGETHER
    bytes_left = READ + READ_A_BYTE * len(source)

    def read(offset: int, _point: object) -> bytes:
        nonlocal bytes_left
        piece = source[offset : offset + _PIECE]
        bytes_left -= len(piece)
        # The end of the text, for a scanner that is out of bounds: only `is_over` can end the parse.
        return piece if bytes_left >= 0 else b""

    def is_over(_offset: int, _has_error: bool) -> bool:
        nonlocal calls_left
        calls_left -= 1
        return calls_left < 0 or bytes_left < 0

    try:
        if old is None:
            tree = parser.parse(read, progress_callback=is_over)
        else:
            tree = parser.parse(read, _edited(*old, source), progress_callback=is_over)
    except ValueError:
        parser.reset()
        return None
    return tree if bytes_left >= 0 else None


def _is_too_deep(source: bytes) -> bool:
    """Whether more than `DEPTH` brackets are open at one place, whatever kind closes them and whether or not they
    stand in strings: a bound needs no more."""
    if source.count(b"(") + source.count(b"[") + source.count(b"{") <= DEPTH:
        return False
    steps = map(_STEP.__getitem__, source.translate(None, _NO_BRACKETS))
    return any(depth > DEPTH for depth in accumulate(steps, initial=0))


def _edited(tree: Tree, before: bytes, after: bytes) -> Tree:
    """A copy of `tree` that knows the lines in which `after` differs from `before`."""
    tree = tree.copy()
    start = 0
    for row, (old, new) in enumerate(zip(before.split(b"\n"), after.split(b"\n"), strict=True)):
        if old != new:
            end, last = start + len(old), Point(row, len(old))
            tree.edit(start, end, end, Point(row, 0), last, last)
        start += len(old) + 1
    return tree


def clearer(grammar: str, root: Node, source: bytes) -> Node:
    """The tree of another reading of a text, at the same offsets, where no more of that is in errors; else `root`."""
    other = parse(grammar, source)
    return root if other is None or error_bytes(other) > error_bytes(root) else other


def blanked(text: bytes) -> bytes:
    """White space of the same size and lines."""
    return _ANY_BUT_NEWLINE.sub(b" ", text)


_ANY_BUT_NEWLINE: Final = re.compile(rb"[^\n]")


def errors(root: Node) -> Iterator[Node]:
    """The outermost errors and the tokens that are missing (they are empty), in the order of the text, without going
    into sound subtrees."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            stack.extend(reversed(node.children))


def error_bytes(root: Node) -> int:
    """Size of what stands in the outermost errors: which of two trees of one text understands more of it."""
    return sum(max(1, node.end_byte - node.start_byte) for node in errors(root))
