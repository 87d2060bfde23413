"""Scala's row: how its syntax becomes facts."""

from __future__ import annotations

import re

from tree_sitter import Node

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.parsing import blanked, clearer, parse
from loregraph.indexer.languages.scala.definitions import read_docstring, read_header, read_parameters
from loregraph.indexer.languages.scala.expressions import COMMENTS, EXPRESSIONS
from loregraph.indexer.languages.scala.hooks import HOOKS
from loregraph.indexer.languages.spec import LanguageSpec

_TYPED_LAMBDA = re.compile(rb"(?<=[{(])(\s*(?:implicit\s+)?\w+)(\s*:\s*[\w.\[\], #]+?)(?=\s*=>)")


def _parse(x: Extraction) -> Node | None:
    """The tree. The grammar does not know all types that a block's parameter is given (`{ x: a.B => … }`): where there
    are errors, a text without them is tried."""
    root = parse(x.spec.grammar, x.source)
    if root is None or not root.has_error:
        return root
    source = _TYPED_LAMBDA.sub(lambda match: match[1] + blanked(match[2]), x.source)
    return clearer(x.spec.grammar, root, source) if source != x.source else root


def _import(x: Extraction, node: Node, capture: str) -> None:
    """`import a.b.{C, D => E, _}`; several may stand behind one `import`."""
    path: list[str] = []
    for child in node.children:
        if child.type == ",":
            _plain_import(x, node, path)
            path = []
        elif child.type in ("identifier", "operator_identifier"):
            path.append(plain(x, child))
        elif child.type == "stable_identifier":
            path += [plain(x, part) for part in parts(child)]
        elif child.type == "namespace_wildcard":
            if x.text(child) != "given":
                x.import_(child, ".".join(path), "*")
            path = []
        elif child.type == "as_renamed_identifier":
            _selector(x, child, path)
            path = []
        elif child.type == "namespace_selectors":
            for selector in parts(child):
                _selector(x, selector, path)
            path = []
    _plain_import(x, node, path)


def _plain_import(x: Extraction, node: Node, path: list[str]) -> None:
    if path:
        x.import_(node, ".".join(path), "", path[-1])


def _selector(x: Extraction, node: Node, path: list[str]) -> None:
    module = ".".join(path)
    if node.type in ("identifier", "operator_identifier", "type_identifier"):
        text = plain(x, node)
        x.import_(node, f"{module}.{text}" if module else text, "", text)
    elif node.type in ("arrow_renamed_identifier", "as_renamed_identifier"):
        text, alias = plain(x, node.child_by_field_name("name")), node.child_by_field_name("alias")
        if alias is not None and alias.type != "wildcard":
            x.import_(node, f"{module}.{text}" if module else text, "", plain(x, alias))
    elif node.type in ("namespace_wildcard", "wildcard") and x.text(node) != "given":
        x.import_(node, module, "*")


def _file_facts(x: Extraction, root: Node) -> None:
    """The package: clauses in a row nest, and what stands in the outer ones is seen as well. The members of a package
    object are those of its package."""
    path: list[str] = []
    more: list[str] = []
    stack = [(part, "") for part in reversed(root.named_children)]
    while stack:
        part, around = stack.pop()
        if part.type == "package_clause":
            named = [plain(x, c) for c in parts(part.child_by_field_name("name"))]
            body = part.child_by_field_name("body")
            if body is None:
                if path:
                    x.import_(part, ".".join(path), "*")
                path += named
            else:
                inside = ".".join([*path, *([around] if around else []), *named])
                more.append(inside)
                stack += [(c, inside) for c in reversed(body.named_children) if c.type == "package_clause"]
        elif part.type == "package_object":
            name = plain(x, part.child_by_field_name("name"))
            more.append(".".join([*path, name]))
    x.package = ".".join(path)
    if more:
        alone = [part for part in root.named_children if part.type.endswith("_definition")]
        if not alone and len(more) == 1:
            if x.package:
                x.import_(root, x.package, "*")
            x.package = more[0]
        else:
            x.extras["packages"] = more


SPECS = {
    "scala": LanguageSpec(
        name="scala",
        grammar="scala",
        queries=("scala/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call_expression": "function",
            "field_expression": "field",
            "generic_function": "function",
            "infix_expression": "operator",
        },
        assigned={
            "val_definition": ("pattern", "value"),
            "var_definition": ("pattern", "value"),
            "assignment_expression": ("left", "right"),
        },
        hooks={**HOOKS, "import": _import},
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        documentation_marks=("/**",),
        annotations=frozenset({"annotation"}),
        trailing_comments=(b"//", b"*/"),
        header_scope="inner",
        parse=_parse,
        file_facts=_file_facts,
    )
}
