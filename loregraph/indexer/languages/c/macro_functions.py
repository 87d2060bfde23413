"""Functions that macros define: `TEST(Suite, Name) {…}`, `PHP_FUNCTION(strlen) {…}`, `TEST_CASE("adds") {…}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import NAME
from loregraph.indexer.languages.c.declarators import Declared, first
from loregraph.indexer.languages.extraction import Header

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

NAMED_BY_MACRO: Final = "named by macro"
"""Key in `Extraction.memo` of the nodes whose parameters are a macro's arguments."""
_MACRO_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_TEST_MACRO: Final = re.compile(r"(^|_)TEST(_|$)|^(SCENARIO|BENCHMARK|FUZZ_TEST)$")
_FIXTURE_MACRO: Final = re.compile(r"TEST(_CASE)?_(F|P|FIXTURE|METHOD)|^TYPED_TEST|FIXTURE_TEST_CASE")
_MAX_NAME: Final = 80


def name_by_macro(x: Extraction, node: Node, shape: Declared, found: Header) -> None:
    """Names a function whose declaration is a macro in capitals, without a return type, by the macro's arguments."""
    if shape.function is None:
        return
    listed = shape.function.child_by_field_name("parameters")
    if _name(x, found.name, listed, found):
        x.memo.setdefault(NAMED_BY_MACRO, set()).add(node.id)


def named_by_type(x: Extraction, node: Node) -> Header | None:
    """`PHP_FUNCTION(strlen) {…}` as C's grammar reads it: a name in parentheses, of the type PHP_FUNCTION."""
    type_node, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    if type_node is None or declarator is None or declarator.type != "parenthesized_declarator":
        return None
    found = Header(kind="function", flags=("exported",), signature=x.folded(node).partition("{")[0].strip())
    return found if _name(x, x.text(type_node), declarator, found) else None


def named_by_call(x: Extraction, node: Node) -> Header | None:
    """A block outside any function right behind a call: `TEST_CASE("adds numbers") {…}`, C's `main() {…}`."""
    before = node.prev_named_sibling
    if before is None or not (before.type == "expression_statement" or before.is_error):
        return None
    call = first(before)
    if call is None or call.type != "call_expression":
        return None
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None or function.type != "identifier":
        return None
    name = x.text(function)
    found = Header(kind="function", flags=("exported",), signature=x.folded(call))
    if _name(x, name, arguments, found):
        return found
    if _MACRO_NAME.fullmatch(name) or any(c.type != "identifier" for c in arguments.named_children):
        return None
    found.name = name
    return found


def _name(x: Extraction, macro: str, listed: Node | None, found: Header) -> bool:
    """Fills the name, owner and flags of what `macro` makes of its arguments; False where it is no such macro."""
    arguments = [c for c in listed.named_children if c.type != "comment"] if listed is not None else []
    if not arguments or not _MACRO_NAME.fullmatch(macro):
        return False
    test = _TEST_MACRO.search(macro) is not None
    if test and "test" not in found.flags:
        found.flags = (*found.flags, "test")
    if arguments[0].type == "string_literal":
        found.name = x.text(arguments[0]).strip('"')[:_MAX_NAME]
        return bool(found.name)
    names = [x.text(argument) for argument in arguments]
    if not all(name.isidentifier() for name in names):
        return False
    found.name = names[0]
    if test and len(names) > 1:
        suite, found.name = (names[1], names[0]) if "FIXTURE" in macro else (names[0], names[1])
        found.owner_name = suite
        if _FIXTURE_MACRO.search(macro):
            found.owner = (NAME, suite)
            found.kind = "method"
    return True
