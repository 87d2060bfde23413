"""Solidity's expressions and types, lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    LITERAL,
    NAME,
    PARENT,
    RECEIVER,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import call_result, inner, integer, quoted
from loregraph.indexer.languages.rows import BOOLEAN, COMPARISONS, choose, lowerings
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node

_WORDS: Final[dict[str, Expr]] = {"this": (RECEIVER,), "super": (PARENT,)}
_SHORT: Final = {"uint": "uint256", "int": "int256", "byte": "bytes1", "address payable": "address"}
"""Types that are another name of one."""

MAX_PARTS: Final = 20
"""Most parts of a name."""


def _identifier(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return _WORDS.get(text) or (NAME, text)


def _primitive(x: Extraction, node: Node) -> Expr:
    text = x.folded(node, 40)
    return (NAME, _SHORT.get(text, text))


def path(x: Extraction, node: Node) -> Expr:
    """`M.IERC20`: the names that a node has, each a member of the one before."""
    found: Expr = UNKNOWN
    if node.named_child_count > MAX_PARTS:
        return found
    for part in node.named_children:
        if part.type == "identifier":
            text = x.text(part)
            found = (NAME, text) if found == UNKNOWN else (ATTRIBUTE, found, text)
    return found


def _type(x: Extraction, node: Node) -> Expr:
    """A type: a name, `T[]`, `mapping(K => V)`."""
    key, value = node.child_by_field_name("key_type"), node.child_by_field_name("value_type")
    if key is not None and value is not None:
        return (SUBSCRIPT, (NAME, "mapping"), (SEQUENCE, (x.lower(key), x.lower(value))))
    held = parts(x, node)
    if not held or any(part.type == "parameter" for part in held):
        return UNKNOWN
    first = x.lower(held[0])
    return (SUBSCRIPT, (NAME, "[]"), first) if held[0].type == "type_name" else first


_LAST: Final = frozenset({"expression", "binary_expression", "unary_expression", "ternary_expression"})


def owner_of(node: Node | None) -> Node | None:
    """What a member or a call behind `node` really belongs to: the grammar takes `a < b.c()` for `(a < b).c()`."""
    while node is not None and node.type in _LAST and node.named_child_count:
        node = node.named_child(node.named_child_count - 1)
    return node


def _member(x: Extraction, node: Node) -> Expr:
    name = node.child_by_field_name("property")
    if name is None:
        return UNKNOWN
    return (ATTRIBUTE, x.lower(owner_of(node.child_by_field_name("object"))), x.text(name))


def _call(x: Extraction, node: Node) -> Expr:
    """What a call gives; what the language's own functions give has a type that they say."""
    function = node.child_by_field_name("function")
    made = (
        _GIVES.get(x.text(function)) if function is not None and function.end_byte - function.start_byte < 30 else None
    )
    return call_result(x, node) if made is None else (TYPED, (NAME, made), UNKNOWN)


_GIVES: Final = {
    **dict.fromkeys(("keccak256", "sha256", "blockhash"), "bytes32"),
    **{f"abi.{name}": "bytes" for name in ("encode", "encodePacked", "encodeCall", "encodeWithSelector")},
    "abi.encodeWithSignature": "bytes",
    "bytes.concat": "bytes",
    "string.concat": "string",
}


def _arithmetic(x: Extraction, node: Node) -> Expr:
    """Of the type of the operand that has one."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    made = x.lower(left)
    return x.lower(right) if made[0] == LITERAL else made


EXPRESSIONS: Final = lowerings(
    {
        "identifier": _identifier,
        "yul_identifier": inner,
        "expression": inner,
        "parenthesized_expression": inner,
        "statement": inner,
        "call_argument": inner,
        "call_expression": _call,
        "member_expression": _member,
        "array_access": (SUBSCRIPT, "@base", "@index"),
        "slice_access": "@base",
        "struct_expression": "@type",
        "new_expression": "@name",
        "type_cast_expression": (TYPED, "@0", "@1"),
        "payable_conversion_expression": (TYPED, (NAME, "address"), "@0"),
        "ternary_expression": (UNION, ("@1", "@2")),
        "tuple_expression": (SEQUENCE, "*"),
        "inline_array_expression": (SEQUENCE, "*"),
        "assignment_expression": "@right",
        "binary_expression": choose("%operator", {COMPARISONS: BOOLEAN}, _arithmetic),
        "unary_expression": "@argument",
        "update_expression": "@argument",
        "boolean_literal": BOOLEAN,
        "number_literal": integer,
        "string_literal": inner,
        "string": quoted,
        "primitive_type": _primitive,
        "user_defined_type": path,
        "type_name": _type,
    }
)
