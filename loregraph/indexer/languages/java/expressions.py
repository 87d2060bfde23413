"""Java's expressions and types, lowered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    ATTRIBUTE,
    FILE_SCOPE,
    LITERAL,
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
from loregraph.indexer.languages.lowering import call_result, definition, inner, integer, name, named_part, parent, this
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    COMPARISONS,
    FLOAT,
    NOTHING,
    choose,
    compiled,
    lowerings,
    some,
    together,
    with_arguments,
)
from loregraph.indexer.languages.selectors import one

COMMENTS = frozenset({"line_comment", "block_comment"})


def _field(x: Extraction, node: Node) -> Expr:
    base, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or field is None:
        return UNKNOWN
    whole = packaged(x, node, x.text(node), deeper=True) if base.type == "field_access" else None
    if whole is not None:
        return whole
    if field.type == "this":  # `Outer.this`: an instance of the type around
        return (TYPED, x.lower(base), UNKNOWN)
    return (ATTRIBUTE, x.lower(base), x.text(field))


def method(x: Extraction, node: Node) -> Expr:
    """What a method invocation calls. `Type.super.m()` names the method of `Type` itself."""
    named, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    if named is None:
        return UNKNOWN
    return (NAME, x.text(named)) if base is None else (ATTRIBUTE, x.lower(base), x.text(named))


arguments = compiled("*arguments")


def _referred(x: Extraction, node: Node) -> str:
    """The member behind `::`, which is named and not run."""
    return f"{x.text(node.children[-1])}()"


def _arrays(x: Extraction, type_: Expr, dimensions: Iterable[Node | None]) -> Expr:
    """The type of arrays of a type, one for each pair of brackets."""
    for part in dimensions:
        for _ in range(min(x.text(part).count("["), MAX_EXPRESSION_DEPTH) if part is not None else 0):
            type_ = (SUBSCRIPT, (NAME, "[]"), type_)
    return type_


def _new_array(x: Extraction, node: Node) -> Expr:
    type_ = _arrays(x, x.lower(node.child_by_field_name("type")), node.children_by_field_name("dimensions"))
    return (TYPED, type_, x.lower(node.child_by_field_name("value")))


def _string(x: Extraction, node: Node) -> Expr:
    text = x.source[node.start_byte + 1 : node.end_byte - 1]
    short = len(text) <= MAX_LITERAL and not text.startswith(b'""')
    return (LITERAL, "str", text.decode("utf-8", "replace") if short else "")


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
    return (NAME, text)


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
    return (ATTRIBUTE, x.lower(parts[0]), x.text(parts[-1]))


def _generic(x: Extraction, node: Node) -> Expr:
    arguments = _type_arguments(x, node)
    return with_arguments(x.lower(named_part(node)), arguments)


_type_arguments = compiled("*:type_arguments")


def _array_type(x: Extraction, node: Node) -> Expr:
    return _arrays(x, x.lower(node.child_by_field_name("element")), [node.child_by_field_name("dimensions")])


def declared_type(x: Extraction, node: Node | None, dimensions: Node | None = None) -> Expr | None:
    """A declared type, `dimensions` (`int a[]`) included; None for `var` and where there is none."""
    if node is None or (node.type == "type_identifier" and x.text(node) == "var"):
        return None
    return _arrays(x, x.lower(node), [dimensions])


COMPONENT: Final = "?:variable_declarator/name"
"""The name of a parameter; `Type... name` has a declarator, and names neither of its parts."""
_typed = one("type|^modifiers,variable_declarator")


def written_type(x: Extraction, node: Node) -> Expr | None:
    """The declared type of what `node` declares."""
    return declared_type(x, _typed(x, node), node.child_by_field_name("dimensions"))


EXPRESSIONS: Final = lowerings(
    {
        "identifier type_identifier integral_type floating_point_type boolean_type": name,
        "this": this,
        "super": parent,
        "field_access": _field,
        "method_invocation object_creation_expression": call_result,
        "method_reference": (ATTRIBUTE, "@0!", _referred),
        "lambda_expression": definition,
        "ternary_expression": (UNION, ("@consequence", "@alternative")),
        # The values of the arms that are expressions; what a block yields is not followed.
        "switch_expression": some(UNION, "**body/:switch_rule/:expression_statement/0"),
        "assignment_expression": "@right",
        "cast_expression": (TYPED, "@type", "@value"),
        "class_literal": (TYPED, (SUBSCRIPT, (NAME, "Class"), "@0"), UNKNOWN),
        "array_access": (SUBSCRIPT, "@array", "@index"),
        "array_initializer element_value_array_initializer": (SEQUENCE, "*"),
        "array_creation_expression": _new_array,
        "parenthesized_expression update_expression": inner,
        "binary_expression": choose("%operator", {COMPARISONS: BOOLEAN}, (OPERATION, "%operator", "@left", "@right")),
        "unary_expression": choose("%operator", {"!": BOOLEAN}, (OPERATION, "%operator", "@operand", None)),
        "instanceof_expression true false": BOOLEAN,
        "null_literal void_type": NOTHING,
        "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal": integer,
        "decimal_floating_point_literal hex_floating_point_literal": FLOAT,
        "character_literal": (TYPED, (NAME, "char"), UNKNOWN),
        "string_literal": _string,
        "scoped_type_identifier": _scoped,
        "scoped_identifier": (ATTRIBUTE, "@scope", "$name"),
        "generic_type": _generic,
        "array_type": _array_type,
        "annotated_type": "@-1",
        # `? extends Foo` is a `Foo`; `?` is unknown.
        "wildcard": choose("%-1", {"annotation marker_annotation": UNKNOWN}, "@-1"),
        "catch_type": together(UNION, "*"),
    }
)
