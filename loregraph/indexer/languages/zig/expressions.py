"""What Zig's expressions are. A type is an expression like any other.

The grammar has no node for most operators: an operand is a run of siblings (`*const Foo`, `Foo{ … }`), and within a
`SuffixExpr` whatever follows its first part is applied to what stands before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import floating, integer
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS: Final = frozenset({"line_comment", "doc_comment", "container_doc_comment"})
_LISTS: Final = frozenset({"SliceTypeStart", "ArrayTypeStart"})
_HANDED_ON: Final = frozenset({"@ptrCast", "@alignCast", "@constCast", "@volatileCast", "@addrSpaceCast"})
_ATTRIBUTES: Final = frozenset({"ByteAlign", "AddrSpace", "LinkSection", "CallConv"})
MAX_MEMBERS: Final = 40
"""Members of members that are followed: no code goes deeper."""
_GIVEN_UP: Final = frozenset({"return", "break", "continue"})


def name_text(x: Extraction, node: Node) -> str:
    """A name; `@"like this"` without its quotes."""
    return x.text(node).removeprefix('@"').removesuffix('"')


def parts(node: Node) -> list[Node]:
    """The named children that are no comment."""
    return [part for part in node.named_children if part.type not in COMMENTS]


def child(node: Node | None, *types: str) -> Node | None:
    """The first child of one of the types."""
    return next((part for part in node.children if part.type in types), None) if node is not None else None


def behind(node: Node, sign: str) -> list[Node]:
    """The children that follow a sign."""
    children = node.children
    found = next((number for number, part in enumerate(children) if part.type == sign), None)
    return [] if found is None else children[found + 1 :]


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
    return type_ if literal is None else ("t", as_type(type_), x.lower(literal))


def _prefixed(prefixes: Sequence[Node], expr: Expr) -> Expr:
    for prefix in reversed(prefixes[-MAX_EXPRESSION_DEPTH:]):
        start = child(prefix, "SliceTypeStart", "ArrayTypeStart", "PtrTypeStart")
        if start is not None and (start.type in _LISTS or child(start, "[") is not None):
            expr = ("s", ("n", "[]"), as_type(expr))
    return expr


def as_type(expr: Expr) -> Expr:
    """A type that a call or a definition gives, written as one with arguments that say nothing."""
    return ("s", expr, UNKNOWN) if expr[0] in ("c", "f") else expr


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
    while node is not None and node.type not in ("ContainerDecl", "source_file"):
        node = node.parent
    return node


def _suffix(x: Extraction, node: Node) -> Expr:
    return _folded(x, node, {})


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
            arguments, name = child(part, "FnCallArguments"), child(part, "IDENTIFIER")
            members += 1
            member = ("a", expr, name_text(x, name)) if name is not None and members < MAX_MEMBERS else UNKNOWN
            if arguments is not None:
                before[arguments.id] = member
                member, members = x.call_at(arguments), 0
            expr = member
        elif kind == "SuffixOp":
            members += 1
            expr = _subscript(x, expr, part) if members < MAX_MEMBERS else UNKNOWN
        elif kind == "InitList" and expr != UNKNOWN:
            expr = ("t", as_type(expr), x.lower(part))
        elif kind == "IDENTIFIER" and part == node.child_by_field_name("field_constant"):
            expr = _constant(x, node, part)
        elif part.is_named and kind not in COMMENTS:
            expr = x.lower(part)
    return expr


def called(x: Extraction, arguments: Node) -> Expr:
    """What a call's arguments are given to."""
    around = arguments.parent
    if around is not None and around.type == "FieldOrFnCall":
        around = around.parent
    if around is None:
        return UNKNOWN
    known: dict[int, dict[int, Expr]] = x.memo.setdefault("before", {})
    if around.id not in known:
        before = known[around.id] = {}
        _folded(x, around, before)
    return known[around.id].get(arguments.id, UNKNOWN)


def _subscript(x: Extraction, base: Expr, part: Node) -> Expr:
    if child(part, "[") is None or child(part, "..") is not None:
        return base  # `.*`, `.?`, a slice
    return ("s", base, run(x, part.children))


def _constant(x: Extraction, node: Node, name: Node) -> Expr:
    """`.init`, where the type is written beside it or is what the function gives."""
    place = node.parent
    while place is not None and (place.type == "ErrorUnionExpr" or place.type == "UnaryExpr"):
        place = place.parent
    type_: Expr | None = None
    if place is not None and place.type in ("VarDecl", "ContainerField"):
        type_ = written_type(x, place)
    elif place is not None and place.type == "AssignExpr" and child(place, "return") is not None:
        function = _function_around(place)
        type_ = result_type(x, function) if function is not None else None
    return ("a", type_, name_text(x, name)) if type_ is not None else UNKNOWN


def _function_around(node: Node | None) -> Node | None:
    while node is not None and (node.type != "Decl" or child(node, "FnProto") is None):
        node = None if node.type in ("ContainerDecl", "TestDecl") else node.parent
    return child(node, "FnProto")


