"""What Zig's expressions are. A type is an expression like any other.

The grammar has no node for most operators: an operand is a run of siblings (`*const Foo`, `Foo{ … }`), and within a
`SuffixExpr` whatever follows its first part is applied to what stands before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    DEFINED,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    OPERATION,
    RESULT,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import around, definition, integer, name
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, TEXT, choose, lowerings

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS: Final = frozenset({"line_comment", "doc_comment", "container_doc_comment"})
_LISTS: Final = frozenset({"SliceTypeStart", "ArrayTypeStart"})
_HANDED_ON: Final = frozenset({"@ptrCast", "@alignCast", "@constCast", "@volatileCast", "@addrSpaceCast"})
_ATTRIBUTES: Final = frozenset({"ByteAlign", "AddrSpace", "LinkSection", "CallConv"})
MAX_MEMBERS: Final = 40
"""Members of members that are followed: no code goes deeper."""
_GIVEN_UP: Final = frozenset({"return", "break", "continue"})


def name_text(x: Extraction, node: Node | None) -> str:
    """A name; `@"like this"` without its quotes."""
    return x.text(node).removeprefix('@"').removesuffix('"') if node is not None else ""


def parts(node: Node) -> list[Node]:
    """The named children that are no comment."""
    return [part for part in node.named_children if part.type not in COMMENTS]


def child(node: Node | None, *types: str) -> Node | None:
    """The first child of one of the types."""
    return next((part for part in node.children if part.type in types), None) if node is not None else None


def behind(node: Node, sign: str, *ends: str) -> list[Node]:
    """The children that follow a sign, up to one of the types `ends`."""
    children = iter(node.children)
    if not any(part.type == sign for part in children):
        return []
    return list(takewhile(lambda part: part.type not in ends, children))


def run(x: Extraction, nodes: Iterable[Node]) -> Expr:
    """What stands between two signs: `*const Foo`, `Foo{ … }`, a value."""
    held = [node for node in nodes if node.is_named and node.type not in COMMENTS]
    at = next((number for number, node in enumerate(held) if node.type != "PrefixTypeOp"), None)
    if at is None:
        return UNKNOWN
    expr = x.lower(held[at])
    literal = held[at + 1] if len(held) > at + 1 and held[at + 1].type == "InitList" else None
    if not at and literal is None:
        return expr
    type_ = _prefixed(held[:at], expr)
    return type_ if literal is None else (TYPED, as_type(type_), x.lower(literal))


def _prefixed(prefixes: Sequence[Node], expr: Expr) -> Expr:
    for prefix in reversed(prefixes[-MAX_EXPRESSION_DEPTH:]):
        start = child(prefix, "SliceTypeStart", "ArrayTypeStart", "PtrTypeStart")
        if start is not None and (start.type in _LISTS or child(start, "[") is not None):
            expr = (SUBSCRIPT, (NAME, "[]"), as_type(expr))
    return expr


def as_type(expr: Expr) -> Expr:
    """A type that a call or a definition gives, written as one with arguments that say nothing."""
    return (SUBSCRIPT, expr, UNKNOWN) if expr[0] in (RESULT, DEFINED) else expr


def type_run(x: Extraction, nodes: Iterable[Node]) -> Expr | None:
    """A written type; None for `anytype` and where there is none."""
    expr = run(x, nodes)
    return None if expr == UNKNOWN else as_type(expr)


def listed(x: Extraction, node: Node) -> tuple[Expr, ...]:
    """What stands between commas."""
    found: list[Expr] = []
    held: list[Node] = []
    for part in node.children:
        if part.type == ",":
            found.append(run(x, held))
            held = []
        elif part.is_named and part.type not in COMMENTS:
            held.append(part)
    return (*found, run(x, held)) if held else tuple(found)


def container_of(node: Node | None) -> Node | None:
    """The type around a node: a container, else the file."""
    types = ("ContainerDecl", "source_file")
    return node if node is not None and node.type in types else around(node, *types)


def _folded(x: Extraction, node: Node, before: dict[int, Expr]) -> Expr:
    """The parts of a `SuffixExpr` applied one after the other; `before` takes what stands before each call."""
    expr: Expr = UNKNOWN
    builtin = ""
    members = 0
    for part in node.children:
        kind = part.type
        if kind == "BUILTINIDENTIFIER":
            builtin = x.text(part)
        elif kind == "FnCallArguments":
            before[part.id] = expr
            expr = _built(x, builtin, part) if builtin else x.call_at(part)
            builtin, members = "", 0
        elif kind == "FieldOrFnCall":
            arguments, named = child(part, "FnCallArguments"), child(part, "IDENTIFIER")
            members += 1
            member = (ATTRIBUTE, expr, name_text(x, named)) if named is not None and members < MAX_MEMBERS else UNKNOWN
            if arguments is not None:
                before[arguments.id] = member
                member, members = x.call_at(arguments), 0
            expr = member
        elif kind == "SuffixOp":
            members += 1
            expr = _subscript(x, expr, part) if members < MAX_MEMBERS else UNKNOWN
        elif kind == "InitList" and expr != UNKNOWN:
            expr = (TYPED, as_type(expr), x.lower(part))
        elif kind == "IDENTIFIER" and part == node.child_by_field_name("field_constant"):
            expr = _constant(x, node, part)
        elif part.is_named and kind not in COMMENTS:
            expr = x.lower(part)
    return expr


def called(x: Extraction, arguments: Node) -> Expr:
    """What a call's arguments are given to."""
    held = arguments.parent
    if held is not None and held.type == "FieldOrFnCall":
        held = held.parent
    if held is None:
        return UNKNOWN
    known: dict[int, dict[int, Expr]] = x.memo.setdefault("before", {})
    if held.id not in known:
        before = known[held.id] = {}
        _folded(x, held, before)
    return known[held.id].get(arguments.id, UNKNOWN)


