"""Java's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    LITERAL,
    NAME,
    PARENT,
    RECEIVER,
    RESULT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, by_sign, calls, in_turn, leaves, refers, unless, where
from loregraph.indexer.languages.java.definitions import BOUND, PARAMETER, read_header, read_parameters
from loregraph.indexer.languages.java.expressions import (
    COMMENTS,
    COMPONENT,
    EXPRESSIONS,
    arguments,
    declared_type,
    method,
    name_type,
    written_type,
)
from loregraph.indexer.languages.lowering import child, named_part
from loregraph.indexer.languages.rows import choose, compiled
from loregraph.indexer.languages.spec import LanguageSpec


def _declaration(x: Extraction, node: Node, capture: str) -> None:
    type_ = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is not None:
            declared = declared_type(x, type_, declarator.child_by_field_name("dimensions"))
            x.assign(declarator, (NAME, x.text(name)), x.lower(value), "declare", declared)


_fields = binds("declare", (NAME, f"${COMPONENT}!"), own_type=written_type, each="*")


def _components(x: Extraction, node: Node, capture: str) -> None:
    """The fields that a record's components are."""
    x.scope = len(x.definitions) - 1
    _fields(x, node, capture)


def _constant(x: Extraction, node: Node, capture: str) -> None:
    """An enum constant: an instance that the enum's constructor, or its own body, makes."""
    name = node.child_by_field_name("name")
    if name is None or x.scope < 0:
        return
    body = node.child_by_field_name("body")
    if body is not None:
        # Its definition has been opened already; what stands before its body belongs to the enum.
        function: Expr = x.definition_at(node)
    else:
        function = (NAME, x.definitions[x.scope].name)
    own: Expr = (NAME, x.definitions[x.scope].name)
    value: Expr = (TYPED, own, UNKNOWN)
    if node.child_by_field_name("arguments") is not None or body is not None:
        x.record_call(node, function, arguments(x, node), kind="new")
        value = (RESULT, len(x.calls) - 1)
    # One with a body is of a type of its own: calls of it run its own methods.
    x.assign(node, (NAME, x.text(name)), value, "declare", None if body is not None else own)


def _pattern(x: Extraction, node: Node, capture: str) -> None:
    parts = [c for c in node.named_children if c.type not in COMMENTS and c.type != "modifiers"]
    if len(parts) >= 2 and parts[-1].type == "identifier":
        x.assign(node, (NAME, x.text(parts[-1])), UNKNOWN, "declare", declared_type(x, parts[-2]))


def _call(x: Extraction, node: Node, capture: str) -> None:
    function, given = method(x, node), arguments(x, node)
    if function == (ATTRIBUTE, (NAME, "Class"), "forName") and given and given[0][0] == LITERAL and given[0][2]:
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
            function = (UNION, ((ATTRIBUTE, x.lower(named_part(node)), x.text(type_)), function))
    x.record_call(node, function, arguments(x, node), kind="new")


_PRIMITIVES: Final = "integral_type floating_point_type boolean_type void_type array_type"


def _import(x: Extraction, node: Node, capture: str) -> None:
    kind = "static" if any(c.type == "static" for c in node.children) else ""
    path = child(node, "scoped_identifier", "identifier")
    if path is None:
        return
    module = "".join(x.text(path).split())
    before, _, last = module.rpartition(".")
    if child(node, "asterisk") is not None:
        x.import_(node, module, "*", "", kind)
    else:
        x.import_(node, before if kind else module, last if kind else "", last, kind)


def _file_facts(x: Extraction, root: Node) -> None:
    for part in root.named_children:
        if part.type == "package_declaration":
            name = child(part, "scoped_identifier", "identifier")
            x.package = "".join(x.text(name).split()) if name else ""
        elif part.type == "module_declaration":
            _module(x, part)
        elif part.type not in COMMENTS:
            break


def _module(x: Extraction, node: Node) -> None:
    """`module-info.java`: what the module is called, needs and publishes, as written."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    found: dict[str, list[str]] = {"requires": [], "exports": [], "opens": [], "uses": []}
    for directive in body.named_children if body else ():
        key = directive.type.partition("_")[0]
        target = child(directive, "scoped_identifier", "identifier")
        if key in found and target is not None:
            found[key].append(x.text(target))
    x.extras["module"] = {"name": x.text(name) if name else "", **found}


SPECS = {
    "java": LanguageSpec(
        name="java",
        grammar="java",
        queries=("java/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "method_invocation": "name",
            "object_creation_expression": "type",
            "generic_type": "0",
            "scoped_type_identifier": "-1",
        },
        assigned={"variable_declarator": ("name", "value"), "assignment_expression": ("left", "right")},
        hooks={
            "call": _call,
            "call.new": _new,
            "call.constructor": calls(choose("%constructor", {"super": (PARENT,)}, (RECEIVER,)), arguments),
            "assignment": _declaration,
            "assignment.components": _components,
            "assignment.constant": _constant,
            "assignment.expression": binds(by_sign(), "@left", "@right"),
            "assignment.for": binds("for", (NAME, "$name!"), (ELEMENT, "@value"), type=written_type),
            "assignment.resource": in_turn(
                binds("with", (NAME, "$name!"), "@value", type=written_type),
                calls((ATTRIBUTE, (NAME, "$name!"), "close()"), kind="operator"),
            ),
            "assignment.catch": binds(
                "except", (NAME, "$name!"), (TYPED, "@:catch_type", UNKNOWN), type=compiled("@:catch_type")
            ),
            "assignment.instanceof": where(
                "name",
                binds("declare", (NAME, "$name"), (TYPED, "@right!", "@left"), type="@right"),
                refers(each="right"),
            ),
            "assignment.pattern": _pattern,
            # `T extends Foo & Bar`: within its definition `T` is another name for its bounds.
            "assignment.bound": binds("=", (NAME, f"${PARAMETER}!"), BOUND, last=True, known=True),
            "return.lambda": unless("block", leaves("@.")),
            "reference.type": unless(_PRIMITIVES, refers()),
            "reference.literal": refers(choose("%0", {_PRIMITIVES: UNKNOWN}, "@0"), known=True),
            # The types that `throws` and `permits` list: named by the head of a definition, so used by it.
            "reference.types": refers(each="?:type_list/*", last=True),
            "reference.provides": refers(each="*"),
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
