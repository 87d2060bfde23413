"""C#'s expressions and types, lowered."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    NAME,
    OPERATION,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import (
    call_result,
    definition,
    inner,
    integer,
    named_part,
    parent,
    plain,
    plain_name,
    string_of,
    this,
)
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    COMPARISONS,
    FLOAT,
    NOTHING,
    choose,
    each,
    generic,
    having,
    lowerings,
    some,
)

COMMENTS = frozenset({"comment"})

declared_type = written("@type", but="implicit_type")
"""The type that a declaration states; None for `var` and where it states none."""


def own_name(x: Extraction, node: Node) -> str:
    """How a node says what it declares or names, without type arguments."""
    named = node.child_by_field_name("name")
    return plain(x, named_part(named) if named is not None and named.type == "generic_name" else named)


_string = string_of("string_literal_content")

EXPRESSIONS: Final = lowerings(
    {
        "identifier predefined_type": plain_name,
        "this": this,
        "base": parent,
        "member_access_expression": (ATTRIBUTE, "@expression", own_name),
        # `a?.b`, `a?[i]`
        "conditional_access_expression": choose(
            "%-1",
            {"member_binding_expression": (ATTRIBUTE, "@condition", "`-1/name/?:identifier")},
            (SUBSCRIPT, "@condition", UNKNOWN),
        ),
        "invocation_expression object_creation_expression implicit_object_creation_expression": call_result,
        "element_access_expression": (SUBSCRIPT, "@expression", "@subscript/0/0"),
        "conditional_expression": (UNION, ("@consequence", "@alternative")),
        "switch_expression": some(UNION, each(":switch_expression_arm", "@-1")),
        "assignment_expression": "@right",
        "cast_expression": (TYPED, "@type", "@value"),
        "as_expression": (TYPED, "@right", "@left"),
        "is_expression is_pattern_expression boolean_literal": BOOLEAN,
        # `out var x`, `(int a, string b) = …`: the place that it declares
        "declaration_expression": choose("%name", {"identifier": "@name"}),
        "tuple_expression": (SEQUENCE, each("*", "@-1")),
        "tuple_pattern": (SEQUENCE, "*"),
        "initializer_expression": having(":assignment_expression", UNKNOWN, (SEQUENCE, "*")),
        "array_creation_expression": having("type", (TYPED, "@type", "@-1"), "@-1"),
        "implicit_array_creation_expression": "@-1",
        "collection_expression": (SEQUENCE, each("*/0", choose("%.", {"spread_element": (SPREAD, "@0")}, "@0"))),
        "parenthesized_expression checked_expression ref_expression with_expression": inner,
        # `x!` says that `x` is there, `x++` is of its type.
        "postfix_unary_expression nullable_type pointer_type ref_type scoped_type": inner,
        "binary_expression": choose(
            "%operator",
            {"??": (UNION, ("@left", "@right")), COMPARISONS: BOOLEAN},
            (OPERATION, "%operator", "@left", "@right"),
        ),
        "prefix_unary_expression": choose("%", {"!": BOOLEAN}, inner),
        "await_expression": (AWAITED, "@0"),
        "lambda_expression anonymous_method_expression": definition,
        "null_literal": NOTHING,
        "integer_literal": integer,
        "real_literal": FLOAT,
        "character_literal": (TYPED, (NAME, "char"), UNKNOWN),
        "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression": _string,
        "typeof_expression": (TYPED, (NAME, "Type"), UNKNOWN),
        "default_expression": (TYPED, "@type", UNKNOWN),
        "qualified_name": generic((ATTRIBUTE, "@qualifier", own_name), "*name/:type_argument_list"),
        "alias_qualified_name": choose("$alias", {"global": "@name"}, (ATTRIBUTE, "@alias", own_name)),
        "generic_name": generic((NAME, "`0"), "*:type_argument_list"),
        "array_type": (SUBSCRIPT, (NAME, "[]"), "@type"),
        "tuple_type": (SEQUENCE, each("*", "@type")),
    }
)
