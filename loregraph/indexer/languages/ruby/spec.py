"""Ruby's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    FILLED,
    LITERAL,
    NAME,
    PARENT,
    RECEIVER,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, leaves
from loregraph.indexer.languages.lowering import filled_in, named_part, parts
from loregraph.indexer.languages.rows import at, together
from loregraph.indexer.languages.ruby.definitions import read_header, read_parameters
from loregraph.indexer.languages.ruby.expressions import COMMENTS, EXPRESSIONS, arguments, bare, bound
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_SILENT = frozenset(
    {"include", "prepend", "extend", "private", "public", "protected", "module_function", "private_class_method"}
    | {"lambda", "proc", "define_method", "attr_reader", "attr_writer", "attr_accessor", "alias_method", "autoload"}
    | {"private_constant", "using", "refine"}
)
"""Calls that say something of the class or are a value themselves."""
_SENDS = frozenset({"send", "public_send", "__send__"})
_EACH = frozenset(
    "all? any? collect count detect each each_entry each_with_index each_with_object filter filter_map find find_all "
    "find_index flat_map group_by index_by map map! max_by min_by none? partition reject reject! reverse_each select "
    "select! sort_by sum take_while drop_while uniq".split()
)
"""Methods that hand each element of their receiver to their block."""
_SAME = frozenset({"tap", "then", "yield_self"})
"""Methods that hand their receiver itself to their block."""
_NO_VALUE = frozenset(
    {"method_parameters", "block_parameters", "lambda_parameters", "optional_parameter", "keyword_parameter"}
    | {"splat_parameter", "hash_splat_parameter", "block_parameter", "destructured_parameter", "exception_variable"}
    | {"left_assignment_list", "destructured_left_assignment", "rest_assignment", "alias", "undef", "as_pattern"}
    | {"array_pattern", "hash_pattern", "keyword_pattern", "find_pattern", "in_clause", "setter"}
)
"""What a name stands in where it is not read."""


def _call(x: Extraction, node: Node, capture: str) -> None:
    method, base = node.child_by_field_name("method"), node.child_by_field_name("receiver")
    listed = node.child_by_field_name("arguments")
    name = x.text(method) if method is not None else "call"
    if base is None and _says(x, node, name, listed):
        return
    around = node.parent
    if around is not None and around.type == "assignment":
        target = around.child_by_field_name("left")
        if target is not None and target.id == node.id:
            return  # `a.b = c` calls the writer: see `_assign`
    positional, named = arguments(x, listed)
    if method is not None and method.type == "super":
        x.record_call(node, _above(x), positional, named)
        return
    receiver: Expr | None = x.lower(base) if base is not None else None
    if receiver == (RECEIVER,) and name == "class":
        return
    if name == "new":
        x.record_call(node, receiver or (RECEIVER,), positional, named, "new")
        return
    if name in _SENDS and positional and positional[0][0] == LITERAL and positional[0][2]:
        name, positional = positional[0][2], positional[1:]
    elif name in _SENDS and (sent := _put_together(x, listed)) is not None:
        x.record_call(node, (SUBSCRIPT, receiver or (RECEIVER,), sent), positional[1:], named)
        return
    x.record_call(node, (NAME, name) if receiver is None else (ATTRIBUTE, receiver, name), positional, named)
    if receiver is not None and name in _EACH:
        _each_sent(x, listed, receiver)


def _put_together(x: Extraction, listed: Node | None) -> Expr | None:
    """The name in `send("on_#{name}")`, as far as it is written."""
    first = next(iter(parts(listed)), None)
    if first is None or first.type not in ("string", "delimited_symbol"):
        return None
    name = filled_in("".join([FILLED if c.type == "interpolation" else x.text(c) for c in parts(first)]))
    return name if name[1] == "format" else None


def _each_sent(x: Extraction, listed: Node | None, receiver: Expr) -> None:
    """`items.map(&:price)`: calls `price` on each."""
    given = next((a for a in parts(listed) if a.type == "block_argument"), None)
    symbol = named_part(given)
    if symbol is not None and symbol.type == "simple_symbol":
        x.record_call(symbol, (ATTRIBUTE, (ELEMENT, receiver), x.text(symbol).lstrip(":")))


def _says(x: Extraction, node: Node, name: str, listed: Node | None) -> bool:
    """Whether a call without a receiver is a declaration; records what it declares."""
    given = parts(listed)
    if name in ("require", "require_relative", "load"):
        text = x.lower(given[0]) if given else UNKNOWN
        if text[0] == LITERAL and text[2]:
            relative = name == "require_relative" or text[2].startswith(".")
            written = text[2] if text[2].endswith(".rb") else f"{text[2]}.rb"
            x.import_(node, written if relative else f"<{written}>", kind="include")
        return True
    if name.startswith("attr_") and name in _SILENT:
        for attribute in given:
            text = x.lower(attribute)
            if text[0] == LITERAL and text[2] and name != "attr_writer":
                x.assign(attribute, (NAME, text[2]), (ATTRIBUTE, (RECEIVER,), f"@{text[2]}"), "declare")
    elif name == "alias_method" and len(given) == 2:
        new, old = x.lower(given[0]), x.lower(given[1])
        if new[0] == old[0] == LITERAL:
            x.assign(node, (NAME, new[2]), (NAME, old[2]), "declare")
    elif name == "raise":
        if given:
            x.leave(node, x.lower(given[0]), "throw")
        return True
    return name in _SILENT


def _above(x: Extraction) -> Expr:
    """The method that `super` runs: that of the same name further up."""
    scope = x.scope
    while scope >= 0 and x.definitions[scope].kind == "lambda":
        scope = x.definitions[scope].parent
    return (ATTRIBUTE, (PARENT,), x.definitions[scope].name) if scope >= 0 else UNKNOWN


def _super(x: Extraction, node: Node, capture: str) -> None:
    if node.parent is None or node.parent.type != "call":
        x.record_call(node, _above(x))


def _bare(x: Extraction, node: Node, capture: str) -> None:
    """A name on its own that no other fact has read yet."""
    around = node.parent
    if around is None or around.type in _NO_VALUE:
        return
    if around.type in ("method", "singleton_method", "call", "assignment", "operator_assignment", "for"):
        for field in ("method", "name", "left", "pattern"):
            held = around.child_by_field_name(field)
            if held is not None and held.id == node.id:
                return
    bare(x, node)


def _assign(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or x.definition_at(node) != UNKNOWN:
        return
    value = x.lower(right)
    x.assign(node, bound(x, left), value)
    if left.type == "call":
        method, base = left.child_by_field_name("method"), left.child_by_field_name("receiver")
        if method is not None and base is not None:
            x.record_call(node, (ATTRIBUTE, x.lower(base), f"{x.text(method)}="), (value,))


def _assign_operator(x: Extraction, node: Node, capture: str) -> None:
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None:
        value = x.lower(node.child_by_field_name("right"))
        kept = operator is not None and operator.type in ("||=", "&&=")
        x.assign(node, bound(x, left), value, "=" if kept else "+=")


def _assign_block(x: Extraction, node: Node, capture: str) -> None:
    """The parameters of a block that is no function of its own: variables of the method around it."""
    call = node.parent
    if call is None or x.definition_at(node) != UNKNOWN:
        return
    listed = parts(node.child_by_field_name("parameters"))
    method, base = call.child_by_field_name("method"), call.child_by_field_name("receiver")
    name = x.text(method) if method is not None else ""
    for number, parameter in enumerate(listed):
        target = bound(x, parameter)
        value: Expr = UNKNOWN
        if number == 0 and base is not None and name in _EACH:
            value = (ELEMENT, x.lower(base))
        elif number == 0 and base is not None and name in _SAME:
            value = x.lower(base)
        elif number == 1 and target[0] == NAME and base is not None and name in _EACH and "_with_" not in name:
            value = (SUBSCRIPT, x.lower(base), UNKNOWN)  # a hash's value
        if target[0] in (NAME, SEQUENCE):
            x.assign(parameter, target, value, "for" if value[0] == ELEMENT else "declare")


def _assign_for(x: Extraction, node: Node, capture: str) -> None:
    target, held = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    if target is not None:
        value = x.lower(named_part(held))
        x.assign(node, bound(x, target), (ELEMENT, value), "for")


def _method_name(x: Extraction, node: Node) -> Expr:
    return (NAME, x.text(node).strip(":"))


def _assign_rescue(x: Extraction, node: Node, capture: str) -> None:
    listed, variable = node.child_by_field_name("exceptions"), node.child_by_field_name("variable")
    types = tuple(x.lower(c) for c in parts(listed) if c.type in ("constant", "scope_resolution"))
    value: Expr = UNKNOWN
    if types:
        value = (TYPED, types[0] if len(types) == 1 else (UNION, types), UNKNOWN)
    held = named_part(variable)
    x.assign(node, bound(x, held) if held is not None else (NAME, ""), value, "except")


_NO_RESULT = frozenset(
    {"return", "rescue", "ensure", "method", "class", "module", "while", "until", "for", "else", "body_statement"}
    | {"comment", "singleton_method"}
)
_AFTER = frozenset({"comment", "rescue", "ensure", "else"})
"""What may follow the last statement of a body."""


def _last(x: Extraction, node: Node, capture: str) -> None:
    """A method gives what its last statement gives; so does a block that is a function of its own."""
    if node.type in _NO_RESULT or x.scope < 0:
        return
    if node.parent is not None and node.parent.type == "block_body" and x.definitions[x.scope].kind != "lambda":
        return
    following = node.next_named_sibling
    while following is not None:
        if following.type not in _AFTER:
            return
        following = following.next_named_sibling
    value = x.lower(node)
    if value != UNKNOWN:
        x.leave(node, value)


def _inner_from(node: Node) -> int:
    """Defaults of parameters run in the method, a superclass outside the class."""
    if node.type in ("class", "module"):
        body = node.child_by_field_name("body")
        return body.start_byte if body is not None else node.end_byte
    if node.type == "assignment":
        right = node.child_by_field_name("right")
        block = right.child_by_field_name("block") if right is not None else None
        return block.start_byte if block is not None else node.end_byte
    return node.start_byte


SPECS = {
    "ruby": LanguageSpec(
        name="ruby",
        grammar="ruby",
        queries=("ruby/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"call": "method"},
        assigned={"assignment": ("left", "right")},
        hooks={
            "call": _call,
            "call.super": _super,
            "reference.bare": _bare,
            "assignment": _assign,
            "assignment.operator": _assign_operator,
            "assignment.block": _assign_block,
            "assignment.for": _assign_for,
            "assignment.rescue": _assign_rescue,
            "assignment.alias": binds("declare", at("name", _method_name), at("alias", _method_name), needs="alias"),
            "return.given": leaves(at("0", together(SEQUENCE, "*"))),
            "return.last": _last,
        },
        parameters=read_parameters,
        header=read_header,
        comments=COMMENTS,
        inner_from=_inner_from,
    )
}
