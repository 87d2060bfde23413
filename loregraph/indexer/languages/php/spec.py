"""PHP's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import LITERAL, PARENT, SPREAD
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.heads import texts
from loregraph.indexer.languages.hooks import leaves, refers
from loregraph.indexer.languages.lowering import child, named_part, parts
from loregraph.indexer.languages.parsing import parse
from loregraph.indexer.languages.php.bindings import ASSIGNMENTS
from loregraph.indexer.languages.php.definitions import read_header, read_parameters
from loregraph.indexer.languages.php.expressions import (
    COMMENTS,
    EXPRESSIONS,
    arguments,
    callee,
    is_callable_made,
    written_path,
)
from loregraph.indexer.languages.php.magic import forwarded
from loregraph.indexer.languages.rows import choose, text_of
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_CALLS = frozenset({"isset", "empty", "unset", "exit", "die", "list", "array"})
"""Words of the language that are written like functions."""


_APPLIED: Final = {
    "call_user_func": False,
    "call_user_func_array": True,
    "forward_static_call": False,
    "forward_static_call_array": True,
}
"""Functions that call their first argument → whether with the elements of the second, not with the others."""


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("function")
    if function is None or x.text(function).lower() in _NO_CALLS or is_callable_made(node):
        return
    positional, named = arguments(x, node.child_by_field_name("arguments"))
    applied = _APPLIED.get(x.text(function).lstrip("\\").lower())
    if applied is not None and positional and not named:
        rest = tuple((SPREAD, a) for a in positional[1:2]) if applied else positional[1:]
        x.record_call(node, positional[0], rest)
    else:
        x.record_call(node, x.lower(function), positional, named)


def _method_call(x: Extraction, node: Node, capture: str) -> None:
    if capture == "call.member":
        forwarded(x, node)
    if not is_callable_made(node):
        positional, named = arguments(x, node.child_by_field_name("arguments"))
        x.record_call(node, callee(x, node), positional, named)


def _new(x: Extraction, node: Node, capture: str) -> None:
    made = next(iter(parts(node)), None)
    own = made if made is not None and made.type == "anonymous_class" else None
    if own is not None:
        function = x.definition_at(own)
    else:
        function = (PARENT,) if made is not None and x.text(made).lower() == "parent" else x.lower(made)
    positional, named = arguments(x, child(own or node, "arguments"))
    x.record_call(node, function, positional, named, "new")


def _use(x: Extraction, node: Node, capture: str) -> None:
    """`use A\\B`, `use A\\B as C`, `use function A\\f`, `use A\\{B, C as D}`."""
    group = node.child_by_field_name("body")
    shared = child(node, "namespace_name") if group is not None else None
    prefix = f"{written_path(x.text(shared))}." if shared is not None else ""
    for clause in (group or node).named_children:
        path = named_part(clause) if clause.type == "namespace_use_clause" else None
        if path is None:
            continue
        module, alias = prefix + written_path(x.text(path)), clause.child_by_field_name("alias")
        x.import_(clause, module, "", x.text(alias) if alias is not None else module.rpartition(".")[2])


def _require(x: Extraction, node: Node, capture: str) -> None:
    """`require __DIR__ . "/x.php"`: the part that is written out."""
    value = named_part(node)
    while value is not None and value.type == "parenthesized_expression":
        value = named_part(value)
    if value is not None and value.type == "binary_expression":
        value = value.child_by_field_name("right")
    text = x.lower(value)
    if text[0] == LITERAL and text[2]:
        x.import_(node, text[2].lstrip("/"), kind="include")


def _file_facts(x: Extraction, root: Node) -> None:
    """The namespaces of the file: the first is its package, others are kept beside it."""
    names = list(dict.fromkeys(map(written_path, _namespaces(x, root))))
    x.package = names[0] if names else ""
    if len(names) > 1:
        x.extras["packages"] = names[1:]


_namespaces = texts(":namespace_definition", text_of("name"))

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
        called_name={
            "function_call_expression": "function",
            "member_call_expression": "name",
            "nullsafe_member_call_expression": "name",
            "scoped_call_expression": "name",
        },
        assigned={"assignment_expression": ("left", "right")},
        hooks={
            "call": _call,
            "call.member": _method_call,
            "call.scoped": _method_call,
            "call.new": _new,
            **ASSIGNMENTS,
            "return.arrow": leaves("@."),
            # `Foo::BAR` uses `Foo`.
            "reference.constant": refers(choose("%0", {"name qualified_name": "@0"}), "value", known=True),
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
