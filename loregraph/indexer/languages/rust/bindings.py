"""Where Rust puts values: declarations, assignments, fields, patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.rust.definitions import bound_of, owner_of
from loregraph.indexer.languages.rust.expressions import is_macro
from loregraph.indexer.languages.rust.macros import ALTERNATIVES, MATCHES, matched
from loregraph.indexer.languages.rust.patterns import bindings, written_as_value

if TYPE_CHECKING:
    from tree_sitter import Node


def fields_of(x: Extraction, node: Node, capture: str) -> None:
    for field in node.named_children:
        name = field.child_by_field_name("name") if field.type == "field_declaration" else None
        if name is not None:
            x.assign(field, ("n", x.text(name)), UNKNOWN, "declare", x.lower(field.child_by_field_name("type")))


def assign_positions(x: Extraction, node: Node, capture: str) -> None:
    """A tuple struct's fields are called `0`, `1`, …"""
    for i, type_ in enumerate(node.children_by_field_name("type")):
        x.assign(type_, ("n", str(i)), UNKNOWN, "declare", x.lower(type_))


def assign_variant(x: Extraction, node: Node, capture: str) -> None:
    """A variant is a value of the enum's type; what it holds can be read from it like from a list or mapping."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or x.scope < 0:
        return
    value: Expr = ("t", ("n", x.definitions[x.scope].name), UNKNOWN)
    if body is not None and body.type == "ordered_field_declaration_list":
        held = tuple(("t", x.lower(t), UNKNOWN) for t in body.children_by_field_name("type"))
        value = ("u", (value, ("l", held)))
    elif body is not None:
        pairs = []
        for field in body.named_children:
            field_name = field.child_by_field_name("name") if field.type == "field_declaration" else None
            if field_name is not None:
                type_ = x.lower(field.child_by_field_name("type"))
                pairs.append((("k", "str", x.text(field_name)), ("t", type_, UNKNOWN)))
        value = ("u", (value, ("d", tuple(pairs))))
    x.assign(node, ("n", x.text(name)), value, "declare")


def _member_target(x: Extraction, node: Node, name: Node) -> Expr:
    """The place that an associated constant or type of an `impl` goes to; elsewhere just its name."""
    around = node.parent.parent if node.parent is not None and node.parent.type == "declaration_list" else None
    if around is not None and around.type == "impl_item":
        owner = owner_of(x, around.child_by_field_name("type"))[0]
        return ("a", owner, x.text(name))
    return ("n", x.text(name))


def assign_constant(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    if name is not None and x.text(name) != "_":
        type_node = node.child_by_field_name("type")
        type_ = x.lower(type_node) if type_node is not None else None
        value = x.lower(node.child_by_field_name("value"))
        target = _member_target(x, node, name)
        if target[0] == "a" and type_ is not None:
            value = ("t", type_, value)
        x.assign(node, target, value, "declare", type_)


def assign_alias(x: Extraction, node: Node, capture: str) -> None:
    """`type A = B`, in a trait `type A: B`: another name for the type."""
    name = node.child_by_field_name("name")
    type_ = x.lower(node.child_by_field_name("type") or node.child_by_field_name("bounds"))
    if name is not None and type_ != UNKNOWN:
        x.assign(node, _member_target(x, node, name), type_)


def assign_bound(x: Extraction, node: Node, capture: str) -> None:
    """`T: Trait`: within its definition `T` is another name for its bound."""
    if node.parent is None or node.parent.parent is None or not x.definitions:
        return
    if node.parent.parent.type != "impl_item":  # those go to each method: see `assign_inherited`
        x.scope, x.block = len(x.definitions) - 1, -1
        _assign_bound(x, node)


def _assign_bound(x: Extraction, node: Node) -> None:
    bound = bound_of(x, node)
    if bound is not None:
        x.assign(node, ("n", bound[0]), bound[1])


def assign_inherited(x: Extraction, node: Node, capture: str) -> None:
    """A method sees the bounds that its `impl` gives to type parameters."""
    around = node.parent.parent if node.parent is not None and node.parent.type == "declaration_list" else None
    if around is None or around.type != "impl_item":
        return
    x.scope, x.block = len(x.definitions) - 1, -1
    parameters = around.child_by_field_name("type_parameters")
    for parameter in parameters.named_children if parameters else ():
        if parameter.type == "type_parameter":
            _assign_bound(x, parameter)
    where = next((c for c in around.named_children if c.type == "where_clause"), None)
    for predicate in where.named_children if where else ():
        if predicate.type == "where_predicate":
            _assign_bound(x, predicate)


def assign_impl(x: Extraction, node: Node, capture: str) -> None:
    trait = node.child_by_field_name("trait")
    if trait is None or any(c.type == "!" for c in node.children):
        return
    type_ = owner_of(x, node.child_by_field_name("type"))[0]
    x.extras.setdefault("impls", []).append((type_, x.lower(trait), trait.start_point[0] + 1, x.scope))


def _bind(x: Extraction, pattern: Node | None, value: Expr, kind: str) -> None:
    for node, name, part in bindings(x, pattern, value):
        x.assign(node, ("n", name), part, kind)


def assign_let(x: Extraction, node: Node, capture: str) -> None:
    pattern, type_node = node.child_by_field_name("pattern"), node.child_by_field_name("type")
    value = x.lower(node.child_by_field_name("value"))
    if pattern is not None and pattern.type == "identifier":
        x.assign(node, ("n", x.text(pattern)), value, "declare", x.lower(type_node) if type_node else None)
    else:
        _bind(x, pattern, ("t", x.lower(type_node), value) if type_node else value, "declare")


def assign_condition(x: Extraction, node: Node, capture: str) -> None:
    _bind(x, node.child_by_field_name("pattern"), x.lower(node.child_by_field_name("value")), "declare")


def assign_for(x: Extraction, node: Node, capture: str) -> None:
    _bind(x, node.child_by_field_name("pattern"), ("i", x.lower(node.child_by_field_name("value"))), "for")


def assign_arm(x: Extraction, node: Node, capture: str) -> None:
    """An arm's pattern. The matched value is asked for only where the pattern binds a name."""
    pattern = node.child_by_field_name("pattern")
    around = node.parent.parent if node.parent is not None else None
    macro = x.memo.get(MATCHES, {}).get(around.start_byte) if around is not None else None
    if macro is not None and node.prev_named_sibling is None:
        x.record_call(node, ("n", macro.decode()), kind="macro")
    found = list(bindings(x, pattern, UNKNOWN))
    if found:
        value = x.lower(around.child_by_field_name("value")) if around is not None else UNKNOWN
        if macro is not None:
            inner = named_part(pattern) if pattern is not None and pattern.type == "match_pattern" else pattern
            value = matched(x, node, macro, value, inner)
        _bind(x, pattern, value, "declare")


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    kind = "+=" if capture.endswith("augmented") else "="
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and _is_alternative(x, node):
        for part, name, value in written_as_value(x, left, ("w", x.lower(right))):
            x.assign(part, ("n", name), value, "declare")
        return
    x.assign(node, x.lower(left), x.lower(right), kind)


def _is_alternative(x: Extraction, node: Node) -> bool:
    """Whether an assignment is the head of an arm of `select!`, which reads as an argument."""
    call = node.parent.parent if node.parent is not None and node.parent.type == "arguments" else None
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and is_macro(x, function) and x.text(function).rpartition("::")[2] in ALTERNATIVES
