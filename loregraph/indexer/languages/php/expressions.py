"""PHP's expressions and types, lowered.

A variable keeps its `$`, so that it never meets a function, class or constant of its name; a property has none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import FILLED, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    boolean,
    call_result,
    dotted,
    filled_in,
    floating,
    inner,
    integer,
    named_part,
    nothing,
    parts,
    string_of,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment"})
_BOOLEAN_OPERATORS = frozenset(
    {"==", "!=", "===", "!==", "<>", "<", ">", "<=", ">=", "&&", "||", "and", "or", "xor", "instanceof"}
)
PRIMITIVES: Final = {
    "int": "int", "integer": "int", "float": "float", "double": "float", "string": "str", "bool": "bool",
    "boolean": "bool", "true": "bool", "false": "bool", "null": "none", "void": "none", "never": "none",
}  # fmt: skip
_DOC_NAME = re.compile(r"\??(\\?[A-Za-z_]\w*(?:\\\w+)*)((?:\[\])*)")
_DOC_GENERIC = re.compile(r"(\\?[\w\\-]++)<(?:[^<>,]++,\s*+)?([^<>,]++)>")
_LISTS = frozenset({"array", "list", "iterable", "non-empty-array", "non-empty-list"})
_COLLECTION = re.compile(r"(?:Collection|Iterator|Generator|Traversable|Enumerable|Paginator|ArrayObject|Storage)$")


def written_path(text: str) -> str:
    """A qualified name with dots: `\\App\\User` is `App.User`."""
    return "".join(text.split()).strip("\\").replace("\\", ".")


def name(x: Extraction, node: Node) -> Expr:
    return dotted(written_path(x.text(node)))


def _relative(x: Extraction, node: Node) -> Expr:
    return dotted(written_path(x.text(node).partition("\\")[2]))


def _scope(x: Extraction, node: Node) -> Expr:
    """`self`, `static`, `parent` before `::`."""
    text = x.text(node).lower()
    return ("p",) if text == "parent" else ("n", text)


def variable(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return ("v",) if text == "$this" else ("n", text)


def member_name(x: Extraction, node: Node | None) -> str:
    """A member's name, "" for one that is computed."""
    if node is None:
        return ""
    if node.type == "name":
        return x.text(node)
    return ""


def member(x: Extraction, node: Node) -> Expr:
    held = node.child_by_field_name("name")
    found = member_name(x, held)
    on = x.lower(node.child_by_field_name("object"))
    if found:
        return ("a", on, found)
    return ("s", on, _computed(x, held)) if held is not None and on == ("v",) else UNKNOWN


def _computed(x: Extraction, node: Node) -> Expr:
    """The name of a member that is put together: `{"get$name"}`, `{'get' . $name}`, `$method`."""
    held = named_part(node) if node.type not in ("variable_name", "encapsed_string", "binary_expression") else node
    return x.lower(held)


def scoped(x: Extraction, node: Node) -> Expr:
    """`Foo::bar`, `self::$count`."""
    held = node.child_by_field_name("name")
    found = x.text(held).lstrip("$") if held is not None and held.type in ("name", "variable_name") else ""
    return ("a", x.lower(node.child_by_field_name("scope")), found) if found else UNKNOWN


def _constant(x: Extraction, node: Node) -> Expr:
    """`Foo::BAR`; `Foo::class` is the class."""
    held = parts(node)
    if len(held) < 2:
        return UNKNOWN
    last = x.text(held[-1])
    return x.lower(held[0]) if last == "class" else ("a", x.lower(held[0]), last)


def arguments(x: Extraction, node: Node | None) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """Positional and named arguments of an argument list."""
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for argument in parts(node):
        if argument.type != "argument":
            continue
        label = argument.child_by_field_name("name")
        value = x.lower(named_part(argument, -1))
        if label is not None:
            named.append((f"${x.text(label)}", value))
        else:
            positional.append(value)
    return tuple(positional), tuple(named)


