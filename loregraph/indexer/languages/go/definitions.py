"""Go's definitions: their heads, parameters and documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.generics import bounded
from loregraph.indexer.languages.go.expressions import (
    results,
)
from loregraph.indexer.languages.go.language import TESTS
from loregraph.indexer.languages.lowering import named_part

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST = re.compile(rf"(?:{'|'.join(TESTS.prefixes)})(?![a-z])")


_DIRECTIVE = re.compile(r"(?:[a-z0-9]+:[a-z0-9]|\+build )")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header(returns=results(x, node.child_by_field_name("result")))
    name_node = node.child_by_field_name("name")
    name = x.text(name_node) if name_node else ""
    if not name:
        return None
    header = Header(name=name)
    flags = ["exported"] if name[0].isupper() else []
    if kind == "type":
        _type_header(x, node, header)
    else:
        bounds = bounds_of(x, node.child_by_field_name("type_parameters"))
        header.returns = bounded(results(x, node.child_by_field_name("result")), bounds)
        if node.type == "method_elem":
            flags += ["declaration", "abstract"]
        elif node.child_by_field_name("body") is None:
            flags.append("declaration")
        if node.type == "method_declaration":
            _receiver(x, node, header)
        if x.path.endswith("_test.go") and _TEST.match(name) and node.type != "method_elem":
            flags.append("test")
    if kind != "method":
        header.type_parameters = _type_parameters(x, node)
    header.flags = tuple(flags)
    return header


def _type_header(x: Extraction, node: Node, header: Header) -> None:
    type_ = node.child_by_field_name("type")
    around = node.parent
    if around is not None and around.child_count == 2:  # `type T …`, not in parentheses
        header.outer = around
    if type_ is None:
        return
    if type_.type == "struct_type":
        header.kind = "struct"
        header.signature = f"type {x.folded(node).partition('{')[0].strip()}"
        header.bases = tuple(Base(x.lower(t), "EXTENDS", t.start_point[0] + 1) for t in _embedded(type_))
    elif type_.type == "interface_type":
        header.kind = "interface"
        header.signature = f"type {x.folded(node).partition('{')[0].strip()}"
        header.bases = tuple(
            Base(x.lower(c), "EXTENDS", c.start_point[0] + 1)
            for c in type_.named_children
            if c.type == "type_elem" and c.named_child_count == 1 and _is_named(named_part(c))
        )
    else:
        header.signature = f"type {x.folded(node)}"


def fields_of(struct: Node) -> list[Node]:
    found = named_part(struct)
    while found is not None and found.type == "comment":
        found = found.next_named_sibling
    return [c for c in found.named_children if c.type == "field_declaration"] if found else []


def _embedded(struct: Node) -> list[Node]:
    """The types of a struct's unnamed fields."""
    types = [f.child_by_field_name("type") for f in fields_of(struct) if f.child_by_field_name("name") is None]
    return [t for t in types if t is not None]


def _is_named(node: Node | None) -> bool:
    return node is not None and node.type in ("type_identifier", "qualified_type", "generic_type")


def without_arguments(type_: Expr) -> Expr:
    return type_[1] if type_[0] == "s" else type_


def _receiver(x: Extraction, node: Node, header: Header) -> None:
    """`func (r *Foo[K, V]) …` is a method of `Foo` with the type parameters `K` and `V`."""
    receiver = node.child_by_field_name("receiver")
    declared = (
        next((c for c in receiver.named_children if c.type == "parameter_declaration"), None) if receiver else None
    )
    type_ = declared.child_by_field_name("type") if declared else None
    while type_ is not None and type_.type in ("pointer_type", "parenthesized_type"):
        type_ = named_part(type_)
    if type_ is None:
        return
    if type_.type == "generic_type":
        arguments = type_.child_by_field_name("type_arguments")
        header.type_parameters = tuple(x.text(c) for c in arguments.named_children) if arguments else ()
        type_ = type_.child_by_field_name("type")
    if type_ is not None:
        header.owner = x.lower(type_)
        header.owner_name = x.text(type_).replace(" ", "")


def _type_parameters(x: Extraction, node: Node) -> tuple[str, ...]:
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return ()
    names = []
    for parameter in found.named_children:
        names += [x.text(n) for n in parameter.children_by_field_name("name") if n.is_named]
    return tuple(names)


_ANYTHING = (UNKNOWN, ("n", "any"), ("n", "comparable"))


def bounds_of(x: Extraction, node: Node | None) -> dict[str, Expr]:
    """The constraints of a list of type parameters that say something."""
    found: dict[str, Expr] = {}
    for parameter in node.named_children if node else ():
        bound = x.lower(parameter.child_by_field_name("type"))
        if bound not in _ANYTHING:
            found.update((x.text(n), bound) for n in parameter.children_by_field_name("name") if n.is_named)
    return found


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        for child in receiver.named_children:
            if child.type == "parameter_declaration":
                name = child.child_by_field_name("name")
                type_ = without_arguments(x.lower(child.child_by_field_name("type")))
                found.append(Parameter(x.text(name) if name else "", type_, None, "this"))
    parameters = node.child_by_field_name("parameters")
    bounds = bounds_of(x, node.child_by_field_name("type_parameters"))
    for child in parameters.named_children if parameters else ():
        declared = bounded(x.lower(child.child_by_field_name("type")), bounds)
        if child.type == "parameter_declaration":
            names = [n for n in child.children_by_field_name("name") if n.is_named]
            found += [Parameter(x.text(n), declared) for n in names] or [Parameter("", declared)]
        elif child.type == "variadic_parameter_declaration":
            name = child.child_by_field_name("name")
            found.append(Parameter(x.text(name) if name else "", declared, None, "*"))
    return tuple(found)


def read_docstring(x: Extraction, node: Node) -> str:
    around = node.parent
    alone = node.type == "type_spec" and around is not None and around.child_count == 2
    return without_directives(comment_above(x, around if alone and around is not None else node))


def without_directives(text: str) -> str:
    """A comment without the lines that are for tools: `//go:noinline`, `//nolint:unused`."""
    return "\n".join(line for line in text.split("\n") if not _DIRECTIVE.match(line)) if ":" in text else text
