"""Where C# puts values: declarations, properties, assignments, patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.csharp.expressions import declared_type, plain_name
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part, parts

if TYPE_CHECKING:
    from tree_sitter import Node


def assign_declaration(x: Extraction, node: Node, capture: str) -> None:
    type_ = declared_type(x, node.child_by_field_name("type"))
    for declarator in node.named_children:
        if declarator.type != "variable_declarator":
            continue
        target = named_part(declarator)
        last = named_part(declarator, -1)
        if target is not None:
            value = x.lower(last) if last is not None and last.id != target.id else UNKNOWN
            if last is not None and last.type == "bracketed_argument_list":
                value = UNKNOWN
            x.assign(declarator, x.lower(target), value, "declare", type_)


def assign_property(x: Extraction, node: Node, capture: str) -> None:
    """A property is a field: what reads it gets its type."""
    name = plain_name(x, node.child_by_field_name("name"))
    value = node.child_by_field_name("value")
    given = UNKNOWN if value is None or value.type == "arrow_expression_clause" else x.lower(value)
    if name:
        x.assign(node, ("n", name), given, "declare", declared_type(x, node.child_by_field_name("type")))


def assign_components(x: Extraction, node: Node, capture: str) -> None:
    """The parameters of a primary constructor: members of the type."""
    x.scope, x.block = len(x.definitions) - 1, -1
    for child in node.named_children:
        name = plain_name(x, child.child_by_field_name("name")) if child.type == "parameter" else ""
        if name:
            x.assign(child, ("n", name), UNKNOWN, "declare", declared_type(x, child.child_by_field_name("type")))


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    if node.parent is not None and node.parent.type == "initializer_expression":
        return  # a member of what is being made, not a name of this scope
    operator = node.child_by_field_name("operator")
    kind = "=" if operator is None or operator.type in ("=", "??=") else "+="
    x.assign(node, x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right")), kind)


def assign_for(x: Extraction, node: Node, capture: str) -> None:
    target = node.child_by_field_name("left")
    if target is not None:
        type_ = declared_type(x, node.child_by_field_name("type"))
        x.assign(node, x.lower(target), ("i", x.lower(node.child_by_field_name("right"))), "for", type_)


def assign_from(x: Extraction, node: Node, capture: str) -> None:
    """`from item in items` of a query."""
    name, held = node.child_by_field_name("name"), named_part(node, -1)
    if name is not None and held is not None and held.id != name.id:
        type_ = declared_type(x, node.child_by_field_name("type"))
        x.assign(node, x.lower(name), ("i", x.lower(held)), "for", type_)


def assign_catch(x: Extraction, node: Node, capture: str) -> None:
    name, type_ = node.child_by_field_name("name"), x.lower(node.child_by_field_name("type"))
    target: Expr = x.lower(name) if name is not None else ("n", "")
    x.assign(node, target, ("t", type_, UNKNOWN), "except", type_)


def assign_pattern(x: Extraction, node: Node, capture: str) -> None:
    """`x is Foo foo`, `case Foo foo:`, `out Foo foo`."""
    name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
    declared = declared_type(x, type_)
    if name is not None and name.type == "identifier":
        x.assign(node, x.lower(name), _matched(x, node), "declare", declared)
    elif declared is not None and type_ is not None and node.type != "declaration_expression":
        x.refer(type_, declared, "type")


def _matched(x: Extraction, node: Node) -> Expr:
    around = node.parent
    if around is not None and around.type == "is_pattern_expression":
        return x.lower(around.child_by_field_name("expression"))
    return UNKNOWN


def assign_bound(x: Extraction, node: Node, capture: str) -> None:
    """`where T : Foo, IBar`: within its definition `T` is another name for its bounds."""
    name = named_part(node)
    bounds = [
        x.lower(type_)
        for c in parts(node)
        if c.type == "type_parameter_constraint" and (type_ := c.child_by_field_name("type")) is not None
    ]
    if name is not None and bounds and x.definitions:
        x.scope, x.block = len(x.definitions) - 1, -1
        x.assign(node, x.lower(name), bounds[0] if len(bounds) == 1 else ("u", tuple(bounds)))
