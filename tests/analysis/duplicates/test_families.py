"""Pairs to families."""

from __future__ import annotations

import itertools

import pytest

from loregraph.analysis.duplicates.families import families_of

Pairs = list[tuple[str, str, float]]


@pytest.mark.parametrize(
    ("pairs", "families"),
    [
        ([], []),
        ([("a", "b", 1.0)], [["a", "b"]]),
        # No chains: a and c are not alike.
        ([("a", "b", 0.7), ("b", "c", 0.9)], [["b", "c"], ["a", "b"]]),
        ([("a", "b", 0.7), ("b", "c", 0.9), ("a", "c", 0.7)], [["b", "c"], ["a", "b"]]),
        ([("a", "b", 0.7), ("b", "c", 0.8), ("a", "c", 0.7)], [["a", "b", "c"]]),
        ([("a", "b", 0.9), ("b", "c", 0.95), ("a", "c", 0.9)], [["a", "b", "c"]]),
        (
            [("a", "b", 0.7), ("b", "c", 0.9), ("b", "e", 0.7), ("c", "d", 0.8)],
            [["b", "c"], ["a", "b"], ["d", "c"], ["e", "b"]],
        ),
        ([("a", "b", 0.7), ("c", "d", 0.8)], [["a", "b"], ["c", "d"]]),
        # Two pairs, each nearly the same, that are no more than like each other.
        ([("a", "b", 0.95), ("c", "d", 0.95), *((x, y, 0.6) for x in "ab" for y in "cd")], [["a", "b"], ["c", "d"]]),
    ],
)
def test_each_member_is_like_each_other(pairs: Pairs, families: list[list[str]]) -> None:
    order = {name: place for place, name in enumerate("abcde")}
    assert sorted(families_of(pairs, order)) == sorted(families)
    assert families_of(list(reversed(pairs)), order) == families_of(pairs, order)


def test_what_is_the_same_to_the_letter_is_one_thing() -> None:
    """Of many that are, not every pair is told."""
    order = {name: place for place, name in enumerate("abcde")}
    same = [("a", "b"), ("a", "c")]
    assert families_of([("a", "b", 1.0), ("a", "c", 1.0)], order, same) == [["a", "b", "c"]]
    pairs = [("a", "b", 1.0), ("a", "c", 1.0)]
    assert families_of([*pairs, ("c", "d", 0.9)], order, same) == [["a", "b", "c", "d"]]
    assert families_of([*pairs, ("c", "d", 0.7)], order, same) == [["a", "b", "c"], ["d", "a", "b", "c"]]


def test_a_chain_does_not_become_one_family() -> None:
    names = [f"n{number:02}" for number in range(12)]
    pairs = [(a, b, 0.7) for a, b in itertools.pairwise(names)]
    found = families_of(pairs, {name: place for place, name in enumerate(names)})
    assert sorted({name for family in found for name in family}) == names
    assert {len(family) for family in found} == {2}
