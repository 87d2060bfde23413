"""Lowerings that mean the same in many languages: literals without more to say, and nodes that add nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.extract import MAX_LITERAL, Extraction
from loregraph.indexer.facts import Expr
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node


def inner(x: Extraction, node: Node) -> Expr:
    """The first part of `node` that is no comment: `node` adds nothing to it."""
    return x.lower(next((part for part in node.named_children if part.type not in x.spec.comments), None))


def last(x: Extraction, node: Node) -> Expr:
    """The last part of `node` that is no comment: what a run of statements gives."""
    return x.lower(next((part for part in reversed(node.named_children) if part.type not in x.spec.comments), None))


def boolean(x: Extraction, node: Node) -> Expr:
    return ("k", "bool", "")


def nothing(x: Extraction, node: Node) -> Expr:
    return ("k", "none", "")


def integer(x: Extraction, node: Node) -> Expr:
    return ("k", "int", x.text(node)[:MAX_LITERAL])


def floating(x: Extraction, node: Node) -> Expr:
    return ("k", "float", "")


def string_of(content: str) -> Lowering:
    """A string whose text is its only part, of the type `content`; one with anything else in it has no text."""

    def string(x: Extraction, node: Node) -> Expr:
        held = [part for part in node.named_children if part.type not in x.spec.comments]
        if len(held) == 1 and held[0].type == content and held[0].end_byte - held[0].start_byte <= MAX_LITERAL:
            return ("k", "str", x.text(held[0]))
        return ("k", "str", "")

    return string
