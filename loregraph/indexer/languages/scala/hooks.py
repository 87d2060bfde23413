"""What captured nodes of Scala are recorded as: calls (with arguments in several lists, with `new`, by operators), and
where values go (definitions, patterns, enumerators)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    LITERAL,
    NAME,
    PARENT,
    RECEIVER,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages import hooks
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import Given, enumerates, leaves, written
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.rows import choose
from loregraph.indexer.languages.scala.expressions import (
    COMPARISONS,
    callee,
    cases,
    declared_type,
    is_callee,
    is_mixed,
    made_type,
    make_local,
    value,
)
from loregraph.indexer.languages.spec import Hook

_TYPE_ARGUMENTS = frozenset({"type_identifier", "generic_type", "stable_type_identifier"})
_LITERALS = frozenset({"string", "integer_literal", "floating_point_literal", "character_literal", "boolean_literal"})
_NOT_CALLED = frozenset({*COMPARISONS.split(), "->"})
"""`->` makes a pair."""

_in_parentheses = hooks.arguments(
    choose("%.", {"assignment_expression": "`left"}, ""), choose("%.", {"assignment_expression": "@right"}, value)
)


def _call(x: Extraction, node: Node, capture: str) -> None:
    """`f(a)(b)` is one call: further lists of arguments are those of a function with several."""
    if is_callee(node) or (node.parent is not None and is_mixed(x, node.parent)):
        return
    lists: list[Node] = []
    function: Node | None = node
    while function is not None and function.type in ("call_expression", "generic_function"):
        given = function.child_by_field_name("arguments") if function.type == "call_expression" else None
        if given is not None:
            lists.append(given)
        function = function.child_by_field_name("function")
    if function is None or function.type == "instance_expression":
        return
    positional, named = _all_arguments(x, reversed(lists))
    expr = callee(x, function)
    if expr != (PARENT,) and expr[0] != LITERAL:
        x.record_call(node, expr, positional, named)


def _arguments(x: Extraction, node: Node) -> Given:
    """One list of arguments: in parentheses, a block, cases or what stands behind a colon."""
    return _in_parentheses(x, node) if node.type == "arguments" else ((value(x, node),), ())


def _all_arguments(x: Extraction, lists: Iterable[Node]) -> Given:
    given = [_arguments(x, listed) for listed in lists]
    return tuple(v for positional, _ in given for v in positional), tuple(v for _, named in given for v in named)


def _new(x: Extraction, node: Node, capture: str) -> None:
    """`new Foo(a)`, `new Foo { … }`."""
    if node.parent is not None and is_mixed(x, node.parent):
        return  # the class that it begins is made: see `_infix`
    type_ = made_type(x, node)
    positional, named = _all_arguments(x, node.children_by_field_name("arguments"))
    if _makes_own_class(x, node) or type_ is None:
        return
    made = x.lower(type_)
    while made[0] == SUBSCRIPT:
        made = made[1]
    x.record_call(node, made, positional, named, "new")


def _makes_own_class(x: Extraction, node: Node) -> bool:
    """Records what makes an instance of a class that is written in its place."""
    held = x.definition_at(node)
    if held == UNKNOWN:
        return False
    x.scope, x.block = x.definitions[held[1]].parent, -1  # its own definition has been opened already
    x.record_call(node, held, (), (), "new")
    return True


def _infix(x: Extraction, node: Node, capture: str) -> None:
    """`a op b`: a call on the left side, or on the right one where the operator ends in a colon."""
    left, operator, right = (node.child_by_field_name(f) for f in ("left", "operator", "right"))
    if left is None or operator is None or right is None:
        return
    text = plain(x, operator)
    if text in _NOT_CALLED or left.type in _LITERALS:
        return
    if text == "with" and is_mixed(x, node):
        _makes_own_class(x, node)
        return
    if text.endswith(":"):
        left, right = right, left
    several = right.type in ("tuple_expression", "parenthesized_expression") and x.definition_at(right) == UNKNOWN
    given = tuple(value(x, part) for part in (parts(right) if several else [right]))
    kind = "call" if text[:1].isalpha() else "operator"
    x.record_call(node, (ATTRIBUTE, x.lower(left), text), given, (), kind)


def _prefix(x: Extraction, node: Node, capture: str) -> None:
    sign = node.children[0].type if node.children else ""
    held = parts(node)
    if held and held[0].type not in _LITERALS:
        x.record_call(node, (ATTRIBUTE, x.lower(held[0]), f"unary_{sign}"), (), (), "operator")


def _value(x: Extraction, node: Node, capture: str) -> None:
    """A member or name on its own, whose reading no other fact has recorded."""
    around = node.parent
    written = around is not None and around.type == "assignment_expression"
    if written and around is not None and around.child_by_field_name("left") == node:
        return
    if not is_callee(node):
        x.lower(node)


def _cases(x: Extraction, node: Node, capture: str) -> None:
    if x.definition_at(node) != UNKNOWN:
        x.leave(node, cases(x, node))


def _placeholder(x: Extraction, node: Node, capture: str) -> None:
    if x.definition_at(node) != UNKNOWN:
        x.leave(node, x.lower(node))


def _type_argument(x: Extraction, node: Node, capture: str) -> None:
    if node.type in _TYPE_ARGUMENTS:
        x.refer(node, x.lower(node), "type")


_HOLDERS: Final = frozenset({"Some", "Right", "Left", "Success", "Failure", "Return", "Throw"})
"""Patterns that take the one element out of a value."""
_MAX_PATTERN = 200
"""Most parts of one pattern that are looked at."""


def _bind(x: Extraction, node: Node, pattern: Node | None, value: Expr, kind: str = "declare") -> None:
    """Binds the names of a pattern, each to its part of `value`."""
    stack: list[tuple[Node, Expr, Expr | None]] = []

    def push(part: Node | None, given: Expr, type_: Expr | None = None) -> None:
        if part is not None:
            stack.append((part, given, type_))

    push(pattern, value)
    count = 0
    while stack and count < _MAX_PATTERN:
        part, given, type_ = stack.pop()
        inside = part.child_by_field_name("pattern")
        count += 1
        if part.type == "identifier":
            text = plain(x, part)
            if text[:1].islower() or text[:1] == "_" or kind == "define":
                make_local(x, text)
                x.assign(node, (NAME, text), given, "declare" if kind == "define" else kind, type_)
        elif part.type == "typed_pattern":
            stated = declared_type(x, part)
            push(inside, (TYPED, stated, given) if stated is not None else given, stated)
        elif part.type == "capture_pattern":
            push(inside, given)
            written_type = inside.child_by_field_name("type") if inside is not None else None
            is_case = inside is not None and inside.type == "case_class_pattern" and written_type is not None
            push(part.child_by_field_name("name"), (TYPED, x.lower(written_type), given) if is_case else given)
        elif part.type == "tuple_pattern":
            for number, item in enumerate(parts(part)):
                push(item, (SUBSCRIPT, given, (LITERAL, "int", str(number))))
        elif part.type == "identifiers":
            stack += [(item, given, None) for item in parts(part)]
        elif part.type == "case_class_pattern":
            is_holder = plain(x, part.child_by_field_name("type")) in _HOLDERS
            element = (ELEMENT, given) if is_holder else UNKNOWN
            stack += [(item, element, None) for item in part.children_by_field_name("pattern")]
        elif part.type == "infix_pattern":
            push(part.child_by_field_name("left"), (ELEMENT, given))
            push(part.child_by_field_name("right"), given)
        elif part.type in ("alternative_pattern", "given_pattern"):
            stack += [(item, UNKNOWN, None) for item in parts(part)]


def _definition(x: Extraction, node: Node, capture: str) -> None:
    """`val x: T = v`, `var (a, b) = v`, `val x: T`."""
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    lowered = x.lower(node.child_by_field_name("value"))
    if pattern is None:
        return
    if pattern.type == "identifier":
        text = plain(x, pattern)
        make_local(x, text)
        x.assign(node, (NAME, text), lowered, "declare", declared_type(x, node))
    else:
        _bind(x, node, pattern, lowered, "define")


def _component(x: Extraction, node: Node, capture: str) -> None:
    """A parameter of a class: a field of it."""
    text = plain(x, node.child_by_field_name("name"))
    if not text or x.scope < 0:
        return
    make_local(x, text)
    x.assign(node, (NAME, text), x.lower(node.child_by_field_name("default_value")), "declare", declared_type(x, node))


def _self(x: Extraction, node: Node, capture: str) -> None:
    """`self: Other =>`: another name of `this`."""
    held = parts(node)
    if held and held[0].type == "identifier" and plain(x, held[0]) not in ("this", "_"):
        value: Expr = (RECEIVER,)
        if len(held) > 1:
            value = (UNION, ((RECEIVER,), (TYPED, x.lower(held[1]), UNKNOWN)))
        x.assign(node, (NAME, plain(x, held[0])), value, "declare")


def _type(x: Extraction, node: Node, capture: str) -> None:
    """`type Name = Other`: another name of it."""
    text, type_ = plain(x, node.child_by_field_name("name")), node.child_by_field_name("type")
    if text and type_ is not None:
        aliased = x.lower(type_)
        if aliased[0] in (NAME, ATTRIBUTE, SUBSCRIPT):
            x.assign(node, (NAME, text), aliased, "declare")


_given_type = written("@return_type")


def _given(x: Extraction, node: Node, capture: str) -> None:
    """`given name: T = v`."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None or body.type in ("with_template_body", "template_body"):
        return
    value = x.lower(body)
    if name is not None:
        x.assign(node, (NAME, plain(x, name)), value, "declare", _given_type(x, node))


