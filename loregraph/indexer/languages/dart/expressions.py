"""Dart's expressions and types, lowered.

The grammar writes `a.b(c).d` as a run of siblings: a primary, then selectors, then cascades. `read_run` goes through
such a run once; what each call in it is made on is noted for the call's hook.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    ELEMENT,
    LITERAL,
    MAPPING,
    NAME,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.dart.types import COMMENTS, groups, nodes_behind, type_list, typed
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction
from loregraph.indexer.languages.hooks import Given, arguments
from loregraph.indexer.languages.lowering import (
    call_result,
    child,
    definition,
    integer,
    is_read_twice,
    name,
    parent,
    parts,
    this,
)
from loregraph.indexer.languages.rows import BOOLEAN, FLOAT, NOTHING, at, each, having, lowerings, some
from loregraph.indexer.languages.selectors import one
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_SELECTORS = frozenset({"unconditional_assignable_selector", "conditional_assignable_selector", "nullable_selector"})
_FIRST = frozenset({"first", "last", "single", "firstOrNull", "lastOrNull", "singleOrNull"})
"""Properties of collections that give an element."""


# Runs


def read_run(x: Extraction, nodes: Iterable[Node]) -> Expr:
    """The value of the last run among `nodes`. Notes what every call and cascade in them is about."""
    primary: Node | None = None
    expr: Expr = UNKNOWN
    links = 0
    for node in nodes:
        type_ = node.type
        if not node.is_named or type_ in COMMENTS:
            continue
        selected = type_ == "selector" or type_ in _SELECTORS or type_ == "argument_part"
        if not selected and type_ != "cascade_section":
            primary, expr, links = node, UNKNOWN, 0
            continue
        if primary is not None:
            primary, expr = None, x.lower(primary)
        links += 1
        if links > MAX_EXPRESSION_DEPTH:
            expr = UNKNOWN
        if selected:
            expr = _select(x, expr, node)
        else:
            _cascade(x, expr, node)
    return expr if primary is None else x.lower(primary)


def _select(x: Extraction, base: Expr, node: Node) -> Expr:
    """`base` followed by one selector."""
    if node.type == "argument_part":
        functions(x)[node.id] = base
        return x.call_at(node)
    if node.type == "selector":
        held = child(node, "argument_part", *_SELECTORS)
        return base if held is None else _select(x, base, held)
    name = child(node, "identifier")
    if name is not None:
        return member(base, x.text(name))
    index = child(node, "index_selector")
    return (SUBSCRIPT, base, read_run(x, index.children)) if index is not None else base


def member(base: Expr, name: str) -> Expr:
    """`base.name`. `new` names the constructor that has no name; some properties of collections give elements."""
    if name == "new":
        return base
    if name in _FIRST and not is_read_twice(base):
        return (UNION, ((ATTRIBUTE, base, name), (ELEMENT, base)))
    if name == "values" and not is_read_twice(base):
        return (UNION, ((ATTRIBUTE, base, name), (SEQUENCE, ((SUBSCRIPT, base, UNKNOWN),))))
    return (ATTRIBUTE, base, name)


def _cascade(x: Extraction, base: Expr, node: Node) -> None:
    """`..a`, `..a(b)`, `..a.b = c`: notes its calls, and what its assignment writes to."""
    expr = base
    for part in node.named_children:
        if part.type == "cascade_selector":
            name = child(part, "identifier")
            if name is not None:
                expr = (ATTRIBUTE, base, x.text(name))
            else:
                index = child(part, "index_selector")
                expr = (SUBSCRIPT, base, read_run(x, index.children)) if index is not None else UNKNOWN
        elif part.type in _SELECTORS or part.type == "argument_part":
            expr = _select(x, expr, part)
        else:
            break
    targets: dict[int, Expr] = x.memo.setdefault("cascades", {})
    targets[node.id] = expr


def functions(x: Extraction) -> dict[int, Expr]:
    """What each `argument_part` that has been read calls."""
    found: dict[int, Expr] = x.memo.setdefault("functions", {})
    return found


def _note_run(x: Extraction, around: Node | None, seen: str) -> None:
    """Reads the run that stands in `around`, once."""
    known: set[int] = x.memo.setdefault(seen, set())
    if around is not None and around.id not in known:
        known.add(around.id)
        read_run(x, around.children)


def called(x: Extraction, node: Node) -> Expr:
    """What the arguments `node` are given to."""
    known = functions(x)
    found = known.get(node.id)
    if found is None:
        around = node.parent
        if around is not None and around.type == "selector":
            around = around.parent
        if around is not None and around.type == "cascade_section":
            around = around.parent
        _note_run(x, around, "runs")
        found = known.get(node.id, UNKNOWN)
    return found


def cascaded(x: Extraction, node: Node) -> Expr:
    """What an assignment in a cascade writes to."""
    known: dict[int, Expr] = x.memo.setdefault("cascades", {})
    if node.id not in known:
        _note_run(x, node.parent, "runs")
    return known.get(node.id, UNKNOWN)


def run(field: str) -> Lowering:
    """Reads the run that a field is: all its nodes have the field's name."""
    return lambda x, node: read_run(x, node.children_by_field_name(field))


