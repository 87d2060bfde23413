"""Java's definitions: their heads, parameters and documentation."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from tree_sitter import Node

from loregraph.indexer.facts import UNION, UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages import heads
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.generics import bounded
from loregraph.indexer.languages.heads import ParameterRow, parameters
from loregraph.indexer.languages.java.expressions import COMPONENT, written_type
from loregraph.indexer.languages.java.language import TESTS
from loregraph.indexer.languages.lowering import around, inner, named_part
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.rows import each, text_of, together
from loregraph.indexer.languages.selectors import many

_MODIFIER_FLAGS = frozenset({"static", "abstract"})
_IMPLICITLY_PUBLIC = frozenset({"interface_body", "annotation_type_body"})
_ANNOTATIONS = frozenset({"marker_annotation", "annotation"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header()
    if node.type == "class_body":
        return _anonymous_class(x, node)
    name = _name(x, node)
    if not name:
        return None
    header = Header(name=name)
    modifiers = named_part(node)
    words: list[str] = []
    if modifiers is not None and modifiers.type == "modifiers":
        header.decorators, header.decorator_names = _annotations(x, modifiers)
        words = [c.type for c in modifiers.children if c.type not in _ANNOTATIONS]
    flags = [word for word in words if word in _MODIFIER_FLAGS]
    holder = node.parent.type if node.parent else ""
    if "public" in words or "protected" in words or (holder in _IMPLICITLY_PUBLIC and "private" not in words):
        flags.append("exported")
    elif "private" in words:
        flags.append("private")
    if kind in ("method", "constructor"):
        if node.child_by_field_name("body") is None and "native" not in words:
            flags.append("declaration")
            if holder == "interface_body":
                flags.append("abstract")
        if kind == "method" and _is_test(x, name, header, words):
            flags.append("test")
    elif kind == "object":
        enum = around(node, "enum_declaration")
        header.bases = heads.bases_of_constant(_name(x, enum), node) if enum is not None else ()
        header.signature = x.folded(node).partition("{")[0].strip()
        flags.append("static")
    else:
        header.bases = _bases(x, node)
        if holder != "program" and (holder in _IMPLICITLY_PUBLIC or kind != "class"):
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
        header.bases = (heads.base(x, type_, "EXTENDS"),)
        header.signature = heads.head_text(x, made.start_byte, node.start_byte, signs="")
    return header


_name = text_of("name")
_annotations = heads.decorators(":annotation,marker_annotation")
_type_parameters = heads.texts("type_parameters/*/:type_identifier,identifier")


def _is_test(x: Extraction, name: str, header: Header, words: list[str]) -> bool:
    if TESTS.marked(header.decorator_names):
        return True
    # JUnit 3 goes by the name.
    return (
        name.startswith(TESTS.prefixes) and "public" in words and "static" not in words and is_test_path(x.path, "java")
    )


_signature = heads.signature(
    without="annotation marker_annotation line_comment block_comment", modifiers="modifiers", signs=";"
)
"""The head of a definition without its annotations: they are `decorators`."""
_superclass = many(":superclass")
_interfaces = heads.bases(IMPLEMENTS=":super_interfaces/*/*", EXTENDS=":extends_interfaces/*/*")


def _bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    above = (Base(inner(x, held), "EXTENDS", held.start_point[0] + 1) for held in _superclass(x, node))
    return (*above, *_interfaces(x, node))


PARAMETER: Final = ":type_identifier,identifier"
BOUND: Final = together(UNION, "*:type_bound")
"""`T extends Foo & Bar`: one of the types."""
_bounds_of = each("type_parameters/*", (f"${PARAMETER}", BOUND))


def _bounds(x: Extraction, node: Node) -> dict[str, Expr]:
    """The bounds of the type parameters that a method declares."""
    return {name: bound for name, bound in _bounds_of(x, node) if bound != UNKNOWN}


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    listed = node.child_by_field_name("parameters")
    if node.type == "compact_constructor_declaration" and listed is None:
        record = around(node, "record_declaration")
        listed = record.child_by_field_name("parameters") if record is not None else None
    if listed is None:
        return ()
    if listed.type == "identifier":
        return (Parameter(x.text(listed)),)
    found, bounds = _listed(x, listed), _bounds(x, node)
    if not bounds:
        return found
    return tuple(replace(p, type=bounded(p.type, bounds)) if p.type and not p.kind else p for p in found)


_listed = parameters(
    ".",
    {
        "identifier": ParameterRow("$"),
        "formal_parameter": ParameterRow(type=written_type),
        "spread_parameter": ParameterRow(f"${COMPONENT}", written_type, kind="*"),
    },
)
