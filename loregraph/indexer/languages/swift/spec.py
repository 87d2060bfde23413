"""Swift's row: how its syntax becomes facts."""

from __future__ import annotations

from tree_sitter import Node

from loregraph.indexer.facts import ELEMENT, NAME, TYPED, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, by_sign, enumerates, leaves, unless
from loregraph.indexer.languages.lowering import child, named_part, plain
from loregraph.indexer.languages.rows import at, having
from loregraph.indexer.languages.spec import LanguageSpec
from loregraph.indexer.languages.swift.definitions import (
    annotated_type,
    bases,
    extended_type,
    read_docstring,
    read_header,
    read_parameters,
)
from loregraph.indexer.languages.swift.expressions import COMMENTS, EXPRESSIONS, TYPES, arguments, pattern, subscript_of


def _call(x: Extraction, node: Node, capture: str) -> None:
    if subscript_of(x, node) is None:
        x.record_call(node, x.lower(named_part(node)), arguments(x, named_part(node, -1)))


def _declare(x: Extraction, node: Node, capture: str) -> None:
    body = node.parent
    if body is not None and body.parent is not None and extended_type(x, body.parent) is not None:
        return  # a computed property of an extension is nobody's field
    target = pattern(x, node.child_by_field_name("name"))
    if target != UNKNOWN:
        x.assign(node, target, x.lower(node.child_by_field_name("value")), "declare", annotated_type(x, node))


def _bound(x: Extraction, node: Node, capture: str) -> None:
    """`if let a = b`, `guard let a = b`: also `if let a`, which narrows `a` alone."""
    name: Node | None = None
    for number, part in enumerate(node.children):
        field = node.field_name_for_child(number)
        if field == "bound_identifier":
            name = part
        elif name is not None and field == "condition" and part.is_named:
            x.assign(name, (NAME, plain(x, name)), x.lower(part), "declare")
            name = None


_error = at("error", pattern)


def _caught(x: Extraction, node: Node) -> Expr:
    target = _error(x, node)
    return target if target != UNKNOWN else (NAME, "error")


def _control(x: Extraction, node: Node, capture: str) -> None:
    word = x.text(node)[:6]
    if word == "return":
        x.leave(node, x.lower(node.child_by_field_name("result")))
    elif word.startswith("throw"):
        x.leave(node, x.lower(named_part(node, -1)), "throw")


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
        called_name={"call_expression": "0", "navigation_expression": "suffix", "navigation_suffix": "suffix"},
        assigned={"property_declaration": ("name", "value"), "assignment": ("target", "result")},
        hooks={
            "call": _call,
            "assignment": _declare,
            "assignment.case": enumerates((NAME, "`"), each="name"),
            "assignment.expression": binds(by_sign(), "@target", "@result"),
            "assignment.bound": _bound,
            "assignment.for": binds("for", at("item", pattern), (ELEMENT, "@collection"), ignoring=[UNKNOWN]),
            "assignment.catch": binds("except", _caught, having(f"error/{TYPES}", (TYPED, f"@error/{TYPES}", UNKNOWN))),
            "return.control": _control,
            # The one expression of a body is what it gives.
            "return.only": unless("control_transfer_statement property_declaration", leaves("@.", known=True)),
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
