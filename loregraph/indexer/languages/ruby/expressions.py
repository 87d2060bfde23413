"""Ruby's expressions, lowered.

A name without arguments may be a local variable or a call: what the method has assigned before, or takes as a
parameter, is a variable (`is_local`), everything else calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    LITERAL,
    MAPPING,
    NAME,
    OPERATION,
    RECEIVER,
    RESULT,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    call_result,
    definition,
    inner,
    integer,
    last,
    name,
    named_part,
    parts,
    string_of,
    this,
)
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, each, having, lowerings, some

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment"})
OWN_CLASS: Expr = (NAME, "class")
"""`self.class`, and `self` in a class body: a word that is no name in Ruby."""
_COMPARISONS: Final = frozenset("== != < > <= >= === =~ !~ defined?".split())
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


def _make_local(x: Extraction, target: Expr) -> None:
    """Notes the names that a pattern binds as local variables."""
    local: dict[int, set[str]] = x.memo.setdefault("locals", {})
    if target[0] == NAME:
        local.setdefault(x.scope, set()).add(target[1])
    elif target[0] == SEQUENCE:
        for item in target[1]:
            _make_local(x, item)
    elif target[0] == SPREAD:
        _make_local(x, target[1])


def bare(x: Extraction, node: Node) -> Expr:
    """A name on its own: a local variable, or a call without arguments."""
    name = x.text(node)
    if is_local(x, name):
        return (NAME, name)
    known: dict[int, Expr] = x.memo.setdefault("bare", {})
    found = known.get(node.id)
    if found is None:
        if name in _WORDS:
            return UNKNOWN
        if name == "new":
            x.record_call(node, (RECEIVER,), kind="new")
        else:
            x.record_call(node, (NAME, name))
        found = known[node.id] = (RESULT, len(x.calls) - 1)
    return found


def place(x: Extraction, node: Node) -> Expr:
    """What is assigned to: a name is a variable here."""
    if node.type == "identifier":
        return (NAME, x.text(node))
    if node.type in ("left_assignment_list", "destructured_left_assignment", "destructured_parameter"):
        return (SEQUENCE, tuple(place(x, c) for c in parts(node)))
    if node.type in ("rest_assignment", "splat_parameter"):
        held = named_part(node)
        return (SPREAD, place(x, held)) if held is not None else UNKNOWN
    if node.type == "call":
        method = node.child_by_field_name("method")
        base = node.child_by_field_name("receiver")
        if method is not None and base is not None:  # `a.b = c`: what an accessor keeps
            return (ATTRIBUTE, x.lower(base), f"@{x.text(method)}")
    return x.lower(node) if node.type not in ("keyword_parameter", "optional_parameter") else UNKNOWN


def bound(x: Extraction, node: Node) -> Expr:
    """What a pattern binds, its names noted as local variables."""
    target = place(x, node)
    _make_local(x, target)
    return target


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
                named.append((text, x.lower(value) if value is not None else (NAME, text)))
                continue
            positional.append((MAPPING, ((x.lower(key), x.lower(value)),)))
        elif argument.type == "block_argument":
            continue
        elif argument.type == "hash_splat_argument":
            named.append(("**", inner(x, argument)))
        else:
            positional.append(x.lower(argument))
    return tuple(positional), tuple(named)


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator else ""
    left, right = x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))
    if sign in ("||", "or"):
        return (UNION, (left, right))
    if sign in ("&&", "and"):
        return right
    return BOOLEAN if sign in _COMPARISONS else (OPERATION, sign, left, right)


def _hash(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for pair in parts(node):
        if pair.type == "pair":
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            pairs.append((x.lower(key), x.lower(value)))
        else:
            pairs.append((UNKNOWN, inner(x, pair)))
    return (MAPPING, tuple(pairs))


def _symbol(x: Extraction, node: Node) -> Expr:
    return (LITERAL, "str", x.text(node).strip(":")[:MAX_LITERAL])


_CONDITIONAL: Final = (UNION, ("@consequence", "@alternative"))
_CASE: Final = some(UNION, each(":when,else,in_clause", having("body", "@body", "@.")))
_TEXT: Final = string_of("string_content")

EXPRESSIONS: Final = lowerings(
    {
        "identifier": bare,
        "constant": name,
        "scope_resolution": having("scope", (ATTRIBUTE, "@scope", "$name"), (NAME, "$name")),
        "self": this,
        "instance_variable": (ATTRIBUTE, (RECEIVER,), "$"),
        "class_variable": (ATTRIBUTE, OWN_CLASS, "$"),
        "global_variable": name,
        "call": call,
        "super": call_result,
        "splat_argument": (SPREAD, "@0"),
        "element_reference": (SUBSCRIPT, "@0", "@1!"),
        "conditional": _CONDITIONAL,
        "if": _CONDITIONAL,
        "unless": _CONDITIONAL,
        "elsif": _CONDITIONAL,
        "case": _CASE,
        "case_match": _CASE,
        "then": last,
        "else": last,
        "when": last,
        "begin": last,
        "body_statement": last,
        "if_modifier": "@body",
        "unless_modifier": "@body",
        "rescue_modifier": "@body",
        "assignment": "@right",
        "operator_assignment": "@right",
        "parenthesized_statements": last,
        "argument_list": inner,
        "binary": _binary,
        "unary": BOOLEAN,
        "array": (SEQUENCE, "*"),
        "right_assignment_list": (SEQUENCE, "*"),
        "hash": _hash,
        "lambda": definition,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "nil": NOTHING,
        "integer": integer,
        "float": FLOAT,
        "string": _TEXT,
        "chained_string": _TEXT,
        "heredoc_beginning": _TEXT,
        "simple_symbol": _symbol,
        "hash_key_symbol": _symbol,
    }
)