def written_type(x: Extraction, node: Node) -> Expr | None:
    """The type behind the colon of a declaration."""
    held: list[Node] = []
    for part in behind(node, ":"):
        if part.type in ("=", ";", ","):
            break
        held.append(part)
    return type_run(x, held)


def result_type(x: Extraction, proto: Node) -> Expr | None:
    """What a function gives; None for `type`: the type itself is what it returns."""
    held = [part for part in behind(proto, "ParamDeclList") if part.type not in _ATTRIBUTES]
    type_ = type_run(x, held)
    return None if type_ == ("n", "type") else type_


def _built(x: Extraction, builtin: str, arguments: Node) -> Expr:
    """What a function of the compiler gives."""
    if builtin == "@This":
        container = container_of(arguments)
        return x.definition_at(container) if container is not None else UNKNOWN
    if builtin == "@import":
        return ("m", imported(x, arguments))
    if builtin == "@call":
        return x.call_at(arguments)
    given = listed(x, arguments)
    if builtin == "@as" and len(given) == 2:
        return ("t", as_type(given[0]), given[1])
    if builtin == "@field" and len(given) == 2 and given[1][:2] == ("k", "str") and given[1][2]:
        return ("a", given[0], given[1][2])
    return given[0] if builtin in _HANDED_ON and given else UNKNOWN


def imported(x: Extraction, arguments: Node) -> str:
    return x.text(arguments).strip("() \n\t,").strip('"')


def _literal(x: Extraction, node: Node) -> Expr:
    """`.{ .a = 1 }`, `.{ 1, 2 }`."""
    fields = [part for part in parts(node) if part.type == "FieldInit"]
    if not fields:
        return ("l", listed(x, node))
    return ("d", tuple((("k", "str", _field_name(x, field)), run(x, behind(field, "="))) for field in fields))


def _field_name(x: Extraction, field: Node) -> str:
    name = field.child_by_field_name("field_member")
    return name_text(x, name) if name is not None else ""


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    # Where the parser had to make an operator up, it has no text.
    sign = next(iter(x.text(operator).split()), "").partition("|")[0] if operator is not None else ""
    left = run(x, node.children_by_field_name("left"))
    behind_ = node.children_by_field_name("right")
    right = UNKNOWN if any(part.type in _GIVEN_UP for part in behind_) else run(x, behind_)
    if sign in ("orelse", "catch"):
        return left if right == UNKNOWN else ("u", (left, right))
    return ("b", sign, left, right)


def _unary(x: Extraction, node: Node) -> Expr:
    """`try x`, `&x` say nothing more; `!x` is true or false."""
    operator = node.child_by_field_name("operator")
    sign = x.text(operator) if operator is not None else ""
    if sign in ("try", "&", "await"):
        return run(x, node.children_by_field_name("left"))
    return ("k", "bool", "") if sign == "!" else UNKNOWN


def _conditional(x: Extraction, node: Node) -> Expr:
    runs: list[list[Node]] = [[]]
    for part in node.children:
        if part.type == "else":
            runs.append([])
        elif part.type not in ("IfPrefix", "Payload"):
            runs[-1].append(part)
    options = tuple(run(x, held) for held in runs if held and held[0].type not in _GIVEN_UP)
    return ("u", options) if len(options) > 1 else options[0] if options else UNKNOWN


def _switch(x: Extraction, node: Node) -> Expr:
    prongs = (child(prong, "AssignExpr") for prong in node.named_children if prong.type == "SwitchProng")
    return ("u", tuple(x.lower(prong) for prong in prongs if prong is not None))


def _statement(x: Extraction, node: Node) -> Expr:
    """A statement that is a value: what a prong gives."""
    leaves = node.child_count and node.children[0].type in _GIVEN_UP
    return UNKNOWN if leaves or child(node, "AssignOp") is not None else run(x, node.children)


def _union(x: Extraction, node: Node) -> Expr:
    """`E!T`: what is there where all went well."""
    held = parts(node)
    return x.lower(held[-1]) if held else UNKNOWN


def _string(x: Extraction, node: Node) -> Expr:
    text = x.text(node)[1:-1]
    return ("k", "str", text if len(text) <= MAX_LITERAL and "\\" not in text else "")


EXPRESSIONS: Final[Mapping[str, Lowering]] = {
    "IDENTIFIER": lambda x, node: ("n", name_text(x, node)),
    "BuildinTypeExpr": lambda x, node: ("n", x.text(node)),
    "ErrorUnionExpr": _union,
    "SuffixExpr": _suffix,
    "GroupedExpr": lambda x, node: run(x, node.children),
    "InitList": _literal,
    "ContainerDecl": lambda x, node: x.definition_at(node),
    "ErrorSetDecl": lambda x, node: x.definition_at(node),
    "BinaryExpr": _binary,
    "UnaryExpr": _unary,
    "IfExpr": _conditional,
    "IfTypeExpr": _conditional,
    "SwitchExpr": _switch,
    "AssignExpr": _statement,
    "INTEGER": integer,
    "FLOAT": floating,
    "CHAR_LITERAL": lambda x, node: ("k", "int", ""),
    "STRINGLITERALSINGLE": _string,
    "LINESTRING": lambda x, node: ("k", "str", ""),
}
