"""What Julia's expressions and types are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    NAME,
    OPERATION,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import definition, integer, last, name, string_of
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, having, lowerings, some, together, with_arguments
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node

BRANCHES: Final = frozenset({"block", "else_clause", "elseif_clause"})
_COMPARISONS: Final = frozenset("== != < > <= >= && || === !== in isa ∈ ∉ ≤ ≥ ≠ <:".split())


def _call(x: Extraction, node: Node) -> Expr:
    made = new_of(x, node)
    return (TYPED, (NAME, made), UNKNOWN) if made else x.call_at(node)


def new_of(x: Extraction, node: Node) -> str:
    """The type that a call of `new` in a constructor makes; "" for any other call."""
    function = node.named_children[0] if node.named_children else None
    if function is not None and function.type == "parametrized_type_expression" and function.named_children:
        function = function.named_children[0]
    if function is None or function.type != "identifier" or x.text(function) != "new":
        return ""
    around = node.parent
    while around is not None and around.type != "struct_definition":
        around = around.parent
    return type_name(x, around) if around is not None else ""


def type_name(x: Extraction, node: Node) -> str:
    """The name that the head of a type declares."""
    at: Node | None = next((part for part in node.named_children if part.type == "type_head"), None)
    for _ in range(4):
        if at is None or at.type == "identifier":
            break
        at = at.named_children[0] if at.named_children else None
    return x.text(at) if at is not None else ""


def _field(x: Extraction, node: Node) -> Expr:
    """`value.name`; the name has no field of its own."""
    held = node.named_children
    if len(held) < 2 or held[-1].type not in ("identifier", "macro_identifier"):
        return UNKNOWN
    return (ATTRIBUTE, x.lower(held[0]), x.text(held[-1]))


def _binary(x: Extraction, node: Node) -> Expr:
    held = parts(x, node)
    if len(held) != 3:
        return UNKNOWN
    sign = x.text(held[1])
    if sign in ("|>", ".|>"):
        return x.call_at(node)
    if sign in _COMPARISONS:
        return BOOLEAN
    if sign == "=>":
        return (TYPED, (NAME, "Pair"), UNKNOWN)
    return (OPERATION, sign, x.lower(held[0]), x.lower(held[2]))


def _typed(x: Extraction, node: Node) -> Expr:
    """`value::Type`."""
    held = parts(x, node)
    return (TYPED, x.lower(held[1]), x.lower(held[0])) if len(held) == 2 else UNKNOWN


def _parametrized(x: Extraction, node: Node) -> Expr:
    """`Vector{Item}`, `Union{A, B}`."""
    held = parts(x, node)
    if not held:
        return UNKNOWN
    base = x.lower(held[0])
    given = [x.lower(part) for part in parts(x, held[1])] if len(held) > 1 else []
    if base == (NAME, "Union"):
        return (UNION, tuple(given)) if given else UNKNOWN
    return with_arguments(base, given)


def _branches(x: Extraction, node: Node) -> Expr:
    found = tuple(v for part in node.named_children if part.type in BRANCHES if (v := x.lower(part)) != UNKNOWN)
    return found[0] if len(found) == 1 else (UNION, found) if found else UNKNOWN


def _value(x: Extraction, node: Node) -> Expr:
    """An assignment gives what it assigns, a short function itself."""
    if node.id in x.definition_index:
        return x.definition_at(node)
    return x.lower(node.named_children[-1]) if node.named_children else UNKNOWN


def _macro(x: Extraction, node: Node) -> Expr:
    """A macro gives nobody knows what; those of the compiler give what they are put before."""
    called = node.named_children[0] if node.named_children else None
    word = x.text(called).rpartition("@")[2] if called is not None else ""
    if word in ("inbounds", "inline", "noinline", "views", "view", "fastmath", "something", "time", "sync"):
        listed = node.named_children[-1]
        return x.lower(listed.named_children[-1]) if listed.named_children else UNKNOWN
    return UNKNOWN


EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "macro_identifier": lambda x, node: (NAME, x.text(node)),
        "field_expression": _field,
        "call_expression": _call,
        "broadcast_call_expression": lambda x, node: (SEQUENCE, (x.call_at(node),)),
        "macrocall_expression": _macro,
        "function_definition": definition,
        "arrow_function_expression": definition,
        "do_clause": definition,
        "index_expression": (SUBSCRIPT, "@0", "@-1/0"),
        "parametrized_type_expression": _parametrized,
        "typed_expression": _typed,
        "assignment": _value,
        "tuple_expression": some(SEQUENCE, "*"),
        "open_tuple": some(SEQUENCE, "*"),
        "vector_expression": (SEQUENCE, "*"),
        "comprehension_expression": (SEQUENCE, ("@0",)),
        "splat_expression": (SPREAD, "@0"),
        "parenthesized_expression": last,
        "compound_statement": last,
        "block": last,
        "else_clause": last,
        "elseif_clause": _branches,
        "if_statement": _branches,
        "let_statement": last,
        "ternary_expression": together(UNION, ("@1", "@2"), known=True),
        "binary_expression": _binary,
        "range_expression": (SEQUENCE, ((SUBSCRIPT, (NAME, "Int"), UNKNOWN),)),
        "string_literal": string_of("content"),
        "quote_expression": having(":identifier", (TYPED, (NAME, "Symbol"), UNKNOWN)),
        "integer_literal": integer,
        "float_literal": FLOAT,
        "boolean_literal": BOOLEAN,
    }
)


def each_of(value: Expr) -> Expr:
    """An element of what is iterated."""
    return UNKNOWN if value == UNKNOWN else (ELEMENT, value)
