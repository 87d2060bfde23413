"""Where Dart's values go: declarations, assignments, loops, patterns, initialisers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, LITERAL, NAME, SUBSCRIPT, TYPED, UNKNOWN, Expr
from loregraph.indexer.languages.dart.expressions import behind, cascaded, read_run, run
from loregraph.indexer.languages.dart.types import nodes_behind, typed
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import child, parts

if TYPE_CHECKING:
    from tree_sitter import Node

_BEFORE = frozenset(
    (
        "type_identifier type_arguments nullable_type function_type record_type inferred_type final_builtin "
        "const_builtin late ."
    ).split()
)
_BINDS = frozenset({"constant_pattern", "variable_pattern", "identifier"})


_after_sign, _value = behind("="), run("value")


def _declare(x: Extraction, node: Node, type_: Expr | None) -> None:
    for declared in parts(node):
        name = child(declared, "identifier")
        if name is not None:
            x.assign(declared, (NAME, x.text(name)), _after_sign(x, declared), "declare", type_)


def _type_before(x: Extraction, node: Node) -> Expr | None:
    before: list[Node] = []
    previous = node.prev_sibling
    while previous is not None and previous.type in _BEFORE:
        before.append(previous)
        previous = previous.prev_sibling
    return typed(x, reversed(before))


def assign_top(x: Extraction, node: Node, capture: str) -> None:
    """`final Foo a = b, c;` at the top level: its type stands before the list."""
    _declare(x, node, _type_before(x, node))


def assign_field(x: Extraction, node: Node, capture: str) -> None:
    around = node.parent
    _declare(x, node, typed(x, around.children[: around.children.index(node)]) if around is not None else None)


def assign_local(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    type_ = typed(x, node.children)
    if name is not None:
        _local(x, node, x.text(name), _value(x, node), "declare", type_)
    for more in node.named_children:
        if more.type == "initialized_identifier":
            held = child(more, "identifier")
            if held is not None:
                _local(x, more, x.text(held), _after_sign(x, more), "declare", type_)


def assign_cascade(x: Extraction, node: Node, capture: str) -> None:
    if any(c.type == "=" for c in node.children):
        x.assign(node, cascaded(x, node), _after_sign(x, node))


def assign_for(x: Extraction, node: Node, capture: str) -> None:
    name = node.child_by_field_name("name")
    value: Expr = (ELEMENT, _value(x, node))
    if name is not None:
        _local(x, node, x.text(name), value, "for", typed(x, node.children))
    else:
        _bind_held(x, node, value)


def assign_catch(x: Extraction, node: Node, capture: str) -> None:
    """`on Foo catch (e)`: the type stands before the clause."""
    name = child(child(node, "catch_parameters"), "identifier")
    type_ = _type_before(x, node)
    if name is not None:
        x.assign(node, (NAME, x.text(name)), (TYPED, type_ or UNKNOWN, UNKNOWN), "except", type_)


def assign_alias(x: Extraction, node: Node, capture: str) -> None:
    """`typedef Name = Type`; a name for a function type stands for nothing of the project."""
    name = child(node, "type_identifier")
    type_ = typed(x, nodes_behind(node, "="))
    if name is not None and type_ is not None and type_[0] in (NAME, ATTRIBUTE, SUBSCRIPT):
        x.assign(node, (NAME, x.text(name)), type_[1] if type_[0] == SUBSCRIPT else type_, "declare")


def assign_pattern(x: Extraction, node: Node, capture: str) -> None:
    _bind_held(x, node, _after_sign(x, node))


def _bind_held(x: Extraction, node: Node, value: Expr) -> None:
    """Binds the names of the pattern that a node holds, if any."""
    held = next((part for part in node.named_children if part.type.endswith("_pattern")), None)
    if held is not None:
        bind_pattern(x, held, value)


def assign_tested(x: Extraction, node: Node, capture: str) -> None:
    """What holds in a branch: `if (a is Foo)` makes `a` one, `if (a case Foo(:var b))` binds the pattern's names."""
    around = node.parent
    stack = parts(around)[:1]
    while stack:
        held = stack.pop()
        if held.type in ("logical_and_expression", "parenthesized_expression"):
            stack += held.named_children
        elif held.type == "type_test_expression":
            _narrow(x, held, node)
    before: list[Node] = []
    for held in around.children if around is not None else ():
        if held.type.endswith("_pattern"):
            bind_pattern(x, held, read_run(x, before))
            break
        before.append(held)


def _narrow(x: Extraction, test: Node, branch: Node) -> None:
    """Only local variables: a field that is bound here would hide the field elsewhere in the function."""
    tested = parts(test)
    operator = child(tested[-1], "is_operator")
    if len(tested) != 2 or tested[0].type != "identifier" or operator is None or operator.child_count > 1:
        return
    type_ = typed(x, [c for c in tested[1].children if c.type != "is_operator"])
    name = x.text(tested[0])
    if type_ is not None and _is_local(x, name):
        x.assign(branch, (NAME, name), (TYPED, type_, (NAME, name)), "declare", type_)


def _is_local(x: Extraction, name: str) -> bool:
    if x.scope < 0:
        return False
    local: dict[int, set[str]] = x.memo.setdefault("locals", {})
    return name in local.get(x.scope, ()) or any(p.name == name for p in x.definitions[x.scope].parameters)


def _local(x: Extraction, node: Node, name: str, value: Expr, kind: str, type_: Expr | None) -> None:
    local: dict[int, set[str]] = x.memo.setdefault("locals", {})
    local.setdefault(x.scope, set()).add(name)
    x.assign(node, (NAME, name), value, kind, type_)


def bind_pattern(x: Extraction, node: Node, value: Expr, depth: int = 0) -> None:
    """Binds the names of a pattern: records by position, everything else without knowing what it takes apart."""
    held = parts(node) if depth <= MAX_EXPRESSION_DEPTH else []
    if node.type == "record_pattern":
        for number, part in enumerate(held):
            bind_pattern(
                x, part, UNKNOWN if value == UNKNOWN else (SUBSCRIPT, value, (LITERAL, "int", str(number))), depth + 1
            )
    elif node.type == "list_pattern":
        for part in held:
            bind_pattern(x, part, UNKNOWN if value == UNKNOWN else (ELEMENT, value), depth + 1)
    elif node.type in _BINDS:
        name = node if node.type == "identifier" else child(node, "identifier")
        type_ = typed(x, node.children)
        if name is not None and x.text(name) not in ("", "_"):
            _local(x, node, x.text(name), value, "declare", type_)
    elif node.type == "object_pattern":
        _bind_fields(x, held, value, depth + 1)
    elif node.type in ("map_pattern", "cast_pattern", "null_check_pattern", "null_assert_pattern"):
        for part in held:
            if part.type.endswith("_pattern"):
                bind_pattern(x, part, UNKNOWN if node.type == "map_pattern" else value, depth + 1)


def _bind_fields(x: Extraction, held: list[Node], value: Expr, depth: int) -> None:
    """`Foo(a: var b, :final c)`: members of what is taken for a `Foo`."""
    type_ = typed(x, held)
    whole: Expr = value if type_ is None else (TYPED, type_, value)
    field = ""
    for part in held:
        if part.type == "identifier":
            field = x.text(part)
        elif part.type.endswith("_pattern"):
            own = child(part, "identifier")
            named = field or (x.text(own) if own is not None else "")
            bind_pattern(x, part, (ATTRIBUTE, whole, named) if named else UNKNOWN, depth)
            field = ""
