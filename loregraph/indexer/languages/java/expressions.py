"""Java's expressions and types, lowered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    FILE_SCOPE,
    NAME,
    OPERATION,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
    Import,
)
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    call_result,
    definition,
    inner,
    integer,
    name,
    named_part,
    parent,
    this,
)
from loregraph.indexer.languages.rows import BOOLEAN, COMPARISONS, FLOAT, NOTHING, choose, lowerings, together

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"line_comment", "block_comment"})


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


def _new_array(x: Extraction, node: Node) -> Expr:
    type_ = x.lower(node.child_by_field_name("type"))
    for part in node.children_by_field_name("dimensions"):
        for _ in range(min(x.text(part).count("["), MAX_EXPRESSION_DEPTH)):
            type_ = array_of(type_)
    return ("t", type_, x.lower(node.child_by_field_name("value")))


def _string(x: Extraction, node: Node) -> Expr:
    text = x.source[node.start_byte + 1 : node.end_byte - 1]
    short = len(text) <= MAX_LITERAL and not text.startswith(b'""')
    return ("k", "str", text.decode("utf-8", "replace") if short else "")


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


def _wildcard(x: Extraction, node: Node) -> Expr:
    """`? extends Foo` is a `Foo`; `?` is unknown."""
    last = named_part(node, -1)
    return UNKNOWN if last is None or last.type.endswith("annotation") else x.lower(last)


def declared_type(x: Extraction, node: Node | None, dimensions: Node | None = None) -> Expr | None:
    """A declared type, `dimensions` (`int a[]`) included; None for `var` and where there is none."""
    if node is None or (node.type == "type_identifier" and x.text(node) == "var"):
        return None
    type_ = x.lower(node)
    if dimensions is not None:
        for _ in range(min(x.text(dimensions).count("["), MAX_EXPRESSION_DEPTH)):
            type_ = array_of(type_)
    return type_


def written_type(x: Extraction, node: Node) -> Expr | None:
    """The declared type of what `node` declares."""
    return declared_type(x, node.child_by_field_name("type"), node.child_by_field_name("dimensions"))


EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "this": this,
        "super": parent,
        "field_access": _field,
        "method_invocation": call_result,
        "object_creation_expression": call_result,
        "method_reference": _reference,
        "lambda_expression": definition,
        "ternary_expression": (UNION, ("@consequence", "@alternative")),
        "switch_expression": _switch,
        "assignment_expression": "@right",
        "cast_expression": (TYPED, "@type", "@value"),
        "class_literal": (TYPED, (SUBSCRIPT, (NAME, "Class"), "@0"), UNKNOWN),
        "array_access": (SUBSCRIPT, "@array", "@index"),
        "array_initializer": (SEQUENCE, "*"),
        "element_value_array_initializer": (SEQUENCE, "*"),
        "array_creation_expression": _new_array,
        "parenthesized_expression": inner,
        "binary_expression": choose("%operator", {COMPARISONS: BOOLEAN}, (OPERATION, "%operator", "@left", "@right")),
        "unary_expression": choose("%operator", {"!": BOOLEAN}, (OPERATION, "%operator", "@operand", None)),
        "update_expression": inner,
        "instanceof_expression": BOOLEAN,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "null_literal": NOTHING,
        "decimal_integer_literal": integer,
        "hex_integer_literal": integer,
        "octal_integer_literal": integer,
        "binary_integer_literal": integer,
        "decimal_floating_point_literal": FLOAT,
        "hex_floating_point_literal": FLOAT,
        "character_literal": (TYPED, (NAME, "char"), UNKNOWN),
        "string_literal": _string,
        "type_identifier": name,
        "integral_type": name,
        "floating_point_type": name,
        "boolean_type": name,
        "void_type": NOTHING,
        "scoped_type_identifier": _scoped,
        "scoped_identifier": (ATTRIBUTE, "@scope", "$name"),
        "generic_type": _generic,
        "array_type": _array_type,
        "annotated_type": "@-1",
        "wildcard": _wildcard,
        "catch_type": together(UNION, "*"),
    }
)
