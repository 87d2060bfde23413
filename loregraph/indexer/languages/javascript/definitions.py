"""Headers, parameters and comments of JavaScript's functions and classes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import Expr, Parameter
from loregraph.indexer.languages.comments import MAX_COMMENTS, attaches_over_blank_lines, clean_comment
from loregraph.indexer.languages.extraction import MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.heads import bases, head_text
from loregraph.indexer.languages.javascript.expressions import inner
from loregraph.indexer.languages.javascript.function_names import FIELDS, place_of, unwrapped
from loregraph.indexer.languages.javascript.language import TESTS
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.rows import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

TRANSPARENT: Final = frozenset({"export_statement", "ambient_declaration"})
_CHAIN: Final = frozenset({"assignment_expression", "expression_statement", "variable_declarator"})
"""What an assignment is the value of, or all of."""
_TOOLS: Final = re.compile(
    r"^\s*(?:eslint|jshint|jslint|prettier|istanbul|tslint|@ts-|ts-|#__|@__|globals?\b|@license|@preserve|!|<reference)"
)
_ACCESSORS: Final = {"get": "getter", "set": "setter"}
_EXPRESSIONS: Final = frozenset({"function_expression", "generator_function", "arrow_function", "class"})
_STATEMENTS: Final = frozenset({"ambient_declaration", "lexical_declaration", "variable_declaration"})
_TYPES: Final = frozenset(
    {"class_declaration", "abstract_class_declaration", "class", "interface_declaration", "type_alias_declaration"}
    | {"ambient_declaration"}
)
_MAX_OVERLOADS: Final = 20
"""Signatures above a function that are asked for its comment."""
_PREFIX: Final = 80
"""Longest text of a call that is put before the signature of a function passed to it."""


def header(x: Extraction, node: Node, kind: str) -> Header | None:
    """Name, kind, flags and bases of a function or class."""
    if kind == "class":
        return class_header(x, node)
    type_ = node.type
    if type_ in _EXPRESSIONS:
        return _expression(x, node, kind)
    if type_ == "method_definition":
        return method(x, node)
    found = Header(name=_own_name(x, node))
    flags = modifiers(node)
    _exported(node, flags)
    found.flags = tuple(flags)
    return found


_own_name = text_of("name")


def modifiers(node: Node) -> list[str]:
    """The flags that keywords before the name give."""
    flags: list[str] = []
    for child in node.children:
        kind = child.type
        if kind in ("async", "static", "abstract"):
            flags.append(kind)
        elif kind == "*":
            flags.append("generator")
        elif kind == "accessibility_modifier":
            if child.child_count and child.child(0).type in ("private", "protected"):
                flags.append("private")
        elif kind == "override_modifier":
            flags.append("override")
        elif kind in ("formal_parameters", "class_body", "statement_block", "=>"):
            break
    if node.type.startswith("generator_function"):
        flags = [*(f for f in flags if f != "generator"), "generator"]
    return flags


def _exported(node: Node, flags: list[str]) -> None:
    if _is_exported(node.parent, _STATEMENTS):
        flags.append("exported")


def _is_exported(around: Node | None, past: frozenset[str]) -> bool:
    """Whether an `export` stands around, past nodes of these types."""
    while around is not None and around.type in past:
        around = around.parent
    return around is not None and around.type == "export_statement"


def _expression(x: Extraction, node: Node, kind: str) -> Header:
    place = place_of(x, node)
    own = _own_name(x, node)
    found = Header(name=place.name or own, kind=kind, owner=place.owner, owner_name=place.owner_name)
    flags = modifiers(node)
    flags.append("expression")
    if place.name:
        found.outer, found.within = place.outer, place.within
        if place.static:
            flags.append("static")
        if place.name.startswith("#"):
            flags.append("private")
        if place.outer is not None:
            if place.outer.type in FIELDS:
                # `this` in the arrow of a field is the instance, as in a method; and the class binds its name.
                if kind != "class":
                    found.kind = "method"
                flags.remove("expression")
                flags += [flag for flag in modifiers(place.outer) if flag not in flags]
                decorate(x, place.outer, found)
            elif place.outer.type not in ("pair", "assignment_pattern"):
                _exported(place.outer if place.outer.type != "variable_declarator" else node, flags)
                if place.outer.type == "export_statement" and "exported" not in flags:
                    flags.append("exported")
        if place.member and found.kind == "function":
            found.kind = "method"
        found.signature = _signature(x, place.outer or node, node)
    else:
        _callback(x, node, found, flags)
    found.flags = tuple(flags)
    return found


def _signature(x: Extraction, start: Node, node: Node) -> str:
    body = node.child_by_field_name("body")
    return head_text(x, start.start_byte, body.start_byte if body is not None else node.end_byte, "{ ")


def _callback(x: Extraction, node: Node, found: Header, flags: list[str]) -> None:
    """A function passed to a call: its signature says to which, and whether it is a test."""
    value = unwrapped(node)
    arguments = value.parent
    if arguments is None or arguments.type != "arguments" or arguments.parent is None:
        return
    call = arguments.parent
    function = call.child_by_field_name("function")
    if function is None:
        return
    prefix = x.source[call.start_byte : min(value.start_byte, call.start_byte + 4 * MAX_SIGNATURE)]
    if b"{" not in prefix and len(prefix) <= _PREFIX:
        found.signature = _signature(x, call, node)
    if function.end_byte - function.start_byte <= _PREFIX:
        words = re.split(r"[.(`\s]", x.text(function))
        runs = words[0] in TESTS.callers or (words[0] in ("Deno", "QUnit") and words[-1] == "test")
        if runs and is_test_path(x.path, x.spec.name):
            flags.append("test")


def method(x: Extraction, node: Node) -> Header:
    """A method of a class or of an object literal."""
    place = place_of(x, node)
    found = Header(name=place.name, kind="method", owner=place.owner, owner_name=place.owner_name, within=place.within)
    flags = modifiers(node)
    around = node.parent.type if node.parent is not None else ""
    in_class = around in ("class_body", "interface_body", "object_type")
    if around == "class_body" and place.name == "constructor" and "static" not in flags:
        found.kind = "constructor"
    else:
        accessor = next((_ACCESSORS[c.type] for c in node.children if c.type in _ACCESSORS), None)
        found.kind = accessor or "method"
    if place.name.startswith("#"):
        flags.append("private")
    if not in_class:
        flags.append("expression")
    elif "private" not in flags and node.parent is not None and _is_exported(node.parent.parent, _TYPES):
        flags.append("exported")
    decorate(x, node, found)
    found.flags = tuple(flags)
    return found


def class_header(x: Extraction, node: Node) -> Header:
    """A class, declared or as an expression."""
    flags = modifiers(node)
    own = _own_name(x, node)
    if node.type == "class":
        place = place_of(x, node)
        found = Header(name=place.name or own, owner_name=place.owner_name, within=place.within)
        if place.outer is None or place.outer.type not in FIELDS:
            flags.append("expression")
        if place.name:
            found.outer = place.outer
            found.signature = _signature(x, place.outer or node, node)
            if place.outer is not None and place.outer.type in ("lexical_declaration", "export_statement"):
                _exported(place.outer, flags)
                if place.outer.type == "export_statement":
                    flags.append("exported")
    else:
        found = Header(name=own)
        _exported(node, flags)
    found.bases = _bases(x, node)
    decorate(x, node, found)
    found.flags = tuple(flags)
    return found


_bases = bases(EXTENDS=":class_heritage/0")


def decorate(x: Extraction, node: Node, found: Header) -> None:
    """Adds the decorators in `node`, and those that stand before it: of an exported class, of a TypeScript method."""
    listed = [c for c in node.children_by_field_name("decorator") if c.type == "decorator"]
    around = node.parent
    if around is not None and around.type == "export_statement":
        listed = [c for c in around.children_by_field_name("decorator") if c.type == "decorator"] + listed
    if not listed and around is not None and around.type == "class_body":
        before = node.prev_named_sibling
        while before is not None and before.type in ("decorator", "comment"):
            if before.type == "decorator":
                listed.insert(0, before)
                found.first = before
            before = before.prev_named_sibling
    if listed and listed[-1].parent == node and node.type != "export_statement":
        found.signature = _signature(x, listed[-1].next_sibling or node, node)
    for decorator in listed:
        expr = inner(decorator)
        if expr is not None:
            found.decorators += (x.lower(expr),)
            found.decorator_names += (x.folded(expr, 120),)


# Parameters


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a function."""
    listed = node.child_by_field_name("parameters")
    if listed is None:
        single = node.child_by_field_name("parameter")
        return (Parameter(x.text(single)),) if single is not None else ()
    return tuple(_parameter(x, c) for c in listed.named_children if c.type not in ("comment", "decorator"))


