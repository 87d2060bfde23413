from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.graph.terms import (
    JOINED_WEIGHT,
    TermHashes,
    query_terms,
    split_identifier,
    stem,
    term_hash,
    terms,
    words_of,
    words_of_source,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("get_user_name", ["get", "user", "name"]),
        ("getUserName", ["get", "user", "name"]),
        ("HTTPServer2_run", ["http", "server", "2", "run"]),
        ("__init__", ["init"]),
        ("parseJSON", ["parse", "json"]),
        ("utf8", ["utf", "8"]),
        ("größe_ändern", ["größe", "ändern"]),
        ("ÜberGröße", ["über", "größe"]),
        ("ÄÖÜGröße", ["äöü", "größe"]),
        ("日本語_name", ["日本語", "name"]),
        ("getURLFor", ["get", "url", "for"]),
        ("_", []),
    ],
)
def test_identifiers_are_cut_at_case_underscore_and_digit(name: str, parts: list[str]) -> None:
    assert split_identifier(name) == parts


@pytest.mark.parametrize(
    "family",
    [
        ("create", "creates", "created", "creating"),
        ("query", "queries"),
        ("class", "classes"),
        ("stop", "stops", "stopped", "stopping"),
        ("parse", "parsed", "parsing", "parses"),
    ],
)
def test_forms_of_a_word_have_one_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize("word", ["status", "is", "ring", "bus", "red", "analysis"])
def test_words_that_only_look_inflected_keep_their_end(word: str) -> None:
    assert stem(word) == word


def test_compounds_are_also_one_term_and_keywords_none() -> None:
    assert terms("self.fileName") == ["fil", "nam", "filename"]
    assert terms("def return None") == []
    assert terms("x = 1") == ["x"]
    assert terms("a" * 200) == []


def test_scripts_without_blanks_are_found_by_their_parts() -> None:
    assert set(query_terms("語テ")) & set(terms("日本語テキスト"))


def test_query_leaves_out_stop_words_but_not_all_words() -> None:
    assert set(query_terms("how to parse the header")) >= {"pars", "header"}
    assert "how" not in query_terms("how to parse the header")
    assert list(query_terms("how to")) != []


def test_neighbouring_words_also_count_as_one() -> None:
    asked = query_terms("file name")
    assert asked["filename"] == JOINED_WEIGHT
    assert asked["fil"] == 1


def test_hashes_do_not_depend_on_the_process() -> None:
    assert term_hash("header") == 1853008065
    assert TermHashes()["fileName"] == tuple(term_hash(term) for term in ("fil", "nam", "filename"))


@given(st.text(max_size=60))
def test_any_text_has_terms_in_lower_case_without_blanks(text: str) -> None:
    for term in [*terms(text), *query_terms(text)]:
        assert term
        assert not any(character.isspace() for character in term)
        assert 0 <= term_hash(term) < 1 << 32


@given(st.text(st.sampled_from("aZ9_ .\n\t\x1c\x85é漢-"), max_size=12))
def test_source_has_the_words_of_its_text(text: str) -> None:
    assert words_of_source(text.encode()) == words_of(text)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"__init__ _x a_b __ 9lives", ["init__", "x", "a_b", "9lives"]),
        (b"caf\xc3\xa9 cut\xc3", ["café", "cut"]),
        (b"", []),
    ],
)
def test_words_of_source(source: bytes, words: list[str]) -> None:
    assert words_of_source(source) == words


@given(st.text(st.sampled_from("aeingsZQ9_é"), min_size=1, max_size=14))
def test_hashes_are_those_of_the_terms(word: str) -> None:
    bare = word.lstrip("_")
    assert (TermHashes()[bare] if bare else ()) == tuple(term_hash(term) for term in terms(word))
