"""Scala's calls: with arguments in several lists, with `new`, by operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.scala.expressions import COMPARISONS, callee, is_callee

if TYPE_CHECKING:
    from tree_sitter import Node

_LITERALS = frozenset({"string", "integer_literal", "floating_point_literal", "character_literal", "boolean_literal"})


def record_call(x: Extraction, node: Node, capture: str) -> None:
    """`f(a)(b)` is one call: further lists of arguments are those of a function with several."""
    if is_callee(node) or (node.parent is not None and is_mixed(x, node.parent)):
        return
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    lists: list[Node] = []
    function: Node | None = node
    while function is not None and function.type in ("call_expression", "generic_function"):
        given = function.child_by_field_name("arguments") if function.type == "call_expression" else None
        if given is not None:
            lists.append(given)
        function = function.child_by_field_name("function")
    if function is None or function.type == "instance_expression":
        return
    for given in reversed(lists):
        one, other = arguments(x, given)
        positional += one
        named += other
    expr = callee(x, function)
    if expr == ("p",) or expr[0] == "k":
        return
    x.record_call(node, expr, tuple(positional), tuple(named))


def arguments(x: Extraction, node: Node) -> tuple[list[Expr], list[tuple[str, Expr]]]:
    """One list of arguments: in parentheses, a block, cases or what stands behind a colon."""
    if node.type in ("case_block", "colon_argument"):
        held = x.definition_at(node)
        return [held if held != UNKNOWN else x.lower(node)], []
    if node.type != "arguments":
        return [x.lower(node)], []
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for part in parts(node):
        if part.type == "assignment_expression":
            left = part.child_by_field_name("left")
            named.append((plain(x, left), x.lower(part.child_by_field_name("right"))))
            continue
        held = x.definition_at(part)
        positional.append(held if held != UNKNOWN else x.lower(part))
    return positional, named


def record_new(x: Extraction, node: Node, capture: str) -> None:
    """`new Foo(a)`, `new Foo { … }`."""
    if node.parent is not None and is_mixed(x, node.parent):
        return  # the class that it begins is made: see `record_infix`
    type_ = next((c for c in parts(node) if c.type not in ("arguments", "template_body")), None)
    held = x.definition_at(node)
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for given in node.children_by_field_name("arguments"):
        one, other = arguments(x, given)
        positional += one
        named += other
    if held != UNKNOWN:
        x.scope, x.block = x.definitions[held[1]].parent, -1  # its own definition has been opened already
        x.record_call(node, held, (), (), "new")
    elif type_ is not None:
        made = x.lower(type_)
        while made[0] == "s":
            made = made[1]
        x.record_call(node, made, tuple(positional), tuple(named), "new")


def is_mixed(x: Extraction, node: Node) -> bool:
    """`new A with B`, which the grammar takes for an operator."""
    if node.type != "infix_expression" or plain(x, node.child_by_field_name("operator")) != "with":
        return False
    left = node.child_by_field_name("left")
    while left is not None and left.type == "infix_expression":
        left = left.child_by_field_name("left")
    return left is not None and left.type == "instance_expression"


def record_infix(x: Extraction, node: Node, capture: str) -> None:
    """`a op b`: a call on the left side, or on the right one where the operator ends in a colon."""
    left, operator, right = (node.child_by_field_name(f) for f in ("left", "operator", "right"))
    if left is None or operator is None or right is None:
        return
    text = plain(x, operator)
    if text in COMPARISONS or left.type in _LITERALS:
        return
    if text == "with" and is_mixed(x, node):
        held = x.definition_at(node)
        if held != UNKNOWN:
            x.scope, x.block = x.definitions[held[1]].parent, -1  # its own definition has been opened already
            x.record_call(node, held, (), (), "new")
        return
    if text.endswith(":"):
        left, right = right, left
    if right.type in ("tuple_expression", "parenthesized_expression") and x.definition_at(right) == UNKNOWN:
        given = tuple(_value(x, part) for part in parts(right))
    else:
        given = (_value(x, right),)
    kind = "call" if text[:1].isalpha() else "operator"
    x.record_call(node, ("a", x.lower(left), text), given, (), kind)


def _value(x: Extraction, node: Node) -> Expr:
    held = x.definition_at(node)
    return held if held != UNKNOWN else x.lower(node)


def record_prefix(x: Extraction, node: Node, capture: str) -> None:
    sign = node.children[0].type if node.children else ""
    held = parts(node)
    if held and held[0].type not in _LITERALS:
        x.record_call(node, ("a", x.lower(held[0]), f"unary_{sign}"), (), (), "operator")
