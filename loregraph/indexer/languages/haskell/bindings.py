"""What Haskell's patterns and data types bind, and what is recorded of the nodes that its query captures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, FILE_SCOPE, NAME, SUBSCRIPT, TYPED, UNKNOWN
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.equations import (
    bound_names,
    equation_name,
    is_continued,
    parameter_nodes,
    plain_variable,
    signature_names,
)
from loregraph.indexer.languages.haskell.expressions import (
    constructor_name,
    named,
    read,
    record_application,
    record_construction,
    record_infix,
    record_section,
)
from loregraph.indexer.languages.haskell.modules import note_members, record_import
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.rows import compiled
from loregraph.indexer.languages.spec import Hook

if TYPE_CHECKING:
    from tree_sitter import Node

_value, _type = compiled("@match/expression"), written("@type")


def _bind(x: Extraction, node: Node, pattern: Node | None) -> None:
    for name in bound_names(x, pattern):
        x.assign(node, (NAME, name), UNKNOWN, "declare")


def _equation(x: Extraction, node: Node, capture: str) -> None:
    """The parameters of a function's further equations, where they are called otherwise than those of the first."""
    if not is_continued(x, node) or x.scope < 0:
        return
    known = x.definitions[x.scope].parameters
    for number, part in enumerate(parameter_nodes(node)):
        plain = plain_variable(x, part)
        first = known[number].name if number < len(known) else ""
        if not plain or not first:
            _bind(x, part, part)
        elif plain != first:
            x.assign(part, (NAME, plain), (NAME, first), "declare")


def _local(x: Extraction, node: Node, capture: str) -> None:
    """`let y = f x`: a name without parameters is a variable."""
    name = equation_name(x, node)
    if name:
        x.assign(node, (NAME, name), _value(x, node), "declare")
    else:
        _alternative(x, node, capture)


def _pattern(x: Extraction, node: Node, capture: str) -> None:
    """`(a, b) = f x` at the top level."""
    if not equation_name(x, node):
        _alternative(x, node, capture)


def _alternative(x: Extraction, node: Node, capture: str) -> None:
    _bind(x, node, node.child_by_field_name("pattern"))


def _data(x: Extraction, node: Node, capture: str) -> None:
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
            x.assign(part, (NAME, made), (SUBSCRIPT, (NAME, owner), UNKNOWN), "declare")
        elif part.type == "field":
            for held in part.children_by_field_name("name"):
                field = named(x, held)
                members.append(field)
                x.scope = inside
                x.assign(held, (NAME, field), UNKNOWN, "declare", _type(x, part))
                x.scope = FILE_SCOPE
                x.assign(held, (NAME, field), UNKNOWN, "declare")
        elif part.type not in ("context", "forall"):
            stack += reversed(part.named_children)
    x.scope = inside
    note_members(x, owner, members)


def _methods(x: Extraction, node: Node, capture: str) -> None:
    """The methods of a type class are functions of the module; which instance's one runs, types decide."""
    owner = named(x, node.parent.child_by_field_name("name")) if node.parent is not None else ""
    if not owner:
        return
    inside = x.scope
    x.scope = FILE_SCOPE
    signed = [part for part in node.named_children if part.type == "signature"]
    methods = [(part, name) for part in signed for name in signature_names(x, part)]
    for part, name in methods:
        x.assign(part, (NAME, name), (ATTRIBUTE, (TYPED, (NAME, owner), UNKNOWN), name), "declare")
    x.scope = inside
    note_members(x, owner, [name for _, name in methods])


def _result(x: Extraction, node: Node, capture: str) -> None:
    """`f = g`, `f x = g`: who calls `f` runs `g`."""
    around = node.parent.parent if node.parent is not None else None
    if around is None or not _is_equation(around):
        read(x, node, capture)
        return
    x.leave(node, (NAME, named(x, node)))
    read(x, node, capture, "operator")


def _is_equation(node: Node) -> bool:
    """Whether a binding is a function's equation, not a variable's."""
    held = node.parent
    return node.type == "function" or (node.type == "bind" and held is not None and held.type != "local_binds")


HOOKS: dict[str, Hook] = {
    "call": record_application,
    "call.infix": record_infix,
    "call.section": record_section,
    "call.record": record_construction,
    "reference.read": read,
    "reference.result": _result,
    "assignment.equation": _equation,
    "assignment.local": _local,
    "assignment.pattern": _pattern,
    "assignment.alternative": _alternative,
    "assignment.statement": _alternative,
    "assignment.data": _data,
    "assignment.methods": _methods,
    "import": record_import,
}
