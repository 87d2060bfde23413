"""Go's expressions and types, lowered.

Pointers stand for what they point to. The language's own generic types are spelled `("s", ("n", "[]"), T)` for slices
and arrays, `("s", ("n", "map"), ("l", (K, V)))` for maps and `("s", ("n", "chan"), T)` for channels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    NAME,
    OPERATION,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import definition, inner, integer, name, named_part, quoted
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    COMPARISONS,
    FLOAT,
    NOTHING,
    choose,
    generic,
    lowerings,
    together,
    with_arguments,
)
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node

_ELEMENTS = frozenset({"[]", "map"})
_MAX_DEPTH = 12
"""Depth of literals within a literal past which they are unknown."""


def listed(x: Extraction, node: Node | None) -> list[Expr]:
    """The members of an expression list; one expression is a list of itself."""
    if node is None:
        return []
    if node.type != "expression_list":
        return [x.lower(node)]
    return [x.lower(c) for c in node.named_children if c.type != "comment"]


def as_one(values: list[Expr]) -> Expr:
    """Several values as one."""
    return values[0] if len(values) == 1 else ("l", tuple(values)) if values else UNKNOWN


def _call(x: Extraction, node: Node) -> Expr:
    """A call's result; what `new`, `make` and `append` give is clear from their arguments."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "identifier" and function.end_byte - function.start_byte <= 6:
        word = x.text(function)
        if word in ("new", "make", "append"):
            arguments = node.child_by_field_name("arguments")
            first = next((c for c in arguments.named_children if c.type != "comment"), None) if arguments else None
            if first is not None:
                return _appended(x, arguments) if word == "append" else ("t", x.lower(first), UNKNOWN)
    if function is not None and is_pointer_conversion(function):
        arguments = node.child_by_field_name("arguments")
        return ("t", x.lower(function), inner(x, arguments) if arguments else UNKNOWN)
    return x.call_at(node)


def _appended(x: Extraction, arguments: Node | None) -> Expr:
    """`append(list, item, other...)`: the list, or one of what is added."""
    values = [x.lower(c) for c in arguments.named_children if c.type != "comment"] if arguments else []
    lists = [values[0], *(v[1] for v in values[1:] if v[0] == "*")]
    items = tuple(v for v in values[1:] if v[0] != "*" and v != UNKNOWN)
    if items:
        lists.append(("l", items))
    return lists[0] if len(lists) == 1 else ("u", tuple(lists))


def is_pointer_conversion(function: Node | None) -> bool:
    """`(*Foo)(v)`: what is called is a type."""
    if function is None or function.type != "parenthesized_expression":
        return False
    part = named_part(function)
    operator = part.child_by_field_name("operator") if part is not None and part.type == "unary_expression" else None
    return operator is not None and operator.type == "*"


def _conversion(x: Extraction, node: Node) -> Expr:
    """`[]Foo(v)`; `F[int](v)` looks alike and may be a call."""
    type_ = node.child_by_field_name("type")
    if type_ is not None and type_.type == "generic_type":
        return x.call_at(node)
    return ("t", x.lower(type_), x.lower(node.child_by_field_name("operand")))


def _instantiation(x: Extraction, node: Node) -> Expr:
    first, *rest = [x.lower(part) for part in parts(x, node)] or [UNKNOWN]
    return with_arguments(first, rest)


def _composite(x: Extraction, node: Node) -> Expr:
    type_ = x.lower(node.child_by_field_name("type"))
    return ("t", type_, _literal_value(x, node.child_by_field_name("body"), type_, 0))


