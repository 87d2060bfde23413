"""What Zig defines: functions, types by the constant that holds them, tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import Parameter
from loregraph.indexer.languages.comments import MAX_COMMENTS, clean_comment
from loregraph.indexer.languages.extraction import MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.lowering import around
from loregraph.indexer.languages.zig.expressions import (
    behind,
    child,
    container_of,
    name_text,
    parts,
    result_type,
    type_run,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = ("struct", "enum", "union", "opaque")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if node.type == "source_file":  # one with fields is a type that other files import
        name = stem(x.path)
        return (
            Header(name, flags=("exported", "expression"), signature=f"{name} = struct") if is_type(x, node) else None
        )
    if node.type == "TestDecl":
        return _test_header(x, node)
    return _function_header(x, node) if node.type == "Decl" else _type_header(x, node, kind)


def stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".zig")


def _test_header(x: Extraction, node: Node) -> Header:
    named = child(node, "STRINGLITERALSINGLE", "IDENTIFIER")
    text = " ".join(x.text(named).strip('"').split()) if named is not None else ""
    return Header(name=f"test {text}".strip(), flags=("test", "expression"), signature=_head(x, node))


def _function_header(x: Extraction, node: Node) -> Header | None:
    proto = child(node, "FnProto")
    name = child(proto, "IDENTIFIER")
    if proto is None or name is None:
        return None
    flags = _visibility(node)
    if child(node, "Block") is None:
        flags += ("declaration",)
    container = container_of(node.parent)
    kind = "function"
    if container is not None and is_type(x, container):
        kind = "method"
        if not _is_method(x, proto, container):
            flags += ("static",)
    return Header(
        name_text(x, name),
        kind,
        flags=flags,
        returns=result_type(x, proto),
        first=_public(node),
        within=_giving(container),
        signature=_head(x, node),
    )


def _type_header(x: Extraction, node: Node, kind: str) -> Header:
    declared = child(node, "ContainerDeclType")
    word = child(declared, *_TYPES) if declared is not None else None
    if word is not None:
        kind = "struct" if word.type == "opaque" else word.type
    variable = held_by(node)
    if variable is None or variable.parent is None:
        return Header(kind=kind, flags=("private", "expression"), signature=x.folded(declared or node))
    name = child(variable, "IDENTIFIER")
    outer = variable.parent
    if outer.type != "Decl":  # a variable of a function
        outer = variable
    return Header(
        name_text(x, name),
        kind,
        flags=_visibility(outer),
        outer=outer,
        first=_public(outer),
        within=_giving(container_of(outer.parent)) if outer.type == "Decl" else None,
        signature=_between(x, _public(outer) or outer, declared or node),
    )


def _between(x: Extraction, first: Node, last: Node) -> str:
    """The text from one node to the end of another, with its white space folded."""
    text = x.source[first.start_byte : last.end_byte][: 4 * MAX_SIGNATURE].decode("utf-8", "ignore")
    return " ".join(text.split())[:MAX_SIGNATURE]


def held_by(node: Node) -> Node | None:
    """The declaration whose whole value a type is: `const Foo = struct { … };`."""
    suffix = node.parent
    if suffix is None or suffix.type != "SuffixExpr" or len(parts(suffix)) != 1 or suffix.parent is None:
        return None
    value = suffix.parent
    variable = value.parent
    if value.type != "ErrorUnionExpr" or len(parts(value)) != 1 or variable is None or variable.type != "VarDecl":
        return None
    return variable if value in behind(variable, "=") else None


def is_type(x: Extraction, container: Node) -> bool:
    if container.type != "source_file":
        return True
    if "file is a type" not in x.memo:
        fields = (part for part in container.children if part.type == "ContainerField")
        x.memo["file is a type"] = any(part.child_by_field_name("field_member") is not None for part in fields)
    return bool(x.memo["file is a type"])


def _is_method(x: Extraction, proto: Node, container: Node | None) -> bool:
    """Whether the first parameter is of the type around the function."""
    first = child(child(proto, "ParamDeclList"), "ParamDecl")
    written = child(first, "ParamType")
    if first is None or written is None or container is None:
        return False
    name = child(first, "IDENTIFIER")
    if child(written, "anytype") is not None:
        return name is not None and x.text(name) == "self"
    text = x.text(parts(written)[-1]) if parts(written) else ""
    return "".join(text.split()).partition("(")[0] in _names_of(x, container)


def _names_of(x: Extraction, container: Node) -> frozenset[str]:
    """The names that a type has for itself."""
    known: dict[int, frozenset[str]] = x.memo.setdefault("names", {})
    if container.id not in known:
        names = {"@This"}
        if container.type == "source_file":
            names.add(stem(x.path))
        variable = held_by(container)
        own = child(variable, "IDENTIFIER") or child(child(_giving(container), "FnProto"), "IDENTIFIER")
        if own is not None:
            names.add(x.text(own))
        for part in container.named_children:
            held = child(part, "VarDecl") if part.type == "Decl" else None
            name = child(held, "IDENTIFIER")
            if held is not None and name is not None and x.text(held).endswith("@This();"):
                names.add(x.text(name))
        known[container.id] = frozenset(names)
    return known[container.id]


def _giving(container: Node | None) -> Node | None:
    """The function that gives a type: `fn List(comptime T: type) type { return struct { … }; }`. What is in the type
    is named after the function."""
    if container is None or container.type != "ContainerDecl" or held_by(container) is not None:
        return None
    suffix = container.parent
    statement = suffix.parent.parent if suffix is not None and suffix.parent is not None else None
    if statement is None or statement.type != "AssignExpr" or child(statement, "return") is None:
        return None
    held = around(statement, "ContainerDecl", "Decl", "TestDecl")
    return held if held is not None and held.type == "Decl" else None


def _public(node: Node) -> Node | None:
    before = node.prev_sibling
    return before if before is not None and before.type == "pub" else None


def _visibility(node: Node) -> tuple[str, ...]:
    return ("exported",) if _public(node) is not None or child(node, "export") is not None else ("private",)


def _head(x: Extraction, node: Node) -> str:
    """The text of a function up to its body."""
    body = child(node, "Block")
    last = body.prev_sibling if body is not None else None
    return _between(x, _public(node) or node, last or node).rstrip(";")


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    found = []
    for part in (child(child(node, "FnProto"), "ParamDeclList") or node).named_children:
        name = child(part, "IDENTIFIER")
        if part.type == "ParamDecl" and name is not None:
            written = child(part, "ParamType")
            found.append(Parameter(name_text(x, name), type_run(x, written.children) if written is not None else None))
    return tuple(found)


def read_docstring(x: Extraction, node: Node) -> str:
    if node.type == "source_file":
        return file_comment(x, node)
    variable = held_by(node) if node.type in ("ContainerDecl", "ErrorSetDecl") else None
    if variable is not None:
        node = variable.parent if variable.parent is not None and variable.parent.type == "Decl" else variable
    elif node.type not in ("Decl", "TestDecl"):
        return ""
    lines: list[str] = []
    before = (_public(node) or node).prev_sibling
    while before is not None and before.type == "doc_comment" and len(lines) < MAX_COMMENTS:
        lines.append(x.text(before))
        before = before.prev_sibling
    return clean_comment("\n".join(reversed(lines)))


def file_comment(x: Extraction, root: Node) -> str:
    """The `//!` lines at the start of a file."""
    lines = []
    for part in root.children:
        if part.type == "container_doc_comment":
            lines += [line.strip().removeprefix("//!").strip() for line in x.text(part).splitlines()]
        elif part.type != "line_comment":
            break
    return "\n".join(lines).strip()
