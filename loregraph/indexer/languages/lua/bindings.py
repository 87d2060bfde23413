"""Where Lua puts values: locals, names of the file or the program, members of tables, what loops hand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import (
    ATTRIBUTE,
    DEFINED,
    FILE_SCOPE,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    Assignment,
    Expr,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.lua.definitions import class_names, table_path
from loregraph.indexer.languages.lua.expressions import argument, entry_name, given, required
from loregraph.indexer.languages.lua.tables import assigned
from loregraph.indexer.languages.rows import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_name = text_of("name")
_MAX_BEFORE = 60
"""Assignments before a `setmetatable(object, Class)` that are looked at for what the object has."""


def assign_values(x: Extraction, node: Node, capture: str) -> None:
    """`a, b.c = f(), 1`, with or without `local`."""
    targets, values = assigned(node)
    local = node.parent is not None and node.parent.type == "variable_declaration"
    if local and len(targets) == 1 and len(values) == 1 and _loaded(x, targets[0], values[0]):
        return
    for number, target in enumerate(targets):
        value = _value(x, values, number)
        if number == 0 and node.id in x.memo.get("classes", ()):
            _place_class(x, node, target)
            continue
        put(x, node, target, value, local)


def _value(x: Extraction, values: list[Node], number: int) -> Expr:
    """What the target of that number gets: of a call's results the first is known, and what `pcall` passes on."""
    if number < len(values):
        value = values[number]
        if value.type == "function_call" and protected(x, value) is not None and number == len(values) - 1:
            return (LITERAL, "bool", "")
        return x.lower(value)
    last = values[-1] if values else None
    if last is None:
        return UNKNOWN
    after = number - len(values) + 1
    if last.type == "vararg_expression":
        return (SUBSCRIPT, (NAME, "..."), (LITERAL, "int", str(after)))
    if last.type == "function_call" and after == 1 and protected(x, last) is not None:
        return protected_result(x, last)
    return UNKNOWN


def protected(x: Extraction, node: Node) -> tuple[Node, list[Node]] | None:
    """The function and the arguments of `pcall(f, a)` and `xpcall(f, handler, a)`; None for any other call."""
    function = node.child_by_field_name("name")
    word = x.text(function) if function is not None and function.type == "identifier" else ""
    if word not in ("pcall", "xpcall"):
        return None
    listed = given(x, node)
    if not listed:
        return None
    return listed[0], listed[1:] if word == "pcall" else listed[2:]


def protected_result(x: Extraction, node: Node) -> Expr:
    found = protected(x, node)
    if found is not None and found[0].type == "identifier" and x.text(found[0]) == "require":
        module = found[1][0] if found[1] else None
        text = x.lower(module)[2] if module is not None and module.type == "string" else ""
        return (MODULE, text) if text else UNKNOWN
    return x.call_at(node)


def _loaded(x: Extraction, target: Node, value: Node) -> bool:
    """`local a = require "b"` and `local a = require("b").c` are imports that bind a name."""
    member = ""
    if value.type == "dot_index_expression":
        field, value_ = value.child_by_field_name("field"), value.child_by_field_name("table")
        if field is None or value_ is None:
            return False
        member, value = x.text(field), value_
    module = required(x, value) if value.type == "function_call" else ""
    if not module:
        return False
    name = x.text(target)
    make_local(x, name)
    x.import_(value, module, member, name, "require")
    x.memo.setdefault("loaded", set()).add(value.id)
    return True


def _place_class(x: Extraction, node: Node, target: Node) -> None:
    """A class that is a member of another table is put there; its members in a table are those of its scope."""
    made = x.definition_at(node)
    if target.type == "dot_index_expression":
        x.assign(node, x.lower(target), made)
    if made[0] == DEFINED:
        bases = x.definitions[made[1]].bases
        if bases:
            base: Expr = bases[0].type
            line, at = node.start_point[0] + 1, node.start_byte
            x.assignments.append(Assignment(made[1], line, at, -1, (NAME, "super"), base, None, "declare"))


def put(x: Extraction, node: Node, target: Node, value: Expr, local: bool) -> None:
    """Records that `value` goes to `target`. A name that no `local` around declares is one of the whole file."""
    if target.type != "identifier":
        table = target.child_by_field_name("table")
        if value[0] == DEFINED and table is not None and x.text(table) in class_names(x):
            return  # a method of the class that its table is
        place = x.lower(target)
        if place[0] == SUBSCRIPT and place[1][0] == NAME and _copied(x, node, place, value):
            return
        if place[0] in (ATTRIBUTE, SUBSCRIPT):
            x.assign(node, place, value)
        return
    name = x.text(target)
    if local:
        make_local(x, name)
        x.assign(node, (NAME, name), value, "declare")
        return
    reach_outside(x, node, name)
    x.assign(node, (NAME, name), value)


def _copied(x: Extraction, node: Node, place: Expr, value: Expr) -> bool:
    """`for k, v in pairs(t) do x[k] = v end` makes all that t has members of x."""
    copied: Expr | None = x.memo.get("pairs", {}).get((x.scope, place[2], value))
    name = place[1][1]
    if copied is None or name in class_names(x):
        return False
    reach_outside(x, node, name)
    x.assign(node, place[1], (MAPPING, ((UNKNOWN, place[1]), (UNKNOWN, copied))))
    return True


