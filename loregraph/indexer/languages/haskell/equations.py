"""Which equations and type signatures of Haskell make one function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.expressions import COMMENTS, named

if TYPE_CHECKING:
    from tree_sitter import Node

EQUATIONS = frozenset({"function", "bind"})


def equation_name(x: Extraction, node: Node) -> str:
    """The name that an equation defines, "" where it takes a pattern apart."""
    found = node.child_by_field_name("name")
    if found is None:
        head = next((c for c in node.named_children if c.type == "infix"), None)
        found = head.child_by_field_name("operator") if head is not None else None
        if head is None:
            held = next((c for c in node.named_children if c.type == "parens"), None)  # `(f . g) x = …`
            inside = next((c for c in held.named_children if c.type == "infix"), None) if held is not None else None
            found = inside.child_by_field_name("operator") if inside is not None else None
    return named(x, found).rpartition("{}")[0] or named(x, found) if found is not None else ""


def beside(node: Node, backwards: bool) -> Node | None:
    """The declaration before or behind, comments left out."""
    found = node.prev_named_sibling if backwards else node.next_named_sibling
    while found is not None and found.type in COMMENTS:
        found = found.prev_named_sibling if backwards else found.next_named_sibling
    return found


def is_continued(x: Extraction, node: Node) -> bool:
    """Whether an equation continues the function of the one above."""
    above = beside(node, True)
    if above is None or above.type not in EQUATIONS:
        return False
    name = equation_name(x, node)
    return bool(name) and equation_name(x, above) == name


def last_equation(x: Extraction, node: Node) -> Node | None:
    """The last further equation of the function that begins at `node`; None where it has only the one."""
    name = equation_name(x, node)
    last: Node | None = None
    below = beside(node, False)
    while below is not None and below.type in EQUATIONS and equation_name(x, below) == name:
        last = below
        below = beside(below, False)
    return last


def signatures(x: Extraction, container: Node | None) -> dict[str, Node]:
    """Name → its type signature, of one run of declarations."""
    if container is None:
        return {}
    known: dict[int, dict[str, Node]] = x.memo.setdefault("signatures", {})
    found = known.get(container.id)
    if found is None:
        found = known[container.id] = {}
        for part in container.named_children:
            if part.type == "signature":
                for name in signature_names(x, part):
                    found[name] = part
    return found


def signature_names(x: Extraction, node: Node) -> list[str]:
    """The names that a type signature is for."""
    listed = node.child_by_field_name("names")
    if listed is not None:
        return [named(x, part) for part in listed.named_children if part.type in ("variable", "prefix_id")]
    return [named(x, node.child_by_field_name("name"))]