def _values(x: Extraction, node: Node, capture: str) -> None:
    """`a.b = v`, `a(i) = v`; in a list of arguments it names one."""
    if node.parent is not None and node.parent.type == "arguments":
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return
    if left.type == "call_expression":
        given = left.child_by_field_name("arguments")
        keys = _arguments(x, given)[0] if given is not None else ()
        target: Expr = (SUBSCRIPT, x.lower(left.child_by_field_name("function")), keys[0] if keys else UNKNOWN)
    else:
        target = callee(x, left)
    value = x.lower(right)
    x.assign(node, target, value)
    if target[0] == ATTRIBUTE:
        x.record_call(node, (*target[:2], f"{target[2]}_="), (value,), (), "operator")


def _enumerator(x: Extraction, node: Node, capture: str) -> None:
    """`x <- xs`, `y = f(x)` in a `for`."""
    held = [part for part in parts(node) if part.type != "guard"]
    if len(held) < 2:
        return
    value = x.lower(held[1])
    each = any(c.type == "<-" for c in node.children)
    _bind(x, node, held[0], (ELEMENT, value) if each else value, "for" if each else "declare")


def _case(x: Extraction, node: Node, capture: str) -> None:
    """`case pattern =>`: of a `match`, of a `catch`, of a function written as cases."""
    pattern = node.child_by_field_name("pattern")
    around = node.parent.parent if node.parent is not None else None
    value: Expr = UNKNOWN
    if around is not None and around.type == "match_expression":
        value = x.lower(around.child_by_field_name("value"))
    elif node.parent is not None and x.definition_at(node.parent) != UNKNOWN:
        value = (NAME, "case")
    _bind(x, node, pattern, value)


HOOKS: Final[dict[str, Hook]] = {
    "call": _call,
    "call.new": _new,
    "call.infix": _infix,
    "call.prefix": _prefix,
    "reference.field": _value,
    "reference.name": _value,
    "reference.type": _type_argument,
    "assignment": _definition,
    "assignment.component": _component,
    "assignment.self": _self,
    "assignment.constant": enumerates((NAME, "`name!"), made=True),
    "assignment.type": _type,
    "assignment.given": _given,
    "assignment.expression": _values,
    "assignment.enumerator": _enumerator,
    "assignment.case": _case,
    "return.body": leaves("@."),
    "return.lambda": leaves("@-1!"),
    "return.cases": _cases,
    "return.placeholder": _placeholder,
    "return.given": leaves("@0"),
}
