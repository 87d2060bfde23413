"""Where PHP puts values: properties, constants, variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part, parts
from loregraph.indexer.languages.php.definitions import VAR
from loregraph.indexer.languages.php.expressions import declared_type, documented_type

if TYPE_CHECKING:
    from tree_sitter import Node


def assign_property(x: Extraction, node: Node, capture: str) -> None:
    type_ = declared_type(x, node.child_by_field_name("type"))
    if type_ is None or type_ == ("n", "array"):
        found = VAR.search(comment_above(x, node))
        type_ = documented_type(found[1]) if found is not None else type_
    for element in node.named_children:
        name = element.child_by_field_name("name") if element.type == "property_element" else None
        if name is not None:
            value = x.lower(element.child_by_field_name("default_value"))
            x.assign(element, ("n", x.text(name).lstrip("$")), value, "declare", type_)


def assign_trait_alias(x: Extraction, node: Node, capture: str) -> None:
    """`use A, B { A::log as write; }`: another name for a trait's method."""
    held = [c for c in parts(node) if c.type in ("name", "class_constant_access_expression")]
    if len(held) != 2 or held[1].type != "name":
        return
    if held[0].type != "name":
        value = x.lower(held[0])
    else:
        use = node.parent.parent if node.parent is not None else None
        traits = [c for c in parts(use) if c.type in ("name", "qualified_name")]
        value = ("u", tuple(("a", x.lower(trait), x.text(held[0])) for trait in traits))
    x.assign(node, ("n", x.text(held[1])), value, "declare")


def assign_promoted(x: Extraction, node: Node, capture: str) -> None:
    """A constructor's parameter that is a property too."""
    name = node.child_by_field_name("name")
    constructor = x.definitions[-1] if x.definitions else None
    if name is None or constructor is None or constructor.parent < 0:
        return
    x.scope, x.block = constructor.parent, -1
    text = x.text(name)
    type_ = next((p.type for p in constructor.parameters if p.name == text), None)
    x.assign(node, ("n", text.lstrip("$")), UNKNOWN, "declare", type_)


def assign_constant(x: Extraction, node: Node, capture: str) -> None:
    held = parts(node)
    if held:
        x.assign(node, x.lower(held[0]), x.lower(held[1]) if len(held) > 1 else UNKNOWN, "declare")


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    operator = node.child_by_field_name("operator")
    kind = (
        "+="
        if node.type == "augmented_assignment_expression" and operator is not None and operator.type != "??="
        else "="
    )
    value = x.lower(node.child_by_field_name("right"))
    x.assign(node, x.lower(node.child_by_field_name("left")), value, kind, _noted(x, node))


def _noted(x: Extraction, node: Node) -> Expr | None:
    """The type that a `/** @var Foo $x */` above the statement gives."""
    statement = node.parent
    before = statement.prev_sibling if statement is not None and statement.type == "expression_statement" else None
    if before is None or before.type != "comment":
        return None
    found = VAR.search(x.text(before))
    return documented_type(found[1]) if found is not None else None


def assign_static(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        x.assign(node, x.lower(name), x.lower(node.child_by_field_name("value")), "declare")


def assign_for(x: Extraction, node: Node, capture: str) -> None:
    held = parts(node)
    if len(held) < 2:
        return
    target: Node | None = held[1]
    if target is not None and target.type == "pair":
        target = named_part(target, -1)
    if target is not None:
        x.assign(node, x.lower(target), ("i", x.lower(held[0])), "for")


def assign_catch(x: Extraction, node: Node, capture: str) -> None:
    name, type_ = node.child_by_field_name("name"), x.lower(node.child_by_field_name("type"))
    if type_[0] == "u" and len(type_[1]) == 1:
        type_ = type_[1][0]
    x.assign(node, x.lower(name) if name is not None else ("n", ""), ("t", type_, UNKNOWN), "except", type_)


def assign_global(x: Extraction, node: Node, capture: str) -> None:
    for name in parts(node):
        if name.type == "variable_name":
            x.assign(name, ("n", x.text(name)), UNKNOWN, "global")
