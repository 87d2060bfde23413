"""C's declarations, assignments, includes and macros as facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, NAME, SEQUENCE, SUBSCRIPT, UNKNOWN, Expr
from loregraph.indexer.languages.c.declarators import declared, declared_type
from loregraph.indexer.languages.lowering import members

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction


def declaration(x: Extraction, node: Node, capture: str) -> None:
    """Each variable or field that a declaration declares; prototypes are definitions, not variables."""
    type_node = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        shape = declared(declarator)
        if shape.name is None or shape.function is not None:
            continue
        value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        type_ = declared_type(x, type_node, shape)
        x.assign(declarator, (NAME, x.text(shape.name)), x.lower(value), "declare", type_)


def assignment(x: Extraction, node: Node, capture: str) -> None:
    target = x.lower(node.child_by_field_name("left"))
    if target[0] in (NAME, ATTRIBUTE, SUBSCRIPT, SEQUENCE):
        x.assign(node, target, x.lower(node.child_by_field_name("right")))


def typedef(x: Extraction, node: Node, capture: str) -> None:
    """`typedef struct foo Foo;` lets Foo be foo. An anonymous type takes the first name for its own."""
    type_node = node.child_by_field_name("type")
    if type_node is None:
        return
    declarators = node.children_by_field_name("declarator")
    anonymous = type_node.type.endswith("_specifier") and (
        type_node.child_by_field_name("name") is None and type_node.child_by_field_name("body") is not None
    )
    value = x.lower(type_node)
    if anonymous and declarators:
        first = declared(declarators[0]).name
        value = (NAME, x.text(first)) if first is not None else UNKNOWN
        declarators = declarators[1:]
    for declarator in declarators:
        shape = declared(declarator)
        if shape.name is None:
            continue
        target: Expr = (NAME, x.text(shape.name))
        alias = UNKNOWN if shape.callback or shape.function is not None else value
        if target != alias:
            x.assign(declarator, target, alias)


# Macros

_WORD = re.compile(r"[A-Za-z_]\w*")
_MACRO_CALL = re.compile(r"(?<![\w.>:#])([A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)*)\s*\(")
_SEPARATOR = re.compile(r"\.|->|::")
_NOT_CALLED: Final = frozenset(
    (
        "if for while switch return sizeof defined do else case typeof __typeof__ __attribute__ __extension__ __asm__ "
        "asm catch alignof _Alignof decltype void int static_assert _Static_assert noexcept not and or"
    ).split()
)


def alias_macro(x: Extraction, node: Node, capture: str) -> None:
    """`#define foo bar` lets foo be bar."""
    named, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if named is None or value is None:
        return
    text = x.text(value).strip()
    if _WORD.fullmatch(text):
        x.assign(node, (NAME, x.text(named)), (NAME, text))


def expansion(x: Extraction, node: Node, capture: str) -> None:
    """The calls in the text that a macro expands to; its parameters are not called by it but by whom they come from."""
    definition = x.definitions[x.scope] if x.scope >= 0 else None
    if definition is None or definition.kind != "macro":
        return
    given = {p.name for p in definition.parameters}
    for match in _MACRO_CALL.finditer(x.text(node)):
        first, *rest = _SEPARATOR.split(match[1])
        if first in _NOT_CALLED or first == definition.name or (first in given and not rest):
            continue
        x.record_call(node, members([first, *rest]))
