"""Texts of documents as markup, in which nothing acts."""

from __future__ import annotations

import time

import pytest

from loregraph.pages.prose import prose

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/x.png)",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "<https://evil.example/><style>*{display:none}</style>",
    '[x](https://a.example "\\"onmouseover=alert(1)")',
    "[ref]\n\n[ref]: javascript:alert(1)",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("path", ["r.md", "r.sdoc"])
def test_nothing_of_a_text_acts(text: str, path: str) -> None:
    made = str(prose(text, path)).lower()
    for bad in ("<script", "<img", "<style", 'href="javascript', 'href="data', " onerror=alert(1)>"):
        assert bad not in made
    assert 'onmouseover=alert(1)">' not in made


def test_markdown_is_rendered_where_the_document_is_markdown() -> None:
    text = "A `till`:\n\n- **one**\n- two [there](https://example.com)\n"
    made = str(prose(text, "r.md"))
    assert "<code>till</code>" in made
    assert "<li><strong>one</strong></li>" in made
    assert '<a href="https://example.com" rel="noreferrer noopener">there</a>' in made
    assert str(prose("A *b*.\n\nC\nd.", "r.sdoc")) == "<p>A *b*.</p>\n<p>C\nd.</p>"


def test_no_style_is_needed_for_a_table() -> None:
    made = str(prose("| a | b |\n|:--|--:|\n| 1 | 2 |\n", "r.md"))
    assert "<td>1</td>" in made
    assert "style" not in made


def test_what_turns_text_around_is_shown() -> None:
    assert "\\u202e" in str(prose("a\u202eb", "r.md"))
    assert "\\x1b" in str(prose("a\x1bb", "r.sdoc"))


@pytest.mark.parametrize(
    "text", ["x" * 1_000_000, "[" * 20_000, "*a" * 10_000, "> " * 10_000, "`" * 20_000, "\n- x" * 5_000, "|" * 20_000]
)
def test_long_and_nested_texts_are_cut_and_cost_little(text: str) -> None:
    started = time.process_time()
    made = str(prose(text, "r.md"))
    assert time.process_time() - started < 1
    assert len(made) < 500_000
