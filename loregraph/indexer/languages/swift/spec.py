"""Swift's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import child, named_part, plain
from loregraph.indexer.languages.spec import LanguageSpec
from loregraph.indexer.languages.swift.definitions import (
    bases,
    extended_type,
    read_docstring,
    read_header,
    read_parameters,
)
from loregraph.indexer.languages.swift.expressions import (
    COMMENTS,
    EXPRESSIONS,
    TYPES,
    arguments,
    declared_type,
    pattern,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def _call(x: Extraction, node: Node, capture: str) -> None:
    suffix = named_part(node, -1)
    listed = child(suffix, "value_arguments")
    if listed is not None and x.source[listed.start_byte : listed.start_byte + 1] == b"[":
        return  # a subscript
    x.record_call(node, x.lower(named_part(node)), arguments(x, suffix))


def _declare(x: Extraction, node: Node, capture: str) -> None:
    body = node.parent
    if body is not None and body.parent is not None and extended_type(x, body.parent) is not None:
        return  # a computed property of an extension is nobody's field
    target = pattern(x, node.child_by_field_name("name"))
    type_ = declared_type(x, child(node, "type_annotation"))
    if target != UNKNOWN:
        x.assign(node, target, x.lower(node.child_by_field_name("value")), "declare", type_)


def _case(x: Extraction, node: Node, capture: str) -> None:
    if x.scope >= 0:
        owner: Expr = ("n", x.definitions[x.scope].name)
        for name in node.children_by_field_name("name"):
            x.assign(name, ("n", plain(x, name)), UNKNOWN, "declare", owner)


def _assign(x: Extraction, node: Node, capture: str) -> None:
    operator = node.child_by_field_name("operator")
    kind = "=" if operator is None or operator.type == "=" else "+="
    target, value = x.lower(node.child_by_field_name("target")), x.lower(node.child_by_field_name("result"))
    x.assign(node, target, value, kind)


def _bound(x: Extraction, node: Node, capture: str) -> None:
    """`if let a = b`, `guard let a = b`: also `if let a`, which narrows `a` alone."""
    name: Node | None = None
    for number, part in enumerate(node.children):
        field = node.field_name_for_child(number)
        if field == "bound_identifier":
            name = part
        elif name is not None and field == "condition" and part.is_named:
            x.assign(name, ("n", plain(x, name)), x.lower(part), "declare")
            name = None


def _for(x: Extraction, node: Node, capture: str) -> None:
    target = pattern(x, node.child_by_field_name("item"))
    if target != UNKNOWN:
        x.assign(node, target, ("i", x.lower(node.child_by_field_name("collection"))), "for")


def _catch(x: Extraction, node: Node, capture: str) -> None:
    held = node.child_by_field_name("error")
    type_ = child(held, *TYPES)
    target = pattern(x, held)
    value: Expr = ("t", x.lower(type_), UNKNOWN) if type_ is not None else UNKNOWN
    x.assign(node, target if target != UNKNOWN else ("n", "error"), value, "except")


def _control(x: Extraction, node: Node, capture: str) -> None:
    word = x.text(node)[:6]
    if word == "return":
        x.leave(node, x.lower(node.child_by_field_name("result")))
    elif word.startswith("throw"):
        x.leave(node, x.lower(named_part(node, -1)), "throw")


def _only(x: Extraction, node: Node, capture: str) -> None:
    """The one expression of a body is what it gives."""
    value = UNKNOWN if node.type in ("control_transfer_statement", "property_declaration") else x.lower(node)
    if value != UNKNOWN:
        x.leave(node, value)


def _import(x: Extraction, node: Node, capture: str) -> None:
    path = child(node, "identifier")
    if path is not None:
        x.import_(node, "".join(x.text(path).split()), "*")


def _file_facts(x: Extraction, root: Node) -> None:
    """What extensions let their type conform to."""
    for node in root.named_children:
        extended = extended_type(x, node) if node.type == "class_declaration" else None
        if extended is not None:
            for base in bases(x, node, "struct"):
                x.extras.setdefault("impls", []).append([extended[0], base.type, base.line, -1])


SPECS = {
    "swift": LanguageSpec(
        name="swift",
        grammar="swift",
        queries=("swift/query.scm",),
        expressions=EXPRESSIONS,
        assigned={"property_declaration": ("name", "value"), "assignment": ("target", "result")},
        hooks={
            "call": _call,
            "assignment": _declare,
            "assignment.case": _case,
            "assignment.expression": _assign,
            "assignment.bound": _bound,
            "assignment.for": _for,
            "assignment.catch": _catch,
            "return.control": _control,
            "return.only": _only,
            "import": _import,
        },
        return_type_field="",
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        documentation_marks=("///", "/**"),
        annotations=frozenset({"attribute"}),
        header_scope="inner",
        file_facts=_file_facts,
    )
}
