"""Dart's definitions: their heads, parameters and documentation.

A constructor is called like its type, a named one `fromJson`; both are constructors. A setter is called `total=`, as
the language itself calls it, which keeps it apart from its getter. What stands in an extension belongs to the type that
is extended; where that is not in the project, to the extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import NAME, SUBSCRIPT, Base, Expr, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.dart.expressions import read_run
from loregraph.indexer.languages.dart.language import TESTS
from loregraph.indexer.languages.dart.types import COMMENTS, groups, nodes_behind, typed
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.heads import head_text, texts
from loregraph.indexer.languages.lowering import child, dotted
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.rows import NOTHING, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset(
    {"class_definition", "mixin_declaration", "extension_declaration", "extension_type_declaration", "enum_declaration"}
)
CONSTRUCTORS = frozenset(
    (
        "constructor_signature constant_constructor_signature factory_constructor_signature "
        "redirecting_factory_constructor_signature"
    ).split()
)
SIGNATURES = CONSTRUCTORS | {"function_signature", "getter_signature", "setter_signature", "operator_signature"}
_BODIES = frozenset({"class_body", "enum_body", "extension_body"})


_own_name, _first_name = text_of("name"), text_of(":identifier")
_type_parameters = texts(":type_parameters/:type_parameter/0")


def _signature(node: Node) -> Node | None:
    return node if node.type in SIGNATURES else child(node, *SIGNATURES)


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if node.type == "function_expression":
        return _lambda(x, node)
    if node.type in _TYPES:
        return _type(x, node, kind)
    return _function(x, node, kind)


# Types


def _type(x: Extraction, node: Node, kind: str) -> Header | None:
    made = child(node, "mixin_application_class")
    name = node.child_by_field_name("name") or child(made or node, "identifier")
    if name is None and kind != "type":
        return None
    text = x.text(name) if name is not None else ""
    words = {c.type for c in node.children}
    header = Header(name=text, kind=kind, signature=_head(x, node))
    if kind == "class" and {"interface", "abstract"} <= words:
        header.kind = "interface"
    flags = ["abstract"] if words & {"abstract", "sealed"} else []
    header.flags = (*flags, _shown(text))
    header.bases = tuple(_bases(x, node, made))
    header.type_parameters = _type_parameters(x, node)
    _annotate(x, node, header)
    return header


def _shown(name: str) -> str:
    return "private" if name.startswith("_") else "exported"


def _bases(x: Extraction, node: Node, made: Node | None) -> list[Base]:
    """What a type inherits from, in the order of its members' search: the last mixin first, interfaces last."""
    if node.type == "extension_declaration":
        return []
    above = child(node, "superclass")
    mixed = child(above or child(made, "mixin_application") or node, "mixins")
    found = [_base(x, group, "IMPLEMENTS") for group in groups(mixed.children if mixed is not None else ())]
    found.reverse()
    extended = above or child(made, "mixin_application")
    if extended is not None:
        found.append(
            _base(x, [c for c in extended.named_children if c.type not in ("mixins", "interfaces")], "EXTENDS")
        )
    if node.type == "mixin_declaration":
        found += _constraints(x, node)
    listed = child(node, "interfaces") or child(made, "interfaces") or child(extended, "interfaces")
    found += [_base(x, group, "IMPLEMENTS") for group in groups(listed.children if listed is not None else ())]
    return [base for base in found if base is not None]


def _base(x: Extraction, group: list[Node], relation: str) -> Base | None:
    type_ = typed(x, group)
    return Base(type_, relation, group[0].start_point[0] + 1) if type_ is not None else None


def _constraints(x: Extraction, node: Node) -> list[Base | None]:
    """`mixin M on A, B`."""
    return [
        _base(x, [c for c in group if c.type not in ("interfaces", "class_body")], "EXTENDS")
        for group in groups(nodes_behind(node, "on"))
        if group[0].type not in ("interfaces", "class_body")
    ]


# Functions


def _function(x: Extraction, node: Node, kind: str) -> Header | None:
    local = node.type == "lambda_expression"
    signature = _signature(node)
    if signature is None:
        return None
    name = _name(x, signature)
    if not name:
        return None
    header = Header(name=name, kind=kind)
    if signature.type in CONSTRUCTORS:
        header.kind = "constructor"
        header.returns = (NAME, name if "." not in x.text(signature).partition("(")[0] else _first_name(x, signature))
    elif signature.type in ("getter_signature", "setter_signature"):
        header.kind = signature.type.partition("_")[0]
    words = {c.type for c in node.children}
    if header.returns is None:
        header.returns = typed(x, signature.children)
    flags = [] if local else [_shown(name)]
    flags += ["static"] if "static" in words else []
    body = node.child_by_field_name("body") if local else _body(node)
    if not local:
        header.last = body
        _annotate(x, node, header)
        flags += _membership(x, node, header, words, body)
    if body is not None:
        flags += _coloured(body)
    header.signature = _head(x, node, body if local else None)
    header.type_parameters = _type_parameters(x, signature)
    header.flags = tuple(dict.fromkeys(flags))
    return header


