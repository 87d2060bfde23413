"""What is a habit, and what is not."""

from __future__ import annotations

import pytest

from loregraph.analysis.rules.siblings import pattern, words


@pytest.mark.parametrize(
    ("traits", "share"),
    [
        ("aaaaab", "5 of 6"),
        ("aaaaaa", "6 of 6"),
        ("a" * 18 + "bb", "18 of 20"),
        ("aaaab", None),
        ("aaaabb", None),
        ("a" * 17 + "bbb", None),
        ("", None),
    ],
)
def test_nine_of_ten_or_all_but_one_of_a_few(traits: str, share: str | None) -> None:
    found = pattern(dict(enumerate(traits)))
    assert (found.share if found else None) == share


def test_who_has_it_and_who_has_not() -> None:
    found = pattern({1: "a", 2: "a", 3: "b", 4: "a", 5: "a", 6: "a"})
    assert found is not None
    assert (found.trait, found.having, found.others) == ("a", (1, 2, 4, 5, 6), (3,))


def test_the_lack_of_a_thing_is_no_habit() -> None:
    assert pattern(dict(enumerate("-----a")), no=frozenset("-")) is None
    assert pattern(dict(enumerate("aaaaa-")), no=frozenset("-")) is not None


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parseHTTPHeader", ["parse", "http", "header"]),
        ("parse_http_header", ["parse", "http", "header"]),
        ("_Base2Form", ["base2", "form"]),
        ("X", ["x"]),
    ],
)
def test_words(name: str, parts: list[str]) -> None:
    assert words(name) == parts
