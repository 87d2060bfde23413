"""Whether a text is a symbol or a question."""

from __future__ import annotations

import pytest

from loregraph.analysis.explore.meaning import symbol_meant
from loregraph.graph.columns import GraphColumns


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("shop/api.py::get_order", "shop/api.py::get_order"),
        ("shop.get_order", "shop/api.py::get_order"),
        ("get_order", "shop/api.py::get_order"),
        ("get_order()", "shop/api.py::get_order"),
        ("shop/api.py", "shop/api.py"),
        ("Order", "shop/model.py::Order"),
        ("get_orders", None),
        ("how to get_order", None),
        ("get order", None),
        (" ", None),
    ],
)
def test_exactly_a_name_is_a_symbol(columns: GraphColumns, text: str, id: str | None) -> None:
    found = symbol_meant(columns, text)
    assert (None if found is None else columns.id(found)) == id
