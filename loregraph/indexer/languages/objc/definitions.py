"""Classes, protocols, categories and methods of Objective-C.

A class is written in parts: what its header declares, an extension and the implementation in another file, categories
anywhere. Parts in one file are one definition, which has the lines of the implementation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import NAME, UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages.c import definitions as c
from loregraph.indexer.languages.c.declarators import declared, listed_parameters
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import head_text
from loregraph.indexer.languages.objc.language import TESTS
from loregraph.indexer.languages.registry import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

TRANSPARENT: Final = c.TRANSPARENT | {"implementation_definition", "qualified_protocol_interface_declaration"}
_PARTS: Final = ("class_interface", "class_implementation")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if node.type in _PARTS:
        return _class(x, node)
    if node.type == "protocol_declaration":
        name = own_name(x, node)
        bases = tuple(_protocols(x, node, "EXTENDS"))
        return Header(name=name, bases=bases, flags=("exported",), signature=_head(x, node)) if name else None
    if node.type in ("method_declaration", "method_definition"):
        return _method(x, node)
    if kind == "lambda":
        return Header(flags=("expression",))
    found = c.header(x, node, kind)
    if found is not None and kind == "function":
        around = node.parent
        if around is not None and around.type == "implementation_definition":
            found.within = x.memo["root"]  # a function stands in no class, wherever it is written
    return found


def own_name(x: Extraction, node: Node) -> str:
    """The name of a class or protocol."""
    first = next((part for part in node.named_children if part.type == "identifier"), None)
    return x.text(first) if first is not None else ""


def _class(x: Extraction, node: Node) -> Header | None:
    name = own_name(x, node)
    if not name:
        return None
    parts = _parts_of(x, node, name)
    if parts[0] != node:
        return Header(name=name, continues=parts[0])
    main = next((part for part in parts if part.type == "class_implementation"), node)
    bases: list[Base] = []
    for part in parts:
        above = part.child_by_field_name("superclass")
        if above is not None:
            bases.append(Base((NAME, x.text(above)), "EXTENDS", above.start_point[0] + 1))
        bases += _protocols(x, part, "IMPLEMENTS")
    return Header(
        name=name, bases=tuple(bases), flags=("exported", "partial"), outer=main, signature=_head(x, main),
    )  # fmt: skip


def _parts_of(x: Extraction, node: Node, name: str) -> list[Node]:
    """All parts of a class that stand in the file, in order."""
    found: dict[str, list[Node]] | None = x.memo.get("parts")
    if found is None:
        found = x.memo["parts"] = {}
        waiting = list(reversed(x.memo["root"].named_children))
        while waiting:
            part = waiting.pop()
            if part.type in _PARTS:
                found.setdefault(own_name(x, part), []).append(part)
            elif part.type.startswith("preproc_") and len(waiting) < 100_000:
                waiting += reversed(part.named_children)
    listed = found.get(name, [])
    return listed if node in listed else [node]


def getters(x: Extraction) -> frozenset[str]:
    """The methods without parameters that the file defines: what gives a property where one has its name."""
    found: set[str] = set()
    _parts_of(x, x.memo["root"], "")
    for parts in x.memo["parts"].values():
        for part in parts:
            for held in part.named_children if part.type == "class_implementation" else ():
                method = held.named_children[0] if held.named_children else None
                if method is not None and method.type == "method_definition":
                    found.add(selector_of(x, method))
    return frozenset(name for name in found if ":" not in name)


def _protocols(x: Extraction, node: Node, relation: str) -> list[Base]:
    """What a class or protocol conforms to. The grammar reads `<P>` behind a superclass like type arguments."""
    found = []
    for part in node.named_children:
        if part.type == "protocol_reference_list":
            names = part.named_children
        elif part.type == "parameterized_arguments":
            names = [held.named_children[0] for held in part.named_children if held.named_child_count == 1]
        else:
            continue
        found += [
            Base((NAME, x.text(name)), relation, name.start_point[0] + 1)
            for name in names
            if len(x.text(name)) > 1  # `T` is a parameter
        ]
    return found


def _head(x: Extraction, node: Node) -> str:
    end = x.source.find(b"\n", node.start_byte)
    return head_text(x, node.start_byte, min(node.end_byte, end if end >= 0 else node.end_byte), "{")


def selector_of(x: Extraction, node: Node) -> str:
    """The whole name of a method: `initWithName:age:`."""
    selector = word = ""
    for part in node.named_children:
        if part.type == "identifier":
            word = x.text(part)
        elif part.type == "method_parameter":
            selector, word = f"{selector}{word}:", ""
    return selector or word


def _method(x: Extraction, node: Node) -> Header | None:
    name = selector_of(x, node)
    if not name:
        return None
    flags = ["exported"]
    if x.source[node.start_byte : node.start_byte + 1] == b"+":
        flags.append("classmethod")
    if node.type == "method_declaration":
        around = node.parent
        while around is not None and around.type in TRANSPARENT:
            around = around.parent
        if around is None or around.type != "protocol_declaration":
            return None  # the implementation, another part of the same class, defines it
        flags += ["declaration", "abstract"]
    elif name.startswith(TESTS.prefixes) and ":" not in name and is_test_path(x.path, x.spec.name):
        flags.append("test")
    body = next((part for part in node.named_children if part.type == "compound_statement"), None)
    end = body.start_byte if body is not None else node.end_byte
    written = next((part for part in node.named_children if part.type == "method_type"), None)
    return Header(
        name=name, kind="method", flags=tuple(flags), returns=type_in(x, written),
        signature=head_text(x, node.start_byte, end, "{;"),
    )  # fmt: skip


def type_in(x: Extraction, node: Node | None) -> Expr | None:
    """The type that a method's type, a property or a variable's declaration writes; None where that says nothing."""
    for _ in range(3):
        if node is None:
            return None
        if node.type in ("method_type", "type_name"):
            inside = [part for part in node.named_children if part.type != "type_qualifier"]
            if any(part.type == "abstract_function_declarator" for part in inside):
                return None
            node = inside[0] if inside else None
    type_ = x.lower(node)
    return None if type_ in (UNKNOWN, (NAME, "void"), (NAME, "id")) else type_


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    if node.type == "block_literal":
        listed = next((part for part in node.named_children if part.type == "parameter_list"), None)
        return listed_parameters(x, listed, [])
    if node.type not in ("method_declaration", "method_definition"):
        return c.parameters(x, node)
    found = []
    for part in node.named_children:
        if part.type == "method_parameter":
            written = next((held for held in part.named_children if held.type == "method_type"), None)
            named = part.named_children[-1]
            found.append(Parameter(x.text(named) if named.type == "identifier" else "", type_in(x, written)))
    return tuple(found)


def docstring(x: Extraction, node: Node) -> str:
    if node.type in ("method_declaration", "method_definition", "protocol_declaration", *_PARTS):
        return comment_above(x, node)
    return c.docstring(x, node) if node.type != "block_literal" else ""


def declared_name(x: Extraction, node: Node) -> str:
    """The name that a property or an instance variable declares."""
    held = next((part for part in node.named_children if part.type == "struct_declaration"), None)
    last = held.named_children[-1] if held is not None and held.named_children else None
    named = declared(last.named_children[-1] if last is not None and last.named_children else None).name
    return x.text(named) if named is not None else ""


def declared_in(x: Extraction, node: Node) -> Expr | None:
    """The type of a property or an instance variable."""
    held = next((part for part in node.named_children if part.type == "struct_declaration"), None)
    types = [part for part in held.named_children if part.type != "type_qualifier"] if held is not None else []
    last = types[-1] if types else None
    if last is None or len(types) < 2 or any(part.type == "function_declarator" for part in last.named_children):
        return None
    return type_in(x, types[0])
