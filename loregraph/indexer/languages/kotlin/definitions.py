"""Kotlin's definitions: their heads, parameters and documentation.

What stands in a companion object belongs to the class, as static members do in Java. A property is a field; code in its
accessors runs in functions named `<get-total>`, `<set-total>`, and a constructor with a body of its own is `<init>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import Base, Expr, Parameter
from loregraph.indexer.languages.comments import clean_comment, comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import signature
from loregraph.indexer.languages.kotlin.expressions import COMMENTS, TYPES, declared_type
from loregraph.indexer.languages.kotlin.language import TESTS
from loregraph.indexer.languages.lowering import child, named_part, parts, plain

if TYPE_CHECKING:
    from tree_sitter import Node

_ON_RECEIVER = frozenset({"let", "also", "takeIf", "takeUnless", "use"})
"""Calls that hand what they are called on to their lambda."""
_IN_RECEIVER = frozenset({"apply", "run"})
"""Calls that run their lambda with what they are called on as its receiver; `with` does so with its argument."""


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header(
            flags=("expression",), returns=declared_type(x, node) if node.type == "anonymous_function" else None
        )
    if node.type == "object_literal":
        return Header(bases=_bases(x, node, "class"), signature=_signature(x, node), flags=("expression",))
    if kind in ("getter", "setter"):
        return _accessor(x, node, kind)
    name = plain(
        x,
        child(
            node,
            "type_identifier"
            if node.type.endswith("declaration") and "function" not in node.type
            else "simple_identifier",
        ),
    )
    if node.type == "secondary_constructor":
        name = "<init>"
    if not name:
        return None
    words = _words(x, node)
    header = Header(name=name, kind=_kind(node, kind, words), signature=_signature(x, node))
    _annotations(x, node, header)
    flags: list[str] = [word for word in ("abstract", "static") if word in words]
    flags += ["async"] if "suspend" in words else []
    flags += [word for word in ("expect", "actual") if word in words or _is_platform(x, node, word)]
    local = node.parent is not None and node.parent.type == "statements"
    flags += [] if local else ["private" if "private" in words else "exported"]
    if node.type == "enum_entry":
        around = _around(node, "class_declaration")
        owner = plain(x, child(around, "type_identifier"))
        header.bases = (Base(("n", owner), "EXTENDS", node.start_point[0] + 1),) if owner else ()
        flags.append("static")
    elif node.type in ("class_declaration", "object_declaration"):
        header.bases = _bases(x, node, header.kind)
        if "sealed" in words:
            flags.append("abstract")
        if node.parent is not None and node.parent.type.endswith("class_body") and "inner" not in words:
            flags.append("static")
    elif node.type == "function_declaration":
        flags += _function(x, node, header)
    header.type_parameters = tuple(
        plain(x, child(p, "type_identifier"))
        for p in parts(child(node, "type_parameters"))
        if p.type == "type_parameter"
    )
    header.flags = tuple(dict.fromkeys(flags))
    return header


def _kind(node: Node, kind: str, words: set[str]) -> str:
    if node.type == "class_declaration":
        tokens = {c.type for c in node.children}
        if "interface" in tokens:
            return "interface"
        if "enum" in tokens:
            return "enum"
        return "annotation" if "annotation" in words else "class"
    if node.type == "function_declaration":
        return "method" if node.parent is not None and node.parent.type.endswith("class_body") else "function"
    return kind


def _function(x: Extraction, node: Node, header: Header) -> list[str]:
    """What is said of a function: its result, what it extends, whether it is a test."""
    flags: list[str] = []
    header.returns = _result(x, node)
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        flags.append("extension")
        extended = x.lower(receiver)
        header.owner = extended[1] if extended[0] == "s" else extended
    holder = node.parent.parent if node.parent is not None else None
    if holder is not None and holder.type == "companion_object":
        flags.append("static")
    if child(node, "function_body") is None and "external" not in _words(x, node):
        flags += ["declaration", "abstract"] if header.kind == "method" else ["declaration"]
    if TESTS.marked(header.decorator_names):
        flags.append("test")
    return flags


def _result(x: Extraction, node: Node) -> Expr | None:
    """The declared type behind the parameters."""
    seen = False
    for part in node.named_children:
        if part.type == "function_value_parameters":
            seen = True
        elif seen and part.type in TYPES:
            return x.lower(part)
    return None


def _accessor(x: Extraction, node: Node, kind: str) -> Header | None:
    """`get()` and `set(value)`, which stand in the property's declaration or behind it."""
    owner = node.parent
    if owner is None or owner.type != "property_declaration":
        owner = node.prev_named_sibling
        while owner is not None and owner.type != "property_declaration":
            owner = owner.prev_named_sibling
    variable = child(owner, "variable_declaration")
    name = plain(x, child(variable, "simple_identifier"))
    if owner is None or not name:
        return None
    private = "private" in _words(x, owner)
    return Header(
        name=f"<{kind[:3]}-{name}>",
        flags=("private" if private else "exported",),
        returns=declared_type(x, variable) if kind == "getter" else None,
        signature=x.folded(owner, 200).partition(" get()")[0],
    )


def _around(node: Node, type_: str) -> Node | None:
    around = node.parent
    while around is not None and around.type != type_:
        around = around.parent
    return around


def _words(x: Extraction, node: Node) -> set[str]:
    listed = child(node, "modifiers")
    return {x.text(c) for c in listed.named_children if c.type.endswith("_modifier")} if listed is not None else set()


_PLATFORM = {word: re.compile(rf"\b{word}[ \t]+[\w \t]*\Z".encode()) for word in ("expect", "actual")}


