"""Scala's definitions: their heads, parameters and companions.

A class and an object of one name are companions: two nodes, but what stands in either is named under the first, so that
`Order.apply` is called that wherever it stands. A package object is its package: its members are those of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Base, Expr
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.lowering import parts, plain
from loregraph.indexer.languages.scala.calls import is_mixed
from loregraph.indexer.languages.scala.language import TESTS

if TYPE_CHECKING:
    from tree_sitter import Node

TYPES = frozenset({"class_definition", "trait_definition", "object_definition", "enum_definition"})
_BODIES = frozenset({"template_body", "enum_body", "with_template_body"})
_ANONYMOUS = frozenset({"lambda_expression", "case_block", "colon_argument"})
PLACEHOLDERS = frozenset({"field_expression", "call_expression", "infix_expression"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return _lambda(node)
    if node.type == "instance_expression":
        return Header(bases=_new_bases(x, node), flags=("expression",), signature=_signature(x, node))
    if node.type == "given_definition":
        return _given(x, node)
    if node.type == "infix_expression":
        return _mixed(x, node)
    name = plain(x, node.child_by_field_name("name"))
    if not name:
        return None
    words = modifiers(x, node)
    header = Header(name=name, signature=_signature(x, node))
    _annotations(x, node, header)
    flags = [word for word in ("abstract",) if word in words]
    flags.append("private" if "private" in words else "exported")
    if node.type in ("function_definition", "function_declaration"):
        flags = _function(x, node, header, flags)
    else:
        header.kind = kind
        header.bases = _bases(x, node)
        if "sealed" in words and kind == "class":
            flags.append("abstract")
        if node.type == "full_enum_case":
            owner = _around(node, "enum_definition")
            written = plain(x, owner.child_by_field_name("name")) if owner is not None else ""
            if not header.bases and written:
                header.bases = (Base(("n", written), "EXTENDS", node.start_point[0] + 1),)
    header.type_parameters = _type_parameters(x, node)
    header.within = _companion_around(x, node)
    header.flags = tuple(dict.fromkeys(flags))
    return header


def _lambda(node: Node) -> Header | None:
    if node.type in _ANONYMOUS:
        around = node.parent
        if node.type == "case_block" and around is not None and around.type in ("match_expression", "catch_clause"):
            return None
        return Header(flags=("expression",))
    return Header(flags=("expression",)) if _is_placeholder(node) else None


def _is_placeholder(node: Node | None) -> bool:
    """Whether an argument is a function written with `_`: `_.name`, `_.f(x)`, `_ + 1`."""
    while node is not None:
        if node.type == "wildcard":
            return True
        if node.type == "field_expression":
            node = node.child_by_field_name("value")
        elif node.type in ("call_expression", "generic_function"):
            node = node.child_by_field_name("function")
        elif node.type == "infix_expression":
            right = node.child_by_field_name("right")
            if right is not None and right.type == "wildcard":
                return True
            node = node.child_by_field_name("left")
        else:
            return False
    return False


def _function(x: Extraction, node: Node, header: Header, flags: list[str]) -> list[str]:
    """What is said of a function: its kind, its result, what it extends."""
    around = node.parent
    extension = around is not None and around.type == "extension_definition"
    holder = around.parent if extension and around is not None else around
    method = holder is not None and (holder.type in _BODIES or _in_mixed(x, holder))
    if holder is not None and not method and holder.type in ("block", "indented_block"):
        flags = [flag for flag in flags if flag not in ("exported", "private")]
    header.kind = "method" if method else "function"
    if header.name == "this":
        header.kind = "constructor"
    returned = node.child_by_field_name("return_type")
    header.returns = x.lower(returned) if returned is not None else None
    if node.type == "function_declaration":
        flags += ["declaration", "abstract"]
    if extension:
        flags += ["extension", "static"]
    elif method and implicit_class(x, node) is not None:
        flags.append("extension")
    if TESTS.marked(header.decorator_names):
        flags.append("test")
    return flags


def _mixed(x: Extraction, node: Node) -> Header | None:
    """`new A(1) with B { … }`, which the grammar takes for operators."""
    if not is_mixed(x, node) or (node.parent is not None and is_mixed(x, node.parent)):
        return None
    types: list[Node] = []
    part: Node | None = node
    while part is not None and part.type == "infix_expression":
        right = part.child_by_field_name("right")
        named = (
            right.child_by_field_name("function") if right is not None and right.type == "call_expression" else right
        )
        types += [named] if named is not None else []
        part = part.child_by_field_name("left")
    types += [c for c in parts(part) if c.type not in ("arguments", "template_body")][:1]
    bases = [Base(_bare_type(x, type_), "EXTENDS", type_.start_point[0] + 1) for type_ in reversed(types)]
    return Header(
        bases=tuple(b for b in bases if b.type != UNKNOWN), flags=("expression",), signature=x.folded(node, 200)
    )


def _bare_type(x: Extraction, node: Node) -> Expr:
    """A type, or the expression that the grammar took it for."""
    if node.type == "generic_function":
        return _bare_type(x, node.child_by_field_name("function") or node.children[0])
    return ("n", plain(x, node)) if node.type in ("identifier", "type_identifier") else x.lower(node)


def _given(x: Extraction, node: Node) -> Header | None:
    type_ = node.child_by_field_name("return_type")
    base = (Base(x.lower(type_), "EXTENDS", type_.start_point[0] + 1),) if type_ is not None else ()
    name = plain(x, node.child_by_field_name("name"))
    return Header(
        name=name,
        bases=base,
        signature=_signature(x, node),
        flags=("exported",) if name else ("expression",),
        within=_companion_around(x, node) if name else None,
    )


def _in_mixed(x: Extraction, block: Node) -> bool:
    """Whether a block is the body behind `with B`."""
    call = block.parent
    around = call.parent if block.type == "block" and call is not None and call.type == "call_expression" else None
    return around is not None and is_mixed(x, around)


def _around(node: Node, type_: str) -> Node | None:
    around = node.parent
    while around is not None and around.type != type_:
        around = around.parent
    return around


def implicit_class(x: Extraction, node: Node) -> Node | None:
    """The implicit class that a method stands in."""
    body = node.parent
    holder = body.parent if body is not None else None
    if holder is None or holder.type != "class_definition" or "implicit" not in modifiers(x, holder):
        return None
    return holder


def modifiers(x: Extraction, node: Node) -> set[str]:
    """`abstract`, `private`, `case`, …: the words before a definition."""
    listed = next((c for c in node.children if c.type == "modifiers"), None)
    words = {c.type for c in node.children if not c.is_named}
    for part in listed.children if listed is not None else ():
        words.add(x.text(part).partition("[")[0])
    return words


def _companion_around(x: Extraction, node: Node) -> Node | None:
    """Where a definition stands in the second of two companions: the first one, which its name stands under."""
    body = node.parent
    if body is not None and body.type == "extension_definition":
        body = body.parent
    holder = body.parent if body is not None and body.type in _BODIES else None
    if holder is None or holder.type not in TYPES or holder.parent is None:
        return None
    first = _first_of(x, holder.parent).get(plain(x, holder.child_by_field_name("name")))
    return first if first is not None and first.id != holder.id else None


def _first_of(x: Extraction, container: Node) -> dict[str, Node]:
    """Name → the first type or object of that name, of one run of definitions."""
    known: dict[int, dict[str, Node]] = x.memo.setdefault("companions", {})
    found = known.get(container.id)
    if found is None:
        found = known[container.id] = {}
        for part in container.named_children:
            if part.type in TYPES:
                found.setdefault(plain(x, part.child_by_field_name("name")), part)
    return found


def _annotations(x: Extraction, node: Node, header: Header) -> None:
    for part in node.named_children:
        if part.type == "annotation":
            type_ = part.child_by_field_name("name")
            if type_ is not None:
                header.decorators += (x.lower(type_),)
                header.decorator_names += (x.folded(part, 120).lstrip("@"),)


def _signature(x: Extraction, node: Node) -> str:
    """The head of a definition without its annotations and body."""
    start, end = node.start_byte, node.end_byte
    for part in node.children:
        if part.type == "annotation":
            start = part.end_byte
        elif part.type in _BODIES:
            end = part.start_byte
            break
    body = node.child_by_field_name("body")
    if body is not None:
        end = min(end, body.start_byte)
    text = x.source[start : min(end, start + 4 * MAX_SIGNATURE)].decode("utf-8", "ignore")
    return " ".join(text.split()).rstrip("{=: ").strip()[:MAX_SIGNATURE]


def _bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    extends = node.child_by_field_name("extend")
    found: list[Base] = []
    for part in extends.named_children if extends is not None else ():
        if part.type == "compound_type":
            found += [Base(x.lower(c), "EXTENDS", c.start_point[0] + 1) for c in parts(part)]
        elif part.type not in ("arguments", "template_body") and part.type.endswith(("type", "type_identifier")):
            found.append(Base(x.lower(part), "EXTENDS", part.start_point[0] + 1))
    return tuple(base for base in found if base.type != UNKNOWN)


def _new_bases(x: Extraction, node: Node) -> tuple[Base, ...]:
    type_ = next((c for c in parts(node) if c.type not in ("arguments", "template_body")), None)
    if type_ is None:
        return ()
    held = parts(type_) if type_.type == "compound_type" else [type_]
    found = [Base(x.lower(c), "EXTENDS", c.start_point[0] + 1) for c in held]
    return tuple(base for base in found if base.type != UNKNOWN)


def _type_parameters(x: Extraction, node: Node) -> tuple[str, ...]:
    found: list[str] = []
    for listed in (c for c in node.named_children if c.type == "type_parameters"):
        found += [plain(x, c) for c in listed.children_by_field_name("name") if c.type != "wildcard"]
    return tuple(found)


def read_docstring(x: Extraction, node: Node) -> str:
    if node.type in _ANONYMOUS or node.type in PLACEHOLDERS or node.type == "instance_expression":
        return ""
    return comment_above(x, node)
