"""How TypeScript's types become expressions, and the operators that only TypeScript has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, LITERAL, MAPPING, NAME, SUBSCRIPT, TYPED, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.javascript.expressions import EXPRESSIONS, inner, key_of
from loregraph.indexer.languages.lowering import inner as lowered_inner
from loregraph.indexer.languages.lowering import name, parts, this
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    FLOAT,
    NOTHING,
    TEXT,
    choose,
    generic,
    having,
    lowerings,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

ARRAY: Final[Expr] = (NAME, "Array")


def _several(x: Extraction, node: Node) -> Expr:
    found: list[Expr] = []
    for child in parts(node):
        part = x.lower(child)
        found.extend(part[1] if part[0] == UNION else (part,))
    return (UNION, tuple(found))


def _tuple(x: Extraction, node: Node) -> Expr:
    found: list[Expr] = []
    for child in parts(node):
        is_labelled = child.type in ("required_parameter", "optional_parameter")
        found.append(x.lower(child.child_by_field_name("type") if is_labelled else child))
    return (SUBSCRIPT, ARRAY, (UNION, tuple(dict.fromkeys(found))))


def _object_type(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for child in node.named_children:
        if child.type in ("property_signature", "index_signature"):
            key = key_of(x, child.child_by_field_name("name")) if child.type == "property_signature" else UNKNOWN
            pairs.append((key, x.lower(child.child_by_field_name("type"))))
    return (MAPPING, tuple(pairs)) if pairs else UNKNOWN


def _looked_up(x: Extraction, node: Node) -> Expr:
    """`Options["item"]`."""
    held = parts(node)
    key = inner(held[-1]) if len(held) == 2 else None
    if key is None or key.type != "string":
        return UNKNOWN
    return (ATTRIBUTE, x.lower(held[0]), x.text(key).strip("'\""))


def _literal(x: Extraction, node: Node) -> Expr:
    value = lowered_inner(x, node)
    # Not its text: a string in a type may be read as the name of one.
    return TEXT if value[0] == LITERAL and value[1] == "str" else value


TYPES: Final = lowerings(
    {
        "type_annotation": lowered_inner,
        "type_identifier": name,
        "predefined_type": choose(
            "$",
            {"string": TEXT, "number": FLOAT, "bigint": (LITERAL, "int", ""), "boolean": BOOLEAN, "void": NOTHING},
        ),
        "nested_type_identifier": (ATTRIBUTE, "@0", "$1!"),
        "nested_identifier": (ATTRIBUTE, "@0", "$1!"),
        "generic_type": generic("@name", "*type_arguments"),
        "union_type": _several,
        "intersection_type": _several,
        "array_type": (SUBSCRIPT, ARRAY, "@0"),
        "tuple_type": _tuple,
        "object_type": _object_type,
        "readonly_type": lowered_inner,
        "parenthesized_type": lowered_inner,
        "optional_type": lowered_inner,
        "rest_type": lowered_inner,
        "literal_type": _literal,
        "conditional_type": (UNION, ("@consequence", "@alternative")),
        "type_query": (TYPED, UNKNOWN, "@0"),
        "lookup_type": _looked_up,
        "this_type": this,
        "template_literal_type": TEXT,
        "type_predicate_annotation": BOOLEAN,
        "asserts_annotation": NOTHING,
        "as_expression": having("1", (TYPED, "@1", "@0"), "@0"),  # `as const` has no type
        "type_assertion": having("1", (TYPED, "@0/0", "@-1")),
        "satisfies_expression": lowered_inner,
        "non_null_expression": lowered_inner,
        "instantiation_expression": lowered_inner,
    }
)
TYPESCRIPT_EXPRESSIONS: Final[dict[str, Lowering]] = {**EXPRESSIONS, **TYPES}
