"""Answers stay within their budget, and say what was cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.analysis.token_count import CHARACTERS, size
from loregraph.mcp_server.budget import DEFAULT_TOKENS, fit

from .conftest import Asker


def test_what_fits_is_left_alone() -> None:
    answer = {"results": [1, 2], "total": 2}
    assert fit(answer, DEFAULT_TOKENS, "ask again") is answer


def test_the_end_of_a_long_list_goes_first() -> None:
    answer = {"results": [{"id": f"item-{n}", "text": "x" * 50} for n in range(1000)], "total": 1000}
    cut = fit(answer, 1000, "use limit")
    assert size(cut) <= 1000 * CHARACTERS
    assert cut["results"] == answer["results"][: len(cut["results"])]
    assert 30 < len(cut["results"]) < 1000
    assert cut["total"] == 1000
    assert f"results: {len(cut['results'])} of 1,000 shown" in cut["truncated"]
    assert cut["truncated"].endswith("use limit")
    assert len(answer["results"]) == 1000


def test_a_long_text_is_clipped() -> None:
    cut = fit({"memory": {"content": "é" * 100_000, "id": "1"}, "relationships": []}, 1000, "max_tokens")
    assert size(cut) <= 1000 * CHARACTERS
    assert cut["memory"]["id"] == "1"
    assert set(cut["memory"]["content"]) == {"é"}
    assert "memory.content" in cut["truncated"]


def test_an_answer_with_a_flag_keeps_it() -> None:
    cut = fit({"rows": [["x" * 100]] * 1000, "truncated": False}, 500, "LIMIT")
    assert cut["truncated"] is True
    assert "LIMIT" in cut["rest"]


VALUES = st.recursive(
    st.none() | st.integers(-(2**53), 2**53) | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=200,
)


# Verifies REQ-MCP-005.
@given(st.lists(VALUES, max_size=60), st.text(max_size=5_000), st.integers(400, 2_000))
def test_no_answer_is_larger_than_its_budget(items: list[object], text: str, tokens: int) -> None:
    answer = {"results": items, "detail": {"text": text, "items": items}, "total": len(items)}
    cut = fit(answer, tokens, "narrow it")
    assert size(cut) <= tokens * CHARACTERS
    assert (cut is answer) == ("truncated" not in cut)


@pytest.mark.parametrize("tool", ["memory_get", "memory_search"])
def test_a_large_memory_does_not_flood_the_host(ask: Asker, tool: str) -> None:
    content = "All of it matters. " * 5_000
    added = ask.ok("memory_add", memory_type="session", content=content)
    arguments = {"memory_id": added["memory_id"]} if tool == "memory_get" else {"query": "all of it matters"}
    answer = ask(tool, **arguments)
    assert len(answer.text) <= DEFAULT_TOKENS * CHARACTERS
    assert "truncated" in answer.body
    if tool == "memory_get":
        more = ask.ok(tool, memory_id=added["memory_id"], max_tokens=100_000)
        assert more["memory"]["content"] == content
        assert "truncated" not in more


def test_rows_are_cut_with_how_to_get_the_rest(ask: Asker) -> None:
    body = ask.ok("graph_query", cypher="UNWIND range(1, 9000) AS x RETURN x, 'a long text in every row'", limit=9000)
    assert body["truncated"] is True
    assert "SKIP" in body["rest"]
    assert 0 < len(body["rows"]) < 9000