def _parameter(x: Extraction, node: Node) -> Parameter:
    if node.type == "assignment_pattern":
        return named(x, node.child_by_field_name("left"), None, x.lower(node.child_by_field_name("right")))
    return named(x, node, None, None)


def named(x: Extraction, target: Node | None, type_: Expr | None, default: Expr | None) -> Parameter:
    """A parameter by its name or pattern."""
    kind = ""
    if target is not None and target.type == "rest_pattern":
        kind = "*"
        target = inner(target)
    if target is None:
        return Parameter("", type_, default, kind)
    if target.type == "identifier":
        return Parameter(x.text(target), type_, default, kind)
    if target.type == "this":
        return Parameter("this", type_, default, "this")
    return Parameter("", type_, default, kind, x.lower(target))


# Comments


def docstring(x: Extraction, node: Node) -> str:
    """The comment above the statement that the definition belongs to; of an overloaded function the first there is."""
    above = outermost(x, node)
    text = _comment(x, above)
    for _ in range(_MAX_OVERLOADS):
        before = above.prev_named_sibling
        if text or before is None:
            break
        above = declared = before
        if declared.type in TRANSPARENT:
            declared = declared.child_by_field_name("declaration") or declared
        if not declared.type.endswith("signature") or _own_name(x, declared) != _own_name(x, node):
            break
        text = _comment(x, above)
    return text


