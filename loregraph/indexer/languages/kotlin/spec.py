"""Kotlin's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, NAME, PARENT, RECEIVER, TYPED, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, by_sign, calls, written
from loregraph.indexer.languages.kotlin.definitions import read_docstring, read_header, read_parameters
from loregraph.indexer.languages.kotlin.expressions import (
    COMMENTS,
    EXPRESSIONS,
    TYPES,
    arguments,
    declared_type,
    handed_to_with,
    several,
)
from loregraph.indexer.languages.lowering import child, last, named_part, parts, plain, put_into_text
from loregraph.indexer.languages.parsing import blanked, clearer, parse
from loregraph.indexer.languages.rows import at, choose, compiled, text_of
from loregraph.indexer.languages.spec import LanguageSpec

_VARIABLE: Final = ":variable_declaration,multi_variable_declaration"
_NO_VALUE = frozenset(
    {"getter", "setter", "property_delegate", "type_constraints", "modifiers", "binding_pattern_kind"}
)
_NO_RESULT = frozenset({"jump_expression", "property_declaration", "assignment", "for_statement", "while_statement"})

_declared = choose(
    f"%{_VARIABLE}", {"multi_variable_declaration": at(_VARIABLE, several)}, (NAME, f"`{_VARIABLE}/:simple_identifier")
)
"""A declared variable, or several (`val (a, b)`)."""
_declared_type = written(f"@:variable_declaration/{TYPES}")


# Where values go: properties, constructor parameters, constants


def _property(x: Extraction, node: Node, capture: str) -> None:
    variable = child(node, "variable_declaration", "multi_variable_declaration")
    if variable is None or node.child_by_field_name("receiver") is not None:
        return  # an extension property is nobody's field
    type_ = _declared_type(x, node)
    value: Expr = UNKNOWN
    final = next((c for c in reversed(parts(node)) if c.type not in _NO_VALUE), None)
    delegate = child(node, "property_delegate")
    if delegate is not None:
        value = _delegated(x, delegate)
    elif final is not None and final.id != variable.id and final.start_byte > variable.start_byte:
        value = x.lower(final)
    elif type_ is None:
        body = child(child(node, "getter"), "function_body")
        if body is not None and child(body, "statements") is None:
            value = last(x, body)  # `val total get() = sum()`
    x.assign(node, _declared(x, node), value, "declare", type_)


_delegated = compiled("@:call_expression/-1/:annotated_lambda/:lambda_literal/:statements/-1")
"""`by lazy { … }`: what the lambda gives."""


def _component(x: Extraction, node: Node, capture: str) -> None:
    """A parameter of the primary constructor: a property, or what initialisers read."""
    name = plain(x, child(node, "simple_identifier"))
    scope = next((i for i in range(len(x.definitions) - 1, -1, -1) if x.definitions[i].end_byte >= node.end_byte), -1)
    if not name or scope < 0:
        return
    x.scope, x.block = scope, -1
    given = x.lower(named_part(node, -1)) if any(c.type == "=" for c in node.children) else UNKNOWN
    x.assign(node, (NAME, name), given, "declare", declared_type(x, node))


def _constant(x: Extraction, node: Node, capture: str) -> None:
    """An enum entry: an instance that the enum's constructor, or its own body, makes."""
    name = plain(x, child(node, "simple_identifier"))
    scope = x.scope
    if child(node, "class_body") is not None and scope >= 0:
        scope = x.definitions[scope].parent  # its own definition has been opened already
    if not name or scope < 0:
        return
    x.scope = scope
    owner: Expr = (NAME, x.definitions[scope].name)
    x.assign(node, (NAME, name), (TYPED, owner, UNKNOWN), "declare", owner)


# Calls and results


def _call(x: Extraction, node: Node, capture: str) -> None:
    suffix = named_part(node, -1)
    positional, named = arguments(x, suffix)
    received = handed_to_with(x, node)
    if received is not None:
        x.record_call(node, (ATTRIBUTE, received, "run"), positional[1:])
        return
    x.record_call(node, x.lower(named_part(node)), positional, named)
    for projection in parts(child(suffix, "type_arguments")):
        type_ = child(projection, "user_type")
        if type_ is not None:
            x.refer(type_, x.lower(type_), "type")


def _jump(x: Extraction, node: Node, capture: str) -> None:
    word = node.children[0].type if node.children else ""
    if word.startswith("return"):
        x.leave(node, x.lower(named_part(node, -1)))
    elif word == "throw":
        x.leave(node, x.lower(named_part(node)), "throw")


