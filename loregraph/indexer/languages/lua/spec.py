"""Lua's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import FILE_SCOPE, UNKNOWN, Expr
from loregraph.indexer.languages.comments import clean_comment, opening_comment
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.lua import bindings
from loregraph.indexer.languages.lua.definitions import (
    docstring,
    inner_from,
    mark_exported,
    read_header,
    read_parameters,
)
from loregraph.indexer.languages.lua.expressions import EXPRESSIONS, argument, given, required, string_text
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_LOADERS: Final = frozenset({"dofile", "loadfile"})


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("name")
    if function is None:
        return
    module = required(x, node)
    if module:
        if node.id not in x.memo.get("loaded", ()):
            x.import_(node, module, kind="require")
        return
    listed = given(x, node)
    arguments = tuple(argument(x, c) for c in listed)
    if function.type == "method_index_expression":
        x.record_call(node, x.lower(function), arguments, kind="send")
        return
    word = x.text(function) if function.end_byte - function.start_byte <= 16 else ""
    if word in ("pcall", "xpcall"):
        if _protected(x, node):
            return
    elif word == "table.insert":
        bindings.inserted(x, node, listed)
    elif word in _LOADERS and listed and listed[0].type == "string":
        x.import_(node, string_text(x, listed[0]), kind="include")
    x.record_call(node, x.lower(function), arguments)
    if word == "setmetatable" and len(listed) == 2:
        bindings.given_metatable(x, node, listed)


def _protected(x: Extraction, node: Node) -> bool:
    """`pcall(f, a)` calls f."""
    found = bindings.protected(x, node)
    if found is None:
        return False
    called, passed = found
    if called.type == "identifier" and x.text(called) == "require":
        loads = bool(passed) and passed[0].type == "string"
        if loads:
            x.import_(node, string_text(x, passed[0]), kind="require")
        return loads
    function: Expr = x.lower(called)
    if function == UNKNOWN:
        return False
    x.record_call(node, function, tuple(argument(x, c) for c in passed))
    return True


def _return(x: Extraction, node: Node, capture: str) -> None:
    """The first of the results; what a file returns is what requiring it gives."""
    first = named_part(named_part(node))
    if first is None:
        return
    value = x.lower(first)
    if x.scope == FILE_SCOPE:
        x.export(node, "=", value)
    else:
        x.leave(node, value)


def _file_facts(x: Extraction, root: Node) -> None:
    """The comment that a file begins with, where it is not about what follows at once."""
    first = named_part(root)
    if first is not None and first.type == "hash_bang_line":
        first = first.next_named_sibling
    x.docstring = clean_comment("\n".join(opening_comment(x, first))).strip("[]= \n")


SPECS = {
    "lua": LanguageSpec(
        name="lua",
        grammar="lua",
        queries=("lua/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"function_call": "name", "method_index_expression": "method", "dot_index_expression": "field"},
        hooks={
            "call": _call,
            "assignment": bindings.assign_values,
            "assignment.local": bindings.assign_local,
            "assignment.method": bindings.assign_method,
            "assignment.field": bindings.assign_field,
            "assignment.for": bindings.assign_for,
            "assignment.count": bindings.assign_count,
            "return": _return,
        },
        parameters=read_parameters,
        header=read_header,
        docstring=docstring,
        comments=frozenset({"comment"}),
        inner_from=inner_from,
        file_facts=_file_facts,
        finish=mark_exported,
    )
}
