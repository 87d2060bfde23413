"""C++'s expressions and types, lowered: what they add to C's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.c.declarators import first
from loregraph.indexer.languages.c.expressions import EXPRESSIONS as C_EXPRESSIONS
from loregraph.indexer.languages.c.expressions import inner
from loregraph.indexer.languages.c.naming import plain_name
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH
from loregraph.indexer.languages.lowering import call_result

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction
    from loregraph.indexer.languages.spec import Lowering

CASTS: Final = frozenset({"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"})
POINTER_CASTS: Final = frozenset(
    {"static_pointer_cast", "dynamic_pointer_cast", "const_pointer_cast", "reinterpret_pointer_cast", "bit_cast",
     "down_cast", "implicit_cast", "polymorphic_downcast", "any_cast", "dyn_cast", "dyn_cast_or_null", "qobject_cast"}
)  # fmt: skip
"""Function templates of libraries that give their argument the type that they are instantiated with."""
MAKERS: Final = frozenset(
    {"make_unique", "make_shared", "make_optional", "make_intrusive", "make_scoped_refptr", "MakeRefCounted",
     "make_ref", "WrapUnique", "allocate_shared"}
)  # fmt: skip
"""Function templates of libraries that instantiate their argument."""
_PASSED_ON: Final = frozenset({"move", "forward", "ref", "cref", "as_const", "addressof", "exchange"})
_HOLDERS: Final = frozenset(
    {
        "unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr", "scoped_ptr", "intrusive_ptr", "scoped_refptr", "raw_ptr",
        "not_null", "observer_ptr", "optional", "reference_wrapper", "RefPtr", "RetainPtr", "ComPtr", "com_ptr",
        "QPointer", "QSharedPointer", "QScopedPointer", "QWeakPointer", "CComPtr", "sp", "wp", "Ref", "Owned",
        "propagate_const", "atomic", "StatusOr", "expected", "add_const", "remove_reference_t", "decay_t",
    }
)  # fmt: skip
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
            if scope.type == "decltype":
                expr = UNKNOWN
            else:
                part = plain_name(x, scope)
                expr = ("a", expr, part) if expr is not None else ("n", part)
        current = current.child_by_field_name("name")
    if current is None:
        return UNKNOWN
    kind = current.type
    if kind in ("template_type", "dependent_type"):
        return _template(x, current, expr)
    name = plain_name(x, current)
    return ("a", expr, name) if expr is not None else ("n", name)


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
    listed = node.child_by_field_name("arguments")
    arguments = [c for c in listed.named_children if c.type != "comment"] if listed is not None else []
    if name in _HOLDERS and arguments:
        return x.lower(arguments[0])
    base: Expr = ("a", scope, name) if scope is not None else ("n", name)
    if not arguments:
        return base
    items = tuple(x.lower(c) for c in arguments)
    return ("s", base, items[0] if len(items) == 1 else ("l", items))


def _template_name(x: Extraction, node: Node) -> Expr:
    """`f<T>` in a call."""
    return ("n", plain_name(x, node))


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
    if name and type_node is not None:
        if name in CASTS or name in POINTER_CASTS:
            return ("t", x.lower(type_node), x.lower(_first_argument(node)))
        if name in MAKERS:
            return ("t", x.lower(type_node), UNKNOWN)
    if function.type == "qualified_identifier":
        scope, named = function.child_by_field_name("scope"), function.child_by_field_name("name")
        if scope is not None and named is not None and x.text(scope) == "std" and plain_name(x, named) in _PASSED_ON:
            return x.lower(_first_argument(node))
    elif function.type == "primitive_type":
        return ("k", "int", "")
    return x.call_at(node)


def _first_argument(node: Node) -> Node | None:
    return first(node.child_by_field_name("arguments"))


def _argument(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("argument"))


def _first_of_list(x: Extraction, node: Node) -> Expr:
    """`(a)` in `T x(a)` for a type that has no constructors."""
    return x.lower(first(node)) if node.named_child_count == 1 else UNKNOWN


EXPRESSIONS: Final[dict[str, Lowering]] = {
    **C_EXPRESSIONS,
    "this": lambda x, node: ("v",),
    "namespace_identifier": C_EXPRESSIONS["identifier"],
    "qualified_identifier": qualified,
    "template_type": _template,
    "dependent_type": _template,
    "template_function": _template_name,
    "class_specifier": C_EXPRESSIONS["struct_specifier"],
    "operator_name": lambda x, node: ("n", plain_name(x, node)),
    "call_expression": _call,
    "new_expression": call_result,
    "compound_literal_expression": call_result,
    "lambda_expression": lambda x, node: x.definition_at(node),
    "argument_list": _first_of_list,
    "co_await_expression": lambda x, node: ("w", _argument(x, node)),
    "parameter_pack_expansion": lambda x, node: ("*", x.lower(node.child_by_field_name("pattern"))),
    "condition_clause": lambda x, node: x.lower(node.child_by_field_name("value")),
    "structured_binding_declarator": lambda x, node: ("l", tuple(("n", x.text(c)) for c in node.named_children)),
    "lambda_capture_initializer": inner,
    "user_defined_literal": lambda x, node: UNKNOWN,
}
EXPRESSIONS["delete_expression"] = inner
