"""What lies on changed lines."""

from __future__ import annotations

import pytest

from loregraph.analysis.since import changed_share, changed_symbols, overlaps, touched
from loregraph.git import WHOLE_FILE, ChangedFile
from loregraph.graph.columns import GraphColumns

CHANGES = {
    "shop/api.py": ChangedFile("M", "shop/api.py", ((6, 6), (30, 30)), ((6, 6), (15, 15), (23, 25))),
    "shop/sub/deep.py": ChangedFile("A", "", (), WHOLE_FILE),
    "gone.py": ChangedFile("D", "gone.py", WHOLE_FILE, ()),
    "moved.py": ChangedFile("R", "old.py", (), ()),
}


@pytest.mark.parametrize(
    ("path", "start", "end", "expected"),
    [
        ("shop/api.py", 1, 5, False),
        ("shop/api.py", 1, 6, True),
        ("shop/api.py", 6, 9, True),
        ("shop/api.py", 7, 14, False),
        ("shop/api.py", 16, 22, False),
        ("shop/api.py", 25, 90, True),
        ("shop/api.py", 26, 90, False),
        ("shop/api.py", 24, 24, True),
        ("shop/api.py", 0, 0, True),
        ("shop/sub/deep.py", 900, 901, True),
        ("gone.py", 1, 2, False),
        ("moved.py", 1, 2, False),
        ("unchanged.py", 1, 2, False),
    ],
)
def test_overlaps(path: str, start: int, end: int, expected: bool) -> None:
    assert overlaps(path, start, end, CHANGES) is expected


def test_touched_are_the_nodes_on_changed_lines_and_their_files(columns: GraphColumns) -> None:
    assert {columns.id(node) for node in touched(columns, CHANGES)} == {
        "shop/api.py",
        "shop/api.py::put_order",
        "shop/api.py::drop_order",
        "shop/api.py::sendOrder",
        "shop/api.py::_helper",
        "shop/sub/deep.py",
    }


def test_nothing_is_touched_without_changes(columns: GraphColumns) -> None:
    assert touched(columns, {}) == set()


@pytest.mark.parametrize(
    ("path", "start", "end", "share"),
    [
        ("shop/api.py", 23, 25, 1.0),
        ("shop/api.py", 21, 30, 0.3),
        ("shop/api.py", 7, 14, 0.0),
        ("shop/sub/deep.py", 4, 9, 1.0),
        ("unchanged.py", 1, 2, 0.0),
        ("shop/api.py", 5, 4, 0.0),
    ],
)
def test_share_of_lines_that_changed(path: str, start: int, end: int, share: float) -> None:
    assert changed_share(path, start, end, CHANGES) == share


def test_changed_symbols_are_the_innermost(columns: GraphColumns) -> None:
    changed = changed_symbols(columns, CHANGES)
    assert [columns.id(node).partition("::")[2] for node in changed] == [
        "_helper",
        "drop_order",
        "put_order",
        "sendOrder",
    ]
    assert changed_symbols(columns, {}) == []
