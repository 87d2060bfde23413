"""Elixir's expressions, lowered. A name on its own is a variable; `user.name` reads a map, `Mod.name` calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, LITERAL, MAPPING, MODULE, NAME, SEQUENCE, SUBSCRIPT, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.elixir.lexicon import atom_text, block_of, given, is_module, key_text, lexicon, sign_of
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import call_result, definition, inner, integer, parts, string_of
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, at, choose, each, lowerings, text_of
from loregraph.indexer.languages.selectors import many

if TYPE_CHECKING:
    from tree_sitter import Node

_PLACES = re.compile(r"&(\d{1,3})")

_map_keys = many(":map_content/:keywords/:pair")
_operand = text_of("operand")


def module(x: Extraction, node: Node) -> Expr:
    """A module by its whole name."""
    return (MODULE, lexicon(x).whole(x.text(node), node.start_byte))


def name(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return module(x, node) if text == "__MODULE__" else (NAME, text)


def call(x: Extraction, node: Node) -> Expr:
    """The result of a call; without arguments a member of what is no module."""
    read = member_read(x, node)
    return x.call_at(node) if read is None else read


def member_read(x: Extraction, node: Node) -> Expr | None:
    """`user.name` as a member; None for a call."""
    target = node.child_by_field_name("target")
    if target is None or target.type != "dot" or node.named_child_count > 1:
        return None
    left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
    if left is None or right is None or left.type in ("atom", "quoted_atom") or is_module(x, left):
        return None
    if x.source[node.end_byte - 1 : node.end_byte] == b")":
        return None
    return (ATTRIBUTE, x.lower(left), x.text(right))


def called(x: Extraction, node: Node) -> Expr:
    """What a call calls."""
    target = node.child_by_field_name("target")
    if target is None:
        return UNKNOWN
    if target.type == "identifier":
        return (NAME, x.text(target))
    if target.type == "dot":
        left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
        base = remote(x, left) if left is not None else UNKNOWN
        if right is None:
            return base
        named = right.type in ("identifier", "operator_identifier")
        return (ATTRIBUTE, base, x.text(right)) if named else UNKNOWN
    return x.lower(target)


def remote(x: Extraction, node: Node) -> Expr:
    """What stands before the dot of a call: a module, an Erlang module, a value."""
    return (MODULE, x.text(node)) if node.type == "atom" else x.lower(node)


def arguments(x: Extraction, node: Node) -> tuple[Expr, ...]:
    """The arguments of a call: what is piped into it first, `a: 1, b: 2` as one, a `do` block as one."""
    block = [UNKNOWN] if block_of(node) is not None else []
    found = [x.lower(part) for part in given(node)]
    piped = piped_into(node)
    return (*([x.lower(piped)] if piped is not None else []), *found, *block)


def piped_into(node: Node) -> Node | None:
    """What `|>` hands to a call; None where nothing does."""
    around = node.parent
    if around is None or around.type != "binary_operator" or sign_of(around) != "|>":
        return None
    return around.child_by_field_name("left") if around.child_by_field_name("right") == node else None


def captured(x: Extraction, node: Node) -> tuple[Node, int] | None:
    """What `&name/2` or `&Mod.name/2` captures, with the number of its parameters; None for `&(&1 + 1)`."""
    operand = node.child_by_field_name("operand")
    if operand is None or operand.type != "binary_operator" or sign_of(operand) != "/":
        return None
    left, right = operand.child_by_field_name("left"), operand.child_by_field_name("right")
    if left is None or right is None or right.type != "integer":
        return None
    if left.type == "identifier" or (left.type == "call" and not given(left)):
        return left, int(x.text(right).replace("_", "") or 0)
    return None


def is_function(x: Extraction, node: Node) -> bool:
    """Whether `&…` is a function of its own: neither `&1` nor `&name/1`."""
    operand = node.child_by_field_name("operand")
    return operand is not None and operand.type != "integer" and captured(x, node) is None


def captures(x: Extraction, node: Node) -> int:
    """How many parameters `&(&1 + &2)` has."""
    return max((int(number) for number in _PLACES.findall(x.text(node))), default=0)


def _capture(x: Extraction, node: Node) -> Expr:
    found = captured(x, node)
    if found is None:
        operand = node.child_by_field_name("operand")
        if operand is not None and operand.type == "integer":
            return (NAME, f"&{x.text(operand)}")
        return x.definition_at(node)
    held, count = found
    if held.type == "identifier":
        own = own_function(x, node.start_byte, x.text(held), count)
        return (NAME, x.text(held)) if own is None else x.definition_at(own)
    return called(x, held)


def own_function(x: Extraction, at: int, name_: str, count: int) -> Node | None:
    """The definition of `name/count` in the module around a place."""
    known: dict[tuple[str, str], list[tuple[int, int, Node]]] = x.memo.setdefault("functions", {})
    for least, most, node in known.get((lexicon(x).module_at(at), name_), ()):
        if least <= count <= most:
            return node
    return None


def _attribute(x: Extraction, node: Node) -> str:
    return f"@{_operand(x, node)}"


def _pair(x: Extraction, node: Node) -> tuple[Expr, Expr]:
    key: Expr = (LITERAL, "str", key_text(x, node).strip('"'))
    return key, x.lower(node.child_by_field_name("value"))


def _dot(x: Extraction, node: Node) -> Expr:
    """`__MODULE__.Inner`."""
    return module(x, node) if x.text(node).startswith("__MODULE__.") else UNKNOWN


def pattern(x: Extraction, node: Node, depth: int = 0) -> Expr:
    """What a pattern binds: names in lists, tuples and maps; of `pattern = name` the name."""
    if depth > MAX_EXPRESSION_DEPTH:
        return UNKNOWN
    depth += 1
    if node.type == "identifier":
        text = x.text(node)
        return UNKNOWN if text.startswith("_") else (NAME, text)
    if node.type in ("list", "tuple"):
        return (SEQUENCE, tuple(pattern(x, part, depth) for part in parts(node)))
    if node.type == "binary_operator":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = sign_of(node)
        if sign == "=" and left is not None and right is not None:
            return pattern(x, right if right.type == "identifier" else left, depth)
        if sign in ("\\\\", "when") and left is not None:
            return pattern(x, left, depth)
        return UNKNOWN
    if node.type == "map":
        pairs = [(key_text(x, pair), pair.child_by_field_name("value")) for pair in _map_keys(x, node)]
        return (MAPPING, tuple(((LITERAL, "str", key), pattern(x, v, depth)) for key, v in pairs if v is not None))
    return UNKNOWN


_MAPPED = {"pair": _pair, "binary_operator": ("@left", "@right")}

EXPRESSIONS = lowerings(
    {
        "identifier": name,
        "alias": module,
        "atom": (LITERAL, "str", atom_text),
        "quoted_atom nil": NOTHING,
        "call": call,
        "dot": _dot,
        "unary_operator": choose(
            "%operator",
            {"&": _capture, "@": choose("%operand", {"identifier": (NAME, _attribute)}), "not !": BOOLEAN},
        ),
        "binary_operator": choose(
            "%operator",
            {
                "|>": at("right", choose("%.", {"call identifier": call_result})),
                "= \\\\": "@right",
                "|| && or and": (UNION, ("@left", "@right")),
            },
        ),
        "anonymous_function": definition,
        "list tuple": (SEQUENCE, "*"),
        "keywords": (MAPPING, each(":pair", _pair)),
        "map": (MAPPING, each(":map_content/:keywords,binary_operator/?:pair", choose("%.", _MAPPED))),
        "access_call": (SUBSCRIPT, "@target", "@key"),
        "block": inner,
        "string charlist": string_of("quoted_content"),
        "integer": integer,
        "float": FLOAT,
        "boolean": BOOLEAN,
    }
)
