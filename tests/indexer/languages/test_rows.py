"""What languages say of their grammars is true of them: node types and fields that rows, tables and functions name are
there. A name that is not is code that never runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tree_sitter import Node
from tree_sitter_language_pack import get_language, get_parser

from loregraph.indexer import languages
from loregraph.indexer.facts import ATTRIBUTE, LITERAL, NAME, SEQUENCE, SUBSCRIPT, TYPED, UNION, UNKNOWN
from loregraph.indexer.languages import hooks, rows, spec_of
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import dotted, members
from loregraph.indexer.languages.registry import BY_NAME
from loregraph.indexer.languages.registry import FOLDERS as ALL_FOLDERS
from loregraph.indexer.languages.rows import TEXT
from loregraph.indexer.languages.selectors import mentioned
from loregraph.indexer.languages.spec import LanguageSpec

FAMILIES = {
    "c": ("c", "cpp"),
    "cpp": ("c", "cpp"),
    "objc": ("c", "cpp", "objc"),
    "cuda": ("c", "cpp", "cuda"),
} | dict.fromkeys(("javascript", "typescript"), ("javascript", "typescript", "tsx"))
"""Languages that read one another's code: what only one of their grammars has is right in all of them."""
FOLDERS = {name: folder for name, folder in ALL_FOLDERS.items() if not BY_NAME[name].holds}
"""Language → folder of those that have a grammar of their own."""
DEFAULTS = {field: LanguageSpec.__dataclass_fields__[field].default for field in ("comments", "annotations")}


def of_folder(folder: str) -> tuple[str, ...]:
    return FAMILIES.get(folder) or tuple(name for name, own in FOLDERS.items() if own == folder)


@cache
def kinds(folder: str) -> frozenset[str]:
    """The node types that the grammars of a folder's languages can make, with names and without."""
    found = set()
    for name in of_folder(folder):
        grammar = get_language(spec_of(name).grammar)
        ids = range(grammar.node_kind_count)
        found |= {grammar.node_kind_for_id(number) for number in ids if grammar.node_kind_is_visible(number)}
    return frozenset(kind for kind in found if kind) | {"ERROR"}


@cache
def fields(folder: str) -> frozenset[str]:
    found = set()
    for name in of_folder(folder):
        grammar = get_language(spec_of(name).grammar)
        found |= {grammar.field_name_for_id(number) for number in range(1, grammar.field_count + 1)}
    return frozenset(field for field in found if field)


def said(spec: LanguageSpec) -> Iterator[str]:
    """Fields, and node types with a colon before them, that the tables of a language name."""
    for kind, lowering in spec.expressions.items():
        yield f":{kind}"
        yield from mentioned(lowering)
    for hook in spec.hooks.values():
        yield from mentioned(hook)
    for read in (spec.parameters, spec.header, spec.docstring, spec.arguments):
        yield from mentioned(read)
    for table in ("comments", "annotations", "docstrings_in", "transparent", "assigned"):
        if getattr(spec, table) is not DEFAULTS.get(table):
            yield from (f":{kind}" for kind in getattr(spec, table))
    for kind, part in spec.called_name.items():
        yield f":{kind}"
        yield from () if part.lstrip("-").isdigit() else (part,)
    for pair in spec.assigned.values():
        yield from filter(None, pair)


@pytest.mark.parametrize("language", sorted(FOLDERS))
def test_tables_name_what_the_grammar_has(language: str) -> None:  # Verifies REQ-IDX-019
    folder = FOLDERS[language]
    known = fields(folder) | {f":{kind}" for kind in kinds(folder)}
    assert sorted(set(said(spec_of(language))) - known) == []


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, field or ":type") of what functions compare with node types and ask for by field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("child_by_field_name", "children_by_field_name"):
                yield from ((node.lineno, word) for word in strings(node.args[:1]))
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "type":
            yield from ((node.lineno, f":{word}") for word in strings(node.comparators))


def strings(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, (ast.Tuple, ast.Set, ast.List)):
            yield from strings(node.elts)


@pytest.mark.parametrize("folder", sorted(set(FOLDERS.values())))
def test_functions_name_what_the_grammar_has(folder: str) -> None:  # Verifies REQ-IDX-019
    [place] = languages.__path__
    known = fields(folder) | {f":{kind}" for kind in kinds(folder)}
    wrong = [
        f"{path.name}:{line} {word}"
        for path in sorted((Path(place) / folder).glob("*.py"))
        for line, word in literals(ast.parse(path.read_text()))
        if word not in known
    ]
    assert wrong == []


