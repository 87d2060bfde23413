"""Lua's definitions: functions, and the tables that are classes (see `tables`).

A function's name is where it is put: `function M.f`, `M.f = function`, `{ f = function }`. One with `self` is a method.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.indexer.facts import DEFINED, FILE_SCOPE, MAPPING, NAME, RESULT, Definition, Expr, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import ParameterRow, head_text, parameters
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.lua.expressions import entry_name, string_text
from loregraph.indexer.languages.lua.language import TESTS
from loregraph.indexer.languages.lua.tables import assigned, class_bases
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.selectors import one, parts

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_CLIMB: Final = 40
_BLOCK_COMMENT: Final = re.compile(r"^[^\S\n]*+--\[=*+\[|\]=*+\][^\S\n]*+(?:--++[^\S\n]*+)?$", re.MULTILINE)


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "class":
        return _class(x, node)
    if node.type == "function_declaration":
        return _declared(x, node)
    return _expression(x, node)


def statement(node: Node) -> Node:
    """An assignment with the `local` around it."""
    around = node.parent
    return around if around is not None and around.type == "variable_declaration" else node


def _class(x: Extraction, node: Node) -> Header | None:
    targets, values = assigned(node)
    if not targets or not values or values[0].type not in ("table_constructor", "function_call"):
        return None
    target = targets[0]
    if target.type not in ("identifier", "dot_index_expression"):
        return None
    name = x.text(target)
    bases = class_bases(x, name, values[0])
    if bases is None:
        return None
    owner, _, last = name.rpartition(".")
    header = Header(name=last, owner_name=owner, kind="class", bases=bases, outer=statement(node))
    header.flags = ("expression",) if owner else ()
    header.signature = x.folded(statement(node), 120).partition("{")[0].rstrip(" =")
    class_names(x).add(name)
    x.memo.setdefault("classes", set()).add(node.id)
    return header


def _declared(x: Extraction, node: Node) -> Header | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    header = _placed(x, node, name)
    header.signature = _signature(x, node, node)
    local = bool(node.children) and node.children[0].type == "local"
    if name.type == "identifier" and not local and _is_in_function(node):
        header.flags = (*header.flags, "expression")  # its name is one of the file, or of the whole program
    return header


_member = one("method|field")


def _placed(x: Extraction, node: Node, target: Node) -> Header:
    """The header of the function that is put at `target`."""
    colon = target.type == "method_index_expression"
    takes_self = colon or _takes_self(x, node)
    if target.type == "identifier":
        return Header(name=x.text(target), kind="function")
    field, table = _member(x, target), target.child_by_field_name("table")
    if field is None or table is None:
        return Header(name=x.text(target)[:80])
    name = string_text(x, field) if field.type == "string" else x.text(field)
    if not name or (target.type == "bracket_index_expression" and field.type != "string"):
        return Header(flags=("expression",))
    header = Header(name=name, kind="method" if takes_self else "function")
    owner = x.text(table)
    if owner in class_names(x):
        header.owner = x.lower(table)
        header.kind = "constructor" if name == "new" else "method"
        if not takes_self:
            header.flags = ("static",)
    else:
        header.flags = ("expression",)
    if table.type in ("identifier", "dot_index_expression") and owner != "self":
        header.owner_name = owner
    return header


def class_names(x: Extraction) -> set[str]:
    """Names of the tables above that are classes."""
    found: set[str] = x.memo.setdefault("class names", set())
    return found


def _expression(x: Extraction, node: Node) -> Header:
    around = node.parent
    if around is not None and around.type == "expression_list":
        assignment = around.parent
        if assignment is not None and assignment.type == "assignment_statement":
            targets, values = assigned(assignment)
            for target, value in zip(targets, values, strict=False):
                if value.id == node.id:
                    return _assigned(x, node, target, assignment)
    if around is not None and around.type == "field":
        found = _in_table(x, node, around)
        if found is not None:
            return found
    header = Header(flags=("expression",))
    if around is not None and around.type == "arguments" and around.parent is not None:
        _callback(x, node, around.parent, header)
    return header


def _assigned(x: Extraction, node: Node, target: Node, assignment: Node) -> Header:
    header = _placed(x, node, target)
    if "expression" not in header.flags and header.owner is None:
        header.flags = (*header.flags, "expression")
    header.outer = statement(assignment)
    header.signature = _signature(x, header.outer, node)
    return header


def _in_table(x: Extraction, node: Node, entry: Node) -> Header | None:
    """The function in `{ name = function() end }`: named under what the tables around it are put into."""
    name = entry_name(x, entry)
    table = entry.parent
    if not name or table is None:
        return None
    takes_self = _takes_self(x, node)
    header = Header(name=name, kind="method" if takes_self else "function", outer=entry)
    header.signature = _signature(x, entry, node)
    path, is_body = table_path(x, table)
    if is_body:
        header.kind = "method"
        header.flags = () if takes_self else ("static",)
        return header
    header.owner_name = ".".join(path)
    header.flags = ("expression",)
    return header


def table_path(x: Extraction, table: Node) -> tuple[list[str], bool]:
    """The names under which a table is reached, outermost first; and whether it is the body of a class itself."""
    path: list[str] = []
    for _ in range(_MAX_CLIMB):
        around = table.parent
        if around is None:
            break
        if around.type == "field" and around.parent is not None:
            path.append(entry_name(x, around))
            table = around.parent
        elif around.type == "arguments" and around.parent is not None and _is_wrapper(x, around.parent):
            if around.named_children[0].id != table.id:
                break  # it is the metatable
            table = around.parent
        elif around.type == "expression_list" and around.parent is not None:
            outer = around.parent
            if outer.id in x.memo.get("classes", ()):
                return path[::-1], not path
            targets, values = assigned(outer) if outer.type == "assignment_statement" else ([], [])
            for target, held in zip(targets, values, strict=False):
                if held.id == table.id and target.type in ("identifier", "dot_index_expression"):
                    path.append(x.text(target))
            break
        else:
            break
    return [part for part in reversed(path) if part], False


def _is_wrapper(x: Extraction, call: Node) -> bool:
    function = call.child_by_field_name("name")
    return function is not None and x.text(function) == "setmetatable"


def _callback(x: Extraction, node: Node, call: Node, header: Header) -> None:
    """A function passed to a call: its signature says to which, and whether it is a test."""
    function = call.child_by_field_name("name")
    if function is None:
        return
    before = x.source[call.start_byte : node.start_byte]
    if len(before) <= 80 and b"function" not in before:
        header.signature = _signature(x, call, node)
    if function.type == "identifier" and x.text(function) in TESTS.callers and is_test_path(x.path, "lua"):
        header.flags = (*header.flags, "test")


def _signature(x: Extraction, start: Node, node: Node) -> str:
    listed = node.child_by_field_name("parameters")
    return head_text(x, start.start_byte, listed.end_byte if listed is not None else node.end_byte, "")


def _is_in_function(node: Node) -> bool:
    around = node.parent
    for _ in range(_MAX_CLIMB):
        if around is None:
            return False
        if around.type in ("function_declaration", "function_definition"):
            return True
        around = around.parent
    return False


def _takes_self(x: Extraction, node: Node) -> bool:
    """Whether the first parameter of a function is called `self`."""
    first = next(iter(parts(x, node.child_by_field_name("parameters"))), None)
    return first is not None and first.type == "identifier" and x.text(first) == "self"


_listed = parameters(
    "parameters", {"identifier": ParameterRow("$"), "vararg_expression": ParameterRow("...", kind="*")}
)


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    name = node.child_by_field_name("name")
    method = name is not None and name.type == "method_index_expression"
    return (Parameter("self", kind="this"), *_listed(x, node)) if method else _listed(x, node)


def inner_from(node: Node) -> int:
    """A function's scope begins with its parameters, a class's with the table that it is."""
    if node.type == "assignment_statement":
        values = assigned(node)[1]
        value = values[0] if values else None
        if value is not None and value.type == "function_call":
            listed = value.child_by_field_name("arguments")
            first = named_part(listed)
            return first.start_byte if first is not None and first.type == "table_constructor" else node.end_byte
        return value.start_byte if value is not None and value.type == "table_constructor" else node.end_byte
    listed = node.child_by_field_name("parameters")
    return listed.start_byte if listed is not None else node.start_byte


def docstring(x: Extraction, node: Node) -> str:
    """The comment above the statement, or the table's entry, that a function is written in."""
    above = node
    if node.type == "function_definition":
        for _ in range(3):
            around = above.parent
            if around is None or around.type not in ("expression_list", "assignment_statement", "field"):
                break
            above = around
        if above.type == "expression_list":
            return ""
    if above.type == "assignment_statement":
        above = statement(above)
    return _BLOCK_COMMENT.sub("", comment_above(x, above)).strip()


