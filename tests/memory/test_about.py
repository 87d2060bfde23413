"""What is remembered about a piece of code: what is anchored there first, then what answers the question."""

from __future__ import annotations

from loregraph.memory.about import EXCERPT, MOST, about

from .conftest import Opens


def test_anchored_memories_come_before_those_that_answer(opens: Opens) -> None:
    memory = opens()
    answers = memory.add("Prices are rounded once, at the end", kind="design").memory_id
    anchored = memory.add("Called by the nightly job", anchors=["shop/cart.py"]).memory_id
    found = about(memory, "shop/cart.py", "where are prices rounded")
    assert [one.memory_id for one in found] == [anchored, answers]
    assert [one.memory_type for one in found] == ["learning", "design"]


def test_a_memory_is_told_once_and_what_is_unlike_the_question_not_at_all(opens: Opens) -> None:
    memory = opens()
    both = memory.add("Prices are rounded once, at the end", anchors=["shop/cart.py"]).memory_id
    memory.add("The office is closed on Mondays")
    assert [one.memory_id for one in about(memory, "shop/cart.py", "where are prices rounded")] == [both]
    assert [one.memory_id for one in about(memory, None, "where are prices rounded")] == [both]
    assert about(memory, "shop/other.py", "") == ()


def test_no_more_than_some_of_them_and_no_more_than_their_beginning(opens: Opens) -> None:
    memory = opens()
    for number in range(MOST + 1):
        memory.add(f"{number} " + "word " * EXCERPT, anchors=["shop/cart.py"])
    found = about(memory, "shop/cart.py", "")
    assert len(found) == MOST
    assert {len(one.content) for one in found} == {EXCERPT}
