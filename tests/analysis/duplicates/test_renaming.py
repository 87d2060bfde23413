"""What is a renaming and what is another meaning."""

from __future__ import annotations

import pytest

from loregraph.analysis.duplicates.renaming import Names, is_renaming, names_of
from loregraph.analysis.duplicates.tokens import Source, tokenize


def names(code: str) -> Names:
    tokens = tokenize([Source(code, "python")])
    return names_of(tokens.words, tokens.kinds)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("a = b + a", "x = y + x", True),
        ("a = b + a", "x = y + y", False),
        ("a = b + a", "x = x + x", False),
        ("a = b + a", "b = a + b", True),
        ("f(a)", "g(a)", True),
        ("f(a) + f(b)", "g(a) + h(b)", False),
        ("a.size + size", "a.size + length", True),
        ("a.size + size", "a.length + length", True),
        ("a.size + b.size", "a.size + b.length", True),
        ("a.size + b.size", "a.count + b.length", False),
        ("f(key=key)", "f(key=word)", True),
        ("x = {'a': a, b: c}", "x = {'a': d, b: c}", True),
        ("a", "a + b", False),
    ],
)
def test_renaming(one: str, other: str, expected: bool) -> None:
    assert is_renaming(names(one), names(other)) is expected
