"""Headers and parameters of what TypeScript adds: interfaces, enums, aliases, namespaces, signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, NAME, SUBSCRIPT, Base, Parameter
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import base, bases, texts
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.javascript import definitions as javascript
from loregraph.indexer.languages.javascript.expressions import string_text
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.rows import generic
from loregraph.indexer.languages.selectors import many

if TYPE_CHECKING:
    from tree_sitter import Node

_BODIES: Final = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
_ALIAS_MEMBERS: Final = frozenset({"property_signature", "method_signature", "call_signature", "construct_signature"})


def header(x: Extraction, node: Node, kind: str) -> Header | None:
    """Name, kind, flags and bases of any definition."""
    type_ = node.type
    if kind == "type":
        found = _alias(x, node)
    elif kind == "namespace":
        found = _namespace(x, node)
    elif type_ == "function_signature" or type_.endswith("method_signature"):
        found = _signature(x, node)
    elif kind in ("interface", "enum"):
        found = javascript.header(x, node, "declared")
        if found is not None and kind == "interface":
            found.bases = _interface_bases(x, node)
    else:
        found = javascript.header(x, node, kind)
        if found is not None and kind == "class":
            found.bases = _class_bases(x, node)
    if found is None:
        return None
    if kind not in ("enum", "namespace"):
        found.type_parameters = _type_parameters(x, node)
    if type_ != "function_signature" and node.parent is not None and node.parent.type == "ambient_declaration":
        found.flags = (*found.flags, "declaration")
    return found


def _signature(x: Extraction, node: Node) -> Header | None:
    """A function without a body: nothing where one of the same name follows that has one."""
    name = node.child_by_field_name("name")
    if name is None or _implemented(x, node, x.text(name)):
        return None
    if node.type == "function_signature":
        found = javascript.header(x, node, "declared")
    else:
        found = javascript.method(x, node)
        if node.type == "abstract_method_signature" and "abstract" not in found.flags:
            found.flags = (*found.flags, "abstract")
    if found is not None:
        found.flags = (*found.flags, "declaration")
    return found


def _implemented(x: Extraction, node: Node, name: str) -> bool:
    """Whether the run of signatures that starts with `node` ends with a function that has a body."""
    known: dict[int, bool] = x.memo.setdefault("implemented", {})
    if node.id in known:
        return known[node.id]
    found = False
    run = [node.id]
    statement = node
    if node.parent is not None and node.parent.type == "export_statement":
        statement = node.parent
    following = statement.next_named_sibling
    while following is not None:
        declared = following
        if following.type == "export_statement":
            declared = following.child_by_field_name("declaration") or following
        if declared.type not in ("comment", "decorator"):
            other = declared.child_by_field_name("name")
            if other is None or x.text(other) != name:
                break
            if not declared.type.endswith("signature"):
                found = declared.type in _BODIES
                break
            run.append(declared.id)
        following = following.next_named_sibling
    known.update(dict.fromkeys(run, found))
    return found


def _alias(x: Extraction, node: Node) -> Header | None:
    """`type A = {…}` has members and is a type of its own; any other alias is another name for a type."""
    value = node.child_by_field_name("value")
    if value is None:
        return None
    found_bases: list[Base] = []
    members = False
    for part in parts(value) if value.type == "intersection_type" else [value]:
        if part.type == "object_type":
            members = members or any(c.type in _ALIAS_MEMBERS for c in part.named_children)
        else:
            found_bases.append(base(x, part, "EXTENDS"))
    if not members:
        return None
    found = javascript.header(x, node, "declared")
    if found is not None:
        found.bases = tuple(b for b in found_bases if b.type[0] in (NAME, ATTRIBUTE, SUBSCRIPT))
        head = x.source[node.start_byte : value.start_byte].decode("utf-8", "ignore")
        found.signature = " ".join(head.split()).rstrip("= ")
    return found


def _namespace(x: Extraction, node: Node) -> Header:
    name = node.child_by_field_name("name")
    text = ""
    if name is not None:
        text = string_text(x, name) if name.type == "string" else "".join(x.text(name).split())
    is_exported = node.parent is not None and node.parent.type == "export_statement"
    return Header(name=text or "namespace", flags=("exported",) if is_exported else ())


_type_parameters = texts("type_parameters/*/name")
_interface_bases = bases(EXTENDS=":extends_type_clause,extends_clause/*")
_implemented_types = bases(IMPLEMENTS=":class_heritage/:implements_clause/*")
_extends_clauses = many(":class_heritage/:extends_clause")
_extended_type = generic("@value", "*type_arguments")


def _class_bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    extended = [Base(_extended_type(x, c), "EXTENDS", c.start_point[0] + 1) for c in _extends_clauses(x, node)]
    return (*extended, *_implemented_types(x, node))


_declared_type, _default = written("@type"), written("@value")


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a function, with their types."""
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return javascript.parameters(x, node)
    return tuple(
        [
            javascript.named(x, child.child_by_field_name("pattern"), _declared_type(x, child), _default(x, child))
            for child in listed.named_children
            if child.type in ("required_parameter", "optional_parameter")
        ]
    )
