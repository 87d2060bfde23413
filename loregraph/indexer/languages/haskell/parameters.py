"""The parameters of Haskell's functions: patterns of their equations, types of their signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr, Parameter
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.equations import EQUATIONS, equation_name, signatures
from loregraph.indexer.languages.haskell.expressions import COMMENTS, named

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_TYPE_PARTS = 60
"""Most parts of a function's type that are looked at."""


def arrows(x: Extraction, signature: Node) -> tuple[list[Expr], Expr | None]:
    """Types of the parameters and of the result that a signature gives."""
    type_ = signature.child_by_field_name("type")
    given: list[Expr] = []
    for _ in range(_MAX_TYPE_PARTS):
        if type_ is None:
            return given, None
        if type_.type in ("forall", "context"):
            type_ = type_.child_by_field_name("type")
        elif type_.type == "function":
            given.append(_type_expression(x, type_.child_by_field_name("parameter")))
            type_ = type_.child_by_field_name("result")
        else:
            return given, _type_expression(x, type_)
    return given, None


def _type_expression(x: Extraction, node: Node | None) -> Expr:
    """A type; a type variable says nothing."""
    return UNKNOWN if node is None or node.type == "variable" else x.lower(node)


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of the first equation, with their types where there is a signature."""
    if node.type == "signature":
        return tuple(Parameter("", type_) for type_ in arrows(x, node)[0])
    if node.type == "foreign_import":
        signature = node.child_by_field_name("signature")
        return tuple(Parameter("", t) for t in arrows(x, signature)[0]) if signature is not None else ()
    if node.type == "lambda_case":
        return (Parameter("", None),)
    types: list[Expr] = []
    holder = node.parent
    if node.type in EQUATIONS and holder is not None:
        signature = signatures(x, holder).get(equation_name(x, node))
        if signature is not None:
            types = arrows(x, signature)[0]
    found: list[Parameter] = []
    for number, part in enumerate(parameter_nodes(node)):
        type_ = types[number] if number < len(types) and types[number] != UNKNOWN else None
        plain = plain_variable(x, part)
        if plain:
            found.append(Parameter(plain, type_))
        else:
            names = bound_names(x, part)
            pattern = ("l", tuple(("n", name) for name in names)) if names else None
            found.append(Parameter("", type_, None, "", pattern))
    for type_ in types[len(found) :]:  # `f = \case …`, `f = g . h`
        found.append(Parameter("", type_ if type_ != UNKNOWN else None))
    return tuple(found)


def parameter_nodes(node: Node) -> list[Node]:
    """The patterns of one equation."""
    found: list[Node] = []
    head = next((c for c in node.named_children if c.type in ("infix", "parens")), None)
    if head is not None and head.type == "parens" and node.child_by_field_name("name") is None:
        head = next((c for c in head.named_children if c.type == "infix"), None)
    if head is not None and head.type == "infix":
        for field in ("left_operand", "right_operand"):
            part = head.child_by_field_name(field)
            if part is not None:
                found.append(part)
    listed = node.child_by_field_name("patterns")
    if listed is not None:
        found += [c for c in listed.named_children if c.type not in COMMENTS]
    return found


def plain_variable(x: Extraction, node: Node) -> str:
    """The one name that a pattern is, "" for any other pattern."""
    while node.type in ("strict", "irrefutable", "parens", "signature") and node.named_children:
        node = node.named_children[0]
    return x.text(node) if node.type == "variable" else ""


def bound_names(x: Extraction, node: Node | None) -> list[str]:
    """The names that a pattern binds."""
    found: dict[str, None] = {}
    stack = [node] if node is not None else []
    while stack:
        part = stack.pop()
        if part.type == "variable":
            found[x.text(part)] = None
        elif part.type == "view_pattern":
            inside = part.child_by_field_name("pattern")
            if inside is not None:
                stack.append(inside)
        elif part.type == "field_pattern":
            inside = part.child_by_field_name("pattern")
            if inside is not None:
                stack.append(inside)
            else:
                held = named(x, part.child_by_field_name("field"))
                if held:
                    found[held] = None  # `B{total}`
        elif part.type == "signature":
            stack += part.named_children[:1]
        else:
            stack += reversed(part.named_children)
    return list(found)
