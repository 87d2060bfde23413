"""Protocol Buffers' row: how its syntax becomes facts.

A message is a struct, a service an interface whose methods are its rpcs: declarations, since other languages implement
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, NAME, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import signature
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_PARTS: Final = 20
"""Most parts of a name."""
_NAMES: Final = frozenset({"message_name", "enum_name", "service_name", "rpc_name"})
_signature = signature(without="comment")


def _header(x: Extraction, node: Node, kind: str) -> Header | None:
    named = next((part for part in node.named_children if part.type in _NAMES), None)
    name = x.text(named) if named is not None else ""
    if not name:
        return None
    if kind != "method":
        return Header(name=name, signature=f"{node.type} {name}", flags=("exported",))
    types = [x.lower(part) for part in node.named_children if part.type == "message_or_enum_type"]
    header = Header(name=name, signature=_signature(x, node), flags=("exported", "declaration", "abstract"))
    if len(types) == 2:
        header.returns = types[1]
    return header


def _type(x: Extraction, node: Node) -> Expr:
    """`Cart`, `shop.v1.Cart`: the names that a type has, each a member of the one before."""
    found: Expr = UNKNOWN
    if node.named_child_count > MAX_PARTS:
        return found
    for part in node.named_children:
        if part.type == "identifier":
            found = (NAME, x.text(part)) if found == UNKNOWN else (ATTRIBUTE, found, x.text(part))
    return found


def _field(x: Extraction, node: Node, capture: str) -> None:
    name = next((part for part in node.named_children if part.type == "identifier"), None)
    type_ = next((part for part in node.named_children if part.type == "type"), None)
    if name is not None and type_ is not None:
        held = next((part for part in type_.named_children if part.type == "message_or_enum_type"), None)
        written = x.lower(held) if held is not None else (NAME, x.text(type_))
        x.assign(node, (NAME, x.text(name)), UNKNOWN, "declare", written)


def _import(x: Extraction, node: Node, capture: str) -> None:
    path = next((part for part in node.named_children if part.type == "string"), None)
    if path is not None:
        x.import_(node, x.text(path).strip("\"'"), "*")


def _file_facts(x: Extraction, root: Node) -> None:
    for node in root.named_children:
        if node.type == "package" and node.named_child_count:
            x.package = "".join(x.text(node.named_children[0]).split())


SPECS = {
    "proto": LanguageSpec(
        name="proto",
        grammar="proto",
        queries=("proto/query.scm",),
        expressions={"message_or_enum_type": _type},
        hooks={
            "assignment.field": _field,
            "import": _import,
            "reference.type": lambda x, node, capture: x.refer(node, x.lower(node), "type"),
        },
        header=_header,
        file_facts=_file_facts,
    )
}