def mark_exported(x: Extraction) -> None:
    """Flags what the file gives to those that require it, and what it defines for the whole program."""
    given = {name for export in x.exports for name in _names(x, export.value)}
    for number, definition in enumerate(x.definitions):
        if definition.parent != FILE_SCOPE and x.definitions[definition.parent].kind != "class":
            continue
        first = definition.qualname.partition(".")[0].partition("#")[0]
        if definition.name[0] != "<" and (first in given or _is_global(definition)):
            x.definitions[number] = msgspec.structs.replace(definition, flags=(*definition.flags, "exported"))


def _is_global(definition: Definition) -> bool:
    """`function f() end` outside of any function."""
    local = definition.signature.startswith("local ")
    return definition.kind == "function" and not local and not definition.flags and "." not in definition.qualname


def _names(x: Extraction, value: Expr) -> set[str]:
    """First names of what a returned expression holds."""
    found: set[str] = set()
    stack = [value]
    while stack:
        expr = stack.pop()
        op = expr[0]
        if op == NAME:
            found.add(expr[1])
        elif op == DEFINED:
            found.add(x.definitions[expr[1]].qualname.partition(".")[0])
        elif op == MAPPING:
            stack.extend(held for _, held in expr[1])
        elif op == RESULT:
            call = x.calls[expr[1]]
            if call is not None and call.function == (NAME, "setmetatable"):
                stack.extend(call.arguments[:1])
    return found
