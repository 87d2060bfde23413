"""What R's expressions are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    FILE_SCOPE,
    LITERAL,
    MODULE,
    NAME,
    PARENT,
    RECEIVER,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.hooks import arguments
from loregraph.indexer.languages.lowering import call_result, definition, integer, last
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, choose, compiled, lowerings, together

if TYPE_CHECKING:
    from tree_sitter import Node

ASSIGNING: Final = frozenset({"<-", "<<-", "=", "->", "->>"})
PIPES: Final = frozenset({"|>", "%>%", "%<>%", "%T>%", "%$%"})
_OBJECT: Final[dict[str, Expr]] = {
    "self": (RECEIVER,), "private": (RECEIVER,), ".self": (RECEIVER,), "super": (PARENT,),
}  # fmt: skip
"""How methods of R6 and reference classes call their object."""


def unquoted(x: Extraction, node: Node | None) -> str:
    """A name as it is looked up: without backticks or quotes."""
    return x.text(node).strip("`\"'") if node is not None else ""


def text_in(x: Extraction, node: Node | None) -> str:
    """The text of a string; "" for anything else, and for one with escapes."""
    if node is None or node.type != "string":
        return ""
    content = node.child_by_field_name("content")
    return x.text(content) if content is not None and content.named_child_count == 0 else ""


def method_around(x: Extraction) -> int:
    """The method of a class that the code at hand stands in; FILE_SCOPE where there is none."""
    scope = x.scope
    for _ in range(len(x.definitions)):
        if scope == FILE_SCOPE or x.definitions[scope].is_type:
            return FILE_SCOPE
        if x.definitions[scope].parent != FILE_SCOPE and x.definitions[x.definitions[scope].parent].is_type:
            return scope
        scope = x.definitions[scope].parent
    return FILE_SCOPE


def name_of(x: Extraction, name: str) -> Expr:
    """A name where it is read: `self` in a method is the object, and so are the members of a reference class."""
    if name in _OBJECT and method_around(x) != FILE_SCOPE:
        return _OBJECT[name]
    members = x.memo.get("members")
    if members and (method := method_around(x)) != FILE_SCOPE:
        own = members.get(x.definitions[x.definitions[method].parent].start_byte, ())
        if name in own and all(parameter.name != name for parameter in x.definitions[method].parameters):
            return (ATTRIBUTE, (RECEIVER,), name)
    return (NAME, name)


def _identifier(x: Extraction, node: Node) -> Expr:
    return name_of(x, unquoted(x, node))


def _member(x: Extraction, node: Node) -> Expr:
    """`object$name`, `object@slot`."""
    named = node.child_by_field_name("rhs")
    if named is None or named.type not in ("identifier", "string"):
        return UNKNOWN
    return (ATTRIBUTE, x.lower(node.child_by_field_name("lhs")), unquoted(x, named))


def _of_package(x: Extraction, node: Node) -> Expr:
    """`package::name`."""
    return (
        ATTRIBUTE, (MODULE, x.text(node.child_by_field_name("lhs") or node)),
        unquoted(x, node.child_by_field_name("rhs")),
    )  # fmt: skip


def first_argument(x: Extraction, node: Node) -> Node | None:
    """What the first argument of a call or subscript gives."""
    listed = node.child_by_field_name("arguments")
    held = listed.child_by_field_name("argument") if listed is not None else None
    return held.child_by_field_name("value") if held is not None else None


def _element(x: Extraction, node: Node) -> Expr:
    """`list[["name"]]` is `list$name`; `[` gives a part of the same kind."""
    base = x.lower(node.child_by_field_name("function"))
    key = first_argument(x, node)
    text = text_in(x, key)
    if text:
        return (ATTRIBUTE, base, text)
    return (SUBSCRIPT, base, x.lower(key))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    sign = x.text(operator) if operator is not None else ""
    left, right = node.child_by_field_name("lhs"), node.child_by_field_name("rhs")
    if sign in ASSIGNING:
        return x.lower(left if sign.startswith("-") else right)
    if sign in PIPES:
        return x.lower(right) if right is not None and right.type == "call" else x.call_at(node)
    if sign.startswith("%"):
        return x.call_at(node)
    return _OPERATIONS.get(sign, FLOAT)


_OPERATIONS: Final[dict[str, Expr]] = {
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">=", "&&", "||", "&", "|"), BOOLEAN),
    **dict.fromkeys(("~", "?", ":=", ":"), UNKNOWN),
}


def _string(x: Extraction, node: Node) -> Expr:
    text = text_in(x, node)
    return (LITERAL, "str", text if len(text) <= MAX_LITERAL else "")


EXPRESSIONS: Final = lowerings(
    {
        "identifier": _identifier,
        "extract_operator": _member,
        "namespace_operator": _of_package,
        "call": call_result,
        "function_definition": definition,
        "subset": (SUBSCRIPT, "@function", UNKNOWN),
        "subset2": _element,
        "binary_operator": _binary,
        "braced_expression": last,
        "parenthesized_expression": "@0",
        "if_statement": together(UNION, ("@consequence", "@alternative"), known=True),
        "unary_operator": choose("%operator", {"!": BOOLEAN}),
        "string": _string,
        "integer": integer,
        "float": FLOAT,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "null": NOTHING,
    }
)

given = arguments(lambda x, node: unquoted(x, node.child_by_field_name("name")), compiled("@value"), each=":argument")
