"""Saved queries, and the words with which others are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loregraph.graph.cypher import check_read_only
from loregraph.graph.cypher_names import check_names
from loregraph.graph.model import LABELS, RELATIONSHIPS
from loregraph.pages.query_words import query_words
from loregraph.pages.saved_queries import SAVED_QUERIES, SavedQuery

PAGE = Path(__file__).resolve().parents[2] / "docs" / "graph.md"


def test_the_page_about_the_graph_has_the_same_queries() -> None:
    block = re.search(r"```cypher\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    written = []
    for part in block[1].strip().split("\n\n"):
        title, _, cypher = part.partition("\n")
        written.append(SavedQuery(title.removeprefix("// "), cypher))
    assert tuple(written) == SAVED_QUERIES


@pytest.mark.parametrize("query", SAVED_QUERIES, ids=lambda query: query.title)
def test_a_saved_query_only_reads_and_names_what_there_is(query: SavedQuery) -> None:
    check_names(check_read_only(query.cypher))


def test_the_words_are_those_of_the_graph() -> None:
    words = query_words()
    assert tuple(words.labels) == LABELS
    assert set(words.relationships) == set(RELATIONSHIPS)
    assert ("complexity", "number") in words.labels["Function"]
    assert ("confidence", "number") in words.relationships["CALLS"]
    assert ("Class", "External") in words.ends["EXTENDS"]
    assert "delete" not in words.functions
    assert "count" in words.functions
