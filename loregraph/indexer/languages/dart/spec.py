"""Dart's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.dart.bindings import (
    assign_alias,
    assign_cascade,
    assign_catch,
    assign_constant,
    assign_field,
    assign_for,
    assign_initializer,
    assign_local,
    assign_parameter,
    assign_pattern,
    assign_tested,
    assign_top,
    assign_values,
)
from loregraph.indexer.languages.dart.definitions import read_docstring, read_header
from loregraph.indexer.languages.dart.expressions import EXPRESSIONS, arguments, behind, called, read_run
from loregraph.indexer.languages.dart.parameters import read_parameters
from loregraph.indexer.languages.dart.parsing import left_out, parse_dart
from loregraph.indexer.languages.dart.types import COMMENTS, typed
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import child
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_URI = re.compile(r"""r?("{3}|'{3}|"|')(.*?)\1""", re.DOTALL)


# Calls


def _call(x: Extraction, node: Node, capture: str) -> None:
    around = node.parent
    if around is not None and around.type == "enum_constant":
        _made(x, node, around)
        return
    function = called(x, node)
    x.record_call(node, function, *arguments(x, child(node, "arguments")))
    for type_ in left_out(x).get(node.start_byte, ()):
        x.refer(node, ("n", type_), "type")


def _written(x: Extraction, node: Node, capture: str) -> None:
    """`new Foo.named(…)`, `const Foo(…)`, `Foo<int>.named(…)`."""
    type_ = typed(x, node.children)
    function: Expr = type_ if type_ is not None else UNKNOWN
    if function[0] == "s":
        function = function[1]
    named = child(node, "identifier")
    if named is not None and x.text(named) != "new":
        function = ("a", function, x.text(named))
    x.record_call(node, function, *arguments(x, child(node, "arguments")), kind="new")


def _initializer(x: Extraction, node: Node, capture: str) -> None:
    """`super(…)`, `super.named(…)`, `this(…)`, `this.named(…)`."""
    function: Expr = ("p",) if child(node, "super") is not None else ("v",)
    named = child(node, "identifier")
    if named is not None:
        function = ("a", function, x.text(named))
    x.record_call(node, function, *arguments(x, child(node, "arguments")))


def _redirecting(x: Extraction, node: Node, capture: str) -> None:
    """`factory A(…) = B.named;`"""
    children = node.children
    start = next((i for i, c in enumerate(children) if c.type == "="), len(children))
    type_ = typed(x, children[start + 1 :])
    if type_ is not None:
        x.record_call(node, type_, kind="new")


def _constant(x: Extraction, node: Node, capture: str) -> None:
    """A constant of an enum with a named constructor: `red.named(1)`."""
    _made(x, node, node)


def _made(x: Extraction, node: Node, constant: Node) -> None:
    """A constant of an enum runs the enum's constructor."""
    if x.scope < 0:
        return
    function: Expr = ("n", x.definitions[x.scope].name)
    named = constant.named_children[1] if constant.named_child_count > 1 else None
    if named is not None and named.type == "identifier":
        function = ("a", function, x.text(named))
    held = child(child(constant, "argument_part") or constant, "arguments")
    x.record_call(node, function, *arguments(x, held), kind="new")


# What leaves


def _return(x: Extraction, node: Node, capture: str) -> None:
    value = read_run(x, node.children)
    kind = {"return.yielded": "yield", "return.each": "yield from", "return.thrown": "throw"}.get(capture, "return")
    x.leave(node, value, kind)


def _body(x: Extraction, node: Node, capture: str) -> None:
    if any(c.type == "=>" for c in node.children):
        x.leave(node, behind(x, node, "=>"))


def _type(x: Extraction, node: Node, capture: str) -> None:
    x.refer(node, x.lower(node), "type")


# Imports


def _uris(x: Extraction, node: Node) -> list[str]:
    """The URI of a directive, and those that conditions may put in its place."""
    held = child(node, "configurable_uri") or node
    found = [held, *(c for c in held.named_children if c.type == "configuration_uri")]
    texts = []
    for one in found:
        literal = child(child(one, "uri"), "string_literal")
        match = _URI.match(x.text(literal)) if literal is not None else None
        if match is not None:
            texts.append(match[2])
    return texts


def _shown(x: Extraction, node: Node) -> list[str]:
    """The names of `show`."""
    return [
        x.text(name)
        for part in node.named_children
        if part.type == "combinator" and part.children[0].type == "show"
        for name in part.named_children
        if name.type == "identifier"
    ]


def _import(x: Extraction, node: Node, capture: str) -> None:
    specification = child(node, "import_specification") or node
    prefix = child(specification, "identifier")
    shown = _shown(x, specification)
    for uri in _uris(x, specification):
        if prefix is not None:
            x.import_(node, uri, "", x.text(prefix))
        elif shown:
            for name in shown:
                x.import_(node, uri, name, name)
        else:
            x.import_(node, uri, "*")


def _export(x: Extraction, node: Node, capture: str) -> None:
    shown = _shown(x, node)
    for uri in _uris(x, node):
        for name in shown or ["*"]:
            x.import_(node, uri, name, "" if name == "*" else name, "reexport")


def _part(x: Extraction, node: Node, capture: str) -> None:
    for uri in _uris(x, node):
        x.import_(node, uri, "*", kind="part")


def _library(x: Extraction, node: Node, capture: str) -> None:
    """`part of 'library.dart'`, `part of a.b`."""
    named = child(node, "dotted_identifier_list")
    for uri in _uris(x, node) or ([x.text(named)] if named is not None else []):
        x.import_(node, uri, "*", kind="part of")


def _file_facts(x: Extraction, root: Node) -> None:
    header = child(root, "library_name")
    path = child(header, "dotted_identifier_list")
    if path is not None:
        x.extras["library"] = x.text(path)


SPECS = {
    "dart": LanguageSpec(
        name="dart",
        grammar="dart",
        queries=("dart/query.scm",),
        expressions=EXPRESSIONS,
        assigned={
            "static_final_declaration": ("", ""),
            "initialized_identifier": ("", ""),
            "initialized_variable_definition": ("name", "value"),
        },
        hooks={
            "call": _call,
            "call.written": _written,
            "call.initializer": _initializer,
            "call.redirecting": _redirecting,
            "call.constant": _constant,
            "assignment.top": assign_top,
            "assignment.field": assign_field,
            "assignment.local": assign_local,
            "assignment.constant": assign_constant,
            "assignment.expression": assign_values,
            "assignment.pattern": assign_pattern,
            "assignment.cascade": assign_cascade,
            "assignment.parameter": assign_parameter,
            "assignment.initializer": assign_initializer,
            "assignment.for": assign_for,
            "assignment.catch": assign_catch,
            "assignment.alias": assign_alias,
            "assignment.tested": assign_tested,
            "return": _return,
            "return.body": _body,
            "import": _import,
            "import.export": _export,
            "import.part": _part,
            "import.library": _library,
            "reference.type": _type,
        },
        return_type_field="",
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        documentation_marks=("///", "/**"),
        annotations=frozenset({"annotation"}),
        parse=parse_dart,
        file_facts=_file_facts,
    )
}
