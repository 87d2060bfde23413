"""How JavaScript's expressions and patterns become facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    FILLED,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    OPERATION,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    YIELDED,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import call_result, definition, filled_in, last, parent, this
from loregraph.indexer.languages.lowering import inner as lowered_inner
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, TEXT, choose, lowerings, written_text

if TYPE_CHECKING:
    from tree_sitter import Node

_PROTOTYPE: Final[Expr] = (LITERAL, "str", "__proto__")

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
    return (LITERAL, "str", text if len(text) <= MAX_LITERAL else "")


def inner(node: Node) -> Node | None:
    """The first named child that is no comment."""
    return next((c for c in node.named_children if c.type != "comment"), None)


# Names and literals


def _name(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return NOTHING if text == "undefined" else (NAME, text)


def _string(x: Extraction, node: Node) -> Expr:
    return literal_text(string_text(x, node))


def _template(x: Extraction, node: Node) -> Expr:
    if any(c.type == "template_substitution" for c in node.named_children):
        return filled_in(_with_gaps(x, node))
    return literal_text(string_text(x, node))


def _with_gaps(x: Extraction, node: Node) -> str:
    """What a template says, `FILLED` for each substitution; escapes as written."""
    written = [
        c for c in node.named_children if c.type in ("template_substitution", "string_fragment", "escape_sequence")
    ]
    return "".join([FILLED if c.type == "template_substitution" else x.text(c) for c in written])


def _number(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return (LITERAL, "int", text) if text.isdigit() and len(text) <= MAX_LITERAL else FLOAT


# Members, calls, functions


def _call(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    module = loaded_module(x, node, function)
    return x.call_at(node) if module is None else (MODULE, module)


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


def arguments(x: Extraction, node: Node | None) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """An argument list; of a tagged template: the strings, then what is substituted."""
    if node is None:
        return (), ()
    if node.type == "template_string":
        return (TEXT, *(x.lower(inner(c)) for c in node.named_children if c.type == "template_substitution")), ()
    return tuple([x.lower(c) for c in node.named_children if c.type != "comment"]), ()


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
    return (SEQUENCE, tuple(items))


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
            pairs.append((literal_text(text), (NAME, text)))
        elif kind == "object_assignment_pattern":
            left = child.child_by_field_name("left")
            target = x.lower(left)
            key = literal_text(target[1]) if target[0] == NAME else UNKNOWN
            pairs.append((key, (UNION, (target, x.lower(child.child_by_field_name("right"))))))
        elif kind in ("spread_element", "rest_pattern"):
            pairs.append((UNKNOWN, x.lower(inner(child))))
    return (MAPPING, tuple(pairs))


_EITHER: Final = (UNION, ("@left", "@right"))

EXPRESSIONS: Final = lowerings(
    {
        "identifier": _name,
        "shorthand_property_identifier": _name,
        "shorthand_property_identifier_pattern": _name,
        "property_identifier": written_text("."),
        "undefined": NOTHING,
        "this": this,
        "super": parent,
        "member_expression": (ATTRIBUTE, "@object", "$property!"),
        "subscript_expression": (SUBSCRIPT, "@object", "@index"),
        "call_expression": _call,
        "new_expression": call_result,
        "function_expression": definition,
        "generator_function": definition,
        "arrow_function": definition,
        "class": definition,
        "function_declaration": definition,
        "generator_function_declaration": definition,
        "class_declaration": definition,
        "string": _string,
        "template_string": _template,
        "number": _number,
        "regex": (LITERAL, "regex", ""),
        "true": BOOLEAN,
        "false": BOOLEAN,
        "null": NOTHING,
        "array": _array,
        "array_pattern": _array,
        "object": _object,
        "object_pattern": _object,
        "assignment_pattern": _EITHER,
        "object_assignment_pattern": _EITHER,
        "spread_element": (SPREAD, "@0"),
        "rest_pattern": (SPREAD, "@0"),
        "parenthesized_expression": lowered_inner,
        "template_substitution": lowered_inner,
        "jsx_expression": lowered_inner,
        "sequence_expression": last,
        "assignment_expression": "@right",
        "augmented_assignment_expression": "@right",
        "ternary_expression": (UNION, ("@consequence", "@alternative")),
        "binary_expression": choose(
            "%operator",
            {
                "|| ??": _EITHER,
                "&&": "@right",  # a left side that decides is falsy: nothing that could be called or read
                "== === != !== < <= > >= in instanceof": BOOLEAN,
            },
            (OPERATION, "%operator", "@left", "@right"),
        ),
        "unary_expression": choose("%operator", {"! delete": BOOLEAN, "typeof": TEXT, "void": NOTHING}, FLOAT),
        "update_expression": FLOAT,
        "await_expression": (AWAITED, "@0"),
        "yield_expression": (YIELDED, "@0"),
    }
)