def _literal_value(x: Extraction, node: Node | None, type_: Expr, depth: int) -> Expr:
    """The members of a composite literal. Where an inner literal leaves its type out, it is the element's."""
    if node is None or depth > _MAX_DEPTH:
        return UNKNOWN
    element: Expr = UNKNOWN
    if type_[0] == "s" and type_[1][0] == "n" and type_[1][1] in _ELEMENTS:
        element = type_[2]
        if type_[1][1] == "map" and element[0] == "l":
            element = element[1][-1]
    items: list[Expr] = []
    pairs: list[tuple[Expr, Expr]] = []
    by_name = type_[0] != "s"
    for child in node.named_children:
        if child.type == "keyed_element":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            key_node = named_part(key)
            if key_node is None:
                continue
            # In a struct literal the key is a field's name, not a variable.
            key_expr: Expr = ("k", "str", x.text(key_node)[:MAX_LITERAL]) if by_name else x.lower(key_node)
            pairs.append((key_expr, _literal_element(x, value, element, depth)))
        elif child.type == "literal_element":
            items.append(_literal_element(x, child, element, depth))
    if pairs:
        return ("d", tuple(pairs))
    return ("l", tuple(items)) if items else UNKNOWN


def _literal_element(x: Extraction, node: Node | None, type_: Expr, depth: int) -> Expr:
    part = named_part(node)
    if part is None:
        return UNKNOWN
    if part.type == "literal_value":
        value = _literal_value(x, part, type_, depth + 1)
        return value if type_ == UNKNOWN else ("t", type_, value)
    return x.lower(part)


def results(x: Extraction, node: Node | None) -> Expr:
    """The declared result of a function: one type, or a list of them."""
    if node is None:
        return ("k", "none", "")
    if node.type != "parameter_list":
        return x.lower(node)
    types: list[Expr] = []
    for child in node.named_children:
        type_ = child.child_by_field_name("type")
        if type_ is not None:
            types += [x.lower(type_)] * max(1, len([n for n in child.children_by_field_name("name") if n.is_named]))
    return as_one(types)


_LIST_OF = (SUBSCRIPT, (NAME, "[]"), "@element")
_OPTIONS = together(UNION, "*")

EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "package_identifier": name,
        "field_identifier": name,
        "blank_identifier": UNKNOWN,
        "selector_expression": (ATTRIBUTE, "@operand", "$field!"),
        "call_expression": _call,
        "type_conversion_expression": _conversion,
        "type_assertion_expression": (TYPED, "@type", "@operand"),
        "type_instantiation_expression": _instantiation,
        "index_expression": (SUBSCRIPT, "@operand", "@index"),
        "slice_expression": "@operand",
        "composite_literal": _composite,
        "unary_expression": choose(
            "%operator",
            {"& *": "@operand", "<-": (ELEMENT, "@operand"), "!": BOOLEAN},
            (OPERATION, "%operator", "@operand", None),
        ),
        "binary_expression": choose("%operator", {COMPARISONS: BOOLEAN}, (OPERATION, "%operator", "@left", "@right")),
        "parenthesized_expression": inner,
        "expression_list": together(SEQUENCE, "*"),
        "func_literal": definition,
        "interpreted_string_literal": quoted,
        "raw_string_literal": quoted,
        "int_literal": integer,
        "float_literal": FLOAT,
        "imaginary_literal": FLOAT,
        "rune_literal": (TYPED, (NAME, "rune"), UNKNOWN),
        "iota": integer,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "nil": NOTHING,
        "variadic_argument": (SPREAD, "@0"),
        "type_identifier": name,
        "qualified_type": (ATTRIBUTE, "@package", "$name!"),
        "generic_type": generic("@type", "*type_arguments"),
        "pointer_type": inner,
        "parenthesized_type": inner,
        "slice_type": _LIST_OF,
        "array_type": _LIST_OF,
        "implicit_length_array_type": _LIST_OF,
        "map_type": (SUBSCRIPT, (NAME, "map"), (SEQUENCE, ("@key", "@value"))),
        "channel_type": (SUBSCRIPT, (NAME, "chan"), "@value"),
        "type_elem": _OPTIONS,
        "type_constraint": _OPTIONS,
        "negated_type": inner,
    }
)
