"""Finding what is similar without comparing each with each gives what comparing each with each gives."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.analysis.duplicates import join
from loregraph.analysis.duplicates.bags import Bags, Positions, elements_of, ranked, streams_of
from loregraph.analysis.duplicates.join import posted, similar_pairs, similar_to, similarities
from loregraph.analysis.duplicates.tokens import Source, tokenize

FUNCTIONS = st.lists(
    st.lists(st.sampled_from(["a", "b", "f(", ")", "=", "1", "'s'", "if", "+"]), min_size=1, max_size=25).map(" ".join),
    min_size=2,
    max_size=12,
)


def elements(functions: list[str]) -> tuple[Positions, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    tokens = tokenize([Source(text, "python") for text in functions])
    return elements_of(streams_of(tokens), tokens.starts[:-1], tokens.starts[1:])


def bag(offsets: Positions, found: np.ndarray[tuple[int], np.dtype[np.int32]], number: int) -> Counter[int]:
    return Counter(found[offsets[number] : offsets[number + 1]].tolist())


def weight(counted: Counter[int]) -> int:
    return sum((element & 3) * times for element, times in counted.items())


def similarity(one: Counter[int], other: Counter[int]) -> float:
    total = weight(one) + weight(other)
    return 2 * weight(one & other) / total if total else 0.0


# Verifies REQ-DUP-003.
@settings(deadline=None)
@given(FUNCTIONS, st.floats(0.3, 1.0), st.floats(0.0, 0.3))
def test_pairs_are_those_of_comparing_each_with_each(functions: list[str], threshold: float, slope: float) -> None:
    offsets, found = elements(functions)
    bags = ranked(offsets, found)
    falling = np.minimum(1.0, threshold + slope / (1 + bags.totals))
    by_size = np.argsort(bags.totals, kind="stable")
    place = np.argsort(by_size)
    expected = {}
    for a in range(len(functions)):
        for b in range(a + 1, len(functions)):
            smaller = a if place[a] < place[b] else b
            share = similarity(bag(offsets, found, a), bag(offsets, found, b))
            if share >= falling[smaller] and share > 0:
                expected[a, b] = share
    pairs = similar_pairs(bags, falling)
    told = dict(
        zip(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True), pairs.similarity.tolist(), strict=True)
    )
    assert told.keys() == expected.keys()
    assert all(abs(told[pair] - expected[pair]) < 1e-9 for pair in expected)
    assert list(told) == sorted(told)


@settings(deadline=None)
@given(FUNCTIONS, st.floats(0.3, 1.0))
def test_what_is_like_one_is_what_comparing_it_with_each_gives(functions: list[str], threshold: float) -> None:
    asked, *others = functions
    offsets, found = elements(others)
    bags = ranked(offsets, found)
    _, own = elements([asked])
    expected = [
        number
        for number in range(len(others))
        if (share := similarity(Counter(own.tolist()), bag(offsets, found, number))) >= threshold and share > 0
    ]
    assert similar_to(bags, posted(bags), own, threshold)[0].tolist() == expected


def test_similarities_of_pairs_are_symmetric() -> None:
    bags: Bags = ranked(*elements(["f ( a , 1 )", "f ( a , 2 ) + 1", "if b : f ( b )"]))
    here = similarities(bags, np.array([0, 0, 1]), np.array([1, 2, 2]))
    there = similarities(bags, np.array([1, 2, 2]), np.array([0, 0, 1]))
    assert here.tolist() == there.tolist()
    assert similarities(bags, np.array([1]), np.array([1])).tolist() == [1.0]


def test_no_bags_at_all() -> None:
    offsets, found = elements([])
    assert similar_pairs(ranked(offsets, found), np.empty(0)).first.tolist() == []


# Verifies REQ-DUP-003.
@pytest.mark.parametrize("bound", ["MOST_CANDIDATES", "MOST_SIMILAR"])
def test_of_many_that_are_all_alike_each_is_paired_with_a_few(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    """The work grows with the bags, not with their pairs, and what was cut is counted."""
    count, most = 400, 10
    functions = [f"def f ( a ) : if a : return g ( a , {number} ) + b . c [ 1 ] * d" for number in range(count)]
    bags = ranked(*elements(functions))
    whole = similar_pairs(bags, np.full(count, 0.5))
    assert (len(whole.first), whole.cut) == (count * (count - 1) // 2 - sum(range(count - 300)), count - 301)
    monkeypatch.setattr(join, "MOST_ALIKE", 2)
    monkeypatch.setattr(join, bound, most)
    few = similar_pairs(bags, np.full(count, 0.5))
    assert len(few.first) <= count * (most + 2)
    assert np.unique(np.concatenate([few.first, few.second])).tolist() == list(range(count))
    assert few.cut == count - 1 - most
