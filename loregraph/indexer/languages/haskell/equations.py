"""Which equations and type signatures of Haskell make one function, and what its parameters are: patterns of the
equations, types of the signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import NAME, SEQUENCE, UNKNOWN, Expr, Parameter
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.expressions import COMMENTS, named
from loregraph.indexer.languages.lowering import child
from loregraph.indexer.languages.selectors import one

if TYPE_CHECKING:
    from tree_sitter import Node

EQUATIONS = frozenset({"function", "bind"})
_MAX_TYPE_PARTS = 60
"""Most parts of a function's type that are looked at."""

_signature = one("?signature")


def _infix_head(node: Node) -> Node | None:
    """What an equation that defines an operator begins with: `f . g = …`, `(f . g) x = …`."""
    return child(node, "infix") or child(child(node, "parens"), "infix")


def equation_name(x: Extraction, node: Node) -> str:
    """The name that an equation defines, "" where it takes a pattern apart."""
    found = node.child_by_field_name("name")
    if found is None:
        head = _infix_head(node)
        found = head.child_by_field_name("operator") if head is not None else None
    name = named(x, found)
    return name.rpartition("{}")[0] or name


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
    if container.id not in known:
        listed = [part for part in container.named_children if part.type == "signature"]
        known[container.id] = {name: part for part in listed for name in signature_names(x, part)}
    return known[container.id]


def signature_names(x: Extraction, node: Node) -> list[str]:
    """The names that a type signature is for."""
    listed = node.child_by_field_name("names")
    if listed is not None:
        return [named(x, part) for part in listed.named_children if part.type in ("variable", "prefix_id")]
    return [named(x, node.child_by_field_name("name"))]


def arrows(x: Extraction, signature: Node | None) -> tuple[list[Expr], Expr | None]:
    """Types of the parameters and of the result that a signature gives."""
    type_ = signature.child_by_field_name("type") if signature is not None else None
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
    if node.type in ("signature", "foreign_import"):
        return tuple(Parameter("", type_) for type_ in arrows(x, _signature(x, node))[0])
    if node.type == "lambda_case":
        return (Parameter("", None),)
    signature = signatures(x, node.parent).get(equation_name(x, node)) if node.type in EQUATIONS else None
    types = [type_ if type_ != UNKNOWN else None for type_ in arrows(x, signature)[0]]
    found: list[Parameter] = []
    for number, part in enumerate(parameter_nodes(node)):
        type_ = types[number] if number < len(types) else None
        plain = plain_variable(x, part)
        names = bound_names(x, part) if not plain else ()
        pattern = (SEQUENCE, tuple((NAME, name) for name in names)) if names else None
        found.append(Parameter(plain, type_, None, "", pattern))
    found += [Parameter("", type_) for type_ in types[len(found) :]]  # `f = \case …`, `f = g . h`
    return tuple(found)


def parameter_nodes(node: Node) -> list[Node]:
    """The patterns of one equation."""
    head = _infix_head(node) if node.child_by_field_name("name") is None else None
    sides = [head.child_by_field_name(side) for side in ("left_operand", "right_operand")] if head is not None else []
    listed = node.child_by_field_name("patterns")
    behind = [c for c in listed.named_children if c.type not in COMMENTS] if listed is not None else []
    return [side for side in sides if side is not None] + behind


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
        inside = part.child_by_field_name("pattern") if part.type in ("view_pattern", "field_pattern") else None
        if inside is not None:
            stack.append(inside)
        elif part.type == "variable":
            found[x.text(part)] = None
        elif part.type == "field_pattern":
            held = named(x, part.child_by_field_name("field"))
            found.update({held: None} if held else {})  # `B{total}`
        elif part.type == "signature":
            stack += part.named_children[:1]
        elif part.type != "view_pattern":
            stack += reversed(part.named_children)
    return list(found)
