"""Scala's types, lowered, and the parts of its syntax that everything else reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import inner, parts, plain
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment", "block_comment"})


def _type_name(x: Extraction, node: Node) -> Expr:
    return ("n", plain(x, node))


def _stable(x: Extraction, node: Node, depth: int = 0) -> Expr:
    expr: Expr = UNKNOWN
    for part in parts(node)[:MAX_EXPRESSION_DEPTH]:
        text = plain(x, part)
        if part.type == "stable_identifier":
            expr = _stable(x, part, depth + 1) if depth < MAX_EXPRESSION_DEPTH else UNKNOWN
        elif expr == UNKNOWN:
            expr = ("v",) if text == "this" else ("n", text)
        else:
            expr = ("a", expr, text)
    return expr


def _generic_type(x: Extraction, node: Node) -> Expr:
    items = [x.lower(c) for c in parts(node.child_by_field_name("type_arguments"))]
    base = x.lower(node.child_by_field_name("type"))
    if not items:
        return base
    return ("s", base, items[0] if len(items) == 1 else ("l", tuple(items)))


def _either_type(x: Extraction, node: Node) -> Expr:
    found = tuple(x.lower(c) for c in parts(node) if c.type not in ("operator_identifier", "structural_type"))
    return found[0] if len(found) == 1 else ("u", found)


def _infix_type(x: Extraction, node: Node) -> Expr:
    operator = plain(x, node.child_by_field_name("operator"))
    left, right = x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))
    if operator in ("|", "&"):
        return ("u", (left, right))
    return ("s", ("n", operator), ("l", (left, right)))


def _projected(x: Extraction, node: Node) -> Expr:
    return ("a", x.lower(node.child_by_field_name("type")), plain(x, node.child_by_field_name("selector")))


def declared_type(x: Extraction, node: Node | None) -> Expr | None:
    """The type that a declaration states; None where it states none."""
    found = node.child_by_field_name("type") if node is not None else None
    return x.lower(found) if found is not None else None


TYPES: dict[str, Lowering] = {
    "type_identifier": _type_name,
    "stable_type_identifier": _stable,
    "generic_type": _generic_type,
    "compound_type": _either_type,
    "infix_type": _infix_type,
    "projected_type": _projected,
    "annotated_type": inner,
    "lazy_parameter_type": inner,
    "repeated_parameter_type": inner,
}
