"""Copies: exact, renamed, edited, and what only looks alike."""

from __future__ import annotations

import pytest

from loregraph.analysis.copies import comparison, tokens
from loregraph.errors import UsageError
from loregraph.project import Project

CODE = '''
def exchange(amount, rate, fee):
    """Convert an amount."""
    if rate <= 0:
        raise ValueError("rate must be positive")
    converted = amount * rate
    if fee > converted:
        return 0.0
    return converted - fee
'''


def compared(other: str, code: str = CODE) -> tuple[float, str]:
    return comparison(tokens(code))(tokens(other))


def test_layout_and_comments_do_not_matter() -> None:
    other = CODE.replace("    ", "  ").replace("= amount * rate", "=\n    amount * rate  # in euros")
    assert compared(other) == (1.0, "exact")


def test_the_functions_own_name_does_not_matter() -> None:
    assert compared(CODE.replace("exchange", "convert")) == (1.0, "exact")


def test_other_names_and_literals_are_a_renamed_copy() -> None:
    other = CODE.replace("amount", "value").replace("rate", "factor").replace("fee", "cost").replace("0.0", "1")
    assert compared(other) == (0.95, "renamed")


def test_an_edited_copy_is_less_alike() -> None:
    similarity, clone_type = compared(CODE.replace("    if fee > converted:\n        return 0.0\n", ""))
    assert clone_type == "edited"
    assert 0.7 < similarity < 0.95


def test_other_code_is_not_alike() -> None:
    other = "def walk(tree):\n    for node in tree.children:\n        yield from walk(node)\n    print(tree, end='')\n"
    assert compared(other)[0] < 0.5


def test_short_functions_of_one_shape_are_no_copies() -> None:
    assert compared("def a(self):\n    return self.left\n", "def b(self):\n    return self.right_side\n")[0] < 0.95


def test_too_little_to_compare(tmp_path: object) -> None:
    from loregraph.analysis.copies import copies_of

    with pytest.raises(UsageError, match="tokens"):
        copies_of(None, None, "x = 1", (), leave_out=None, threshold=0.7, limit=5)  # type: ignore[arg-type]


def test_in_a_project(tmp_path: object) -> None:
    from pathlib import Path

    root = Path(str(tmp_path))
    (root / "a.py").write_text(CODE, encoding="utf-8")
    renamed = CODE.replace("exchange", "convert").replace("amount", "value").replace("rate", "factor")
    (root / "b.py").write_text(renamed, encoding="utf-8")
    with Project(root) as project:
        project.index(jobs=1)
        (copy,) = project.copies_of(symbol="exchange")
        assert (copy.id, copy.clone_type) == ("b.py::convert", "renamed")
        assert [found.id for found in project.copies_of(code=CODE)] == ["a.py::exchange", "b.py::convert"]
        assert project.copies_of(symbol="exchange", threshold=0.99) == []
