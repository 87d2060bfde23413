"""What means the same in many languages: names, literals without more to say, nodes that add nothing; and what they are
read by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, FILLED, NAME, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node


_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "multiline_comment", "documentation_comment"})
"""Comments, as grammars that put them among the parts of a node call them."""


def parts(node: Node | None) -> list[Node]:
    """Named children that are no comments."""
    return [c for c in node.named_children if c.type not in _COMMENTS] if node is not None else []


def named_part(node: Node | None, index: int = 0) -> Node | None:
    """Named child number `index`, negative ones from the end; None where there is none (broken code has gaps)."""
    count = node.named_child_count if node is not None else 0
    if node is None or not -count <= index < count:
        return None
    return node.named_child(index if index >= 0 else count + index)  # all of them are slow to make


def filled_in(text: str) -> Expr:
    """A string with parts filled in, each `FILLED` in `text`: kept where it may be the name of something, by what it
    begins and ends with."""
    before, _, rest = text.partition(FILLED)
    after = rest.rpartition(FILLED)[2]
    is_name = 0 < len(before) + len(after) < MAX_LITERAL and _NAME.fullmatch(before + after) is not None
    return ("k", "format", f"{before}{FILLED}{after}") if is_name else ("k", "str", "")


_NAME = re.compile(r"[\w$]+")


def is_read_twice(expr: Expr) -> bool:
    """Whether an expression, or what it starts from, is two readings of one: two of those again at each further step
    of `a.first.first.first` would double it with each."""
    at: object = expr
    while isinstance(at, tuple) and len(at) > 1:
        if at[0] == "u":
            return True
        at = at[1]
    return False


def child(node: Node | None, *types: str) -> Node | None:
    """The first child of one of these types."""
    for part in node.named_children if node is not None else ():
        if part.type in types:
            return part
    return None


def around(node: Node | None, *types: str) -> Node | None:
    """The nearest node around `node` that is of one of these types."""
    held = node.parent if node is not None else None
    while held is not None and held.type not in types:
        held = held.parent
    return held


def plain(x: Extraction, node: Node | None) -> str:
    """A name without what it may be written in (see `LanguageSpec.name_marks`)."""
    return x.text(node).strip(x.spec.name_marks) if node is not None else ""


def dotted(text: str, limit: int = MAX_EXPRESSION_DEPTH) -> Expr:
    """`a.b.c` as members of members, at most `limit` of them."""
    return members(text.split("."), limit)


def members(names: Sequence[str], limit: int = MAX_EXPRESSION_DEPTH) -> Expr:
    """The first name, and the others as members of members, at most `limit` of them."""
    expr: Expr = (NAME, names[0])
    for member in names[1 : limit + 1]:
        expr = (ATTRIBUTE, expr, member)
    return expr


def name(x: Extraction, node: Node) -> Expr:
    return ("n", x.text(node))


def plain_name(x: Extraction, node: Node) -> Expr:
    """A name that may be written in backticks and the like."""
    return (NAME, x.text(node).strip(x.spec.name_marks))


def this(x: Extraction, node: Node) -> Expr:
    return ("v",)


def parent(x: Extraction, node: Node) -> Expr:
    """`super`, `base`."""
    return ("p",)


def call_result(x: Extraction, node: Node) -> Expr:
    return x.call_at(node)


def definition(x: Extraction, node: Node) -> Expr:
    """A function or class expression."""
    return x.definition_at(node)


def inner(x: Extraction, node: Node) -> Expr:
    """The first part of `node` that is no comment: `node` adds nothing to it."""
    first = node.named_child(0) if node.named_child_count else None
    if first is not None and first.type in x.spec.comments:
        first = next((part for part in node.named_children if part.type not in x.spec.comments), None)
    return x.lower(first)


def last(x: Extraction, node: Node) -> Expr:
    """The last part of `node` that is no comment: what a run of statements gives."""
    comments = x.spec.comments
    for part in reversed(node.named_children):
        if part.type not in comments:
            return x.lower(part)
    return UNKNOWN


def boolean(x: Extraction, node: Node) -> Expr:
    return ("k", "bool", "")


def nothing(x: Extraction, node: Node) -> Expr:
    return ("k", "none", "")


def integer(x: Extraction, node: Node) -> Expr:
    return ("k", "int", x.text(node)[:MAX_LITERAL])


def floating(x: Extraction, node: Node) -> Expr:
    return ("k", "float", "")


def quoted(x: Extraction, node: Node) -> Expr:
    """A string in one sign at each end, its text where that is short."""
    short = node.end_byte - node.start_byte - 2 <= MAX_LITERAL
    return ("k", "str", x.source[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "replace") if short else "")


def put_into_text(x: Extraction, node: Node, value: Expr, method: str) -> None:
    """Notes that `value`, a part of a string, has its method of that name run where it is a thing of the project."""
    if value[0] in ("n", "a", "c", "s", "v"):
        x.record_call(node, ("a", value, method), (), (), "operator")


def string_of(content: str) -> Lowering:
    """A string whose text is its only part, of the type `content`; one with anything else in it has no text."""

    def string(x: Extraction, node: Node) -> Expr:
        held = [part for part in node.named_children if part.type not in x.spec.comments]
        if len(held) == 1 and held[0].type == content and held[0].end_byte - held[0].start_byte <= MAX_LITERAL:
            return ("k", "str", x.text(held[0]))
        return ("k", "str", "")

    return string
