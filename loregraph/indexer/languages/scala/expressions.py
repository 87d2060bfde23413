"""Scala's expressions and types, lowered.

A member or name that is read may be a method without parameters, which reading runs: what stands for a value is lowered
to the result of a `read` call, what is called is not. Placeholders (`_.name`) are lambdas with the parameter `_`.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    ATTRIBUTE,
    LITERAL,
    NAME,
    PARENT,
    RECEIVER,
    RESULT,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import call_result, definition, inner, integer, last, parts, plain, plain_name
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    FLOAT,
    NOTHING,
    TEXT,
    at,
    choose,
    compiled,
    each,
    generic,
    having,
    lowerings,
    some,
    together,
)
from loregraph.indexer.languages.selectors import one

COMMENTS = frozenset({"comment", "block_comment"})
COMPARISONS: Final = "== != eq ne && || ="
"""Operators that every value has."""
_WRITTEN_TYPES = frozenset({"asInstanceOf", "isInstanceOf"})
_GIVEN = frozenset({"summon", "implicitly", "summonInline"})

declared_type = written("@type")
"""The type that a declaration states; None where it states none."""


def _this_or_name(x: Extraction, node: Node) -> Expr:
    text = plain(x, node)
    if text == "this":
        return (RECEIVER,)
    return (PARENT,) if text == "super" else (NAME, text)


def name(x: Extraction, node: Node) -> Expr:
    """A name that stands for a value."""
    expr = _this_or_name(x, node)
    if expr[0] != NAME or not (expr[1][:1].islower() or expr[1][:1] == "_") or is_local(x, expr[1]):
        return expr
    return _read(x, node, expr)


def is_local(x: Extraction, text: str) -> bool:
    """Whether a name is a parameter or variable of the functions around the place that is read now."""
    locals_: dict[int, set[str]] = x.memo.setdefault("locals", {})
    around = x.scope
    while around >= 0:
        if text in locals_.get(around, ()):
            return True
        if any(parameter.name == text for parameter in x.definitions[around].parameters):
            return True
        around = x.definitions[around].parent
    return text == "_"


def make_local(x: Extraction, text: str) -> None:
    """Notes a variable of the function around the place that is read now."""
    locals_: dict[int, set[str]] = x.memo.setdefault("locals", {})
    locals_.setdefault(x.scope, set()).add(text)


def _read(x: Extraction, node: Node, expr: Expr) -> Expr:
    """The result of reading `expr`; one call for each node."""
    known: dict[int, int] = x.memo.setdefault("reads", {})
    index = known.get(node.id)
    if index is None:
        x.record_call(node, expr, (), (), "read")
        index = known[node.id] = len(x.calls) - 1
    return (RESULT, index)


def _path(x: Extraction, node: Node) -> Expr:
    """`a.b` as it is written, `C.this`."""
    base, member = node.child_by_field_name("value"), node.child_by_field_name("field")
    if base is None or member is None:
        return UNKNOWN
    text = plain(x, member)
    if text == "this":
        return (TYPED, (NAME, plain(x, base)), UNKNOWN)
    if base.type == "generic_function" and plain(x, base.child_by_field_name("function")) == "super":
        return (ATTRIBUTE, (PARENT,), text)
    return (ATTRIBUTE, x.lower(base), text)


def field(x: Extraction, node: Node) -> Expr:
    """A member that stands for a value."""
    expr = _path(x, node)
    if expr[0] != ATTRIBUTE or expr[1] == UNKNOWN or expr[2][:1].isupper():
        return expr
    return _read(x, node, expr)


def callee(x: Extraction, node: Node | None) -> Expr:
    """What is called: nothing is read on the way to it but what it is called on."""
    while node is not None and node.type in ("generic_function", "parenthesized_expression"):
        if node.type == "generic_function":
            node = node.child_by_field_name("function")
        else:
            node = parts(node)[0] if parts(node) else None
    if node is None:
        return UNKNOWN
    if node.type in ("identifier", "operator_identifier"):
        return _this_or_name(x, node)
    return _path(x, node) if node.type == "field_expression" else x.lower(node)


def is_callee(node: Node) -> bool:
    """Whether a node is what a call calls, or a type is applied to."""
    around = node.parent
    while around is not None and around.type == "generic_function":
        node, around = around, around.parent
    if around is None or around.type != "call_expression":
        return node.type == "generic_function"
    function = around.child_by_field_name("function")
    return function is not None and function.id == node.id


def _generic(x: Extraction, node: Node) -> Expr:
    """`f[T]` without arguments: a cast, what is given for a type, or a call."""
    function = node.child_by_field_name("function")
    types = parts(node.child_by_field_name("type_arguments"))
    text = plain(x, function.child_by_field_name("field")) if function is not None else ""
    if text in _WRITTEN_TYPES and function is not None:
        if text == "isInstanceOf" or not types:
            return BOOLEAN
        return (TYPED, x.lower(types[0]), x.lower(function.child_by_field_name("value")))
    if function is not None and types and plain(x, function) in _GIVEN:
        return (TYPED, x.lower(types[0]), UNKNOWN)
    expr = callee(x, node)
    return _read(x, node, expr) if expr[0] in (NAME, ATTRIBUTE) else expr


def _curried(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    while function is not None and function.type in ("call_expression", "generic_function"):
        function = function.child_by_field_name("function")
    return x.lower(function) if function is not None and function.type == "instance_expression" else x.call_at(node)


def is_mixed(x: Extraction, node: Node) -> bool:
    """`new A with B`, which the grammar takes for an operator."""
    if node.type != "infix_expression" or plain(x, node.child_by_field_name("operator")) != "with":
        return False
    left = node.child_by_field_name("left")
    while left is not None and left.type == "infix_expression":
        left = left.child_by_field_name("left")
    return left is not None and left.type == "instance_expression"


made_type = one("^arguments,template_body")
"""The type that `new` makes an instance of."""


def value(x: Extraction, node: Node) -> Expr:
    """What stands for a value; a function without a name is one, however it is written."""
    held = x.definition_at(node)
    return held if held != UNKNOWN else x.lower(node)


def _string(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return (LITERAL, "str", text[1:-1] if len(text) <= 66 and not text.startswith('"""') else "")


