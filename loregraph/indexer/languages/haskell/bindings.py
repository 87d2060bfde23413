"""What Haskell's patterns and data types bind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import FILE_SCOPE, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.equations import equation_name, is_continued, signature_names
from loregraph.indexer.languages.haskell.expressions import constructor_name, named
from loregraph.indexer.languages.haskell.modules import note_members
from loregraph.indexer.languages.haskell.parameters import bound_names, parameter_nodes, plain_variable

if TYPE_CHECKING:
    from tree_sitter import Node


def _bind(x: Extraction, node: Node, pattern: Node | None, value: Expr = UNKNOWN) -> None:
    for name in bound_names(x, pattern):
        x.assign(node, ("n", name), value, "declare")


def assign_equation(x: Extraction, node: Node, capture: str) -> None:
    """The parameters of a function's further equations, where they are called otherwise than those of the first."""
    if not is_continued(x, node) or x.scope < 0:
        return
    known = x.definitions[x.scope].parameters
    for number, part in enumerate(parameter_nodes(node)):
        plain = plain_variable(x, part)
        first = known[number].name if number < len(known) else ""
        if plain and first:
            if plain != first:
                x.assign(part, ("n", plain), ("n", first), "declare")
        else:
            _bind(x, part, part)


def assign_local(x: Extraction, node: Node, capture: str) -> None:
    """`let y = f x`: a name without parameters is a variable."""
    name = equation_name(x, node)
    match = node.child_by_field_name("match")
    value = x.lower(match.child_by_field_name("expression")) if match is not None else UNKNOWN
    if name:
        x.assign(node, ("n", name), value, "declare")
    else:
        _bind(x, node, node.child_by_field_name("pattern"))


def assign_pattern(x: Extraction, node: Node, capture: str) -> None:
    """`(a, b) = f x` at the top level."""
    if not equation_name(x, node):
        _bind(x, node, node.child_by_field_name("pattern"))


def assign_alternative(x: Extraction, node: Node, capture: str) -> None:
    _bind(x, node, node.child_by_field_name("pattern"))


def assign_data(x: Extraction, node: Node, capture: str) -> None:
    """The constructors and fields of a type, which the whole module sees."""
    owner = named(x, node.child_by_field_name("name"))
    if not owner:
        return
    inside = x.scope
    listed = node.child_by_field_name("constructors") or node.child_by_field_name("constructor")
    members: list[str] = []
    stack = [listed] if listed is not None else []
    while stack:
        part = stack.pop()
        if part.type in ("constructor", "constructor_operator"):
            made = constructor_name(x.text(part))
            members.append(made)
            x.scope = FILE_SCOPE
            x.assign(part, ("n", made), ("s", ("n", owner), UNKNOWN), "declare")
        elif part.type == "field":
            type_ = part.child_by_field_name("type")
            for held in part.children_by_field_name("name"):
                field = named(x, held)
                members.append(field)
                x.scope = inside
                x.assign(held, ("n", field), UNKNOWN, "declare", x.lower(type_) if type_ is not None else None)
                x.scope = FILE_SCOPE
                x.assign(held, ("n", field), UNKNOWN, "declare")
        elif part.type not in ("context", "forall"):
            stack += reversed(part.named_children)
    x.scope = inside
    note_members(x, owner, members)


def assign_methods(x: Extraction, node: Node, capture: str) -> None:
    """The methods of a type class are functions of the module; which instance's one runs, types decide."""
    owner = named(x, node.parent.child_by_field_name("name")) if node.parent is not None else ""
    if not owner:
        return
    inside = x.scope
    x.scope = FILE_SCOPE
    members: list[str] = []
    for part in node.named_children:
        if part.type == "signature":
            for name in signature_names(x, part):
                members.append(name)
                some = ("t", ("n", owner), UNKNOWN)
                x.assign(part, ("n", name), ("a", some, name), "declare")
    x.scope = inside
    note_members(x, owner, members)
