"""Elixir's expressions, lowered. A name on its own is a variable; `user.name` reads a map, `Mod.name` calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.elixir.lexicon import given, lexicon
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import boolean, floating, inner, integer, nothing, parts, string_of
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_PLACES = re.compile(r"&(\d{1,3})")
_EITHER = frozenset({"||", "&&", "or", "and"})


def module(x: Extraction, node: Node) -> Expr:
    """A module by its whole name."""
    return ("m", lexicon(x).whole(x.text(node), node.start_byte))


def name(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return module(x, node) if text == "__MODULE__" else ("n", text)


def atom(x: Extraction, node: Node) -> Expr:
    return ("k", "str", x.text(node).lstrip(":"))


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
    if left is None or right is None or left.type in ("alias", "atom", "quoted_atom"):
        return None
    if left.type == "identifier" and x.text(left) == "__MODULE__":
        return None
    if left.type == "dot" and x.text(left).startswith("__MODULE__."):
        return None
    if x.source[node.end_byte - 1 : node.end_byte] == b")":
        return None
    return ("a", x.lower(left), x.text(right))


def called(x: Extraction, node: Node) -> Expr:
    """What a call calls."""
    target = node.child_by_field_name("target")
    if target is None:
        return UNKNOWN
    if target.type == "identifier":
        return ("n", x.text(target))
    if target.type == "dot":
        left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
        base = remote(x, left) if left is not None else UNKNOWN
        if right is None:
            return base
        return ("a", base, x.text(right).strip('"')) if right.type in ("identifier", "operator_identifier") else UNKNOWN
    return x.lower(target)


def remote(x: Extraction, node: Node) -> Expr:
    """What stands before the dot of a call: a module, an Erlang module, a value."""
    if node.type == "atom":
        return ("m", x.text(node))
    return x.lower(node)


def arguments(x: Extraction, node: Node) -> tuple[Expr, ...]:
    """The arguments of a call: what is piped into it first, `a: 1, b: 2` as one, a `do` block as one."""
    found = [x.lower(part) for part in given(node)]
    if any(part.type == "do_block" for part in node.named_children):
        found.append(UNKNOWN)
    piped = piped_into(node)
    return (*((x.lower(piped),) if piped is not None else ()), *found)


def piped_into(node: Node) -> Node | None:
    """What `|>` hands to a call; None where nothing does."""
    around = node.parent
    if around is None or around.type != "binary_operator":
        return None
    operator = around.child_by_field_name("operator")
    left, right = around.child_by_field_name("left"), around.child_by_field_name("right")
    if operator is None or operator.type != "|>" or right is None or right.id != node.id:
        return None
    return left


def captured(x: Extraction, node: Node) -> tuple[Node, int] | None:
    """What `&name/2` or `&Mod.name/2` captures, with the number of its parameters; None for `&(&1 + 1)`."""
    operand = node.child_by_field_name("operand")
    if operand is None or operand.type != "binary_operator":
        return None
    operator = operand.child_by_field_name("operator")
    left, right = operand.child_by_field_name("left"), operand.child_by_field_name("right")
    if operator is None or operator.type != "/" or left is None or right is None or right.type != "integer":
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


def _unary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator is not None else ""
    operand = node.child_by_field_name("operand")
    if sign == "&":
        return _capture(x, node)
    if sign == "@" and operand is not None:
        return ("n", f"@{x.text(operand)}") if operand.type == "identifier" else UNKNOWN
    return ("k", "bool", "") if sign in ("not", "!") else UNKNOWN


def _capture(x: Extraction, node: Node) -> Expr:
    found = captured(x, node)
    if found is None:
        operand = node.child_by_field_name("operand")
        if operand is not None and operand.type == "integer":
            return ("n", f"&{x.text(operand)}")
        return x.definition_at(node)
    held, count = found
    if held.type == "identifier":
        own = own_function(x, node.start_byte, x.text(held), count)
        return ("n", x.text(held)) if own is None else x.definition_at(own)
    return called(x, held)


def own_function(x: Extraction, at: int, name_: str, count: int) -> Node | None:
    """The definition of `name/count` in the module around a place."""
    known: dict[tuple[str, str], list[tuple[int, int, Node]]] = x.memo.setdefault("functions", {})
    for least, most, node in known.get((lexicon(x).module_at(at), name_), ()):
        if least <= count <= most:
            return node
    return None


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator is not None else ""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign == "|>" and right is not None:
        return x.call_at(right) if right.type in ("call", "identifier") else UNKNOWN
    if sign == "=":
        return x.lower(right)
    if sign in _EITHER:
        return ("u", (x.lower(left), x.lower(right)))
    if sign == "\\\\":
        return x.lower(right)
    return UNKNOWN


def _sequence(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(part) for part in parts(node)))


def _keywords(x: Extraction, node: Node) -> Expr:
    pairs = []
    for pair in node.named_children:
        key = pair.child_by_field_name("key")
        if key is not None:
            text = x.text(key).strip().rstrip(":").strip('"')
            pairs.append((("k", "str", text), x.lower(pair.child_by_field_name("value"))))
    return ("d", tuple(pairs))


def _map(x: Extraction, node: Node) -> Expr:
    """`%{a: 1}`, `%User{a: 1}`."""
    pairs: list[tuple[Expr, Expr]] = []
    for content in node.named_children:
        for part in parts(content) if content.type == "map_content" else ():
            if part.type == "keywords":
                pairs += _keywords(x, part)[1]
            elif part.type == "binary_operator":
                pairs.append((x.lower(part.child_by_field_name("left")), x.lower(part.child_by_field_name("right"))))
    return ("d", tuple(pairs))


def _access(x: Extraction, node: Node) -> Expr:
    return ("s", x.lower(node.child_by_field_name("target")), x.lower(node.child_by_field_name("key")))


def _dot(x: Extraction, node: Node) -> Expr:
    """`__MODULE__.Inner`."""
    return module(x, node) if x.text(node).startswith("__MODULE__.") else UNKNOWN


def _defined(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def pattern(x: Extraction, node: Node, depth: int = 0) -> Expr:
    """What a pattern binds: names in lists, tuples and maps; of `pattern = name` the name."""
    if depth > MAX_EXPRESSION_DEPTH:
        return UNKNOWN
    depth += 1
    if node.type == "identifier":
        text = x.text(node)
        return UNKNOWN if text.startswith("_") else ("n", text)
    if node.type in ("list", "tuple"):
        return ("l", tuple(pattern(x, part, depth) for part in parts(node)))
    if node.type == "binary_operator":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        sign = operator.type if operator is not None else ""
        if sign == "=" and left is not None and right is not None:
            chosen = right if right.type == "identifier" else left
            return pattern(x, chosen, depth)
        if sign in ("\\\\", "when") and left is not None:
            return pattern(x, left, depth)
        return UNKNOWN
    if node.type == "map":
        pairs = []
        for content in node.named_children:
            for part in parts(content) if content.type == "map_content" else ():
                for pair in part.named_children if part.type == "keywords" else ():
                    key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                    if key is not None and value is not None:
                        pairs.append((("k", "str", x.text(key).strip().rstrip(":")), pattern(x, value, depth)))
        return ("d", tuple(pairs))
    return UNKNOWN


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "alias": module,
    "atom": atom,
    "quoted_atom": nothing,
    "call": call,
    "dot": _dot,
    "unary_operator": _unary,
    "binary_operator": _binary,
    "anonymous_function": _defined,
    "list": _sequence,
    "tuple": _sequence,
    "keywords": _keywords,
    "map": _map,
    "access_call": _access,
    "block": inner,
    "string": string_of("quoted_content"),
    "charlist": string_of("quoted_content"),
    "integer": integer,
    "float": floating,
    "boolean": boolean,
    "nil": nothing,
}
