"""Names as C and C++ write them: `a::b<T>::f`, `operator bool`, `~Foo`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.c.declarators import declared, first

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction


def name_path(x: Extraction, node: Node) -> tuple[str, ...]:
    """`a::b<T>::f` as `("a", "b", "f")`."""
    parts: list[str] = []
    current: Node | None = node
    while current is not None and current.type == "qualified_identifier":
        scope = current.child_by_field_name("scope")
        if scope is not None:
            parts.append(plain_name(x, scope))
        current = current.child_by_field_name("name")
    parts.append(plain_name(x, current) if current is not None else "")
    return tuple(parts)


_WORDS: Final = frozenset({"identifier", "field_identifier", "type_identifier", "namespace_identifier"})
_SPACE = re.compile(r"\s+")
_TIGHT = re.compile(r"\s+(?=\W)|(?<=\W)\s+")


def plain_name(x: Extraction, node: Node) -> str:
    """A name without template arguments: `operator+`, `operator bool`, `operator new[]`, `~Foo`, `Foo`."""
    if node.type in _WORDS:
        return x.text(node)
    while node.type in ("template_type", "template_function", "template_method", "dependent_name", "dependent_type"):
        named = node.child_by_field_name("name") or first(node)
        if named is None:
            break
        node = named
    if node.type == "operator_cast":
        type_node = node.child_by_field_name("type")
        text = x.folded(type_node, 80) if type_node is not None else ""
        shape = node.child_by_field_name("declarator")
        while shape is not None and shape.type.startswith("abstract_") and shape.type != "abstract_function_declarator":
            text += "&" if "reference" in shape.type else "*"
            shape = shape.child_by_field_name("declarator") or first(shape)
        return f"operator {text}"
    return _TIGHT.sub("", _SPACE.sub(" ", x.text(node).strip()))


_NAMESPACE = re.compile(rb"\bnamespace\s++(?:inline\s++)?([A-Za-z_][\w:\s]{0,400}+)[{;=]")


def namespaces(x: Extraction) -> frozenset[str]:
    """Names that this file uses as namespaces."""
    known: frozenset[str] | None = x.memo.get("namespaces")
    if known is None:
        names = (part for m in _NAMESPACE.finditer(x.source) for part in m[1].decode("utf-8", "replace").split("::"))
        known = x.memo["namespaces"] = frozenset(name.strip() for name in names)
    return known


def template_parameters(x: Extraction, node: Node) -> tuple[str, ...]:
    """Names of the parameters of the template that `node` is the body of."""
    around = node.parent
    if around is None or around.type != "template_declaration":
        return ()
    listed = around.child_by_field_name("parameters")
    found = []
    for child in listed.named_children if listed is not None else ():
        named = child.child_by_field_name("name") or declared(child.child_by_field_name("declarator")).name
        if named is None and child.named_child_count:
            last = child.named_children[-1]
            named = last if last.type == "type_identifier" else None
        if named is not None:
            found.append(x.text(named))
    return tuple(found)
