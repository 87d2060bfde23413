"""Habits, and what deviates from them."""

from __future__ import annotations

import pytest

from loregraph.analysis.consistency import RULES, check, style_of
from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("get_order", "snake_case"),
        ("_get_order", "snake_case"),
        ("getOrder", "camelCase"),
        ("HttpServer", "PascalCase"),
        ("get", ""),
        ("__init__", ""),
        ("<lambda1>", ""),
    ],
)
def test_how_a_name_is_written(name: str, style: str) -> None:
    assert style_of(name) == style


def test_a_name_written_otherwise(columns: GraphColumns) -> None:
    found = check(columns, "shop/api.py", ["naming"])
    assert [(d.expected, d.evidence[0]) for d in found.deviations] == [("snake_case", "shop/api.py::sendOrder")]
    assert found.deviations[0].start_line == 21
    assert "6 of 7" in found.deviations[0].evidence[1]
    assert found.habits["naming"].examples


def test_what_has_no_docstring_where_most_have(columns: GraphColumns) -> None:
    found = check(columns, "shop", ["documentation"])
    assert [d.evidence[0] for d in found.deviations] == ["shop/api.py::sendOrder"]


def test_a_class_that_derives_from_nothing(columns: GraphColumns) -> None:
    found = check(columns, "shop/model.py", ["inheritance"])
    assert [(d.expected, d.evidence[0]) for d in found.deviations] == [("shop/model.py::Base", "shop/model.py::Stray")]


def test_a_function_far_more_complex_than_the_others(columns: GraphColumns) -> None:
    found = check(columns, "shop/api.py", ["complexity"])
    assert [d.actual for d in found.deviations] == ["40 branches"]


def test_no_habit_no_deviation(columns: GraphColumns) -> None:
    found = check(columns, "shop", ["tests"])
    assert (found.deviations, found.habits, found.score) == ((), {}, 1.0)


def test_the_score_falls_with_deviations(columns: GraphColumns) -> None:
    everything = check(columns, "shop")
    assert 0 < everything.score < 1
    assert {d.rule for d in everything.deviations} <= set(RULES)
    assert check(columns, "shop/api.py::get_order").score == 1.0
    assert check(columns, "shop") == everything


def test_an_unknown_rule(columns: GraphColumns) -> None:
    with pytest.raises(UsageError, match="beauty"):
        check(columns, "shop", ["beauty"])
