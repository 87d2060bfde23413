"""Java's expressions and types, lowered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import FILE_SCOPE, UNKNOWN, Expr, Import
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    boolean,
    call_result,
    floating,
    inner,
    integer,
    name,
    named_part,
    nothing,
    parent,
    this,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"line_comment", "block_comment"})
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


def array_of(element: Expr) -> Expr:
    """The type of arrays of `element`."""
    return ("s", ("n", "[]"), element)


def generic(base: Expr, arguments: list[Expr]) -> Expr:
    """`base` with type arguments; without any (a diamond) `base` itself."""
    if not arguments:
        return base
    return ("s", base, arguments[0] if len(arguments) == 1 else ("l", tuple(arguments)))


def _field(x: Extraction, node: Node) -> Expr:
    base, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or field is None:
        return UNKNOWN
    whole = packaged(x, node, x.text(node), deeper=True) if base.type == "field_access" else None
    if whole is not None:
        return whole
    if field.type == "this":  # `Outer.this`: an instance of the type around
        return ("t", x.lower(base), UNKNOWN)
    return ("a", x.lower(base), x.text(field))


def method(x: Extraction, node: Node) -> Expr:
    """What a method invocation calls. `Type.super.m()` names the method of `Type` itself."""
    name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    if name_node is None:
        return UNKNOWN
    if base is None:
        return ("n", x.text(name_node))
    return ("a", x.lower(base), x.text(name_node))


def arguments(x: Extraction, node: Node) -> tuple[Expr, ...]:
    listed = node.child_by_field_name("arguments")
    return tuple(x.lower(a) for a in listed.named_children if a.type not in COMMENTS) if listed else ()


def _reference(x: Extraction, node: Node) -> Expr:
    """`Foo::bar` is the method as a value, `Foo::new` what makes an instance."""
    base = named_part(node)
    last = node.children[-1] if node.children else None
    if base is None or last is None:
        return UNKNOWN
    value = x.lower(base)
    return ("a", value, f"{x.text(last)}()")


def _ternary(x: Extraction, node: Node) -> Expr:
    yes, no = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    return ("u", (x.lower(yes), x.lower(no)))


def _switch(x: Extraction, node: Node) -> Expr:
    """The values of the arms that are expressions; what a block yields is not followed."""
    body = node.child_by_field_name("body")
    options: list[Expr] = []
    for rule in body.named_children if body else ():
        if rule.type == "switch_rule" and rule.named_child_count:
            value = rule.named_children[-1]
            if value.type == "expression_statement":
                options.append(inner(x, value))
    return ("u", tuple(options)) if options else UNKNOWN


def _assigned(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _cast(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("type")), x.lower(node.child_by_field_name("value")))


def _class_literal(x: Extraction, node: Node) -> Expr:
    return ("t", ("s", ("n", "Class"), inner(x, node)), UNKNOWN)


def _element(x: Extraction, node: Node) -> Expr:
    return ("s", x.lower(node.child_by_field_name("array")), x.lower(node.child_by_field_name("index")))


def _sequence(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in node.named_children if c.type not in COMMENTS))


def _new_array(x: Extraction, node: Node) -> Expr:
    type_ = x.lower(node.child_by_field_name("type"))
    for part in node.children_by_field_name("dimensions"):
        for _ in range(min(x.text(part).count("["), MAX_EXPRESSION_DEPTH)):
            type_ = array_of(type_)
    return ("t", type_, x.lower(node.child_by_field_name("value")))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator else ""
    if text in _BOOLEAN_OPERATORS:
        return ("k", "bool", "")
    return ("b", text, x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right")))


def _unary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "!":
        return ("k", "bool", "")
    return ("b", operator.type if operator else "", x.lower(node.child_by_field_name("operand")), None)


def _character(x: Extraction, node: Node) -> Expr:
    return ("t", ("n", "char"), UNKNOWN)


def _string(x: Extraction, node: Node) -> Expr:
    text = x.source[node.start_byte + 1 : node.end_byte - 1]
    short = len(text) <= MAX_LITERAL and not text.startswith(b'""')
    return ("k", "str", text.decode("utf-8", "replace") if short else "")


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


# Types


_PACKAGE = re.compile(r"\A[a-z_][a-z0-9_]*+\Z")
_TYPE = re.compile(r"\A[A-Z]\w*+\Z")
_TYPE_AND_NO_CONSTANT = re.compile(r"\A[A-Z][A-Z0-9]*+[a-z]\w*+\Z")
_MAX_NESTED: Final = 20
"""Parts of a package's name."""


