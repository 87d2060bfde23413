"""Declarators inside out: what a declaration names (`a::b<T>::f`, `operator bool`, `~Foo`), and what its type comes to.

C writes a type around the name: in `int *(*f[3])(void)` the name stands innermost. What resolution wants of a type is
what the thing holds: qualifiers, pointers and references are taken off, an array of `T` is `(SUBSCRIPT, ARRAY, T)`, a
pointer to a function has no type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from loregraph.indexer.facts import NAME, SUBSCRIPT, UNKNOWN, Expr, Parameter

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

ARRAY: Final[Expr] = (NAME, "[]")
"""The generic type of `T[]`."""

NAMES: Final = frozenset(
    (
        "identifier field_identifier type_identifier primitive_type qualified_identifier operator_name operator_cast "
        "destructor_name template_function template_method structured_binding_declarator"
    ).split()
)
_POINTERS: Final = frozenset({"pointer_declarator", "reference_declarator", "pointer_type_declarator"})
_PARAMETERS: Final = frozenset(
    (
        "parameter_declaration optional_parameter_declaration variadic_parameter_declaration "
        "explicit_object_parameter_declaration"
    ).split()
)


class Declared(NamedTuple):
    """What a declarator declares. `function` is its `function_declarator` where it declares a function; `callback`
    says that it is a pointer to one, or an array of those."""

    name: Node | None
    function: Node | None
    callback: bool
    array: bool
    indirect: bool


def first(node: Node | None) -> Node | None:
    """The first named child that is no comment."""
    return next((c for c in node.named_children if c.type != "comment"), None) if node is not None else None


def declared(node: Node | None) -> Declared:
    """Reads a declarator from the outside in: the last wrapper before the name says what is declared."""
    function: Node | None = None
    callable_ = array = indirect = False
    while node is not None and node.type not in NAMES:
        kind = node.type
        if kind == "function_declarator":
            function = node
            callable_ = True
        elif kind in _POINTERS:
            function = None
            indirect = True
        elif kind == "array_declarator":
            function = None
            array = True
        node = node.child_by_field_name("declarator") or _innermost(node)
    return Declared(node, function, callable_ and function is None, array, indirect)


def _innermost(node: Node) -> Node | None:
    held = reversed(node.named_children)
    return next((child for child in held if child.type in NAMES or child.type.endswith("declarator")), None)


def declared_type(x: Extraction, type_node: Node | None, shape: Declared) -> Expr | None:
    """The type of what is declared; None where it says nothing (`auto`, a pointer to a function)."""
    if type_node is None or shape.callback:
        return None
    type_ = x.lower(type_node)
    if type_ == UNKNOWN:
        return None
    return (SUBSCRIPT, ARRAY, type_) if shape.array else type_


def returned_type(x: Extraction, node: Node, function: Node) -> Expr | None:
    """The declared return type of the function whose declaration is `node` and whose declarator is `function`."""
    for child in reversed(function.named_children):
        if child.type == "trailing_return_type":
            return x.lower(first(child))
    type_node = node.child_by_field_name("type")
    outer = node.child_by_field_name("declarator")
    while outer is not None and outer.id != function.id:
        if outer.type == "function_declarator":
            return None  # it returns a pointer to a function
        outer = outer.child_by_field_name("declarator") or _innermost(outer)
    type_ = x.lower(type_node)
    return None if type_ == UNKNOWN else type_


def listed_parameters(x: Extraction, listed: Node | None, declarations: list[Node]) -> tuple[Parameter, ...]:
    """The parameters of a `parameter_list`. `declarations` are K&R's, between the list and the body."""
    if listed is None:
        return ()
    found: list[Parameter] = []
    for child in listed.named_children:
        kind = child.type
        if kind in _PARAMETERS:
            shape = declared(child.child_by_field_name("declarator"))
            type_ = declared_type(x, child.child_by_field_name("type"), shape)
            name = x.text(shape.name) if shape.name is not None and not shape.name.type.endswith("declarator") else ""
            if not name and type_ == (NAME, "void"):
                continue
            default = child.child_by_field_name("default_value")
            rest = "*" if kind == "variadic_parameter_declaration" else "this" if kind.startswith("explicit") else ""
            found.append(Parameter(name, type_, x.lower(default) if default else None, rest))
        elif kind == "identifier":
            name = x.text(child)
            found.append(Parameter(name, _old_style_type(x, name, declarations)))
    if any(c.type in ("variadic_parameter", "...") for c in listed.children):
        found.append(Parameter("", kind="*"))
    return tuple(found)


