"""C's expressions and types, lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    LITERAL,
    MAPPING,
    NAME,
    OPERATION,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.c.declarators import first
from loregraph.indexer.languages.extraction import MAX_LITERAL
from loregraph.indexer.languages.lowering import call_result, definition, inner, name
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    COMPARISONS,
    FLOAT,
    NOTHING,
    TEXT,
    choose,
    compiled,
    each,
    having,
    lowerings,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_STRING_PARTS: Final = frozenset({"string_content", "raw_string_content", "escape_sequence"})


def _member(x: Extraction, node: Node) -> str:
    """The member that the right side of `.` or `->` names: template arguments and `template` are taken off."""
    named = node.child_by_field_name("field")
    while named is not None and named.type in ("template_method", "dependent_name", "template_function"):
        node = named
        named = node.child_by_field_name("name") or first(node)
    return x.text(named or node).replace(" ", "")


def _written(x: Extraction, node: Node) -> str:
    """What stands between a string's quotes, escapes as written; strings side by side are one."""
    if node.type == "concatenated_string":
        return "".join(_written(x, c) for c in node.named_children if c.type.endswith("string_literal"))
    return "".join(x.text(c) for c in node.named_children if c.type in _STRING_PARTS)


def _string(x: Extraction, node: Node) -> Expr:
    text = _written(x, node) if node.end_byte - node.start_byte <= 4 * MAX_LITERAL else ""
    return (LITERAL, "str", text) if len(text) <= MAX_LITERAL else TEXT


def _number(x: Extraction, node: Node) -> Expr:
    text = x.text(node)[:MAX_LITERAL]
    digits = text.replace("'", "").rstrip("uUlLzZ")
    if digits.isdecimal():
        return (LITERAL, "int", digits)
    real = ("." in text or "e" in text.lower()) and not text.lower().startswith("0x")
    return FLOAT if real else (LITERAL, "int", text)


_PAIRS = each(
    ":initializer_pair",
    (
        choose(
            "%designator",
            {"field_designator": (LITERAL, "str", "$designator/0"), "subscript_designator": "@designator/0"},
        ),
        "@value",
    ),
)
_ITEMS = compiled("**^initializer_pair")


def _designated(x: Extraction, node: Node) -> tuple[tuple[Expr, Expr], ...]:
    """The members that designators name, then those without one."""
    return (*_PAIRS(x, node), *((UNKNOWN, item) for item in _ITEMS(x, node)))


def _type_descriptor(x: Extraction, node: Node) -> Expr:
    """A type on its own: in a cast, as a template argument."""
    shape = node.child_by_field_name("declarator")
    while shape is not None:
        if shape.type == "abstract_function_declarator":
            return UNKNOWN
        shape = shape.child_by_field_name("declarator")
    return x.lower(node.child_by_field_name("type"))


_INTEGER: Expr = (LITERAL, "int", "")
_SPECIFIER = having("name", "@name", definition)  # `struct foo`, with or without its body

EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "field_identifier": name,
        "type_identifier": name,
        "statement_identifier": name,
        "primitive_type": name,
        "sized_type_specifier": (NAME, "int"),
        "struct_specifier": _SPECIFIER,
        "union_specifier": _SPECIFIER,
        "enum_specifier": _SPECIFIER,
        "type_descriptor": _type_descriptor,
        "macro_type_specifier": "@type",
        "field_expression": (ATTRIBUTE, "@argument", _member),
        "subscript_expression": (SUBSCRIPT, "@argument", "@index"),
        "call_expression": call_result,
        "pointer_expression": "@argument",  # `*p` and `&v` are what they point at
        "parenthesized_expression": inner,
        "extension_expression": inner,
        "comma_expression": "@right",
        "assignment_expression": "@right",
        "conditional_expression": (UNION, ("@consequence|condition", "@alternative")),
        "binary_expression": choose(
            "%operator", {f"{COMPARISONS} and or": BOOLEAN}, (OPERATION, "%operator", "@left", "@right")
        ),
        "unary_expression": (OPERATION, "%operator", "@argument", None),
        "update_expression": "@argument",
        "cast_expression": (TYPED, "@type", "@value"),
        "compound_literal_expression": (TYPED, "@type", "@value"),
        # `{…}`: a mapping of members where designators name them, else a list.
        "initializer_list": having(":initializer_pair", (MAPPING, _designated), (SEQUENCE, "*")),
        "string_literal": _string,
        "concatenated_string": _string,
        "raw_string_literal": _string,
        "number_literal": _number,
        "char_literal": _INTEGER,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "null": NOTHING,
        "sizeof_expression": _INTEGER,
    }
)