def _name(x: Extraction, signature: Node) -> str:
    if signature.type in CONSTRUCTORS:
        names = []
        for part in signature.children:
            if part.type == "identifier":
                names.append(x.text(part))
            elif part.type == "formal_parameter_list":
                break
        return names[-1] if names else ""
    if signature.type == "operator_signature":
        listed = child(signature, "formal_parameter_list")
        word = next((c for c in signature.children if c.type == "operator"), None)
        if word is None:
            return ""
        end = listed.start_byte if listed is not None else signature.end_byte
        return "operator" + "".join(x.source[word.end_byte : end].decode("utf-8", "ignore").split())
    text = _own_name(x, signature)
    return f"{text}=" if text and signature.type == "setter_signature" else text


def _body(node: Node) -> Node | None:
    """The body of a function: the grammar puts it behind the signature."""
    if node.type == "declaration":
        return None
    following = node.next_named_sibling
    while following is not None and following.type in COMMENTS:
        following = following.next_named_sibling
    return following if following is not None and following.type == "function_body" else None


def _coloured(body: Node) -> list[str]:
    words = {c.type for c in body.children}
    flags = ["async"] if words & {"async", "async*"} else []
    return flags + (["generator"] if words & {"async*", "sync*", "*"} else [])


def _membership(x: Extraction, node: Node, header: Header, words: set[str], body: Node | None) -> list[str]:
    """What follows from the type that a function stands in."""
    around = node.parent
    if around is None or around.type not in _BODIES:
        return [] if body is not None or "external" in words else ["declaration"]
    flags: list[str] = []
    holder = around.parent
    if header.kind == "constructor":
        return flags
    if header.kind == "function":
        header.kind = "method"
    if holder is not None and holder.type == "extension_declaration":
        flags.append("extension")
        extended = typed(x, holder.children_by_field_name("class"))
        if extended is not None and "static" not in words:
            header.owner = extended[1] if extended[0] == SUBSCRIPT else extended
    elif node.type == "declaration" and not words & {"external", "static"}:
        flags += ["declaration", "abstract"]
    return flags


def _lambda(x: Extraction, node: Node) -> Header:
    """A function passed to a call: its signature says to which, and whether it is a test."""
    body = node.child_by_field_name("body")
    flags = ["expression", *(_coloured(body) if body is not None else [])]
    header = Header()
    given = node.parent
    if is_test_path(x.path, "dart") and given is not None and given.type == "argument":
        listed = given.parent
        call = listed.parent.parent if listed is not None and listed.parent is not None else None
        called = call.prev_named_sibling if call is not None and call.type == "selector" else None
        if called is not None and called.type == "identifier" and x.text(called) in TESTS.callers:
            flags.append("test")
            prefix = x.source[called.start_byte : node.start_byte][: 4 * MAX_SIGNATURE].decode("utf-8", "ignore")
            header.signature = " ".join(prefix.split()).rstrip(", ")[:MAX_SIGNATURE]
    header.flags = tuple(flags)
    return header


def _head(x: Extraction, node: Node, body: Node | None = None) -> str:
    """The head of a definition without its annotations: they are `decorators`."""
    held = body or node.child_by_field_name("body") or child(node, *_BODIES)
    first = next((part for part in node.children if part.type != "annotation" and part.type not in COMMENTS), node)
    return head_text(x, first.start_byte, node.end_byte if held is None else held.start_byte)


def _annotate(x: Extraction, node: Node, header: Header) -> None:
    """Annotations stand in a type and before a function."""
    found = [c for c in node.children if c.type == "annotation"]
    first = first_part(node)
    if first.id != node.id:
        header.first = first
        before = node.prev_named_sibling
        while before is not None and before.start_byte >= first.start_byte:
            if before.type == "annotation":
                found.insert(0, before)
            before = before.prev_named_sibling
    for annotation in found:
        written = annotation.child_by_field_name("name")
        if written is not None:
            header.decorators += (dotted(x.text(written), MAX_EXPRESSION_DEPTH - 1),)
            header.decorator_names += (x.folded(annotation, 120).lstrip("@"),)


def first_part(node: Node) -> Node:
    """The first of the annotations that stand directly before a function, else the node itself."""
    first = node
    before = node.prev_named_sibling
    while before is not None and (before.type == "annotation" or before.type in COMMENTS):
        if before.type == "annotation":
            first = before
        before = before.prev_named_sibling
    return first


def read_docstring(x: Extraction, node: Node) -> str:
    """The comment above, above or beneath the annotations."""
    if node.type in ("function_expression", "lambda_expression"):
        return ""
    found = comment_above(x, node)
    first = first_part(node)
    return found or (comment_above(x, first) if first.id != node.id else "")


# Parameters


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    listed = child(_signature(node) or node, "formal_parameter_list")
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
            found.append(_parameter(x, part, kind, None if required else NOTHING))
            required = False
        elif part.type in ("=", ":") and found:
            end = next((i for i in range(number, len(children)) if children[i].type in (",", "}", "]")), len(children))
            one = found[-1]
            found[-1] = Parameter(one.name, one.type, read_run(x, children[number + 1 : end]), kind)
    return found


def _parameter(x: Extraction, node: Node, kind: str, default: Expr | None) -> Parameter:
    held = child(node, "constructor_param", "super_formal_parameter") or node
    function = child(held, "formal_parameter_list") is not None  # `void f(int x)`
    name = _own_name(x, held) or _first_name(x, held)
    return Parameter(name, None if function else typed(x, held.children), default, kind)
