"""Go's expressions and types, lowered.

Pointers stand for what they point to. The language's own generic types are spelled `("s", ("n", "[]"), T)` for slices
and arrays, `("s", ("n", "map"), ("l", (K, V)))` for maps and `("s", ("n", "chan"), T)` for channels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import boolean, floating, inner, integer, name, named_part, nothing
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
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


def together(values: list[Expr]) -> Expr:
    """Several values as one."""
    return values[0] if len(values) == 1 else ("l", tuple(values)) if values else UNKNOWN


def _sequence(x: Extraction, node: Node) -> Expr:
    return together(listed(x, node))


def _selector(x: Extraction, node: Node) -> Expr:
    field = node.child_by_field_name("field")
    return ("a", x.lower(node.child_by_field_name("operand")), x.text(field)) if field else UNKNOWN


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


def _assertion(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("type")), x.lower(node.child_by_field_name("operand")))


def _subscript(x: Extraction, node: Node) -> Expr:
    return ("s", x.lower(node.child_by_field_name("operand")), x.lower(node.child_by_field_name("index")))


def _slice(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("operand"))


def _instantiation(x: Extraction, node: Node) -> Expr:
    parts = [x.lower(c) for c in node.named_children if c.type != "comment"]
    return generic(parts[0], parts[1:]) if parts else UNKNOWN


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


def _unary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    operand = node.child_by_field_name("operand")
    match operator.type if operator else "":
        case "&" | "*":
            return x.lower(operand)
        case "<-":
            return ("i", x.lower(operand))
        case "!":
            return ("k", "bool", "")
        case other:
            return ("b", other, x.lower(operand), None)


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator else ""
    if text in _BOOLEAN_OPERATORS:
        return ("k", "bool", "")
    return ("b", text, x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right")))


def _function(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _string(x: Extraction, node: Node) -> Expr:
    size = node.end_byte - node.start_byte - 2
    text = x.source[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "replace") if size <= MAX_LITERAL else ""
    return ("k", "str", text)


def _rune(x: Extraction, node: Node) -> Expr:
    return ("t", ("n", "rune"), UNKNOWN)


def _variadic(x: Extraction, node: Node) -> Expr:
    return ("*", inner(x, node))


# Types


def generic(base: Expr, arguments: list[Expr]) -> Expr:
    """`base` with type arguments."""
    if not arguments:
        return base
    return ("s", base, arguments[0] if len(arguments) == 1 else ("l", tuple(arguments)))


def _generic_type(x: Extraction, node: Node) -> Expr:
    arguments = node.child_by_field_name("type_arguments")
    items = [x.lower(c) for c in arguments.named_children if c.type != "comment"] if arguments else []
    return generic(x.lower(node.child_by_field_name("type")), items)


def _qualified(x: Extraction, node: Node) -> Expr:
    package, member = node.child_by_field_name("package"), node.child_by_field_name("name")
    return ("a", x.lower(package), x.text(member)) if member else UNKNOWN


def _slice_type(x: Extraction, node: Node) -> Expr:
    return ("s", ("n", "[]"), x.lower(node.child_by_field_name("element")))


def _map_type(x: Extraction, node: Node) -> Expr:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    return ("s", ("n", "map"), ("l", (x.lower(key), x.lower(value))))


def _channel_type(x: Extraction, node: Node) -> Expr:
    return ("s", ("n", "chan"), x.lower(node.child_by_field_name("value")))


def _type_union(x: Extraction, node: Node) -> Expr:
    options = tuple(x.lower(c) for c in node.named_children if c.type != "comment")
    return options[0] if len(options) == 1 else ("u", options) if options else UNKNOWN


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
    return together(types)


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "package_identifier": name,
    "field_identifier": name,
    "blank_identifier": lambda x, node: UNKNOWN,
    "selector_expression": _selector,
    "call_expression": _call,
    "type_conversion_expression": _conversion,
    "type_assertion_expression": _assertion,
    "type_instantiation_expression": _instantiation,
    "index_expression": _subscript,
    "slice_expression": _slice,
    "composite_literal": _composite,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "parenthesized_expression": inner,
    "expression_list": _sequence,
    "func_literal": _function,
    "interpreted_string_literal": _string,
    "raw_string_literal": _string,
    "int_literal": integer,
    "float_literal": floating,
    "imaginary_literal": floating,
    "rune_literal": _rune,
    "iota": integer,
    "true": boolean,
    "false": boolean,
    "nil": nothing,
    "variadic_argument": _variadic,
    "type_identifier": name,
    "qualified_type": _qualified,
    "generic_type": _generic_type,
    "pointer_type": inner,
    "parenthesized_type": inner,
    "slice_type": _slice_type,
    "array_type": _slice_type,
    "implicit_length_array_type": _slice_type,
    "map_type": _map_type,
    "channel_type": _channel_type,
    "type_elem": _type_union,
    "type_constraint": _type_union,
    "negated_type": inner,
}
