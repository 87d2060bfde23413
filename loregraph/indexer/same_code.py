"""Whether two texts are the same code but for comments and white space."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from tree_sitter import Node

from loregraph.indexer.languages import registry, spec_of
from loregraph.indexer.languages.parsing import parse

MOST_BYTES: Final = 200_000
"""Longer texts count as different: nobody writes such a function, and a walk in Python is slow."""


def is_same_code(old: str, new: str, language: str) -> bool:
    """Whether the syntax trees of two definitions in `language` differ only in comments. False where that is in doubt:
    a text that does not parse, is too long, or in a language that is not parsed on its own."""
    texts = [text.encode("utf-8", "replace") for text in (old, new)]
    if max(map(len, texts)) > MOST_BYTES or registry.reader_of(language) is not None:
        return False
    if language not in registry.SUPPORTED:
        return False
    spec = spec_of(language)
    roots = [parse(spec.grammar, text) for text in texts]
    if any(root is None or root.has_error for root in roots):
        return False
    comments = frozenset(spec.comments)
    streams = [_steps(root, text, comments) for root, text in zip(roots, texts, strict=True) if root is not None]
    return all(one == other for one, other in zip_longest(*streams))


def _steps(root: Node, source: bytes, comments: frozenset[str]) -> Iterator[tuple[str, int, bytes]]:
    """(type, depth, text of a leaf) of each node in the order of the source, without comments."""
    cursor = root.walk()
    depth = 0
    while True:
        node = cursor.node
        assert node is not None
        is_comment = node.type in comments
        if not is_comment:
            leaf = b"" if node.child_count else source[node.start_byte : node.end_byte]
            yield node.type, depth, leaf
            if cursor.goto_first_child():
                depth += 1
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1
