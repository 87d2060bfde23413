"""Solidity's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, NAME, SEQUENCE, Expr
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import ParameterRow, bases, parameters, signature
from loregraph.indexer.languages.hooks import binds, enumerates
from loregraph.indexer.languages.rows import text_of
from loregraph.indexer.languages.selectors import many, one
from loregraph.indexer.languages.solidity.expressions import EXPRESSIONS, owner_of, path
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_name = text_of("name")
_signature = signature(without="comment")
_bases = bases(EXTENDS=":inheritance_specifier/ancestor")
_returned = many("return_type/:parameter/type")
_arguments = many(":call_argument")
_named = many(":call_argument/:call_struct_argument")
_library = one(":type_alias")
_functions = many(":using_alias/:user_defined_type")
_TYPE_NAME: Final = re.compile(r"[A-Z][A-Z\d_]*+[a-z]\w*+")
_TEST_NAME: Final = re.compile(r"(?:test|invariant|statefulFuzz)(?:[A-Z_]|$)")
_IN_TYPES: Final = ("contract_body",)


def _header(x: Extraction, node: Node, kind: str) -> Header | None:
    around = node.parent
    holder = around.parent if around is not None and around.type in _IN_TYPES else None
    name = _name(x, node)
    if node.type == "constructor_definition":
        name = "constructor"
    elif node.type == "fallback_receive_definition":
        name = node.children[0].type if node.children else ""
    elif node.type == "yul_function_definition":
        name = next((x.text(part) for part in node.named_children if part.type == "yul_identifier"), "")
    if not name:
        return None
    header = Header(name=name, signature=_signature(x, node))
    if kind in ("class", "interface"):
        header.bases = tuple(reversed(_bases(x, node)))  # what stands last is asked first
        header.flags = ("exported", "abstract") if _has_word(node, "abstract") else ("exported",)
    elif kind == "function" and holder is not None:
        header.kind = "method"
    if kind in ("function", "constructor") and node.type != "yul_function_definition":
        header.flags = _flags(x, node, holder, name)
        returned = [x.lower(type_) for type_ in _returned(x, node)]
        if returned:
            header.returns = returned[0] if len(returned) == 1 else (SEQUENCE, tuple(returned))
    elif kind not in ("class", "interface", "function"):
        header.flags = ("exported",)
    return header


def _flags(x: Extraction, node: Node, holder: Node | None, name: str) -> tuple[str, ...]:
    words = {x.text(part) for part in node.named_children if part.type == "visibility"}
    flags = ["private"] if "private" in words else ["exported"]  # "internal" is for those that inherit or use it
    if node.type == "function_definition":
        if node.child_by_field_name("body") is None:
            flags += ["declaration", "abstract"]
        if holder is not None and holder.type == "library_declaration":
            flags += ["static", "extension"]
        elif holder is None and name in x.memo.get("attached", ()):
            flags.append("extension")
        elif x.path.endswith(".t.sol") and "internal" not in words and flags == ["exported"] and _TEST_NAME.match(name):
            flags.append("test")
    return tuple(flags)


def _has_word(node: Node, word: str) -> bool:
    return any(child.type == word for child in node.children)


def _given(x: Extraction, node: Node) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """Arguments; those in braces have names."""
    named = [
        (x.text(name), x.lower(held.child_by_field_name("value")))
        for held in _named(x, node)
        if (name := held.child_by_field_name("name")) is not None
    ]
    return () if named else tuple([x.lower(part) for part in _arguments(x, node)]), tuple(named)


def _call(x: Extraction, node: Node, capture: str) -> None:
    """A call; of a type's name with what can be no conversion of one value it makes a struct or an error."""
    function = owner_of(node.child_by_field_name("function"))
    if function is not None and function.type == "struct_expression":  # `f{value: 1}(…)`
        function = owner_of(function.child_by_field_name("type"))
    if function is None:
        return
    called, (positional, named) = x.lower(function), _given(x, node)
    kind = "call"
    if function.type == "new_expression":
        if called[0] == "s":  # an array
            return
        kind = "new"
    elif called[0] in (NAME, ATTRIBUTE) and _TYPE_NAME.fullmatch(called[-1]):
        if named or len(positional) != 1:
            kind = "new"
        else:
            x.refer(node, called, "type")
    x.record_call(node, called, positional, named, kind)


def _emit(x: Extraction, node: Node, capture: str) -> None:
    x.record_call(node, x.lower(node.child_by_field_name("name")), *_given(x, node), "new")


