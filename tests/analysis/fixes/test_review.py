"""What is around a fix without a diff, and what a concern costs. Fixes with one: tests/test_changes.py."""

from __future__ import annotations

from loregraph.analysis.component_lookup import locate
from loregraph.analysis.fixes.review import Review, review, score, with_memories
from loregraph.analysis.rules.rule import Habit
from loregraph.config import CheckSettings
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns


def reviewed(columns: GraphColumns, symbol: str, *files: str) -> Review:
    return review(columns, locate(columns, symbol), "", files, None, lambda code, language: [], CheckSettings())


def concerns(found: Review) -> dict[str, str]:
    return {concern.type: concern.severity for concern in found.concerns}


# Verifies REQ-CON-003.
def test_callers_tests_and_requirements(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", "shop/api.py")
    assert found.impact.callers == ("shop/sub/deep.py",)
    assert found.impact.tests == ("tests/test_api.py::test_get",)
    assert found.impact.requirements == ("REQ-1",)
    assert concerns(found) == {"callers": "low", "tests": "low", "requirements": "low"}
    assert found.alignment_score == 0.85


def test_no_test_and_another_file(columns: GraphColumns) -> None:
    found = reviewed(columns, "put_order", "shop/model.py")
    assert concerns(found) == {"scope": "medium", "untested": "medium"}
    assert found.alignment_score == 0.7


def test_a_file_that_the_graph_does_not_have(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", "shop/api.py", "shop/none.py")
    assert next(one for one in found.concerns if one.type == "unknown_file").related == ("shop/none.py",)


def test_a_test_that_changes_with_it_is_no_concern(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", "shop/api.py", "tests/test_api.py")
    assert "tests" not in concerns(found)


def test_the_score_is_what_concerns_leave() -> None:
    assert score([]) == 1
    assert score(["high", "medium", "low"]) == 0.5
    assert score(["high"] * 9) == 0
    assert score(["low"]) == 0.95


# Verifies REQ-CON-004.
def test_what_memories_have_against_a_fix_comes_first(columns: GraphColumns) -> None:
    before = reviewed(columns, "put_order", "shop/model.py")
    memories = [
        Remembered("m1", "design", "Never use `pickle` here.", False),
        Remembered("m2", "learning", "Orders are kept.", True),
    ]
    found = with_memories(before, [Habit("snake_case", ())], memories, "Use pickle for orders.", "")
    assert [one.type for one in found.concerns] == [
        "contradicts_memory",
        *(one.type for one in before.concerns),
        "memories",
        "stale_memories",
    ]
    assert found.concerns[-2].related == ("m1", "m2")
    assert found.concerns[-1].related == ("m2",)
    assert found.design_context.patterns == (
        Habit("snake_case", ()),
        Habit("design: Never use `pickle` here.", ("m1",)),
        Habit("learning: Orders are kept.", ("m2",)),
    )
    assert found.alignment_score == score(one.severity for one in found.concerns) == 0.3


def test_without_memories_a_review_stays_as_it_is(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", "shop/api.py")
    assert with_memories(found, [], [], "", "") == found


def test_recommended_is_what_weighs_most_and_the_tests_to_run(columns: GraphColumns) -> None:
    assert reviewed(columns, "get_order", "shop/api.py").recommendations == ("run tests/test_api.py::test_get",)
    found = reviewed(columns, "put_order", "shop/model.py")
    assert found.recommendations == tuple(one.message for one in found.concerns)
