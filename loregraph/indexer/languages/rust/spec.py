"""Rust's row: how its syntax becomes facts.

`extras["impls"]` lists the `impl Trait for Type` of a file as (type, trait, line, scope): the type is often declared
elsewhere. The methods in an `impl` are definitions whose `owner` is the type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.rust.bindings import (
    assign_alias,
    assign_arm,
    assign_bound,
    assign_condition,
    assign_constant,
    assign_for,
    assign_impl,
    assign_inherited,
    assign_let,
    assign_positions,
    assign_values,
    assign_variant,
    fields_of,
)
from loregraph.indexer.languages.rust.definitions import (
    attributes_of,
    inner_docs,
    read_docstring,
    read_header,
    read_parameters,
)
from loregraph.indexer.languages.rust.expressions import COMMENTS, EXPRESSIONS, from_file, inner, is_macro, tail
from loregraph.indexer.languages.rust.macros import QUOTING, parse_source, token_calls
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSTRUCTORS = frozenset({"Some", "Ok", "Err"})


def _call(x: Extraction, node: Node, capture: str) -> None:
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is not None and function.type == "identifier" and x.text(function) in _CONSTRUCTORS:
        return
    around = node.parent
    if around is not None and around.type == "assignment_expression" and around.child_by_field_name("left") == node:
        return  # a pattern: `Some(x) = …`
    arguments = tuple(x.lower(a) for a in listed.named_children if a.type not in COMMENTS) if listed else ()
    kind = "macro" if function is not None and is_macro(x, function) else "call"
    x.record_call(node, x.lower(function), arguments, kind=kind)


def _macro(x: Extraction, node: Node, capture: str) -> None:
    called = x.lower(node.child_by_field_name("macro"))
    x.record_call(node, called, kind="macro")
    tokens = node.children[-1] if node.children else None
    name = called[-1] if called[0] in ("n", "a") else ""
    if tokens is not None and tokens.type == "token_tree" and name not in QUOTING:
        token_calls(x, tokens, name)


def _rule(x: Extraction, node: Node, capture: str) -> None:
    """What a macro's rule expands to: its calls are the macro's."""
    token_calls(x, node)


def _return(x: Extraction, node: Node, capture: str) -> None:
    if node.named_child_count:
        x.leave(node, inner(x, node))


def _tail(x: Extraction, node: Node, capture: str) -> None:
    value = tail(x, node)
    if value != UNKNOWN:
        x.leave(node, value)


def _type_reference(x: Extraction, node: Node, capture: str) -> None:
    if node.type != "primitive_type":
        x.refer(node, x.lower(node), "type")


def _use(x: Extraction, node: Node, capture: str) -> None:
    """`use a::{b::{self, c as d}, e::*}`: one import a leaf. `pub use` publishes what it binds.

    What begins with `self` or `super` is written as seen from the file's own module, not from a `mod {}` within it.
    """
    public = any(c.type == "visibility_modifier" for c in node.children)
    argument = node.child_by_field_name("argument")
    stack: list[tuple[Node, tuple[str, ...]]] = [(argument, ())] if argument is not None else []
    while stack:
        tree, prefix = stack.pop()
        if tree.type == "use_list":
            stack += [(c, prefix) for c in reversed(tree.named_children) if c.type not in COMMENTS]
        elif tree.type == "scoped_use_list":
            path, listed = tree.child_by_field_name("path"), tree.child_by_field_name("list")
            if listed is not None:
                stack.append((listed, (*prefix, *_segments(x, path))))
        elif tree.type == "use_wildcard":
            module = "::".join(from_file(tree, (*prefix, *_segments(x, named_part(tree)))))
            x.import_(tree, module, "*", "", "from")
            if public:
                x.import_(tree, module, "*", "", "reexport")
        else:
            alias = None
            if tree.type == "use_as_clause":
                alias_node = tree.child_by_field_name("alias")
                alias = x.text(alias_node) if alias_node else None
                path = tree.child_by_field_name("path")
            else:
                path = tree
            segments = (*prefix, *_segments(x, path))
            if len(segments) > 1 and segments[-1] == "self":
                segments = segments[:-1]
            segments = from_file(tree, segments)
            if segments:
                _use_leaf(x, tree, segments, alias, public)


def _use_leaf(x: Extraction, node: Node, segments: tuple[str, ...], alias: str | None, public: bool) -> None:
    bound = segments[-1] if alias is None else "" if alias == "_" else alias
    if len(segments) == 1:
        x.import_(node, segments[0], "", bound)
    else:
        x.import_(node, "::".join(segments[:-1]), segments[-1], bound, "from")
    if public and bound:
        x.export(node, bound, ("n", bound))


def _segments(x: Extraction, path: Node | None) -> list[str]:
    return [s.strip().removeprefix("r#") for s in x.text(path).split("::") if s.strip()] if path is not None else []


def _crate(x: Extraction, node: Node, capture: str) -> None:
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if name is not None:
        bound = x.text(alias or name)
        x.import_(node, x.text(name), "", "" if bound == "_" else bound)


def _module(x: Extraction, node: Node, capture: str) -> None:
    """`mod x;`: the module in another file. A `#[path = "…"]` is kept in `extras["paths"]`."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    text = x.text(name).removeprefix("r#")
    x.import_(node, "::".join(from_file(node, ("self", text))), "", text, "mod")
    for attribute in attributes_of(node):
        path = re.match(r'#\[\s*path\s*=\s*"([^"]+)"', x.text(attribute))
        if path is not None:
            x.extras.setdefault("paths", {})[text] = path[1]


def _file_facts(x: Extraction, root: Node) -> None:
    x.docstring = inner_docs(x, root)


SPECS = {
    "rust": LanguageSpec(
        name="rust",
        grammar="rust",
        queries=("rust/query.scm",),
        expressions=EXPRESSIONS,
        assigned={
            "const_item": ("name", "value"),
            "static_item": ("name", "value"),
            "let_declaration": ("pattern", "value"),
        },
        hooks={
            "call": _call,
            "call.macro": _macro,
            "reference.tokens": _rule,
            "assignment": assign_values,
            "assignment.augmented": assign_values,
            "assignment.fields": fields_of,
            "assignment.positions": assign_positions,
            "assignment.variant": assign_variant,
            "assignment.constant": assign_constant,
            "assignment.alias": assign_alias,
            "assignment.bound": assign_bound,
            "assignment.inherited": assign_inherited,
            "assignment.impl": assign_impl,
            "assignment.let": assign_let,
            "assignment.condition": assign_condition,
            "assignment.for": assign_for,
            "assignment.arm": assign_arm,
            "return": _return,
            "return.tail": _tail,
            "reference.type": _type_reference,
            "import": _use,
            "import.crate": _crate,
            "import.module": _module,
        },
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        parse=parse_source,
        file_facts=_file_facts,
    )
}
