"""What a person means by a component."""

from __future__ import annotations

import pytest

from loregraph.analysis.component_lookup import around, locate
from loregraph.errors import NotFoundError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import within


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("shop/api.py::get_order", "shop/api.py::get_order"),
        ("get_order", "shop/api.py::get_order"),
        ("shop/api.py", "shop/api.py"),
        ("./shop/api.py", "shop/api.py"),
        ("shop", "component:shop"),
        ("shop/", "component:shop"),
        ("component:shop", "component:shop"),
        (".", "component:."),
        ("shop/sub", "component:shop"),
    ],
)
def test_ids_names_and_paths(columns: GraphColumns, text: str, found: str) -> None:
    assert columns.id(locate(columns, text)) == found


def test_what_is_nowhere(columns: GraphColumns) -> None:
    with pytest.raises(NotFoundError):
        locate(columns, "nowhere/at/all")


def test_inside_and_around(columns: GraphColumns) -> None:
    shop, get = locate(columns, "shop"), locate(columns, "get_order")
    assert get in within(columns, shop)
    assert len(within(columns, shop)) == 1 + 2 + 7 + 6
    assert [columns.id(node) for node in around(columns, get)] == ["shop/api.py", "component:shop", "component:."]
