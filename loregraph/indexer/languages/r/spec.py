"""R's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, FILE_SCOPE, MODULE, NAME, PARENT, UNKNOWN, Expr
from loregraph.indexer.languages.comments import clean_comment, opening_comment
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.r import definitions
from loregraph.indexer.languages.r.classes import MAKERS, called, class_around, listed
from loregraph.indexer.languages.r.expressions import (
    EXPRESSIONS,
    PIPES,
    first_argument,
    given,
    method_around,
    name_of,
    text_in,
    unquoted,
)
from loregraph.indexer.languages.r.language import TESTS
from loregraph.indexer.languages.spec import Hook, LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_ATTACHING: Final = frozenset({"library", "require", "requireNamespace", "loadNamespace", "source", "sys.source"})
_STATED: Final = MAKERS | TESTS.callers
"""Calls that define what they are called with, and are said as that."""


def _is_call(x: Extraction, node: Node) -> bool:
    function = node.child_by_field_name("function")
    if node.type != "call" or function is None:
        return node.type != "call"
    around = node.parent
    if around is not None and around.type == "binary_operator" and around.child_by_field_name("lhs") == node:
        operator = around.child_by_field_name("operator")
        if operator is not None and operator.type in ("<-", "<<-", "="):
            return False  # `names(a) <- b`
    return function.type != "return" and called(x, node) not in _STATED


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("function")
    if function is None or not _is_call(x, node):
        _leave(x, node, function)
        return
    positional, named = given(x, node.child_by_field_name("arguments"))
    positional = _with_piped(x, node, positional)
    word = x.text(function) if function.type == "identifier" and function.end_byte - function.start_byte < 30 else ""
    if word in _ATTACHING:
        _attach(x, node, word)
    elif word in ("UseMethod", "standardGeneric"):
        generic = text_in(x, first_argument(x, node))
        own: Expr = (MODULE, "")
        x.record_call(node, (ATTRIBUTE, own, generic + definitions.DISPATCHED) if generic else (NAME, word))
        return
    elif word == "new" and (name := text_in(x, first_argument(x, node))):
        x.record_call(node, (NAME, name), positional[1:], named, "new")
        return
    elif word == "callSuper" and (method := method_around(x)) != FILE_SCOPE:
        x.record_call(node, (ATTRIBUTE, (PARENT,), x.definitions[method].name), positional, named)
        return
    elif word in ("do.call", "match.fun") and (name := text_in(x, first_argument(x, node))):
        x.record_call(node, (NAME, name))
        return
    if function.type == "extract_operator" and unquoted(x, function.child_by_field_name("rhs")) == "new":
        x.record_call(node, x.lower(function.child_by_field_name("lhs")), positional, named, "new")
        return
    called_ = (NAME, text_in(x, function)) if function.type == "string" else x.lower(function)
    x.record_call(node, called_, positional, named)


def _leave(x: Extraction, node: Node, function: Node | None) -> None:
    if function is not None and function.type == "return":
        x.leave(node, x.lower(first_argument(x, node)))


def _with_piped(x: Extraction, node: Node, positional: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """`a |> f(b)` is `f(a, b)`, as `a %>% f(b)` is, unless that says with a dot where `a` goes."""
    around = node.parent
    if around is None or around.type != "binary_operator" or around.child_by_field_name("rhs") != node:
        return positional
    operator = around.child_by_field_name("operator")
    if operator is None or x.text(operator) not in PIPES:
        return positional
    piped = x.lower(around.child_by_field_name("lhs"))
    if (NAME, ".") in positional:
        return tuple(piped if expr == (NAME, ".") else expr for expr in positional)
    return (piped, *positional)


def _operator(x: Extraction, node: Node, capture: str) -> None:
    """`a %+% b` calls `%+%`; `a %>% f` calls `f`."""
    operator = node.child_by_field_name("operator")
    sign = x.text(operator) if operator is not None else ""
    left, right = x.lower(node.child_by_field_name("lhs")), node.child_by_field_name("rhs")
    if sign not in PIPES:
        x.record_call(node, (NAME, sign), (left, x.lower(right)), kind="operator")
    elif right is not None and right.type in ("identifier", "namespace_operator"):
        x.record_call(node, x.lower(right), (left,))


def _attach(x: Extraction, node: Node, word: str) -> None:
    first = first_argument(x, node)
    if first is None:
        return
    if word in ("source", "sys.source"):
        path = _path(x, first)
        if path:
            x.import_(node, path, "*", kind="source")
    elif first.type == "identifier" or text_in(x, first):
        x.import_(node, unquoted(x, first), "*" if word in ("library", "require") else "")


def _path(x: Extraction, node: Node) -> str:
    """The path that is sourced: a string, or what `file.path` and `here` put together of strings alone."""
    if node.type == "call" and called(x, node) in ("file.path", "here", "test_path"):
        parts = [text_in(x, held.child_by_field_name("value")) for held in listed(node)]
        return "/".join(parts) if all(parts) else ""
    return text_in(x, node)


def _assign(x: Extraction, node: Node, capture: str) -> None:
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator is not None else ""
    left, right = node.child_by_field_name("lhs"), node.child_by_field_name("rhs")
    place, value = (right, left) if sign.startswith("-") else (left, right)
    if place is None or value is None:
        return
    if place.type == "call":  # `names(a) <- b` is `names<-`(a, value = b)
        function = place.child_by_field_name("function")
        if function is not None and function.type == "identifier":
            replaced = x.lower(first_argument(x, place))
            x.record_call(node, (NAME, f"{unquoted(x, function)}<-"), (replaced,), (("value", x.lower(value)),))
        return
    if place.type in ("identifier", "string"):
        if value.type == "function_definition" and value.id in x.definition_index:
            return  # it is bound as what it is called
        if value.type == "call" and value.id in x.definition_index:
            return
        target = name_of(x, unquoted(x, place))
        if ("<<" in sign or ">>" in sign) and target[0] == NAME:
            x.assign(node, target, UNKNOWN, "nonlocal")
    else:
        target = x.lower(place)
    if target != UNKNOWN:
        x.assign(node, target, x.lower(value))


def _member(x: Extraction, node: Node, capture: str) -> None:
    """A field of a class."""
    value = node.child_by_field_name("value")
    if value is None or value.type == "function_definition":
        return
    held = class_around(x, node)
    if held is None or x.scope == FILE_SCOPE or x.definition_index.get(held[0].id) != x.scope:
        return
    name = unquoted(x, node.child_by_field_name("name"))
    typed = text_in(x, value) if held[1] in ("fields", "slots", "representation", "properties") else ""
    x.assign(node, (NAME, name), UNKNOWN if typed else x.lower(value), "declare", (NAME, typed) if typed else None)


def _result(x: Extraction, node: Node, capture: str) -> None:
    """What the last expression of a body gives."""
    inside = [part for part in node.named_children if part.type != "comment"]
    result = inside[-1] if node.type == "braced_expression" and inside else node
    value = x.lower(result)
    if value != UNKNOWN:
        x.leave(result, value)


def _file_facts(x: Extraction, root: Node) -> None:
    x.package = definitions.package_of(x.path)
    texts = opening_comment(x, named_part(root))
    if not any(text.startswith("#'") for text in texts):
        x.docstring = clean_comment("\n".join("" if text.startswith("#!") else text for text in texts))


HOOKS: Final[dict[str, Hook]] = {
    "call": _call,
    "call.operator": _operator,
    "assignment": _assign,
    "assignment.for": binds("for", "@variable", (ELEMENT, "@sequence")),
    "assignment.member": _member,
    "return": _result,
}

SPECS = {
    "r": LanguageSpec(
        name="r",
        grammar="r",
        queries=("r/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call": "function",
            "extract_operator": "rhs",
            "namespace_operator": "rhs",
            "binary_operator": "operator",
        },
        hooks=HOOKS,
        is_call=_is_call,
        header=definitions.read_header,
        parameters=definitions.parameters,
        docstring=definitions.docstring,
        comments=frozenset({"comment"}),
        documentation_marks=("#'",),
        header_scope="inner",
        file_facts=_file_facts,
        finish=definitions.finish,
    )
}
