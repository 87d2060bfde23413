"""C#'s row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.csharp.bindings import (
    assign_bound,
    assign_catch,
    assign_components,
    assign_declaration,
    assign_for,
    assign_from,
    assign_pattern,
    assign_property,
    assign_values,
)
from loregraph.indexer.languages.csharp.definitions import read_docstring, read_header, read_parameters
from loregraph.indexer.languages.csharp.expressions import COMMENTS, EXPRESSIONS, arguments, called
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import enumerates
from loregraph.indexer.languages.lowering import named_part, parts, put_into_text
from loregraph.indexer.languages.parsing import error_bytes, parse
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_BESIDE_THE_VALUE = frozenset({"interpolation_brace", "interpolation_format_clause", "interpolation_alignment_clause"})


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("function")
    if function is not None and function.type == "identifier" and x.text(function) == "nameof":
        return  # a name as text: nothing is called
    positional, named = arguments(x, node.child_by_field_name("arguments"))
    x.record_call(node, called(x, function), positional, named)
    last = function.child_by_field_name("name") if function is not None else None
    generic = function if function is not None and function.type == "generic_name" else last
    if generic is not None and generic.type == "generic_name":
        for type_ in parts(named_part(generic, -1)):
            if type_.type != "predefined_type":
                x.refer(type_, x.lower(type_), "type")


def _new(x: Extraction, node: Node, capture: str) -> None:
    listed = node.child_by_field_name("arguments")
    type_: Node | None = node.child_by_field_name("type")
    if node.type == "implicit_object_creation_expression":
        listed = next((c for c in node.named_children if c.type == "argument_list"), None)
        type_ = _wanted(node)
    positional, named = arguments(x, listed)
    x.record_call(node, UNKNOWN if type_ is None else x.lower(type_), positional, named, "new")


def _wanted(node: Node) -> Node | None:
    """The type that `new()` takes from what it stands in: a declaration with a written type."""
    around = node.parent
    if around is not None and around.type == "variable_declarator":
        around = around.parent
    if around is None or around.type not in ("variable_declaration", "property_declaration"):
        return None
    type_ = around.child_by_field_name("type")
    return None if type_ is None or type_.type == "implicit_type" else type_


def _constructor(x: Extraction, node: Node, capture: str) -> None:
    """`: base(…)` and `: this(…)`."""
    listed = next((c for c in node.named_children if c.type == "argument_list"), None)
    positional, named = arguments(x, listed)
    own = any(c.type == "this" for c in node.children)
    x.record_call(node, ("v",) if own else ("p",), positional, named)


def _arrow(x: Extraction, node: Node, capture: str) -> None:
    if node.type == "block":
        return
    value = x.lower(named_part(node)) if node.type == "arrow_expression_clause" else x.lower(node)
    x.leave(node, value)


def _type_reference(x: Extraction, node: Node, capture: str) -> None:
    if node.type not in ("predefined_type", "array_type"):
        x.refer(node, x.lower(node), "type")


def _import(x: Extraction, node: Node, capture: str) -> None:
    """`using A.B`, `using static A.B.C`, `using X = A.B`; `global` ones hold for the whole project."""
    words = {c.type for c in node.children}
    alias, path = node.child_by_field_name("name"), named_part(node, -1)
    if path is None:
        return
    if alias is not None and path.id == alias.id:
        alias = None
    module = _dotted(x.lower(path))
    if not module:
        return
    if alias is not None:
        x.import_(node, module, "", x.text(alias))
    else:
        x.import_(node, module, "*", "", "global" if "global" in words else "static" if "static" in words else "")


def _text(x: Extraction, node: Node, capture: str) -> None:
    """`$"for {owner}"` runs `owner.ToString()`."""
    part = next((c for c in node.named_children if c.type not in _BESIDE_THE_VALUE), None)
    put_into_text(x, node, x.lower(part), "ToString")


def _dotted(expr: Expr) -> str:
    if expr[0] == "s":
        return _dotted(expr[1])
    if expr[0] == "a":
        before = _dotted(expr[1])
        return f"{before}.{expr[2]}" if before else ""
    return str(expr[1]) if expr[0] == "n" else ""


def _file_facts(x: Extraction, root: Node) -> None:
    """The namespaces of the file: the first is its package, others are kept beside it."""
    found: dict[str, None] = {}
    stack = [(root, "")]
    while stack:
        node, around = stack.pop()
        for child in reversed(node.named_children):
            if child.type in ("namespace_declaration", "file_scoped_namespace_declaration"):
                name = child.child_by_field_name("name")
                own = _dotted(x.lower(name)) if name is not None else ""
                full = f"{around}.{own}" if around else own
                body = child.child_by_field_name("body")
                inside = [c for c in body.named_children if c.type != "comment"] if body is not None else []
                if not inside or any(c.type != "namespace_declaration" for c in inside):
                    found[full] = None
                if body is not None:
                    stack.append((body, full))
            elif child.type in ("preproc_if", "preproc_region"):
                stack.append((child, around))
    names = list(reversed(found)) if len(found) > 1 else list(found)
    x.package = names[0] if names else ""
    if len(names) > 1:
        x.extras["packages"] = names[1:]


_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)[^\n]*", re.MULTILINE)


def _parse(x: Extraction) -> Node | None:
    """The tree; where directives stand in the middle of something (`#if` in a parameter list), that of the text in
    which only the first branch of each is left."""
    root = parse(x.spec.grammar, x.source)
    if root is None or not root.has_error or b"#" not in x.source:
        return root
    chosen = parse(x.spec.grammar, _first_branches(x.source))
    return root if chosen is None or (chosen.has_error and error_bytes(chosen) >= error_bytes(root)) else chosen


def _first_branches(source: bytes) -> bytes:
    """`source` at the same offsets with its directives, and all branches but the first, blanked."""
    text = bytearray(source)
    hidden: list[int] = []  # where each open `#if` stopped being shown, -1 while it is

    def blank(start: int, end: int) -> None:
        text[start:end] = re.sub(rb"[^\n]", b" ", bytes(text[start:end]))

    for directive in _DIRECTIVE.finditer(source):
        word = directive[1]
        if word == b"if":
            hidden.append(-1)
        elif word in (b"elif", b"else") and hidden and hidden[-1] < 0:
            hidden[-1] = directive.start()
        elif word == b"endif" and hidden:
            start = hidden.pop()
            if start >= 0:
                blank(start, directive.start())
        blank(directive.start(), directive.end())
    return bytes(text)


def _inner_from(node: Node) -> int:
    """A constructor's `: base(…)` runs in it; attributes and bases run outside."""
    if node.type == "constructor_declaration":
        listed = node.child_by_field_name("parameters")
        return listed.end_byte if listed is not None else node.start_byte
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.start_byte


SPECS = {
    "csharp": LanguageSpec(
        name="csharp",
        grammar="csharp",
        queries=("csharp/query.scm",),
        expressions=EXPRESSIONS,
        assigned={
            "variable_declarator": ("name", ""),
            "property_declaration": ("name", "value"),
            "assignment_expression": ("left", "right"),
        },
        hooks={
            "call": _call,
            "call.new": _new,
            "call.constructor": _constructor,
            "call.text": _text,
            "assignment": assign_declaration,
            "assignment.property": assign_property,
            "assignment.components": assign_components,
            "assignment.constant": enumerates("@name!"),
            "assignment.expression": assign_values,
            "assignment.for": assign_for,
            "assignment.from": assign_from,
            "assignment.catch": assign_catch,
            "assignment.pattern": assign_pattern,
            "assignment.bound": assign_bound,
            "return.arrow": _arrow,
            "reference.type": _type_reference,
            "import": _import,
        },
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        documentation_marks=("///", "/**"),
        annotations=frozenset({"attribute_list"}),
        inner_from=_inner_from,
        parse=_parse,
        file_facts=_file_facts,
    )
}