def _subscript(x: Extraction, base: Expr, part: Node) -> Expr:
    if child(part, "[") is None or child(part, "..") is not None:
        return base  # `.*`, `.?`, a slice
    return (SUBSCRIPT, base, run(x, part.children))


def _constant(x: Extraction, node: Node, named: Node) -> Expr:
    """`.init`, where the type is written beside it or is what the function gives."""
    place = node.parent
    while place is not None and (place.type == "ErrorUnionExpr" or place.type == "UnaryExpr"):
        place = place.parent
    type_: Expr | None = None
    if place is not None and place.type in ("VarDecl", "ContainerField"):
        type_ = written_type(x, place)
    elif place is not None and place.type == "AssignExpr" and child(place, "return") is not None:
        function = child(around(place, "Decl", "ContainerDecl", "TestDecl"), "FnProto")
        type_ = result_type(x, function) if function is not None else None
    return (ATTRIBUTE, type_, name_text(x, named)) if type_ is not None else UNKNOWN


def written_type(x: Extraction, node: Node) -> Expr | None:
    """The type behind the colon of a declaration."""
    return type_run(x, behind(node, ":", "=", ";", ","))


def result_type(x: Extraction, proto: Node) -> Expr | None:
    """What a function gives; None for `type`: the type itself is what it returns."""
    held = [part for part in behind(proto, "ParamDeclList") if part.type not in _ATTRIBUTES]
    type_ = type_run(x, held)
    return None if type_ == (NAME, "type") else type_


def _built(x: Extraction, builtin: str, arguments: Node) -> Expr:
    """What a function of the compiler gives."""
    if builtin == "@This":
        container = container_of(arguments)
        return x.definition_at(container) if container is not None else UNKNOWN
    if builtin == "@import":
        return (MODULE, imported(x, arguments))
    if builtin == "@call":
        return x.call_at(arguments)
    given = listed(x, arguments)
    if builtin == "@as" and len(given) == 2:
        return (TYPED, as_type(given[0]), given[1])
    if builtin == "@field" and len(given) == 2 and given[1][:2] == (LITERAL, "str") and given[1][2]:
        return (ATTRIBUTE, given[0], given[1][2])
    return given[0] if builtin in _HANDED_ON and given else UNKNOWN


def imported(x: Extraction, arguments: Node) -> str:
    return x.text(arguments).strip("() \n\t,").strip('"')


def _literal(x: Extraction, node: Node) -> Expr:
    """`.{ .a = 1 }`, `.{ 1, 2 }`."""
    fields = [part for part in parts(node) if part.type == "FieldInit"]
    if not fields:
        return (SEQUENCE, listed(x, node))
    names = [name_text(x, field.child_by_field_name("field_member")) for field in fields]
    values = [run(x, behind(field, "=")) for field in fields]
    return (MAPPING, tuple(((LITERAL, "str", key), value) for key, value in zip(names, values, strict=True)))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    # Where the parser had to make an operator up, it has no text.
    sign = next(iter(x.text(operator).split()), "").partition("|")[0] if operator is not None else ""
    left = _operand(x, node)
    behind_ = node.children_by_field_name("right")
    right = UNKNOWN if any(part.type in _GIVEN_UP for part in behind_) else run(x, behind_)
    if sign in ("orelse", "catch"):
        return left if right == UNKNOWN else (UNION, (left, right))
    return (OPERATION, sign, left, right)


def _operand(x: Extraction, node: Node) -> Expr:
    return run(x, node.children_by_field_name("left"))


def _conditional(x: Extraction, node: Node) -> Expr:
    runs: list[list[Node]] = [[]]
    for part in node.children:
        if part.type == "else":
            runs.append([])
        elif part.type not in ("IfPrefix", "Payload"):
            runs[-1].append(part)
    options = tuple(run(x, held) for held in runs if held and held[0].type not in _GIVEN_UP)
    return (UNION, options) if len(options) > 1 else options[0] if options else UNKNOWN


def _statement(x: Extraction, node: Node) -> Expr:
    """A statement that is a value: what a prong gives."""
    leaves = node.child_count and node.children[0].type in _GIVEN_UP
    return UNKNOWN if leaves or child(node, "AssignOp") is not None else run(x, node.children)


def _string(x: Extraction, node: Node) -> Expr:
    text = x.text(node)[1:-1]
    return (LITERAL, "str", text if len(text) <= MAX_LITERAL and "\\" not in text else "")


EXPRESSIONS: Final = lowerings(
    {
        "IDENTIFIER": (NAME, name_text),
        "BuildinTypeExpr": name,
        "ErrorUnionExpr": "@-1",  # `E!T`: what is there where all went well
        "SuffixExpr": lambda x, node: _folded(x, node, {}),
        "GroupedExpr": lambda x, node: run(x, node.children),
        "InitList": _literal,
        "ContainerDecl ErrorSetDecl": definition,
        "BinaryExpr": _binary,
        "UnaryExpr": choose("$operator", {"try & await": _operand, "!": BOOLEAN}),
        "IfExpr IfTypeExpr": _conditional,
        "SwitchExpr": (UNION, "**:SwitchProng/:AssignExpr"),
        "AssignExpr": _statement,
        "INTEGER": integer,
        "FLOAT": FLOAT,
        "CHAR_LITERAL": (LITERAL, "int", ""),
        "STRINGLITERALSINGLE": _string,
        "LINESTRING": TEXT,
    }
)
