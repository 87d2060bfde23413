"""C++'s declarations and calls as facts: what they add to C's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, NAME, RECEIVER, RESULT, TYPED, UNKNOWN, Expr
from loregraph.indexer.languages.c.declarators import Declared, declared, declared_type, first
from loregraph.indexer.languages.c.definitions import is_variable
from loregraph.indexer.languages.c.placement import IN_FUNCTION, place_of
from loregraph.indexer.languages.cpp.expressions import CASTS, MAKERS, called_template
from loregraph.indexer.languages.lowering import members
from loregraph.indexer.languages.rows import compiled, text_of
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_CLASS_TYPES: Final = frozenset({"type_identifier", "qualified_identifier", "template_type"})


def declaration(x: Extraction, node: Node, capture: str) -> None:
    """Variables and fields. One of class type is also an instantiation: `Foo x;`, `Foo x(1);`, `Foo x{1};`."""
    type_node = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        shape = declared(declarator)
        if shape.name is None or shape.name.type == "operator_cast":
            continue
        if shape.function is not None:
            if node.type != "declaration" or place_of(x, node)[0].kind != IN_FUNCTION or not is_variable(x, shape):
                continue
            value: Expr = _instantiated(x, declarator, type_node, shape.function.child_by_field_name("parameters"))
            x.assign(declarator, (NAME, x.text(shape.name)), value, "declare", x.lower(type_node))
            continue
        initial = _initial_value(node, declarator)
        type_ = declared_type(x, type_node, shape)
        if _instantiates(x, node, type_node, shape, initial):
            value = _instantiated(x, declarator, type_node, initial)
        else:
            value = x.lower(initial)
        x.assign(declarator, _target(x, shape.name), value, "declare", type_)


def _target(x: Extraction, named: Node) -> Expr:
    pattern = named.type in ("structured_binding_declarator", "qualified_identifier")
    return x.lower(named) if pattern else (NAME, x.text(named))


def _initial_value(node: Node, declarator: Node) -> Node | None:
    if declarator.type == "init_declarator":
        return declarator.child_by_field_name("value")
    following = declarator.next_sibling
    if following is not None and following.type == "=":
        return following.next_sibling
    return following if following is not None and following.type == "initializer_list" else None


def _instantiates(x: Extraction, node: Node, type_node: Node | None, shape: Declared, initial: Node | None) -> bool:
    """Whether a variable's declaration runs a constructor of a class that may be the project's."""
    if node.type != "declaration" or type_node is None or type_node.type not in _CLASS_TYPES:
        return False
    if shape.indirect or shape.array or shape.callback:
        return False
    if initial is not None:
        return initial.type in ("argument_list", "initializer_list")
    if x.text(type_node).startswith(("std::", "::std::")):
        return False
    return not any(c.type == "storage_class_specifier" and x.text(c) == "extern" for c in node.named_children)


def _instantiated(x: Extraction, at: Node, type_node: Node | None, listed: Node | None) -> Expr:
    """Records an instantiation. A parameter in its list is an argument that the grammar took for a type."""
    given = [p.child_by_field_name("type") if p.type == "parameter_declaration" else p for p in parts(x, listed)]
    x.record_call(at, x.lower(type_node), tuple([x.lower(argument) for argument in given]), kind="new")
    return (RESULT, len(x.calls) - 1)


_given = compiled("*arguments")


def call(x: Extraction, node: Node, capture: str) -> None:
    """A call; the casts of the language are none, `make_unique<Foo>()` instantiates Foo."""
    function = node.child_by_field_name("function")
    if function is None or function.type == "primitive_type":
        return
    if function.type in ("template_function", "qualified_identifier"):
        name, type_node = called_template(x, function)
        if name in CASTS:
            return
        if name in MAKERS and type_node is not None:
            x.record_call(node, x.lower(type_node), _given(x, node), kind="new")
            return
    x.record_call(node, x.lower(function), _given(x, node))


def field_initializer(x: Extraction, node: Node, capture: str) -> None:
    """A constructor's `: Base(…), field_{…}`."""
    held = parts(x, node)
    if not held:
        return
    given = tuple([x.lower(a) for a in parts(x, held[-1])]) if len(held) > 1 else ()
    x.record_call(node, x.lower(held[0]), given, kind="new")
    if held[0].type == "field_identifier" and len(given) == 1:
        x.assign(node, (ATTRIBUTE, (RECEIVER,), x.text(held[0])), given[0])


def range_loop(x: Extraction, node: Node, capture: str) -> None:
    shape = declared(node.child_by_field_name("declarator"))
    if shape.name is not None:
        type_ = declared_type(x, node.child_by_field_name("type"), shape)
        x.assign(node, _target(x, shape.name), (ELEMENT, x.lower(node.child_by_field_name("right"))), "for", type_)


def catch(x: Extraction, node: Node, capture: str) -> None:
    caught = first(node.child_by_field_name("parameters"))
    if caught is None:
        return
    shape = declared(caught.child_by_field_name("declarator"))
    type_ = declared_type(x, caught.child_by_field_name("type"), shape)
    if shape.name is not None and type_ is not None:
        x.assign(caught, (NAME, x.text(shape.name)), (TYPED, type_, UNKNOWN), "except")


def alias(x: Extraction, node: Node, capture: str) -> None:
    """`using V = std::vector<int>;` and `namespace fs = std::filesystem;`."""
    named = node.child_by_field_name("name")
    value = node.child_by_field_name("type") or (node.named_children[-1] if node.named_child_count > 1 else None)
    if named is not None and value is not None:
        x.assign(node, (NAME, x.text(named)), _namespace(x, value))


def _namespace(x: Extraction, node: Node) -> Expr:
    if node.type != "nested_namespace_specifier":
        return x.lower(node)
    return members([part.strip() for part in x.text(node).strip(":").split("::")])


def using(x: Extraction, node: Node, capture: str) -> None:
    """`using a::f;` binds f; `using namespace a;` lets all of a's names be seen; `using enum E;` E's."""
    named = node.named_children[-1] if node.named_child_count else None
    if named is None:
        return
    words = {c.type for c in node.children}
    if "namespace" in words or "enum" in words:
        x.import_(node, "::".join(x.text(named).strip(":").split("::")), name="*", kind="using")
        return
    value = x.lower(named)
    if value[0] == ATTRIBUTE and x.scope >= -1:
        x.assign(node, (NAME, value[2]), value)


_header, _name, _partition = text_of("header"), text_of("name"), text_of("partition")


def module(x: Extraction, node: Node, capture: str) -> None:
    """`import foo.bar;`, `import <vector>;`."""
    header, name = _header(x, node), _name(x, node) + _partition(x, node)
    if header:
        x.import_(node, header, kind="include")
    elif name:
        x.import_(node, name, name="*", kind="module")
