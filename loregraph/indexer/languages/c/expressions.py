"""C's expressions and types, lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.c.declarators import first
from loregraph.indexer.languages.extraction import MAX_LITERAL
from loregraph.indexer.languages.lowering import call_result, name

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction
    from loregraph.indexer.languages.spec import Lowering

_STRING_PARTS: Final = frozenset({"string_content", "raw_string_content", "escape_sequence"})
_COMPARISONS: Final = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "and", "or"})


def inner(x: Extraction, node: Node) -> Expr:
    """The one expression inside parentheses and the like."""
    return x.lower(first(node))


def field_name(x: Extraction, node: Node) -> str:
    """The member that the right side of `.` or `->` names: template arguments and `template` are taken off."""
    while node.type in ("template_method", "dependent_name", "template_function"):
        named = node.child_by_field_name("name") or first(node)
        if named is None:
            break
        node = named
    return x.text(node).replace(" ", "")


def _member(x: Extraction, node: Node) -> Expr:
    field = node.child_by_field_name("field")
    base = x.lower(node.child_by_field_name("argument"))
    return ("a", base, field_name(x, field)) if field is not None else UNKNOWN


def _subscript(x: Extraction, node: Node) -> Expr:
    index = node.child_by_field_name("index")
    if index is None:
        indices = node.child_by_field_name("indices")
        index = first(indices)
    return ("s", x.lower(node.child_by_field_name("argument")), x.lower(index))


def _argument(x: Extraction, node: Node) -> Expr:
    """`*p` and `&v` are what they point at."""
    return x.lower(node.child_by_field_name("argument"))


def _right(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _conditional(x: Extraction, node: Node) -> Expr:
    consequence = node.child_by_field_name("consequence") or node.child_by_field_name("condition")
    return ("u", (x.lower(consequence), x.lower(node.child_by_field_name("alternative"))))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator is not None else ""
    if text in _COMPARISONS:
        return ("k", "bool", "")
    return ("b", text, x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right")))


def _unary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    return ("b", operator.type if operator is not None else "", x.lower(node.child_by_field_name("argument")), None)


def _cast(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("type")), x.lower(node.child_by_field_name("value")))


def string_text(x: Extraction, node: Node) -> str:
    """What stands between a string's quotes, escapes as written; strings side by side are one."""
    if node.type == "concatenated_string":
        return "".join(string_text(x, c) for c in node.named_children if c.type.endswith("string_literal"))
    return "".join(x.text(c) for c in node.named_children if c.type in _STRING_PARTS)


def _string(x: Extraction, node: Node) -> Expr:
    if node.end_byte - node.start_byte > 4 * MAX_LITERAL:
        return ("k", "str", "")
    text = string_text(x, node)
    return ("k", "str", text if len(text) <= MAX_LITERAL else "")


def _number(x: Extraction, node: Node) -> Expr:
    text = x.text(node)[:MAX_LITERAL]
    digits = text.replace("'", "").rstrip("uUlLzZ")
    if digits.isdecimal():
        return ("k", "int", digits)
    real = ("." in text or "e" in text.lower()) and not text.lower().startswith("0x")
    return ("k", "float", "") if real else ("k", "int", text)


def _constant(kind: str) -> Lowering:
    value: Expr = ("k", kind, "")
    return lambda x, node: value


def initializer(x: Extraction, node: Node) -> Expr:
    """`{…}`: a mapping of members where designators name them, else a list."""
    pairs: list[tuple[Expr, Expr]] = []
    items: list[Expr] = []
    for child in node.named_children:
        if child.type == "initializer_pair":
            designator = child.child_by_field_name("designator")
            pairs.append((_designated(x, designator), x.lower(child.child_by_field_name("value"))))
        elif child.type != "comment":
            items.append(x.lower(child))
    if pairs:
        return ("d", (*pairs, *((UNKNOWN, item) for item in items)))
    return ("l", tuple(items))


def _designated(x: Extraction, node: Node | None) -> Expr:
    if node is None:
        return UNKNOWN
    if node.type == "field_designator":
        named = first(node)
        return ("k", "str", x.text(named)) if named is not None else UNKNOWN
    if node.type == "subscript_designator":
        return inner(x, node)
    return UNKNOWN


# Types


def _specifier(x: Extraction, node: Node) -> Expr:
    """`struct foo`, with or without its body."""
    named = node.child_by_field_name("name")
    if named is not None:
        return x.lower(named)
    return x.definition_at(node)


def _type_descriptor(x: Extraction, node: Node) -> Expr:
    """A type on its own: in a cast, as a template argument."""
    shape = node.child_by_field_name("declarator")
    while shape is not None:
        if shape.type == "abstract_function_declarator":
            return UNKNOWN
        shape = shape.child_by_field_name("declarator")
    return x.lower(node.child_by_field_name("type"))


EXPRESSIONS: Final[dict[str, Lowering]] = {
    "identifier": name,
    "field_identifier": name,
    "type_identifier": name,
    "statement_identifier": name,
    "primitive_type": name,
    "sized_type_specifier": lambda x, node: ("n", "int"),
    "struct_specifier": _specifier,
    "union_specifier": _specifier,
    "enum_specifier": _specifier,
    "type_descriptor": _type_descriptor,
    "macro_type_specifier": lambda x, node: x.lower(node.child_by_field_name("type")),
    "field_expression": _member,
    "subscript_expression": _subscript,
    "call_expression": call_result,
    "pointer_expression": _argument,
    "parenthesized_expression": inner,
    "extension_expression": inner,
    "comma_expression": _right,
    "assignment_expression": _right,
    "conditional_expression": _conditional,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _argument,
    "cast_expression": _cast,
    "compound_literal_expression": _cast,
    "initializer_list": initializer,
    "string_literal": _string,
    "concatenated_string": _string,
    "raw_string_literal": _string,
    "number_literal": _number,
    "char_literal": _constant("int"),
    "true": _constant("bool"),
    "false": _constant("bool"),
    "null": _constant("none"),
    "sizeof_expression": _constant("int"),
}
