"""Where a symbol stands in a file that changed since it was indexed."""

from __future__ import annotations

import pytest

from loregraph.analysis.explore.placing import span
from loregraph.analysis.explore.ranking import Ranked
from loregraph.graph.columns import GraphColumns

LINES = ["# orders", "", "def get_order():", "    return 1", "", "@cached", "def put_order():", "    return 2"]


def placed(columns: GraphColumns, name: str, lines: list[str], *, is_stale: bool = True) -> tuple[int, int] | None:
    node = columns.find_id(f"shop/api.py::{name}")
    assert node is not None
    return span(columns, Ranked(node, 1.0, "", 1.0), lines, is_stale=is_stale)


@pytest.mark.parametrize(
    ("name", "lines", "expected"),
    [
        ("get_order", LINES, (3, 5)),
        ("put_order", LINES, (6, 8)),
        ("get_order", LINES[2:], (1, 3)),
        ("find_order", LINES, None),
        ("get_order", [], None),
    ],
)
def test_a_stale_file_is_searched_for_the_name(
    columns: GraphColumns, name: str, lines: list[str], expected: tuple[int, int] | None
) -> None:
    assert placed(columns, name, lines) == expected


def test_a_current_file_has_it_where_the_graph_says(columns: GraphColumns) -> None:
    assert placed(columns, "get_order", LINES, is_stale=False) == (1, 3)
    assert placed(columns, "put_order", LINES, is_stale=False) == (5, 7)
    assert placed(columns, "find_order", LINES, is_stale=False) is None


def test_a_file_is_all_of_its_lines_and_a_constant_its_own(columns: GraphColumns) -> None:
    file = columns.find_id("shop/api.py")
    assert file is not None
    assert span(columns, Ranked(file, 1.0, "", 1.0), LINES, is_stale=False) == (1, 8)
    assert span(columns, Ranked(file, 1.0, "", 1.0, 4), LINES, is_stale=False) == (4, 4)
    assert span(columns, Ranked(file, 1.0, "", 1.0, 9), LINES, is_stale=False) is None
