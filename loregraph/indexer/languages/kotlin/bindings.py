"""Where Kotlin puts values: properties, constructor parameters, assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.kotlin.expressions import declared_type
from loregraph.indexer.languages.lowering import child, last, named_part, parts, plain

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_VALUE = frozenset(
    {"getter", "setter", "property_delegate", "type_constraints", "modifiers", "binding_pattern_kind"}
)


def _target(x: Extraction, node: Node) -> tuple[Expr, Expr | None]:
    """A declared variable, or several (`val (a, b)`), with its type."""
    if node.type == "multi_variable_declaration":
        return ("l", tuple(("n", plain(x, child(c, "simple_identifier"))) for c in parts(node))), None
    return ("n", plain(x, child(node, "simple_identifier"))), declared_type(x, node)


def assign_declaration(x: Extraction, node: Node, capture: str) -> None:
    declared = child(node, "variable_declaration", "multi_variable_declaration")
    if declared is None or node.child_by_field_name("receiver") is not None:
        return  # an extension property is nobody's field
    target, type_ = _target(x, declared)
    value: Expr = UNKNOWN
    final = next((c for c in reversed(parts(node)) if c.type not in _NO_VALUE), None)
    delegate = child(node, "property_delegate")
    if delegate is not None:
        value = _delegated(x, delegate)
    elif final is not None and final.id != declared.id and final.start_byte > declared.start_byte:
        value = x.lower(final)
    elif type_ is None:
        body = child(child(node, "getter"), "function_body")
        if body is not None and child(body, "statements") is None:
            value = last(x, body)  # `val total get() = sum()`
    x.assign(node, target, value, "declare", type_)


def _delegated(x: Extraction, delegate: Node) -> Expr:
    """`by lazy { … }`: what the lambda gives."""
    call = named_part(delegate)
    if call is None or call.type != "call_expression":
        return UNKNOWN
    held = child(child(named_part(call, -1), "annotated_lambda"), "lambda_literal")
    body = child(held, "statements")
    return last(x, body) if body is not None else UNKNOWN


def assign_component(x: Extraction, node: Node, capture: str) -> None:
    """A parameter of the primary constructor: a property, or what initialisers read."""
    name = plain(x, child(node, "simple_identifier"))
    scope = next((i for i in range(len(x.definitions) - 1, -1, -1) if x.definitions[i].end_byte >= node.end_byte), -1)
    if not name or scope < 0:
        return
    x.scope, x.block = scope, -1
    value = named_part(node, -1)
    given = x.lower(value) if value is not None and any(c.type == "=" for c in node.children) else UNKNOWN
    x.assign(node, ("n", name), given, "declare", declared_type(x, node))


def assign_constant(x: Extraction, node: Node, capture: str) -> None:
    """An enum entry: an instance that the enum's constructor, or its own body, makes."""
    name = plain(x, child(node, "simple_identifier"))
    scope = x.scope
    if child(node, "class_body") is not None and scope >= 0:
        scope = x.definitions[scope].parent  # its own definition has been opened already
    if not name or scope < 0:
        return
    x.scope = scope
    owner = x.definitions[scope].name
    x.assign(node, ("n", name), ("t", ("n", owner), UNKNOWN), "declare", ("n", owner))


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    held = parts(node)
    if len(held) > 1:
        kind = "=" if any(c.type == "=" for c in node.children) else "+="
        x.assign(node, x.lower(held[0]), x.lower(held[-1]), kind)


def assign_for(x: Extraction, node: Node, capture: str) -> None:
    held = parts(node)
    declared = child(node, "variable_declaration", "multi_variable_declaration")
    if declared is None:
        return
    over = next((c for c in held if c.start_byte >= declared.end_byte and c.type != "control_structure_body"), None)
    target, type_ = _target(x, declared)
    if over is not None:
        x.assign(node, target, ("i", x.lower(over)), "for", type_)


def assign_catch(x: Extraction, node: Node, capture: str) -> None:
    type_ = declared_type(x, node) or UNKNOWN
    x.assign(node, ("n", plain(x, child(node, "simple_identifier"))), ("t", type_, UNKNOWN), "except", type_)


def assign_subject(x: Extraction, node: Node, capture: str) -> None:
    """`when (val x = f())`."""
    declared, value = child(node, "variable_declaration"), named_part(node, -1)
    if declared is not None and value is not None:
        target, type_ = _target(x, declared)
        x.assign(node, target, x.lower(value), "declare", type_)
