"""The parameters of Scala's functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Parameter
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.scala.definitions import PLACEHOLDERS, implicit_class
from loregraph.indexer.languages.scala.types import declared_type

if TYPE_CHECKING:
    from tree_sitter import Node


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of all lists; those that are given implicitly need not be passed."""
    if node.type == "lambda_expression":
        return _lambda_parameters(x, node.child_by_field_name("parameters"))
    if node.type == "case_block":
        return (Parameter("case"),)
    if node.type == "colon_argument":
        return _lambda_parameters(x, node.child_by_field_name("lambda_start"))
    if node.type in PLACEHOLDERS:
        return (Parameter("_"),)
    found: list[Parameter] = []
    around = node.parent
    if around is not None and around.type == "extension_definition":
        found += _listed(x, around)
        if found:
            found[0] = Parameter(found[0].name, found[0].type, None, "this")
    else:
        holder = implicit_class(x, node)
        listed = holder.child_by_field_name("class_parameters") if holder is not None else None
        first = next((c for c in parts(listed) if c.type == "class_parameter"), None)
        if first is not None:
            found.append(Parameter("", declared_type(x, first), None, "this"))
    return (*found, *_listed(x, node))


def _listed(x: Extraction, node: Node) -> list[Parameter]:
    found: list[Parameter] = []
    for listed in node.children_by_field_name("parameters"):
        if listed.type != "parameters":
            continue
        given = any(c.type in ("implicit", "using") for c in listed.children)
        for part in parts(listed):
            if part.type != "parameter":
                if given:  # `(using Context)`
                    found.append(Parameter("", x.lower(part), UNKNOWN))
                continue
            type_ = part.child_by_field_name("type")
            rest = type_ is not None and type_.type == "repeated_parameter_type"
            default = part.child_by_field_name("default_value")
            value = x.lower(default) if default is not None else (UNKNOWN if given else None)
            lowered = x.lower(type_) if type_ is not None else None
            found.append(Parameter(plain(x, part.child_by_field_name("name")), lowered, value, "*" if rest else ""))
    return found


def _lambda_parameters(x: Extraction, node: Node | None) -> tuple[Parameter, ...]:
    if node is None:
        return ()
    if node.type in ("identifier", "wildcard"):
        return (Parameter(plain(x, node)),)
    return tuple(
        Parameter(plain(x, part.child_by_field_name("name")), declared_type(x, part))
        for part in parts(node)
        if part.type == "binding"
    )
