"""C: fixtures that assert themselves, and what only C does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import Definition, FileFacts, decode, encode, is_node
from tests.indexer.languages.carets import FIXTURES, failures

FILES = sorted((FIXTURES / "c").glob("*.[ch]"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "c") == []


def facts_of(text: str, path: str = "src/main.c") -> FileFacts:
    return extract(path, text.encode(), "c")


def nodes(facts: FileFacts) -> list[str]:
    return [d.qualname for d in facts.definitions if is_node(d.kind, d.flags)]


def only(facts: FileFacts) -> Definition:
    assert len(facts.definitions) == 1
    return facts.definitions[0]


def test_prototypes_and_macros_have_no_node_and_take_no_number() -> None:
    facts = facts_of("int f(void);\n#define f(x) g(x)\nint f(int a) { return a; }\nint f(void);\nint g(int);")
    assert [(d.kind, d.qualname) for d in facts.definitions] == [
        ("function", "f"), ("macro", "f"), ("function", "f"), ("function", "f"), ("function", "g"),
    ]  # fmt: skip
    assert nodes(facts) == ["f"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct { int a; } x;", ["<struct1>"]),
        ("struct s { struct { int a; }; union u { int b; } c; };", ["s", "s.u"]),
        ("typedef struct s s;", []),
        ("typedef union { int a; } *handle;", ["handle"]),
        ("enum { A, B };", []),
        ("enum colour { RED };", ["colour"]),
        ("struct s;", []),
        ("struct s *f(void) { return 0; }", ["f"]),
    ],
)
def test_which_types_have_nodes(text: str, expected: list[str]) -> None:
    assert nodes(facts_of(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "int (*f)(int);",
        "static void (*const table[5][5])(void *) = {0};",
        "typedef int (*f)(int);",
        "typedef int f(int);",
        "void (*signal_handler)(int), *p;",
    ],
)
def test_pointers_to_functions_are_no_functions(text: str) -> None:
    assert facts_of(text).definitions == ()


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("int *(*f(int a))(char) { return 0; }", "f", ["a"]),
        ("int (f)(int a) { return 0; }", "f", ["a"]),
        ("main() { return 0; }", "main", []),
        ("int f(void) { return 0; }", "f", []),
        ("int printf_like(const char *format, ...) { return 0; }", "printf_like", ["format", ""]),
        ("void f(a, b) int a; struct s *b; {}", "f", ["a", "b"]),
        ("int f(int table[3], int (*callback)(void)) { return 0; }", "f", ["table", "callback"]),
    ],
)
def test_declarators_are_read_inside_out(text: str, name: str, parameters: list[str]) -> None:
    function = only(facts_of(text))
    assert (function.name, [p.name for p in function.parameters]) == (name, parameters)


def test_a_comment_behind_a_declaration_documents_nothing_below_it() -> None:
    assert only(facts_of("int a; /* about a */\nint f(void) { return a; }")).docstring == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PHP_FUNCTION(strlen) { go(); }", "strlen"),
        ("DEFINE_TEST(reads_utf8) { go(); }", "reads_utf8"),
        ('TEST_CASE("adds numbers") { go(); }', "adds numbers"),
        ("OPTIONS(a, 1) { go(); }", None),
    ],
)
def test_a_macro_in_capitals_names_the_function_that_it_defines(text: str, name: str | None) -> None:
    names = [d.name for d in facts_of(text).definitions]
    assert names == ([name] if name else [])


@pytest.mark.parametrize("path", ["tests/io.c", "src/test_io.c", "src/io-test.c"])
def test_functions_named_test_in_a_test_s_file_are_tests(path: str) -> None:
    assert "test" in only(facts_of("void test_reads(void) {}", path)).flags
    assert "test" not in only(facts_of("void test_reads(void) {}", "src/io.c")).flags


def test_attributes_and_conditions_call_nothing() -> None:
    facts = facts_of("#if VERSION(1, 2)\nint f(void) __attribute__((format(printf, 1, 2)));\n#endif\n")
    assert facts.calls == ()


def test_branches_of_a_conditional_are_all_kept_where_each_is_whole() -> None:
    facts = facts_of(
        "#if A\nint f(void) { return 1; }\n#elif B\nint g(void) { return 1; }\n#else\nint f(void);\n#endif\n"
    )
    assert (facts.status, nodes(facts)) == ("indexed", ["f", "g"])


@pytest.mark.parametrize(
    "text",
    [
        "void f(void) {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n    g();\n  }\n}\n",
        "void f(void) {\n  if (a) g();\n#ifdef A\n  else if (b) g();\n#endif\n  else g();\n}\n",
        "BEGIN_DECLS\nFOO_API int *f(void) FOO_PURE;\nEND_DECLS\nint last(void) { return 0; }\n",
        "%:define A 1\nstruct s <% int a; %>;\nint last(void) <% return a<:1:>; %>\n",
        "#if __has_include(<a.h>) && \\\n  B\nint a;\n#endif\nint last(void) { return 0; }\n",
        "#define F(x) do { /* what */ \\\n  x; } /* end */ \\\n  while (0)\nint last(void) { return 0; }\n",
        "int g(va_list ap) { return h(va_arg(ap, unsigned int), va_arg(ap, const char *)); }\n",
    ],
)
def test_what_the_grammar_stumbles_over_is_read_all_the_same(text: str) -> None:
    text += "" if "last" in text else "int last(void) { return 0; }\n"
    facts = facts_of(text)
    assert facts.status == "indexed", facts.problems
    last = next(d for d in facts.definitions if d.name == "last")
    assert last.start_line == text[: text.index("int last")].count("\n") + 1
    assert text.encode()[last.start_byte : last.end_byte].startswith(b"int last(void)")


def test_a_function_that_breaks_the_whole_file_is_isolated() -> None:
    broken = "void f(void) {\n" + "  begin(a)\n    x++;\n  end(a) ]\n" * 30 + "}\n"
    facts = facts_of(broken + "int last(void) { return 0; }\n" * 2)
    assert nodes(facts)[0] == "f"
    assert nodes(facts)[-2:] == ["last", "last#2"]


HOSTILE = {
    "parentheses": "int f() { return " + "(" * 10_000 + "1" + ")" * 10_000 + "; }",
    "blocks": "void f() " + "{" * 10_000 + "}" * 10_000,
    "initialisers": "int a[] = " + "{" * 10_000 + "}" * 10_000 + ";",
    "conditionals": "#if A\n" * 5_000 + "int a;\n" + "#endif\n" * 5_000,
    "open macros": "FOO_BAR((" * 5_000,
    "capitals": "FOO_BAR " * 20_000,
    "raw strings": 'R"(' * 5_000,
    "one line": "int f(int a) { return g(a) + h(a, 1); }" * 3_000,
    "nothing": "",
    "half a function": "int f(int a, char *",
}


# By language: status, number of definitions and of calls.
READ_OF_HOSTILE = {
    "parentheses": (("failed", 0, 0), ("failed", 0, 0)),
    "blocks": (("indexed", 1, 0), ("partial", 0, 0)),
    "initialisers": (("indexed", 0, 0), ("indexed", 0, 0)),
    "conditionals": (("indexed", 0, 0), ("indexed", 0, 0)),
    "open macros": (("partial", 0, 0), ("partial", 0, 0)),
    "capitals": (("partial", 0, 0), ("partial", 0, 0)),
    "raw strings": (("partial", 0, 0), ("partial", 0, 0)),
    "one line": (("indexed", 3_000, 6_000), ("indexed", 3_000, 6_000)),
    "nothing": (("indexed", 0, 0), ("indexed", 0, 0)),
    "half a function": (("partial", 0, 0), ("partial", 0, 0)),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_hostile_texts_give_facts(name: str, language: str) -> None:
    facts = extract(f"x.{language}", HOSTILE[name].encode(), language)
    kept = encode(facts)
    assert encode(decode(kept)) == kept
    read = (facts.status, len(facts.definitions), len(facts.calls))
    assert read == READ_OF_HOSTILE[name][language == "cpp"]
