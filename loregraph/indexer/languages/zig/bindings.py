"""Where Zig's values go: declarations, fields, assignments, payloads (`if (x) |y|`), calls, imports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, DEFINED, ELEMENT, NAME, SEQUENCE, SUBSCRIPT, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import dotted, named_part
from loregraph.indexer.languages.spec import Hook
from loregraph.indexer.languages.zig.definitions import held_by
from loregraph.indexer.languages.zig.expressions import (
    behind,
    called,
    child,
    imported,
    listed,
    name_text,
    parts,
    run,
    written_type,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def _assign_declared(x: Extraction, node: Node, capture: str) -> None:
    name = child(node, "IDENTIFIER")
    value = behind(node, "=")
    if name is None or _is_definition(value) or _import_of(x, node) is not None:
        return
    several = _several_targets(x, node)
    if several is None:
        x.assign(node, (NAME, name_text(x, name)), run(x, value), "declare", written_type(x, node))
    else:
        x.assign(node, several, run(x, value), "declare")


def _several_targets(x: Extraction, node: Node) -> Expr | None:
    """The targets of `const a, b.c = f();`, of which the tree has one: see `parsing`."""
    names: tuple[str, ...] | None = x.memo.get("several", {}).get(node.start_byte)
    return None if names is None else (SEQUENCE, tuple(UNKNOWN if name == "_" else dotted(name, 7) for name in names))


def _is_definition(value: list[Node]) -> bool:
    held = named_part(value[0]) if value else None
    held = named_part(held) if held is not None else None
    return held is not None and held.type in ("ContainerDecl", "ErrorSetDecl") and held_by(held) is not None


def _import_of(x: Extraction, variable: Node) -> tuple[str, str] | None:
    """Module and member of `const a = @import("m.zig").b;`; None for any other value."""
    value = behind(variable, "=")
    suffix = named_part(value[0]) if value and value[0].type == "ErrorUnionExpr" else None
    held = parts(suffix) if suffix is not None and suffix.type == "SuffixExpr" else []
    if len(held) not in (2, 3) or held[0].type != "BUILTINIDENTIFIER" or x.text(held[0]) != "@import":
        return None
    if len(held) == 2:
        return imported(x, held[1]), ""
    name = child(held[2], "IDENTIFIER")
    if held[2].type != "FieldOrFnCall" or name is None or child(held[2], "FnCallArguments") is not None:
        return None
    return imported(x, held[1]), name_text(x, name)


def _assign_field(x: Extraction, node: Node, capture: str) -> None:
    """A field of a struct or union; of an enum, a value of its own type."""
    name = node.child_by_field_name("field_member")
    type_ = written_type(x, node)
    value = run(x, behind(node, "="))
    if name is None and type_ is None and x.scope >= 0 and x.definitions[x.scope].kind == "enum":
        held = parts(node)
        name = child(named_part(held[0]) if held else None, "IDENTIFIER")
        type_, value = (SUBSCRIPT, (DEFINED, x.scope), UNKNOWN), UNKNOWN
    if name is not None:
        x.assign(node, (NAME, name_text(x, name)), value, "declare", type_)


def _assign_values(x: Extraction, node: Node, capture: str) -> None:
    children = node.children
    at = next(number for number, part in enumerate(children) if part.type == "AssignOp")
    target = run(x, children[:at])
    target = _several_targets(x, node) or target
    if target not in (UNKNOWN, (NAME, "_")):
        kind = "=" if x.text(children[at]) == "=" else "+="
        x.assign(node, target, run(x, children[at + 1 :]), kind)


def _leave(x: Extraction, node: Node, capture: str) -> None:
    value = run(x, behind(node, "return"))
    if value != UNKNOWN:
        x.leave(node, value)


def _assign_for(x: Extraction, node: Node, capture: str) -> None:
    payload, items = child(node, "PtrListPayload", "Payload", "PtrPayload"), child(node, "ForArgumentsList")
    if payload is None or items is None:
        return
    names = [part for part in payload.named_children if part.type == "IDENTIFIER"]
    for name, item in zip(names, parts(items), strict=False):
        counted = child(item, "..") is not None
        _bind(x, name, UNKNOWN if counted else (ELEMENT, run(x, item.children)), "for")


def _assign_payload(x: Extraction, node: Node, capture: str) -> None:
    """`if (x) |y|`: what is there."""
    name = child(child(node, "PtrPayload", "Payload"), "IDENTIFIER")
    if name is not None:
        held = [part for part in behind(node, "(") if part.type not in ("PtrPayload", "Payload", "WhileContinueExpr")]
        _bind(x, name, run(x, held))


def _assign_prong(x: Extraction, node: Node, capture: str) -> None:
    """`.a => |y|`: the field of a union."""
    name = child(child(node, "PtrIndexPayload", "PtrPayload"), "IDENTIFIER")
    around, cases = node.parent, child(node, "SwitchCase")
    if name is None or around is None or cases is None:
        return
    subject = _subject(x, around)
    fields = [x.text(item).strip().removeprefix(".") for item in parts(cases) if item.type == "SwitchItem"]
    options: tuple[Expr, ...] = tuple((ATTRIBUTE, subject, field) for field in fields if field.isidentifier())
    _bind(x, name, options[0] if len(options) == 1 else (UNION, options) if options else subject)


def _subject(x: Extraction, switch: Node) -> Expr:
    """What a `switch` looks at; once for all its prongs, of which there can be thousands."""
    known: dict[int, Expr] = x.memo.setdefault("subjects", {})
    if switch.id not in known:
        known[switch.id] = run(x, behind(switch, "(", ")"))
    return known[switch.id]


def _assign_error(x: Extraction, node: Node, capture: str) -> None:
    """`catch |err|`, `else |err|`: a name for what no function belongs to."""
    name = child(node, "IDENTIFIER")
    if name is not None and (node.parent is None or node.parent.type not in ("ForPrefix", "IfPrefix", "WhilePrefix")):
        _bind(x, name, UNKNOWN)


def _bind(x: Extraction, name: Node, value: Expr, kind: str = "declare") -> None:
    if x.text(name) != "_":
        x.assign(name, (NAME, name_text(x, name)), value, kind)


def is_call(x: Extraction, node: Node) -> bool:
    """Functions of the compiler run nothing, but for `@call`."""
    before = node.prev_named_sibling
    return before is None or before.type != "BUILTINIDENTIFIER" or x.text(before) == "@call"


def _call(x: Extraction, node: Node, capture: str) -> None:
    if not x.numbered(node):
        return
    given = listed(x, node)
    before = node.prev_named_sibling
    if before is not None and before.type == "BUILTINIDENTIFIER":  # `@call(.auto, f, .{ a, b })`
        rest: tuple[Expr, ...] = given[2][1] if len(given) == 3 and given[2][0] == SEQUENCE else ()
        x.record_call(node, given[1] if len(given) > 1 else UNKNOWN, rest)
    else:
        x.record_call(node, called(x, node), given)


def _import(x: Extraction, node: Node, capture: str) -> None:
    arguments = node.next_named_sibling
    if x.text(node) != "@import" or arguments is None or arguments.type != "FnCallArguments":
        return
    value = node.parent.parent if node.parent is not None else None
    variable = value.parent if value is not None else None
    if variable is not None and variable.type == "Decl" and child(variable, "usingnamespace") is not None:
        return
    found = _import_of(x, variable) if variable is not None and variable.type == "VarDecl" else None
    name = child(variable, "IDENTIFIER")
    if variable is None or found is None or name is None:
        x.import_(node, imported(x, arguments))
    else:
        x.import_(variable, *found, name_text(x, name))


def _import_all(x: Extraction, node: Node, capture: str) -> None:
    builtins = [part for part in node.named_children if part.type == "ErrorUnionExpr"]
    suffix = named_part(builtins[0]) if builtins else None
    builtin, arguments = child(suffix, "BUILTINIDENTIFIER"), child(suffix, "FnCallArguments")
    if builtin is not None and arguments is not None and x.text(builtin) == "@import":
        x.import_(node, imported(x, arguments), "*")


HOOKS: Final[Mapping[str, Hook]] = {
    "call": _call,
    "assignment": _assign_values,
    "assignment.declare": _assign_declared,
    "assignment.field": _assign_field,
    "assignment.for": _assign_for,
    "assignment.payload": _assign_payload,
    "assignment.prong": _assign_prong,
    "assignment.error": _assign_error,
    "return": _leave,
    "import": _import,
    "import.all": _import_all,
}