def _old_style_type(x: Extraction, name: str, declarations: list[Node]) -> Expr | None:
    for declaration in declarations:
        for declarator in declaration.children_by_field_name("declarator"):
            shape = declared(declarator)
            if shape.name is not None and x.text(shape.name) == name:
                return declared_type(x, declaration.child_by_field_name("type"), shape)
    return None


# Names


def name_path(x: Extraction, node: Node) -> tuple[str, ...]:
    """`a::b<T>::f` as `("a", "b", "f")`."""
    parts: list[str] = []
    current: Node | None = node
    while current is not None and current.type == "qualified_identifier":
        scope = current.child_by_field_name("scope")
        if scope is not None:
            parts.append(plain_name(x, scope))
        current = current.child_by_field_name("name")
    parts.append(plain_name(x, current) if current is not None else "")
    return tuple(parts)


_WORDS: Final = frozenset({"identifier", "field_identifier", "type_identifier", "namespace_identifier"})
_SPACE = re.compile(r"\s+")
_TIGHT = re.compile(r"\s+(?=\W)|(?<=\W)\s+")


def plain_name(x: Extraction, node: Node) -> str:
    """A name without template arguments: `operator+`, `operator bool`, `operator new[]`, `~Foo`, `Foo`."""
    if node.type in _WORDS:
        return x.text(node)
    while node.type in ("template_type", "template_function", "template_method", "dependent_name", "dependent_type"):
        named = node.child_by_field_name("name") or first(node)
        if named is None:
            break
        node = named
    if node.type == "operator_cast":
        type_node = node.child_by_field_name("type")
        text = x.folded(type_node, 80) if type_node is not None else ""
        shape = node.child_by_field_name("declarator")
        while shape is not None and shape.type.startswith("abstract_") and shape.type != "abstract_function_declarator":
            text += "&" if "reference" in shape.type else "*"
            shape = shape.child_by_field_name("declarator") or first(shape)
        return f"operator {text}"
    return _TIGHT.sub("", _SPACE.sub(" ", x.text(node).strip()))


_NAMESPACE = re.compile(rb"\bnamespace\s++(?:inline\s++)?([A-Za-z_][\w:\s]{0,400}+)[{;=]")


def namespaces(x: Extraction) -> frozenset[str]:
    """Names that this file uses as namespaces."""
    known: frozenset[str] | None = x.memo.get("namespaces")
    if known is None:
        names = (part for m in _NAMESPACE.finditer(x.source) for part in m[1].decode("utf-8", "replace").split("::"))
        known = x.memo["namespaces"] = frozenset(name.strip() for name in names)
    return known


def template_parameters(x: Extraction, node: Node) -> tuple[str, ...]:
    """Names of the parameters of the template that `node` is the body of."""
    around = node.parent
    if around is None or around.type != "template_declaration":
        return ()
    listed = around.child_by_field_name("parameters")
    found = []
    for child in listed.named_children if listed is not None else ():
        named = child.child_by_field_name("name") or declared(child.child_by_field_name("declarator")).name
        if named is None and child.named_child_count:
            last = child.named_children[-1]
            named = last if last.type == "type_identifier" else None
        if named is not None:
            found.append(x.text(named))
    return tuple(found)
