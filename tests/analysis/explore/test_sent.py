"""Source that a session had."""

from __future__ import annotations

import pytest

from loregraph.analysis.explore import sent
from loregraph.analysis.explore.sent import Sent

LINES = ["a", "b", "c"]


def test_the_same_lines_are_not_sent_twice() -> None:
    had = Sent()
    assert not had.has("f", LINES, {0})
    had.add("f", LINES, {0, 1})
    assert had.has("f", LINES, {1})
    assert not had.has("f", LINES, {2})
    assert not had.has("g", LINES, {1})
    had.add("f", LINES, {2})
    assert had.has("f", LINES, {0, 1, 2})


def test_changed_source_is_sent_again() -> None:
    had = Sent()
    had.add("f", LINES, {0, 1, 2})
    assert not had.has("f", ["a", "b", "x"], {0})
    had.add("f", ["a", "b", "x"], {0})
    assert not had.has("f", ["a", "b", "x"], {0, 1})


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent, "MOST", 2)
    had = Sent()
    for name in "abac":
        had.add(name, LINES, {0})
    assert [name for name in "abc" if had.has(name, LINES, {0})] == ["a", "c"]
