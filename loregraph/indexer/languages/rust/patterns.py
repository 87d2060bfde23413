"""Patterns: which names they bind, to which part of the value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_PARTS = 10_000
_SAME_VALUE = frozenset(
    {
        "mut_pattern",
        "ref_pattern",
        "reference_pattern",
        "match_pattern",
        "or_pattern",
        "box_pattern",
        "parenthesized_pattern",
    }
)
_PASSED_ON = frozenset({"Some", "Ok"})
"""Variants whose wrapper types stand for what they hold, so that their payload is the value itself."""


def is_variant(path: Expr) -> bool:
    """Whether a path like `Shape::Circle` names a variant: by the rules of naming, what is before it is a type."""
    return path[0] == "a" and path[1][0] in ("n", "a") and bool(path[1][-1]) and path[1][-1][:1].isupper()


def bindings(x: Extraction, pattern: Node | None, value: Expr) -> Iterator[tuple[Node, str, Expr]]:
    """(node, name, value) of every name that matching `value` with `pattern` binds."""
    stack: list[tuple[Node, Expr]] = [(pattern, value)] if pattern is not None else []
    for _ in range(_MAX_PARTS):
        if not stack:
            return
        node, part = stack.pop()
        kind = node.type
        if kind in ("identifier", "shorthand_field_identifier"):
            name = x.text(node)
            # A capital letter names a constant or a unit struct; only small letters bind.
            if not name[:1].isupper():
                yield node, name, part
        elif kind in _SAME_VALUE:
            condition = node.child_by_field_name("condition")
            stack += [
                (c, part) for c in reversed(node.named_children) if c.type != "mutable_specifier" and c != condition
            ]
        elif kind == "captured_pattern":
            stack += [(c, part) for c in reversed(node.named_children)]
        elif kind in ("tuple_pattern", "slice_pattern"):
            stack.extend(reversed(list(_positions(node, part))))
        elif kind == "tuple_struct_pattern":
            stack.extend(reversed(_payload(x, node, part)))
        elif kind == "struct_pattern":
            stack.extend(reversed(_fields(x, node, part)))


def written_as_value(x: Extraction, pattern: Node, value: Expr) -> Iterator[tuple[Node, str, Expr]]:
    """The same for a pattern that was read as an expression: what is assigned to."""
    stack: list[tuple[Node, Expr]] = [(pattern, value)]
    for _ in range(_MAX_PARTS):
        if not stack:
            return
        node, part = stack.pop()
        if node.type == "identifier":
            name = x.text(node)
            if not name[:1].isupper():
                yield node, name, part
        elif node.type == "tuple_expression":
            parts = [(c, ("s", part, ("k", "int", str(i)))) for i, c in enumerate(_members(node))]
            stack.extend(reversed(parts))
        elif node.type == "call_expression":
            function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            path = x.lower(function)
            passed = path[0] == "n" and path[1] in _PASSED_ON
            for i, child in enumerate(listed.named_children if listed is not None else ()):
                held = ("s", path, ("k", "int", str(i))) if is_variant(path) else UNKNOWN
                stack.append((child, part if passed else held))


def _members(node: Node) -> list[Node]:
    """The sub-patterns between brackets, the anonymous `_` and `..` included: positions count."""
    return [c for c in node.children if c.is_named or c.type in ("_", "..")]


def _positions(node: Node, value: Expr) -> Iterator[tuple[Node, Expr]]:
    rest = False
    position = 0
    for child in _members(node):
        if child.type in ("line_comment", "block_comment"):
            continue
        if child.type in ("remaining_field_pattern", ".."):
            rest = True
        else:
            key: Expr = UNKNOWN if rest or node.type == "slice_pattern" else ("k", "int", str(position))
            yield child, ("s", value, key)
        position += 1


def _payload(x: Extraction, node: Node, value: Expr) -> list[tuple[Node, Expr]]:
    type_ = node.child_by_field_name("type")
    path = x.lower(type_)
    parts: list[tuple[Node, Expr]] = []
    position = 0
    rest = False
    for child in _members(node):
        if child == type_ or child.type in ("line_comment", "block_comment"):
            continue
        if child.type in ("remaining_field_pattern", ".."):
            rest = True
        elif path[0] == "n" and path[1] in _PASSED_ON:
            parts.append((child, value))
        elif rest or path == ("n", "Err") or path == UNKNOWN:
            parts.append((child, UNKNOWN))
        elif is_variant(path):
            parts.append((child, ("s", path, ("k", "int", str(position)))))
        else:
            parts.append((child, ("a", ("t", path, UNKNOWN), str(position))))
        position += 1
    return parts


def _fields(x: Extraction, node: Node, value: Expr) -> list[tuple[Node, Expr]]:
    path = x.lower(node.child_by_field_name("type"))
    parts: list[tuple[Node, Expr]] = []
    for field in node.named_children:
        if field.type != "field_pattern":
            continue
        name = field.child_by_field_name("name")
        if name is None:
            continue
        text = x.text(name)
        part: Expr = ("a", ("t", path, value), text)
        if is_variant(path):
            part = ("s", path, ("k", "str", text))
        parts.append((field.child_by_field_name("pattern") or name, part))
    return parts


def as_target(x: Extraction, node: Node | None, depth: int = 0) -> Expr:
    """A pattern as the target of an assignment: what a parameter's pattern is kept as."""
    if node is None or depth > 20:
        return UNKNOWN
    kind = node.type
    if kind in ("identifier", "shorthand_field_identifier"):
        return ("n", x.text(node))
    if kind in _SAME_VALUE:
        return as_target(x, named_part(node, -1), depth + 1)
    if kind in ("tuple_pattern", "slice_pattern"):
        return ("l", tuple(as_target(x, c, depth + 1) for c in _members(node)))
    if kind == "tuple_struct_pattern":
        members = [c for c in _members(node) if c != node.child_by_field_name("type")]
        return ("d", tuple((("k", "str", str(i)), as_target(x, c, depth + 1)) for i, c in enumerate(members)))
    if kind == "struct_pattern":
        pairs: list[tuple[Expr, Expr]] = []
        for field in node.named_children:
            name = field.child_by_field_name("name") if field.type == "field_pattern" else None
            if name is not None:
                target = as_target(x, field.child_by_field_name("pattern") or name, depth + 1)
                pairs.append((("k", "str", x.text(name)), target))
        return ("d", tuple(pairs))
    return UNKNOWN
