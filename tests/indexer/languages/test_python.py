"""Python: fixtures that assert themselves, and what only Python does."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages.python.annotations import lower_annotation_text
from tests.indexer.languages.carets import FIXTURES, failures

FILES = sorted((FIXTURES / "python").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "python", "#") == []


def facts_of(text: str, path: str = "shop/cart.py") -> FileFacts:
    return extract(path, text.encode(), "python")


def by_ast(text: str) -> Counter[tuple[str, int, int | None]]:
    """(qualified name, first line with decorators, last line) of every function and class, as `ast` sees them."""
    found: Counter[tuple[str, int, int | None]] = Counter()

    def visit(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{around}{child.name}"
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                found[name, first, child.end_lineno] += 1
                visit(child, f"{name}.")
            else:
                visit(child, around)

    visit(ast.parse(text), "")
    return found


SOURCES = [Path(__file__), *sorted(Path(__file__).parents[3].joinpath("loregraph").rglob("*.py"))]


# Verifies REQ-IDX-005.
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_our_own_sources_give_what_ast_finds(path: Path) -> None:
    text = path.read_text()
    facts = facts_of(text)
    assert facts.status == "indexed"
    parts = [
        ([p.partition("#")[0] for p in d.qualname.split(".") if not p.startswith("<")], d.start_line, d.end_line)
        for d in facts.definitions
        if d.kind != "lambda"
    ]
    assert Counter((".".join(names), start, end) for names, start, end in parts) == by_ast(text)


def test_comments_after_a_body_are_not_part_of_it() -> None:
    text = "def f():\n    g(\n        1,  # one\n    )\n    # about the next\n\n# outside\ndef g(): pass\n"
    facts = facts_of(text)
    assert [(d.name, d.start_line, d.end_line) for d in facts.definitions] == [("f", 1, 4), ("g", 8, 8)]


# Verifies REQ-GRA-002.
def test_names_met_twice_in_one_scope_are_numbered_and_their_insides_with_them() -> None:
    text = "class A:\n    def f(self): pass\n    def f(self): return lambda: 1\nclass A:\n    def f(self): pass\n"
    assert [d.qualname for d in facts_of(text).definitions] == [
        "A",
        "A.f",
        "A.f#2",
        "A.f#2.<lambda1>",
        "A#2",
        "A#2.f",
    ]


def test_defaults_and_annotations_run_outside_the_function_and_its_body_inside() -> None:
    facts = facts_of("def f(a=g(), b: h() = 1):\n    return k()\n")
    assert [(c.function[1], c.scope) for c in facts.calls] == [("g", -1), ("h", -1), ("k", 0)]


def test_tests_are_flagged_by_name_in_test_files_only() -> None:
    text = "def test_total(): pass\ndef helper(): pass\n"
    assert [("test" in d.flags) for d in facts_of(text, "tests/test_cart.py").definitions] == [True, False]
    assert [("test" in d.flags) for d in facts_of(text, "shop/cart.py").definitions] == [False, False]


def test_syntax_errors_are_problems_and_the_rest_of_the_file_is_there() -> None:
    facts = facts_of("def before(): pass\n\ndef broken(:\n    pass\n\n\ndef after(): pass\n")
    assert facts.status == "partial"
    assert (facts.problems[0].line, facts.problems[0].message) == (3, "syntax error: `(` is never closed")
    names = {d.name for d in facts.definitions}
    assert {"before", "after"} <= names


def test_dunder_all_is_kept_for_star_imports() -> None:
    assert facts_of("__all__ = ['a']\n__all__ += ('b',)\n").extras == {"all": ["a", "b"]}


def test_docstrings_of_module_class_and_function() -> None:
    facts = facts_of(
        '"""Module."""\n\nclass A:\n    r"""A\n    class."""\n\n    def f(self):\n        # why\n        "F."\n'
    )
    assert (facts.docstring, [d.docstring for d in facts.definitions]) == ("Module.", ["A\nclass.", "F."])


@pytest.mark.parametrize(
    ("text", "status", "calls"),
    [
        pytest.param("(" * 10_000 + ")" * 10_000, "indexed", 0, id="parentheses"),
        pytest.param("x = " + "[" * 5_000, "partial", 0, id="open brackets"),
        pytest.param("\n".join(" " * i + "if x:" for i in range(3_000)), "partial", 0, id="indented blocks"),
        pytest.param("x" + ".a" * 20_000 + "()", "indexed", 1, id="attribute chain"),
        pytest.param("f" + "()" * 20_000, "indexed", 1_000, id="call chain"),
        pytest.param(
            "from m import (" + ", ".join(f"n{i}" for i in range(2_000)) + ")", "indexed", 0, id="2,000 names"
        ),
        pytest.param(
            "x = {" + ", ".join(f"'k{i}': f{i}()" for i in range(20_000)) + "}", "indexed", 20_000, id="large literal"
        ),
        pytest.param("a = b = " * 3_000 + "1", "indexed", 0, id="chained assignment"),
        pytest.param("x = " + " + ".join("f()" for _ in range(10_000)), "indexed", 998, id="long sum"),
        pytest.param("\0" * 1000, "partial", 0, id="NUL"),
        pytest.param("\r".join(["def f():", "  pass", ""]), "indexed", 0, id="CR"),
    ],
)
def test_strange_files_end(text: str, status: str, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.calls)) == (status, calls)


def test_every_name_of_a_long_import_is_there() -> None:
    facts = facts_of("from m import (" + ", ".join(f"n{i}" for i in range(2_000)) + ")")
    assert [i.name for i in facts.imports] == [f"n{i}" for i in range(2_000)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Foo", ("n", "Foo")),
        ("a.B", ("a", ("n", "a"), "B")),
        ("List[Foo]", ("s", ("n", "List"), ("n", "Foo"))),
        ("Dict[str, Foo]", ("s", ("n", "Dict"), ("l", (("n", "str"), ("n", "Foo"))))),
        ("Foo | None", ("u", (("n", "Foo"), ("k", "none", "")))),
        ("not a type(", ("x",)),
        ("'Foo'", ("n", "Foo")),
    ],
)
def test_annotations_in_strings(text: str, expected: object) -> None:
    assert lower_annotation_text(text) == expected
