"""Java's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import ELEMENT, NAME, TYPED, UNKNOWN
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, by_sign
from loregraph.indexer.languages.java.bindings import (
    assign_bound,
    assign_components,
    assign_constant,
    assign_declaration,
    assign_instanceof,
    assign_pattern,
    assign_resource,
)
from loregraph.indexer.languages.java.definitions import read_header, read_parameters
from loregraph.indexer.languages.java.expressions import (
    COMMENTS,
    EXPRESSIONS,
    arguments,
    method,
    name_type,
    written_type,
)
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.rows import compiled
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node


def _call(x: Extraction, node: Node, capture: str) -> None:
    function, given = method(x, node), arguments(x, node)
    if function == ("a", ("n", "Class"), "forName") and given and given[0][0] == "k" and given[0][2]:
        named = given[0][2].replace("$", ".")
        if _QUALIFIED.fullmatch(named):
            name_type(x, node, named)
    x.record_call(node, function, given)


_QUALIFIED = re.compile(r"[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+){1,20}")


def _new(x: Extraction, node: Node, capture: str) -> None:
    body = named_part(node, -1)
    if body is not None and body.type == "class_body":
        function = x.definition_at(body)
    else:
        function = x.lower(node.child_by_field_name("type"))
        type_ = node.child_by_field_name("type")
        if node.children[0].type != "new" and type_ is not None and type_.type == "type_identifier":
            # `outer.new Inner()`: the type is a member of what `outer` is.
            function = ("u", (("a", x.lower(named_part(node)), x.text(type_)), function))
    x.record_call(node, function, arguments(x, node), kind="new")


def _constructor(x: Extraction, node: Node, capture: str) -> None:
    """`super(…)` and `this(…)`."""
    called = node.child_by_field_name("constructor")
    x.record_call(node, ("p",) if called is not None and called.type == "super" else ("v",), arguments(x, node))


def _lambda_value(x: Extraction, node: Node, capture: str) -> None:
    if node.type != "block":
        x.leave(node, x.lower(node))


_PRIMITIVES = frozenset({"integral_type", "floating_point_type", "boolean_type", "void_type", "array_type"})


def _type_reference(x: Extraction, node: Node, capture: str) -> None:
    if node.type not in _PRIMITIVES:
        x.refer(node, x.lower(node), "type")


def _class_literal(x: Extraction, node: Node, capture: str) -> None:
    type_ = named_part(node)
    if type_ is not None and type_.type not in _PRIMITIVES:
        x.refer(node, x.lower(type_), "type")


def _types(x: Extraction, node: Node, capture: str) -> None:
    """The types that `throws` and `permits` list: named by the head of a definition, so used by it."""
    x.scope = len(x.definitions) - 1
    listed = node.named_children
    if len(listed) == 1 and listed[0].type == "type_list":
        listed = listed[0].named_children
    for type_ in listed:
        if type_.type not in COMMENTS:
            x.refer(type_, x.lower(type_), "type")


def _provides(x: Extraction, node: Node, capture: str) -> None:
    for child in node.named_children:
        if child.type not in COMMENTS:
            x.refer(child, x.lower(child), "type")


def _import(x: Extraction, node: Node, capture: str) -> None:
    kind = "static" if any(c.type == "static" for c in node.children) else ""
    path = next((c for c in node.named_children if c.type in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    module = "".join(x.text(path).split())
    if any(c.type == "asterisk" for c in node.children):
        x.import_(node, module, "*", "", kind)
    elif kind:
        module, _, name = module.rpartition(".")
        x.import_(node, module, name, name, kind)
    else:
        x.import_(node, module, "", module.rpartition(".")[2], kind)


def _file_facts(x: Extraction, root: Node) -> None:
    for child in root.named_children:
        if child.type == "package_declaration":
            name = next((c for c in child.named_children if c.type in ("scoped_identifier", "identifier")), None)
            x.package = "".join(x.text(name).split()) if name else ""
        elif child.type == "module_declaration":
            _module(x, child)
        elif child.type not in COMMENTS:
            break


def _module(x: Extraction, node: Node) -> None:
    """`module-info.java`: what the module is called, needs and publishes, as written."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    found: dict[str, list[str]] = {"requires": [], "exports": [], "opens": [], "uses": []}
    for directive in body.named_children if body else ():
        key = directive.type.partition("_")[0]
        target = next((c for c in directive.named_children if c.type in ("scoped_identifier", "identifier")), None)
        if key in found and target is not None:
            found[key].append(x.text(target))
    x.extras["module"] = {"name": x.text(name) if name else "", **found}


SPECS = {
    "java": LanguageSpec(
        name="java",
        grammar="java",
        queries=("java/query.scm",),
        expressions=EXPRESSIONS,
        assigned={"variable_declarator": ("name", "value"), "assignment_expression": ("left", "right")},
        hooks={
            "call": _call,
            "call.new": _new,
            "call.constructor": _constructor,
            "assignment": assign_declaration,
            "assignment.components": assign_components,
            "assignment.constant": assign_constant,
            "assignment.expression": binds(by_sign(), "@left", "@right"),
            "assignment.for": binds("for", (NAME, "$name!"), (ELEMENT, "@value"), type=written_type),
            "assignment.resource": assign_resource,
            "assignment.catch": binds(
                "except", (NAME, "$name!"), (TYPED, "@:catch_type", UNKNOWN), type=compiled("@:catch_type")
            ),
            "assignment.instanceof": assign_instanceof,
            "assignment.pattern": assign_pattern,
            "assignment.bound": assign_bound,
            "return.lambda": _lambda_value,
            "reference.type": _type_reference,
            "reference.literal": _class_literal,
            "reference.types": _types,
            "reference.provides": _provides,
            "import": _import,
        },
        return_type_field="type",
        parameters=read_parameters,
        header=read_header,
        comments=COMMENTS,
        documentation_marks=("/**", "///"),
        file_facts=_file_facts,
    )
}