def outermost(x: Extraction, node: Node) -> Node:
    """The statement, property or class member whose value is `node`."""
    above = node
    if node.type in _EXPRESSIONS:
        above = place_of(x, node).outer or node
        # `req.get = req.header = function …` is one statement.
        while above.type == "assignment_expression" and above.parent is not None and above.parent.type in _CHAIN:
            above = above.parent
        if above.type == "variable_declarator" and above.parent is not None and above.prev_named_sibling is None:
            above = above.parent
    while above.parent is not None and above.parent.type in TRANSPARENT:
        above = above.parent
    return above


def _comment(x: Extraction, above: Node) -> str:
    found: list[str] = []
    line = above.start_point[0]
    previous = above.prev_sibling
    while previous is not None and previous.type == "decorator":
        line = previous.start_point[0]
        previous = previous.prev_sibling
    while previous is not None and previous.type == "comment" and len(found) < MAX_COMMENTS:
        row = previous.end_point[0]
        if found and x.source.startswith(b"/*", previous.start_byte):
            break
        if row < line - 1 and (found or not attaches_over_blank_lines(x, previous)):
            break
        before = previous.prev_sibling
        if (
            before is not None
            and before.type != "comment"
            and before.end_point[0] == previous.start_point[0]
            and row < line
        ):
            break  # It trails what stands before it.
        text = x.text(previous)
        if not _TOOLS.match(text.lstrip("/* ")):
            found.append(text)
        line = previous.start_point[0]
        if text.startswith("/*"):
            break
        previous = before
    return clean_comment("\n".join(reversed(found)))


def inner_from(node: Node) -> int:
    """Defaults and destructuring run inside a function; decorators, computed names and base classes outside."""
    part = (
        node.child_by_field_name("parameters")
        or node.child_by_field_name("parameter")
        or node.child_by_field_name("body")
        or node.child_by_field_name("value")
    )
    return part.start_byte if part is not None else node.start_byte
