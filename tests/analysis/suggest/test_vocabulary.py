from __future__ import annotations

from loregraph.analysis.suggest.requirements import read_requirements, title_and_body
from loregraph.analysis.suggest.vocabulary import UNKNOWN, Vocabulary, surface, words


def test_words_are_stems_of_parts_without_stop_words_numbers_and_letters() -> None:
    assert words("The system shall cancel 3 orders, x") == ["system", "cancel", "order"]


def test_an_identifier_is_its_parts_and_the_whole() -> None:
    assert words("parseHeader2") == ["pars", "header", "parsheader"]


def test_surface_gives_the_shortest_word_of_a_stem() -> None:
    assert surface(["cancelled orders", "parseHeader"]) == {
        "cancell": "cancelled",
        "order": "orders",
        "pars": "parse",
        "header": "header",
        "parsheader": "parseHeader",
    }


def test_words_that_no_requirement_has_come_behind_and_keep_their_place() -> None:
    vocabulary = Vocabulary([["order"], ["cancel"]])
    assert vocabulary.words == ["cancel", "order"]
    assert vocabulary.numbers(["new", "old", "orders", "the", "new"]) == [2, 3, 1, 2]
    assert (len(vocabulary), vocabulary.width) == (2, 4)
    assert (vocabulary.number("cancel"), vocabulary.number("old")) == (0, UNKNOWN)
    assert (vocabulary.any_number("old"), vocabulary.any_number("odd")) == (3, 4)


def test_the_first_line_stands_for_a_missing_title() -> None:
    assert title_and_body("", "\n Name: Cancel\nMore") == ("Name: Cancel", "\nMore")
    assert title_and_body("Cancel", "Cancel an order") == ("Cancel", " an order")
    assert title_and_body("Cancel", "") == ("Cancel", "")
    assert title_and_body("Cancel", "Cancel") == ("Cancel", "")
    assert title_and_body("", "") == ("", "")


def test_a_word_of_the_title_counts_more() -> None:
    table = read_requirements([("cancel", "order order"), ("", "cancel")]).table
    assert table.tolist() == [[2.5, 2.0], [1.0, 0.0]]
