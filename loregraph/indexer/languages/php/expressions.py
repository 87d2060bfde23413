"""PHP's expressions and types, lowered.

A variable keeps its `$`, so that it never meets a function, class or constant of its name; a property has none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    FILLED,
    LITERAL,
    MAPPING,
    NAME,
    OPERATION,
    PARENT,
    RECEIVER,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages import hooks
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    call_result,
    definition,
    dotted,
    filled_in,
    inner,
    integer,
    named_part,
    parts,
    string_of,
)
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, TEXT, choose, each, lowerings, some, together

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment"})
_COMPARISONS: Final = "== != === !== <> < > <= >= && || and or xor instanceof"
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
    return (PARENT,) if text == "parent" else (NAME, text)


def _variable(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return (RECEIVER,) if text == "$this" else (NAME, text)


def _member(x: Extraction, node: Node) -> Expr:
    """`$a->b`; of `$this` also a member whose name is put together: `{"get$name"}`, `{'get' . $name}`, `$method`."""
    held, on = node.child_by_field_name("name"), x.lower(node.child_by_field_name("object"))
    if held is None or held.type == "name":
        return (ATTRIBUTE, on, x.text(held)) if held is not None else UNKNOWN
    if on != (RECEIVER,):
        return UNKNOWN
    is_value = held.type in ("variable_name", "encapsed_string", "binary_expression")
    return (SUBSCRIPT, on, x.lower(held if is_value else named_part(held)))


_SCOPED: Final = choose(
    "%name", {"name": (ATTRIBUTE, "@scope", "$name"), "variable_name": (ATTRIBUTE, "@scope", "$name/0!")}
)
"""`Foo::bar`, `self::$count`."""


def _label(x: Extraction, argument: Node) -> str:
    """The parameter that a named argument is for."""
    label = argument.child_by_field_name("name")
    return f"${x.text(label)}" if label is not None else ""


arguments: Final = hooks.arguments(_label, each=":argument")


def callee(x: Extraction, node: Node) -> Expr:
    """What a call of any kind calls."""
    if node.type == "function_call_expression":
        return x.lower(node.child_by_field_name("function"))
    return _SCOPED(x, node) if node.type == "scoped_call_expression" else _member(x, node)


def is_callable_made(node: Node) -> bool:
    """Whether a call is none but makes a function of what it names: `$this->run(...)`."""
    listed = node.child_by_field_name("arguments")
    return listed is not None and any(c.type == "variadic_placeholder" for c in listed.named_children)


def _called(x: Extraction, node: Node) -> Expr:
    if not is_callable_made(node):
        return call_result(x, node)
    found = callee(x, node)
    return (*found[:-1], f"{found[-1]}()") if found[0] in (NAME, ATTRIBUTE) and found[-1][:1] != "$" else found


def _written(expr: Expr) -> str:
    """What is known of a string that is put together with others."""
    return expr[2] if expr[0] == LITERAL and expr[1] in ("str", "format") and expr[2] else FILLED


def _joined(x: Extraction, node: Node) -> Expr:
    """`'get' . $name`."""
    text = "".join([_written(x.lower(node.child_by_field_name(field))) for field in ("left", "right")])
    return filled_in(text) if FILLED in text else TEXT


def _encapsed(x: Extraction, node: Node) -> Expr:
    """`"get$name"`."""
    if all(c.type in ("string_content", "escape_sequence") for c in node.named_children):
        return _plain_text(x, node)
    return filled_in("".join([x.text(c) if c.type == "string_content" else FILLED for c in node.named_children]))


_plain_text: Final = string_of("string_content")


def _array(x: Extraction, node: Node) -> Expr:
    """`[a, b]`, `['k' => v]`."""
    pairs: list[tuple[Expr, Expr]] = []
    items: list[Expr] = []
    for element in parts(node):
        held = parts(element) if element.type == "array_element_initializer" else [element]
        if len(held) == 2:
            pairs.append((x.lower(held[0]), x.lower(held[1])))
        elif held:
            items.append(x.lower(held[0]))
    return (MAPPING, tuple(pairs)) if pairs and not items else (SEQUENCE, tuple(items))


def _list(x: Extraction, node: Node) -> Expr:
    """`list($a, $b)`, `['k' => $a] = …`."""
    held = [x.lower(part) for part in parts(node)]
    if any(c.type == "=>" for c in node.children):
        return (MAPPING, tuple(zip(held[::2], held[1::2], strict=False)))
    return (SEQUENCE, tuple(held))


def _string(x: Extraction, node: Node) -> Expr:
    """A string in single quotes; the only thing escaped in the name of a class or function is its backslash."""
    text = x.text(node)[1:-1]
    return (LITERAL, "str", text.replace("\\\\", "\\") if len(text) <= MAX_LITERAL else "")


# Types


def _primitive(x: Extraction, node: Node) -> Expr:
    """A type that the language names: `int`, `array`."""
    text = x.text(node)
    known = PRIMITIVES.get(text.lower())
    return (LITERAL, known, "") if known else (NAME, text)


def declared_type(x: Extraction, node: Node) -> Expr | None:
    """The declared type of what `node` declares; None where there is none, or `mixed`, which says nothing."""
    written = node.child_by_field_name("type")
    type_ = x.lower(written) if written is not None else None
    return None if type_ == (NAME, "mixed") else type_


def documented_type(text: str) -> Expr | None:
    """The type that a comment gives (`@var Foo[]|null`): its classes; None where it names none."""
    generic = _DOC_GENERIC.match(text)
    if generic is not None and generic[1] in _LISTS:
        held = documented_type(generic[2])
        return _list_of(held) if held is not None else None
    if generic is not None and _COLLECTION.search(generic[1]):
        held = documented_type(generic[2])
        own = dotted(written_path(generic[1]))
        return (UNION, (own, _list_of(held))) if held is not None else own
    options: list[Expr] = []
    for option in text.split("|"):
        match = _DOC_NAME.match(option)
        if match is None or match[1].lower() in PRIMITIVES or match[1] in ("mixed", "array", "callable", "iterable"):
            continue
        type_: Expr = (RECEIVER,) if match[1] == "$this" else dotted(written_path(match[1]))
        for _ in range(match[2].count("[]")):
            type_ = _list_of(type_)
        options.append(type_)
    if not options:
        return None
    return options[0] if len(options) == 1 else (UNION, tuple(options))


def _list_of(element: Expr) -> Expr:
    return (SUBSCRIPT, (NAME, "[]"), element)


EXPRESSIONS: Final = lowerings(
    {
        "name": name,
        "namespace_name": name,
        "qualified_name": name,
        "relative_name": _relative,
        "relative_scope": _scope,
        "variable_name": _variable,
        "by_ref": inner,
        "member_access_expression": _member,
        "nullsafe_member_access_expression": _member,
        "scoped_property_access_expression": _SCOPED,
        "class_constant_access_expression": choose("$1", {"class": "@0"}, (ATTRIBUTE, "@0", "$1!")),
        "function_call_expression": _called,
        "member_call_expression": _called,
        "nullsafe_member_call_expression": _called,
        "scoped_call_expression": _called,
        "object_creation_expression": call_result,
        "subscript_expression": (SUBSCRIPT, "@0!", "@1"),
        "conditional_expression": (UNION, ("@body|condition", "@alternative")),
        "match_expression": some(UNION, each("body/*", "@return_expression")),
        "assignment_expression": "@right",
        "reference_assignment_expression": "@right",
        "augmented_assignment_expression": "@right",
        "array_element_initializer": "@-1",
        "variadic_unpacking": (SPREAD, "@0"),
        "parenthesized_expression": inner,
        "clone_expression": inner,
        "error_suppression_expression": inner,
        "binary_expression": choose(
            "%operator",
            {"?? ?:": (UNION, ("@left", "@right")), ".": _joined, _COMPARISONS: BOOLEAN},
            (OPERATION, "%operator", "@left", "@right"),
        ),
        "unary_op_expression": choose("%", {"!": BOOLEAN}, inner),
        "update_expression": inner,
        "array_creation_expression": _array,
        "list_literal": _list,
        "anonymous_function": definition,
        "arrow_function": definition,
        "boolean": BOOLEAN,
        "null": NOTHING,
        "integer": integer,
        "float": FLOAT,
        "string": _string,
        "encapsed_string": _encapsed,
        "heredoc": _plain_text,
        "nowdoc": _plain_text,
        "primitive_type": _primitive,
        "bottom_type": NOTHING,
        "named_type": inner,
        "optional_type": inner,
        "union_type": (UNION, "*"),
        "intersection_type": (UNION, "*"),
        "type_list": together(UNION, "*"),
        "disjunctive_normal_form_type": (UNION, "*"),
    }
)