def packaged(x: Extraction, node: Node, text: str, *, deeper: bool = False) -> Expr | None:
    """A type that is named with its package: as if it were imported under that name. None for any other name; with
    `deeper` also for what may be a constant, and where the package has but one part."""
    text = "".join(text.split())
    *parts, name = text.split(".")
    if not 1 + deeper <= len(parts) <= _MAX_NESTED or not all(map(_PACKAGE.match, parts)):
        return None
    if not (_TYPE_AND_NO_CONSTANT if deeper else _TYPE).match(name):
        return None
    name_type(x, node, text)
    return ("n", text)


_NAMED_BEFORE: Final = 100
"""Imports among which one is looked for before it is added again."""


def name_type(x: Extraction, node: Node, text: str) -> None:
    """Lets the dotted name of a type be one of the file's names."""
    if all(known.alias != text for known in x.imports[-_NAMED_BEFORE:]):
        x.imports.append(Import(FILE_SCOPE, node.start_point[0] + 1, node.start_byte, text, 0, "", text))


def _scoped(x: Extraction, node: Node) -> Expr:
    whole = packaged(x, node, x.text(node))
    if whole is not None:
        return whole
    parts = [c for c in node.named_children if c.type not in COMMENTS and not c.type.endswith("annotation")]
    if len(parts) < 2:
        return inner(x, node)
    return ("a", x.lower(parts[0]), x.text(parts[-1]))


def _scoped_identifier(x: Extraction, node: Node) -> Expr:
    name_node = node.child_by_field_name("name")
    return ("a", x.lower(node.child_by_field_name("scope")), x.text(name_node) if name_node else "")


def _generic(x: Extraction, node: Node) -> Expr:
    base, arguments = named_part(node), named_part(node, -1)
    items: list[Expr] = []
    if arguments is not None and arguments.type == "type_arguments":
        items = [x.lower(c) for c in arguments.named_children if c.type not in COMMENTS]
    return generic(x.lower(base), items)


def _array_type(x: Extraction, node: Node) -> Expr:
    type_ = x.lower(node.child_by_field_name("element"))
    dimensions = node.child_by_field_name("dimensions")
    for _ in range(min(x.text(dimensions).count("["), MAX_EXPRESSION_DEPTH) if dimensions else 1):
        type_ = array_of(type_)
    return type_


def _annotated(x: Extraction, node: Node) -> Expr:
    return x.lower(named_part(node, -1))


def _wildcard(x: Extraction, node: Node) -> Expr:
    """`? extends Foo` is a `Foo`; `?` is unknown."""
    last = named_part(node, -1)
    return UNKNOWN if last is None or last.type.endswith("annotation") else x.lower(last)


def _union(x: Extraction, node: Node) -> Expr:
    options = tuple(x.lower(c) for c in node.named_children if c.type not in COMMENTS)
    return options[0] if len(options) == 1 else ("u", options)


def declared_type(x: Extraction, node: Node | None, dimensions: Node | None = None) -> Expr | None:
    """A declared type, `dimensions` (`int a[]`) included; None for `var` and where there is none."""
    if node is None or (node.type == "type_identifier" and x.text(node) == "var"):
        return None
    type_ = x.lower(node)
    if dimensions is not None:
        for _ in range(min(x.text(dimensions).count("["), MAX_EXPRESSION_DEPTH)):
            type_ = array_of(type_)
    return type_


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "this": this,
    "super": parent,
    "field_access": _field,
    "method_invocation": call_result,
    "object_creation_expression": call_result,
    "method_reference": _reference,
    "lambda_expression": _lambda,
    "ternary_expression": _ternary,
    "switch_expression": _switch,
    "assignment_expression": _assigned,
    "cast_expression": _cast,
    "class_literal": _class_literal,
    "array_access": _element,
    "array_initializer": _sequence,
    "element_value_array_initializer": _sequence,
    "array_creation_expression": _new_array,
    "parenthesized_expression": inner,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": inner,
    "instanceof_expression": boolean,
    "true": boolean,
    "false": boolean,
    "null_literal": nothing,
    "decimal_integer_literal": integer,
    "hex_integer_literal": integer,
    "octal_integer_literal": integer,
    "binary_integer_literal": integer,
    "decimal_floating_point_literal": floating,
    "hex_floating_point_literal": floating,
    "character_literal": _character,
    "string_literal": _string,
    "type_identifier": name,
    "integral_type": name,
    "floating_point_type": name,
    "boolean_type": name,
    "void_type": nothing,
    "scoped_type_identifier": _scoped,
    "scoped_identifier": _scoped_identifier,
    "generic_type": _generic,
    "array_type": _array_type,
    "annotated_type": _annotated,
    "wildcard": _wildcard,
    "catch_type": _union,
}
