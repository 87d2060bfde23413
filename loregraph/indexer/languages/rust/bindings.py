"""Where Rust puts values: declarations, assignments, fields, patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    LITERAL,
    MAPPING,
    NAME,
    SEQUENCE,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.rows import Row, choose, compiled, each, text_of
from loregraph.indexer.languages.rust.definitions import bound_of, bounds_in, impl_around, owner_of
from loregraph.indexer.languages.rust.expressions import is_macro
from loregraph.indexer.languages.rust.macros import ALTERNATIVES, MATCHES, matched
from loregraph.indexer.languages.rust.patterns import bindings
from loregraph.indexer.languages.spec import Hook

if TYPE_CHECKING:
    from tree_sitter import Node


def assign_positions(x: Extraction, node: Node, capture: str) -> None:
    """A tuple struct's fields are called `0`, `1`, …"""
    for i, type_ in enumerate(node.children_by_field_name("type")):
        x.assign(type_, (NAME, str(i)), UNKNOWN, "declare", x.lower(type_))


_HELD = choose(
    "%body",
    {
        "ordered_field_declaration_list": (SEQUENCE, each("body/type", (TYPED, "@.", UNKNOWN))),
        "field_declaration_list": (
            MAPPING,
            each("body/:field_declaration", ((LITERAL, "str", "$name"), (TYPED, "@type", UNKNOWN))),
        ),
    },
)


def assign_variant(x: Extraction, node: Node, capture: str) -> None:
    """A variant is a value of the enum's type; what it holds can be read from it like from a list or mapping."""
    if x.scope >= 0:
        value: Expr = (TYPED, (NAME, x.definitions[x.scope].name), UNKNOWN)
        held = _HELD(x, node)
        x.assign(node, (NAME, _name(x, node)), value if held == UNKNOWN else (UNION, (value, held)), "declare")


def _member_target(x: Extraction, node: Node) -> Expr:
    """The place that an associated constant or type of an `impl` goes to; elsewhere just its name."""
    around, name = impl_around(node), _name(x, node)
    return (NAME, name) if around is None else (ATTRIBUTE, owner_of(x, around.child_by_field_name("type"))[0], name)


def assign_constant(x: Extraction, node: Node, capture: str) -> None:
    target = _member_target(x, node)
    if target[-1] != "_":
        type_, value = _declared(x, node), x.lower(node.child_by_field_name("value"))
        if target[0] == ATTRIBUTE and type_ is not None:
            value = (TYPED, type_, value)
        x.assign(node, target, value, "declare", type_)


_name, _declared, _aliased = text_of("name"), written("@type"), compiled("@type|bounds")


def assign_alias(x: Extraction, node: Node, capture: str) -> None:
    """`type A = B`, in a trait `type A: B`: another name for the type."""
    type_ = _aliased(x, node)
    if type_ != UNKNOWN:
        x.assign(node, _member_target(x, node), type_)


def assign_bound(x: Extraction, node: Node, capture: str) -> None:
    """`T: Trait`: within its definition `T` is another name for its bound."""
    if node.parent is None or node.parent.parent is None or not x.definitions:
        return
    if node.parent.parent.type != "impl_item":  # those go to each method: see `assign_inherited`
        _assign_bounds(x, [node])


def assign_inherited(x: Extraction, node: Node, capture: str) -> None:
    """A method sees the bounds that its `impl` gives to type parameters."""
    around = impl_around(node)
    if around is not None:
        _assign_bounds(x, bounds_in(around))


def _assign_bounds(x: Extraction, nodes: list[Node]) -> None:
    x.scope, x.block = len(x.definitions) - 1, -1
    for node in nodes:
        bound = bound_of(x, node)
        if bound is not None:
            x.assign(node, (NAME, bound[0]), bound[1])


def assign_impl(x: Extraction, node: Node, capture: str) -> None:
    trait = node.child_by_field_name("trait")
    if trait is None or any(c.type == "!" for c in node.children):
        return
    type_ = owner_of(x, node.child_by_field_name("type"))[0]
    x.extras.setdefault("impls", []).append((type_, x.lower(trait), trait.start_point[0] + 1, x.scope))


def _bind(x: Extraction, pattern: Node | None, value: Expr, kind: str = "declare") -> None:
    for node, name, part in bindings(x, pattern, value):
        x.assign(node, (NAME, name), part, kind)


def takes_apart(kind: str, value: Row) -> Hook:
    """The names in the pattern of a node get their parts of a value."""
    read = compiled(value)
    return lambda x, node, capture: _bind(x, node.child_by_field_name("pattern"), read(x, node), kind)


def assign_let(x: Extraction, node: Node, capture: str) -> None:
    pattern, type_ = node.child_by_field_name("pattern"), _declared(x, node)
    value = x.lower(node.child_by_field_name("value"))
    if pattern is not None and pattern.type == "identifier":
        x.assign(node, (NAME, x.text(pattern)), value, "declare", type_)
    else:
        _bind(x, pattern, value if type_ is None else (TYPED, type_, value))


def assign_arm(x: Extraction, node: Node, capture: str) -> None:
    """An arm's pattern. The matched value is asked for only where the pattern binds a name."""
    pattern = node.child_by_field_name("pattern")
    around = node.parent.parent if node.parent is not None else None
    macro = x.memo.get(MATCHES, {}).get(around.start_byte) if around is not None else None
    if macro is not None and node.prev_named_sibling is None:
        x.record_call(node, (NAME, macro.decode()), kind="macro")
    if next(bindings(x, pattern, UNKNOWN), None) is not None:
        value = x.lower(around.child_by_field_name("value")) if around is not None else UNKNOWN
        if macro is not None:
            inner = named_part(pattern) if pattern is not None and pattern.type == "match_pattern" else pattern
            value = matched(x, node, macro, value, inner)
        _bind(x, pattern, value)


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), x.lower(node.child_by_field_name("right"))
    if _is_alternative(x, node):
        _bind(x, left, (AWAITED, right))
    else:
        x.assign(node, x.lower(left), right, "+=" if capture.endswith("augmented") else "=")


def _is_alternative(x: Extraction, node: Node) -> bool:
    """Whether an assignment is the head of an arm of `select!`, which reads as an argument."""
    call = node.parent.parent if node.parent is not None and node.parent.type == "arguments" else None
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and is_macro(x, function) and x.text(function).rpartition("::")[2] in ALTERNATIVES