APPLIED: Final = {
    "call_user_func": False,
    "call_user_func_array": True,
    "forward_static_call": False,
    "forward_static_call_array": True,
}
"""Functions that call their first argument → whether with the elements of the second, not with the others."""


def is_callable_made(node: Node) -> bool:
    """Whether a call is none but makes a function of what it names: `$this->run(...)`."""
    listed = node.child_by_field_name("arguments")
    return listed is not None and any(c.type == "variadic_placeholder" for c in listed.named_children)


def _called(x: Extraction, node: Node) -> Expr:
    if not is_callable_made(node):
        return call_result(x, node)
    if node.type == "function_call_expression":
        found = x.lower(node.child_by_field_name("function"))
        return (*found[:-1], f"{found[-1]}()") if found[0] in ("n", "a") and found[-1][:1] != "$" else found
    found = scoped(x, node) if node.type == "scoped_call_expression" else member(x, node)
    return ("a", found[1], f"{found[2]}()") if found[0] == "a" else found


def _spread(x: Extraction, node: Node) -> Expr:
    return ("*", inner(x, node))


def _last(x: Extraction, node: Node) -> Expr:
    return x.lower(named_part(node, -1))


def _subscript(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    if not held:
        return UNKNOWN
    return ("s", x.lower(held[0]), x.lower(held[1]) if len(held) > 1 else UNKNOWN)


def _ternary(x: Extraction, node: Node) -> Expr:
    yes = node.child_by_field_name("body") or node.child_by_field_name("condition")
    return ("u", (x.lower(yes), x.lower(node.child_by_field_name("alternative"))))


def _match(x: Extraction, node: Node) -> Expr:
    body = node.child_by_field_name("body")
    arms = [x.lower(arm.child_by_field_name("return_expression")) for arm in parts(body)]
    return ("u", tuple(arms)) if arms else UNKNOWN


def _assigned(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _written(expr: Expr) -> str:
    """What is known of a string that is put together with others."""
    return expr[2] if expr[0] == "k" and expr[1] in ("str", "format") and expr[2] else FILLED


def _encapsed(x: Extraction, node: Node) -> Expr:
    """`"get$name"`."""
    if all(c.type in ("string_content", "escape_sequence") for c in node.named_children):
        return _plain_text(x, node)
    return filled_in("".join([x.text(c) if c.type == "string_content" else FILLED for c in node.named_children]))


_plain_text: Final = string_of("string_content")


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator else ""
    left, right = x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))
    if text in ("??", "?:"):
        return ("u", (left, right))
    if text == ".":
        written = _written(left) + _written(right)
        return filled_in(written) if FILLED in written else ("k", "str", "")
    return ("k", "bool", "") if text in _BOOLEAN_OPERATORS else ("b", text, left, right)


def _unary(x: Extraction, node: Node) -> Expr:
    first = node.children[0] if node.children else None
    return ("k", "bool", "") if first is not None and first.type == "!" else inner(x, node)


def _array(x: Extraction, node: Node) -> Expr:
    """`[a, b]`, `['k' => v]`, `list($a, $b)`."""
    pairs: list[tuple[Expr, Expr]] = []
    items: list[Expr] = []
    for element in parts(node):
        if element.type != "array_element_initializer":
            items.append(x.lower(element))
            continue
        held = parts(element)
        if len(held) == 2:
            pairs.append((x.lower(held[0]), x.lower(held[1])))
        elif held:
            items.append(x.lower(held[0]))
    return ("d", tuple(pairs)) if pairs and not items else ("l", tuple(items))


def _list(x: Extraction, node: Node) -> Expr:
    if any(c.type == "=>" for c in node.children):
        held = parts(node)
        return ("d", tuple((x.lower(k), x.lower(v)) for k, v in zip(held[::2], held[1::2], strict=False)))
    return ("l", tuple(x.lower(c) for c in parts(node)))


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