def _stable(x: Extraction, node: Node, depth: int = 0) -> Expr:
    expr: Expr = UNKNOWN
    for part in parts(node)[:MAX_EXPRESSION_DEPTH]:
        text = plain(x, part)
        if part.type == "stable_identifier":
            expr = _stable(x, part, depth + 1) if depth < MAX_EXPRESSION_DEPTH else UNKNOWN
        elif expr == UNKNOWN:
            expr = (RECEIVER,) if text == "this" else (NAME, text)
        else:
            expr = (ATTRIBUTE, expr, text)
    return expr


cases = compiled(some(UNION, each(":case_clause", "@body")))
"""What one of several cases gives."""

EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "operator_identifier": _this_or_name,
        "wildcard": (NAME, "_"),
        "field_expression": field,
        "generic_function": _generic,
        "call_expression": _curried,
        "instance_expression prefix_expression": call_result,
        "infix_expression": choose(
            "`operator", {"->": (SEQUENCE, ("@left", "@right")), COMPARISONS: BOOLEAN}, call_result
        ),
        "if_expression": (UNION, ("@consequence", "@alternative")),
        "match_expression": at("body", cases),
        "try_expression": "@body",
        "block indented_block": last,
        "parenthesized_expression annotated_type lazy_parameter_type repeated_parameter_type": inner,
        "tuple_expression tuple_type": (SEQUENCE, "*"),
        "ascription_expression": having(
            "1", choose("%1", {"repeated_parameter_type": (SPREAD, "@0")}, (TYPED, "@1", "@0"))
        ),
        "lambda_expression case_block colon_argument": definition,
        "string": _string,
        "interpolated_string_expression": TEXT,
        "boolean_literal": BOOLEAN,
        "null_literal": NOTHING,
        "integer_literal": integer,
        "floating_point_literal": FLOAT,
        "type_identifier": plain_name,
        "stable_type_identifier": _stable,
        "generic_type": generic("@type", "*type_arguments"),
        "compound_type": together(UNION, "**^operator_identifier,structural_type"),
        "infix_type": choose(
            "`operator",
            {"| &": (UNION, ("@left", "@right"))},
            (SUBSCRIPT, (NAME, "`operator"), (SEQUENCE, ("@left", "@right"))),
        ),
        "projected_type": (ATTRIBUTE, "@type", "`selector"),
    }
)
