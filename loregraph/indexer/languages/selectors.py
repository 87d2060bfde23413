"""Which nodes around a node a row speaks of: selectors, compiled once into functions.

A selector is a path of steps with `/` between them, from the node that a row is for:

    field       the child by that field
    0, -1       a part (a named child that is no comment) by its number, negative ones from the end
    *           any part
    :type,type  the first named child of one of these types
    ^type,type  the first part that is of none of these types
    step|step   the first of them that is there
    ?step       that step, or the node itself where there is no such node
    .           the node itself

As one node a step is the first that fits, as many it is all that do: `:arm/value` is the value of the first arm, or the
values of all arms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

One = Callable[["Extraction", "Node"], "Node | None"]
Many = Callable[["Extraction", "Node"], "list[Node]"]

_mentioned: dict[int, tuple[object, frozenset[str]]] = {}


def mentioning(made: object, *of: object) -> None:
    """Notes that `made` was compiled from `of`: selectors, or what was compiled before."""
    words: set[str] = set()
    for source in of:
        words |= _words(source) if isinstance(source, str) else mentioned(source)
    _mentioned[id(made)] = (made, frozenset(words))


def mentioned(made: object) -> frozenset[str]:
    """The fields, and the node types (with a colon before them), that a compiled row speaks of: what a grammar must
    have."""
    return _mentioned[id(made)][1] if id(made) in _mentioned else frozenset()


def _words(selector: str) -> set[str]:
    found: set[str] = set()
    for step in _steps(selector):
        for part in step.lstrip("?").split("|"):
            if part[0] in ":^":
                found |= {f":{kind}" for kind in part[1:].split(",")}
            elif part != "*" and not _is_number(part):
                found.add(part)
    return found


def _steps(selector: str) -> list[str]:
    return [step for step in selector.split("/") if step not in ("", ".")]


def _is_number(step: str) -> bool:
    return step.lstrip("-").isdigit()


def one(selector: str) -> One:
    """The node that `selector` is."""
    steps = [_first(step) for step in _steps(selector)]
    if not steps:
        return lambda x, node: node
    if len(steps) == 1:
        return steps[0]

    def along(x: Extraction, node: Node) -> Node | None:
        at: Node | None = node
        for step in steps:
            if at is None:
                return None
            at = step(x, at)
        return at

    return along


def many(selector: str) -> Many:
    """All nodes that `selector` is."""
    steps = [_all(step) for step in _steps(selector)]
    if not steps:
        return lambda x, node: [node]
    if len(steps) == 1:
        return steps[0]

    def along(x: Extraction, node: Node) -> list[Node]:
        at = [node]
        for step in steps:
            if len(at) == 1:
                at = step(x, at[0])
            elif at:
                at = [found for held in at for found in step(x, held)]
        return at

    return along


def parts(x: Extraction, node: Node | None) -> list[Node]:
    """The named children of `node` that are no comments."""
    if node is None:
        return []
    comments = x.spec.comments
    return [part for part in node.named_children if part.type not in comments]


def _first(step: str) -> One:
    if step == "*" or _is_number(step):
        return _numbered(0 if step == "*" else int(step))
    if step[0] == "?":
        wanted = _first(step[1:])
        return lambda x, node: wanted(x, node) or node
    if "|" in step:
        first, second = (_first(either) for either in step.split("|", 1))
        return lambda x, node: first(x, node) or second(x, node)
    types = frozenset(step[1:].split(","))
    if step[0] == ":":

        def typed(x: Extraction, node: Node) -> Node | None:
            for part in node.named_children:
                if part.type in types:
                    return part
            return None

        return typed
    if step[0] == "^":

        def other(x: Extraction, node: Node) -> Node | None:
            comments = x.spec.comments
            return next((p for p in node.named_children if p.type not in types and p.type not in comments), None)

        return other
    return lambda x, node: node.child_by_field_name(step)


def _numbered(number: int) -> One:
    def part(x: Extraction, node: Node) -> Node | None:
        comments = x.spec.comments
        held = [child for child in node.named_children if child.type not in comments]
        return held[number] if -len(held) <= number < len(held) else None

    def end(x: Extraction, node: Node) -> Node | None:
        count = node.named_child_count
        if not count:
            return None
        found = node.named_child(number and count - 1)  # all of them are slow to make
        return part(x, node) if found is None or found.type in x.spec.comments else found

    return end if number in (0, -1) else part


def _all(step: str) -> Many:
    if _is_number(step):
        single = _numbered(int(step))
        return lambda x, node: [found] if (found := single(x, node)) is not None else []
    if step == "*":
        return parts
    if step[0] == "?":
        wanted = _all(step[1:])
        return lambda x, node: wanted(x, node) or [node]
    if "|" in step:
        first, second = (_all(either) for either in step.split("|", 1))
        return lambda x, node: first(x, node) or second(x, node)
    types = frozenset(step[1:].split(","))
    if step[0] == ":":
        return lambda x, node: [part for part in node.named_children if part.type in types]
    if step[0] == "^":
        return lambda x, node: [part for part in parts(x, node) if part.type not in types]

    def in_field(x: Extraction, node: Node) -> list[Node]:
        # Most nodes lack most fields, and the list of all in one is slow to make.
        return node.children_by_field_name(step) if node.child_by_field_name(step) is not None else []

    return in_field
