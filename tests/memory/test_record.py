"""The record: what each field may hold, and that errors name it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.errors import UsageError
from loregraph.memory.record import (
    KINDS,
    Memory,
    decode,
    encode,
    importance_of,
    level_of,
    new_memory_id,
    published,
    title_of,
    validated,
)

BASE = {"id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "kind": "design", "content": "x"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "7"}, "id"),
        ({"id": "3f2504e0-4f89-11d3-9a0c-0305e82c3301"}, "id"),
        ({"kind": "poem"}, "memory_type"),
        ({"content": ""}, "content"),
        ({"content": " \n\t"}, "content"),
        ({"content": "x" * 100_001}, "content"),
        ({"content": 5}, "content"),
        ({"content": "half \ud800"}, "content"),
        ({"importance": 1.1}, "importance"),
        ({"importance": -0.1}, "importance"),
        ({"importance": "huge"}, "importance"),
        ({"importance": True}, "importance"),
        ({"tags": "a"}, "tags"),
        ({"tags": [1]}, "tags"),
        ({"tags": ["x" * 101]}, "tags"),
        ({"tags": [str(i) for i in range(101)]}, "tags"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"a": "x" * 100_000}}, "metadata"),
        ({"visibility": "secret"}, "visibility"),
        ({"state": "gone"}, "state"),
        ({"version": 0}, "version"),
        ({"anchors": [""]}, "anchors"),
        ({"relationships": [{"type": "", "target_id": "x"}]}, "relationships"),
        ({"relationships": [{"type": "A"}]}, "relationships"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"kind": "task", "metadata": {"status": "almost"}}, "metadata.status"),
        ({"kind": "task", "metadata": {"blockers": "the weather"}}, "metadata.blockers"),
        ({"kind": "task", "metadata": {"outcome": 1}}, "metadata.outcome"),
    ],
)
def test_what_a_field_cannot_hold_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    with pytest.raises(UsageError) as caught:
        decode({**BASE, **change})
    assert caught.value.message.startswith(field)
    assert caught.value.suggestion


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_kept_and_published_as_memory_type(kind: str) -> None:
    memory = decode({**BASE, "kind": kind})
    assert published(memory)["memory_type"] == published(memory)["kind"] == kind


@pytest.mark.parametrize("name", ["kind", "memory_type", "type"])
def test_the_kind_goes_by_three_names(name: str) -> None:
    assert decode({"id": BASE["id"], "content": "x", name: "design"}).kind == "design"


def test_content_of_the_greatest_length_is_kept() -> None:
    assert len(decode({**BASE, "content": "x" * 100_000}).content) == 100_000


def test_tags_are_lower_case_and_each_once() -> None:
    assert decode({**BASE, "tags": [" Money ", "money", "Two  Words", ""]}).tags == ("money", "two words")


@pytest.mark.parametrize(("word", "number"), [("high", 0.9), ("medium", 0.5), ("low", 0.2)])
def test_importance_words_are_numbers_and_back(word: str, number: float) -> None:
    assert importance_of(word) == number
    assert level_of(number) == word


@pytest.mark.parametrize(
    ("number", "word"), [(1, "high"), (0.7, "high"), (0.69, "medium"), (0.35, "medium"), (0.34, "low"), (0, "low")]
)
def test_importance_is_cut_where_the_contract_says(number: float, word: str) -> None:
    assert level_of(number) == word


def test_unknown_fields_of_newer_versions_are_left_out() -> None:
    assert decode({**BASE, "mood": "good"}).content == "x"


def test_new_ids_are_version_four() -> None:
    assert validated(Memory(id=new_memory_id(), kind="core", content="x")).version == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.text(min_size=1, max_size=200).filter(lambda t: t.strip() != ""),
    st.lists(st.text(max_size=20), max_size=5),
    st.dictionaries(st.text(max_size=8), json_values, max_size=4),
    st.floats(0, 1),
)
def test_a_record_is_the_same_after_writing_and_reading(
    content: str, tags: list[str], metadata: dict[str, Any], importance: float
) -> None:
    given = {**BASE, "content": content, "tags": tags, "metadata": metadata, "importance": importance}
    memory = decode(given)
    line = encode(memory)
    assert b"\n" not in line
    assert decode(msgspec.json.decode(line)) == memory


def test_the_title_is_the_first_line() -> None:
    assert title_of("\n  one   two \nthree") == "one two"
    assert len(title_of("x" * 200)) == 80
