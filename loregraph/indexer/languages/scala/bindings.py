"""Where Scala's values go: definitions, patterns, enumerators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.scala.calls import arguments
from loregraph.indexer.languages.scala.expressions import callee, make_local
from loregraph.indexer.languages.scala.types import declared_type

if TYPE_CHECKING:
    from tree_sitter import Node

_HOLDERS: Final = frozenset({"Some", "Right", "Left", "Success", "Failure", "Return", "Throw"})
"""Patterns that take the one element out of a value."""
_MAX_PATTERN = 200
"""Most parts of one pattern that are looked at."""


def bind(x: Extraction, node: Node, pattern: Node | None, value: Expr, kind: str = "declare") -> None:
    """Binds the names of a pattern, each to its part of `value`."""
    stack: list[tuple[Node, Expr, Expr | None]] = [(pattern, value, None)] if pattern is not None else []
    count = 0
    while stack and count < _MAX_PATTERN:
        part, given, type_ = stack.pop()
        count += 1
        if part.type == "identifier":
            text = plain(x, part)
            if text[:1].islower() or text[:1] == "_" or kind == "define":
                make_local(x, text)
                x.assign(node, ("n", text), given, "declare" if kind == "define" else kind, type_)
        elif part.type == "typed_pattern":
            stated = declared_type(x, part)
            inside = part.child_by_field_name("pattern")
            if inside is not None:
                stack.append((inside, ("t", stated, given) if stated is not None else given, stated))
        elif part.type == "capture_pattern":
            name, inside = part.child_by_field_name("name"), part.child_by_field_name("pattern")
            held = given
            if inside is not None:
                written = inside.child_by_field_name("type")
                if written is not None and inside.type == "case_class_pattern":
                    held = ("t", x.lower(written), given)
                stack.append((inside, given, None))
            if name is not None:
                stack.append((name, held, None))
        elif part.type == "tuple_pattern":
            for number, item in enumerate(parts(part)):
                stack.append((item, ("s", given, ("k", "int", str(number))), None))
        elif part.type == "identifiers":
            stack += [(item, given, None) for item in parts(part)]
        elif part.type == "case_class_pattern":
            written = part.child_by_field_name("type")
            element: Expr = ("i", given) if plain(x, written) in _HOLDERS else UNKNOWN
            stack += [(item, element, None) for item in part.children_by_field_name("pattern")]
        elif part.type == "infix_pattern":
            left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
            if left is not None:
                stack.append((left, ("i", given), None))
            if right is not None:
                stack.append((right, given, None))
        elif part.type in ("alternative_pattern", "given_pattern"):
            stack += [(item, UNKNOWN, None) for item in parts(part)]


def assign_definition(x: Extraction, node: Node, capture: str) -> None:
    """`val x: T = v`, `var (a, b) = v`, `val x: T`."""
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    lowered = x.lower(value) if value is not None else UNKNOWN
    if pattern is None:
        return
    if pattern.type == "identifier":
        text = plain(x, pattern)
        make_local(x, text)
        x.assign(node, ("n", text), lowered, "declare", declared_type(x, node))
    else:
        bind(x, node, pattern, lowered, "define")


def assign_component(x: Extraction, node: Node, capture: str) -> None:
    """A parameter of a class: a field of it."""
    text = plain(x, node.child_by_field_name("name"))
    if not text or x.scope < 0:
        return
    default = node.child_by_field_name("default_value")
    make_local(x, text)
    x.assign(node, ("n", text), x.lower(default) if default is not None else UNKNOWN, "declare", declared_type(x, node))


def assign_self(x: Extraction, node: Node, capture: str) -> None:
    """`self: Other =>`: another name of `this`."""
    held = parts(node)
    if held and held[0].type == "identifier" and plain(x, held[0]) not in ("this", "_"):
        value: Expr = ("v",)
        if len(held) > 1:
            value = ("u", (("v",), ("t", x.lower(held[1]), UNKNOWN)))
        x.assign(node, ("n", plain(x, held[0])), value, "declare")


def assign_constant(x: Extraction, node: Node, capture: str) -> None:
    """A case of an enum without parameters: an instance of it."""
    text = plain(x, node.child_by_field_name("name"))
    if text and x.scope >= 0:
        owner = x.definitions[x.scope].name
        x.assign(node, ("n", text), ("t", ("n", owner), UNKNOWN), "declare", ("n", owner))


def assign_type(x: Extraction, node: Node, capture: str) -> None:
    """`type Name = Other`: another name of it."""
    text, type_ = plain(x, node.child_by_field_name("name")), node.child_by_field_name("type")
    if text and type_ is not None:
        aliased = x.lower(type_)
        if aliased[0] in ("n", "a", "s"):
            x.assign(node, ("n", text), aliased, "declare")


def assign_given(x: Extraction, node: Node, capture: str) -> None:
    """`given name: T = v`."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None or body.type in ("with_template_body", "template_body"):
        return
    type_ = node.child_by_field_name("return_type")
    value = x.lower(body)
    if name is not None:
        x.assign(node, ("n", plain(x, name)), value, "declare", x.lower(type_) if type_ is not None else None)


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    """`a.b = v`, `a(i) = v`; in a list of arguments it names one."""
    if node.parent is not None and node.parent.type == "arguments":
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return
    if left.type == "call_expression":
        given = left.child_by_field_name("arguments")
        keys = arguments(x, given)[0] if given is not None else []
        target: Expr = ("s", x.lower(left.child_by_field_name("function")), keys[0] if keys else UNKNOWN)
    else:
        target = callee(x, left)
    value = x.lower(right)
    x.assign(node, target, value)
    if target[0] == "a":
        x.record_call(node, (*target[:2], f"{target[2]}_="), (value,), (), "operator")


def assign_enumerator(x: Extraction, node: Node, capture: str) -> None:
    """`x <- xs`, `y = f(x)` in a `for`."""
    held = [part for part in parts(node) if part.type != "guard"]
    if len(held) < 2:
        return
    value = x.lower(held[1])
    each = any(c.type == "<-" for c in node.children)
    bind(x, node, held[0], ("i", value) if each else value, "for" if each else "declare")


def assign_case(x: Extraction, node: Node, capture: str) -> None:
    """`case pattern =>`: of a `match`, of a `catch`, of a function written as cases."""
    pattern = node.child_by_field_name("pattern")
    around = node.parent.parent if node.parent is not None else None
    value: Expr = UNKNOWN
    if around is not None and around.type == "match_expression":
        value = x.lower(around.child_by_field_name("value"))
    elif node.parent is not None and x.definition_at(node.parent) != UNKNOWN:
        value = ("n", "case")
    bind(x, node, pattern, value)
