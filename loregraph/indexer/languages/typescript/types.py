"""How TypeScript's types become expressions, and the operators that only TypeScript has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.javascript.expressions import (
    BOOL,
    EXPRESSIONS,
    NONE,
    NUMBER,
    RECEIVER,
    STRING,
    inner,
    key_of,
)
from loregraph.indexer.languages.lowering import name
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_PREDEFINED: Final[dict[str, Expr]] = {
    "string": STRING,
    "number": NUMBER,
    "bigint": ("k", "int", ""),
    "boolean": BOOL,
    "void": NONE,
}
ARRAY: Final[Expr] = ("n", "Array")


def _predefined(x: Extraction, node: Node) -> Expr:
    return _PREDEFINED.get(x.text(node), UNKNOWN)


def _nested(x: Extraction, node: Node) -> Expr:
    parts = [c for c in node.named_children if c.type != "comment"]
    return ("a", x.lower(parts[0]), x.text(parts[-1])) if len(parts) > 1 else UNKNOWN


def _generic(x: Extraction, node: Node) -> Expr:
    base = x.lower(node.child_by_field_name("name"))
    arguments = node.child_by_field_name("type_arguments")
    return applied(x, base, arguments)


def applied(x: Extraction, base: Expr, arguments: Node | None) -> Expr:
    """A generic type with its arguments."""
    items = tuple(x.lower(c) for c in arguments.named_children if c.type != "comment") if arguments else ()
    if not items:
        return base
    return ("s", base, items[0] if len(items) == 1 else ("l", items))


def _several(x: Extraction, node: Node) -> Expr:
    found: list[Expr] = []
    for child in node.named_children:
        if child.type != "comment":
            part = x.lower(child)
            found.extend(part[1] if part[0] == "u" else (part,))
    return ("u", tuple(found))


def _array(x: Extraction, node: Node) -> Expr:
    return ("s", ARRAY, x.lower(inner(node)))


def _tuple(x: Extraction, node: Node) -> Expr:
    found: list[Expr] = []
    for child in node.named_children:
        if child.type in ("required_parameter", "optional_parameter"):  # A labelled element.
            found.append(x.lower(child.child_by_field_name("type")))
        elif child.type != "comment":
            found.append(x.lower(child))
    return ("s", ARRAY, ("u", tuple(dict.fromkeys(found))))


def _object_type(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for child in node.named_children:
        if child.type == "property_signature":
            key = key_of(x, child.child_by_field_name("name"))
            pairs.append((key, x.lower(child.child_by_field_name("type"))))
        elif child.type == "index_signature":
            pairs.append((UNKNOWN, x.lower(child.child_by_field_name("type"))))
    return ("d", tuple(pairs)) if pairs else UNKNOWN


def _query(x: Extraction, node: Node) -> Expr:
    """`typeof value`."""
    return ("t", UNKNOWN, x.lower(inner(node)))


def _looked_up(x: Extraction, node: Node) -> Expr:
    """`Options["item"]`."""
    parts = [c for c in node.named_children if c.type != "comment"]
    key = inner(parts[-1]) if len(parts) == 2 else None
    if key is None or key.type != "string":
        return UNKNOWN
    return ("a", x.lower(parts[0]), x.text(key).strip("'\""))


def _literal(x: Extraction, node: Node) -> Expr:
    value = x.lower(inner(node))
    # Not its text: a string in a type may be read as the name of one.
    return STRING if value[0] == "k" and value[1] == "str" else value


def _conditional(x: Extraction, node: Node) -> Expr:
    chosen = x.lower(node.child_by_field_name("consequence"))
    return ("u", (chosen, x.lower(node.child_by_field_name("alternative"))))


def _inner(x: Extraction, node: Node) -> Expr:
    return x.lower(inner(node))


def _as(x: Extraction, node: Node) -> Expr:
    parts = [c for c in node.named_children if c.type != "comment"]
    if len(parts) < 2:  # `as const` has no type.
        return x.lower(parts[0]) if parts else UNKNOWN
    return ("t", x.lower(parts[1]), x.lower(parts[0]))


def _assertion(x: Extraction, node: Node) -> Expr:
    parts = [c for c in node.named_children if c.type != "comment"]
    return ("t", x.lower(inner(parts[0])), x.lower(parts[-1])) if len(parts) > 1 else UNKNOWN


TYPES: Final[dict[str, Lowering]] = {
    "type_annotation": _inner,
    "type_identifier": name,
    "predefined_type": _predefined,
    "nested_type_identifier": _nested,
    "nested_identifier": _nested,
    "generic_type": _generic,
    "union_type": _several,
    "intersection_type": _several,
    "array_type": _array,
    "tuple_type": _tuple,
    "object_type": _object_type,
    "readonly_type": _inner,
    "parenthesized_type": _inner,
    "optional_type": _inner,
    "rest_type": _inner,
    "literal_type": _literal,
    "conditional_type": _conditional,
    "type_query": _query,
    "lookup_type": _looked_up,
    "this_type": lambda x, node: RECEIVER,
    "template_literal_type": lambda x, node: STRING,
    "type_predicate_annotation": lambda x, node: BOOL,
    "asserts_annotation": lambda x, node: NONE,
    "as_expression": _as,
    "type_assertion": _assertion,
    "satisfies_expression": _inner,
    "non_null_expression": _inner,
    "instantiation_expression": _inner,
}
TYPESCRIPT_EXPRESSIONS: Final[dict[str, Lowering]] = {**EXPRESSIONS, **TYPES}
