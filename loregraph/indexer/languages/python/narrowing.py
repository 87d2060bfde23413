"""What tests of types say of names where they have passed: `isinstance(x, T)`, `issubclass(x, T)`, `callable(x)`.

Each becomes an assignment of kind "is" or "is not" (see `facts.Assignment`), placed where it begins to hold: at the
start of a branch, behind a statement that leaves where the test fails, at the operand behind an `and`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import NAME, OPERATION, SEQUENCE, SUBSCRIPT, UNION, UNKNOWN, Assignment, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part, parts
from loregraph.indexer.languages.python.expressions import options

if TYPE_CHECKING:
    from tree_sitter import Node

Test = tuple[str, Expr | None, bool]
"""A name, the type that it is of (None: what can be called), whether it is."""

UNPLACED: Final = -2
"""Block of what finds its own by its place."""
_TESTS: Final = frozenset({"isinstance", "issubclass", "callable"})
_LEAVING: Final = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
MAX_TESTS: Final = 20
"""Most tests of one condition that count, the last ones, and most conditions of a chain of branches, the first ones."""
MAX_STEPS: Final = 200
"""Most parts of one condition that are looked at for tests."""


def narrow(x: Extraction, node: Node, capture: str) -> None:
    """Records what the tests of a statement or expression say, if it has any."""
    _ROWS[node.type](x, node)


def _tested(x: Extraction, node: Node | None) -> bool:
    """Whether a condition may hold a test at all: few do."""
    if node is None:
        return False
    find, start, end = x.source.find, node.start_byte, node.end_byte
    return (
        find(b"isinstance", start, end) >= 0
        or find(b"issubclass", start, end) >= 0
        or find(b"callable", start, end) >= 0
    )


def _tests(x: Extraction, node: Node | None, passed: bool) -> list[Test]:
    """What is known once a condition was true (`passed`) or false."""
    found: list[Test] = []
    stack = [(node, passed)]
    steps = 0
    while stack and len(found) < MAX_TESTS and steps < MAX_STEPS:
        steps += 1
        part, holds = stack.pop()
        while part is not None and part.type in ("parenthesized_expression", "not_operator"):
            if part.type == "not_operator":
                holds = not holds
            part = named_part(part)
        if part is None:
            continue
        if part.type == "boolean_operator":
            operator = part.child_by_field_name("operator")
            left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
            if (operator is not None and operator.type == "and") == holds:
                stack += [(left, holds), (right, holds)]
            else:
                found += _either(_tests_of_one(x, left, holds), _tests_of_one(x, right, holds))
        else:
            found += _tests_of_one(x, part, holds)
    return found


def _either(left: list[Test], right: list[Test]) -> list[Test]:
    """`isinstance(x, A) or isinstance(x, B)`."""
    if not left or not right or left[0][0] != right[0][0] or left[0][1] is None or right[0][1] is None:
        return []
    if not (left[0][2] and right[0][2]):
        return []
    return [(left[0][0], (UNION, (*options(left[0][1]), *options(right[0][1]))), True)]


def _tests_of_one(x: Extraction, node: Node | None, holds: bool) -> list[Test]:
    """The test that a call is; nothing for any other expression."""
    while node is not None and node.type == "parenthesized_expression":
        node = named_part(node)
    if node is None or node.type != "call":
        return []
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or function.type != "identifier" or listed is None or x.text(function) not in _TESTS:
        return []
    arguments = parts(listed)
    subject = arguments[0] if arguments else None
    if subject is not None and subject.type == "named_expression":
        subject = subject.child_by_field_name("name")
    if subject is None or subject.type != "identifier":
        return []
    test = x.text(function)
    if test == "callable":
        return [(x.text(subject), None, holds)] if len(arguments) == 1 else []
    if len(arguments) != 2:
        return []
    type_ = _type(x.lower(arguments[1]))
    return [(x.text(subject), (SUBSCRIPT, (NAME, "type"), type_) if test == "issubclass" else type_, holds)]


def _type(expr: Expr) -> Expr:
    """`(A, (B, C))` and `A | B` as one of several."""
    if expr[0] == SEQUENCE:
        return (UNION, tuple(option for item in expr[1] for option in options(_type(item))))
    if expr[0] == OPERATION and expr[1] == "|":
        return (UNION, (*options(_type(expr[2])), *options(_type(expr[3]))))
    return expr


def _note(x: Extraction, place: Node | None, tests: list[Test]) -> None:
    """Records `tests` as what holds from `place` to the end of the block that it stands in."""
    if place is None:
        return
    for name, type_, holds in tests:
        kind = "is" if holds else "is not"
        line = place.start_point[0] + 1
        x.assignments.append(Assignment(x.scope, line, place.start_byte, UNPLACED, UNKNOWN, (NAME, name), type_, kind))


def _leaves(block: Node | None) -> bool:
    """Whether what follows a block is never reached through it."""
    held = parts(block)
    return bool(held) and held[-1].type in _LEAVING


def _if(x: Extraction, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    alternatives = node.children_by_field_name("alternative")
    failed: list[Test] = []
    left = True
    for branch in (None, *alternatives[:MAX_TESTS]):
        if branch is not None:
            condition, body = branch.child_by_field_name("condition"), branch.child_by_field_name("consequence")
            if branch.type == "else_clause":
                _note(x, branch.child_by_field_name("body"), failed)
                return
        if _tested(x, condition):
            _note(x, body, [*failed, *_tests(x, condition, True)])
            failed = [*failed, *_tests(x, condition, False)][:MAX_TESTS]
        else:
            _note(x, body, failed)
        left = left and _leaves(body)
    if left and len(alternatives) <= MAX_TESTS:
        _note(x, node.next_named_sibling, failed)


def _while(x: Extraction, node: Node) -> None:
    condition = node.child_by_field_name("condition")
    if _tested(x, condition):
        _note(x, node.child_by_field_name("body"), _tests(x, condition, True))


def _assert(x: Extraction, node: Node) -> None:
    condition = named_part(node)
    if _tested(x, condition):
        _note(x, node.next_named_sibling, _tests(x, condition, True))


def _operands(x: Extraction, node: Node) -> None:
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if operator is not None and _tested(x, left):
        _note(x, node.child_by_field_name("right"), _tests(x, left, operator.type == "and"))


def _conditional(x: Extraction, node: Node) -> None:
    held = parts(node)
    if len(held) == 3 and _tested(x, held[1]):
        _note(x, held[0], _tests(x, held[1], True))
        _note(x, held[2], _tests(x, held[1], False))


def _comprehension(x: Extraction, node: Node) -> None:
    tests: list[Test] = []
    for child in node.named_children[1:]:
        if child.type == "if_clause" and _tested(x, child):
            tests += _tests(x, named_part(child), True)
    _note(x, node.child_by_field_name("body"), tests)


_ROWS: Final = {
    "if_statement": _if,
    "while_statement": _while,
    "assert_statement": _assert,
    "boolean_operator": _operands,
    "conditional_expression": _conditional,
    **dict.fromkeys(("list_comprehension", "set_comprehension", "generator_expression"), _comprehension),
}
