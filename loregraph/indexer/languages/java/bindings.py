"""Where Java puts values: declarations, assignments, fields, patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.java.definitions import bound_of, spread_parts
from loregraph.indexer.languages.java.expressions import COMMENTS, arguments, declared_type

if TYPE_CHECKING:
    from tree_sitter import Node


def assign_declaration(x: Extraction, node: Node, capture: str) -> None:
    type_ = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is not None:
            declared = declared_type(x, type_, declarator.child_by_field_name("dimensions"))
            x.assign(declarator, ("n", x.text(name)), x.lower(value), "declare", declared)


def assign_components(x: Extraction, node: Node, capture: str) -> None:
    """The fields that a record's components are."""
    x.scope = len(x.definitions) - 1
    for child in node.named_children:
        if child.type == "spread_parameter":
            type_node, name = spread_parts(child)
        else:
            type_node, name = child.child_by_field_name("type"), child.child_by_field_name("name")
        if name is not None:
            x.assign(child, ("n", x.text(name)), UNKNOWN, "declare", declared_type(x, type_node))


def assign_constant(x: Extraction, node: Node, capture: str) -> None:
    """An enum constant: an instance that the enum's constructor, or its own body, makes."""
    name = node.child_by_field_name("name")
    if name is None or x.scope < 0:
        return
    body = node.child_by_field_name("body")
    if body is not None:
        # Its definition has been opened already; what stands before its body belongs to the enum.
        function: Expr = x.definition_at(node)
    else:
        function = ("n", x.definitions[x.scope].name)
    own: Expr = ("n", x.definitions[x.scope].name)
    value: Expr = ("t", own, UNKNOWN)
    if node.child_by_field_name("arguments") is not None or body is not None:
        x.record_call(node, function, arguments(x, node), kind="new")
        value = ("c", len(x.calls) - 1)
    # One with a body is of a type of its own: calls of it run its own methods.
    x.assign(node, ("n", x.text(name)), value, "declare", None if body is not None else own)


def assign_resource(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        value = x.lower(node.child_by_field_name("value"))
        x.assign(node, ("n", x.text(name)), value, "with", declared_type(x, node.child_by_field_name("type")))
        x.record_call(node, ("a", ("n", x.text(name)), "close()"), kind="operator")


def assign_instanceof(x: Extraction, node: Node, capture: str) -> None:
    right, name = node.child_by_field_name("right"), node.child_by_field_name("name")
    if right is None:
        return
    type_ = x.lower(right)
    if name is not None:
        value: Expr = ("t", type_, x.lower(node.child_by_field_name("left")))
        x.assign(node, ("n", x.text(name)), value, "declare", type_)
    else:
        x.refer(right, type_, "type")


def assign_pattern(x: Extraction, node: Node, capture: str) -> None:
    parts = [c for c in node.named_children if c.type not in COMMENTS and c.type != "modifiers"]
    if len(parts) >= 2 and parts[-1].type == "identifier":
        x.assign(node, ("n", x.text(parts[-1])), UNKNOWN, "declare", declared_type(x, parts[-2]))


def assign_bound(x: Extraction, node: Node, capture: str) -> None:
    """`T extends Foo & Bar`: within its definition `T` is another name for its bounds."""
    bound = bound_of(x, node)
    if bound is not None and x.definitions:
        x.scope, x.block = len(x.definitions) - 1, -1
        x.assign(node, ("n", bound[0]), bound[1])