def node_in(source: str, kind: str) -> tuple[Extraction, Node]:
    """The first node of a type in a function of Go, and an extraction that can read it."""
    text = f"package a\nfunc f() {{\n{source}\n}}\n".encode()
    waiting = [get_parser("go").parse(text).root_node]
    while waiting:
        node = waiting.pop()
        if node.type == kind:
            return Extraction("a.go", text, spec_of("go")), node
        waiting += reversed(node.children)
    raise AssertionError(f"no {kind}")


def read(row: object, source: str, kind: str) -> object:
    x, node = node_in(source, kind)
    return rows.compiled(row)(x, node)


A, B, C = (NAME, "a"), (NAME, "b"), (NAME, "c")


@pytest.mark.parametrize(
    ("row", "source", "kind", "expected"),
    [
        ((ATTRIBUTE, "@operand", "$field!"), "a.b()", "selector_expression", (ATTRIBUTE, A, "b")),
        ((ATTRIBUTE, "@operand", "$index!"), "a.b()", "selector_expression", UNKNOWN),
        ((ATTRIBUTE, "@operand", "$index"), "a.b()", "selector_expression", (ATTRIBUTE, A, "")),
        (((ATTRIBUTE, "@operand", "$index!"),), "a.b()", "selector_expression", UNKNOWN),
        ("$", "a.b()", "selector_expression", "a.b"),
        ((SUBSCRIPT, "@index", "@operand"), "a[b]", "index_expression", (SUBSCRIPT, B, A)),
        ((SEQUENCE, "*"), "g(a, /* b */ c)", "argument_list", (SEQUENCE, (A, C))),
        ((SEQUENCE, "*arguments"), "g(a, b)", "call_expression", (SEQUENCE, (A, B))),
        ((SEQUENCE, "**arguments/^identifier"), "g(a, 1)", "call_expression", (SEQUENCE, ((LITERAL, "int", "1"),))),
        (("*", "@arguments/-1"), "g(a, b)", "call_expression", ("*", B)),
        ("@arguments/0", "g(/* a */ b, c)", "call_expression", B),
        ("@arguments/2", "g(a, b)", "call_expression", UNKNOWN),
        ("@label|operand", "a.b()", "selector_expression", A),
        ("%function", "a.b()", "call_expression", "selector_expression"),
        ("@:func_literal|function", "g(a)", "call_expression", (NAME, "g")),
        ("$arguments/0/?:func_literal", "g(a.b)", "call_expression", "a.b"),
        ("%arguments/0/?operand", "g(a.b)", "call_expression", "identifier"),
        (rows.each("arguments/*/?operand", "$"), "g(a.b, c)", "call_expression", ("a", "c")),
        ((NAME, "`operand!"), "a.b()", "selector_expression", A),
        ((NAME, "`index!"), "a.b()", "selector_expression", UNKNOWN),
        ("%", "a = -b", "unary_expression", "-"),
        ((LITERAL, "str", ("bool", "")), "a.b()", "call_expression", (LITERAL, "str", ("bool", ""))),
        (rows.choose("%operator", {"- +": "@operand"}, TEXT), "a = -b", "unary_expression", B),
        (rows.choose("%operator", {"- +": "@operand"}, TEXT), "a = !b", "unary_expression", TEXT),
        (rows.choose("$function", {"g h": "@arguments/0"}), "h(a)", "call_expression", A),
        (rows.choose("$function", {"g h": "@arguments/0"}), "i(a)", "call_expression", UNKNOWN),
        (rows.having("index", A, "@operand"), "b[c]", "index_expression", A),
        (rows.having("field", A, "@operand"), "b[c]", "index_expression", B),
        (rows.at("arguments", (SEQUENCE, "*")), "g(a)", "call_expression", (SEQUENCE, (A,))),
        (rows.at("index", "$", A), "g(a)", "call_expression", A),
        (rows.each("arguments/*", (TYPED, "$", B)), "g(a, c)", "call_expression", ((TYPED, "a", B), (TYPED, "c", B))),
        (rows.some(UNION, "*arguments"), "g()", "call_expression", UNKNOWN),
        (rows.some(UNION, "*arguments"), "g(a)", "call_expression", (UNION, (A,))),
        (rows.together(UNION, "*arguments"), "g(a)", "call_expression", A),
        (rows.together(UNION, "*arguments"), "g(a, b)", "call_expression", (UNION, (A, B))),
        (rows.together(UNION, "*arguments", known=True), "g(interface{}, b)", "call_expression", B),
        (rows.generic("@function", "*arguments"), "g()", "call_expression", (NAME, "g")),
        (rows.generic("@function", "*arguments"), "g(a)", "call_expression", (SUBSCRIPT, (NAME, "g"), A)),
        (rows.written_text("arguments/0"), "g(a)", "call_expression", (LITERAL, "str", "a")),
        (rows.written_text("arguments/0"), f"g({'a' * 65})", "call_expression", TEXT),
    ],
)
def test_rows(row: object, source: str, kind: str, expected: object) -> None:  # Verifies REQ-IDX-019
    assert read(row, source, kind) == expected


