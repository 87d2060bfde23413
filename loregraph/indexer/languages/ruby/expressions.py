"""Ruby's expressions, lowered.

A name without arguments may be a local variable or a call: what the method has assigned before, or takes as a
parameter, is a variable (`is_local`), everything else calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    boolean,
    call_result,
    floating,
    inner,
    integer,
    last,
    name,
    named_part,
    nothing,
    parts,
    string_of,
    this,
)
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment"})
OWN_CLASS: Expr = ("n", "class")
"""`self.class`, and `self` in a class body: a word that is no name in Ruby."""
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "===", "=~", "!~", "defined?"})
_WORDS = frozenset(
    {"private", "public", "protected", "module_function", "private_class_method", "raise", "block_given?"}
)
"""Names that are written like calls and are none worth a fact."""


def is_local(x: Extraction, name: str) -> bool:
    """Whether a name is a local variable at the place the sweep is at."""
    local: dict[int, set[str]] = x.memo.setdefault("locals", {})
    scope = x.scope
    while True:
        if name in local.get(scope, ()):
            return True
        if scope < 0:
            return False
        definition = x.definitions[scope]
        if any(p.name == name for p in definition.parameters):
            return True
        if definition.kind != "lambda":
            return False
        scope = definition.parent


def make_local(x: Extraction, target: Expr) -> None:
    """Notes the names that a pattern binds as local variables."""
    local: dict[int, set[str]] = x.memo.setdefault("locals", {})
    if target[0] == "n":
        local.setdefault(x.scope, set()).add(target[1])
    elif target[0] == "l":
        for item in target[1]:
            make_local(x, item)
    elif target[0] == "*":
        make_local(x, target[1])


def bare(x: Extraction, node: Node) -> Expr:
    """A name on its own: a local variable, or a call without arguments."""
    name = x.text(node)
    if is_local(x, name):
        return ("n", name)
    known: dict[int, Expr] = x.memo.setdefault("bare", {})
    found = known.get(node.id)
    if found is None:
        if name in _WORDS:
            return UNKNOWN
        if name == "new":
            x.record_call(node, ("v",), kind="new")
        else:
            x.record_call(node, ("n", name))
        found = known[node.id] = ("c", len(x.calls) - 1)
    return found


def place(x: Extraction, node: Node) -> Expr:
    """What is assigned to: a name is a variable here."""
    if node.type == "identifier":
        return ("n", x.text(node))
    if node.type in ("left_assignment_list", "destructured_left_assignment", "destructured_parameter"):
        return ("l", tuple(place(x, c) for c in parts(node)))
    if node.type in ("rest_assignment", "splat_parameter"):
        held = named_part(node)
        return ("*", place(x, held)) if held is not None else UNKNOWN
    if node.type == "call":
        method = node.child_by_field_name("method")
        base = node.child_by_field_name("receiver")
        if method is not None and base is not None:  # `a.b = c`: what an accessor keeps
            return ("a", x.lower(base), f"@{x.text(method)}")
    return x.lower(node) if node.type not in ("keyword_parameter", "optional_parameter") else UNKNOWN


def _scope(x: Extraction, node: Node) -> Expr:
    base, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
    text = x.text(name) if name is not None else ""
    return ("n", text) if base is None else ("a", x.lower(base), text)


def _instance_variable(x: Extraction, node: Node) -> Expr:
    return ("a", ("v",), x.text(node))


def _class_variable(x: Extraction, node: Node) -> Expr:
    return ("a", OWN_CLASS, x.text(node))


def call(x: Extraction, node: Node) -> Expr:
    """The result of a call; `self.class` and blocks that are values are no calls."""
    method, base = node.child_by_field_name("method"), node.child_by_field_name("receiver")
    if method is not None and base is not None and base.type == "self" and x.text(method) == "class":
        return OWN_CLASS
    block = node.child_by_field_name("block")
    if block is not None and method is not None and x.text(method) in ("lambda", "proc"):
        return x.definition_at(block)
    return x.call_at(node)


def arguments(x: Extraction, node: Node | None) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """Positional and named arguments of an argument list."""
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for argument in parts(node):
        if argument.type == "pair":
            key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            if key is not None and key.type == "hash_key_symbol":
                text = x.text(key)
                named.append((text, x.lower(value) if value is not None else ("n", text)))
                continue
            positional.append(("d", ((x.lower(key), x.lower(value)),)))
        elif argument.type == "block_argument":
            continue
        elif argument.type == "hash_splat_argument":
            named.append(("**", inner(x, argument)))
        else:
            positional.append(x.lower(argument))
    return tuple(positional), tuple(named)


def _spread(x: Extraction, node: Node) -> Expr:
    return ("*", inner(x, node))


def _element(x: Extraction, node: Node) -> Expr:
    held = parts(node)
    return ("s", x.lower(held[0]), x.lower(held[1])) if len(held) > 1 else UNKNOWN


def _conditional(x: Extraction, node: Node) -> Expr:
    return (
        "u",
        (x.lower(node.child_by_field_name("consequence")), x.lower(node.child_by_field_name("alternative"))),
    )


def _case(x: Extraction, node: Node) -> Expr:
    arms = [c for c in node.named_children if c.type in ("when", "else", "in_clause")]
    found = tuple(x.lower(arm.child_by_field_name("body") or arm) for arm in arms)
    return ("u", found) if found else UNKNOWN


def _modified(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("body"))


def _assigned(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator else ""
    left, right = x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))
    if text in ("||", "or"):
        return ("u", (left, right))
    if text in ("&&", "and"):
        return right
    return ("k", "bool", "") if text in _BOOLEAN_OPERATORS else ("b", text, left, right)


def _unary(x: Extraction, node: Node) -> Expr:
    return ("k", "bool", "")


def _list(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in parts(node)))


def _hash(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for pair in parts(node):
        if pair.type == "pair":
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            pairs.append((x.lower(key), x.lower(value)))
        else:
            pairs.append((UNKNOWN, inner(x, pair)))
    return ("d", tuple(pairs))


def _lambda(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _symbol(x: Extraction, node: Node) -> Expr:
    return ("k", "str", x.text(node).strip(":")[:MAX_LITERAL])


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": bare,
    "constant": name,
    "scope_resolution": _scope,
    "self": this,
    "instance_variable": _instance_variable,
    "class_variable": _class_variable,
    "global_variable": name,
    "call": call,
    "super": call_result,
    "splat_argument": _spread,
    "element_reference": _element,
    "conditional": _conditional,
    "if": _conditional,
    "unless": _conditional,
    "elsif": _conditional,
    "case": _case,
    "case_match": _case,
    "then": last,
    "else": last,
    "when": last,
    "begin": last,
    "body_statement": last,
    "if_modifier": _modified,
    "unless_modifier": _modified,
    "rescue_modifier": _modified,
    "assignment": _assigned,
    "operator_assignment": _assigned,
    "parenthesized_statements": last,
    "argument_list": inner,
    "binary": _binary,
    "unary": _unary,
    "array": _list,
    "right_assignment_list": _list,
    "hash": _hash,
    "lambda": _lambda,
    "true": boolean,
    "false": boolean,
    "nil": nothing,
    "integer": integer,
    "float": floating,
    "string": string_of("string_content"),
    "chained_string": string_of("string_content"),
    "heredoc_beginning": string_of("string_content"),
    "simple_symbol": _symbol,
    "hash_key_symbol": _symbol,
}