_MODIFIERS = 200
"""Bytes before a definition in which its modifiers are looked for."""
_MODIFIER = re.compile(rb"\w[ \t]")


def _is_platform(x: Extraction, node: Node, word: str) -> bool:
    """Whether the word stands before a definition: the parser may not have seen it (see `spec._parse`)."""
    first = max(0, node.start_byte - _MODIFIERS)
    start = x.source.rfind(b"\n", first, node.start_byte) + 1
    if not start and first and _MODIFIER.match(x.source, node.start_byte - 2):
        told = f"modifiers more than {_MODIFIERS} bytes before what they modify are not read"
        x.problem(node.start_point[0] + 1, told)
    start = max(start, first)
    return _PLATFORM[word].search(x.source, start, node.start_byte) is not None


def _annotations(x: Extraction, node: Node, header: Header) -> None:
    for annotation in parts(child(node, "modifiers")):
        if annotation.type != "annotation":
            continue
        held = child(annotation, "constructor_invocation") or annotation
        type_ = child(held, "user_type")
        if type_ is not None:
            header.decorators += (x.lower(type_),)
            header.decorator_names += (x.folded(held, 120).lstrip("@"),)


_signature = signature(
    without="annotation", modifiers="modifiers", ends=":class_body,enum_class_body,function_body,statements", signs="{="
)
"""The head of a definition without its annotations: they are `decorators`."""


def _bases(x: Extraction, node: Node, kind: str) -> tuple[Base, ...]:
    """A class is told by the call of its constructor, what stands without one is an interface. Where all constructors
    have bodies of their own they make that call, and the first type may be the class."""
    found: list[Base] = []
    body = child(node, "class_body")
    open_ = child(node, "primary_constructor") is None and child(body, "secondary_constructor") is not None
    for specifier in node.named_children:
        if specifier.type != "delegation_specifier":
            continue
        called = child(specifier, "constructor_invocation")
        held = called or child(specifier, "explicit_delegation") or specifier
        type_ = child(held, "user_type")
        if type_ is not None:
            extends = called is not None or kind == "interface" or (open_ and not found)
            relation = "EXTENDS" if extends else "IMPLEMENTS"
            found.append(Base(x.lower(type_), relation, type_.start_point[0] + 1))
    return tuple(found)


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    if node.type == "lambda_literal":
        return _lambda_parameters(x, node)
    if node.type == "setter":
        found = child(node, "simple_identifier", "parameter_with_optional_type")
        return (Parameter(plain(x, child(found, "simple_identifier") or found)),) if found is not None else ()
    listed = child(node, "function_value_parameters")
    found_: list[Parameter] = []
    rest = False
    for part in listed.children if listed is not None else ():
        if part.type == "parameter_modifiers":
            rest = "vararg" in x.text(part)
        elif part.type == "parameter":
            found_.append(
                Parameter(plain(x, child(part, "simple_identifier")), declared_type(x, part), None, "*" if rest else "")
            )
            rest = False
        elif (
            part.is_named
            and part.type not in COMMENTS
            and found_
            and part.prev_sibling is not None
            and part.prev_sibling.type == "="
        ):
            one = found_[-1]
            found_[-1] = Parameter(one.name, one.type, x.lower(part), one.kind)
    return tuple(found_)


def handed_to_with(x: Extraction, call: Node | None) -> Expr | None:
    """The receiver that `with(value) { … }` gives its lambda; None where it is another call."""
    held = parts(call)
    if len(held) != 2 or plain(x, held[0]) != "with" or held[0].type != "simple_identifier":
        return None
    given = child(held[1], "value_arguments")
    listed = parts(given)
    if len(listed) != 1 or child(held[1], "annotated_lambda") is None:
        return None
    return x.lower(named_part(listed[0], -1))


def _lambda_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a lambda, `it` where it names none; `let` and `also` say what the first one is."""
    given: Expr | None = None
    received: Expr | None = None
    suffix = node.parent.parent if node.parent is not None else None
    call = suffix.parent if suffix is not None and suffix.type == "call_suffix" else None
    callee = parts(call)[0] if call is not None and parts(call) else None
    if callee is not None and callee.type == "navigation_expression":
        held = parts(callee)
        called = plain(x, child(held[-1], "simple_identifier"))
        if called in _ON_RECEIVER:
            given = x.lower(held[0])
        elif called in _IN_RECEIVER:
            received = x.lower(held[0])
    elif callee is not None:
        received = handed_to_with(x, call)
    if received is not None:
        return (Parameter("", None, received, "this"),)
    listed = child(node, "lambda_parameters")
    if listed is None:
        return (Parameter("it", None, given),)
    found: list[Parameter] = []
    for number, part in enumerate(parts(listed)):
        default = given if number == 0 else None
        if part.type == "multi_variable_declaration":
            names = tuple(("n", plain(x, child(c, "simple_identifier"))) for c in parts(part))
            found.append(Parameter("", None, default, "", ("l", names)))
        else:
            found.append(Parameter(plain(x, child(part, "simple_identifier")), declared_type(x, part), default))
    return tuple(found)


def read_docstring(x: Extraction, node: Node) -> str:
    """The comment above; behind the last import the grammar makes it part of the import."""
    if node.type in ("lambda_literal", "getter", "setter", "object_literal", "anonymous_function"):
        return ""
    found = comment_above(x, node)
    before = node.prev_named_sibling
    if not found and before is not None and before.type in ("import_list", "package_header"):
        while before is not None and before.named_children:
            before = before.named_children[-1]
        if before is not None and before.type in COMMENTS and x.text(before).startswith("/**"):
            return clean_comment(x.text(before))
    return found