def test_a_key_of_a_table_may_be_several_types() -> None:  # Verifies REQ-IDX-019
    made = rows.lowerings({"a b": "@operand", "c": TEXT})
    assert sorted(made) == ["a", "b", "c"]
    x, node = node_in("a.b()", "selector_expression")
    assert made["a"](x, node) == made["b"](x, node) == A


def test_a_hook_records_what_its_rows_say_and_nothing_where_a_part_is_missing() -> None:  # Verifies REQ-IDX-019
    x, node = node_in("a, b = c, d", "assignment_statement")
    hooks.binds(hooks.by_sign(), "@left/0", "@right/0", type="@type")(x, node, "assignment")
    hooks.binds("declare", "@left/0", "@type!")(x, node, "assignment")
    hooks.binds("for", "@", needs="type")(x, node, "assignment")
    hooks.binds("for", "$", "%", each="left/*", ignoring=["a"])(x, node, "assignment")
    assert [(a.target, a.value, a.kind, a.type) for a in x.assignments] == [
        (A, C, "=", None),
        ("b", "", "for", None),
    ]


def test_names_are_members_of_members_up_to_a_limit() -> None:  # Verifies REQ-IDX-019
    assert members(["a"]) == A
    assert members(["a", "b", "c"]) == (ATTRIBUTE, (ATTRIBUTE, A, "b"), "c")
    assert dotted("a.b.c", 1) == (ATTRIBUTE, A, "b")


def test_hooks_leave_out_what_is_unknown_and_nodes_of_other_types() -> None:  # Verifies REQ-IDX-019
    x, node = node_in("a, b = c, d", "assignment_statement")
    hooks.binds("=", "@left/0", "@right/5", known=True)(x, node, "assignment")
    hooks.unless("assignment_statement", hooks.binds("=", "@left/0"))(x, node, "assignment")
    assert x.assignments == []
    hooks.unless("call_expression", hooks.binds("=", "@left/0", "@right/1", known=True))(x, node, "assignment")
    assert [(a.target, a.value) for a in x.assignments] == [(A, (NAME, "d"))]


def test_each_of_several_nodes_is_a_use_of_its_own() -> None:  # Verifies REQ-IDX-019
    x, node = node_in("g(a, 1, b)", "call_expression")
    hooks.refers(each="arguments/^int_literal")(x, node, "reference.type")
    hooks.refers("@operand!", each="arguments/*")(x, node, "reference.type")
    assert [(r.value, r.how) for r in x.references] == [(A, "type"), (B, "type")]


def test_a_call_takes_what_a_reader_of_arguments_gives() -> None:  # Verifies REQ-IDX-019
    x, node = node_in("g(a, h.b, c)", "call_expression")
    given = hooks.arguments("$field", "@operand!", each="arguments/*")
    hooks.calls("@function", given=given)(x, node, "call")
    hooks.calls("@operand!", given=given)(x, node, "call")
    assert [(c.function, c.arguments, c.keywords) for c in x.calls if c is not None] == [
        ((NAME, "g"), (), (("b", (NAME, "h")),))
    ]


def test_a_name_that_no_grammar_has_is_told() -> None:  # Verifies REQ-IDX-019
    row = rows.lowerings({"a": (ATTRIBUTE, "@oprand", rows.at(":slector/field", ("$", "%^comment")))})["a"]
    assert mentioned(row) == {"oprand", ":slector", "field", ":comment"}
