"""Which tables of a file are classes: Lua has tables and metatables, and this is how they are used as types.

A table is one where objects look for what they lack (`__index`), where a class library makes it
(`class("Dog", Animal)`, `Animal:extend()`), or where an annotation says so (`---@class`). Told from the text, before
any fact is made: the names of all functions in it depend on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import Base
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import dotted
from loregraph.indexer.languages.lua.expressions import given

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME: Final = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_INDEX: Final = re.compile(rf"__index\s*=\s*({_NAME})(?![\w.]*\s*[({{\"'\[:])")
_OWN_INDEX: Final = re.compile(rf"\bfunction\s+({_NAME}):\w+\s*\(|\bself\.__index\s*=\s*self\b")
_METHOD: Final = re.compile(rf"\bfunction\s+({_NAME})[.:]\w+\s*\(|^[ \t]*({_NAME})\.\w+\s*=\s*function\b", re.MULTILINE)
_ANNOTATED: Final = re.compile(
    rf"^[ \t]*+---[ \t]*+@class\b[^\n]*+\n(?:[ \t]*+--[^\n]*+\n){{0,200}}+[ \t]*+(?:local\s++)?({_NAME})\s*+=",
    re.MULTILINE,
)
_META: Final = re.compile(
    rf"\bsetmetatable\s*\(\s*({_NAME})\s*,\s*(?:({_NAME})\s*\)|\{{[^{{}}]*?__index\s*=\s*({_NAME})(?![\w.]*\s*[({{\"'\[:]))"
)
_NO_TABLES: Final = frozenset({"self", "function", "nil", "rawget", "true", "false", "_G", "_ENV"})
_LIBRARIES: Final = frozenset({"class", "Class", "newclass", "middleclass", "defclass"})
"""Functions of class libraries that make a class: `class("Dog", Animal)`."""
_DERIVING: Final = frozenset({"extend", "subclass", "derive"})
"""Methods of a class that make one below it: `Animal:extend()`."""


@dataclass(slots=True)
class Tables:
    """What the text of a file says of its tables, by their names as written (`Account`, `M.Account`)."""

    classes: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    """Tables that functions are defined in."""
    above: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """Table → the tables it looks into for what it lacks, each with the line that says so."""


def tables_of(x: Extraction) -> Tables:
    """The tables of the file; read once."""
    found: Tables | None = x.memo.get("tables")
    if found is None:
        found = x.memo["tables"] = _read(x.source.decode("utf-8", "replace"))
    return found


def _read(text: str) -> Tables:
    found = Tables()
    found.owners = {name for pair in _METHOD.findall(text) for name in pair if name}
    if "__index" in text:
        found.classes = {name for name in _INDEX.findall(text) if name not in _NO_TABLES}
        owner = ""
        for match in _OWN_INDEX.finditer(text):
            owner = match[1] or owner
            if not match[1] and owner:  # `self.__index = self` in a method of that table
                found.classes.add(owner)
    if "@class" in text:
        found.classes.update(name for name in _ANNOTATED.findall(text) if name in found.owners)
    if "setmetatable" in text:
        for match in _META.finditer(text):
            table, other = match[1], match[2] or match[3]
            if other not in _NO_TABLES and table not in _NO_TABLES and other != table and table in found.owners:
                line = text.count("\n", 0, match.start()) + 1
                found.above.setdefault(table, []).append((other, line))
                if match[3]:
                    found.classes.add(table)
    return found


def class_bases(x: Extraction, name: str, value: Node | None) -> tuple[Base, ...] | None:
    """The bases of the class that an assignment of `value` to `name` makes; None where it makes none."""
    tables = tables_of(x)
    known = name in tables.classes
    if value is None:
        return None
    line = value.start_point[0] + 1
    if value.type == "table_constructor":
        return _above(tables, name) if known else None
    if value.type != "function_call":
        return None
    function = value.child_by_field_name("name")
    listed = given(x, value)
    if function is None:
        return None
    if function.type == "identifier" and x.text(function) == "setmetatable" and len(listed) == 2:
        if listed[0].type != "table_constructor":
            return None
        base = _indexed(x, listed[1])
        if known or (base is not None and name in tables.owners):
            return (Base(x.lower(base), "EXTENDS", line),) if base is not None else _above(tables, name)
        return None
    named = function.child_by_field_name("method") or function.child_by_field_name("field") or function
    word = x.text(named) if named.type == "identifier" else ""
    if function.type != "method_index_expression" and word in _LIBRARIES:
        if function.type == "identifier" or name in tables.owners or known:
            parents = [a for a in listed[:3] if a.type in ("identifier", "dot_index_expression")]
            return tuple(Base(x.lower(parent), "EXTENDS", line) for parent in parents[:1])
        return None
    held = function.child_by_field_name("table")
    if held is None or function.type != "method_index_expression":
        return None
    if held.type not in ("identifier", "dot_index_expression"):
        return None
    if word in _DERIVING and (known or name in tables.owners or name[:1].isupper()):
        return (Base(x.lower(held), "EXTENDS", line),)
    if word == "new" and name in tables.owners:  # `Special = Account:new()`: an object that is a class in its turn
        return (Base(x.lower(held), "EXTENDS", line),)
    return None


def _indexed(x: Extraction, metatable: Node) -> Node | None:
    """The table that a metatable's `__index` names; the metatable itself where it is a name."""
    if metatable.type in ("identifier", "dot_index_expression"):
        return metatable
    if metatable.type != "table_constructor":
        return None
    for entry in metatable.named_children:
        name = entry.child_by_field_name("name") if entry.type == "field" else None
        if name is not None and x.text(name) == "__index":
            value = entry.child_by_field_name("value")
            return value if value is not None and value.type in ("identifier", "dot_index_expression") else None
    return None


def _above(tables: Tables, name: str) -> tuple[Base, ...]:
    return tuple(Base(dotted(other), "EXTENDS", line) for other, line in tables.above.get(name, ()))


def assigned(node: Node) -> tuple[list[Node], list[Node]]:
    """The targets and the values of an assignment statement."""
    parts = node.named_children
    if len(parts) < 2 or parts[-1].type != "expression_list":
        return [], []
    return parts[0].children_by_field_name("name"), parts[-1].children_by_field_name("value")
