"""Colours of source: nothing is lost, nothing takes long, whatever the text."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loregraph.analysis.duplicates.lexical_rules import RULES
from loregraph.pages import highlight
from loregraph.pages.highlight import PYGMENTS, RUN, Piece, cut, highlighted

sys.path.insert(0, str(Path(__file__).parents[1] / "hostile"))

from pumping import TooSlow, limited

ATTEMPTS = 4
PYTHON = '''
@cache
def total(cart):  # the sum
    """Of all
    "prices"."""
    return f"{sum(cart)}" if cart else 0.5
'''.strip().split("\n")


def soon(run: Callable[[], object], seconds: float) -> None:
    """Fails unless one of some runs takes at most so long: others on the machine can make any of them slower."""
    gc.disable()
    try:
        for attempt in range(ATTEMPTS):
            try:
                return limited(run, seconds)
            except TooSlow:
                if attempt == ATTEMPTS - 1:
                    raise
    finally:
        gc.enable()


def kinds(lines: list[str], language: str, wanted: str) -> set[str]:
    return {kind for line in highlighted(lines, language) for kind, text in line if wanted in text and text.strip()}


def test_words_have_the_colour_of_what_they_are() -> None:
    assert kinds(PYTHON, "python", "def") == {"k"}
    assert kinds(PYTHON, "python", "the sum") == {"c"}
    assert kinds(PYTHON, "python", "prices") == {"s"}
    assert kinds(PYTHON, "python", "0.5") == {"n"}
    assert kinds(PYTHON, "python", "@cache") == {"a"}
    assert kinds(PYTHON, "python", "total") == {""}


def test_a_string_of_several_lines_is_one_in_each() -> None:
    assert highlighted(PYTHON, "python")[3] == [Piece("s", '    "prices"."""')]


@pytest.mark.parametrize("language", ["java", "csharp", "scala", "c"])
def test_languages_without_a_safe_lexer_are_coloured_by_their_token_rules(language: str) -> None:
    lines = ["/* all", "   of it */", 'if (a) return "b"; // so']
    assert language not in PYGMENTS
    assert kinds(lines, language, "of it") == {"c"}
    assert kinds(lines, language, "return") == {"k"}
    assert kinds(lines, language, '"b"') == {"s"}


@pytest.mark.parametrize("language", sorted(RULES | PYGMENTS))
def test_the_pieces_of_a_line_are_the_line(language: str) -> None:
    chance = random.Random(language)
    parts = [
        "def f(",
        "{",
        "}",
        '"',
        "'",
        '"""',
        "\\",
        "/*",
        "*/",
        "//",
        "#",
        "\t",
        " ",
        "\r",
        "é",
        "\u202e",
        "\x00",
        "1.5",
    ]
    for _ in range(15):
        lines = ["".join(chance.choices(parts, k=chance.randrange(9))) for _ in range(chance.randrange(1, 120))]
        assert ["".join(text for _, text in line) for line in highlighted(lines, language)] == lines


def test_an_unknown_language_is_plain() -> None:
    assert highlighted(["def f", ""], "klingon") == [[Piece("", "def f")], []]


def test_a_long_line_is_cut_and_counted() -> None:
    lines, left_out = cut(["short\r", "x" * 1_000_000])
    assert lines == ["short", "x" * highlight.LONGEST_LINE]
    assert left_out == {1: 1_000_000 - highlight.LONGEST_LINE}


PUMPS = (
    *("(", "[", "{", "<", '"', "'", "`", "\\", "a", "1", "_", " ", "\t", "\n", "/", "*", "#", "-", "=", ".", ",", ";"),
    *(":", "@", "$", "!", "%", " \n", "a\n", " a", "a.", "a(", "(a", "a<", "<a", '"\\', "'\\", "#{", "${", "{{", '"""'),
    *(
        "/*",
        "//",
        "--",
        "{-",
        "<<a\n",
        "a,",
        "a=",
        "a b ",
        "@a ",
        "def a ",
        "1.",
        "1e",
        "0x",
        "\\\n",
        "a::",
        "'\"",
        "%(",
    ),
)


# Verifies REQ-SEC-009, REQ-WEB-014.
@pytest.mark.parametrize("language", sorted(PYGMENTS))
def test_no_lexer_takes_long_for_what_it_is_given_at_once(language: str) -> None:
    lexer = highlight._pygments(PYGMENTS[language])
    for pump in PUMPS:
        for head in ("", 'x = "'):
            text = head + pump * (RUN // len(pump))
            # Of which a page has at most `MOST_BY_PYGMENTS`.
            soon(lambda text=text: highlight._by_pygments(text, lexer), 0.1)


# Verifies REQ-SEC-009, REQ-WEB-014.
@pytest.mark.parametrize("language", ["python", "typescript", "c", "csharp"])
def test_a_hostile_page_of_source_is_coloured_soon(language: str) -> None:
    for pump in ("(", '"\\', " \n", "a\n", "'''", "/*", "a "):
        lines = cut((pump * (60_000 // len(pump))).split("\n")).lines
        soon(lambda lines=lines: highlighted(lines, language), 1.5)


def test_runs_begin_outside_strings_and_are_of_limited_length(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def noted(text: str, lexer: object) -> list[Piece]:
        given.append(text)
        return [Piece("", text)]

    monkeypatch.setattr(highlight, "_by_pygments", noted)
    block = [*PYTHON, "x = '''", *("text of a string" for _ in range(30)), "'''", "y = 1"]
    highlighted(block * 20, "python")
    assert len(given) > 5
    assert max(map(len, given)) <= RUN
    assert all(text.count("'''") % 2 == 0 and text.count('"""') % 2 == 0 for text in given)


def test_a_page_gives_pygments_only_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlight, "MOST_BY_PYGMENTS", 1_500)
    lines = highlighted(["print(1)"] * 200, "python")
    assert lines[0][0] == Piece("b", "print")
    assert lines[-1] == [Piece("", "print("), Piece("n", "1"), Piece("", ")")]
