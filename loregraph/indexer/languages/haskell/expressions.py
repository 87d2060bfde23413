"""Haskell's expressions and types, lowered.

A qualified name is one name with its dots (`Map.lookup`): that is what an import binds. Data constructors have names
apart from those of types; `Order` as a constructor is `Order{}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import call_result, floating, inner, integer
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

COMMENTS = frozenset({"comment", "haddock", "pragma", "cpp"})
NAMES = frozenset({"variable", "qualified", "prefix_id", "constructor"})
"""Node types of names in expressions."""

_APPLY_LEFT = frozenset("$ $! $!! <$> <$!> <$$> <$ =<< <=< >=> . &&& *** <*> <<$>> <<< >>>".split())
"""Operators that run the function on their left."""
_APPLY_RIGHT = frozenset("& <&> >>= . <=< >=> &&& *** <<< >>> ??".split())
"""Operators that run the function on their right."""
_KNOWN = (
    _APPLY_LEFT
    | _APPLY_RIGHT
    | frozenset(
        "+ - * / ^ ^^ ** == /= < > <= >= && || ++ !! : >> *> <* $> <|> <> % .| .&. // \\\\ ! ~ !? % <**>".split()
    )
)
"""Operators that the libraries define: they are looked for only where the file defines or imports them by name."""
MAX_CHAIN = 400
"""Most operands of a run of operators that are looked at: generated tables have thousands."""


def constructor_name(text: str) -> str:
    """A data constructor's name, which is apart from that of types."""
    return text + "{}"


def named(x: Extraction, node: Node | None) -> str:
    """The name that a node says, "" where it is none."""
    if node is None:
        return ""
    kind = node.type
    if kind in ("variable", "name", "operator", "constructor_operator", "module"):
        return x.text(node)
    if kind == "constructor":
        return constructor_name(x.text(node))
    if kind in ("prefix_id", "infix_id", "field_name"):
        return named(x, node.named_children[0]) if node.named_children else ""
    if kind == "qualified":
        module, held = node.child_by_field_name("module"), node.child_by_field_name("id")
        inside = named(x, held)
        return x.text(module).rstrip(".") + "." + inside if module is not None and inside else ""
    return ""


def name(x: Extraction, node: Node) -> Expr:
    found = named(x, node)
    return ("n", found) if found else UNKNOWN


def application(node: Node) -> tuple[Node, list[Node]]:
    """What is applied and what it is applied to, in order; types that are applied are left out."""
    given: list[Node] = []
    head = node
    while head.type == "apply":
        argument, function = head.child_by_field_name("argument"), head.child_by_field_name("function")
        if function is None:
            break
        if argument is not None and argument.type != "type_application":
            given.append(argument)
        head = function
    given.reverse()
    return head, given


def record_application(x: Extraction, node: Node, capture: str) -> None:
    """`f x y`, with what `$` passes on."""
    around = node.parent
    if around is not None and around.type == "apply" and around.child_by_field_name("function") == node:
        return
    head, given = application(node)
    function = x.lower(head)
    if function[0] not in ("n", "f"):
        return
    arguments = [x.lower(argument) for argument in given]
    if around is not None and around.type == "infix" and _operator(x, around) in ("$", "$!"):
        left = around.child_by_field_name("left_operand")
        if left is not None and left.id == node.id:
            arguments.append(x.lower(around.child_by_field_name("right_operand")))
    x.record_call(node, function, tuple(arguments))


def _operator(x: Extraction, node: Node) -> str:
    return named(x, node.child_by_field_name("operator"))


def chain(node: Node) -> Iterator[tuple[Node | None, Node | None]]:
    """Operands of a run of operators, each with the operator behind it; the grammar nests them to the right whatever
    binds more tightly."""
    count = 0
    current: Node | None = node
    while current is not None and current.type == "infix" and count < MAX_CHAIN:
        yield current.child_by_field_name("left_operand"), current.child_by_field_name("operator")
        current = current.child_by_field_name("right_operand")
        count += 1
    yield current, None


def record_infix(x: Extraction, node: Node, capture: str) -> None:
    """A run of operators: the names that it applies, and operators that may be functions of the project."""
    around = node.parent
    if around is not None and around.type == "infix" and around.child_by_field_name("right_operand") == node:
        return
    before = ""
    first = True
    left: Node | None = None
    standing: Node | None = None
    for operand, operator in chain(node):
        behind = named(x, operator)
        if operand is not None:
            if standing is not None:
                _use_operator(x, standing, before, (x.lower(left), x.lower(operand)))
            if operand.type in NAMES:
                if behind in _APPLY_LEFT or before in _APPLY_RIGHT:
                    following = node.child_by_field_name("right_operand") if first and behind in ("$", "$!") else None
                    given = (x.lower(following),) if following is not None else ()
                    x.record_call(node if first else operand, name(x, operand), given, (), "call")
                elif operand.type != "constructor":
                    read(x, operand, "read")
        before, left, standing, first = behind, operand, operator, False


