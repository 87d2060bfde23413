"""Kotlin's expressions and types, lowered. Its grammar names few fields: parts are told by their types and order."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    ATTRIBUTE,
    NAME,
    OPERATION,
    RECEIVER,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages import hooks
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.generics import user_type
from loregraph.indexer.languages.hooks import Given, written
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
    string_of,
)
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, choose, compiled, each, having, lowerings, some

COMMENTS = frozenset({"line_comment", "multiline_comment"})
TYPES: Final = ":user_type,nullable_type,function_type,parenthesized_type,not_nullable_type,type_modifiers"
_GIVES_RECEIVER = frozenset({"also", "apply"})
"""Calls whose result is what they are called on."""
_LABEL: Final = ":type_identifier,simple_identifier"

declared_type = written(f"@{TYPES}")
"""The type among the parts of a declaration; None where there is none."""


several = compiled((SEQUENCE, each("*", (NAME, "`:simple_identifier"))))
"""The names that `(a, b)` declares."""


def _navigation(x: Extraction, node: Node) -> Expr:
    """`a.b`, `a?.b`."""
    base, suffix = named_part(node), named_part(node, -1)
    member = child(suffix, "simple_identifier")
    if base is None or member is None:
        return UNKNOWN
    return (ATTRIBUTE, x.lower(base), plain(x, member))


def _call(x: Extraction, node: Node) -> Expr:
    callee = named_part(node)
    if callee is not None and callee.type == "navigation_expression":
        member = child(named_part(callee, -1), "simple_identifier")
        if plain(x, member) in _GIVES_RECEIVER:
            return x.lower(named_part(callee))
    return x.call_at(node)


def _label(x: Extraction, argument: Node) -> str:
    return plain(x, named_part(argument)) if any(c.type == "=" for c in argument.children) else ""


_in_parentheses = hooks.arguments(_label, "@-1!")


def arguments(x: Extraction, node: Node | None) -> Given:
    """Positional and named arguments of a call's suffix, a lambda behind the parentheses included."""
    positional, named = _in_parentheses(x, child(node, "value_arguments"))
    behind = child(node, "annotated_lambda")
    return (positional if behind is None else (*positional, x.lower(named_part(behind, -1)))), named


_BINARY = (OPERATION, "%", "@0", "@1!")

EXPRESSIONS: Final = lowerings(
    {
        "simple_identifier type_identifier": plain_name,
        "this_expression": having(_LABEL, (TYPED, f"@{_LABEL}", UNKNOWN), (RECEIVER,)),
        "super_expression": parent,
        "navigation_expression": _navigation,
        "call_expression": _call,
        "spread_expression": (SPREAD, "@0"),
        "indexing_expression": (SUBSCRIPT, "@0", "@-1/0"),
        "directly_assignable_expression": choose(
            "%-1",
            {
                "navigation_suffix": (ATTRIBUTE, "@0", "`-1/:simple_identifier"),
                "indexing_suffix": (SUBSCRIPT, "@0", "@-1/0"),
            },
            inner,
        ),
        "if_expression": (UNION, ("@consequence", "@alternative")),
        "when_expression": some(UNION, "**:when_entry/-1"),
        "try_expression postfix_expression parenthesized_expression nullable_type not_nullable_type": inner,
        "parenthesized_type": inner,
        "control_structure_body statements type_projection receiver_type": last,
        "elvis_expression": (UNION, "*"),
        "as_expression": having("1", (TYPED, "@-1", "@0")),
        "check_expression comparison_expression equality_expression conjunction_expression": BOOLEAN,
        "disjunction_expression boolean_literal": BOOLEAN,
        "additive_expression multiplicative_expression": _BINARY,
        "infix_expression": choose("$1", {"to": (SEQUENCE, ("@0", "@2"))}),
        "prefix_expression": choose("%", {"!": BOOLEAN}, last),
        # `Foo::bar`, `::bar`, `Foo::class`
        "callable_reference": having("1", (ATTRIBUTE, "@0", "`-1"), choose("%0", {"type_identifier": UNKNOWN}, "@0")),
        "lambda_literal anonymous_function object_literal": definition,
        "collection_literal": (SEQUENCE, "*"),
        "null_literal": NOTHING,
        "integer_literal hex_literal bin_literal long_literal": integer,
        "real_literal": FLOAT,
        "string_literal": string_of("string_content"),
        "user_type": user_type,
    }
)


def handed_to_with(x: Extraction, call: Node | None) -> Expr | None:
    """The receiver that `with(value) { … }` gives its lambda; None where it is another call."""
    held = parts(call)
    if len(held) != 2 or plain(x, held[0]) != "with" or held[0].type != "simple_identifier":
        return None
    listed = parts(child(held[1], "value_arguments"))
    if len(listed) != 1 or child(held[1], "annotated_lambda") is None:
        return None
    return x.lower(named_part(listed[0], -1))
