"""JavaScript's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.indexer.facts import (
    ATTRIBUTE,
    DEFINED,
    ELEMENT,
    FILE_SCOPE,
    MAPPING,
    NAME,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.comments import clean_comment
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds
from loregraph.indexer.languages.javascript.constructors import constructors
from loregraph.indexer.languages.javascript.definitions import TRANSPARENT, docstring, header, inner_from, parameters
from loregraph.indexer.languages.javascript.expressions import EXPRESSIONS, arguments, inner, loaded_module
from loregraph.indexer.languages.javascript.function_names import MAX_CLIMB, field_name, has_token
from loregraph.indexer.languages.javascript.jsdoc import apply_types, parenthesized
from loregraph.indexer.languages.javascript.modules import commonjs_export, export_statement, import_statement, load
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.rows import BOOLEAN, TEXT, choose
from loregraph.indexer.languages.spec import Hook, LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_OVERVIEW = re.compile(r"@(?:file|fileoverview|overview|module|packageDocumentation)\b\s*")
_FIRST_PART = re.compile(r"[.#\[]")
_LITERALS: Final = frozenset({"object", "array"})
_LOGICAL: Final = frozenset({"||=", "&&=", "??="})


# Calls


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("function")
    module = loaded_module(x, node, function)
    if module is not None:
        load(x, node, module)
        return
    x.record_call(node, x.lower(function), arguments(x, node.child_by_field_name("arguments"))[0])


def _new(x: Extraction, node: Node, capture: str) -> None:
    function = x.lower(node.child_by_field_name("constructor"))
    types = node.child_by_field_name("type_arguments")
    if types is not None and function[0] in (NAME, ATTRIBUTE):
        function = (SUBSCRIPT, function, (SEQUENCE, tuple(map(x.lower, parts(types)))))
    x.record_call(node, function, arguments(x, node.child_by_field_name("arguments"))[0], kind="new")


def _jsx(x: Extraction, node: Node, capture: str) -> None:
    """A component's use is a call with its attributes by name; in a plain element, functions are only handed over."""
    name = node.child_by_field_name("name")
    if name is None:  # A fragment.
        return
    component = name.type == "member_expression" or not x.source[name.start_byte : name.start_byte + 1].islower()
    keywords: list[tuple[str, Expr]] = []
    for attribute in node.children_by_field_name("attribute"):
        key = inner(attribute)
        if attribute.type == "jsx_expression":
            spread = x.lower(key)
            keywords.append(("**", spread[1] if spread[0] == SPREAD else spread))
        elif key is not None:
            value = attribute.named_children[-1]
            keywords.append((x.text(key), x.lower(value) if value != key else BOOLEAN))
    if component:
        x.record_call(node, x.lower(name), (), tuple(keywords), "jsx")
        return
    for _, expr in keywords:
        if expr[0] in (NAME, ATTRIBUTE):
            x.refer(node, expr, "value")


# Assignments


def _assignment(x: Extraction, node: Node, capture: str) -> None:
    target = x.lower(node.child_by_field_name("left"))
    shared = _chained(x, node)
    value = shared if shared is not None else x.lower(node.child_by_field_name("right"))
    x.assign(node, target, value)
    if target[0] == ATTRIBUTE:
        commonjs_export(x, node, target, value)


def _chained(x: Extraction, node: Node) -> Expr | None:
    """The first target of `app = exports = module.exports = {}`: all of them hold one object, not one each."""
    first, around = node, node.parent
    for _ in range(MAX_CLIMB):
        if around is None or around.type not in ("assignment_expression", "variable_declarator"):
            break
        first, around = around, around.parent
    if first is node:
        return None
    last = node.child_by_field_name("right")
    for _ in range(MAX_CLIMB):
        if last is None or last.type != "assignment_expression":
            break
        last = last.child_by_field_name("right")
    if last is None or last.type not in _LITERALS:
        return None
    return x.lower(first.child_by_field_name("left") or first.child_by_field_name("name"))


def _own_name(x: Extraction, node: Node, capture: str) -> None:
    """A function expression's own name is bound inside it alone."""
    function = x.definition_at(node.parent) if node.parent is not None else UNKNOWN
    if function[0] == DEFINED:
        x.scope, x.block = function[1], -1
        x.assign(node, (NAME, x.text(node)), function, "declare")


def _augmented(x: Extraction, node: Node, capture: str) -> None:
    target = x.lower(node.child_by_field_name("left"))
    value = x.lower(node.child_by_field_name("right"))
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type in _LOGICAL:
        x.assign(node, target, (UNION, (target, value)))
        if target[0] == ATTRIBUTE:
            commonjs_export(x, node, target, value)
    else:
        x.assign(node, target, value, "+=")


