"""What Python's expressions and annotations are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    FILLED,
    LITERAL,
    MAPPING,
    NAME,
    OPERATION,
    PARENT,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    YIELDED,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import definition, filled_in, inner, integer, name, named_part, parts
from loregraph.indexer.languages.python.annotations import lower_annotation_text
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, at, choose, each, lowerings, with_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTES: Final = (b'"', b"'")
_PIECES: Final = frozenset({"string_content", "interpolation"})
_STRINGS: Final = frozenset({"string", "concatenated_string"})
_SCALARS: Final = frozenset({"str", "int", "float", "bool", "bytes"})


def _call(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    if function is not None and function.type == "identifier" and x.text(function) == "super":
        return (PARENT,)
    return x.call_at(node)


def _string(x: Extraction, node: Node) -> Expr:
    raw = x.source[node.start_byte : node.end_byte]
    if len(raw) > 1 and raw[:1] in _QUOTES and raw[-1:] == raw[:1]:
        # Nearly all strings are plain ones, and need no look at the tree: without a prefix nothing is interpolated.
        quotes = 3 if len(raw) > 5 and raw[:3] == raw[:1] * 3 else 1
        text = raw[quotes:-quotes].decode("utf-8", "replace")
        return (LITERAL, "str", text if len(text) <= MAX_LITERAL else "")
    return _strings(x, node)


def _strings(x: Extraction, node: Node) -> Expr:
    strings = node.named_children if node.type == "concatenated_string" else [node]
    pieces = [c for part in strings for c in part.named_children if c.type in _PIECES]
    if any(c.type == "interpolation" for c in pieces):
        return filled_in("".join([FILLED if c.type == "interpolation" else x.text(c) for c in pieces]))
    text = string_text(x, node)
    kind = "bytes" if x.text(node)[:2].lower().startswith(("b", "rb")) else "str"
    return (LITERAL, kind, text if len(text) <= MAX_LITERAL else "")


def string_text(x: Extraction, node: Node) -> str:
    """What stands between a string's quotes, escapes as written."""
    if node.type == "concatenated_string":
        return "".join(string_text(x, c) for c in node.named_children if c.type == "string")
    return "".join(x.text(c) for c in node.named_children if c.type == "string_content")


def _subscript(x: Extraction, node: Node) -> Expr:
    keys = node.children_by_field_name("subscript")
    key: Expr = x.lower(keys[0]) if len(keys) == 1 else (SEQUENCE, tuple(x.lower(k) for k in keys))
    return (SUBSCRIPT, x.lower(node.child_by_field_name("value")), key)


def _slice(x: Extraction, node: Node) -> Expr:
    """`a:b` as a binary operator: subscripting with it gives a part of the same sequence."""
    bounds: list[Expr] = [UNKNOWN, UNKNOWN]
    place = 0
    for child in node.children:
        if child.type == ":":
            place += 1
        elif place < len(bounds) and child.is_named:
            bounds[place] = x.lower(child)
    return (OPERATION, ":", bounds[0], bounds[1])


def _generic_type(x: Extraction, node: Node) -> Expr:
    arguments = named_part(node, 1)
    items = [x.lower(held) for held in arguments.named_children] if arguments is not None else []
    return with_arguments(x.lower(named_part(node)), items)


def _conditional(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    return (UNION, (x.lower(held[0]), x.lower(held[2]))) if len(held) == 3 else UNKNOWN


def _comparison(x: Extraction, node: Node) -> Expr:
    """`a < b`, and `a < b < c` as what it comes to: its operators, nested to the left."""
    found: Expr | None = None
    operator = ""
    if node.named_child_count > MAX_EXPRESSION_DEPTH:
        return UNKNOWN
    for child in node.children:
        if not child.is_named:
            operator = f"{operator} {child.type}".strip()
        elif child.type != "comment":
            value = x.lower(child)
            found = value if found is None else (OPERATION, operator, found, value)
            operator = ""
    return found or UNKNOWN


def lower_type(x: Extraction, node: Node | None) -> Expr | None:
    """An annotation as a type expression: strings are read as annotations, `A | B` as one of several."""
    if node is None:
        return None
    held = named_part(node) if node.type == "type" else node
    if held is None:
        return UNKNOWN
    if held.type in _STRINGS:
        return _with_scalars(lower_annotation_text(string_text(x, held)))
    return _with_scalars(_as_union(x.lower(held)))


def _with_scalars(expr: Expr) -> Expr:
    """`str | None` says that a value is nothing of the project, whatever is assigned: its parts become literals'
    types."""
    if expr[0] == NAME and expr[1] in _SCALARS:
        return (LITERAL, expr[1], "")
    if expr[0] == UNION:
        return (UNION, tuple(_with_scalars(option) for option in expr[1]))
    return expr


def _as_union(expr: Expr) -> Expr:
    """`A | B` read as a type."""
    if expr[0] == OPERATION and expr[1] == "|":
        return (UNION, (*options(_as_union(expr[2])), *options(_as_union(expr[3]))))
    return expr


def options(type_: Expr) -> tuple[Expr, ...]:
    """What a type is one of: itself, where it is no union."""
    return tuple(type_[1]) if type_[0] == UNION else (type_,)


EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "attribute": (ATTRIBUTE, "@object", "$attribute!"),
        "call": _call,
        "string": _string,
        "concatenated_string": _strings,
        "integer": integer,
        "float": FLOAT,
        "true false": BOOLEAN,
        "none": NOTHING,
        "comparison_operator": _comparison,
        "not_operator": (OPERATION, "not", "@argument", None),
        "boolean_operator": (UNION, ("@left", "@right")),
        "binary_operator": (OPERATION, "%operator", "@left", "@right"),
        "conditional_expression": _conditional,
        "list tuple set expression_list pattern_list tuple_pattern list_pattern": (SEQUENCE, "*"),
        "list_comprehension set_comprehension generator_expression": (
            SEQUENCE,
            ((SPREAD, (SEQUENCE, ("@body",))),),
        ),
        "dictionary": (
            MAPPING,
            each(":pair,dictionary_splat", choose("%.", {"pair": ("@key", "@value")}, (UNKNOWN, "@0"))),
        ),
        "dictionary_comprehension": choose("%body", {"pair": at("body", (MAPPING, ((UNKNOWN, "@value"),)))}),
        "subscript": _subscript,
        "slice": _slice,
        "type": lower_type,
        "generic_type": _generic_type,
        "union_type": (UNION, "*"),
        "member_type": (ATTRIBUTE, "@0", "$-1!"),
        "parenthesized_expression as_pattern as_pattern_target": inner,
        "named_expression keyword_argument": "@value",
        "assignment": "@right",
        "lambda": definition,
        "await": (AWAITED, "@0"),
        "yield": (YIELDED, "@0"),
        "list_splat list_splat_pattern dictionary_splat": (SPREAD, "@0"),
    }
)