def make_local(x: Extraction, name: str) -> None:
    """Notes that the scope declares a name."""
    local: dict[int, set[str]] = x.memo.setdefault("locals", {})
    local.setdefault(x.scope, set()).add(name)


def reach_outside(x: Extraction, node: Node, name: str) -> None:
    """Says that an assignment in a function is to a name from outside of it, once a function."""
    if x.scope == FILE_SCOPE or x.definitions[x.scope].kind == "class":
        return
    local: set[str] = x.memo.setdefault("locals", {}).setdefault(x.scope, set())
    if name in local or any(p.name == name for p in x.definitions[x.scope].parameters):
        return
    local.add(name)
    x.assign(node, (NAME, name), UNKNOWN, "nonlocal")


def assign_local(x: Extraction, node: Node, capture: str) -> None:
    """`local a, b` without values."""
    listed = named_part(node)
    if listed is None or listed.type != "variable_list":
        return
    for name in listed.children_by_field_name("name"):
        make_local(x, x.text(name))
        x.assign(node, (NAME, x.text(name)), UNKNOWN, "declare")


def assign_method(x: Extraction, node: Node, capture: str) -> None:
    """`function M.f() end` puts a function into a table, `function f() end` in a function to a name outside of it."""
    around = node.parent
    if around is None:
        return
    made = x.definition_at(around)
    if made[0] != DEFINED:
        return
    definition = x.definitions[made[1]]
    if "expression" not in definition.flags:
        if node.type == "identifier":
            make_local(x, definition.name)
        return
    if node.type == "identifier":
        put(x, node, node, made, False)
        return
    place = x.lower(node)
    if place[0] in (ATTRIBUTE, SUBSCRIPT):
        x.assign(node, place, made)


def assign_field(x: Extraction, node: Node, capture: str) -> None:
    """`k = v` in the table that a class is: a member of its own."""
    table, name = node.parent, entry_name(x, node)
    value = node.child_by_field_name("value")
    if not name or table is None or value is None or value.type == "function_definition" or x.scope < 0:
        return
    if x.definitions[x.scope].kind == "class" and table_path(x, table)[1]:
        x.assign(node, (NAME, name), x.lower(value), "declare")


def assign_for(x: Extraction, node: Node, capture: str) -> None:
    """`for k, v in pairs(t)`: the value is an element of the table; other iterators are functions, not followed."""
    names, held = named_part(node, 0), named_part(node, -1)
    targets = names.children_by_field_name("name") if names is not None else []
    iterated = named_part(held)
    value: Expr = UNKNOWN
    if iterated is not None and iterated.type == "function_call":
        first = named_part(iterated.child_by_field_name("arguments"))
        if _name(x, iterated) in ("pairs", "ipairs") and first is not None:
            value = (SUBSCRIPT, x.lower(first), UNKNOWN)
    elif iterated is not None and held is not None and held.named_child_count > 1 and x.text(iterated) == "next":
        value = (SUBSCRIPT, x.lower(held.named_children[1]), UNKNOWN)
    for number, target in enumerate(targets):
        make_local(x, x.text(target))
        x.assign(target, (NAME, x.text(target)), value if number == 1 else UNKNOWN, "for")
    if value[0] == SUBSCRIPT and len(targets) == 2:
        key: Expr = (NAME, x.text(targets[0]))
        x.memo.setdefault("pairs", {})[x.scope, key, (NAME, x.text(targets[1]))] = value[1]


def assign_count(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        make_local(x, x.text(name))
        x.assign(node, (NAME, x.text(name)), (LITERAL, "float", ""), "for")


def given_metatable(x: Extraction, node: Node, listed: list[Node]) -> None:
    """What `setmetatable(object, Class)` makes of the object: a variable holds an instance from there on, and what it
    was given before is written to the instance."""
    made = x.call_at(node)
    held = listed[0]
    value: Expr = UNKNOWN
    if held.type == "table_constructor":
        value = x.lower(held)
    elif held.type == "identifier":
        name = (NAME, x.text(held))
        for before in reversed(x.assignments[-_MAX_BEFORE:]):
            if before.scope != x.scope:
                continue
            if before.target == name:
                value = before.value
                break
            if before.target[0] == ATTRIBUTE and before.target[1] == name:
                x.assign(node, (ATTRIBUTE, made, before.target[2]), before.value)
        around = node.parent
        if value[0] == MAPPING and (around is None or around.type in ("chunk", "block")):
            x.assign(node, name, made)
    if value[0] == UNION:
        value = next((option for option in value[1] if option[0] == MAPPING), UNKNOWN)
    if value[0] == MAPPING:
        for key, member in value[1]:
            if key[0] == LITERAL and key[1] == "str" and member[0] not in (LITERAL, "x"):
                x.assign(node, (ATTRIBUTE, made, key[2]), member)


def inserted(x: Extraction, node: Node, listed: list[Node]) -> None:
    """`table.insert(list, value)`."""
    if len(listed) > 1:
        x.assign(node, (SUBSCRIPT, x.lower(listed[0]), UNKNOWN), argument(x, listed[-1]))
