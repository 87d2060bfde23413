"""C++'s expressions and types, lowered: what they add to C's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    LITERAL,
    NAME,
    RECEIVER,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.c.declarators import first, plain_name
from loregraph.indexer.languages.c.expressions import EXPRESSIONS as C_EXPRESSIONS
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH
from loregraph.indexer.languages.lowering import call_result, definition, inner, name
from loregraph.indexer.languages.rows import compiled, each, lowerings, with_arguments
from loregraph.indexer.languages.selectors import parts
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

CASTS: Final = frozenset("static_cast dynamic_cast reinterpret_cast const_cast".split())
POINTER_CASTS: Final = frozenset(
    (
        "static_pointer_cast dynamic_pointer_cast const_pointer_cast reinterpret_pointer_cast bit_cast down_cast "
        "implicit_cast polymorphic_downcast any_cast dyn_cast dyn_cast_or_null qobject_cast"
    ).split()
)
"""Function templates of libraries that give their argument the type that they are instantiated with."""
MAKERS: Final = frozenset(
    (
        "make_unique make_shared make_optional make_intrusive make_scoped_refptr MakeRefCounted make_ref WrapUnique "
        "allocate_shared"
    ).split()
)
"""Function templates of libraries that instantiate their argument."""
_PASSED_ON: Final = frozenset("move forward ref cref as_const addressof exchange".split())
_HOLDERS: Final = frozenset(
    (
        "unique_ptr shared_ptr weak_ptr auto_ptr scoped_ptr intrusive_ptr scoped_refptr raw_ptr not_null "
        "observer_ptr optional reference_wrapper RefPtr RetainPtr ComPtr com_ptr QPointer QSharedPointer "
        "QScopedPointer QWeakPointer CComPtr sp wp Ref Owned propagate_const atomic StatusOr expected add_const "
        "remove_reference_t decay_t"
    ).split()
)
"""Class templates that stand for the one thing they hold: `p->f()` is a call on that."""


def qualified(x: Extraction, node: Node) -> Expr:
    """`a::b::f`: the grammar nests it to the right, an expression nests to the left."""
    expr: Expr | None = None
    current: Node | None = node
    depth = 0
    while current is not None and current.type == "qualified_identifier":
        scope = current.child_by_field_name("scope")
        depth += 1
        if depth > MAX_EXPRESSION_DEPTH:
            return UNKNOWN
        if scope is not None:
            expr = UNKNOWN if scope.type == "decltype" else _within(expr, plain_name(x, scope))
        current = current.child_by_field_name("name")
    if current is None:
        return UNKNOWN
    if current.type in ("template_type", "dependent_type"):
        return _template(x, current, expr)
    return _within(expr, plain_name(x, current))


def _within(scope: Expr | None, name: str) -> Expr:
    return (ATTRIBUTE, scope, name) if scope is not None else (NAME, name)


def _template(x: Extraction, node: Node, scope: Expr | None = None) -> Expr:
    """`Foo<A, B>` as a type. A smart pointer is what it holds."""
    while node.type == "dependent_type":
        inside = first(node)
        if inside is None:
            return UNKNOWN
        if inside.type != "template_type":
            return x.lower(inside)
        node = inside
    name = plain_name(x, node)
    arguments = parts(x, node.child_by_field_name("arguments"))
    if name in _HOLDERS and arguments:
        return x.lower(arguments[0])
    return with_arguments(_within(scope, name), [x.lower(argument) for argument in arguments])


def called_template(x: Extraction, function: Node | None) -> tuple[str, Node | None]:
    """Name and first argument of the template that a call instantiates: `std::make_unique<Foo>(…)`."""
    while function is not None and function.type == "qualified_identifier":
        function = function.child_by_field_name("name")
    if function is None or function.type != "template_function":
        return "", None
    listed = function.child_by_field_name("arguments")
    return plain_name(x, function), first(listed)


def _call(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    if function is None:
        return UNKNOWN
    name, type_node = called_template(x, function)
    if type_node is not None:
        if name in CASTS or name in POINTER_CASTS:
            return (TYPED, x.lower(type_node), _FIRST_ARGUMENT(x, node))
        if name in MAKERS:
            return (TYPED, x.lower(type_node), UNKNOWN)
    if function.type == "qualified_identifier":
        scope, named = function.child_by_field_name("scope"), function.child_by_field_name("name")
        if scope is not None and named is not None and x.text(scope) == "std" and plain_name(x, named) in _PASSED_ON:
            return _FIRST_ARGUMENT(x, node)
    elif function.type == "primitive_type":
        return (LITERAL, "int", "")
    return x.call_at(node)


_FIRST_ARGUMENT: Lowering = compiled("@arguments/0")


def _only(x: Extraction, node: Node) -> Expr:
    """`(a)` in `T x(a)` for a type that has no constructors."""
    return inner(x, node) if node.named_child_count == 1 else UNKNOWN


EXPRESSIONS: Final = {
    **C_EXPRESSIONS,
    **lowerings(
        {
            "this": (RECEIVER,),
            "namespace_identifier": name,
            "qualified_identifier": qualified,
            "template_type": _template,
            "dependent_type": _template,
            "template_function": (NAME, plain_name),  # `f<T>` in a call
            "class_specifier": C_EXPRESSIONS["struct_specifier"],
            "operator_name": (NAME, plain_name),
            "call_expression": _call,
            "new_expression": call_result,
            "compound_literal_expression": call_result,
            "subscript_expression": (SUBSCRIPT, "@argument", "@indices/0"),
            "lambda_expression": definition,
            "argument_list": _only,
            "co_await_expression": (AWAITED, "@argument"),
            "parameter_pack_expansion": (SPREAD, "@pattern"),
            "condition_clause": "@value",
            "structured_binding_declarator": (SEQUENCE, each("*", (NAME, "$"))),
            "lambda_capture_initializer": inner,
            "delete_expression": inner,
        }
    ),
}
