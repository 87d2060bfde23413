"""Haskell's expressions and types, lowered.

A qualified name is one name with its dots (`Map.lookup`): that is what an import binds. Data constructors have names
apart from those of types; `Order` as a constructor is `Order{}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import DEFINED, NAME, SEQUENCE, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import call_result, definition, inner, integer
from loregraph.indexer.languages.rows import FLOAT, TEXT, having, lowerings, with_arguments

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
_OTHERS = "+ - * / ^ ^^ ** == /= < > <= >= && || ++ !! : >> *> <* $> <|> <> % .| .&. // \\\\ ! ~ !? % <**>"
_KNOWN = _APPLY_LEFT | _APPLY_RIGHT | frozenset(_OTHERS.split())
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
        module, inside = node.child_by_field_name("module"), named(x, node.child_by_field_name("id"))
        return x.text(module).rstrip(".") + "." + inside if module is not None and inside else ""
    return ""


def name(x: Extraction, node: Node) -> Expr:
    found = named(x, node)
    return (NAME, found) if found else UNKNOWN


def _application(node: Node, field: str = "function") -> tuple[Node, list[Node]]:
    """What is applied and what it is applied to, in order; types that are applied are left out."""
    given: list[Node] = []
    head = node
    while head.type == "apply":
        argument, function = head.child_by_field_name("argument"), head.child_by_field_name(field)
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
    head, given = _application(node)
    function = x.lower(head)
    if function[0] not in (NAME, DEFINED):
        return
    arguments = [x.lower(argument) for argument in given]
    run = around if around is not None and around.type == "infix" else None
    if run is not None and run.child_by_field_name("left_operand") == node:
        passes_on = named(x, run.child_by_field_name("operator")) in ("$", "$!")
        arguments += [x.lower(run.child_by_field_name("right_operand"))] if passes_on else []
    x.record_call(node, function, tuple(arguments))


def _chain(node: Node) -> Iterator[tuple[Node | None, Node | None]]:
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
    for operand, operator in _chain(node):
        behind = named(x, operator)
        if operand is not None:
            if standing is not None:
                _use_operator(x, standing, before, (x.lower(left), x.lower(operand)))
            if operand.type in NAMES:
                if behind in _APPLY_LEFT or before in _APPLY_RIGHT:
                    following = node.child_by_field_name("right_operand") if first and behind in ("$", "$!") else None
                    given = (x.lower(following),) if following is not None else ()
                    x.record_call(node if first else operand, name(x, operand), given)
                elif operand.type != "constructor":
                    read(x, operand, capture)
        before, left, standing, first = behind, operand, operator, False


def _use_operator(x: Extraction, node: Node, operator: str, given: tuple[Expr, ...]) -> None:
    """An operator that is not the libraries' own, or that the file says something of."""
    if not operator or operator.endswith("{}"):
        return
    if operator not in _KNOWN or operator in x.memo.get("operators", ()):
        kind = "call" if operator[-1].isalnum() or operator[-1] in "_'" else "operator"
        x.record_call(node, (NAME, operator), given, (), kind)


def record_section(x: Extraction, node: Node, capture: str) -> None:
    """`(f x +)`, `(`f` x)`."""
    applied = _APPLY_LEFT
    operand = node.child_by_field_name("left_operand")
    if operand is None:
        applied = _APPLY_RIGHT
        operand = node.child_by_field_name("right_operand")
    written = (c for c in node.named_children if c.type in ("operator", "infix_id", "qualified") and c != operand)
    operator = next(written, None)
    if operand is None:
        return
    sign = named(x, operator)
    if operand.type in NAMES and operand.type != "constructor":
        if sign in applied:
            x.record_call(operand, name(x, operand))
        else:
            read(x, operand, capture)
    if operator is not None:
        _use_operator(x, operator, sign, (x.lower(operand),))


def record_construction(x: Extraction, node: Node, capture: str) -> None:
    """`Order { total = 3 }`."""
    made = node.child_by_field_name("expression")
    if made is None or not named(x, made).endswith("{}"):
        return
    given = [
        (named(x, field.child_by_field_name("field")), x.lower(value))
        for field in node.children_by_field_name("field")
        if (value := field.child_by_field_name("expression")) is not None
    ]
    x.record_call(node, name(x, made), (), tuple(given))


def read(x: Extraction, node: Node, capture: str, kind: str = "read") -> None:
    """Keeps a name that stands for itself; `spec` drops the local ones when the file has been read."""
    found = named(x, node)
    if found and found != "otherwise" and not found.endswith("{}"):
        reads: list[tuple[int, int, int, int, str, str]] = x.memo.setdefault("reads", [])
        reads.append((x.scope, node.start_point[0] + 1, node.start_byte, x.block, found, kind))


def _applied_type(x: Extraction, node: Node) -> Expr:
    """`Map k v` as a type."""
    head, given = _application(node, "constructor")
    arguments = [x.lower(argument) for argument in given]
    if head.type != "variable":
        return with_arguments(x.lower(head), arguments)
    return arguments[0] if len(arguments) == 1 else (SEQUENCE, tuple(arguments))


EXPRESSIONS = lowerings(
    {
        "variable constructor name qualified prefix_id": name,
        "apply": having("constructor", _applied_type, call_result),
        "infix left_section right_section record": call_result,
        "parens literal strict_field lazy_field": inner,
        "tuple list": (SEQUENCE, "**^pragma,cpp"),
        "lambda lambda_case": definition,
        "conditional": (UNION, ("@then", "@else")),
        "signature": "@expression",
        "integer": integer,
        "float": FLOAT,
        "string char": TEXT,
        "forall context": "@type",
    }
)
