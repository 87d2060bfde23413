"""Rust's definitions: their heads, parameters and documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages.comments import clean_comment, comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.generics import bounded
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.rust.expressions import COMMENTS
from loregraph.indexer.languages.rust.language import TESTS
from loregraph.indexer.languages.rust.patterns import as_target

if TYPE_CHECKING:
    from tree_sitter import Node


_UNNAMED_OWNERS = {
    "array_type": "slice",
    "tuple_type": "tuple",
    "unit_type": "unit",
    "function_type": "fn",
    "never_type": "never",
}


_MARKERS = frozenset(
    "Send Sync Sized Copy Clone Unpin Debug Default Eq PartialEq Ord PartialOrd Hash UnwindSafe RefUnwindSafe".split()
)
"""Traits of the standard library that say nothing about what a value can be asked: as bounds they are left out."""


_NOTHING: Expr = ("k", "none", "")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header()
    name_node = node.child_by_field_name("name")
    name = x.text(name_node).removeprefix("r#") if name_node else ""
    if not name:
        return None
    header = Header(name=name)
    attributes = attributes_of(node)
    for attribute in attributes:
        _decorate(x, attribute, header)
    if attributes:
        header.first = attributes[0]
    flags = ["exported"] if _is_public(x, node) else []
    if kind == "function":
        _function_header(x, node, header, flags)
    elif kind == "trait":
        bounds = node.child_by_field_name("bounds")
        for bound in bounds.named_children if bounds else ():
            type_ = x.lower(bound)
            if type_ != UNKNOWN:
                header.bases += (Base(type_, "EXTENDS", bound.start_point[0] + 1),)
    elif kind == "macro":
        header.signature = f"macro_rules! {name}"
        if any(n == "macro_export" or n.startswith("macro_export(") for n in header.decorator_names):
            flags.append("exported")
    header.type_parameters += _type_parameters(x, node)
    header.flags = tuple(flags)
    return header


def _function_header(x: Extraction, node: Node, header: Header, flags: list[str]) -> None:
    around = node.parent.parent if node.parent is not None and node.parent.type == "declaration_list" else None
    place = around.type if around is not None else ""
    if place in ("impl_item", "trait_item") and around is not None:
        header.kind = "method"
        if not _takes_self(node):
            flags.append("static")
        trait = around.child_by_field_name("trait")
        if place == "trait_item" or trait is not None:
            flags.append("exported")
        if place == "impl_item":
            type_ = around.child_by_field_name("type")
            header.owner, header.owner_name = owner_of(x, type_)
            header.type_parameters = _type_parameters(x, around)
    if node.type == "function_signature_item":
        flags.append("declaration")
        if place == "trait_item":
            flags.append("abstract")
    modifiers = next((c for c in node.children if c.type == "function_modifiers"), None)
    if modifiers is not None and any(c.type == "async" for c in modifiers.children):
        flags.append("async")
    if TESTS.marked(header.decorator_names):
        flags.append("test")
    returned = node.child_by_field_name("return_type")
    header.returns = bounded(x.lower(returned), _bounds(x, node)) if returned is not None else _NOTHING


def _takes_self(node: Node) -> bool:
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters else ():
        if child.type == "self_parameter":
            return True
        if child.type == "parameter":
            pattern = child.child_by_field_name("pattern")
            return pattern is not None and pattern.type == "self"
    return False


def owner_of(x: Extraction, type_: Node | None) -> tuple[Expr, str]:
    """The type that an `impl` is for, without its arguments, and what it is called in an id."""
    while type_ is not None and type_.type in ("reference_type", "pointer_type", "generic_type", "dynamic_type"):
        type_ = type_.child_by_field_name("trait" if type_.type == "dynamic_type" else "type")
    if type_ is None:
        return UNKNOWN, "unknown"
    if type_.type == "bounded_type":
        return owner_of(x, named_part(type_))
    if type_.type in _UNNAMED_OWNERS:
        return x.lower(type_), _UNNAMED_OWNERS[type_.type]
    name = type_.child_by_field_name("name") if type_.type == "scoped_type_identifier" else type_
    return x.lower(type_), x.text(name) if name is not None and name.child_count == 0 else "unknown"


def attributes_of(node: Node) -> list[Node]:
    """The attributes of a definition, first one first."""
    found: list[Node] = []
    previous = node.prev_sibling
    while previous is not None and (previous.type == "attribute_item" or previous.type in COMMENTS):
        if previous.type == "attribute_item":
            found.append(previous)
        previous = previous.prev_sibling
    return found[::-1]


def _decorate(x: Extraction, attribute_item: Node, header: Header) -> None:
    attribute = named_part(attribute_item)
    path = named_part(attribute)
    if attribute is not None and path is not None:
        header.decorators += (x.lower(path),)
        header.decorator_names += (x.folded(attribute, 120),)


def _is_public(x: Extraction, node: Node) -> bool:
    """`pub` without a restriction."""
    first = node.children[0] if node.children else None
    return first is not None and first.type == "visibility_modifier" and first.child_count == 1


def _type_parameters(x: Extraction, node: Node) -> tuple[str, ...]:
    listed = node.child_by_field_name("type_parameters")
    names = []
    for parameter in listed.named_children if listed else ():
        if parameter.type in ("type_parameter", "const_parameter"):
            name = parameter.child_by_field_name("name")
            if name is not None:
                names.append(x.text(name))
    return tuple(names)


def _bounds(x: Extraction, node: Node) -> dict[str, Expr]:
    """The bounds of the type parameters that a function sees: its own and those of the `impl` around it."""
    found: dict[str, Expr] = {}
    around = node.parent.parent if node.parent is not None and node.parent.type == "declaration_list" else None
    for place in (around, node) if around is not None and around.type == "impl_item" else (node,):
        for child in place.named_children:
            if child.type in ("type_parameters", "where_clause"):
                for parameter in child.named_children:
                    bound = bound_of(x, parameter)
                    if bound is not None:
                        found[bound[0]] = bound[1]
    return found


def bound_of(x: Extraction, node: Node) -> tuple[str, Expr] | None:
    """Name and bound of a type parameter or `where` predicate, markers left out; None where that leaves nothing."""
    name = node.child_by_field_name("name") or node.child_by_field_name("left")
    bounds = node.child_by_field_name("bounds")
    if bounds is None or name is None or name.type != "type_identifier" or x.text(name) == "Self":
        return None
    bound = x.lower(bounds)
    options = [b for b in (bound[1] if bound[0] == "u" else (bound,)) if b != UNKNOWN and b[-1] not in _MARKERS]
    if not options:
        return None
    return x.text(name), ("u", tuple(options)) if len(options) > 1 else options[0]


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    listed = node.child_by_field_name("parameters")
    bounds = _bounds(x, node)
    found: list[Parameter] = []
    for child in listed.named_children if listed else ():
        if child.type == "self_parameter":
            found.append(Parameter("self", None, None, "this"))
        elif child.type == "parameter":
            pattern = child.child_by_field_name("pattern")
            found.append(_parameter(x, pattern, bounded(x.lower(child.child_by_field_name("type")), bounds)))
        elif child.type == "variadic_parameter":
            found.append(Parameter("", kind="*"))
        elif child.type not in COMMENTS and child.type != "attribute_item":
            found.append(_parameter(x, child, None))
    return tuple(found)


def _parameter(x: Extraction, pattern: Node | None, type_: Expr | None) -> Parameter:
    while pattern is not None and pattern.type in ("mut_pattern", "reference_pattern", "ref_pattern"):
        pattern = named_part(pattern, -1)
    if pattern is None or pattern.type == "_":
        return Parameter("", type_)
    if pattern.type == "self":
        return Parameter("self", type_, None, "this")
    if pattern.type == "identifier":
        return Parameter(x.text(pattern), type_)
    return Parameter("", type_, pattern=as_target(x, pattern))


def read_docstring(x: Extraction, node: Node) -> str:
    """The `///` comments among a definition's attributes; else the plain comment above it."""
    found: list[str] = []
    top = node
    previous = node.prev_sibling
    while previous is not None and (previous.type == "attribute_item" or previous.type in COMMENTS):
        if previous.type == "attribute_item":
            top = previous
        else:
            text = x.text(previous)
            if text.startswith(("///", "/**")) and not text.startswith("////"):
                found.append(text.rstrip("\n"))
        previous = previous.prev_sibling
    if found:
        return clean_comment("\n".join(reversed(found)))
    if node.type == "mod_item":
        return inner_docs(x, node.child_by_field_name("body"))
    return comment_above(x, top)


def inner_docs(x: Extraction, node: Node | None) -> str:
    """The `//!` comments at the start of a file or module."""
    found: list[str] = []
    for child in node.named_children if node else ():
        if child.type in COMMENTS:
            text = x.text(child)
            if text.startswith(("//!", "/*!")):
                found.append(text.rstrip("\n"))
        elif child.type not in ("inner_attribute_item", "attribute_item", "shebang"):
            break
    return clean_comment("\n".join(found))
