"""Recall: the formula, what is found, and in what order. The time is an argument everywhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from loregraph.config import Settings
from loregraph.errors import EmbedderUnavailableError, UsageError
from loregraph.graph.vectors import load_embedder
from loregraph.memory.api import ProjectMemory
from loregraph.memory.recall import floor_of, related, relevance, similarity
from loregraph.memory.texts import TextIndex
from loregraph.memory.vectors import VectorTable, noise_of, term_matches

from .conftest import Clock, FakeCode, Opens

NOW = datetime(2026, 3, 1, tzinfo=UTC)


# Verifies REQ-MEM-006.
def test_relevance_is_the_formula() -> None:
    assert relevance(1, 1, NOW, 0, NOW) == pytest.approx(0.9)
    assert relevance(0, 0, NOW - timedelta(days=10_000), None, NOW) == pytest.approx(0.0)
    ten_days = NOW - timedelta(days=10)
    assert relevance(0.6, 0.5, ten_days, 1, NOW) == pytest.approx(0.5 * 0.6 + 0.2 * 0.5 + 0.1 * np.exp(-1) + 0.1 * 0.5)
    assert relevance(0, 0, NOW + timedelta(days=1), None, NOW) == pytest.approx(0.1)


def test_use_breaks_ties_and_no_more(memory: ProjectMemory) -> None:
    better = memory.add("the fox jumps over the dog").memory_id
    worse = memory.add("the fox was seen near a house that had been empty for years").memory_id
    equal = [memory.add(f"heron {number}").memory_id for number in ("one", "two", "six")]
    for _ in range(40):
        memory.search("house")
        memory.get(equal[1])
    assert memory.get(worse).access_count >= 40
    assert [hit.memory.id for hit in memory.search("fox jumps").results] == [better, worse]
    stamp = {hit.memory.id: hit.relevance for hit in memory.search("heron").results}
    assert len(set(stamp.values())) == 1
    assert memory.search("heron").results[0].memory.id == equal[1]


def test_what_shares_no_word_has_to_come_near() -> None:
    similar = {"best": 0.6, "near": 0.2, "far": 0.15, "noise": 0.06, "word": 0.07, "common": 0.07}
    lexical = {"word": 0.05, "common": 0.01}
    assert related(similar, lexical, 0.08).keys() == {"best", "near", "word", "common"}
    assert related({"near": 0.09, "noise": 0.06}, {}, 0.08).keys() == {"near"}
    assert related({"a": 0.0}, {}, 0.0) == {}
    assert related({}, {}, 0.08) == {}


def test_what_has_nothing_to_do_with_a_question_is_no_answer(meaning: ProjectMemory) -> None:
    texts = [
        "Payments are retried three times with exponential backoff.",
        "Birds of that valley leave for the south in autumn.",
        "All timestamps are stored in UTC and converted at the edge.",
        "Her sister plays the cello in the town's orchestra.",
    ]
    for text in texts:
        meaning.add(text)
    found = meaning.search("which time zone are dates kept in")
    assert found.results[0].memory.content == texts[2]
    assert texts[3] not in {hit.memory.content for hit in found.results}
    assert found.total == len(found.results) < len(texts)


def test_another_embedders_floor_is_what_it_gives_texts_without_anything_in_common() -> None:
    class Alike(Counted):
        """All of its vectors are near to one another, as those of some models are."""

        model_id = "alike"

        def embed_documents(self, texts: list[str]) -> Any:
            self.texts += texts
            rows = np.eye(len(texts), dtype=np.float32) + 1
            return rows / np.linalg.norm(rows, axis=1)[:, None]

    embedder = Alike()
    noise = noise_of(embedder)
    assert noise_of(embedder) == noise
    assert len(embedder.texts) == 8
    assert noise == pytest.approx(10 / 11)
    assert floor_of(noise) == pytest.approx(0.4 * noise)
    assert floor_of(-0.2) == 0


def test_similarity_goes_from_none_to_all() -> None:
    assert similarity(0.3, None) == 0.3
    assert similarity(0, -1, -1) == 0
    assert similarity(1, 1, 1) == pytest.approx(1)
    assert similarity(1, 1) == pytest.approx(1)
    assert 0 < similarity(0, 0.5) < similarity(0.1, 0.5)


def test_words_score_absolutely() -> None:
    index = TextIndex()
    for key, text in {"a": "retry the payment", "b": "ship the parcel", "c": "retry"}.items():
        index.put(key, text)
    scores = index.scores("retrying payments")
    assert scores.keys() == {"a", "c"}
    assert 1 >= scores["a"] > scores["c"] > 0
    assert index.scores("nothing of that") == {}
    index.drop("a")
    index.put("c", "parcel")
    assert index.scores("retry") == {}
    assert index.scores("parcel").keys() == {"b", "c"}


def test_an_index_that_was_kept_up_is_one_that_was_made_anew() -> None:
    kept, fresh = TextIndex(), TextIndex()
    for i in range(30):
        kept.put(str(i % 10), f"text {i} of the parser number {i % 7}")
    kept.drop("3")
    for i in range(20, 30):
        if i % 10 != 3:
            fresh.put(str(i % 10), f"text {i} of the parser number {i % 7}")
    for query in ("parser", "number 5", "text 27"):
        assert kept.scores(query) == pytest.approx(fresh.scores(query))


@pytest.mark.parametrize("above", [0.51, 0.81, 0.95])
def test_similar_texts_are_exactly_those_above_the_threshold(above: float) -> None:
    chance = np.random.default_rng(7)
    words = [f"word{chr(97 + i)}" for i in range(12)]
    texts = {str(i): " ".join(chance.choice(words, size=8)) for i in range(60)}
    index = TextIndex()
    for key, text in texts.items():
        index.put(key, text)

    def cosine(a: str, b: str) -> float:
        x, y = (np.array([text.split().count(word) for word in words]) for text in (a, b))
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    for text in list(texts.values())[:20]:
        expected = {key for key, other in texts.items() if cosine(text, other) > above + 1e-9}
        assert {key for key, _ in index.similar(text, above)} == expected


class Terms:
    """cat and feline mean the same; nothing else is known."""

    def of(self, hashes: Any) -> Any:
        from loregraph.graph.terms import term_hash

        known = {term_hash("cat"): [1.0, 0.0], term_hash("felin"): [1.0, 0.0], term_hash("dog"): [0.0, 1.0]}
        return np.array([known.get(int(value), [0.0, 0.0]) for value in hashes], dtype=np.float32)


def test_terms_match_by_meaning_and_unknown_ones_by_themselves() -> None:
    texts = {"a": ["felin", "zyx"], "b": ["dog"], "c": []}
    assert term_matches({"cat": 1.0}, texts, Terms()) == pytest.approx({"a": 1.0, "b": 0.0})
    assert term_matches({"cat": 1.0, "zyx": 3.0}, texts, Terms()) == pytest.approx({"a": 1.0, "b": 0.0})
    assert term_matches({}, texts, Terms()) == {}


@pytest.fixture
def meaning(tmp_path: Path, clock: Clock) -> ProjectMemory:
    """A memory that embeds with the packaged model."""
    root = tmp_path / "shop"
    root.mkdir()
    embedder = load_embedder("static")
    return ProjectMemory(root, Settings(), embedder=lambda: embedder, clock=clock)


def test_a_question_in_other_words_finds_its_memory(meaning: ProjectMemory) -> None:
    texts = [
        "Payments are retried three times with exponential backoff.",
        "All timestamps are stored in UTC and converted at the edge.",
        "Images are resized in a Lambda triggered by the upload event.",
        "Postgres connections are limited to twenty because of the managed instance.",
    ]
    for text in texts:
        meaning.add(text)
    for question, text in (
        ("what time zone are dates saved in", texts[1]),
        ("how do pictures get scaled", texts[2]),
        ("maximum number of database sessions", texts[3]),
    ):
        found = meaning.search(question)
        assert found.mode == "hybrid"
        assert found.results[0].memory.content == text


def test_without_an_embedder_words_answer_and_the_reason_is_said(opens: Opens, tmp_path: Path, clock: Clock) -> None:
    def broken() -> None:
        raise EmbedderUnavailableError("no such model")

    opens().add("retry payments")
    memory = ProjectMemory(tmp_path / "shop", Settings(), embedder=broken, clock=clock)
    found = memory.search("payment")
    assert (found.mode, found.note, len(found.results)) == ("lexical", "no such model", 1)
    none = ProjectMemory(tmp_path / "shop", Settings(), embedder=lambda: None, clock=clock).search("payment")
    assert (none.mode, none.note, len(none.results)) == ("lexical", "", 1)


def test_what_matters_more_comes_first_among_equals(memory: ProjectMemory, clock: Clock) -> None:
    low = memory.add("fox one", importance="low").memory_id
    high = memory.add("fox two", importance="high").memory_id
    assert [hit.memory.id for hit in memory.search("fox").results] == [high, low]
    memory.update(low, importance="high")
    clock.pass_days(30)
    memory.update(low, category="seen again")
    assert [hit.memory.id for hit in memory.search("fox").results] == [low, high]


def test_what_is_near_in_the_graph_ranks_higher(opens: Opens) -> None:
    nodes = dict.fromkeys(("a.py::f", "b.py::g", "c.py::h", "z.py::far"), ("Function", "h"))
    code = FakeCode(nodes, [("a.py::f", "b.py::g"), ("c.py::h", "b.py::g")])
    memory = opens(code=code)
    far = memory.add("fox", anchors=["z.py::far"]).memory_id
    two = memory.add("fox", anchors=["c.py::h"]).memory_id
    one = memory.add("fox", anchors=["b.py::g"]).memory_id
    zero = memory.add("fox", anchors=["a.py::f"]).memory_id
    found = memory.search("fox", near=["f"]).results
    assert [hit.memory.id for hit in found] == [zero, one, two, far]
    score = {hit.memory.id: hit.relevance for hit in found}
    assert score[zero] - score[far] == pytest.approx(0.1, abs=1e-3)
    assert score[one] - score[far] == pytest.approx(0.05, abs=1e-3)
    assert score[two] - score[far] == pytest.approx(0.1 / 3, abs=1e-3)


def test_recall_filters(memory: ProjectMemory, clock: Clock) -> None:
    memory.add("fox one", kind="design", tags=["a", "b"])
    clock.pass_days(2)
    memory.add("fox two", kind="learning", tags=["b"])

    def found(**filters: Any) -> set[str]:
        return {hit.memory.content for hit in memory.search("fox", **filters).results}

    assert found() == {"fox one", "fox two"}
    assert found(kinds=["design"]) == {"fox one"}
    assert found(tags=["A", "b"]) == {"fox one"}
    assert found(since="2026-03-02") == {"fox two"}
    assert found(until="2026-03-01") == {"fox one"}
    assert found(since="2026-03-01", until="2026-03-01T12:00:01Z") == {"fox one"}
    assert memory.search("fox among quite other words", min_similarity=0.9).total == 0
    limited = memory.search("fox", limit=1)
    assert (len(limited.results), limited.total) == (1, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"min_similarity": 2},
        {"kinds": ["poem"]},
        {"scope": "world"},
        {"since": "yesterday"},
        {"query": " "},
    ],
)
def test_wrong_questions_are_refused(memory: ProjectMemory, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        memory.search(**{"query": "x", **wrong})


def test_equal_questions_get_equal_answers(memory: ProjectMemory) -> None:
    for i in range(20):
        memory.add(f"fox number {i}")
    first, again = (memory.search("fox", limit=7).results for _ in range(2))
    assert [hit.memory.id for hit in first] == [hit.memory.id for hit in again]


class Counted:
    """An embedder that counts the texts it was given."""

    model_id, dim, weights_sha256, text_version = "counted", 4, "0", 1

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> Any:
        self.texts += texts
        return np.eye(4, dtype=np.float32)[[len(text) % 4 for text in texts]]

    def embed_query(self, text: str) -> Any:
        return np.eye(4, dtype=np.float32)[0]


# Verifies REQ-SRC-007.
def test_only_new_texts_are_embedded_and_vectors_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.vectors"
    first = VectorTable(path, Counted())
    texts = [f"some text {i}" for i in range(100)]
    rows = first.of(texts)
    assert len(first.embedder.texts) == 100  # type: ignore[attr-defined]
    again = VectorTable(path, Counted())
    assert (again.of([*texts, "a new one"])[:100] == rows).all()
    assert len(again.embedder.texts) == 1  # type: ignore[attr-defined]
    other = Counted()
    other.model_id = "another"
    assert len(VectorTable(path, other).of(texts)) == len(other.texts) == 100
    path.write_bytes(b"damaged")
    assert len(VectorTable(path, Counted()).of(texts)) == 100
