"""Dart's types, lowered, and ways through its trees. A type is a run of siblings: `p.Foo<int>?`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, NAME, SEQUENCE, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.rows import NOTHING, with_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment", "documentation_comment"})


def nodes_behind(node: Node, token: str) -> list[Node]:
    """What stands behind a token in a node: `= value`, `=> value`, `on A, B`. Nothing where it has none."""
    children = node.children
    return next((children[number + 1 :] for number, part in enumerate(children) if part.type == token), [])


def groups(nodes: Iterable[Node]) -> list[list[Node]]:
    """What stands between commas; punctuation and words of the language left out, dots kept."""
    found: list[list[Node]] = [[]]
    for node in nodes:
        if node.type == ",":
            found.append([])
        elif node.is_named and node.type not in COMMENTS:
            found[-1].append(node)
    return [group for group in found if group]


def typed(x: Extraction, nodes: Iterable[Node], depth: int = 0) -> Expr | None:
    """The type that a run of nodes begins with; None for `var`, for function types and where there is none."""
    expr: Expr | None = None
    for node in islice(nodes, MAX_EXPRESSION_DEPTH):
        kind = node.type
        if kind == "type_identifier":
            text = x.text(node)
            if expr is None and text == "dynamic":
                return None
            expr = (NAME, text) if expr is None else (ATTRIBUTE, expr, text)
        elif kind == "type_arguments" and expr is not None:
            expr = with_arguments(expr, type_list(x, node, depth + 1))
        elif kind == "void_type":
            expr = NOTHING
        elif kind == "record_type" and depth <= MAX_EXPRESSION_DEPTH:
            expr = (SEQUENCE, tuple([typed(x, field.children, depth + 1) or UNKNOWN for field in parts(node)]))
        elif kind == "function_type":
            return None
        elif expr is not None and node.is_named and kind != "nullable_type":
            break
    return expr


def type_list(x: Extraction, node: Node, depth: int = 0) -> list[Expr]:
    """The types between angle brackets."""
    if depth > MAX_EXPRESSION_DEPTH:
        return []
    return [typed(x, group, depth) or UNKNOWN for group in groups(node.children)]
