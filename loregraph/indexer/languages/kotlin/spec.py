"""Kotlin's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.kotlin.bindings import (
    assign_catch,
    assign_component,
    assign_constant,
    assign_declaration,
    assign_for,
    assign_subject,
    assign_values,
)
from loregraph.indexer.languages.kotlin.definitions import handed_to_with, read_docstring, read_header, read_parameters
from loregraph.indexer.languages.kotlin.expressions import COMMENTS, EXPRESSIONS, arguments
from loregraph.indexer.languages.lowering import child, named_part, parts, plain, put_into_text
from loregraph.indexer.languages.parsing import error_bytes, parse
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_RESULT = frozenset({"jump_expression", "property_declaration", "assignment", "for_statement", "while_statement"})


def _call(x: Extraction, node: Node, capture: str) -> None:
    suffix = named_part(node, -1)
    positional, named = arguments(x, suffix)
    received = handed_to_with(x, node)
    if received is not None:
        x.record_call(node, ("a", received, "run"), positional[1:])
        return
    x.record_call(node, x.lower(named_part(node)), positional, named)
    for projection in parts(child(suffix, "type_arguments")):
        type_ = child(projection, "user_type")
        if type_ is not None:
            x.refer(type_, x.lower(type_), "type")


def _constructor(x: Extraction, node: Node, capture: str) -> None:
    """`: this(…)` and `: super(…)`."""
    own = any(c.type == "this" for c in node.children)
    positional, named = arguments(x, node)
    x.record_call(node, ("v",) if own else ("p",), positional, named)


def _jump(x: Extraction, node: Node, capture: str) -> None:
    word = node.children[0].type if node.children else ""
    if word.startswith("return"):
        x.leave(node, x.lower(named_part(node, -1)) if node.named_child_count else UNKNOWN)
    elif word == "throw":
        x.leave(node, x.lower(named_part(node)), "throw")


def _text(x: Extraction, node: Node, capture: str) -> None:
    """`"for $owner"` runs `owner.toString()`."""
    value = ("n", plain(x, node)) if node.type == "interpolated_identifier" else x.lower(named_part(node))
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


def _type(x: Extraction, node: Node, capture: str) -> None:
    x.refer(node, x.lower(node), "type")


def _import(x: Extraction, node: Node, capture: str) -> None:
    path = child(node, "identifier")
    if path is None:
        return
    module = ".".join(plain(x, part) for part in path.named_children if part.type not in COMMENTS)
    if child(node, "wildcard_import") is not None:
        x.import_(node, module, "*")
        return
    alias = child(child(node, "import_alias"), "type_identifier", "simple_identifier")
    x.import_(node, module, "", plain(x, alias) if alias is not None else module.rpartition(".")[2])


def _file_facts(x: Extraction, root: Node) -> None:
    header = child(root, "package_header")
    path = child(header, "identifier")
    if path is not None:
        x.package = ".".join(plain(x, part) for part in path.named_children if part.type not in COMMENTS)


_DELEGATION = re.compile(rb"(\b(?:class|object)\b[^{}]*?)(\bby\s+[\w.]+)(?=\s*\{)")
_PROPERTY = re.compile(rb"\b(?:val|var)\s+[\w`]+(?:\s*:[^=\n()]*)?$")
_PLATFORM = re.compile(rb"\b(?:actual|expect)(?=\s+[a-z@])")


def _without_delegate(match: re.Match[bytes]) -> bytes:
    if _PROPERTY.search(match[1].rstrip()):
        return match[0]  # `val x by lazy {` behind a class without a body
    return match[1] + re.sub(rb"[^\n]", b" ", match[2])


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
    other = parse(x.spec.grammar, source)
    return root if other is None or error_bytes(other) > error_bytes(root) else other


SPECS = {
    "kotlin": LanguageSpec(
        name="kotlin",
        grammar="kotlin",
        queries=("kotlin/query.scm",),
        expressions=EXPRESSIONS,
        assigned={"property_declaration": ("", ""), "assignment": ("", "")},
        hooks={
            "call": _call,
            "call.constructor": _constructor,
            "call.text": _text,
            "assignment": assign_declaration,
            "assignment.component": assign_component,
            "assignment.constant": assign_constant,
            "assignment.expression": assign_values,
            "assignment.for": assign_for,
            "assignment.catch": assign_catch,
            "assignment.subject": assign_subject,
            "return.jump": _jump,
            "return.body": _body,
            "return.last": _last,
            "reference.type": _type,
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
