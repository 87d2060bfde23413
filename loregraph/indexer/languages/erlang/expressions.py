"""Erlang's expressions and types, lowered. A name with a capital is a variable, one without an atom or a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import call_result, definition, floating, integer, last, name, quoted
from loregraph.indexer.languages.rows import BOOLEAN, each, lowerings
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node


def text(x: Extraction, node: Node | None) -> str:
    """The text of an atom, without quotes."""
    return x.text(node).strip("'") if node is not None else ""


def arity(node: Node | None) -> int:
    """How many parts an argument list has."""
    return sum(1 for part in node.named_children if part.type != "comment") if node is not None else 0


def counted(x: Extraction, node: Node) -> str:
    """`helper/1`, of what names a function that way: a field `fun` and a field `arity`."""
    number = node.child_by_field_name("arity")
    value = number.child_by_field_name("value") if number is not None else None
    name_ = node.child_by_field_name("fun")
    if name_ is None or name_.type != "atom" or value is None:
        return ""
    return f"{text(x, name_)}/{x.text(value)}"


def module(x: Extraction, node: Node | None) -> Expr:
    """What stands before a colon: a module's name, `?MODULE`, or what holds one."""
    while node is not None and node.type in ("remote_module", "module"):
        node = node.child_by_field_name("module") or node.child_by_field_name("name")
    if node is None:
        return UNKNOWN
    return (MODULE, text(x, node)) if node.type == "atom" else x.lower(node)


def called(x: Extraction, node: Node, count: int) -> Expr:
    """What a call with so many arguments calls: `f`, `m:f`, `F`."""
    if node.type == "atom":
        return (NAME, f"{text(x, node)}/{count}")
    if node.type == "remote":
        function = node.child_by_field_name("fun")
        if function is None or function.type != "atom":
            return UNKNOWN
        base, name_ = module(x, node.child_by_field_name("module")), f"{text(x, function)}/{count}"
        if base[0] == NAME and name_ in x.memo["wanted"]:  # `Mod:init(…)` in the behaviour that wants `init/1`
            base = (MODULE, x.memo["module"])
        return (ATTRIBUTE, base, name_)
    return x.lower(node)


def _atom(x: Extraction, node: Node) -> Expr:
    value = text(x, node)
    return BOOLEAN if value in ("true", "false") else (LITERAL, "str", value if len(value) <= MAX_LITERAL else "")


def _macro(x: Extraction, node: Node) -> Expr:
    """`?MODULE`, `?SERVER`; of one with arguments nothing is known."""
    named = node.child_by_field_name("name")
    word = x.text(named) if named is not None else ""
    if word == "MODULE":
        return (MODULE, x.memo.get("module", ""))
    return (NAME, f"?{word}") if node.child_by_field_name("args") is None else UNKNOWN


def _internal(x: Extraction, node: Node) -> Expr:
    held = counted(x, node)
    return (NAME, held) if held else UNKNOWN


def _external(x: Extraction, node: Node) -> Expr:
    held = counted(x, node)
    return (ATTRIBUTE, module(x, node.child_by_field_name("module")), held) if held else UNKNOWN


def _clauses(x: Extraction, node: Node) -> Expr:
    """What the branches of `case`, `if`, `receive` give."""
    found = [x.lower(part) for part in node.named_children if part.type in ("cr_clause", "if_clause")]
    known = tuple(expr for expr in found if expr != UNKNOWN)
    return (UNION, known) if known else UNKNOWN


def _clause(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("body"))


def _list(x: Extraction, node: Node) -> Expr:
    """`[A, B | Rest]`."""
    found: list[Expr] = []
    for part in parts(x, node):
        if part.type == "pipe":
            found.append(x.lower(part.child_by_field_name("lhs")))
            found.append(("*", x.lower(part.child_by_field_name("rhs"))))
        else:
            found.append(x.lower(part))
    return (SEQUENCE, tuple(found))


def record_name(x: Extraction, node: Node | None) -> Expr:
    """`#item`, from the node that names a record."""
    named = node.child_by_field_name("name") if node is not None else None
    return (NAME, f"#{text(x, named)}") if named is not None and named.type == "atom" else UNKNOWN


def _record(x: Extraction, node: Node) -> Expr:
    return (TYPED, record_name(x, node.child_by_field_name("name")), UNKNOWN)


EXPRESSIONS: Final = lowerings(
    {
        "var": name,
        "atom": _atom,
        "call": call_result,
        "anonymous_fun": definition,
        "internal_fun": _internal,
        "external_fun": _external,
        "macro_call_expr": _macro,
        "paren_expr": "@expr",
        "match_expr": "@rhs",
        "cond_match_expr": "@rhs",
        "catch_expr": "@expr",
        "block_expr": last,
        "clause_body": last,
        "case_expr": _clauses,
        "if_expr": _clauses,
        "receive_expr": _clauses,
        "cr_clause": _clause,
        "if_clause": _clause,
        "tuple": (SEQUENCE, "*"),
        "list": _list,
        "map_expr": (MAPPING, each(":map_field", ("@key", "@value"))),
        "record_expr": _record,
        "record_update_expr": _record,
        "integer": integer,
        "float": floating,
        "string": quoted,
    }
)


def type_of(x: Extraction, node: Node | None, depth: int = 0) -> Expr:
    """A type: `item()`, `shop:item()`, `#item{}`, `[item()]`, one of several, `X :: item()`."""
    if node is None or depth > 30:
        return UNKNOWN
    kind = node.type
    if kind == "call":
        head = node.child_by_field_name("expr")
        if head is not None and head.type == "atom":
            return (NAME, text(x, head))
        if head is not None and head.type == "remote":
            return (ATTRIBUTE, module(x, head.child_by_field_name("module")), text(x, head.child_by_field_name("fun")))
        return UNKNOWN
    if kind == "record_expr":
        return record_name(x, node.child_by_field_name("name"))
    if kind == "ann_type":
        return type_of(x, node.child_by_field_name("ty"), depth + 1)
    inside = [type_of(x, part, depth + 1) for part in parts(x, node)] if kind in _AROUND else []
    known = tuple(expr for expr in inside if expr != UNKNOWN)
    if kind == "list":
        return (SUBSCRIPT, (NAME, "[]"), known[0]) if known else UNKNOWN
    return (UNION, known) if known and kind != "tuple" else (SEQUENCE, known) if known else UNKNOWN


_AROUND: Final = frozenset({"list", "pipe", "tuple", "paren_expr", "binary_op_expr"})
