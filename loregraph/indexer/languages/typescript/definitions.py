"""Headers and parameters of what TypeScript adds: interfaces, enums, aliases, namespaces, signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import Base, Parameter
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.javascript import definitions as javascript
from loregraph.indexer.languages.javascript.expressions import string_text
from loregraph.indexer.languages.typescript.types import applied

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
        parameters = node.child_by_field_name("type_parameters")
        if parameters is not None:
            names = (c.child_by_field_name("name") for c in parameters.named_children)
            found.type_parameters = tuple(x.text(n) for n in names if n is not None)
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
    bases: list[Base] = []
    parts = [value]
    members = False
    if value.type == "intersection_type":
        parts = [c for c in value.named_children if c.type != "comment"]
    for part in parts:
        if part.type == "object_type":
            members = members or any(c.type in _ALIAS_MEMBERS for c in part.named_children)
        else:
            bases.append(Base(x.lower(part), "EXTENDS", part.start_point[0] + 1))
    if not members:
        return None
    found = javascript.header(x, node, "declared")
    if found is not None:
        found.bases = tuple(b for b in bases if b.type[0] in ("n", "a", "s"))
        found.signature = " ".join(
            x.source[node.start_byte : value.start_byte].decode("utf-8", "ignore").split()
        ).rstrip("= ")
    return found


def _namespace(x: Extraction, node: Node) -> Header:
    name = node.child_by_field_name("name")
    text = ""
    if name is not None:
        text = string_text(x, name) if name.type == "string" else "".join(x.text(name).split())
    flags: list[str] = []
    if node.parent is not None and node.parent.type == "export_statement":
        flags.append("exported")
    return Header(name=text or "namespace", flags=tuple(flags))


def _class_bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    heritage = next((c for c in node.named_children if c.type == "class_heritage"), None)
    found: list[Base] = []
    for clause in heritage.named_children if heritage is not None else ():
        line = clause.start_point[0] + 1
        if clause.type == "extends_clause":
            value = clause.child_by_field_name("value")
            base = applied(x, x.lower(value), clause.child_by_field_name("type_arguments"))
            found.append(Base(base, "EXTENDS", line))
        elif clause.type == "implements_clause":
            found += [
                Base(x.lower(c), "IMPLEMENTS", c.start_point[0] + 1)
                for c in clause.named_children
                if c.type != "comment"
            ]
    return tuple(found)


def _interface_bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    clause = next((c for c in node.named_children if c.type in ("extends_type_clause", "extends_clause")), None)
    if clause is None:
        return ()
    return tuple(
        Base(x.lower(c), "EXTENDS", c.start_point[0] + 1) for c in clause.named_children if c.type != "comment"
    )


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a function, with their types."""
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return javascript.parameters(x, node)
    found: list[Parameter] = []
    for child in listed.named_children:
        if child.type not in ("required_parameter", "optional_parameter"):
            continue
        type_, value = child.child_by_field_name("type"), child.child_by_field_name("value")
        found.append(
            javascript.named(
                x,
                child.child_by_field_name("pattern"),
                x.lower(type_) if type_ is not None else None,
                x.lower(value) if value is not None else None,
            )
        )
    return tuple(found)
