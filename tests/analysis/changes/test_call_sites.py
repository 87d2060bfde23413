"""Calls that a text seems to make."""

from __future__ import annotations

import re

import pytest

from loregraph.analysis.changes.call_sites import is_of_literal, named, sites


@pytest.mark.parametrize(
    "before",
    ["x && /ab+/.", r"return /a\/b/g.", 'f("x".', "'x'?.", "`t`.", "[].", "y = [1, 2].", "= {}.", "(/^a[0-9]/i."],
)
def test_members_of_literals(before: str) -> None:
    assert is_of_literal(before)


@pytest.mark.parametrize(
    "before", ["c.", "a[0].", "f(x)[1].", "total / 2 / part.", "this.", "f().", "", "x = ", "self."]
)
def test_members_of_values(before: str) -> None:
    assert not is_of_literal(before)


def test_a_line_names_what_is_called_and_not_what_a_literal_has() -> None:
    word = re.compile(r"\btest\b")
    assert named("return c.test(s)", word)
    assert named("/x/.test(s) && test(s)", word)
    assert not named('/x/.test(s) || "".test(s)', word)


def test_sites_are_calls_by_name() -> None:
    lines = [
        "def test(x):",
        "    # test(x) was here",
        "    return a.test(x) + test (x) + /x/.test(x) + contest(x) + b.ok(test(1))",
        "  // ok(1)",
        "function ok(x) { return x }",
    ]
    assert sorted(sites(lines, ["test", "ok"])) == ["ok", "test", "test"]
    assert list(sites(lines, [])) == []


@pytest.mark.parametrize("piece", ["/", "[ ", "{", "([{", "\\a", " ", '"', "/\\"])
def test_hostile_lines_take_no_time(piece: str) -> None:
    line = piece * 40_000 + ".test("
    assert not list(sites([line], ["test"]))
    assert named(line, re.compile("test"))
