"""Rust's definitions: their heads, parameters and documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNION, UNKNOWN, Expr, Parameter
from loregraph.indexer.languages.comments import clean_comment, comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.generics import bounded
from loregraph.indexer.languages.heads import bases, texts
from loregraph.indexer.languages.lowering import child, named_part
from loregraph.indexer.languages.rows import NOTHING, text_of
from loregraph.indexer.languages.rust.language import TESTS
from loregraph.indexer.languages.rust.patterns import as_target
from loregraph.indexer.languages.selectors import one, parts

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

_name = text_of("name")
_extended = bases(EXTENDS="bounds/*")
_type_parameters = texts("type_parameters/:type_parameter,const_parameter/name")
_receiver = one("parameters/:self_parameter,parameter")
_BOUNDING = frozenset({"type_parameters", "where_clause"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header()
    name = _name(x, node).removeprefix("r#")
    if not name:
        return None
    header = Header(name=name)
    attributes = attributes_of(x, node)
    if attributes:
        _decorate(x, attributes, header)
    flags = ["exported"] if _is_public(node) else []
    if kind == "function":
        _function_header(x, node, header, flags)
    elif kind == "trait":
        header.bases = tuple(extended for extended in _extended(x, node) if extended.type != UNKNOWN)
    elif kind == "macro":
        header.signature = f"macro_rules! {name}"
        if any(n == "macro_export" or n.startswith("macro_export(") for n in header.decorator_names):
            flags.append("exported")
    header.type_parameters += _type_parameters(x, node)
    header.flags = tuple(flags)
    return header


def item_around(node: Node) -> Node | None:
    """The `impl`, trait or `extern` that something is declared in."""
    parent = node.parent
    return parent.parent if parent is not None and parent.type == "declaration_list" else None


def impl_around(node: Node) -> Node | None:
    around = item_around(node)
    return around if around is not None and around.type == "impl_item" else None


def _function_header(x: Extraction, node: Node, header: Header, flags: list[str]) -> None:
    around = item_around(node)
    place = around.type if around is not None else ""
    if around is not None and place in ("impl_item", "trait_item"):
        header.kind = "method"
        if not _takes_self(x, node):
            flags.append("static")
        if place == "trait_item" or around.child_by_field_name("trait") is not None:
            flags.append("exported")
        if place == "impl_item":
            header.owner, header.owner_name = owner_of(x, around.child_by_field_name("type"))
            header.type_parameters = _type_parameters(x, around)
    if node.type == "function_signature_item":
        flags += ["declaration", "abstract"] if place == "trait_item" else ["declaration"]
    modifiers = child(node, "function_modifiers")
    if modifiers is not None and any(c.type == "async" for c in modifiers.children):
        flags.append("async")
    if TESTS.marked(header.decorator_names):
        flags.append("test")
    returned = node.child_by_field_name("return_type")
    header.returns = NOTHING if returned is None else bounded(x.lower(returned), _bounds(x, node))


def _takes_self(x: Extraction, node: Node) -> bool:
    first = _receiver(x, node)
    pattern = first.child_by_field_name("pattern") if first is not None else None
    return first is not None and (pattern.type == "self" if pattern is not None else first.type == "self_parameter")


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


def _above(x: Extraction, node: Node) -> list[Node]:
    """The attributes and comments above a definition, the nearest first."""
    known: dict[int, list[Node]] = x.memo.setdefault("above", {})
    found = known.get(node.id)
    if found is None:
        found = known[node.id] = []
        previous = node.prev_sibling
        while previous is not None and (previous.type == "attribute_item" or previous.type in x.spec.comments):
            found.append(previous)
            previous = previous.prev_sibling
    return found


def attributes_of(x: Extraction, node: Node) -> list[Node]:
    """The attributes of a definition, first one first."""
    return [part for part in reversed(_above(x, node)) if part.type == "attribute_item"]


def _decorate(x: Extraction, attributes: list[Node], header: Header) -> None:
    header.first = attributes[0]
    held = [attribute for item in attributes if (attribute := named_part(item)) is not None]
    header.decorators = tuple([x.lower(named_part(attribute)) for attribute in held])
    header.decorator_names = tuple([x.folded(attribute, 120) for attribute in held])


def _is_public(node: Node) -> bool:
    """`pub` without a restriction."""
    first = node.children[0] if node.children else None
    return first is not None and first.type == "visibility_modifier" and first.child_count == 1


def _bounds(x: Extraction, node: Node) -> dict[str, Expr]:
    """The bounds of the type parameters that a function sees: its own and those of the `impl` around it."""
    around = impl_around(node)
    held = bounds_in(node) if around is None else bounds_in(around) + bounds_in(node)
    return dict(bound for part in held if (bound := bound_of(x, part)) is not None)


def bounds_in(node: Node) -> list[Node]:
    """What may bound the type parameters of a definition or an `impl`."""
    return [held for part in node.named_children if part.type in _BOUNDING for held in part.named_children]


def bound_of(x: Extraction, node: Node) -> tuple[str, Expr] | None:
    """Name and bound of a type parameter or `where` predicate, markers left out; None where that leaves nothing."""
    name = node.child_by_field_name("name") or node.child_by_field_name("left")
    bounds = node.child_by_field_name("bounds")
    if bounds is None or name is None or name.type != "type_identifier" or x.text(name) == "Self":
        return None
    bound = x.lower(bounds)
    options = [b for b in (bound[1] if bound[0] == UNION else (bound,)) if b != UNKNOWN and b[-1] not in _MARKERS]
    if not options:
        return None
    return x.text(name), (UNION, tuple(options)) if len(options) > 1 else options[0]


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    bounds = _bounds(x, node)
    found: list[Parameter] = []
    for part in parts(x, node.child_by_field_name("parameters")):
        if part.type == "self_parameter":
            found.append(Parameter("self", None, None, "this"))
        elif part.type == "parameter":
            type_ = bounded(x.lower(part.child_by_field_name("type")), bounds)
            found.append(_parameter(x, part.child_by_field_name("pattern"), type_))
        elif part.type == "variadic_parameter":
            found.append(Parameter("", kind="*"))
        elif part.type != "attribute_item":
            found.append(_parameter(x, part, None))
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
    top, found = node, []
    for part in _above(x, node):
        if part.type == "attribute_item":
            top = part
        else:
            text = x.text(part)
            if text.startswith(("///", "/**")) and not text.startswith("////"):
                found.append(text.rstrip("\n"))
    if found:
        return clean_comment("\n".join(reversed(found)))
    if node.type == "mod_item":
        return inner_docs(x, node.child_by_field_name("body"))
    return comment_above(x, top)


def inner_docs(x: Extraction, node: Node | None) -> str:
    """The `//!` comments at the start of a file or module."""
    found: list[str] = []
    for part in node.named_children if node else ():
        if part.type in x.spec.comments:
            text = x.text(part)
            if text.startswith(("//!", "/*!")):
                found.append(text.rstrip("\n"))
        elif part.type not in ("inner_attribute_item", "attribute_item", "shebang"):
            break
    return clean_comment("\n".join(found))
