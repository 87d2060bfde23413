"""Source text to tokens, in many languages."""

from __future__ import annotations

import pytest

from loregraph.analysis.duplicates.lexical_rules import RULES, lexer_of
from loregraph.analysis.duplicates.tokens import (
    COMMENT,
    KEYWORD,
    LINE_END,
    NAME,
    NUMBER,
    SIGN,
    STRING,
    Source,
    kind_of,
    tokenize,
    unquoted,
    word_hash,
)
from loregraph.indexer.languages.registry import SOURCES


def kinds(text: str, language: str) -> list[tuple[str, int]]:
    lexer = lexer_of(language)
    found = [(token, kind_of(token, lexer)) for token in lexer.tokens.findall(text)]
    return [(token, kind) for token, kind in found if kind not in (COMMENT, LINE_END)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "x = 1  # one", [("x", NAME), ("=", SIGN), ("1", NUMBER)]),
        ("python", "return rb'''a\nb'''", [("return", KEYWORD), ("rb'''a\nb'''", STRING)]),
        ("python", 'f"{a}" "b"', [('f"{a}"', STRING), ('"b"', STRING)]),
        ("javascript", "a = /x[/]y/g // c", [("a", NAME), ("=", SIGN), (" /x[/]y/g", STRING)]),
        ("javascript", "a / b / c", [("a", NAME), ("/", SIGN), ("b", NAME), ("/", SIGN), ("c", NAME)]),
        ("typescript", "`a ${b}\n`;", [("`a ${b}\n`", STRING), (";", SIGN)]),
        ("java", "@Override int x; /* c */", [("int", KEYWORD), ("x", NAME), (";", SIGN)]),
        ("java", "'a' 'b'", [("'a'", STRING), ("'b'", STRING)]),
        ("rust", "&'a str", [("&", SIGN), ("'", SIGN), ("a", NAME), ("str", NAME)]),
        ("rust", 'r#"a "b" c"#', [('r#"a "b" c"#', STRING)]),
        ("go", "`a\\`", [("`a\\`", STRING)]),
        ("cpp", 'R"x(a " b)x"', [('R"x(a " b)x"', STRING)]),
        ("c", "#define A 1", [("#", SIGN), ("define", NAME), ("A", NAME), ("1", NUMBER)]),
        ("kotlin", "import a.b\nval x", [("val", KEYWORD), ("x", NAME)]),
        ("php", "$a = 1; # c", [("$a", NAME), ("=", SIGN), ("1", NUMBER), (";", SIGN)]),
        ("ruby", "=begin\nx\n=end\ny", [("y", NAME)]),
        ("lua", "--[[ a\nb ]] x -- y", [("x", NAME)]),
        ("haskell", "f' {- a -} -- b", [("f'", NAME)]),
        ("bash", "a $b # d", [("a", NAME), ("$", SIGN), ("b", NAME)]),
        ("elixir", '@doc """\na\n"""\ndef x', [("def", KEYWORD), ("x", NAME)]),
    ],
)
def test_what_is_a_token_and_of_which_kind(language: str, text: str, expected: list[tuple[str, int]]) -> None:
    assert kinds(text, language) == expected


def test_every_language_whose_files_are_sources_has_rules() -> None:
    assert SOURCES - set(RULES) == set()


@pytest.mark.parametrize("language", [*RULES, "unheard-of"])
def test_what_is_not_closed_ends_with_the_file(language: str) -> None:
    for opening in ("/*", '"""', "'''", "`", '"', "'", "--[[", "{-", '@"', 'R"('):
        text = f"x {opening} y\nz"
        assert kinds(text, language)[0] == ("x", NAME)


def test_lines_are_counted_through_strings_and_comments() -> None:
    tokens = tokenize([Source('a = """\n\n""" # x\nb\n', "python"), Source("/*\n*/ c", "go")])
    assert tokens.lines.tolist() == [1, 1, 1, 4, 2]
    assert tokens.last_lines.tolist() == [1, 1, 3, 4, 2]
    assert tokens.starts.tolist() == [0, 4, 5]


def test_docstrings_are_no_code_and_other_strings_are() -> None:
    text = 'def f():\n    """Doc."""\n    x = (\n        "a"\n        "b"\n    )\n    "bare"\n    return "c"\n'
    tokens = tokenize([Source(text, "python")])
    assert [word_hash(word) in tokens.words.tolist() for word in ("Doc.", "a", "b", "bare", "c")] == [
        False,
        True,
        True,
        False,
        True,
    ]


def test_layout_says_nothing() -> None:
    short = tokenize([Source("f(a, 'b')", "python")])
    long = tokenize([Source('f(\n    a,\n    "b",\n)  # c', "python")])
    assert short.words.tolist() == long.words.tolist()
    assert short.kinds.tolist() == long.kinds.tolist()


def test_a_comma_that_makes_a_tuple_stays() -> None:
    assert len(tokenize([Source("(a,)", "python")]).words) == 4


def test_nothing_to_read() -> None:
    assert tokenize([]).starts.tolist() == [0]
    assert tokenize([Source("", "python"), Source("# x", "python")]).starts.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("token", "text"),
    [("'a'", "a"), ('"a"', "a"), ("rb'''a'b'''", "a'b"), ('""', ""), ('""""""', ""), ("`a", "`a"), ("'", "'")],
)
def test_what_a_string_says(token: str, text: str) -> None:
    assert unquoted(token) == text
