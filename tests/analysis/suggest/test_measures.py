from __future__ import annotations

import numpy as np

from loregraph.analysis.suggest.measures import (
    above_background,
    counts,
    nearest,
    rarity,
    relative,
    similar,
    top,
    without_hubs,
)
from loregraph.analysis.suggest.requirements import read_requirements
from loregraph.analysis.suggest.setting import setting_for
from loregraph.analysis.suggest.spreading import Neighbours, Shares, spread

TABLE = np.array([[1, 0, 2], [1, 3, 0]], np.float32)


def test_counts_leave_unknown_words_out() -> None:
    owners, numbers = np.array([0, 0, 1, 1], np.int32), np.array([2, 2, -1, 0], np.int32)
    assert counts(owners, numbers, 2, 3).tolist() == [[0, 0, 2], [1, 0, 0]]


def test_what_everything_has_is_worth_less_than_what_one_has() -> None:
    everywhere, once, also_once = rarity(TABLE).tolist()
    assert 0 <= everywhere < once == also_once


def test_similarity_is_between_a_product_and_the_cosine() -> None:
    asked = np.array([[0, 4, 0]], np.float32)
    table = np.array([[0, 1, 0], [0, 4, 0], [3, 4, 0], [1, 0, 0]], np.float32)
    assert np.allclose(similar(asked, table), [[1, 2, 4 / 5**0.5, 0]], atol=1e-4)


def test_relative_scores_of_a_weak_row_rise_to_those_of_a_strong_one() -> None:
    scores = np.array([[1, 0.5], [10, 5]], np.float32)
    assert np.allclose(top(scores), [[0.75], [7.5]])
    assert np.allclose(relative(scores, 1)[0], relative(scores, 1)[1])
    assert np.allclose(relative(scores, 0), scores)


def test_a_row_that_matches_many_is_lifted_above_one_that_matches_one() -> None:
    scores = np.array([[4, 0, 0], [4, 4, 4]], np.float32)
    narrow, wide = relative(scores, 0, 0.5)[:, 0]
    assert wide > scores[1, 0] > narrow > 0


def test_what_is_above_the_background_stands_out_and_keeps_its_order() -> None:
    scores = np.array([[8, 6, 5, 0], [3, 0, 0, 0]], np.float32)
    found = above_background(scores, 1.0)
    flat, alone = found.max(axis=1)
    assert flat / alone < scores[0, 0] / scores[1, 0]
    assert found[0, 0] > found[0, 1] > found[0, 2] > 0 == found[0, 3]
    assert np.array_equal(above_background(scores, 0), scores)


def test_stories_are_spread_further_and_measured_less_by_their_own_background_than_statements() -> None:
    statement = setting_for(read_requirements([("Print an invoice", ""), ("", "")]))
    story = setting_for(
        read_requirements([("", " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(99)))])
    )
    assert story.related > statement.related
    assert story.background < statement.background
    assert story.broad > statement.broad


def test_a_column_that_matches_every_row_falls_behind() -> None:
    scores = np.array([[2, 1.9, 0], [2, 0, 1.9], [2, 0, 0]], np.float32)
    assert without_hubs(scores, 1.0)[0].argmax() == 1
    assert without_hubs(scores, 0.0)[0].argmax() == 0


def test_nearest_keeps_the_highest_as_parts_of_one() -> None:
    kept = nearest(np.array([[0, 3, 1, 0.5], [0, 0, 0, 0]], np.float32), 2)
    assert np.allclose(kept, [[0, 0.75, 0.25, 0], [0, 0, 0, 0]])


def test_a_match_spreads_to_neighbours_and_their_neighbours_and_less_each_time() -> None:
    files, others = np.array([0, 1, 1, 2], np.int32), np.array([1, 0, 2, 1], np.int32)
    chain = Shares(files, others, np.array([1, 0.5, 0.5, 1], np.float32))
    none = Shares(files[:0], others[:0], np.zeros(0, np.float32))
    setting = setting_for(read_requirements([("Print an invoice", "")]))
    around = Neighbours(chain, none, np.zeros((1, 1), np.float32))
    found = spread(np.array([[1, 0, 0, 0]], np.float32), around, setting)[0]
    assert found[0] > found[1] > found[2] > 0 == found[3]
