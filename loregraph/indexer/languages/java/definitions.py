"""Java's definitions: their heads, parameters and documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import Base, Expr, Parameter
from loregraph.indexer.languages.extraction import MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.generics import bounded
from loregraph.indexer.languages.heads import signature
from loregraph.indexer.languages.java.expressions import COMMENTS, declared_type
from loregraph.indexer.languages.java.language import TESTS
from loregraph.indexer.languages.lowering import inner, named_part
from loregraph.indexer.languages.registry import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node


_MODIFIER_FLAGS = frozenset({"static", "abstract"})


_IMPLICITLY_PUBLIC = frozenset({"interface_body", "annotation_type_body"})


_ANNOTATIONS = frozenset({"marker_annotation", "annotation"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header()
    if node.type == "class_body":
        return _anonymous_class(x, node)
    name_node = node.child_by_field_name("name")
    name = x.text(name_node) if name_node else ""
    if not name:
        return None
    header = Header(name=name)
    modifiers = _modifiers(node)
    words = _annotations(x, modifiers, header)
    flags = [word for word in words if word in _MODIFIER_FLAGS]
    around = node.parent.type if node.parent else ""
    if "public" in words or "protected" in words or (around in _IMPLICITLY_PUBLIC and "private" not in words):
        flags.append("exported")
    elif "private" in words:
        flags.append("private")
    if kind in ("method", "constructor"):
        if node.child_by_field_name("body") is None and "native" not in words:
            flags.append("declaration")
            if around == "interface_body":
                flags.append("abstract")
        if kind == "method" and _is_test(x, name, header, words):
            flags.append("test")
    elif kind == "object":
        owner = _name_around(x, node)
        header.bases = (Base(("n", owner), "EXTENDS", node.start_point[0] + 1),) if owner else ()
        header.signature = x.folded(node).partition("{")[0].strip()
        flags.append("static")
    else:
        header.bases = _bases(x, node)
        if around != "program" and (around in _IMPLICITLY_PUBLIC or kind != "class"):
            # A type in an interface, and every enum, record and interface in a type, has no outer instance.
            flags.append("static")
    header.type_parameters = _type_parameters(x, node)
    if kind == "method" and header.type_parameters:
        returned = node.child_by_field_name("type")
        header.returns = bounded(x.lower(returned), _bounds(x, node)) if returned is not None else None
    header.flags = tuple(dict.fromkeys(flags))
    if header.decorators and header.signature is None:
        header.signature = _signature(x, node)
    return header


def _anonymous_class(x: Extraction, node: Node) -> Header:
    made = node.parent
    header = Header(outer=made)
    type_ = made.child_by_field_name("type") if made else None
    if made is not None and type_ is not None:
        header.bases = (Base(x.lower(type_), "EXTENDS", type_.start_point[0] + 1),)
        text = x.source[made.start_byte : min(node.start_byte, made.start_byte + 4 * MAX_SIGNATURE)]
        header.signature = " ".join(text.decode("utf-8", "ignore").split())[:MAX_SIGNATURE]
    return header


def _modifiers(node: Node) -> Node | None:
    first = named_part(node)
    return first if first is not None and first.type == "modifiers" else None


def _annotations(x: Extraction, modifiers: Node | None, header: Header) -> list[str]:
    """Puts the annotations into `header` and answers with the modifier words, in their order."""
    words: list[str] = []
    for child in modifiers.children if modifiers else ():
        if child.type in _ANNOTATIONS:
            name = child.child_by_field_name("name")
            if name is not None:
                header.decorators += (x.lower(name),)
                header.decorator_names += (x.folded(child, 120)[1:],)
        else:
            words.append(child.type)
    return words


def _is_test(x: Extraction, name: str, header: Header, words: list[str]) -> bool:
    if TESTS.marked(header.decorator_names):
        return True
    # JUnit 3 goes by the name.
    return (
        name.startswith(TESTS.prefixes) and "public" in words and "static" not in words and is_test_path(x.path, "java")
    )


_signature = signature(
    without="annotation marker_annotation line_comment block_comment", modifiers="modifiers", signs=";"
)
"""The head of a definition without its annotations: they are `decorators`."""


def _bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    found: list[Base] = []
    for child in node.named_children:
        if child.type == "superclass":
            found.append(Base(inner(x, child), "EXTENDS", child.start_point[0] + 1))
        elif child.type in ("super_interfaces", "extends_interfaces"):
            relation = "IMPLEMENTS" if child.type == "super_interfaces" else "EXTENDS"
            for listed in child.named_children:
                found += [
                    Base(x.lower(type_), relation, type_.start_point[0] + 1)
                    for type_ in listed.named_children
                    if type_.type not in COMMENTS
                ]
    return tuple(found)


def _type_parameters(x: Extraction, node: Node) -> tuple[str, ...]:
    listed = node.child_by_field_name("type_parameters")
    if listed is None:
        return ()
    found = []
    for parameter in listed.named_children:
        name = next((c for c in parameter.named_children if c.type in ("type_identifier", "identifier")), None)
        if name is not None:
            found.append(x.text(name))
    return tuple(found)


def _bounds(x: Extraction, node: Node) -> dict[str, Expr]:
    """The bounds of the type parameters that a method declares."""
    listed = node.child_by_field_name("type_parameters")
    found = (bound_of(x, parameter) for parameter in listed.named_children) if listed else ()
    return {bound[0]: bound[1] for bound in found if bound is not None}


def bound_of(x: Extraction, parameter: Node) -> tuple[str, Expr] | None:
    """`T extends Foo & Bar`: the name and one of the types."""
    name = next((c for c in parameter.named_children if c.type in ("type_identifier", "identifier")), None)
    bound = named_part(parameter, -1)
    if name is None or bound is None or bound.type != "type_bound":
        return None
    types = tuple(x.lower(c) for c in bound.named_children if c.type not in COMMENTS)
    return x.text(name), types[0] if len(types) == 1 else ("u", types)


def _name_around(x: Extraction, node: Node) -> str:
    """Name of the enum that an enum constant stands in."""
    body = node.parent
    enum = body.parent if body else None
    name = enum.child_by_field_name("name") if enum else None
    return x.text(name) if name else ""


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    listed = node.child_by_field_name("parameters")
    if listed is None:
        if node.type != "compact_constructor_declaration" or node.parent is None or node.parent.parent is None:
            return ()
        listed = node.parent.parent.child_by_field_name("parameters")
        if listed is None:
            return ()
    if listed.type == "identifier":
        return (Parameter(x.text(listed)),)
    found: list[Parameter] = []
    bounds = _bounds(x, node)
    for child in listed.named_children:
        if child.type == "identifier":
            found.append(Parameter(x.text(child)))
        elif child.type == "formal_parameter":
            name = child.child_by_field_name("name")
            type_ = declared_type(x, child.child_by_field_name("type"), child.child_by_field_name("dimensions"))
            found.append(Parameter(x.text(name) if name else "", bounded(type_, bounds) if type_ else None))
        elif child.type == "spread_parameter":
            type_node, name = spread_parts(child)
            found.append(Parameter(x.text(name) if name else "", declared_type(x, type_node), None, "*"))
    return tuple(found)


def spread_parts(node: Node) -> tuple[Node | None, Node | None]:
    """Type and name of `Type... name`, whose grammar names neither."""
    parts = [c for c in node.named_children if c.type != "modifiers" and c.type not in COMMENTS]
    declarator = parts[-1] if len(parts) > 1 else None
    return (parts[0] if parts else None, declarator.child_by_field_name("name") if declarator else None)
