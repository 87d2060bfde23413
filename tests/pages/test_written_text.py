"""Addresses in text that anybody may have written."""

from __future__ import annotations

import pytest

from loregraph.pages.written_text import pieces


def addresses(text: str) -> list[str]:
    found = pieces(text)
    assert "".join(piece.text for piece in found) == text
    assert all(piece.address in ("", piece.text) for piece in found)
    return [piece.address for piece in found if piece.address]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://example.org/a.", ["https://example.org/a"]),
        ("(http://example.org/a_(b))", ["http://example.org/a_(b)"]),
        ("'https://example.org/?q=1&r=2'", ["https://example.org/?q=1&r=2"]),
        ("two: http://a.example, https://b.example/", ["http://a.example", "https://b.example/"]),
    ],
)
def test_what_can_be_followed_is_what_is_shown(text: str, found: list[str]) -> None:
    assert addresses(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "https://bank.example@evil.example/",
        "https://",
        "http://.",
        "https://\u202eelpmaxe.org",
        "https://évil.example",
        "ftp://example.org",
        '"><img src=x onerror=alert(1)>',
    ],
)
def test_nothing_else_can_be_followed(text: str) -> None:
    assert addresses(text) == []


def test_a_long_text_costs_as_much_as_its_length() -> None:
    assert addresses("https://" * 12_000) == []
    assert len(addresses("http://a.b " * 9_000)) == 9_000
