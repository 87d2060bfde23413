"""Where Go puts values: declarations, assignments, fields, patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.go.definitions import bounds_of, fields_of, without_arguments
from loregraph.indexer.languages.go.expressions import (
    as_one,
    listed,
)
from loregraph.indexer.languages.lowering import named_part

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_BINDING = ("n", "_")


def assign_members(x: Extraction, node: Node, capture: str) -> None:
    """The fields of a struct; an embedded type is a field under the type's own name."""
    type_ = node.child_by_field_name("type")
    if type_ is None or type_.type != "struct_type":
        return
    for field in fields_of(type_):
        declared = x.lower(field.child_by_field_name("type"))
        names = [n for n in field.children_by_field_name("name") if n.is_named]
        for name in names:
            if x.text(name) != "_":
                x.assign(name, ("n", x.text(name)), UNKNOWN, "declare", declared)
        if not names:
            base = without_arguments(declared)
            if base[0] in ("n", "a"):
                x.assign(field, ("n", base[-1]), UNKNOWN, "declare", declared)


def assign_alias(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        x.assign(node, ("n", x.text(name)), x.lower(node.child_by_field_name("type")))


def assign_constraints(x: Extraction, node: Node, capture: str) -> None:
    """`[T Foo]`: within its definition `T` is another name for its constraint."""
    if not x.definitions:
        return
    x.scope, x.block = len(x.definitions) - 1, -1
    for name, bound in bounds_of(x, node).items():
        x.assign(node, ("n", name), bound)


def assign_results(x: Extraction, node: Node, capture: str) -> None:
    """Named results are variables of the function."""
    x.scope, x.block = len(x.definitions) - 1, -1
    for child in node.named_children:
        for name in child.children_by_field_name("name"):
            if name.type == "identifier" and x.text(name) != "_":
                declared = x.lower(child.child_by_field_name("type"))
                x.assign(name, ("n", x.text(name)), UNKNOWN, "declare", declared)


def assign_constants(x: Extraction, node: Node, capture: str) -> None:
    """In a block of constants a line without a value repeats the type and the value above it."""
    type_: Expr | None = None
    for spec in node.named_children:
        if spec.type != "const_spec":
            continue
        value_node, type_node = spec.child_by_field_name("value"), spec.child_by_field_name("type")
        values = listed(x, value_node)
        if values or type_node is not None:
            type_ = x.lower(type_node) if type_node else None
        for i, name in enumerate(n for n in spec.children_by_field_name("name") if n.is_named):
            if x.text(name) != "_":
                value = values[i] if i < len(values) else UNKNOWN
                x.assign(name, ("n", x.text(name)), value, "declare", type_)


def assign_variables(x: Extraction, node: Node, capture: str) -> None:
    type_node = node.child_by_field_name("type")
    type_ = x.lower(type_node) if type_node else None
    targets: list[Expr] = [("n", x.text(n)) for n in node.children_by_field_name("name") if n.is_named]
    _flow(x, node, targets, listed(x, node.child_by_field_name("value")), "declare", type_)


def assign_short(x: Extraction, node: Node, capture: str) -> None:
    targets = listed(x, node.child_by_field_name("left"))
    _flow(x, node, targets, listed(x, node.child_by_field_name("right")), "declare")


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    operator = node.child_by_field_name("operator")
    kind = "=" if operator is None or operator.type == "=" else "+="
    targets = listed(x, node.child_by_field_name("left"))
    _flow(x, node, targets, listed(x, node.child_by_field_name("right")), kind)


def _flow(
    x: Extraction, node: Node, targets: list[Expr], values: list[Expr], kind: str, type_: Expr | None = None
) -> None:
    """`a, b = f()` takes a list apart; `v, ok = m[k]` gives the value and whether it is there."""
    if len(targets) > 1 and len(values) == 1:
        if values[0][0] == "c":
            x.assign(node, ("l", tuple(UNKNOWN if t == _NO_BINDING else t for t in targets)), values[0], kind, type_)
            return
        values = [values[0], ("k", "bool", "")]
    for i, target in enumerate(targets):
        if target not in (_NO_BINDING, UNKNOWN):
            x.assign(node, target, values[i] if i < len(values) else UNKNOWN, kind, type_)


def assign_range(x: Extraction, node: Node, capture: str) -> None:
    """The first variable gets the key (of a channel: the element), the second what stands there."""
    targets = listed(x, node.child_by_field_name("left"))
    ranged = x.lower(node.child_by_field_name("right"))
    values: tuple[Expr, ...] = (("i", ranged), ("s", ranged, UNKNOWN))
    for target, value in zip(targets, values, strict=False):
        if target not in (_NO_BINDING, UNKNOWN):
            x.assign(node, target, value, "for")


def assign_receive(x: Extraction, node: Node, capture: str) -> None:
    targets = listed(x, node.child_by_field_name("left"))
    _flow(x, node, targets, [x.lower(node.child_by_field_name("right"))], "declare")


def assign_switch(x: Extraction, node: Node, capture: str) -> None:
    """`switch v := e.(type)`: where no case says more, `v` is `e`."""
    alias = node.child_by_field_name("alias")
    if alias is not None:
        x.assign(node, as_one(listed(x, alias)), x.lower(node.child_by_field_name("value")), "declare")


def assign_case(x: Extraction, node: Node, capture: str) -> None:
    types = [x.lower(t) for t in node.children_by_field_name("type") if t.is_named and x.text(t) != "nil"]
    switch = node.parent
    alias = switch.child_by_field_name("alias") if switch else None
    if not types:
        return
    type_: Expr = types[0] if len(types) == 1 else ("u", tuple(types))
    if alias is None:
        x.refer(node, type_, "type")
    else:
        x.assign(node, as_one(listed(x, alias)), ("t", type_, UNKNOWN), "declare", type_)


_MAY_BE_FUNCTIONS = frozenset({"identifier", "selector_expression", "func_literal"})


def assign_literal(x: Extraction, node: Node, capture: str) -> None:
    """`Command{Run: run}` writes to the field of every `Command`: whoever calls the field knows the type alone."""
    type_, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if type_ is None or body is None or type_.type not in ("type_identifier", "qualified_type", "generic_type"):
        return
    owner: Expr = UNKNOWN
    for element in body.named_children:
        key, value = element.child_by_field_name("key"), named_part(element.child_by_field_name("value"))
        name = named_part(key)
        if name is None or value is None or value.type not in _MAY_BE_FUNCTIONS or name.type != "identifier":
            continue
        if owner == UNKNOWN:
            owner = ("t", without_arguments(x.lower(type_)), UNKNOWN)
        held = x.lower(value)
        if held[0] in ("n", "a", "f"):
            x.assign(element, ("a", owner, x.text(name)), held)
