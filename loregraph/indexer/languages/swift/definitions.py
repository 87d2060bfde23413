"""Swift's definitions. What stands in an extension belongs to the type it extends, as methods outside a type do."""

from __future__ import annotations

from tree_sitter import Node

from loregraph.indexer.facts import SUBSCRIPT, Base, Expr, Parameter
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import (
    ParameterRow,
    base,
    decorators,
    documented,
    modifiers,
    parameters,
    signature,
    texts,
)
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import child, parts, plain
from loregraph.indexer.languages.selectors import many
from loregraph.indexer.languages.swift.expressions import TYPES
from loregraph.indexer.languages.swift.language import TESTS

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
    words = modifiers(x, node)
    header = Header(name=name, kind=kind, signature=_signature(x, node), flags=_visibility(words))
    header.decorators, header.decorator_names = _attributes(x, node)
    if kind in ("class", "struct", "enum", "protocol"):
        header.bases = tuple(bases(x, node, kind))
    else:
        _function(x, node, header, words)
    header.type_parameters = _type_parameters(x, node)
    return header


def _visibility(words: set[str]) -> tuple[str, ...]:
    return ("private",) if words & {"private", "fileprivate"} else ("exported",)


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
        types = _types(x, node)
        header.returns = x.lower(types[-1]) if types else None


def extended_type(x: Extraction, node: Node) -> tuple[Expr, str] | None:
    """The type that an extension extends, as an expression and as text; None for any other declaration."""
    word = node.child_by_field_name("declaration_kind")
    type_ = node.child_by_field_name("name")
    if word is None or x.text(word) != "extension" or type_ is None:
        return None
    expr = x.lower(type_)
    return (expr[1] if expr[0] == SUBSCRIPT else expr), x.text(type_).partition("<")[0]


def _getter(x: Extraction, node: Node) -> Header | None:
    owner = node.parent
    name = owner.child_by_field_name("name") if owner is not None else None
    if owner is None or name is None:
        return None
    header = Header(name=f"<get-{plain(x, name)}>", signature=x.folded(owner, 200).partition("{")[0].strip())
    header.returns = annotated_type(x, owner)
    holder = owner.parent.parent if owner.parent is not None and owner.parent.type in _BODIES else None
    extended = extended_type(x, holder) if holder is not None else None
    if extended is not None:
        header.owner, header.owner_name = extended
    header.flags = _visibility(modifiers(x, owner))
    return header


_supertypes = many(":inheritance_specifier/inherits_from")


def bases(x: Extraction, node: Node, kind: str) -> list[Base]:
    """The first type of a class may be a class, all others are protocols; resolution knows better where it knows."""
    types = _supertypes(x, node)
    extending = len(types) if kind == "protocol" else 1 if kind == "class" else 0
    return [base(x, type_, "EXTENDS" if n < extending else "IMPLEMENTS") for n, type_ in enumerate(types)]


_types = many(TYPES)
annotated_type = written(f"@:type_annotation/{TYPES}")
_type_parameters = texts(":type_parameters/:type_parameter/:type_identifier", plain)
_attributes = decorators(":modifiers/:attribute", "@:user_type")
_signature = signature(without="attribute", modifiers="modifiers", signs="{")
"""The head of a definition without its attributes: they are `decorators`."""


def _rest(x: Extraction, parameter: Node) -> str:
    behind = parameter.next_sibling
    is_rest = any(c.type == "..." for c in parameter.children) or (behind is not None and behind.type == "...")
    return "*" if is_rest else ""


_ROW = ParameterRow("`name", f"@{TYPES}", kind=_rest)
_listed = parameters(".", {"parameter": _ROW}, behind=True)
_named = parameters(".", {"lambda_parameter": _ROW})


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    if node.type != "lambda_literal":
        return _listed(x, node)
    listed = child(child(node, "lambda_function_type"), "lambda_function_type_parameters")
    return (Parameter("$0"), Parameter("$1")) if listed is None else _named(x, listed)


read_docstring = documented("lambda_literal computed_property")
