"""Headers of the functions, macros, types and namespaces of C and C++.

A declaration without a body announces what is defined elsewhere: a prototype, a method in its class, `= default` and
`= delete`. It has the flags "declaration" and "prototype", has no node and takes no number of its name; only a pure
virtual function ("declaration", "abstract") is the definition of something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import Parameter
from loregraph.indexer.languages.c.declarators import (
    Declared,
    declared,
    first,
    listed_parameters,
    name_path,
    namespaces,
    returned_type,
    template_parameters,
)
from loregraph.indexer.languages.c.language import TESTS
from loregraph.indexer.languages.c.macro_functions import NAMED_BY_MACRO, name_by_macro, named_by_call, named_by_type
from loregraph.indexer.languages.c.placement import IN_FILE, IN_FUNCTION, IN_TYPE, Place, body_place, is_pure, place_of
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_SIGNATURE, Header
from loregraph.indexer.languages.heads import bases, head_text, texts
from loregraph.indexer.languages.lowering import members
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.rows import text_of
from loregraph.indexer.languages.selectors import one

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_AROUND: Final = frozenset(
    {"pointer_declarator", "reference_declarator", "parenthesized_declarator", "init_declarator"}
)
TRANSPARENT: Final = frozenset(
    {"type_definition", "template_declaration", "export_declaration", "linkage_specification"}
)
_DOCUMENTED: Final = TRANSPARENT | _AROUND | {"declaration", "field_declaration", "friend_declaration"}


_name = text_of("name")
_bases = bases(EXTENDS=":base_class_clause/^access_specifier,virtual,attribute_declaration")


def header(x: Extraction, node: Node, kind: str) -> Header | None:
    """The header of any definition of C or C++."""
    if kind == "function":
        return _function(x, node)
    if kind == "macro":
        end = (node.child_by_field_name("parameters") or node).end_byte
        return Header(_name(x, node), signature=head_text(x, node.start_byte, end, signs=""))
    if kind == "lambda":
        return Header()
    if kind == "namespace":
        return _namespace(x, node)
    return _type(x, node, kind)


# Types and namespaces


def _type(x: Extraction, node: Node, kind: str) -> Header | None:
    named = node.child_by_field_name("name")
    around = node.parent
    signature = None
    owners: tuple[str, ...] = ()
    if named is not None:
        *owners_, name = name_path(x, named)
        owners = tuple(owners_)
    elif around is not None and around.type == "type_definition":
        shape = declared(around.child_by_field_name("declarator"))
        name = x.text(shape.name) if shape.name is not None else ""
        signature = f"typedef {kind} {name}"
    elif kind == "enum" or (around is not None and around.child_by_field_name("declarator") is None):
        # Its constants, or members, are those of what is around it.
        return None
    else:
        name = ""
    place, child = place_of(x, node)
    found = Header(name=name, signature=signature)
    flags = []
    body = node.child_by_field_name("body")
    if body is not None and body.type == "field_declaration_list" and body_place(x, body).abstract:
        flags.append("abstract")
    if place.kind == IN_TYPE and place.access.get(child.id, "public") != "public":
        flags.append("private")
    elif not place.hidden:
        flags.append("exported")
    found.flags = tuple(flags)
    if owners:
        found.owner_name = ".".join(owners)
    found.type_parameters = template_parameters(x, node)
    found.bases = _bases(x, node)
    return found


def _namespace(x: Extraction, node: Node) -> Header | None:
    named = node.child_by_field_name("name")
    if named is None or any(c.type == "inline" for c in node.children):
        return None  # what it holds belongs to the namespace around it
    return Header(name=".".join(part.strip() for part in x.text(named).replace("inline ", "").split("::")))


# Functions


def _function(x: Extraction, node: Node) -> Header | None:
    if node.type == "compound_statement":
        return named_by_call(x, node)
    if node.type == "function_definition":
        around, declarator = node, node.child_by_field_name("declarator")
    else:
        around, declarator = node, node
        while around.parent is not None and around.type not in ("declaration", "field_declaration"):
            around = around.parent
    shape = declared(declarator)
    if shape.name is None or not _declares_function(shape):
        return named_by_type(x, node) if node.type == "function_definition" else None
    place, child = place_of(x, around)
    if around is node and place.kind == IN_FUNCTION and node.child_by_field_name("type") is None:
        return None  # `MACRO(x) {…}`: no function stands within another without its type
    declared_in_function = around is not node and place.kind == IN_FUNCTION
    if (around is not node and child.type == "friend_declaration") or (declared_in_function and is_variable(x, shape)):
        return None
    path = _conversion_path(x, around, shape.name) or name_path(x, shape.name)
    found = Header(name=path[-1])
    if around is node and place.kind == IN_FILE and node.child_by_field_name("type") is None and len(path) == 1:
        name_by_macro(x, node, shape, found)
    flags = _function_flags(x, around, shape, place, child, found)
    if len(path) > 1:
        _own(x, found, path[:-1])
    elif place.kind == IN_TYPE and child.type != "friend_declaration":
        found.kind = found.kind or _member_kind(x, place, found.name)
    found.flags = tuple(flags)
    if shape.function is not None:
        found.returns = returned_type(x, around, shape.function)
    found.type_parameters = template_parameters(x, around)
    found.signature = _signature(x, around)
    if around is not node:
        found.outer = around
    return found


def _conversion_path(x: Extraction, around: Node, named: Node) -> tuple[str, ...]:
    """`Foo::operator bool` where the grammar reads `Foo::operator` as the return type; else nothing."""
    type_node = around.child_by_field_name("type")
    if type_node is None or type_node.type != "qualified_identifier":
        return ()
    path = name_path(x, type_node)
    return (*path[:-1], f"operator {x.text(named)}") if path[-1] == "operator" else ()


def _declares_function(shape: Declared) -> bool:
    if shape.function is not None:
        return True
    named = shape.name
    while named is not None and named.type == "qualified_identifier":
        named = named.child_by_field_name("name")
    return named is not None and named.type == "operator_cast"


def is_variable(x: Extraction, shape: Declared) -> bool:
    """Whether `T x(a, b);` in a function, which reads like a prototype, makes a variable: in C++, where each of the
    parameters is a bare name."""
    if x.spec.name in ("c", "objc") or shape.function is None:
        return False
    listed = shape.function.child_by_field_name("parameters")
    return (
        listed is not None
        and listed.named_child_count > 0
        and all(
            c.type == "parameter_declaration"
            and c.child_by_field_name("declarator") is None
            and c.named_child_count == 1
            and (first(c) or c).type in ("type_identifier", "qualified_identifier")
            for c in listed.named_children
        )
    )


def _member_kind(x: Extraction, place: Place, name: str) -> str:
    if place.type_node is not None:
        named = place.type_node.child_by_field_name("name")
        if named is not None and name_path(x, named)[-1] == name:
            return "constructor"
    return "method"


def _own(x: Extraction, found: Header, owners: tuple[str, ...]) -> None:
    """Names a definition that stands outside its type or namespace."""
    found.owner_name = ".".join(owners)
    if owners[-1] in namespaces(x):
        return  # a namespace of this file: no type owns it
    found.owner = members(owners, MAX_EXPRESSION_DEPTH - 1)
    found.kind = found.kind or ("constructor" if owners[-1] == found.name else "method")


def _function_flags(
    x: Extraction, around: Node, shape: Declared, place: Place, child: Node, found: Header
) -> dict[str, None]:
    flags: dict[str, None] = dict.fromkeys(found.flags)
    access = place.access.get(child.id, "public")
    for part in around.children:
        kind = part.type
        if kind == "storage_class_specifier":
            if x.text(part) == "static":
                flags["static"] = None
        elif kind == "virtual":
            flags["virtual"] = None
        elif kind.endswith("declarator"):
            break
    if shape.function is not None:
        for part in shape.function.named_children:
            if part.type == "virtual_specifier":
                flags[x.text(part)] = None
    if around.child_by_field_name("body") is None and not any(c.type == "try_statement" for c in around.named_children):
        flags["declaration"] = None
        flags["abstract" if place.kind == IN_TYPE and is_pure(x, around) else "prototype"] = None
    if place.kind == IN_TYPE and access != "public":
        flags["private"] = None
    elif not place.hidden and not ("static" in flags and place.kind == IN_FILE):
        flags["exported"] = None
    if "test" not in flags and found.name.startswith(TESTS.prefixes) and is_test_path(x.path, x.spec.name):
        flags["test"] = None
    return flags


def _signature(x: Extraction, around: Node) -> str:
    end = around.end_byte
    for part in around.named_children:
        if part.type in ("field_initializer_list", "compound_statement", "try_statement", "default_method_clause",
                         "delete_method_clause", "pure_virtual_clause"):  # fmt: skip
            end = part.start_byte
            break
    start = around.start_byte
    text = x.source[start : min(end, start + 4 * MAX_SIGNATURE)].decode("utf-8", "ignore")
    return _SPACE.sub(" ", _COMMENT.sub(" ", text)).strip().rstrip(";:").strip()[:MAX_SIGNATURE]


_macro_parameters = texts("parameters/*")
_lambda_parameters = one("declarator/parameters")


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a function, prototype, lambda or macro."""
    kind = node.type
    if kind == "preproc_function_def":
        return tuple([Parameter(name) for name in _macro_parameters(x, node)])
    if kind == "lambda_expression":
        return listed_parameters(x, _lambda_parameters(x, node), [])
    if kind == "compound_statement":
        return ()
    function = declared(node.child_by_field_name("declarator") if kind == "function_definition" else node).function
    if function is None or node.id in x.memo.get(NAMED_BY_MACRO, ()):
        return ()
    old_style = [c for c in node.named_children if c.type == "declaration"] if kind == "function_definition" else []
    return listed_parameters(x, function.child_by_field_name("parameters"), old_style)


def docstring(x: Extraction, node: Node) -> str:
    """The comment above a definition, or above what it stands in as its declaration."""
    around = node
    while around.parent is not None and around.parent.type in _DOCUMENTED:
        around = around.parent
    if node.type == "compound_statement" and node.prev_named_sibling is not None:
        around = node.prev_named_sibling
    return comment_above(x, around)
