"""Scala's expressions and types, lowered.

A member or name that is read may be a method without parameters, which reading runs: what stands for a value is lowered
to the result of a `read` call, what is called is not. Placeholders (`_.name`) are lambdas with the parameter `_`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import (
    boolean,
    call_result,
    floating,
    inner,
    integer,
    last,
    nothing,
    parts,
    plain,
)
from loregraph.indexer.languages.scala.types import TYPES
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMPARISONS = frozenset({"==", "!=", "eq", "ne", "&&", "||", "->", "="})
"""Operators that every value has; `->` makes a pair."""
_WRITTEN_TYPES = frozenset({"asInstanceOf", "isInstanceOf"})
_GIVEN = frozenset({"summon", "implicitly", "summonInline"})


def _this_or_name(x: Extraction, node: Node) -> Expr:
    text = plain(x, node)
    if text == "this":
        return ("v",)
    return ("p",) if text == "super" else ("n", text)


def name(x: Extraction, node: Node) -> Expr:
    """A name that stands for a value."""
    expr = _this_or_name(x, node)
    if expr[0] != "n" or not (expr[1][:1].islower() or expr[1][:1] == "_") or is_local(x, expr[1]):
        return expr
    return _read(x, node, expr)


def is_local(x: Extraction, text: str) -> bool:
    """Whether a name is a parameter or variable of the functions around the place that is read now."""
    locals_: dict[int, set[str]] = x.memo.setdefault("locals", {})
    around = x.scope
    while around >= 0:
        if text in locals_.get(around, ()):
            return True
        if any(parameter.name == text for parameter in x.definitions[around].parameters):
            return True
        around = x.definitions[around].parent
    return text == "_"


def make_local(x: Extraction, text: str) -> None:
    """Notes a variable of the function around the place that is read now."""
    locals_: dict[int, set[str]] = x.memo.setdefault("locals", {})
    locals_.setdefault(x.scope, set()).add(text)


def _read(x: Extraction, node: Node, expr: Expr) -> Expr:
    """The result of reading `expr`; one call for each node."""
    known: dict[int, int] = x.memo.setdefault("reads", {})
    index = known.get(node.id)
    if index is None:
        x.record_call(node, expr, (), (), "read")
        index = known[node.id] = len(x.calls) - 1
    return ("c", index)


def _path(x: Extraction, node: Node) -> Expr:
    """`a.b` as it is written, `C.this`."""
    base, member = node.child_by_field_name("value"), node.child_by_field_name("field")
    if base is None or member is None:
        return UNKNOWN
    text = plain(x, member)
    if text == "this":
        return ("t", ("n", plain(x, base)), UNKNOWN)
    if base.type == "generic_function" and plain(x, base.child_by_field_name("function")) == "super":
        return ("a", ("p",), text)
    return ("a", x.lower(base), text)


def field(x: Extraction, node: Node) -> Expr:
    """A member that stands for a value."""
    expr = _path(x, node)
    if expr[0] != "a" or expr[1] == UNKNOWN or expr[2][:1].isupper():
        return expr
    return _read(x, node, expr)


def callee(x: Extraction, node: Node | None) -> Expr:
    """What is called: nothing is read on the way to it but what it is called on."""
    while node is not None and node.type in ("generic_function", "parenthesized_expression"):
        if node.type == "generic_function":
            node = node.child_by_field_name("function")
        else:
            node = parts(node)[0] if parts(node) else None
    if node is None:
        return UNKNOWN
    if node.type in ("identifier", "operator_identifier"):
        return _this_or_name(x, node)
    return _path(x, node) if node.type == "field_expression" else x.lower(node)


def is_callee(node: Node) -> bool:
    """Whether a node is what a call calls, or a type is applied to."""
    around = node.parent
    while around is not None and around.type == "generic_function":
        node, around = around, around.parent
    if around is None or around.type != "call_expression":
        return node.type == "generic_function"
    function = around.child_by_field_name("function")
    return function is not None and function.id == node.id


def _generic(x: Extraction, node: Node) -> Expr:
    """`f[T]` without arguments: a cast, what is given for a type, or a call."""
    function = node.child_by_field_name("function")
    types = parts(node.child_by_field_name("type_arguments"))
    text = (
        plain(x, function.child_by_field_name("field"))
        if function is not None and function.type == "field_expression"
        else ""
    )
    if text in _WRITTEN_TYPES and function is not None:
        if text == "isInstanceOf" or not types:
            return ("k", "bool", "")
        return ("t", x.lower(types[0]), x.lower(function.child_by_field_name("value")))
    if function is not None and types and plain(x, function) in _GIVEN:
        return ("t", x.lower(types[0]), UNKNOWN)
    expr = callee(x, node)
    return _read(x, node, expr) if expr[0] in ("n", "a") else expr


def _curried(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    while function is not None and function.type in ("call_expression", "generic_function"):
        function = function.child_by_field_name("function")
    return x.lower(function) if function is not None and function.type == "instance_expression" else x.call_at(node)


def _infix(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = plain(x, operator)
    if text == "->":
        return ("l", (x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))))
    return ("k", "bool", "") if text in COMPARISONS else x.call_at(node)


def _choice(x: Extraction, node: Node) -> Expr:
    return ("u", (x.lower(node.child_by_field_name("consequence")), x.lower(node.child_by_field_name("alternative"))))


def _match(x: Extraction, node: Node) -> Expr:
    return _cases(x, node.child_by_field_name("body"))


def _cases(x: Extraction, node: Node | None) -> Expr:
    found = tuple(x.lower(clause.child_by_field_name("body")) for clause in parts(node) if clause.type == "case_clause")
    return ("u", found) if found else UNKNOWN


def cases(x: Extraction, node: Node) -> Expr:
    """What one of several cases gives."""
    return _cases(x, node)


def _try(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("body"))


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _tuple(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in parts(node)))


def _typed(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    if len(held) < 2:
        return UNKNOWN
    if held[1].type == "repeated_parameter_type":
        return ("*", x.lower(held[0]))
    return ("t", x.lower(held[1]), x.lower(held[0]))


def _string(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return ("k", "str", text[1:-1] if len(text) <= 66 and not text.startswith('"""') else "")


def _written(x: Extraction, node: Node) -> Expr:
    return ("k", "str", "")


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "operator_identifier": _this_or_name,
    "wildcard": lambda x, node: ("n", "_"),
    "field_expression": field,
    "generic_function": _generic,
    "call_expression": _curried,
    "instance_expression": call_result,
    "infix_expression": _infix,
    "prefix_expression": call_result,
    "if_expression": _choice,
    "match_expression": _match,
    "try_expression": _try,
    "block": last,
    "indented_block": last,
    "parenthesized_expression": inner,
    "tuple_expression": _tuple,
    "ascription_expression": _typed,
    "lambda_expression": _lambda,
    "case_block": _lambda,
    "colon_argument": _lambda,
    "string": _string,
    "interpolated_string_expression": _written,
    "boolean_literal": boolean,
    "null_literal": nothing,
    "integer_literal": integer,
    "floating_point_literal": floating,
    "tuple_type": _tuple,
    **TYPES,
}
