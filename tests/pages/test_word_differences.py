"""The words that two versions differ in."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from loregraph.pages.word_differences import MOST_LINES, MOST_WORDS, Run, word_differences

TEXTS = st.text(st.sampled_from("ab .\n"), max_size=60)


def test_only_the_words_that_differ_are_marked() -> None:
    assert word_differences("Retries stop after three tries", "Retries stop after four tries") == [
        Run("same", "Retries stop after "),
        Run("removed", "three"),
        Run("added", "four"),
        Run("same", " tries"),
    ]


def test_what_differs_around_a_space_is_one_difference() -> None:
    assert word_differences("paid at once", "paid in three parts") == [
        Run("same", "paid "),
        Run("removed", "at once"),
        Run("added", "in three parts"),
    ]
    assert word_differences("by mail", "by mail and letter")[-1] == Run("added", " and letter")


def test_lines_that_are_the_same_are_not_compared_by_words() -> None:
    runs = word_differences("one\ntwo\nthree", "one\n2\nthree")
    assert [run.how for run in runs] == ["same", "removed", "added", "same"]


@given(TEXTS, TEXTS)
def test_both_versions_can_be_read_from_the_runs(old: str, new: str) -> None:
    runs = word_differences(old, new)
    assert "".join(run.text for run in runs if run.how != "added") == old
    assert "".join(run.text for run in runs if run.how != "removed") == new
    assert all(run.text for run in runs)
    assert all(one.how != other.how for one, other in pairwise(runs))


def test_beyond_the_bounds_the_versions_stand_as_they_are() -> None:
    lines = "\n" * (MOST_LINES + 1)
    assert word_differences(lines, lines + "x") == [Run("removed", lines), Run("added", lines + "x")]
    words = "a b " * MOST_WORDS
    assert word_differences(words, words + "c") == [Run("removed", words), Run("added", words + "c")]
    assert word_differences(lines, lines) == [Run("same", lines)]
