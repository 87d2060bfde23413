"""The memory tools over another backend than the journals: nothing of them knows which it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..memory.hippocampai_stand_in import StandIn
from .conftest import Asker, Connect


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    found = StandIn()
    monkeypatch.setattr("loregraph.memory.hippocampai.connected", lambda: found)
    return found


@pytest.fixture
def other(connect: Connect, root: Path, client: StandIn) -> Asker:
    return connect("all", at=root, memory_backend="hippocampai")


def test_every_memory_tool_answers(other: Asker, client: StandIn) -> None:
    added = other.ok(
        "memory_add",
        memory_type="design",
        content="Prices are rounded once, at the end",
        tags=["money"],
        importance=0.8,
        relationships=[{"type": "ABOUT", "target_id": "shop/money.py::round_price"}],
    )
    memory_id = added["memory_id"]
    assert list(client.records) == [memory_id]
    got = other.ok("memory_get", memory_id=memory_id, include_relationships=True)
    assert got["memory"]["content"] == "Prices are rounded once, at the end"
    assert [link["target_id"] for link in got["relationships"]] == ["shop/money.py::round_price"]
    found: list[dict[str, Any]] = other.ok("memory_search", query="prices rounded")["results"]
    assert [hit["memory_id"] for hit in found] == [memory_id]
    changed = other.ok("memory_update", memory_id=memory_id, content="Prices are rounded twice", tags=["x"])
    assert (changed["version"], set(changed["updated_fields"])) == (2, {"content", "tags"})
    rows = [{"memory_type": "learning", "content": "Herons wade"}, {"memory_type": "none", "content": "x"}]
    many = other.ok("memory_bulk_add", memories=rows)
    assert (many["created"], [error["index"] for error in many["errors"]]) == (1, [1])
    assert other.ok("memory_delete", memory_id=memory_id)["relationships_removed"] == 1
    assert other("memory_get", memory_id=memory_id).code == "NOT_FOUND"
    assert list(client.records) == many["memory_ids"]


def test_the_agent_profiles_tools_answer(other: Asker) -> None:
    stored = other.ok("store_memory", type="core", content="Prices are in cents", importance="high", tags=["money"])
    memory_id = stored["id"]
    listed = other.ok("query_memories", type="core", tags=["money"])
    assert [memory["id"] for memory in listed["memories"]] == [memory_id]
    assert other.ok("update_memory", id=memory_id, importance="low")["memory"]["importance"] == "low"
    assert other.ok("get_memory_stats")["total_memories"] == 1
    other.ok("delete_memory", id=memory_id)
    assert other.ok("query_memories")["total"] == 0
    assert other.ok("query_memories", archived=True)["total"] == 1


def test_what_it_cannot_do_is_unavailable(other: Asker) -> None:
    answer = other("export_memory", output_path="out.jsonl")
    assert (answer.code, "kept by hippocampai" in answer.message) == ("UNAVAILABLE", True)


def test_one_that_is_down_is_unavailable(other: Asker, client: StandIn) -> None:
    client.is_down = True
    answer = other("memory_add", memory_type="design", content="x")
    assert (answer.code, "Connection refused" in answer.message) == ("UNAVAILABLE", True)
