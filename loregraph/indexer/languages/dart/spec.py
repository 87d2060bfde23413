"""Dart's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, NAME, PARENT, RECEIVER, SUBSCRIPT, UNKNOWN, Expr
from loregraph.indexer.languages.dart import bindings, definitions
from loregraph.indexer.languages.dart.expressions import EXPRESSIONS, behind, called, given, run, whole
from loregraph.indexer.languages.dart.parsing import left_out, parse_dart
from loregraph.indexer.languages.dart.types import COMMENTS, nodes_behind, typed
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, by_sign, enumerates, leaves
from loregraph.indexer.languages.lowering import child, named_part
from loregraph.indexer.languages.rows import having, text_of
from loregraph.indexer.languages.selectors import many
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_URI = re.compile(r"""r?("{3}|'{3}|"|')(.*?)\1""", re.DOTALL)


# Calls


def _call(x: Extraction, node: Node, capture: str) -> None:
    around = node.parent
    if around is not None and around.type == "enum_constant":
        _constant(x, around, capture, node)
        return
    x.record_call(node, called(x, node), *given(x, node))
    for type_ in left_out(x).get(node.start_byte, ()):
        x.refer(node, (NAME, type_), "type")


def _written(x: Extraction, node: Node, capture: str) -> None:
    """`new Foo.named(…)`, `const Foo(…)`, `Foo<int>.named(…)`."""
    function = typed(x, node.children) or UNKNOWN
    if function[0] == SUBSCRIPT:
        function = function[1]
    named = _name(x, node)
    x.record_call(
        node, (ATTRIBUTE, function, named) if named not in ("", "new") else function, *given(x, node), kind="new"
    )


def _initializer(x: Extraction, node: Node, capture: str) -> None:
    x.record_call(node, _CONSTRUCTOR(x, node), *given(x, node))


_name = text_of(":identifier")
_base = having(":super", (PARENT,), (RECEIVER,))
_CONSTRUCTOR = having(":identifier", (ATTRIBUTE, _base, "$:identifier"), _base)
"""`super(…)`, `super.named(…)`, `this(…)`, `this.named(…)`."""


def _redirecting(x: Extraction, node: Node, capture: str) -> None:
    """`factory A(…) = B.named;`"""
    type_ = typed(x, nodes_behind(node, "="))
    if type_ is not None:
        x.record_call(node, type_, kind="new")


def _constant(x: Extraction, node: Node, capture: str, call: Node | None = None) -> None:
    """A constant of an enum runs the enum's constructor: `red(1)`, or a named one, `red.named(1)`."""
    if x.scope < 0:
        return
    function: Expr = (NAME, x.definitions[x.scope].name)
    named = named_part(node, 1)
    if named is not None and named.type == "identifier":
        function = (ATTRIBUTE, function, x.text(named))
    x.record_call(call or node, function, *given(x, child(node, "argument_part") or node), kind="new")


# What leaves


def _body(x: Extraction, node: Node, capture: str) -> None:
    if any(c.type == "=>" for c in node.children):
        x.leave(node, _after_arrow(x, node))


_after_arrow = behind("=>")


# Imports


def _uris(x: Extraction, node: Node) -> list[str]:
    """The URI of a directive, and those that conditions may put in its place."""
    held = child(node, "configurable_uri") or node
    matches = [_URI.match(_literal(x, part)) for part in (held, *_conditional(x, held))]
    return [match[2] for match in matches if match is not None]


_conditional, _literal = many(":configuration_uri"), text_of(":uri/:string_literal")
_library_name = text_of(":dotted_identifier_list")


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
    """`part 'more.dart'`, `part of 'library.dart'`, `part of a.b`."""
    kind = "part" if capture == "import.part" else "part of"
    for uri in _uris(x, node) or filter(None, [_library_name(x, node)]):
        x.import_(node, uri, "*", kind=kind)


_declared_library = text_of(":library_name/:dotted_identifier_list")


def _file_facts(x: Extraction, root: Node) -> None:
    library = _declared_library(x, root)
    if library:
        x.extras["library"] = library


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
            "assignment.top": bindings.assign_top,
            "assignment.field": bindings.assign_field,
            "assignment.local": bindings.assign_local,
            "assignment.constant": enumerates(made=True),
            "assignment.expression": binds(by_sign(), run("left"), run("right")),
            "assignment.pattern": bindings.assign_pattern,
            "assignment.cascade": bindings.assign_cascade,
            # `this.x`: a parameter that goes to the field of its name; `: x = value`
            "assignment.parameter": binds("=", (ATTRIBUTE, (RECEIVER,), "$:identifier!"), (NAME, "$:identifier")),
            "assignment.initializer": binds("=", (ATTRIBUTE, (RECEIVER,), "$:identifier!"), behind("=")),
            "assignment.for": bindings.assign_for,
            "assignment.catch": bindings.assign_catch,
            "assignment.alias": bindings.assign_alias,
            "assignment.tested": bindings.assign_tested,
            "return.statement": leaves(whole),
            "return.yielded": leaves(whole, "yield"),
            "return.each": leaves(whole, "yield from"),
            "return.thrown": leaves(whole, "throw"),
            "return.body": _body,
            "import": _import,
            "import.export": _export,
            "import.part": _part,
            "import.library": _part,
        },
        return_type_field="",
        parameters=definitions.read_parameters,
        header=definitions.read_header,
        docstring=definitions.read_docstring,
        comments=COMMENTS,
        documentation_marks=("///", "/**"),
        annotations=frozenset({"annotation"}),
        parse=parse_dart,
        file_facts=_file_facts,
    )
}
