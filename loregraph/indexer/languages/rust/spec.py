"""Rust's row: how its syntax becomes facts.

`extras["impls"]` lists the `impl Trait for Type` of a file as (type, trait, line, scope): the type is often declared
elsewhere. The methods in an `impl` are definitions whose `owner` is the type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, NAME
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, imports, leaves
from loregraph.indexer.languages.lowering import child, named_part
from loregraph.indexer.languages.rows import choose, compiled, text_of
from loregraph.indexer.languages.rust import bindings, definitions
from loregraph.indexer.languages.rust.expressions import EXPRESSIONS, from_file, is_macro
from loregraph.indexer.languages.rust.macros import QUOTING, parse_source, token_calls
from loregraph.indexer.languages.selectors import parts
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSTRUCTORS = frozenset({"Some", "Ok", "Err"})
_arguments = compiled("*arguments")


def _call(x: Extraction, node: Node, capture: str) -> None:
    function, around = node.child_by_field_name("function"), node.parent
    if function is not None and function.type == "identifier" and x.text(function) in _CONSTRUCTORS:
        return
    if around is not None and around.type == "assignment_expression" and around.child_by_field_name("left") == node:
        return  # a pattern: `Some(x) = …`
    kind = "macro" if function is not None and is_macro(x, function) else "call"
    x.record_call(node, x.lower(function), _arguments(x, node), kind=kind)


def _macro(x: Extraction, node: Node, capture: str) -> None:
    called = x.lower(node.child_by_field_name("macro"))
    x.record_call(node, called, kind="macro")
    tokens = node.children[-1] if node.children else None
    name = called[-1] if called[0] in (NAME, ATTRIBUTE) else ""
    if tokens is not None and tokens.type == "token_tree" and name not in QUOTING:
        token_calls(x, tokens, name)


def _rule(x: Extraction, node: Node, capture: str) -> None:
    """What a macro's rule expands to: its calls are the macro's."""
    token_calls(x, node)


def _type_reference(x: Extraction, node: Node, capture: str) -> None:
    if node.type != "primitive_type":
        x.refer(node, x.lower(node), "type")


def _use(x: Extraction, node: Node, capture: str) -> None:
    """`use a::{b::{self, c as d}, e::*}`: one import a leaf. `pub use` publishes what it binds.

    What begins with `self` or `super` is written as seen from the file's own module, not from a `mod {}` within it.
    """
    public = child(node, "visibility_modifier") is not None
    argument = node.child_by_field_name("argument")
    stack: list[tuple[Node, tuple[str, ...]]] = [(argument, ())] if argument is not None else []
    while stack:
        tree, prefix = stack.pop()
        path = tree.child_by_field_name("path")
        if tree.type == "use_list":
            stack += [(part, prefix) for part in reversed(parts(x, tree))]
        elif tree.type == "scoped_use_list":
            listed = tree.child_by_field_name("list")
            if listed is not None:
                stack.append((listed, (*prefix, *_segments(x, path))))
        elif tree.type == "use_wildcard":
            module = "::".join(from_file(tree, (*prefix, *_segments(x, named_part(tree)))))
            x.import_(tree, module, "*", "", "from")
            if public:
                x.import_(tree, module, "*", "", "reexport")
        else:
            segments = (*prefix, *_segments(x, path if tree.type == "use_as_clause" else tree))
            if len(segments) > 1 and segments[-1] == "self":
                segments = segments[:-1]
            _use_leaf(x, tree, from_file(tree, segments), public)


def _use_leaf(x: Extraction, node: Node, segments: tuple[str, ...], public: bool) -> None:
    if not segments:
        return
    alias = _alias(x, node) or segments[-1]
    bound = "" if alias == "_" else alias
    if len(segments) == 1:
        x.import_(node, segments[0], "", bound)
    else:
        x.import_(node, "::".join(segments[:-1]), segments[-1], bound, "from")
    if public and bound:
        x.export(node, bound, (NAME, bound))


_alias = text_of("alias")


def _segments(x: Extraction, path: Node | None) -> list[str]:
    return [s.strip().removeprefix("r#") for s in x.text(path).split("::") if s.strip()] if path is not None else []


def _module(x: Extraction, node: Node, capture: str) -> None:
    """`mod x;`: the module in another file. A `#[path = "…"]` is kept in `extras["paths"]`."""
    text = _name(x, node).removeprefix("r#")
    x.import_(node, "::".join(from_file(node, ("self", text))), "", text, "mod")
    for attribute in definitions.attributes_of(x, node):
        path = re.match(r'#\[\s*path\s*=\s*"([^"]+)"', x.text(attribute))
        if path is not None:
            x.extras.setdefault("paths", {})[text] = path[1]


_name = text_of("name")


def _file_facts(x: Extraction, root: Node) -> None:
    x.docstring = definitions.inner_docs(x, root)


SPECS = {
    "rust": LanguageSpec(
        name="rust",
        grammar="rust",
        queries=("rust/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call_expression": "function",
            "field_expression": "field",
            "generic_function": "function",
            "scoped_identifier": "name",
            "macro_invocation": "macro",
        },
        assigned={
            "const_item": ("name", "value"),
            "static_item": ("name", "value"),
            "let_declaration": ("pattern", "value"),
        },
        hooks={
            "call": _call,
            "call.macro": _macro,
            "reference.tokens": _rule,
            "assignment": bindings.assign_values,
            "assignment.fields": binds("declare", (NAME, "$name"), each=":field_declaration", own_type="@type"),
            "assignment.positions": bindings.assign_positions,
            "assignment.variant": bindings.assign_variant,
            "assignment.constant": bindings.assign_constant,
            "assignment.alias": bindings.assign_alias,
            "assignment.bound": bindings.assign_bound,
            "assignment.inherited": bindings.assign_inherited,
            "assignment.impl": bindings.assign_impl,
            "assignment.let": bindings.assign_let,
            "assignment.condition": bindings.takes_apart("declare", "@value"),
            "assignment.for": bindings.takes_apart("for", (ELEMENT, "@value")),
            "assignment.arm": bindings.assign_arm,
            "return": leaves("@0!"),
            "return.tail": leaves("@.", known=True),
            "reference.type": _type_reference,
            "import": _use,
            "import.crate": imports("$name", "", choose("$alias|name", {"_": ""}, "$alias|name")),
            "import.module": _module,
        },
        parameters=definitions.read_parameters,
        header=definitions.read_header,
        docstring=definitions.read_docstring,
        parse=parse_source,
        file_facts=_file_facts,
    )
}