def _use_operator(x: Extraction, node: Node, operator: str, given: tuple[Expr, ...]) -> None:
    """An operator that is not the libraries' own, or that the file says something of."""
    if not operator or operator.endswith("{}"):
        return
    if operator not in _KNOWN or operator in x.memo.get("operators", ()):
        kind = "call" if operator[-1].isalnum() or operator[-1] in "_'" else "operator"
        x.record_call(node, ("n", operator), given, (), kind)


def record_section(x: Extraction, node: Node, capture: str) -> None:
    """`(f x +)`, `(`f` x)`."""
    operator = next(
        (c for c in node.named_children if c.type in ("operator", "infix_id", "qualified") and _is_operator(node, c)),
        None,
    )
    for field in ("left_operand", "right_operand"):
        operand = node.child_by_field_name(field)
        if operand is not None and operand.type in NAMES and operand.type != "constructor":
            text = named(x, operator)
            if text in (_APPLY_LEFT if field == "left_operand" else _APPLY_RIGHT):
                x.record_call(operand, name(x, operand))
            else:
                read(x, operand, "read")
        if operand is not None and operator is not None:
            _use_operator(x, operator, named(x, operator), (x.lower(operand),))


def _is_operator(section: Node, node: Node) -> bool:
    return all(section.child_by_field_name(field) != node for field in ("left_operand", "right_operand"))


def record_construction(x: Extraction, node: Node, capture: str) -> None:
    """`Order { total = 3 }`."""
    made = node.child_by_field_name("expression")
    if made is None or not named(x, made).endswith("{}"):
        return
    given = []
    for field in node.children_by_field_name("field"):
        value = field.child_by_field_name("expression")
        if value is not None:
            given.append((named(x, field.child_by_field_name("field")), x.lower(value)))
    x.record_call(node, name(x, made), (), tuple(given))


def read(x: Extraction, node: Node, kind: str) -> None:
    """Keeps a name that stands for itself; `spec` drops the local ones when the file has been read."""
    found = named(x, node)
    if found and found != "otherwise" and not found.endswith("{}"):
        reads: list[tuple[int, int, int, int, str, str]] = x.memo.setdefault("reads", [])
        reads.append((x.scope, node.start_point[0] + 1, node.start_byte, x.block, found, kind))


def _string(x: Extraction, node: Node) -> Expr:
    return ("k", "str", "")


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _tuple(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in node.named_children if c.type not in COMMENTS))


def _choice(x: Extraction, node: Node) -> Expr:
    return ("u", (x.lower(node.child_by_field_name("then")), x.lower(node.child_by_field_name("else"))))


def _applied_type(x: Extraction, node: Node) -> Expr:
    """`Map k v` as a type; in an expression, a call's result."""
    head = node.child_by_field_name("constructor")
    if head is None:
        return x.call_at(node)
    given: list[Expr] = []
    current: Node | None = node
    while current is not None and current.type == "apply":
        argument = current.child_by_field_name("argument")
        if argument is not None:
            given.append(x.lower(argument))
        current = current.child_by_field_name("constructor")
    given.reverse()
    if current is None or current.type == "variable":
        return given[0] if len(given) == 1 else ("l", tuple(given))
    return ("s", x.lower(current), given[0] if len(given) == 1 else ("l", tuple(given)))


def _typed(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("expression"))


EXPRESSIONS: dict[str, Lowering] = {
    "variable": name,
    "constructor": name,
    "name": name,
    "qualified": name,
    "prefix_id": name,
    "apply": _applied_type,
    "infix": call_result,
    "left_section": call_result,
    "right_section": call_result,
    "record": call_result,
    "parens": inner,
    "tuple": _tuple,
    "list": _tuple,
    "lambda": _lambda,
    "lambda_case": _lambda,
    "conditional": _choice,
    "signature": _typed,
    "literal": inner,
    "integer": integer,
    "float": floating,
    "string": _string,
    "char": _string,
    "strict_field": inner,
    "lazy_field": inner,
    "forall": lambda x, node: x.lower(node.child_by_field_name("type")),
    "context": lambda x, node: x.lower(node.child_by_field_name("type")),
}
