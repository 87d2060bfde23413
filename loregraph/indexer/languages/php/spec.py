"""PHP's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import enumerates
from loregraph.indexer.languages.lowering import named_part, parts
from loregraph.indexer.languages.parsing import parse
from loregraph.indexer.languages.php.bindings import (
    assign_catch,
    assign_constant,
    assign_for,
    assign_global,
    assign_promoted,
    assign_property,
    assign_static,
    assign_trait_alias,
    assign_values,
)
from loregraph.indexer.languages.php.definitions import read_header, read_parameters
from loregraph.indexer.languages.php.expressions import (
    APPLIED,
    COMMENTS,
    EXPRESSIONS,
    arguments,
    is_callable_made,
    member,
    scoped,
    written_path,
)
from loregraph.indexer.languages.php.magic import assign_documented, forwarded
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_CALLS = frozenset({"isset", "empty", "unset", "exit", "die", "list", "array"})
"""Words of the language that are written like functions."""


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("function")
    if function is None or x.text(function).lower() in _NO_CALLS:
        return
    if is_callable_made(node):
        return
    positional, named = arguments(x, node.child_by_field_name("arguments"))
    applied = APPLIED.get(x.text(function).lstrip("\\").lower())
    if applied is not None and positional and not named:
        rest = tuple(("*", a) for a in positional[1:2]) if applied else positional[1:]
        x.record_call(node, positional[0], rest)
        return
    x.record_call(node, x.lower(function), positional, named)


def _member(x: Extraction, node: Node, capture: str) -> None:
    forwarded(x, node)
    if is_callable_made(node):
        return
    positional, named = arguments(x, node.child_by_field_name("arguments"))
    x.record_call(node, member(x, node), positional, named)


def _scoped(x: Extraction, node: Node, capture: str) -> None:
    if is_callable_made(node):
        return
    positional, named = arguments(x, node.child_by_field_name("arguments"))
    x.record_call(node, scoped(x, node), positional, named)


def _new(x: Extraction, node: Node, capture: str) -> None:
    held = parts(node)
    made = held[0] if held else None
    listed = next((c for c in held if c.type == "arguments"), None)
    function: Expr = UNKNOWN
    if made is not None and made.type == "anonymous_class":
        function = x.definition_at(made)
        listed = next((c for c in parts(made) if c.type == "arguments"), None)
    elif made is not None:
        function = ("p",) if x.text(made).lower() == "parent" else x.lower(made)
    positional, named = arguments(x, listed)
    x.record_call(node, function, positional, named, "new")


def _arrow(x: Extraction, node: Node, capture: str) -> None:
    x.leave(node, x.lower(node))


def _constant(x: Extraction, node: Node, capture: str) -> None:
    """`Foo::BAR` uses `Foo`."""
    first = named_part(node)
    if first is not None and first.type in ("name", "qualified_name"):
        x.refer(node, x.lower(first), "value")


def _use(x: Extraction, node: Node, capture: str) -> None:
    """`use A\\B`, `use A\\B as C`, `use function A\\f`, `use A\\{B, C as D}`."""
    group = node.child_by_field_name("body")
    prefix = ""
    clauses = node.named_children
    if group is not None:
        prefix = next((written_path(x.text(c)) + "." for c in clauses if c.type == "namespace_name"), "")
        clauses = group.named_children
    for clause in clauses:
        path = named_part(clause) if clause.type == "namespace_use_clause" else None
        if path is None:
            continue
        module = prefix + written_path(x.text(path))
        alias = clause.child_by_field_name("alias")
        x.import_(clause, module, "", x.text(alias) if alias is not None else module.rpartition(".")[2])


def _require(x: Extraction, node: Node, capture: str) -> None:
    """`require __DIR__ . "/x.php"`: the part that is written out."""
    value = named_part(node)
    while value is not None and value.type == "parenthesized_expression":
        value = named_part(value)
    if value is not None and value.type == "binary_expression":
        value = value.child_by_field_name("right")
    text = x.lower(value)
    if text[0] == "k" and text[2]:
        x.import_(node, text[2].lstrip("/"), kind="include")


def _file_facts(x: Extraction, root: Node) -> None:
    """The namespaces of the file: the first is its package, others are kept beside it."""
    found: dict[str, None] = {}
    for child in root.named_children:
        if child.type == "namespace_definition":
            name = child.child_by_field_name("name")
            found[written_path(x.text(name)) if name is not None else ""] = None
    names = list(found)
    x.package = names[0] if names else ""
    if len(names) > 1:
        x.extras["packages"] = names[1:]


_SCRIPT = re.compile(rb"<script\s+language\s*=\s*[\"']?php[\"']?\s*>", re.IGNORECASE)
_SCRIPT_END = re.compile(rb"(?<!/)</script\s*+>", re.IGNORECASE)


def _parse(x: Extraction) -> Node | None:
    """The tree; the tags `<script language="php">` of old code are read as `<?php`."""
    source = x.source
    if _SCRIPT.search(source):
        source = _SCRIPT.sub(lambda tag: _tag(b"<?php", tag[0]), source)
        source = _SCRIPT_END.sub(lambda tag: _tag(b"?>", tag[0]), source)
    return parse(x.spec.grammar, source)


def _tag(tag: bytes, written: bytes) -> bytes:
    """`tag` in the place of what was written, line ends where they were."""
    return tag + re.sub(rb"[^\n]", b" ", written[len(tag) :])


SPECS = {
    "php": LanguageSpec(
        name="php",
        grammar="php",
        queries=("php/query.scm",),
        expressions=EXPRESSIONS,
        assigned={"assignment_expression": ("left", "right")},
        hooks={
            "call": _call,
            "call.member": _member,
            "call.scoped": _scoped,
            "call.new": _new,
            "assignment.documented": assign_documented,
            "assignment.property": assign_property,
            "assignment.trait": assign_trait_alias,
            "assignment.promoted": assign_promoted,
            "assignment.constant": assign_constant,
            "assignment.case": enumerates(),
            "assignment.expression": assign_values,
            "assignment.static": assign_static,
            "assignment.for": assign_for,
            "assignment.catch": assign_catch,
            "assignment.global": assign_global,
            "return.arrow": _arrow,
            "reference.constant": _constant,
            "import.use": _use,
            "import.require": _require,
        },
        parameters=read_parameters,
        header=read_header,
        comments=COMMENTS,
        documentation_marks=("/**",),
        annotations=frozenset({"attribute_list"}),
        parse=_parse,
        file_facts=_file_facts,
    )
}
