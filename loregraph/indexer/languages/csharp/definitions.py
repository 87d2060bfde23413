"""C#'s definitions: their heads, parameters and documentation.

A property is a field with a declared type; code in its accessors runs in functions named `<get-Total>`, `<set-Total>`.
A namespace is the file's package, as in Java, and no part of the ids in it.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from loregraph.indexer.facts import Base, Expr, Parameter
from loregraph.indexer.languages.csharp.expressions import declared_type, own_name
from loregraph.indexer.languages.csharp.language import TESTS
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import (
    ParameterRow,
    base,
    decorators,
    documented,
    parameters,
    signature,
    texts,
)
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import named_part, parts, plain
from loregraph.indexer.languages.selectors import many

_TYPES = frozenset({"class", "record", "struct", "interface", "enum"})
_INSIDE = frozenset({"class_declaration", "record_declaration", "struct_declaration"})
_INTERFACE_NAME = re.compile(r"I[A-Z]")
_REFERENCE_TAG = re.compile(r"<\w+\s+(?:cref|name|langword|href)=\"(?:[A-Z]:)?([^\"]*)\"\s*/>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header(flags=("async",) if "async" in _words(x, node) else ())
    if kind == "getter":
        return _accessor(x, node)
    name = _name(x, node)
    if not name:
        return None
    words = _words(x, node)
    header = Header(name=name, flags=_flags(x, node, kind, words))
    header.decorators, header.decorator_names = _attributes(x, node)
    if kind in _TYPES:
        header.bases = _bases(x, node, kind)
    elif kind == "method" and TESTS.marked(header.decorator_names):
        header.flags += ("test",)
    if kind not in _TYPES:
        header.returns = _returned(x, node)
    header.type_parameters = _type_parameters(x, node)
    header.signature = _signature(x, node)
    return header


def _name(x: Extraction, node: Node) -> str:
    if node.type == "operator_declaration":
        operator = node.child_by_field_name("operator")
        return f"operator {x.text(operator)}" if operator is not None else ""
    if node.type == "conversion_operator_declaration":
        to = node.child_by_field_name("type")
        return f"operator {x.folded(to, 80)}" if to is not None else ""
    name = own_name(x, node)
    return f"~{name}" if node.type == "destructor_declaration" and name else name


def _accessor(x: Extraction, node: Node) -> Header | None:
    """`get`, `set`, `add` … of a property, named after it."""
    word = "get"
    around = node.parent
    if node.type == "accessor_declaration":
        name = node.child_by_field_name("name")
        word = x.text(name) if name is not None else "get"
        around = around.parent if around is not None else None
    if around is None:
        return None
    owner = own_name(x, around) or "this"
    words = _words(x, around)
    return Header(
        name=f"<{word}-{owner}>",
        kind="getter" if word == "get" else "setter",
        flags=_flags(x, around, "getter", words),
        returns=declared_type(x, around) if word == "get" else None,
        signature=_signature(x, around),
    )


def _flags(x: Extraction, node: Node, kind: str, words: tuple[str, ...]) -> tuple[str, ...]:
    around = node.parent.parent if node.parent is not None else None
    holder = (
        around.type if around is not None and node.parent is not None and node.parent.type == "declaration_list" else ""
    )
    flags: list[str] = [word for word in ("static", "abstract", "async", "partial") if word in words]
    if "public" in words or "protected" in words or (holder == "interface_declaration" and "private" not in words):
        flags.append("exported")
    elif "private" in words or (holder in _INSIDE and "internal" not in words):
        flags.append("private")
    if kind in _TYPES or node.type == "delegate_declaration":
        if node.type == "delegate_declaration":
            flags.append("declaration")
        return tuple(flags)
    bodiless = node.child_by_field_name("body") is None and kind != "getter" and "extern" not in words
    if bodiless:
        flags.append("declaration")
        if holder == "interface_declaration" and "abstract" not in flags:
            flags.append("abstract")
    listed = node.child_by_field_name("parameters")
    first = parts(listed)[0] if listed is not None and parts(listed) else None
    if first is not None and "this" in _words(x, first):
        flags.append("extension")
    if node.type == "operator_declaration" and "static" not in flags:
        flags.append("static")
    return tuple(flags)


_words = texts(":modifier")
_type_parameters = texts(":type_parameter_list/:type_parameter/name", plain)
_returned = written("@returns|type", but="implicit_type")
_attributes = decorators(":attribute_list/:attribute", marks="")
_signature = signature(without="attribute_list comment", ends="body|accessors|value")
"""The head of a definition without its attributes: they are `decorators`."""
_supertypes = many(":base_list/^argument_list/?type")


def _bases(x: Extraction, node: Node, kind: str) -> tuple[Base, ...]:
    found: list[Base] = []
    for type_ in _supertypes(x, node) if kind != "enum" else ():
        text = x.text(type_).rpartition(".")[2]
        contract = kind == "struct" or (kind != "interface" and _INTERFACE_NAME.match(text) is not None)
        found.append(base(x, type_, "IMPLEMENTS" if contract else "EXTENDS"))
    return tuple(found)


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    holder = node
    if node.type in ("accessor_declaration", "arrow_expression_clause"):
        owner = node.parent.parent if node.type == "accessor_declaration" and node.parent is not None else node.parent
        if owner is None:
            return ()
        holder = owner
    listed = holder.child_by_field_name("parameters")
    found = list(_parameters(x, listed)) if listed is not None else []
    if node.type == "accessor_declaration" and not node.children[0].type.startswith("get"):
        word = node.child_by_field_name("name")
        if word is not None and x.text(word) != "get":
            found.append(Parameter("value", declared_type(x, holder)))
    return tuple(found)


def _parameters(x: Extraction, listed: Node) -> list[Parameter]:
    if listed.type in ("identifier", "implicit_parameter"):
        return [Parameter(x.text(listed))]
    found = list(_listed(x, listed))
    rest = listed.child_by_field_name("name")
    if rest is not None:  # `params T[] rest` has no node of its own in this grammar
        found.append(Parameter(plain(x, rest), declared_type(x, listed), None, "*"))
    return found


def _default(x: Extraction, parameter: Node) -> Expr | None:
    name, last = parameter.child_by_field_name("name"), named_part(parameter, -1)
    return x.lower(last) if name is not None and last is not None and last.start_byte > name.start_byte else None


def _kind(x: Extraction, parameter: Node) -> str:
    words = _words(x, parameter)
    return "this" if "this" in words else "*" if "params" in words else ""


_listed = parameters(".", {"parameter": ParameterRow("`name", declared_type, _default, _kind)})
_comment = documented("arrow_expression_clause accessor_declaration")


def read_docstring(x: Extraction, node: Node) -> str:
    """The documentation comment, its XML tags taken off."""
    text = _comment(x, node)
    if "<" not in text:
        return text
    text = _TAG.sub("", _REFERENCE_TAG.sub(r"\1", text))
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