def _text(x: Extraction, node: Node, capture: str) -> None:
    """`"for $owner"` runs `owner.toString()`."""
    value = (NAME, plain(x, node)) if node.type == "interpolated_identifier" else x.lower(named_part(node))
    put_into_text(x, node, value, "toString")


def _body(x: Extraction, node: Node, capture: str) -> None:
    """`fun f() = value`."""
    value = named_part(node, -1)
    if value is not None and value.type != "statements" and any(c.type == "=" for c in node.children):
        x.leave(node, x.lower(value))


def _last(x: Extraction, node: Node, capture: str) -> None:
    """A lambda gives what its last statement gives."""
    following = node.next_named_sibling
    while following is not None and following.type in COMMENTS:
        following = following.next_named_sibling
    if following is None and node.type not in _NO_RESULT and node.type not in COMMENTS:
        value = x.lower(node)
        if value != UNKNOWN:
            x.leave(node, value)


# Files


def _path(x: Extraction, node: Node | None) -> str:
    """The name of a package or of what is imported."""
    return ".".join(plain(x, part) for part in parts(child(node, "identifier")))


_alias = text_of(":import_alias/:type_identifier,simple_identifier")


def _import(x: Extraction, node: Node, capture: str) -> None:
    module = _path(x, node)
    if not module:
        return
    if child(node, "wildcard_import") is not None:
        x.import_(node, module, "*")
    else:
        x.import_(node, module, "", _alias(x, node).strip("`") or module.rpartition(".")[2])


def _file_facts(x: Extraction, root: Node) -> None:
    x.package = _path(x, child(root, "package_header"))


_DELEGATION = re.compile(rb"(\b(?:class|object)\b[^{}]*?)(\bby\s+[\w.]+)(?=\s*\{)")
_PROPERTY = re.compile(rb"\b(?:val|var)\s+[\w`]+(?:\s*:[^=\n()]*)?$")
_PLATFORM = re.compile(rb"\b(?:actual|expect)(?=\s+[a-z@])")


def _without_delegate(match: re.Match[bytes]) -> bytes:
    if _PROPERTY.search(match[1].rstrip()):
        return match[0]  # `val x by lazy {` behind a class without a body
    return match[1] + blanked(match[2])


def _parse(x: Extraction) -> Node | None:
    """The tree. The grammar takes the body behind `class A : B by b {` for a lambda, and stumbles over `actual` in some
    places; both words say nothing to a reader, so where there are errors a text without them is tried."""
    root = parse(x.spec.grammar, x.source)
    if root is None or (not _DELEGATION.search(x.source) and not root.has_error):
        return root
    source = _DELEGATION.sub(_without_delegate, x.source)
    source = _PLATFORM.sub(lambda m: b" " * len(m[0]), source)
    if source == x.source:
        return root
    return clearer(x.spec.grammar, root, source)


SPECS = {
    "kotlin": LanguageSpec(
        name="kotlin",
        grammar="kotlin",
        queries=("kotlin/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"call_expression": "0", "navigation_expression": "-1", "navigation_suffix": "0"},
        assigned={"property_declaration": ("", ""), "assignment": ("", "")},
        hooks={
            "call": _call,
            "call.constructor": calls(choose("%", {"this": (RECEIVER,)}, (PARENT,)), given=arguments),
            "call.text": _text,
            "assignment": _property,
            "assignment.component": _component,
            "assignment.constant": _constant,
            "assignment.expression": binds(by_sign(what="%"), "@0", "@-1", needs="1"),
            "assignment.for": binds(
                "for",
                _declared,
                (ELEMENT, "@^variable_declaration,multi_variable_declaration,control_structure_body,annotation!"),
                type=_declared_type,
                needs=_VARIABLE,
            ),
            "assignment.catch": binds(
                "except", (NAME, "`:simple_identifier"), (TYPED, f"@{TYPES}", UNKNOWN), type=compiled(f"@{TYPES}")
            ),
            "assignment.subject": binds(
                "declare", _declared, "@-1", type=_declared_type, needs=":variable_declaration"
            ),
            "return.jump": _jump,
            "return.body": _body,
            "return.last": _last,
            "import": _import,
        },
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        documentation_marks=("/**",),
        annotations=frozenset({"annotation"}),
        header_scope="inner",
        parse=_parse,
        file_facts=_file_facts,
    )
}
