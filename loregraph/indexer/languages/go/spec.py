"""Go's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.go.bindings import (
    assign_alias,
    assign_case,
    assign_constants,
    assign_constraints,
    assign_literal,
    assign_members,
    assign_range,
    assign_receive,
    assign_results,
    assign_short,
    assign_switch,
    assign_values,
    assign_variables,
)
from loregraph.indexer.languages.go.definitions import read_docstring, read_header, read_parameters, without_directives
from loregraph.indexer.languages.go.expressions import (
    EXPRESSIONS,
    as_one,
    is_pointer_conversion,
    listed,
)
from loregraph.indexer.languages.lowering import inner
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_VERSION = re.compile(r"v\d+")


_VERSION_SUFFIX = re.compile(r"\.v\d+$")


def _call(x: Extraction, node: Node, capture: str) -> None:
    function, listed_arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if is_pointer_conversion(function):
        return
    arguments = [c for c in listed_arguments.named_children if c.type != "comment"] if listed_arguments else []
    x.record_call(node, x.lower(function), tuple(x.lower(a) for a in arguments))


def _instantiation(x: Extraction, node: Node, capture: str) -> None:
    """`F[int](v)`: a call or a conversion, with its type arguments written."""
    operand = node.child_by_field_name("operand")
    x.record_call(node, x.lower(node.child_by_field_name("type")), (x.lower(operand),) if operand else ())


def _return(x: Extraction, node: Node, capture: str) -> None:
    value = next((c for c in node.named_children if c.type != "comment"), None)
    if value is not None:
        x.leave(node, as_one(listed(x, value)))


def _type_reference(x: Extraction, node: Node, capture: str) -> None:
    x.refer(node, x.lower(node), "type")


def _import(x: Extraction, node: Node, capture: str) -> None:
    path, alias = node.child_by_field_name("path"), node.child_by_field_name("name")
    if path is None:
        return
    module = x.text(path).strip('"`')
    if alias is None:
        x.import_(node, module, alias=package_name(module))
    elif alias.type == "dot":
        x.import_(node, module, "*")
    else:
        x.import_(node, module, alias="" if alias.type == "blank_identifier" else x.text(alias))


def package_name(module: str) -> str:
    """The name that a package most likely has, from its import path: `gopkg.in/yaml.v3` is `yaml`."""
    parts = module.split("/")
    last = parts[-1]
    if len(parts) > 1 and _VERSION.fullmatch(last):
        last = parts[-2]
    last = _VERSION_SUFFIX.sub("", last)
    last = last.removeprefix("go-").removesuffix("-go").removesuffix(".go")
    return last.replace("-", "_").replace(".", "_")


def _file_facts(x: Extraction, root: Node) -> None:
    for child in root.named_children:
        if child.type == "comment":
            text = x.text(child)
            if text.startswith("//go:build "):
                x.extras["build"] = text[len("//go:build ") :].strip()
        elif child.type == "package_clause":
            x.package = inner(x, child)[1] if child.named_child_count else ""
            x.docstring = without_directives(comment_above(x, child))
            break
        else:
            break


SPECS = {
    "go": LanguageSpec(
        name="go",
        grammar="go",
        queries=("go/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call_expression": "function",
            "selector_expression": "field",
            "index_expression": "operand",
            "type_instantiation_expression": "type",
        },
        assigned={
            "var_spec": ("name", "value"),
            "short_var_declaration": ("left", "right"),
            "assignment_statement": ("left", "right"),
        },
        hooks={
            "call": _call,
            "call.instantiation": _instantiation,
            "assignment": assign_values,
            "assignment.members": assign_members,
            "assignment.alias": assign_alias,
            "assignment.constraints": assign_constraints,
            "assignment.results": assign_results,
            "assignment.constants": assign_constants,
            "assignment.variables": assign_variables,
            "assignment.short": assign_short,
            "assignment.range": assign_range,
            "assignment.receive": assign_receive,
            "assignment.switch": assign_switch,
            "assignment.case": assign_case,
            "assignment.literal": assign_literal,
            "return": _return,
            "reference.type": _type_reference,
            "import": _import,
        },
        return_type_field="result",
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=frozenset({"comment"}),
        file_facts=_file_facts,
    )
}
