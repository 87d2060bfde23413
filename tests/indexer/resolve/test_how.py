"""The confidence of each way in which an edge can be found."""

from __future__ import annotations

from loregraph.indexer.languages import registry
from loregraph.indexer.resolve.how import BY_LANGUAGE, CONFIDENCE, confidence, surer


# Verifies REQ-GRA-007.
def test_a_confidence_is_a_share_for_every_language() -> None:
    for language in registry.SUPPORTED:
        for how in CONFIDENCE:
            assert 0 < confidence(how, language) <= 1, (how, language)


def test_languages_differ_from_the_general_value_by_what_was_measured() -> None:
    assert BY_LANGUAGE.keys() <= registry.SUPPORTED
    for language, own in BY_LANGUAGE.items():
        for how, sure in own.items():
            assert abs(sure - CONFIDENCE[how]) >= 0.05, (how, language)
            assert confidence(how, language) == sure


def test_the_surer_of_two_ways_is_the_one_with_the_higher_general_value() -> None:
    assert surer("interface", "value") == surer("value", "interface") == "value"
    assert surer("import", "scope") == surer("scope", "import") == "scope"
