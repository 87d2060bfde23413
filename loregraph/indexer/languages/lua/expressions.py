"""Lua's expressions, lowered.

A function gives what the first of its results is. Positions in tables are counted from 0 here, as everywhere in facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import definition, inner, name
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, TEXT, choose, lowerings, text_of, written_text
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node

REST: Final[Expr] = (NAME, "...")
_MERGING: Final = frozenset({"vim.tbl_extend", "vim.tbl_deep_extend"})
"""Functions whose result has the members of all the tables it is given."""
_MERGING_LENGTHS: Final = frozenset(len(name) for name in _MERGING)

string_text = text_of("content")
"""The text of a string."""


def required(x: Extraction, node: Node) -> str:
    """The module that `require "a.b"` names; "" for any other call. What is put together from the place of the file
    itself (`require(... .. ".b")`, `require(path .. "b")`) is told by its end, with a dot before it."""
    function = node.child_by_field_name("name")
    if function is None or function.type != "identifier" or x.text(function) != "require":
        return ""
    listed = given(x, node)
    if not listed:
        return ""
    if listed[0].type == "string":
        return string_text(x, listed[0])
    held = listed[0].named_children if listed[0].type == "binary_expression" else []
    if held and held[-1].type == "string" and any(c.type == ".." for c in listed[0].children):
        text = string_text(x, held[-1])
        if text and held[0].type in ("vararg_expression", "identifier", "parenthesized_expression"):
            return text if text.startswith(".") else f".{text}"
    return ""


def _subscript(x: Extraction, node: Node) -> Expr:
    base, key = x.lower(node.child_by_field_name("table")), node.child_by_field_name("field")
    if key is not None and key.type == "string":
        text = string_text(x, key)
        return (ATTRIBUTE, base, text) if text and len(text) <= MAX_LITERAL else UNKNOWN
    return (SUBSCRIPT, base, position(x.lower(key)))


def position(key: Expr) -> Expr:
    """A key of a table, numbers counted from 0."""
    if key[0] == LITERAL and key[1] == "int" and key[2].isdigit() and key[2] != "0":
        return (LITERAL, "int", str(int(key[2]) - 1))
    return key


def call(x: Extraction, node: Node) -> Expr:
    """The result of a call; the module that `require` loads."""
    module = required(x, node)
    if module:
        return (MODULE, module)
    function = node.child_by_field_name("name")
    if function is None or function.end_byte - function.start_byte not in _MERGING_LENGTHS:
        return x.call_at(node)
    if x.text(function) not in _MERGING:
        return x.call_at(node)
    return (MAPPING, tuple((UNKNOWN, x.lower(table)) for table in given(x, node) if table.type != "string"))


def given(x: Extraction, node: Node) -> list[Node]:
    """The arguments of a call."""
    return parts(x, node.child_by_field_name("arguments"))


def _number(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return (LITERAL, "int", text[:MAX_LITERAL]) if text.isdigit() else FLOAT


def _table(x: Extraction, node: Node) -> Expr:
    """A list where nothing has a key, else a mapping."""
    entries = [c for c in node.named_children if c.type == "field"]
    if all(e.child_by_field_name("name") is None for e in entries) and entries:
        return (SEQUENCE, tuple(argument(x, e.child_by_field_name("value")) for e in entries))
    pairs: list[tuple[Expr, Expr]] = []
    count = 0
    for entry in entries:
        name, value = entry.child_by_field_name("name"), x.lower(entry.child_by_field_name("value"))
        if name is None:
            pairs.append(((LITERAL, "int", str(count)), value))
            count += 1
            continue
        key = entry_name(x, entry)
        pairs.append(((LITERAL, "str", key) if key else position(x.lower(name)), value))
    return (MAPPING, tuple((k, v) for k, v in pairs if k != UNKNOWN))


def entry_name(x: Extraction, entry: Node) -> str:
    """The key of `k = v` and `["k"] = v` in a table; "" for any other."""
    name = entry.child_by_field_name("name")
    if name is None:
        return ""
    if name.type == "identifier" and entry.children[0].type != "[":
        return x.text(name)
    return string_text(x, name) if name.type == "string" else ""


def argument(x: Extraction, node: Node | None) -> Expr:
    """One argument: all that is left for `...` and `unpack(t)`."""
    return (SPREAD, REST) if node is not None and node.type == "vararg_expression" else x.lower(node)


EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "dot_index_expression": (ATTRIBUTE, "@table", "$field"),
        "method_index_expression": (ATTRIBUTE, "@table", "$method"),
        "bracket_index_expression": _subscript,
        "function_call": call,
        "function_definition": definition,
        "string": written_text("content"),
        "number": _number,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "nil": NOTHING,
        "table_constructor": _table,
        "vararg_expression": (SUBSCRIPT, REST, (LITERAL, "int", "0")),
        "parenthesized_expression": inner,
        # What is not true in an `and` is false or nil, which is nothing to follow.
        "binary_expression": choose(
            "%",
            {
                "or": (UNION, ("@left", "@right")),
                "and": "@right",
                "..": TEXT,
                "+ - * / % ^ // & | ~ << >>": FLOAT,
            },
            BOOLEAN,
        ),
        "unary_expression": choose("%", {"not": BOOLEAN}, FLOAT),
    }
)
