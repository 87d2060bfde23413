"""How JavaScript's expressions and patterns become facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import FILLED, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import call_result, filled_in
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

NONE: Final[Expr] = ("k", "none", "")
BOOL: Final[Expr] = ("k", "bool", "")
STRING: Final[Expr] = ("k", "str", "")
NUMBER: Final[Expr] = ("k", "float", "")
RECEIVER: Final[Expr] = ("v",)
SUPER: Final[Expr] = ("p",)

_PROTOTYPE: Final[Expr] = ("k", "str", "__proto__")

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": "", "\r": ""}
_LAST = 0x10FFFF
_HALF = re.compile(r"[\ud800-\udfff]")


def string_text(x: Extraction, node: Node) -> str:
    """What a string literal says, escapes read."""
    text = x.text(node)[1:-1]
    return unescape(text) if "\\" in text else text


def unescape(text: str) -> str:
    """`text` with its escapes read: two halves of a surrogate pair are one character, one alone is no UTF-8 at all."""
    plain = _ESCAPE.sub(_unescaped, text)
    if not _HALF.search(plain):
        return plain
    whole = plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return whole.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _ESCAPED.get(match[4], match[4])
    number = int(code, 16)
    return "\ufffd" if number > _LAST else chr(number)


def literal_text(text: str) -> Expr:
    """A string literal of this text."""
    return ("k", "str", text if len(text) <= MAX_LITERAL else "")


def inner(node: Node) -> Node | None:
    """The first named child that is no comment."""
    return next((c for c in node.named_children if c.type != "comment"), None)


# Names and literals


def _name(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return NONE if text == "undefined" else ("n", text)


def _string(x: Extraction, node: Node) -> Expr:
    return literal_text(string_text(x, node))


def _template(x: Extraction, node: Node) -> Expr:
    if any(c.type == "template_substitution" for c in node.named_children):
        return filled_in(_with_gaps(x, node))
    return literal_text(string_text(x, node))


def _with_gaps(x: Extraction, node: Node) -> str:
    """What a template says, `FILLED` for each substitution; escapes as written."""
    return "".join(
        [
            FILLED if c.type == "template_substitution" else x.text(c)
            for c in node.named_children
            if c.type in ("template_substitution", "string_fragment", "escape_sequence")
        ]
    )


def _number(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return ("k", "int", text) if text.isdigit() and len(text) <= MAX_LITERAL else NUMBER


def _constant(expr: Expr) -> Lowering:
    def lowering(x: Extraction, node: Node) -> Expr:
        return expr

    return lowering


# Members, calls, functions


def _member(x: Extraction, node: Node) -> Expr:
    name = node.child_by_field_name("property")
    return ("a", x.lower(node.child_by_field_name("object")), x.text(name)) if name else UNKNOWN


def _subscript(x: Extraction, node: Node) -> Expr:
    return ("s", x.lower(node.child_by_field_name("object")), x.lower(node.child_by_field_name("index")))


def _call(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    module = loaded_module(x, node, function)
    return x.call_at(node) if module is None else ("m", module)


def loaded_module(x: Extraction, node: Node, function: Node | None) -> str | None:
    """The module that `require("m")` or `import("m")` names; None for any other call."""
    if function is None:
        return None
    kind = function.type
    if kind == "identifier":
        if function.end_byte - function.start_byte != 7 or x.text(function) != "require":
            return None
    elif kind != "import":
        return None
    arguments = node.child_by_field_name("arguments")
    first = inner(arguments) if arguments is not None else None
    if first is None or first.type not in ("string", "template_string"):
        return None
    if first.type == "template_string" and first.named_child_count > 1:
        return None
    return string_text(x, first)


def _definition(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def arguments(x: Extraction, node: Node) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """An argument list; of a tagged template: the strings, then what is substituted."""
    if node.type == "template_string":
        return (STRING, *(x.lower(inner(c)) for c in node.named_children if c.type == "template_substitution")), ()
    return tuple(x.lower(c) for c in node.named_children if c.type != "comment"), ()


# Objects, arrays, patterns


def _array(x: Extraction, node: Node) -> Expr:
    items: list[Expr] = []
    hole = True
    for child in node.children:
        if child.type == ",":
            if hole:
                items.append(UNKNOWN)
            hole = True
        elif child.is_named and child.type != "comment":
            items.append(x.lower(child))
            hole = False
    return ("l", tuple(items))


def key_of(x: Extraction, node: Node | None) -> Expr:
    """The key of a property, as an expression."""
    if node is None:
        return UNKNOWN
    if node.type in ("property_identifier", "private_property_identifier", "identifier"):
        return literal_text(x.text(node))
    if node.type == "computed_property_name":
        return x.lower(inner(node))
    return x.lower(node)


def _object(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for child in node.named_children:
        kind = child.type
        if kind in ("pair", "pair_pattern"):
            key, value = key_of(x, child.child_by_field_name("key")), x.lower(child.child_by_field_name("value"))
            pairs.append((key, value))
            if key == _PROTOTYPE and kind == "pair":
                pairs.insert(0, (UNKNOWN, value))  # what it inherits, but for what it has itself
        elif kind == "method_definition":
            pairs.append((key_of(x, child.child_by_field_name("name")), x.definition_at(child)))
        elif kind in ("shorthand_property_identifier", "shorthand_property_identifier_pattern"):
            text = x.text(child)
            pairs.append((literal_text(text), ("n", text)))
        elif kind == "object_assignment_pattern":
            left = child.child_by_field_name("left")
            target = x.lower(left)
            key = literal_text(target[1]) if target[0] == "n" else UNKNOWN
            pairs.append((key, ("u", (target, x.lower(child.child_by_field_name("right"))))))
        elif kind in ("spread_element", "rest_pattern"):
            pairs.append((UNKNOWN, x.lower(inner(child))))
    return ("d", tuple(pairs))


def _defaulted(x: Extraction, node: Node) -> Expr:
    """A pattern with a default value."""
    return ("u", (x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))))


# Operators


def _inner(x: Extraction, node: Node) -> Expr:
    return x.lower(inner(node))


def _around(operator: str) -> Lowering:
    def lowering(x: Extraction, node: Node) -> Expr:
        return (operator, _inner(x, node))

    return lowering


def _right(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _ternary(x: Extraction, node: Node) -> Expr:
    chosen = x.lower(node.child_by_field_name("consequence"))
    return ("u", (chosen, x.lower(node.child_by_field_name("alternative"))))


_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "instanceof"})


def _binary(x: Extraction, node: Node) -> Expr:
    sign = node.child_by_field_name("operator")
    operator = sign.type if sign is not None else ""
    if operator in ("||", "??"):
        return ("u", (x.lower(node.child_by_field_name("left")), _right(x, node)))
    if operator == "&&":
        # A left side that decides is falsy: nothing that could be called or read.
        return _right(x, node)
    if operator in _COMPARISONS:
        return BOOL
    return ("b", operator, x.lower(node.child_by_field_name("left")), _right(x, node))


def _unary(x: Extraction, node: Node) -> Expr:
    sign = node.child_by_field_name("operator")
    operator = sign.type if sign is not None else ""
    if operator in ("!", "delete"):
        return BOOL
    if operator == "typeof":
        return STRING
    return NONE if operator == "void" else NUMBER


def _sequence(x: Extraction, node: Node) -> Expr:
    parts = [c for c in node.named_children if c.type != "comment"]
    return x.lower(parts[-1]) if parts else UNKNOWN


EXPRESSIONS: Final[dict[str, Lowering]] = {
    "identifier": _name,
    "shorthand_property_identifier": _name,
    "shorthand_property_identifier_pattern": _name,
    "property_identifier": lambda x, node: literal_text(x.text(node)),
    "undefined": _constant(NONE),
    "this": _constant(RECEIVER),
    "super": _constant(SUPER),
    "member_expression": _member,
    "subscript_expression": _subscript,
    "call_expression": _call,
    "new_expression": call_result,
    "function_expression": _definition,
    "generator_function": _definition,
    "arrow_function": _definition,
    "class": _definition,
    "function_declaration": _definition,
    "generator_function_declaration": _definition,
    "class_declaration": _definition,
    "string": _string,
    "template_string": _template,
    "number": _number,
    "regex": _constant(("k", "regex", "")),
    "true": _constant(BOOL),
    "false": _constant(BOOL),
    "null": _constant(NONE),
    "array": _array,
    "array_pattern": _array,
    "object": _object,
    "object_pattern": _object,
    "assignment_pattern": _defaulted,
    "object_assignment_pattern": _defaulted,
    "spread_element": _around("*"),
    "rest_pattern": _around("*"),
    "parenthesized_expression": _inner,
    "template_substitution": _inner,
    "jsx_expression": _inner,
    "sequence_expression": _sequence,
    "assignment_expression": _right,
    "augmented_assignment_expression": _right,
    "ternary_expression": _ternary,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _constant(NUMBER),
    "await_expression": _around("w"),
    "yield_expression": _around("y"),
}
