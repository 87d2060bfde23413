"""Type parameters and what bounds them, for languages that write `T: Bound`, `T extends Bound`, `[T Bound]`."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from loregraph.indexer.facts import ATTRIBUTE, NAME, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.rows import with_arguments


def user_type(x: Extraction, node: Node) -> Expr:
    """`a.B<C>`, whose names and lists of arguments are all parts of one node (Kotlin, Swift)."""
    expr: Expr = UNKNOWN
    for part in parts(node)[:MAX_EXPRESSION_DEPTH]:
        if part.type == "type_identifier":
            expr = (NAME, plain(x, part)) if expr == UNKNOWN else (ATTRIBUTE, expr, plain(x, part))
        elif part.type == "type_arguments":
            expr = with_arguments(expr, [x.lower(item) for item in parts(part)])
    return expr


def bounded(type_: Expr, bounds: Mapping[str, Expr]) -> Expr:
    """`type_` in which each bounded parameter may also be read as its bound: `("u", (T, Bound))`."""
    if not bounds:
        return type_
    op = type_[0]
    if op == "n":
        bound = bounds.get(type_[1])
        return type_ if bound is None else ("u", (type_, bound))
    if op == "s":
        return ("s", bounded(type_[1], bounds), bounded(type_[2], bounds))
    if op in ("l", "u"):
        return (op, tuple(bounded(item, bounds) for item in type_[1]))
    return type_
