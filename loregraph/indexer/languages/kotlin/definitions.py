"""Kotlin's definitions: their heads, parameters and documentation.

What stands in a companion object belongs to the class, as static members do in Java. A property is a field; code in its
accessors runs in functions named `<get-total>`, `<set-total>`, and a constructor with a body of its own is `<init>`.
"""

from __future__ import annotations

import re

from msgspec.structs import replace
from tree_sitter import Node

from loregraph.indexer.facts import SUBSCRIPT, Base, Expr, Parameter
from loregraph.indexer.languages import heads
from loregraph.indexer.languages.comments import clean_comment, comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import ParameterRow, modifiers, parameters
from loregraph.indexer.languages.kotlin.expressions import COMMENTS, TYPES, declared_type, handed_to_with, several
from loregraph.indexer.languages.kotlin.language import TESTS
from loregraph.indexer.languages.lowering import around, child, parts, plain
from loregraph.indexer.languages.selectors import many

_TYPES = frozenset({"class_declaration", "object_declaration"})
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
    named = "type_identifier" if node.type in _TYPES else "simple_identifier"
    name = "<init>" if node.type == "secondary_constructor" else plain(x, child(node, named))
    if not name:
        return None
    words = modifiers(x, node)
    header = Header(name=name, kind=_kind(node, kind, words), signature=_signature(x, node))
    header.decorators, header.decorator_names = _annotations(x, node)
    flags: list[str] = [word for word in ("abstract", "static") if word in words]
    flags += ["async"] if "suspend" in words else []
    flags += [word for word in ("expect", "actual") if word in words or _is_platform(x, node, word)]
    local = node.parent is not None and node.parent.type == "statements"
    flags += [] if local else ["private" if "private" in words else "exported"]
    if node.type == "enum_entry":
        header.bases = heads.bases_of_constant(
            plain(x, child(around(node, "class_declaration"), "type_identifier")), node
        )
        flags.append("static")
    elif node.type in _TYPES:
        header.bases = _bases(x, node, header.kind)
        if "sealed" in words:
            flags.append("abstract")
        if node.parent is not None and node.parent.type.endswith("class_body") and "inner" not in words:
            flags.append("static")
    elif node.type == "function_declaration":
        flags += _function(x, node, header, words)
    header.type_parameters = _type_parameters(x, node)
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


def _function(x: Extraction, node: Node, header: Header, words: set[str]) -> list[str]:
    """What is said of a function: its result, what it extends, whether it is a test."""
    flags: list[str] = []
    header.returns = declared_type(x, node)
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        flags.append("extension")
        extended = x.lower(receiver)
        header.owner = extended[1] if extended[0] == SUBSCRIPT else extended
    holder = node.parent.parent if node.parent is not None else None
    if holder is not None and holder.type == "companion_object":
        flags.append("static")
    if child(node, "function_body") is None and "external" not in words:
        flags += ["declaration", "abstract"] if header.kind == "method" else ["declaration"]
    if TESTS.marked(header.decorator_names):
        flags.append("test")
    return flags


def _accessor(x: Extraction, node: Node, kind: str) -> Header | None:
    """`get()` and `set(value)`, which stand in the property's declaration or behind it."""
    is_inside = node.parent is not None and node.parent.type == "property_declaration"
    owner: Node | None = node.parent if is_inside else node
    while owner is not None and owner.type != "property_declaration":
        owner = owner.prev_named_sibling
    variable = child(owner, "variable_declaration")
    name = plain(x, child(variable, "simple_identifier"))
    if owner is None or not name:
        return None
    private = "private" in modifiers(x, owner)
    return Header(
        name=f"<{kind[:3]}-{name}>",
        flags=("private" if private else "exported",),
        returns=declared_type(x, variable) if variable is not None and kind == "getter" else None,
        signature=x.folded(owner, 200).partition(" get()")[0],
    )


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


_annotations = heads.decorators(":modifiers/:annotation/?:constructor_invocation", "@:user_type")
_type_parameters = heads.texts(":type_parameters/:type_parameter/:type_identifier", plain)
_signature = heads.signature(
    without="annotation", modifiers="modifiers", ends=":class_body,enum_class_body,function_body,statements", signs="{="
)
"""The head of a definition without its annotations: they are `decorators`."""
_supertypes = many(":delegation_specifier/?:constructor_invocation,explicit_delegation/:user_type")


def _bases(x: Extraction, node: Node, kind: str) -> tuple[Base, ...]:
    """A class is told by the call of its constructor, what stands without one is an interface. Where all constructors
    have bodies of their own they make that call, and the first type may be the class."""
    found: list[Base] = []
    body = child(node, "class_body")
    open_ = child(node, "primary_constructor") is None and child(body, "secondary_constructor") is not None
    for type_ in _supertypes(x, node):
        called = type_.parent is not None and type_.parent.type == "constructor_invocation"
        extends = called or kind == "interface" or (open_ and not found)
        found.append(heads.base(x, type_, "EXTENDS" if extends else "IMPLEMENTS"))
    return tuple(found)


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    if node.type == "lambda_literal":
        return _lambda_parameters(x, node)
    if node.type == "setter":
        found = child(node, "simple_identifier", "parameter_with_optional_type")
        return (Parameter(plain(x, child(found, "simple_identifier") or found)),) if found is not None else ()
    return _listed(x, node)


def _rest(x: Extraction, parameter: Node) -> str:
    before = parameter.prev_sibling
    return "*" if before is not None and before.type == "parameter_modifiers" and "vararg" in x.text(before) else ""


_listed = parameters(
    ":function_value_parameters",
    {"parameter": ParameterRow("`:simple_identifier", f"@{TYPES}", kind=_rest)},
    behind=True,
)
_named = parameters(
    ":lambda_parameters",
    {
        "variable_declaration": ParameterRow("`:simple_identifier", f"@{TYPES}"),
        "multi_variable_declaration": ParameterRow("", pattern=several),
    },
)


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
    if child(node, "lambda_parameters") is None:
        return (Parameter("it", None, given),)
    found = _named(x, node)
    return (replace(found[0], default=given), *found[1:]) if found and given is not None else found


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