def _revert(x: Extraction, node: Node, capture: str) -> None:
    error = node.child_by_field_name("error")
    made = x.lower(error)
    held = next((part for part in node.named_children if part.type == "revert_arguments"), None)
    if held is None or made[0] not in (NAME, ATTRIBUTE):  # `revert("why")`
        x.record_call(node, (NAME, "revert"), (made,) if error is not None else ())
        return
    x.record_call(node, made, *_given(x, held), "new")
    x.leave(node, x.call_at(node), "throw")


def _modifier(x: Extraction, node: Node, capture: str) -> None:
    """`onlyOwner`, or a supertype's constructor behind the head of one."""
    called, around = path(x, node), node.parent
    above = around is not None and around.type == "constructor_definition" and str(called[-1])[:1].isupper()
    x.record_call(node, called, *_given(x, node), "new" if above else "call")


def _base(x: Extraction, node: Node, capture: str) -> None:
    """`is Base(1)`."""
    called = x.lower(node.child_by_field_name("ancestor"))
    given = [x.lower(part) for part in node.children_by_field_name("ancestor_arguments") if part.is_named]
    x.record_call(node, called, tuple(given), (), "new")


def _yul_call(x: Extraction, node: Node, capture: str) -> None:
    x.record_call(node, x.lower(node.child_by_field_name("function")))


_declare = binds("declare", (NAME, "$name!"), "@value", type="@type")
_parameters = binds("declare", (NAME, "$name!"), each=":parameter", own_type="@type")
_locals = binds("declare", (NAME, "$name!"), each=":variable_declaration_tuple/:variable_declaration", own_type="@type")


def _local(x: Extraction, node: Node, capture: str) -> None:
    single = next((part for part in node.named_children if part.type == "variable_declaration"), None)
    if single is None:
        _locals(x, node, capture)
        return
    name, type_ = single.child_by_field_name("name"), single.child_by_field_name("type")
    if name is not None:
        value = x.lower(node.child_by_field_name("value"))
        x.assign(node, (NAME, x.text(name)), value, "declare", x.lower(type_) if type_ is not None else None)


def _import(x: Extraction, node: Node, capture: str) -> None:
    """`import "a.sol"`, `import "a.sol" as A`, `import * as A from "a.sol"`, `import {B, C as D} from "a.sol"`."""
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = x.text(source).strip("\"'")
    names: list[list[str]] = []
    alone = ""
    for place, part in enumerate(node.children):
        field = node.field_name_for_child(place)
        if field == "import_name":
            names.append([x.text(part), x.text(part)])
        elif field == "alias" and names:
            names[-1][1] = x.text(part)
        elif field == "alias":
            alone = x.text(part)
    for name, alias in names:
        x.import_(node, module, name, alias)
    if not names:
        x.import_(node, module, "" if alone else "*", alone)


def _using(x: Extraction, node: Node, capture: str) -> None:
    held = _library(x, node)
    for part in [held] if held is not None else _functions(x, node):
        x.refer(part, path(x, part), "type")


def _file_facts(x: Extraction, root: Node) -> None:
    """What the file's `using` directives name: libraries and functions, and those that are for all files."""
    named: set[str] = set()
    everywhere: set[str] = set()
    attached: set[str] = set()
    for around in (root, *(c.child_by_field_name("body") for c in root.named_children)):
        for node in around.named_children if around is not None else ():
            if node.type != "using_directive":
                continue
            held = _library(x, node)
            if held is not None:
                named.add(str(path(x, held)[-1]))
            functions = {str(path(x, function)[-1]) for function in _functions(x, node)}
            attached |= functions
            (everywhere if _has_word(node, "global") else named).update(functions)
    x.memo["attached"] = attached
    if named | everywhere:
        x.extras["extensions"] = sorted(named | everywhere)
    if everywhere:
        x.extras["extensions for all"] = sorted(everywhere)


SPECS = {
    "solidity": LanguageSpec(
        name="solidity",
        grammar="solidity",
        queries=("solidity/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call_expression": "function",
            "expression": "0",
            "member_expression": "property",
            "struct_expression": "type",
        },
        hooks={
            "call": _call,
            "call.emit": _emit,
            "call.revert": _revert,
            "call.modifier": _modifier,
            "call.base": _base,
            "call.yul": _yul_call,
            "assignment": binds("=", "@left", "@right"),
            "assignment.augmented": binds("+=", "@left", "@right"),
            "assignment.variable": _declare,
            "assignment.local": _local,
            "assignment.parameters": _parameters,
            "assignment.constant": enumerates((NAME, "$")),
            "import": _import,
            "reference.using": _using,
            "reference.type": lambda x, node, capture: x.refer(node, x.lower(node.named_child(0)), "type"),
        },
        parameters=parameters(".", {"parameter": ParameterRow("$name", "@type")}),
        header=_header,
        documentation_marks=("///", "/**"),
        header_scope="inner",
        file_facts=_file_facts,
    )
}
