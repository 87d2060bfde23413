"""Classes of R, which calls make: `R6Class`, `setRefClass`, `setClass`, S7's `new_class`, `ggproto`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import NAME, UNKNOWN, Base, Expr
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.r.expressions import text_in, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

MAKERS: Final = frozenset({"R6Class", "setClass", "setRefClass", "ggproto", "new_class"})
_LISTED: Final = frozenset(
    {"public", "private", "active", "methods", "fields", "slots", "representation", "properties"}
)
"""Arguments of these calls that list members."""
_BASES: Final = {"R6Class": "inherit", "setRefClass": "contains", "setClass": "contains", "new_class": "parent"}
_ROOTS: Final = frozenset({"VIRTUAL", "NULL"})


def called(x: Extraction, node: Node) -> str:
    """The name of the function that a call is of, without its package."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "namespace_operator":
        function = function.child_by_field_name("rhs")
    return unquoted(x, function) if function is not None and function.type == "identifier" else ""


def listed(node: Node | None) -> list[Node]:
    """The arguments of a call."""
    held = node.child_by_field_name("arguments") if node is not None else None
    return held.children_by_field_name("argument") if held is not None else []


def argument(x: Extraction, node: Node | None, name: str, place: int = -1) -> Node | None:
    """What a call gives by a name or, where it names none of that, at a place."""
    held = listed(node)
    for given in held:
        if unquoted(x, given.child_by_field_name("name")) == name:
            return given.child_by_field_name("value")
    if not 0 <= place < len(held) or held[place].child_by_field_name("name") is not None:
        return None
    return held[place].child_by_field_name("value")


def class_around(x: Extraction, node: Node) -> tuple[Node, str] | None:
    """The call that makes the class which `node`, an argument, is a member of, and the list that it stands in."""
    holder = node.parent.parent if node.parent is not None else None
    if holder is None or holder.type != "call":
        return None
    word = called(x, holder)
    if word == "ggproto":
        return (holder, "public") if node.child_by_field_name("name") is not None else None
    outer = holder.parent
    if word not in ("list", "representation", "c", "quote") or outer is None or outer.type != "argument":
        return None
    maker = outer.parent.parent if outer.parent is not None else None
    if maker is None or maker.type != "call" or called(x, maker) not in MAKERS:
        return None
    name = unquoted(x, outer.child_by_field_name("name")) or (word if word == "representation" else "")
    if not name and called(x, maker) == "R6Class" and listed(maker)[1:2] == [outer]:
        name = "public"
    return (maker, name) if name in _LISTED else None


def header(x: Extraction, node: Node, assigned: str) -> Header | None:
    """The class that a call makes. `assigned` is what it is assigned to."""
    word = called(x, node)
    name = assigned or text_in(x, argument(x, node, "Class" if word.startswith("set") else "classname", 0))
    if not name:
        return None
    given = argument(x, node, "_inherit", 1) if word == "ggproto" else argument(x, node, _BASES[word])
    if given is None and word == "new_class":
        given = argument(x, node, "parent", 1)
    bases = tuple(
        Base(found, "EXTENDS", part.start_point[0] + 1)
        for part in _several(x, given)
        if (found := _type(x, part)) != UNKNOWN
    )
    if word == "setRefClass":  # methods see the members by their bare names
        around = node.parent if assigned and node.parent is not None else node
        lists = [argument(x, node, "fields"), argument(x, node, "methods")]
        members = {unquoted(x, part.child_by_field_name("name")) for held in lists for part in listed(held)} - {""}
        x.memo.setdefault("members", {})[around.start_byte] = members
    return Header(
        name=name,
        kind="class",
        bases=bases,
        flags=("private",) if name.startswith(".") else (),
        signature=_head(x, node),
    )


def _several(x: Extraction, node: Node | None) -> list[Node]:
    if node is None or node.type != "call":
        return [node] if node is not None else []
    return [part for held in listed(node) if (part := held.child_by_field_name("value")) is not None]


def _type(x: Extraction, node: Node) -> Expr:
    text = text_in(x, node)
    if text:
        return UNKNOWN if text in _ROOTS else (NAME, text)
    return x.lower(node) if node.type in ("identifier", "namespace_operator") else UNKNOWN


def _head(x: Extraction, node: Node) -> str:
    line = x.source.find(b"\n", node.start_byte)
    end = min(node.end_byte, line if line >= 0 else node.end_byte)
    return " ".join(x.source[node.start_byte : end].decode("utf-8", "replace").split())[:200]