def behind(token: str) -> Lowering:
    """Reads the run behind a token: `= value`, `=> value`."""
    return lambda x, node: read_run(x, nodes_behind(node, token))


def whole(x: Extraction, node: Node) -> Expr:
    return read_run(x, node.children)


def _unlabelled(x: Extraction, node: Node) -> Expr:
    """What an argument, or a record's field, gives."""
    return read_run(x, [part for part in node.children if part.type != "label"])


def _cast(x: Extraction, node: Node) -> Expr:
    cast = child(node, "type_cast")
    type_ = typed(x, cast.children) if cast is not None else None
    value = read_run(x, [c for c in node.children if c.type != "type_cast"])
    return value if type_ is None else (TYPED, type_, value)


def _list(x: Extraction, node: Node) -> Expr:
    items: list[Expr] = []
    for group in groups(c for c in node.children if c.type not in ("type_arguments", "const_builtin")):
        items += _elements(x, group)
    made: Expr = (SEQUENCE, tuple(items))
    written = child(node, "type_arguments")
    if written is not None:
        listed = type_list(x, written)
        if len(listed) == 1:
            return (TYPED, (SUBSCRIPT, (NAME, "List"), listed[0]), made)
    return made


def _elements(x: Extraction, group: list[Node], depth: int = 0) -> list[Expr]:
    """What one element of a collection adds: a value, a spread, what an `if` or `for` chooses."""
    only = group[0]
    if depth > MAX_EXPRESSION_DEPTH:
        return []
    if only.type == "spread_element":
        return [(SPREAD, read_run(x, only.children))]
    if only.type == "if_element":
        return [value for field in ("consequence", "alternative") for value in _element(x, only, field, depth + 1)]
    if only.type == "for_element":
        return _element(x, only, "body", depth + 1)
    return [read_run(x, group)]


def _element(x: Extraction, node: Node, field: str, depth: int) -> list[Expr]:
    group = node.children_by_field_name(field)
    return _elements(x, group, depth) if group else []


_key, _value = run("key"), run("value")


def _set_or_map(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for item in node.named_children:
        if item.type == "pair":
            pairs.append((_key(x, item), _value(x, item)))
        elif item.type == "spread_element" and pairs:
            pairs.append((UNKNOWN, read_run(x, item.children)))
    written = child(node, "type_arguments")
    listed = type_list(x, written) if written is not None else []
    made: Expr = (MAPPING, tuple(pairs)) if pairs or len(listed) != 1 else _list(x, node)
    if len(listed) == 2:
        return (TYPED, (SUBSCRIPT, (NAME, "Map"), (SEQUENCE, tuple(listed))), made)
    return made if pairs or listed or not parts(node) else _list(x, node)


def _string(x: Extraction, node: Node) -> Expr:
    text = x.text(node) if node.end_byte - node.start_byte <= MAX_LITERAL + 2 and not node.named_child_count else ""
    return (LITERAL, "str", text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[:3] != text[0] * 3 else "")


_ARGUMENTS = arguments("$:label/:identifier", _unlabelled)
_listed = one(":arguments")


def given(x: Extraction, node: Node) -> Given:
    """The positional and named arguments that a call is written with."""
    return _ARGUMENTS(x, _listed(x, node))


EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "type_identifier": name,
        "this": this,
        "super": parent,
        "new_expression": call_result,
        "const_object_expression": call_result,
        "constructor_invocation": call_result,
        "function_expression": definition,
        "lambda_expression": definition,
        "parenthesized_expression": whole,
        "postfix_expression": whole,
        "assignable_expression": whole,
        "constructor_tearoff": whole,
        "expression_statement": whole,
        "await_expression": (AWAITED, whole),
        "unary_expression": at(":prefix_operator", having(":negation_operator", BOOLEAN), whole),
        "conditional_expression": (UNION, (run("consequence"), run("alternative"))),
        "if_null_expression": (UNION, (run("first"), run("second"))),
        "switch_expression": some(UNION, each(":switch_expression_case", behind("=>"))),
        "type_cast_expression": _cast,
        "assignment_expression": run("right"),
        "list_literal": _list,
        "set_or_map_literal": _set_or_map,
        "record_literal": (SEQUENCE, each(SPREAD, _unlabelled)),
        "type_test_expression": BOOLEAN,
        "equality_expression": BOOLEAN,
        "relational_expression": BOOLEAN,
        "logical_and_expression": BOOLEAN,
        "logical_or_expression": BOOLEAN,
        "true": BOOLEAN,
        "false": BOOLEAN,
        "null_literal": NOTHING,
        "decimal_integer_literal": integer,
        "hex_integer_literal": integer,
        "decimal_floating_point_literal": FLOAT,
        "string_literal": _string,
    }
)
