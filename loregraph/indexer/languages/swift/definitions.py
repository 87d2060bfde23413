"""Swift's definitions. What stands in an extension belongs to the type it extends, as methods outside a type do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import Base, Expr, Parameter
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import documented, signature
from loregraph.indexer.languages.lowering import child, parts, plain
from loregraph.indexer.languages.swift.expressions import TYPES
from loregraph.indexer.languages.swift.language import TESTS

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {"class": "class", "actor": "class", "struct": "struct", "enum": "enum"}
_BODIES = frozenset({"class_body", "enum_class_body", "protocol_body"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header(flags=("expression",))
    if kind == "getter":
        return _getter(x, node)
    if node.type == "class_declaration":
        word = node.child_by_field_name("declaration_kind")
        kind = _KINDS.get(x.text(word) if word is not None else "", "")
        if not kind:
            return None
    name = plain(x, node.child_by_field_name("name"))
    if node.type == "deinit_declaration":
        name = "deinit"
    if not name:
        return None
    words = _words(x, node)
    header = Header(
        name=name, kind=kind, signature=_signature(x, node), flags=("private",) if _hidden(words) else ("exported",)
    )
    _attributes(x, node, header)
    if kind in ("class", "struct", "enum", "protocol"):
        header.bases = tuple(bases(x, node, kind))
    else:
        _function(x, node, header, words)
    header.type_parameters = tuple(
        plain(x, child(p, "type_identifier"))
        for p in parts(child(node, "type_parameters"))
        if p.type == "type_parameter"
    )
    return header


def _hidden(words: set[str]) -> bool:
    return bool(words & {"private", "fileprivate"})


def _function(x: Extraction, node: Node, header: Header, words: set[str]) -> None:
    body = node.parent
    holder = body.parent if body is not None and body.type in _BODIES else None
    if holder is not None and header.kind == "function":
        header.kind = "method"
    flags = [word for word in ("static",) if words & {"static", "class"}]
    if any(c.type == "async" for c in node.children):
        flags.append("async")
    if node.type == "protocol_function_declaration" and child(node, "function_body") is None:
        flags += ["declaration", "abstract"]
    extended = extended_type(x, holder) if holder is not None else None
    if extended is not None:
        header.owner, header.owner_name = extended
        flags.append("extension")
    above = [c.text for c in parts(holder) if c.type == "inheritance_specifier"] if holder is not None else []
    if TESTS.marked(header.decorator_names) or (header.name.startswith(TESTS.prefixes) and b"XCTestCase" in above):
        flags.append("test")
    header.flags += tuple(flags)
    if node.type in ("function_declaration", "protocol_function_declaration"):
        found = [c for c in node.named_children if c.type in TYPES]
        header.returns = x.lower(found[-1]) if found else None


def extended_type(x: Extraction, node: Node) -> tuple[Expr, str] | None:
    """The type that an extension extends, as an expression and as text; None for any other declaration."""
    word = node.child_by_field_name("declaration_kind")
    type_ = node.child_by_field_name("name")
    if word is None or x.text(word) != "extension" or type_ is None:
        return None
    expr = x.lower(type_)
    return (expr[1] if expr[0] == "s" else expr), x.text(type_).partition("<")[0]


def _getter(x: Extraction, node: Node) -> Header | None:
    owner = node.parent
    name = owner.child_by_field_name("name") if owner is not None else None
    if owner is None or name is None:
        return None
    header = Header(name=f"<get-{plain(x, name)}>", signature=x.folded(owner, 200).partition("{")[0].strip())
    type_ = child(child(owner, "type_annotation"), *TYPES)
    header.returns = x.lower(type_) if type_ is not None else None
    holder = owner.parent.parent if owner.parent is not None and owner.parent.type in _BODIES else None
    extended = extended_type(x, holder) if holder is not None else None
    if extended is not None:
        header.owner, header.owner_name = extended
    header.flags = ("private",) if _hidden(_words(x, owner)) else ("exported",)
    return header


def bases(x: Extraction, node: Node, kind: str) -> list[Base]:
    """The first type of a class may be a class, all others are protocols; resolution knows better where it knows."""
    found: list[Base] = []
    for specifier in node.named_children:
        type_ = specifier.child_by_field_name("inherits_from") if specifier.type == "inheritance_specifier" else None
        if type_ is not None:
            extends = kind == "protocol" or (kind == "class" and not found)
            found.append(Base(x.lower(type_), "EXTENDS" if extends else "IMPLEMENTS", type_.start_point[0] + 1))
    return found


def _words(x: Extraction, node: Node) -> set[str]:
    listed = child(node, "modifiers")
    return {x.text(c) for c in listed.named_children if c.type.endswith("_modifier")} if listed is not None else set()


def _attributes(x: Extraction, node: Node, header: Header) -> None:
    for attribute in parts(child(node, "modifiers")):
        type_ = child(attribute, "user_type") if attribute.type == "attribute" else None
        if type_ is not None:
            header.decorators += (x.lower(type_),)
            header.decorator_names += (x.folded(attribute, 120).lstrip("@"),)


_signature = signature(without="attribute", modifiers="modifiers", signs="{")
"""The head of a definition without its attributes: they are `decorators`."""


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    if node.type == "lambda_literal":
        listed = child(child(node, "lambda_function_type"), "lambda_function_type_parameters")
        if listed is None:
            return (Parameter("$0"), Parameter("$1"))
        return tuple(_parameter(x, c) for c in parts(listed) if c.type == "lambda_parameter")
    found: list[Parameter] = []
    for number, part in enumerate(node.children):
        if part.type == "parameter":
            found.append(_parameter(x, part))
        elif node.field_name_for_child(number) == "default_value" and found:
            one = found[-1]
            found[-1] = Parameter(one.name, one.type, x.lower(part), one.kind)
    return tuple(found)


def _parameter(x: Extraction, node: Node) -> Parameter:
    names = [c for c in node.named_children if c.type == "simple_identifier"]
    type_ = child(node, *TYPES)
    rest = any(c.type == "..." for c in node.children) or (
        node.next_sibling is not None and node.next_sibling.type == "..."
    )
    return Parameter(
        plain(x, names[-1] if names else None), x.lower(type_) if type_ is not None else None, None, "*" if rest else ""
    )


read_docstring = documented("lambda_literal computed_property")
