"""Kotlin's expressions and types, lowered. Its grammar names few fields: parts are told by their types and order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
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
    string_of,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"line_comment", "multiline_comment"})
TYPES = frozenset(
    {"user_type", "nullable_type", "function_type", "parenthesized_type", "not_nullable_type", "type_modifiers"}
)
_GIVES_RECEIVER = frozenset({"also", "apply"})
"""Calls whose result is what they are called on."""


def name(x: Extraction, node: Node) -> Expr:
    return ("n", plain(x, node))


def _this(x: Extraction, node: Node) -> Expr:
    label = child(node, "type_identifier", "simple_identifier")
    return ("t", name(x, label), UNKNOWN) if label is not None else ("v",)


def navigation(x: Extraction, node: Node) -> Expr:
    """`a.b`, `a?.b`."""
    base, suffix = named_part(node), named_part(node, -1)
    member = child(suffix, "simple_identifier")
    if base is None or member is None:
        return UNKNOWN
    return ("a", x.lower(base), plain(x, member))


def _call(x: Extraction, node: Node) -> Expr:
    callee = named_part(node)
    if callee is not None and callee.type == "navigation_expression":
        member = child(named_part(callee, -1), "simple_identifier")
        if plain(x, member) in _GIVES_RECEIVER:
            return x.lower(named_part(callee))
    return x.call_at(node)


def arguments(x: Extraction, node: Node | None) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """Positional and named arguments of a call's suffix, a lambda behind the parentheses included."""
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for given in parts(node):
        if given.type == "value_arguments":
            for argument in parts(given):
                held = parts(argument)
                if not held:
                    continue
                value = x.lower(held[-1])
                if any(c.type == "=" for c in argument.children):
                    named.append((plain(x, held[0]), value))
                else:
                    positional.append(value)
        elif given.type == "annotated_lambda":
            positional.append(x.lower(named_part(given, -1)))
    return tuple(positional), tuple(named)


def _spread(x: Extraction, node: Node) -> Expr:
    return ("*", inner(x, node))


def _index(x: Extraction, node: Node) -> Expr:
    base, suffix = named_part(node), named_part(node, -1)
    return ("s", x.lower(base), inner(x, suffix) if suffix is not None else UNKNOWN)


def _place(x: Extraction, node: Node) -> Expr:
    """What an assignment writes to."""
    base, suffix = named_part(node), named_part(node, -1)
    if base is None or suffix is None or base.id == suffix.id:
        return inner(x, node)
    if suffix.type == "navigation_suffix":
        return ("a", x.lower(base), plain(x, child(suffix, "simple_identifier")))
    return ("s", x.lower(base), inner(x, suffix))


def _choice(x: Extraction, node: Node) -> Expr:
    return (
        "u",
        (x.lower(node.child_by_field_name("consequence")), x.lower(node.child_by_field_name("alternative"))),
    )


def _when(x: Extraction, node: Node) -> Expr:
    found = tuple(last(x, entry) for entry in node.named_children if entry.type == "when_entry")
    return ("u", found) if found else UNKNOWN


def _elvis(x: Extraction, node: Node) -> Expr:
    return ("u", tuple(x.lower(c) for c in parts(node)))


def _as(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    return ("t", x.lower(held[-1]), x.lower(held[0])) if len(held) > 1 else UNKNOWN


def _binary(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    operator = next((c.type for c in node.children if not c.is_named), "")
    return ("b", operator, x.lower(held[0]), x.lower(held[1])) if len(held) > 1 else UNKNOWN


def _infix(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    if len(held) == 3 and x.text(held[1]) == "to":
        return ("l", (x.lower(held[0]), x.lower(held[2])))
    return UNKNOWN


def _prefix(x: Extraction, node: Node) -> Expr:
    first = node.children[0] if node.children else None
    return ("k", "bool", "") if first is not None and first.type == "!" else last(x, node)


def _reference(x: Extraction, node: Node) -> Expr:
    """`Foo::bar`, `::bar`, `Foo::class`."""
    held = parts(node)
    if not held:
        return UNKNOWN
    if len(held) == 1:
        return UNKNOWN if held[0].type == "type_identifier" else x.lower(held[0])
    return ("a", x.lower(held[0]), plain(x, held[-1]))


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _collection(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in parts(node)))


# Types


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


def declared_type(x: Extraction, node: Node | None) -> Expr | None:
    """The type among the parts of a declaration; None where there is none."""
    found = child(node, *TYPES)
    return x.lower(found) if found is not None else None


EXPRESSIONS: dict[str, Lowering] = {
    "simple_identifier": name,
    "type_identifier": name,
    "this_expression": _this,
    "super_expression": parent,
    "navigation_expression": navigation,
    "call_expression": _call,
    "spread_expression": _spread,
    "indexing_expression": _index,
    "directly_assignable_expression": _place,
    "if_expression": _choice,
    "when_expression": _when,
    "try_expression": inner,
    "control_structure_body": last,
    "statements": last,
    "elvis_expression": _elvis,
    "as_expression": _as,
    "check_expression": boolean,
    "comparison_expression": boolean,
    "equality_expression": boolean,
    "conjunction_expression": boolean,
    "disjunction_expression": boolean,
    "additive_expression": _binary,
    "multiplicative_expression": _binary,
    "infix_expression": _infix,
    "prefix_expression": _prefix,
    "postfix_expression": inner,
    "parenthesized_expression": inner,
    "callable_reference": _reference,
    "lambda_literal": _lambda,
    "anonymous_function": _lambda,
    "object_literal": _lambda,
    "collection_literal": _collection,
    "boolean_literal": boolean,
    "null_literal": nothing,
    "integer_literal": integer,
    "hex_literal": integer,
    "bin_literal": integer,
    "long_literal": integer,
    "real_literal": floating,
    "string_literal": string_of("string_content"),
    "user_type": _user_type,
    "nullable_type": inner,
    "not_nullable_type": inner,
    "parenthesized_type": inner,
    "type_projection": last,
    "receiver_type": last,
}
