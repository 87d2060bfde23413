"""Objective-C's row: C's, with messages, classes and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    FILE_SCOPE,
    MAPPING,
    NAME,
    PARENT,
    RECEIVER,
    SEQUENCE,
    TYPED,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.c.expressions import EXPRESSIONS as C
from loregraph.indexer.languages.c.spec import HOOKS as C_HOOKS
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import definition
from loregraph.indexer.languages.objc import definitions
from loregraph.indexer.languages.objc.parsing import parsed
from loregraph.indexer.languages.rows import BOOLEAN, NOTHING, TEXT, compiled, each, generic, lowerings
from loregraph.indexer.languages.spec import Hook, LanguageSpec, Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_APPLE: Final = frozenset(
    "AVFoundation AVKit Accelerate AppKit CFNetwork Carbon Cocoa CommonCrypto CoreAudio CoreData CoreFoundation "
    "CoreGraphics CoreImage CoreLocation CoreMedia CoreServices CoreText CoreVideo Foundation GLKit IOKit ImageIO "
    "JavaScriptCore MapKit Metal MobileCoreServices Photos QuartzCore Security StoreKit SystemConfiguration "
    "TargetConditionals UIKit UniformTypeIdentifiers WatchKit WebKit XCTest arpa dispatch libkern mach mach-o net "
    "netinet objc os sys".split()
)
_SAME: Final = frozenset({"retain", "autorelease", "self", "copy", "mutableCopy"})
"""Messages that give the receiver, or another of its kind."""
_WORDS: Final[dict[str, Expr]] = {
    "self": (RECEIVER,), "super": (PARENT,), "nil": NOTHING, "Nil": NOTHING, "YES": BOOLEAN, "NO": BOOLEAN,
}  # fmt: skip


def _identifier(x: Extraction, node: Node) -> Expr:
    word = x.text(node)
    return _WORDS.get(word) or (NAME, word)


def _message(x: Extraction, node: Node) -> tuple[str, tuple[Expr, ...]]:
    """The selector of a message and what it is sent with."""
    selector = word = ""
    given: list[Expr] = []
    for number, part in enumerate(node.children):
        field = node.field_name_for_child(number)
        if field == "method":
            word = x.text(part)
        elif part.type == ":":
            selector, word = f"{selector}{word}:", ""
        elif part.is_named and field != "receiver" and part.type != "comment":
            given.append(x.lower(part))
    return selector or word, tuple(given)


def _selector(x: Extraction, node: Node) -> str:
    """The first word of a message's selector."""
    named = node.child_by_field_name("method")
    return x.text(named) if named is not None else ""


def _is_made(x: Extraction, node: Node | None) -> bool:
    """Whether a message makes an instance: `[Cart alloc]`, `[Cart new]`."""
    return node is not None and node.type == "message_expression" and _selector(x, node) in ("alloc", "new")


def _result(x: Extraction, node: Node) -> Expr:
    """What a message gives."""
    receiver = node.child_by_field_name("receiver")
    word = _selector(x, node)
    if word.startswith("init") and _is_made(x, receiver) and receiver is not None:
        return x.call_at(receiver)
    if word in _SAME:
        return x.lower(receiver)
    if word == "class" and receiver is not None and receiver.type == "identifier":
        return _class_of(x, receiver)
    return x.call_at(node)


def _class_of(x: Extraction, node: Node) -> Expr:
    """`[self class]`, `[Cart class]`."""
    held = x.lower(node)
    return (ATTRIBUTE, held, "class") if held[0] == RECEIVER and not _in_class_method(x) else held


def _in_class_method(x: Extraction) -> bool:
    scope = x.scope
    while scope != FILE_SCOPE and x.definitions[scope].kind == "lambda":
        scope = x.definitions[scope].parent
    return scope != FILE_SCOPE and "classmethod" in x.definitions[scope].flags


def _send(x: Extraction, node: Node, capture: str) -> None:
    receiver = node.child_by_field_name("receiver")
    selector, given = _message(x, node)
    if receiver is None or not selector:
        return
    held = x.lower(receiver)
    if selector in ("alloc", "new"):
        x.record_call(node, held, (), (), "new")
        if selector == "new":
            x.record_call(node, (ATTRIBUTE, x.call_at(node), "init"), kind="operator")
        return
    x.record_call(node, (ATTRIBUTE, held, selector), given)


def _property(x: Extraction, node: Node, capture: str) -> None:
    """`cart.total` runs the method `total`, `cart.total = 1` the method `setTotal:`."""
    name = x.text(node.child_by_field_name("field") or node)
    held = x.lower(node.child_by_field_name("argument"))
    if held[0] == "x" or not name:
        return
    around = node.parent
    if around is not None and around.type == "assignment_expression" and around.child_by_field_name("left") == node:
        value = x.lower(around.child_by_field_name("right"))
        x.record_call(node, (ATTRIBUTE, held, f"set{name[:1].upper()}{name[1:]}:"), (value,), (), "operator")
    elif around is None or around.type != "call_expression" or around.child_by_field_name("function") != node:
        x.record_call(node, (ATTRIBUTE, held, name), (), (), "read")


def _member(x: Extraction, node: Node) -> Expr:
    """A member; of a class, and where the file has a method that gives it, what that gives."""
    argument = node.child_by_field_name("argument")
    word = x.text(argument) if argument is not None and argument.type == "identifier" else ""
    if word[:1].isupper() or (word == "self" and x.text(node)[5:] in x.memo["getters"]):
        return x.call_at(node)
    return C["field_expression"](x, node)