# Types


def _primitive(x: Extraction, node: Node) -> Expr:
    return primitive(x.text(node))


def primitive(text: str) -> Expr:
    """A type that the language names: `int`, `array`."""
    known = PRIMITIVES.get(text.lower())
    return ("k", known, "") if known else ("n", text)


def _union(x: Extraction, node: Node) -> Expr:
    return ("u", tuple(x.lower(c) for c in parts(node)))


def declared_type(x: Extraction, node: Node | None) -> Expr | None:
    """A declared type; None where there is none, or one that says nothing (`mixed`, `array`)."""
    if node is None:
        return None
    type_ = x.lower(node)
    return None if type_ == ("n", "mixed") else type_


def documented_type(text: str) -> Expr | None:
    """The type that a comment gives (`@var Foo[]|null`): its classes; None where it names none."""
    options: list[Expr] = []
    generic = _DOC_GENERIC.match(text)
    if generic is not None and generic[1] in _LISTS:
        held = documented_type(generic[2])
        return ("s", ("n", "[]"), held) if held is not None else None
    if generic is not None and _COLLECTION.search(generic[1]):
        held = documented_type(generic[2])
        own = dotted(written_path(generic[1]))
        return ("u", (own, ("s", ("n", "[]"), held))) if held is not None else own
    for option in text.split("|"):
        match = _DOC_NAME.match(option)
        if match is None or match[1].lower() in PRIMITIVES or match[1] in ("mixed", "array", "callable", "iterable"):
            continue
        type_: Expr = ("v",) if match[1] == "$this" else dotted(written_path(match[1]))
        for _ in range(match[2].count("[]")):
            type_ = ("s", ("n", "[]"), type_)
        options.append(type_)
    if not options:
        return None
    return options[0] if len(options) == 1 else ("u", tuple(options))


def _string(x: Extraction, node: Node) -> Expr:
    """A string in single quotes; the only thing escaped in the name of a class or function is its backslash."""
    text = x.text(node)[1:-1]
    return ("k", "str", text.replace("\\\\", "\\") if len(text) <= MAX_LITERAL else "")


EXPRESSIONS: dict[str, Lowering] = {
    "name": name,
    "namespace_name": name,
    "qualified_name": name,
    "relative_name": _relative,
    "relative_scope": _scope,
    "variable_name": variable,
    "by_ref": inner,
    "member_access_expression": member,
    "nullsafe_member_access_expression": member,
    "scoped_property_access_expression": scoped,
    "class_constant_access_expression": _constant,
    "function_call_expression": _called,
    "member_call_expression": _called,
    "nullsafe_member_call_expression": _called,
    "scoped_call_expression": _called,
    "object_creation_expression": call_result,
    "subscript_expression": _subscript,
    "conditional_expression": _ternary,
    "match_expression": _match,
    "assignment_expression": _assigned,
    "reference_assignment_expression": _assigned,
    "augmented_assignment_expression": _assigned,
    "array_element_initializer": _last,
    "variadic_unpacking": _spread,
    "parenthesized_expression": inner,
    "clone_expression": inner,
    "error_suppression_expression": inner,
    "binary_expression": _binary,
    "unary_op_expression": _unary,
    "update_expression": inner,
    "array_creation_expression": _array,
    "list_literal": _list,
    "anonymous_function": _lambda,
    "arrow_function": _lambda,
    "boolean": boolean,
    "null": nothing,
    "integer": integer,
    "float": floating,
    "string": _string,
    "encapsed_string": _encapsed,
    "heredoc": string_of("string_content"),
    "nowdoc": string_of("string_content"),
    "primitive_type": _primitive,
    "bottom_type": nothing,
    "named_type": inner,
    "optional_type": inner,
    "union_type": _union,
    "intersection_type": _union,
    "type_list": _union,
    "disjunctive_normal_form_type": _union,
}
