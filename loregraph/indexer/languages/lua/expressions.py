"""Lua's expressions, lowered.

A function gives what the first of its results is. Positions in tables are counted from 0 here, as everywhere in facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import boolean, inner, name, nothing
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

REST: Expr = ("n", "...")


_MERGING = frozenset({"vim.tbl_extend", "vim.tbl_deep_extend"})
"""Functions whose result has the members of all the tables it is given."""
_MERGING_LENGTHS = frozenset(len(name) for name in _MERGING)


def string_text(x: Extraction, node: Node) -> str:
    """The text of a string."""
    content = node.child_by_field_name("content")
    return x.text(content) if content is not None else ""


def required(x: Extraction, node: Node) -> str:
    """The module that `require "a.b"` names; "" for any other call. What is put together from the place of the file
    itself (`require(... .. ".b")`, `require(path .. "b")`) is told by its end, with a dot before it."""
    function = node.child_by_field_name("name")
    if function is None or function.type != "identifier" or x.text(function) != "require":
        return ""
    listed = node.child_by_field_name("arguments")
    given = next((c for c in listed.named_children if c.type != "comment"), None) if listed is not None else None
    if given is None:
        return ""
    if given.type == "string":
        return string_text(x, given)
    last = given.named_children[-1] if given.type == "binary_expression" and given.named_children else None
    if last is not None and last.type == "string" and any(c.type == ".." for c in given.children):
        first = given.named_children[0]
        text = string_text(x, last)
        if text and first.type in ("vararg_expression", "identifier", "parenthesized_expression"):
            return text if text.startswith(".") else f".{text}"
    return ""


def _member(x: Extraction, node: Node) -> Expr:
    name = node.child_by_field_name("field") or node.child_by_field_name("method")
    return ("a", x.lower(node.child_by_field_name("table")), x.text(name) if name is not None else "")


def _subscript(x: Extraction, node: Node) -> Expr:
    base, key = x.lower(node.child_by_field_name("table")), node.child_by_field_name("field")
    if key is not None and key.type == "string":
        text = string_text(x, key)
        return ("a", base, text) if text and len(text) <= MAX_LITERAL else UNKNOWN
    return ("s", base, position(x.lower(key)))


def position(key: Expr) -> Expr:
    """A key of a table, numbers counted from 0."""
    if key[0] == "k" and key[1] == "int" and key[2].isdigit() and key[2] != "0":
        return ("k", "int", str(int(key[2]) - 1))
    return key


def call(x: Extraction, node: Node) -> Expr:
    """The result of a call; the module that `require` loads."""
    module = required(x, node)
    if module:
        return ("m", module)
    function = node.child_by_field_name("name")
    if function is None or function.end_byte - function.start_byte not in _MERGING_LENGTHS:
        return x.call_at(node)
    if x.text(function) not in _MERGING:
        return x.call_at(node)
    return ("d", tuple((UNKNOWN, x.lower(table)) for table in given(node) if table.type != "string"))


def given(node: Node) -> list[Node]:
    """The arguments of a call."""
    listed = node.child_by_field_name("arguments")
    return [c for c in listed.named_children if c.type != "comment"] if listed is not None else []


def _definition(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _string(x: Extraction, node: Node) -> Expr:
    text = string_text(x, node)
    return ("k", "str", text if len(text) <= MAX_LITERAL else "")


def _number(x: Extraction, node: Node) -> Expr:
    text = x.text(node)
    return ("k", "int", text[:MAX_LITERAL]) if text.isdigit() else ("k", "float", "")


def _table(x: Extraction, node: Node) -> Expr:
    """A list where nothing has a key, else a mapping."""
    entries = [c for c in node.named_children if c.type == "field"]
    if all(e.child_by_field_name("name") is None for e in entries) and entries:
        return ("l", tuple(argument(x, e.child_by_field_name("value")) for e in entries))
    pairs: list[tuple[Expr, Expr]] = []
    count = 0
    for entry in entries:
        name, value = entry.child_by_field_name("name"), x.lower(entry.child_by_field_name("value"))
        if name is None:
            pairs.append((("k", "int", str(count)), value))
            count += 1
            continue
        key = entry_name(x, entry)
        pairs.append((("k", "str", key) if key else position(x.lower(name)), value))
    return ("d", tuple((k, v) for k, v in pairs if k[0] != "x"))


def entry_name(x: Extraction, entry: Node) -> str:
    """The key of `k = v` and `["k"] = v` in a table; "" for any other."""
    name = entry.child_by_field_name("name")
    if name is None:
        return ""
    bracketed = entry.children[0].type == "["
    if name.type == "identifier" and not bracketed:
        return x.text(name)
    return string_text(x, name) if name.type == "string" else ""


def argument(x: Extraction, node: Node | None) -> Expr:
    """One argument: all that is left for `...` and `unpack(t)`."""
    if node is not None and node.type == "vararg_expression":
        return ("*", REST)
    return x.lower(node)


def _rest(x: Extraction, node: Node) -> Expr:
    return ("s", REST, ("k", "int", "0"))


def _binary(x: Extraction, node: Node) -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = next((c.type for c in node.children if not c.is_named), "")
    if operator == "or":
        return ("u", (x.lower(left), x.lower(right)))
    if operator == "and":  # else it is what is false or nil, which is nothing to follow
        return x.lower(right)
    if operator == "..":
        return ("k", "str", "")
    if operator in ("+", "-", "*", "/", "%", "^", "//", "&", "|", "~", "<<", ">>"):
        return ("k", "float", "")
    return ("k", "bool", "")


def _unary(x: Extraction, node: Node) -> Expr:
    return ("k", "bool", "") if node.children[0].type == "not" else ("k", "float", "")


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "dot_index_expression": _member,
    "method_index_expression": _member,
    "bracket_index_expression": _subscript,
    "function_call": call,
    "function_definition": _definition,
    "string": _string,
    "number": _number,
    "true": boolean,
    "false": boolean,
    "nil": nothing,
    "table_constructor": _table,
    "vararg_expression": _rest,
    "parenthesized_expression": inner,
    "binary_expression": _binary,
    "unary_expression": _unary,
}
