"""Swift's expressions and types, lowered."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import ATTRIBUTE, NAME, SEQUENCE, SUBSCRIPT, TYPED, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.generics import user_type
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import (
    child,
    definition,
    inner,
    integer,
    last,
    named_part,
    parent,
    parts,
    plain,
    plain_name,
    this,
)
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, TEXT, lowerings, written_text

COMMENTS = frozenset({"comment", "multiline_comment"})
TYPES: Final = (
    ":user_type,optional_type,array_type,dictionary_type,tuple_type,function_type,opaque_type,existential_type,"
    "protocol_composition_type,metatype"
)

declared_type = written(f"@{TYPES}")
"""The type among the parts of an annotation (`: Foo`) or a parameter; None where there is none."""


def _navigation(x: Extraction, node: Node) -> Expr:
    """`a.b`; `Foo.init` and `Foo.self` are the type, `self.init` and `super.init` the constructors."""
    suffix = node.child_by_field_name("suffix")
    member = suffix.child_by_field_name("suffix") if suffix is not None else None
    base = x.lower(node.child_by_field_name("target"))
    text = plain(x, member)
    if text in ("init", "self"):
        return base
    return (ATTRIBUTE, base, text) if text and member is not None and member.type == "simple_identifier" else UNKNOWN


def subscript_of(x: Extraction, call: Node) -> Node | None:
    """What stands in brackets: `a[1]` is a call to the grammar."""
    listed = child(named_part(call, -1), "value_arguments")
    is_subscript = listed is not None and x.source[listed.start_byte : listed.start_byte + 1] == b"["
    return listed if is_subscript else None


def _call(x: Extraction, node: Node) -> Expr:
    listed = subscript_of(x, node)
    if listed is None:
        return x.call_at(node)
    held = parts(listed)
    key = x.lower(held[0].child_by_field_name("value")) if held else UNKNOWN
    return (SUBSCRIPT, x.lower(named_part(node)), key)


def arguments(x: Extraction, node: Node | None) -> tuple[Expr, ...]:
    """Arguments by their position, whatever their labels; a lambda behind the parentheses is the last one."""
    found: list[Expr] = []
    for given in parts(node):
        if given.type == "value_arguments":
            found += [x.lower(argument.child_by_field_name("value")) for argument in parts(given)]
        elif given.type == "lambda_literal":
            found.append(x.lower(given))
    return tuple(found)


_written_text = written_text("text")


def _string(x: Extraction, node: Node) -> Expr:
    is_plain = node.named_child_count == 1 and node.child_by_field_name("text") is not None
    return _written_text(x, node) if is_plain else TEXT


def pattern(x: Extraction, node: Node | None) -> Expr:
    """The names that a pattern binds."""
    if node is None:
        return UNKNOWN
    bound = node if node.type == "simple_identifier" else node.child_by_field_name("bound_identifier")
    if bound is not None:
        return plain_name(x, bound)
    held = [c for c in parts(node) if c.type in ("pattern", "simple_identifier")]
    if len(held) == 1:
        return pattern(x, held[0])
    return (SEQUENCE, tuple(pattern(x, c) for c in held)) if held else UNKNOWN


EXPRESSIONS: Final = lowerings(
    {
        "simple_identifier type_identifier": plain_name,
        "self_expression": this,
        "super_expression": parent,
        "navigation_expression": _navigation,
        "call_expression": _call,
        "ternary_expression": (UNION, ("@if_true", "@if_false")),
        "nil_coalescing_expression": (UNION, ("@value", "@if_nil")),
        "as_expression": (TYPED, "@-1", "@expr"),
        "try_expression await_expression": "@expr",
        "postfix_expression prefix_expression": "@target",
        "directly_assignable_expression tuple_expression optional_type": inner,
        "array_literal": (SEQUENCE, "*"),
        "lambda_literal": definition,
        "boolean_literal equality_expression comparison_expression conjunction_expression": BOOLEAN,
        "disjunction_expression": BOOLEAN,
        "nil": NOTHING,
        "integer_literal": integer,
        "real_literal": FLOAT,
        "line_string_literal multi_line_string_literal": _string,
        "user_type": user_type,
        "opaque_type existential_type": last,
        "array_type": (SUBSCRIPT, (NAME, "Array"), "@-1"),
        "dictionary_type": (SUBSCRIPT, (NAME, "Dictionary"), (SEQUENCE, "*")),
    }
)
