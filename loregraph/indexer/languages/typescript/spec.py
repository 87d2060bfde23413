"""TypeScript's and TSX's rows: JavaScript's, with types."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, DEFINED, MAPPING, NAME, RECEIVER, SUBSCRIPT, TYPED, UNKNOWN
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds
from loregraph.indexer.languages.javascript.function_names import property_name
from loregraph.indexer.languages.javascript.spec import HOOKS, finish
from loregraph.indexer.languages.javascript.spec import SPECS as JAVASCRIPT
from loregraph.indexer.languages.spec import Hook
from loregraph.indexer.languages.typescript.definitions import header, parameters
from loregraph.indexer.languages.typescript.types import TYPESCRIPT_EXPRESSIONS

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_TYPE_NODES: Final = 200
"""Nodes of one type that are looked at for names."""


def _enum_member(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name") if node.type == "enum_assignment" else node
    text = property_name(x, name)
    if text:
        x.assign(node, (NAME, text), x.lower(node.child_by_field_name("value")))


def _parameter_property(x: Extraction, node: Node, capture: str) -> None:
    """`constructor(private x: Foo)`: a field of the class, and its value."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None or pattern.type != "identifier":
        return
    name, type_ = x.text(pattern), node.child_by_field_name("type")
    declared = x.lower(type_) if type_ is not None else None
    x.assign(node, (ATTRIBUTE, (RECEIVER,), name), (NAME, name), "=", declared)
    constructor = x.definitions[x.scope] if x.scope >= 0 else None
    if constructor is not None and constructor.parent >= 0:
        x.scope, x.block = constructor.parent, -1
        x.assign(node, (NAME, name), UNKNOWN, "declare", declared)


def _alias(x: Extraction, node: Node, capture: str) -> None:
    if x.definition_at(node)[0] == DEFINED:
        return
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is not None:
        aliased = x.lower(value)
        if aliased[0] in (SUBSCRIPT, MAPPING, TYPED):  # no expression that has a value
            aliased = (TYPED, aliased, UNKNOWN)
        x.assign(node, (NAME, x.text(name)), aliased, "declare")


def _types(x: Extraction, node: Node, capture: str) -> None:
    """The names in a type that is not lowered whole."""
    if node.start_byte < x.memo.get("types_until", 0):
        return
    x.memo["types_until"] = node.end_byte
    names: dict[str, Node] = {}
    stack = [node]
    for _ in range(_MAX_TYPE_NODES):
        if not stack:
            break
        part = stack.pop()
        if part.type == "type_identifier":
            names.setdefault(x.text(part), part)
        else:
            stack.extend(reversed(part.named_children))
    for name, part in names.items():
        x.refer(part, (NAME, name), "type")


_HOOKS: Final[dict[str, Hook]] = {
    **HOOKS,
    "assignment.enum": _enum_member,
    "assignment.parameter": _parameter_property,
    "assignment.alias": _alias,
    "assignment.import": binds("declare", (NAME, "$0"), "@1", needs="1"),  # `import x = A.B`
    "reference.type": _types,
}

_TYPESCRIPT: Final = replace(
    JAVASCRIPT["javascript"],
    name="typescript",
    grammar="typescript",
    queries=("javascript/query.scm", "typescript/query.scm"),
    expressions=TYPESCRIPT_EXPRESSIONS,
    called_name={**JAVASCRIPT["javascript"].called_name, "non_null_expression": "0"},
    hooks=_HOOKS,
    header=header,
    parameters=parameters,
    finish=finish,
)
SPECS: Final = {
    "typescript": _TYPESCRIPT,
    "tsx": replace(
        _TYPESCRIPT,
        name="tsx",
        grammar="tsx",
        queries=("javascript/query.scm", "javascript/jsx.scm", "typescript/query.scm"),
    ),
}