def _declare_property(x: Extraction, node: Node, capture: str) -> None:
    name = definitions.declared_name(x, node)
    given = next((part for part in node.named_children if part.type == "property_attributes_declaration"), None)
    if given is not None and any(x.text(part) == "class" for part in given.named_children):
        return  # a method of the class gives it
    if name and x.scope != FILE_SCOPE:
        type_ = definitions.declared_in(x, node)
        for own in (f"_{name}",) if name in x.memo["getters"] else (name, f"_{name}"):
            x.assign(node, (NAME, own), UNKNOWN, "declare", type_)


def _declare_field(x: Extraction, node: Node, capture: str) -> None:
    name = definitions.declared_name(x, node)
    if name and x.scope != FILE_SCOPE:
        x.assign(node, (NAME, name), UNKNOWN, "declare", definitions.declared_in(x, node))


def _each(x: Extraction, node: Node, capture: str) -> None:
    """`for (Item *item in items)`."""
    held = [part for part in node.named_children if part.type not in ("comment", "type_qualifier")]
    if len(held) < 3:
        return
    named = held[1]
    while named.type == "pointer_declarator" and named.named_children:
        named = named.named_children[-1]
    if named.type == "identifier":
        x.assign(node, (NAME, x.text(named)), (ELEMENT, x.lower(held[2])), "for", definitions.type_in(x, held[0]))


def _catch(x: Extraction, node: Node, capture: str) -> None:
    written = next((part for part in node.named_children if part.type == "type_name"), None)
    type_ = definitions.type_in(x, written)
    named = written.named_children[-1] if written is not None and written.named_children else None
    while named is not None and named.type == "pointer_declarator" and named.named_children:
        named = named.named_children[-1]
    if named is not None and named.type == "identifier" and type_ is not None:
        x.assign(node, (NAME, x.text(named)), (TYPED, type_, UNKNOWN), "except")


def _include(x: Extraction, node: Node, capture: str) -> None:
    """`#import <Shop/Cart.h>` is of the framework Shop, which may be the project's own: then it lies anywhere."""
    C_HOOKS["import"](x, node, capture)
    path = node.child_by_field_name("path")
    framework, slash, name = x.text(path).strip("<>").partition("/") if path is not None else ("", "", "")
    if slash and path is not None and path.type == "system_lib_string" and framework not in _APPLE and "/" not in name:
        x.import_(node, f'"{name}"', kind="include")


def _import(x: Extraction, node: Node, capture: str) -> None:
    path = node.child_by_field_name("path")
    if path is not None:
        x.import_(node, f"<{x.text(path).replace('.', '/')}/{x.text(path).rpartition('.')[2]}.h>", kind="include")


def _refer(x: Extraction, node: Node, capture: str) -> None:
    """`@selector(more:)`: nearly always of the object at hand."""
    text = x.text(node).partition("(")[2].rstrip(") ").strip()
    if text and x.scope != FILE_SCOPE:
        x.refer(node, (ATTRIBUTE, (RECEIVER,), text), "value")


def _conforming(x: Extraction, node: Node) -> Expr:
    """`id<Protocol>`; `id` alone may be anything."""
    listed = next((part for part in node.named_children if part.type == "protocol_reference_list"), None)
    return (NAME, x.text(listed.named_children[0])) if listed is not None and listed.named_children else UNKNOWN


def _file_facts(x: Extraction, root: Node) -> None:
    x.memo["root"] = root
    x.memo["getters"] = definitions.getters(x)
    x.package = "objc"  # a class's parts may stand in any folder


def _call(x: Extraction, node: Node, capture: str) -> None:
    if node.type == "message_expression":
        _send(x, node, capture)
        return
    listed = node.child_by_field_name("arguments")
    given = [x.lower(part) for part in listed.named_children if part.type != "comment"] if listed is not None else []
    x.record_call(node, x.lower(node.child_by_field_name("function")), tuple(given))


EXPRESSIONS: Final[dict[str, Lowering]] = {
    **C,
    "identifier": _identifier,
    "field_expression": _member,
    **lowerings(
        {
            "message_expression": _result,
            "block_literal": definition,
            "typedefed_specifier": _conforming,
            "generic_specifier": generic("@0", each(":type_name", compiled("@0"))),
            "array_literal": (SEQUENCE, "*"),
            "dictionary_literal": (MAPPING, each(":dictionary_pair", ("@0", "@1"))),
            "at_expression": "@0",
            "selector_expression": TEXT,
        }
    ),
}

HOOKS: Final[dict[str, Hook]] = {
    **C_HOOKS,
    "call": _call,
    "assignment.property": _declare_property,
    "assignment.field": _declare_field,
    "assignment.each": _each,
    "assignment.catch": _catch,
    "call.property": _property,
    "import": _include,
    "import.module": _import,
    "reference.selector": _refer,
}


SPECS = {
    "objc": LanguageSpec(
        name="objc",
        grammar="objc",
        queries=("c/query.scm", "objc/query.scm"),
        expressions=EXPRESSIONS,
        called_name={"call_expression": "function", "message_expression": "method", "field_expression": "field"},
        hooks=HOOKS,
        header=definitions.read_header,
        parameters=definitions.parameters,
        docstring=definitions.docstring,
        comments=frozenset({"comment"}),
        documentation_marks=("/**", "/*!", "///", "//!"),
        transparent=definitions.TRANSPARENT,
        header_scope="inner",
        parse=parsed,
        file_facts=_file_facts,
    )
}
