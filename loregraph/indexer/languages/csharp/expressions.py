"""C#'s expressions and types, lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages import hooks
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import (
    boolean,
    call_result,
    floating,
    inner,
    integer,
    named_part,
    nothing,
    parent,
    parts,
    string_of,
    this,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment"})
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


def name(x: Extraction, node: Node) -> Expr:
    return ("n", x.text(node).lstrip("@"))


def plain_name(x: Extraction, node: Node | None) -> str:
    """A name without its type arguments."""
    if node is None:
        return ""
    if node.type == "generic_name":
        node = named_part(node)
    return x.text(node).lstrip("@") if node is not None else ""


def called(x: Extraction, node: Node | None) -> Expr:
    """What an invocation calls: type arguments of the method say nothing about which one it is."""
    if node is not None and node.type == "generic_name":
        return ("n", plain_name(x, node))
    return x.lower(node)


def _member(x: Extraction, node: Node) -> Expr:
    return ("a", x.lower(node.child_by_field_name("expression")), plain_name(x, node.child_by_field_name("name")))


def _conditional(x: Extraction, node: Node) -> Expr:
    """`a?.b`, `a?[i]`."""
    base = x.lower(node.child_by_field_name("condition"))
    bound = named_part(node, -1)
    if bound is not None and bound.type == "member_binding_expression":
        return ("a", base, plain_name(x, bound.child_by_field_name("name")))
    return ("s", base, UNKNOWN)


arguments = hooks.arguments()
"""Positional and named arguments of an argument list."""


def _element(x: Extraction, node: Node) -> Expr:
    given = named_part(node.child_by_field_name("subscript"))
    return ("s", x.lower(node.child_by_field_name("expression")), inner(x, given) if given is not None else UNKNOWN)


def _ternary(x: Extraction, node: Node) -> Expr:
    return (
        "u",
        (x.lower(node.child_by_field_name("consequence")), x.lower(node.child_by_field_name("alternative"))),
    )


def _switch(x: Extraction, node: Node) -> Expr:
    arms = [x.lower(named_part(arm, -1)) for arm in node.named_children if arm.type == "switch_expression_arm"]
    return ("u", tuple(arms)) if arms else UNKNOWN


def _assigned(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _cast(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("type")), x.lower(node.child_by_field_name("value")))


def _as(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("right")), x.lower(node.child_by_field_name("left")))


def _declared(x: Extraction, node: Node) -> Expr:
    """`out var x`, `(int a, string b) = …`: the place that it declares."""
    target = node.child_by_field_name("name")
    return name(x, target) if target is not None and target.type == "identifier" else UNKNOWN


def _tuple(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(named_part(a, -1)) for a in parts(node)))


def _tuple_pattern(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in parts(node)))


def _initializer(x: Extraction, node: Node) -> Expr:
    if any(c.type == "assignment_expression" for c in node.named_children):
        return UNKNOWN
    return ("l", tuple(x.lower(c) for c in parts(node)))


def _array_creation(x: Extraction, node: Node) -> Expr:
    held = x.lower(named_part(node, -1))
    type_ = node.child_by_field_name("type")
    return ("t", x.lower(type_), held) if type_ is not None else held


def _implicit_array(x: Extraction, node: Node) -> Expr:
    return x.lower(named_part(node, -1))


def _collection(x: Extraction, node: Node) -> Expr:
    found: list[Expr] = []
    for element in parts(node):
        held = named_part(element)
        if held is not None:
            value = inner(x, held)
            found.append(("*", value) if held.type == "spread_element" else value)
    return ("l", tuple(found))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator else ""
    left, right = x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))
    if text == "??":
        return ("u", (left, right))
    return ("k", "bool", "") if text in _BOOLEAN_OPERATORS else ("b", text, left, right)


def _unary(x: Extraction, node: Node) -> Expr:
    """`x!` says that `x` is there; `x++` and `-x` are of its type."""
    first = node.children[0] if node.children else None
    return ("k", "bool", "") if first is not None and first.type == "!" else inner(x, node)


def _await(x: Extraction, node: Node) -> Expr:
    return ("w", inner(x, node))


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _character(x: Extraction, node: Node) -> Expr:
    return ("t", ("n", "char"), UNKNOWN)


def _typeof(x: Extraction, node: Node) -> Expr:
    return ("t", ("n", "Type"), UNKNOWN)


def _default(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("type")), UNKNOWN)


# Types


def _qualified(x: Extraction, node: Node) -> Expr:
    held, last = node.child_by_field_name("qualifier"), node.child_by_field_name("name")
    base: Expr = ("a", x.lower(held), plain_name(x, last))
    return _with_arguments(x, base, last) if last is not None and last.type == "generic_name" else base


def _alias_qualified(x: Extraction, node: Node) -> Expr:
    alias, last = node.child_by_field_name("alias"), node.child_by_field_name("name")
    if alias is None or x.text(alias) == "global":
        return x.lower(last)
    return ("a", name(x, alias), plain_name(x, last))


def _with_arguments(x: Extraction, base: Expr, node: Node) -> Expr:
    listed = named_part(node, -1)
    items = [x.lower(c) for c in parts(listed)] if listed is not None and listed.type == "type_argument_list" else []
    if not items:
        return base
    return ("s", base, items[0] if len(items) == 1 else ("l", tuple(items)))


def _generic(x: Extraction, node: Node) -> Expr:
    return _with_arguments(x, ("n", plain_name(x, node)), node)


def _array_type(x: Extraction, node: Node) -> Expr:
    return ("s", ("n", "[]"), x.lower(node.child_by_field_name("type")))


def _tuple_type(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c.child_by_field_name("type")) for c in parts(node)))


def declared_type(x: Extraction, node: Node | None) -> Expr | None:
    """A declared type; None for `var` and where there is none."""
    return None if node is None or node.type == "implicit_type" else x.lower(node)


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "this": this,
    "base": parent,
    "member_access_expression": _member,
    "conditional_access_expression": _conditional,
    "invocation_expression": call_result,
    "object_creation_expression": call_result,
    "implicit_object_creation_expression": call_result,
    "element_access_expression": _element,
    "conditional_expression": _ternary,
    "switch_expression": _switch,
    "assignment_expression": _assigned,
    "cast_expression": _cast,
    "as_expression": _as,
    "is_expression": boolean,
    "is_pattern_expression": boolean,
    "declaration_expression": _declared,
    "tuple_expression": _tuple,
    "tuple_pattern": _tuple_pattern,
    "initializer_expression": _initializer,
    "array_creation_expression": _array_creation,
    "implicit_array_creation_expression": _implicit_array,
    "collection_expression": _collection,
    "parenthesized_expression": inner,
    "checked_expression": inner,
    "ref_expression": inner,
    "with_expression": inner,
    "binary_expression": _binary,
    "prefix_unary_expression": _unary,
    "postfix_unary_expression": _unary,
    "await_expression": _await,
    "lambda_expression": _lambda,
    "anonymous_method_expression": _lambda,
    "boolean_literal": boolean,
    "null_literal": nothing,
    "integer_literal": integer,
    "real_literal": floating,
    "character_literal": _character,
    "string_literal": string_of("string_literal_content"),
    "verbatim_string_literal": string_of("string_literal_content"),
    "raw_string_literal": string_of("string_literal_content"),
    "interpolated_string_expression": string_of("string_literal_content"),
    "typeof_expression": _typeof,
    "default_expression": _default,
    "predefined_type": name,
    "qualified_name": _qualified,
    "alias_qualified_name": _alias_qualified,
    "generic_name": _generic,
    "nullable_type": inner,
    "pointer_type": inner,
    "ref_type": inner,
    "scoped_type": inner,
    "array_type": _array_type,
    "tuple_type": _tuple_type,
}
