"""The signatures of Dart's functions, and what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import Expr, Parameter
from loregraph.indexer.languages.dart.expressions import read_run
from loregraph.indexer.languages.dart.types import typed
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import child

if TYPE_CHECKING:
    from tree_sitter import Node

CONSTRUCTORS = frozenset(
    {
        "constructor_signature", "constant_constructor_signature", "factory_constructor_signature",
        "redirecting_factory_constructor_signature",
    }
)  # fmt: skip
SIGNATURES = CONSTRUCTORS | {"function_signature", "getter_signature", "setter_signature", "operator_signature"}


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    holder = node if node.type in SIGNATURES else child(node, *SIGNATURES) or node
    listed = child(holder, "formal_parameter_list")
    found: list[Parameter] = []
    for part in listed.children if listed is not None else ():
        if part.type == "formal_parameter":
            found.append(_parameter(x, part, "", None))
        elif part.type == "optional_formal_parameters":
            found += _optional(x, part)
    return tuple(found)


def _optional(x: Extraction, node: Node) -> list[Parameter]:
    """`{named}` and `[positional]` parameters: defaults are siblings of what they belong to."""
    kind = "kw" if any(c.type == "{" for c in node.children) else ""
    found: list[Parameter] = []
    required = False
    children = node.children
    for number, part in enumerate(children):
        if part.type == "required":
            required = True
        elif part.type == "formal_parameter":
            found.append(_parameter(x, part, kind, None if required else ("k", "none", "")))
            required = False
        elif part.type in ("=", ":") and found:
            end = next((i for i in range(number, len(children)) if children[i].type in (",", "}", "]")), len(children))
            one = found[-1]
            found[-1] = Parameter(one.name, one.type, read_run(x, children[number + 1 : end]), kind)
    return found


def _parameter(x: Extraction, node: Node, kind: str, default: Expr | None) -> Parameter:
    held = child(node, "constructor_param", "super_formal_parameter") or node
    name = held.child_by_field_name("name") or child(held, "identifier")
    function = child(held, "formal_parameter_list") is not None  # `void f(int x)`
    type_ = None if function else typed(x, held.children)
    return Parameter(x.text(name) if name is not None else "", type_, default, kind)
