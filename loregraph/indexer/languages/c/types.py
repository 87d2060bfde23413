"""Headers of structs, unions, enums, classes and namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import Base
from loregraph.indexer.languages.c.declarators import declared
from loregraph.indexer.languages.c.naming import name_path, template_parameters
from loregraph.indexer.languages.c.placement import IN_TYPE, body_place, place_of
from loregraph.indexer.languages.extraction import Header

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction


def type_header(x: Extraction, node: Node, kind: str) -> Header | None:
    named = node.child_by_field_name("name")
    around = node.parent
    signature = None
    owners: tuple[str, ...] = ()
    if named is not None:
        *owners_, name = name_path(x, named)
        owners = tuple(owners_)
    elif around is not None and around.type == "type_definition":
        shape = declared(around.child_by_field_name("declarator"))
        name = x.text(shape.name) if shape.name is not None else ""
        signature = f"typedef {kind} {name}"
    elif kind == "enum" or (around is not None and around.child_by_field_name("declarator") is None):
        # Its constants, or members, are those of what is around it.
        return None
    else:
        name = ""
    place, child = place_of(x, node)
    found = Header(name=name, signature=signature)
    flags = []
    body = node.child_by_field_name("body")
    if body is not None and body.type == "field_declaration_list" and body_place(x, body).abstract:
        flags.append("abstract")
    if place.kind == IN_TYPE and place.access.get(child.id, "public") != "public":
        flags.append("private")
    elif not place.hidden:
        flags.append("exported")
    found.flags = tuple(flags)
    if owners:
        found.owner_name = ".".join(owners)
    found.type_parameters = template_parameters(x, node)
    for clause in node.named_children:
        if clause.type == "base_class_clause":
            found.bases = tuple(
                Base(x.lower(c), "EXTENDS", c.start_point[0] + 1)
                for c in clause.named_children
                if c.type not in ("access_specifier", "comment", "virtual", "attribute_declaration")
            )
    return found


def namespace_header(x: Extraction, node: Node) -> Header | None:
    named = node.child_by_field_name("name")
    if named is None or any(c.type == "inline" for c in node.children):
        return None  # what it holds belongs to the namespace around it
    return Header(name=".".join(part.strip() for part in x.text(named).replace("inline ", "").split("::")))
