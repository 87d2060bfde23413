"""The rules over one component, as tools ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.consistency import check
from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.naming import style_of
from loregraph.analysis.rules.registry import RULES
from loregraph.config import CheckSettings
from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns


@pytest.fixture
def code(columns: GraphColumns, tmp_path: Path) -> Code:
    return Code(columns, tmp_path)


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


def test_a_name_written_otherwise(code: Code) -> None:
    found = check(code, "shop/api.py", ["naming"])
    assert [(d.expected, d.evidence[0]) for d in found.deviations] == [("snake_case", "shop/api.py::sendOrder")]
    assert found.deviations[0].start_line == 21
    assert "5 of 6" in found.deviations[0].evidence[1]
    assert found.habits["naming"].examples[0] == "shop/api.py::drop_order"


def test_the_habit_is_that_of_the_component_around(code: Code) -> None:
    assert [d.evidence[0] for d in check(code, "shop/api.py::sendOrder", ["naming"]).deviations] == [
        "shop/api.py::sendOrder"
    ]
    assert check(code, "shop/api.py::get_order").deviations == ()


def test_a_function_far_more_complex_than_the_others(code: Code) -> None:
    found = check(code, "shop/api.py", ["complexity"])
    assert [d.actual for d in found.deviations] == ["40 paths"]


def test_no_habit_no_deviation(code: Code) -> None:
    found = check(code, "shop", ["tests"])
    assert (found.deviations, found.habits, found.consistency_score) == ((), {}, 1.0)


def test_the_score_falls_with_deviations(code: Code) -> None:
    everything = check(code, "shop")
    assert 0 < everything.consistency_score < 1
    assert {d.rule for d in everything.deviations} <= set(RULES)
    assert {d.severity for d in everything.deviations} <= {"error", "warning", "note"}
    assert check(code, "shop") == everything


def test_rules_that_are_off_or_read_the_whole_project_are_for_those_who_name_them(code: Code) -> None:
    assert check(code, "shop").checked < check(code, "shop", ["dead-code", *RULES]).checked
    disabled = Code(code.columns, code.root, CheckSettings(disable=("naming", "complexity")))
    assert not {"naming", "complexity"} & {d.rule for d in check(disabled, "shop").deviations}
    assert {d.rule for d in check(disabled, "shop", ["naming"]).deviations} == {"naming"}


def test_severities_are_the_project_s(columns: GraphColumns, tmp_path: Path) -> None:
    code = Code(columns, tmp_path, CheckSettings(severity={"naming": "error"}))
    assert [d.severity for d in check(code, "shop/api.py", ["naming"]).deviations] == ["error"]


def test_an_unknown_rule(code: Code) -> None:
    with pytest.raises(UsageError, match="namin") as caught:
        check(code, "shop", ["namin"])
    assert "naming" in caught.value.suggestion
    with pytest.raises(UsageError, match=r"check\.disable"):
        check(Code(code.columns, code.root, CheckSettings(disable=("beauty",))), "shop")


def test_habits_in_one_and_what_to_make_alike(code: Code) -> None:
    found = check(code, "shop/api.py", ["naming"])
    assert found.base_pattern.name == "; ".join(habit.name for habit in found.habits.values())
    (first,) = found.deviations
    assert found.recommendations == (f"{first.evidence[0]}: naming, expected {first.expected}",)


def test_nothing_learned_is_no_habit(code: Code) -> None:
    found = check(code, "shop/model.py", ["import-cycles"])
    assert (found.base_pattern.name, found.base_pattern.examples) == ("no clear habit", ())
