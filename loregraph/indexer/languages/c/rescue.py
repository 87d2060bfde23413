"""A second look at what C's and C++'s grammars stumble over: macros, and conditionals that cut through statements.

A parser that does not preprocess meets `class FOO_API Bar {`, `int x GUARDED_BY(mu);`, `BEGIN_NAMESPACE`, and `if`s
that `#ifdef` opens and the code after `#endif` closes. Where the tree has errors, `parsed` blanks such things with
spaces, parses again and keeps the tree where fewer bytes are in error. Nothing moves, so lines and offsets stay true,
and texts are still read from the original.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.c.conditionals import (
    blanked,
    function_bodies,
    one_branch_each,
    plain_directives,
    unbalanced,
)
from loregraph.indexer.languages.c.macros import blank_macros, blank_sure, mask, type_arguments, without_directives
from loregraph.indexer.languages.parsing import errors, parse, parse_tree

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

MAX_BYTES: Final = 1 << 20
"""Size past which a file is not read again."""
SLIGHT: Final = 100
"""Damage below which one look at the macros is enough: an expression or two that no fact needs."""
WIDE: Final = 300
"""Bytes past which an error is taken to have swallowed more than the statement at fault."""
_HOLDS_DEFINITIONS: Final = frozenset(
    {
        "translation_unit", "declaration_list", "namespace_definition", "linkage_specification", "preproc_if",
        "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef", "export_declaration",
    }
)  # fmt: skip

Ranges = list[tuple[int, int]]


def parsed(x: Extraction) -> Node | None:
    """The tree of a file; of its text with macros blanked where that one has fewer errors."""
    source = blank_sure(x.source)
    tree = parse_tree(x.spec.grammar, source)
    if tree is None:
        return None
    root = tree.root_node
    if not root.has_error or len(source) > MAX_BYTES:
        return root
    damage = _damage(root)
    blanked_macros = False
    for step in (_macros, _conditionals, _macros, _bodies):
        if blanked_macros and step is not _conditionals and damage < SLIGHT:
            break
        text = step(x, source, root)
        if text == source or len(text) != len(source):
            continue
        again = parse_tree(x.spec.grammar, text, old=(tree, source))
        if again is None:
            break
        left = _damage(again.root_node)
        if left < damage:
            source, tree, root, damage = text, again, again.root_node, left
            blanked_macros = blanked_macros or step is _macros
            if not root.has_error:
                break
    return root


def _damage(root: Node) -> int:
    """Bytes in error, and one more for each error."""
    return sum(error.end_byte - error.start_byte + 1 for error in errors(root))


def _macros(x: Extraction, source: bytes, root: Node) -> bytes:
    view = without_directives(_masked(x, source))
    text = blank_macros(plain_directives(source), view, damaged(root), _Levels(root))
    return type_arguments(text, _bad_arguments(root))


def _conditionals(x: Extraction, source: bytes, root: Node) -> bytes:
    return one_branch_each(source, _masked(x, source))


def _masked(x: Extraction, source: bytes) -> bytes:
    """`mask` of `source`, which the steps share while none of them is taken."""
    kept: tuple[bytes, bytes] | None = x.memo.get("masked")
    if kept is None or kept[0] is not source:
        kept = x.memo["masked"] = (source, mask(source))
    return kept[1]


def _bodies(x: Extraction, source: bytes, root: Node) -> bytes:
    """`source` without the statements that break the functions in which they stand, where an error reaches past one
    function: each is parsed alone to find the culprits."""
    wide = [(e.start_byte, e.end_byte) for e in errors(root) if e.end_byte - e.start_byte > WIDE]
    if not wide:
        return source
    text = bytearray(source)
    masked = without_directives(_masked(x, source))
    for head, opened, closed in function_bodies(masked):
        if not any(start < closed and head < end for start, end in wide):
            continue
        alone = parse(x.spec.grammar, source[head : closed + 1])
        if alone is None or not alone.has_error:
            continue
        culprits = [(max(head + e.start_byte, opened + 1), min(head + e.end_byte, closed)) for e in errors(alone)]
        if any(unbalanced(masked, first, last) for first, last in culprits):
            culprits = [(opened + 1, closed)]
        for first, last in culprits:
            text[first:last] = blanked(source[first:last])
    return bytes(text)


def _bad_arguments(root: Node) -> Ranges:
    """Argument lists that hold an error."""
    found: Ranges = []
    stack = [root]
    while stack:
        node = stack.pop()
        if not node.has_error:
            continue
        if node.type == "argument_list" and any(c.is_error or c.is_missing for c in node.children):
            found.append((node.start_byte, node.end_byte))
        stack.extend(node.children)
    return sorted(found)


def damaged(root: Node) -> Ranges:
    """Where to look: the outermost items with errors, each with its neighbours, as sorted ranges that do not touch."""
    found: Ranges = []
    stack = [root]
    while stack:
        node = stack.pop()
        before: Node | None = None
        after_error = False
        for child in node.children:
            if child.has_error:
                if child.type in _HOLDS_DEFINITIONS and not child.is_error:
                    stack.append(child)
                else:
                    found.append((before.start_byte if before is not None else child.start_byte, child.end_byte))
                    after_error = True
            elif after_error:
                found.append((child.start_byte, child.end_byte))
                after_error = False
            before = child
    merged: Ranges = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class _Levels:
    """Tells whether a place is inside a function's body, from the tree with its errors."""

    def __init__(self, root: Node) -> None:
        self._root = root

    def in_function(self, start: int, end: int) -> bool:
        node = self._root.descendant_for_byte_range(start, end)
        while node is not None:
            if node.type == "compound_statement":
                return True
            if node.type in ("field_declaration_list", "declaration_list"):
                return False
            node = node.parent
        return False
