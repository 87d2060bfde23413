"""PHP's definitions: their heads, parameters and what their comments say of types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import NAME, RECEIVER, Base, Expr, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import bases, decorators, signature
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.php.expressions import declared_type, documented_type
from loregraph.indexer.languages.php.language import TESTS
from loregraph.indexer.languages.registry import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"class", "interface", "trait", "enum"})
_RETURN = re.compile(r"@return\s++([^\s<]++(?:<[^>]{0,500}+>)?\S*+)")
_PARAM = re.compile(r"@param\s++([^\s$<]++(?:<[^>]{0,500}+>)?[^\s$]*+)\s++(?:\.\.\.)?(\$\w+)")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header(flags=("static",) if any(c.type == "static_modifier" for c in node.children) else ())
    if node.type == "anonymous_class":
        return Header(bases=_bases(x, node), outer=node.parent, signature=_signature(x, node))
    name_node = node.child_by_field_name("name")
    name = x.text(name_node) if name_node is not None else ""
    if not name:
        return None
    header = Header(name=name, signature=_signature(x, node))
    header.decorators, header.decorator_names = _attributes(x, node)
    header.flags = _flags(x, node, kind, header)
    if kind in _TYPES:
        header.bases = _bases(x, node)
    else:
        header.returns = _returns(x, node)
    return header


_signature = signature(without="attribute_list comment", signs="{;")
"""The head of a definition without its attributes: they are `decorators`."""
_attributes = decorators(":attribute_list/*/*", "@0", marks="")
_traits = bases(IMPLEMENTS="body/:use_declaration/:name,qualified_name")
_supertypes = bases(EXTENDS=":base_clause/*", IMPLEMENTS=":class_interface_clause/*")


def _bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    """Traits come first: their methods win over those of the class that is extended."""
    return (*_traits(x, node), *_supertypes(x, node))


_OWN = frozenset({"$this", "static", "$this|null", "static|null", "null|static", "?static"})
_VAGUE = frozenset({"array", "iterable", "mixed", "object", "Collection", "Traversable", "Iterator", "Generator"})


def _returns(x: Extraction, node: Node) -> Expr | None:
    """What a function gives: its comment may say more than its declared type does."""
    declared = node.child_by_field_name("return_type")
    text = x.text(declared) if declared is not None else ""
    if text in _OWN:
        return (RECEIVER,)
    if declared is not None and text.lstrip("?").rpartition("\\")[2] not in _VAGUE:
        return None
    found = _RETURN.search(comment_above(x, node))
    if found is None:
        return None
    return (RECEIVER,) if found[1] in _OWN else documented_type(found[1])


def _flags(x: Extraction, node: Node, kind: str, header: Header) -> tuple[str, ...]:
    words = {x.text(c) for c in node.children if c.type.endswith("_modifier")}
    flags: list[str] = [word for word in ("static", "abstract") if word in words]
    if kind == "method":
        flags.append("private" if "private" in words else "exported")
        around = node.parent.parent if node.parent is not None else None
        if node.child_by_field_name("body") is None:
            flags.append("declaration")
            if around is not None and around.type == "interface_declaration":
                flags.append("abstract")
        if _is_test(x, node, header, words):
            flags.append("test")
    else:
        flags.append("exported")
    return tuple(flags)


def _is_test(x: Extraction, node: Node, header: Header, words: set[str]) -> bool:
    if TESTS.marked(header.decorator_names):
        return True
    if "private" in words or "static" in words or not is_test_path(x.path, "php"):
        return False
    return header.name.startswith(TESTS.prefixes) or "@test" in comment_above(x, node).split()


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    documented: dict[str, str] | None = None
    found: list[Parameter] = []
    for child in parts(node.child_by_field_name("parameters")):
        name, default = child.child_by_field_name("name"), child.child_by_field_name("default_value")
        if name is None:
            continue
        text, type_ = x.text(name), declared_type(x, child)
        if is_vague(type_):
            if documented is None:
                documented = {n: t for t, n in _PARAM.findall(comment_above(x, node))}
            type_ = documented_type(documented[text]) if text in documented else type_
        kind = "*" if child.type == "variadic_parameter" else ""
        found.append(Parameter(text, type_, None if default is None else x.lower(default), kind))
    return tuple(found)


def is_vague(type_: Expr | None) -> bool:
    """Whether a comment may say more than a declared type does."""
    return type_ is None or type_ == (NAME, "array")
