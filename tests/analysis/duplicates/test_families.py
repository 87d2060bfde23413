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
        ([("a", "b", 0.7), ("b", "c", 0.9)], [["b", "c", "a"]]),
        # d is only like c, which the star of b takes: it goes with c.
        ([("a", "b", 0.7), ("b", "c", 0.9), ("b", "e", 0.7), ("c", "d", 0.8)], [["b", "c", "a", "e", "d"]]),
        ([("a", "b", 0.7), ("c", "d", 0.8)], [["a", "b"], ["c", "d"]]),
    ],
)
def test_stars(pairs: Pairs, families: list[list[str]]) -> None:
    order = {name: place for place, name in enumerate("abcde")}
    assert families_of(pairs, order) == families
    assert families_of(list(reversed(pairs)), order) == families


def test_a_chain_does_not_become_one_family() -> None:
    names = [f"n{number:02}" for number in range(12)]
    pairs = [(a, b, 0.7) for a, b in itertools.pairwise(names)]
    found = families_of(pairs, {name: place for place, name in enumerate(names)})
    assert sorted(name for family in found for name in family) == names
    assert max(map(len, found)) <= 4