def _field(x: Extraction, node: Node, capture: str) -> None:
    text = field_name(x, node)
    if not text or text[0] == "[":
        return
    value, type_ = node.child_by_field_name("value"), node.child_by_field_name("type")
    declared = x.lower(type_) if type_ is not None else None
    x.assign(node, (NAME, text), x.lower(value), "declare" if value is None else "=", declared)


# Returns


def _arrow(x: Extraction, node: Node, capture: str) -> None:
    around = x.definition_at(node.parent) if node.parent is not None else UNKNOWN
    if around[0] == DEFINED and around[1] != x.scope:  # a body that is a function itself: `a => b => c`
        x.scope, x.block = around[1], -1
    x.leave(node, x.lower(node))


def _yielded(x: Extraction, node: Node, capture: str) -> None:
    x.leave(node, x.lower(inner(node)), "yield from" if has_token(node, "*") else "yield")


# The file


def file_facts(x: Extraction, root: Node) -> None:
    """The comment that describes the file: a JSDoc block that says so."""
    for child in root.named_children[:3]:
        if child.type == "comment":
            text = x.text(child)
            if _OVERVIEW.search(text):
                x.docstring = _OVERVIEW.sub("", clean_comment(text))
                return


def finish(x: Extraction) -> None:
    """Marks what only the whole file tells."""
    for number in constructors(x):
        definition = x.definitions[number]
        x.definitions[number] = msgspec.structs.replace(definition, flags=(*definition.flags, "class"))
    _mark_exported(x)


def _finish_untyped(x: Extraction) -> None:
    """Of a file without annotations also: the types that its comments say."""
    apply_types(x)
    finish(x)


def _mark_exported(x: Extraction) -> None:
    """Marks as exported what is exported by its name, and the members of it."""
    numbers: set[int] = set()
    named: set[str] = set()
    for export in x.exports:
        if export.scope == FILE_SCOPE or export.name == "=":
            _exported_values(export.value, numbers, named)
    if not named and not numbers:
        return
    for fact in x.assignments:
        # `exports = module.exports = app; app.Router = Router`.
        if fact.scope == FILE_SCOPE and fact.target[0] == ATTRIBUTE and fact.value[0] == NAME:
            holder = fact.target[1]
            if holder[0] == NAME and holder[1] in named:
                named.add(fact.value[1])
    for number, definition in enumerate(x.definitions):
        if "private" in definition.flags:
            continue
        if definition.parent == FILE_SCOPE:
            # `app.use = function () {…}` and `Foo.prototype.bar = …` belong to what stands before the first dot.
            if _FIRST_PART.split(definition.qualname, maxsplit=1)[0] in named:
                numbers.add(number)
        elif definition.parent in numbers:
            around = x.definitions[definition.parent]
            if around.is_type or (definition.kind == "method" and "class" in around.flags):
                numbers.add(number)
    for number in numbers:
        definition = x.definitions[number]
        if "exported" not in definition.flags:
            x.definitions[number] = msgspec.structs.replace(definition, flags=(*definition.flags, "exported"))


def _exported_values(value: Expr, numbers: set[int], named: set[str]) -> None:
    if value[0] == NAME:
        named.add(value[1])
    elif value[0] == DEFINED:
        numbers.add(value[1])
    elif value[0] == MAPPING:
        for _, member in value[1]:
            if member[0] in (NAME, DEFINED):
                _exported_values(member, numbers, named)


HOOKS: Final[dict[str, Hook]] = {
    "call": _call,
    "call.new": _new,
    "jsx": _jsx,
    "assignment": binds("declare", "@name", "@value", type="@type"),
    "assignment.to": _assignment,
    "assignment.augmented": _augmented,
    "assignment.for": binds("for", "@left", choose("%operator", {"in": TEXT}, (ELEMENT, "@right"))),
    "assignment.catch": binds("except", "@."),
    "assignment.field": _field,
    "assignment.own_name": _own_name,
    "return.arrow": _arrow,
    "return.yield": _yielded,
    "import": import_statement,
    "export": export_statement,
}

SPECS: Final = {
    "javascript": LanguageSpec(
        name="javascript",
        grammar="javascript",
        queries=("javascript/query.scm", "javascript/only.scm", "javascript/jsx.scm"),
        expressions={**EXPRESSIONS, "parenthesized_expression": parenthesized},
        called_name={
            "call_expression": "function",
            "member_expression": "property",
            "new_expression": "constructor",
            "subscript_expression": "object",
            "parenthesized_expression": "0",
        },
        hooks=HOOKS,
        arguments=arguments,
        parameters=parameters,
        header=header,
        docstring=docstring,
        comments=frozenset({"comment", "html_comment"}),
        documentation_marks=("/**",),
        transparent=TRANSPARENT,
        inner_from=inner_from,
        file_facts=file_facts,
        finish=_finish_untyped,
        anonymous="arrow",
    )
}
