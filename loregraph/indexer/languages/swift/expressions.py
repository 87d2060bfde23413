"""Swift's expressions and types, lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    boolean,
    child,
    floating,
    inner,
    integer,
    last,
    named_part,
    nothing,
    parent,
    parts,
    plain,
    this,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment", "multiline_comment"})
TYPES = frozenset(
    {"user_type", "optional_type", "array_type", "dictionary_type", "tuple_type", "function_type", "opaque_type"}
    | {"existential_type", "protocol_composition_type", "metatype"}
)


def name(x: Extraction, node: Node) -> Expr:
    return ("n", plain(x, node))


def navigation(x: Extraction, node: Node) -> Expr:
    """`a.b`; `Foo.init` and `Foo.self` are the type, `self.init` and `super.init` the constructors."""
    suffix = node.child_by_field_name("suffix")
    member = suffix.child_by_field_name("suffix") if suffix is not None else None
    base = x.lower(node.child_by_field_name("target"))
    text = plain(x, member)
    if text in ("init", "self"):
        return base
    return ("a", base, text) if text and member is not None and member.type == "simple_identifier" else UNKNOWN


def _call(x: Extraction, node: Node) -> Expr:
    suffix = named_part(node, -1)
    listed = child(suffix, "value_arguments")
    if listed is not None and x.source[listed.start_byte : listed.start_byte + 1] == b"[":
        held = parts(listed)
        key = x.lower(held[0].child_by_field_name("value")) if held else UNKNOWN
        return ("s", x.lower(named_part(node)), key)
    return x.call_at(node)


def arguments(x: Extraction, node: Node | None) -> tuple[Expr, ...]:
    """Arguments by their position, whatever their labels; a lambda behind the parentheses is the last one."""
    found: list[Expr] = []
    for given in parts(node):
        if given.type == "value_arguments":
            found += [x.lower(argument.child_by_field_name("value")) for argument in parts(given)]
        elif given.type == "lambda_literal":
            found.append(x.lower(given))
    return tuple(found)


def _ternary(x: Extraction, node: Node) -> Expr:
    return ("u", (x.lower(node.child_by_field_name("if_true")), x.lower(node.child_by_field_name("if_false"))))


def _coalesced(x: Extraction, node: Node) -> Expr:
    return ("u", (x.lower(node.child_by_field_name("value")), x.lower(node.child_by_field_name("if_nil"))))


def _as(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(named_part(node, -1)), x.lower(node.child_by_field_name("expr")))


def _tried(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("expr"))


def _target(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("target"))


def _list(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in parts(node)))


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _string(x: Extraction, node: Node) -> Expr:
    text = node.child_by_field_name("text")
    plain_text = text is not None and node.named_child_count == 1 and text.end_byte - text.start_byte <= MAX_LITERAL
    return ("k", "str", x.text(text) if plain_text and text is not None else "")


# Patterns and types


def pattern(x: Extraction, node: Node | None) -> Expr:
    """The names that a pattern binds."""
    if node is None:
        return UNKNOWN
    if node.type == "simple_identifier":
        return name(x, node)
    bound = node.child_by_field_name("bound_identifier")
    if bound is not None:
        return name(x, bound)
    held = [c for c in parts(node) if c.type in ("pattern", "simple_identifier")]
    if len(held) == 1:
        return pattern(x, held[0])
    return ("l", tuple(pattern(x, c) for c in held)) if held else UNKNOWN


def _user_type(x: Extraction, node: Node) -> Expr:
    expr: Expr = UNKNOWN
    for part in parts(node)[:MAX_EXPRESSION_DEPTH]:
        if part.type == "type_identifier":
            expr = name(x, part) if expr == UNKNOWN else ("a", expr, plain(x, part))
        elif part.type == "type_arguments":
            items = [x.lower(c) for c in parts(part)]
            if items:
                expr = ("s", expr, items[0] if len(items) == 1 else ("l", tuple(items)))
    return expr


def _array_type(x: Extraction, node: Node) -> Expr:
    return ("s", ("n", "Array"), last(x, node))


def _dictionary_type(x: Extraction, node: Node) -> Expr:
    return ("s", ("n", "Dictionary"), ("l", tuple(x.lower(c) for c in parts(node))))


def declared_type(x: Extraction, node: Node | None) -> Expr | None:
    """The type of an annotation (`: Foo`); None where there is none."""
    held = child(node, *TYPES)
    return x.lower(held) if held is not None else None


EXPRESSIONS: dict[str, Lowering] = {
    "simple_identifier": name,
    "type_identifier": name,
    "self_expression": this,
    "super_expression": parent,
    "navigation_expression": navigation,
    "call_expression": _call,
    "ternary_expression": _ternary,
    "nil_coalescing_expression": _coalesced,
    "as_expression": _as,
    "try_expression": _tried,
    "await_expression": _tried,
    "postfix_expression": _target,
    "prefix_expression": _target,
    "directly_assignable_expression": inner,
    "tuple_expression": inner,
    "array_literal": _list,
    "lambda_literal": _lambda,
    "boolean_literal": boolean,
    "equality_expression": boolean,
    "comparison_expression": boolean,
    "conjunction_expression": boolean,
    "disjunction_expression": boolean,
    "nil": nothing,
    "integer_literal": integer,
    "real_literal": floating,
    "line_string_literal": _string,
    "multi_line_string_literal": _string,
    "user_type": _user_type,
    "optional_type": inner,
    "opaque_type": last,
    "existential_type": last,
    "array_type": _array_type,
    "dictionary_type": _dictionary_type,
}
