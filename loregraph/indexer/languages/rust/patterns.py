"""Patterns: which names they bind, to which part of the value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, LITERAL, MAPPING, NAME, SEQUENCE, SUBSCRIPT, TYPED, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_PARTS = 10_000
_NAMES = frozenset({"identifier", "shorthand_field_identifier"})
_SAME_VALUE = frozenset(
    "mut_pattern ref_pattern reference_pattern match_pattern or_pattern box_pattern parenthesized_pattern".split()
)
_IN_ORDER = frozenset({"tuple_pattern", "slice_pattern"})
_PASSED_ON = frozenset({"Some", "Ok"})
"""Variants whose wrapper types stand for what they hold, so that their payload is the value itself."""

_Part = tuple["Node", Expr]


def is_variant(path: Expr) -> bool:
    """Whether a path like `Shape::Circle` names a variant: by the rules of naming, what is before it is a type."""
    return path[0] == ATTRIBUTE and path[1][0] in (NAME, ATTRIBUTE) and path[1][-1][:1].isupper()


def bindings(x: Extraction, pattern: Node | None, value: Expr) -> Iterator[tuple[Node, str, Expr]]:
    """(node, name, value) of every name that matching `value` with `pattern` binds.

    `pattern` may also have been read as an expression: what is assigned to."""
    stack: list[_Part] = [(pattern, value)] if pattern is not None else []
    for _ in range(_MAX_PARTS):
        if not stack:
            return
        node, part = stack.pop()
        kind = node.type
        if kind in _NAMES:
            name = x.text(node)
            # A capital letter names a constant or a unit struct; only small letters bind.
            if not name[:1].isupper():
                yield node, name, part
        elif kind in _SAME_VALUE:
            condition = node.child_by_field_name("condition")
            held = [c for c in node.named_children if c.type != "mutable_specifier" and c != condition]
            stack += [(c, part) for c in reversed(held)]
        elif kind == "captured_pattern":
            stack += [(c, part) for c in reversed(node.named_children)]
        elif kind in _IN_ORDER:
            stack += reversed(_positions(node, part))
        elif kind == "tuple_struct_pattern":
            stack += reversed(_payload(x, node, part))
        elif kind == "struct_pattern":
            stack += reversed(_fields(x, node, part))
        elif kind == "tuple_expression":
            parts = [(c, (SUBSCRIPT, part, (LITERAL, "int", str(i)))) for i, c in enumerate(_members(node))]
            stack += reversed(parts)
        elif kind == "call_expression":
            function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            path = x.lower(function)
            passed = path[0] == NAME and path[1] in _PASSED_ON
            for i, child in enumerate(listed.named_children if listed is not None else ()):
                of_variant = (SUBSCRIPT, path, (LITERAL, "int", str(i))) if is_variant(path) else UNKNOWN
                stack.append((child, part if passed else of_variant))


def _members(node: Node, but: Node | None = None) -> list[Node]:
    """The sub-patterns between brackets, the anonymous `_` and `..` included: positions count."""
    return [c for c in node.children if (c.is_named or c.type in ("_", "..")) and c != but]


def _numbered(node: Node, but: Node | None = None) -> Iterator[tuple[Node, str]]:
    """The sub-patterns between brackets with their positions: "" for those behind a `..`."""
    rest = False
    members = [member for member in _members(node, but) if member.type not in ("line_comment", "block_comment")]
    for position, member in enumerate(members):
        if member.type in ("remaining_field_pattern", ".."):
            rest = True
        else:
            yield member, "" if rest else str(position)


def _positions(node: Node, value: Expr) -> list[_Part]:
    ordered = node.type == "tuple_pattern"
    return [
        (member, (SUBSCRIPT, value, (LITERAL, "int", position) if position and ordered else UNKNOWN))
        for member, position in _numbered(node)
    ]


def _payload(x: Extraction, node: Node, value: Expr) -> list[_Part]:
    type_ = node.child_by_field_name("type")
    path = x.lower(type_)
    parts: list[_Part] = []
    for member, position in _numbered(node, type_):
        part: Expr = UNKNOWN
        if path[0] == NAME and path[1] in _PASSED_ON:
            part = value
        elif not position or path in ((NAME, "Err"), UNKNOWN):
            pass
        elif is_variant(path):
            part = (SUBSCRIPT, path, (LITERAL, "int", position))
        else:
            part = (ATTRIBUTE, (TYPED, path, UNKNOWN), position)
        parts.append((member, part))
    return parts


def _named_fields(x: Extraction, node: Node) -> Iterator[tuple[str, Node]]:
    """The fields of a struct's pattern: names, and what each is matched with."""
    for field in node.named_children:
        name = field.child_by_field_name("name") if field.type == "field_pattern" else None
        if name is not None:
            yield x.text(name), field.child_by_field_name("pattern") or name


def _fields(x: Extraction, node: Node, value: Expr) -> list[_Part]:
    path = x.lower(node.child_by_field_name("type"))
    of_variant = is_variant(path)
    return [
        (held, (SUBSCRIPT, path, (LITERAL, "str", name)) if of_variant else (ATTRIBUTE, (TYPED, path, value), name))
        for name, held in _named_fields(x, node)
    ]


def as_target(x: Extraction, node: Node | None, depth: int = 0) -> Expr:
    """A pattern as the target of an assignment: what a parameter's pattern is kept as."""
    if node is None or depth > 20:
        return UNKNOWN
    kind = node.type
    if kind in _NAMES:
        return (NAME, x.text(node))
    if kind in _SAME_VALUE:
        return as_target(x, named_part(node, -1), depth + 1)
    if kind in _IN_ORDER:
        return (SEQUENCE, tuple(as_target(x, member, depth + 1) for member in _members(node)))
    if kind == "tuple_struct_pattern":
        named = [(str(i), c) for i, c in enumerate(_members(node, node.child_by_field_name("type")))]
    elif kind == "struct_pattern":
        named = list(_named_fields(x, node))
    else:
        return UNKNOWN
    return (MAPPING, tuple(((LITERAL, "str", name), as_target(x, held, depth + 1)) for name, held in named))
