"""Each profile: its tools, its resources, and that they do what their designs say."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from loregraph.cli.serve import PROFILES
from loregraph.errors import UsageError
from loregraph.mcp_server import profiles

from .conftest import Asker, Connect

TOOLS = {
    "agent-memory": "store_memory query_memories update_memory delete_memory get_memory_stats",
    "scoped": "remember_project_memory remember_agent_memory remember_user_preference recall_project_context "
    "recall_agent_context recall_user_preferences memory_update memory_delete memory_search",
    "coding": "explore impact memory_search memory_add index_status",
    "lean": "explore code_search get_related find_duplicates memory_search get_design_context trace_requirements "
    "memory_add index_status",
}
RESOURCES = {
    "code-memory": set(),
    "agent-memory": {
        "memory://recent",
        "memory://core",
        "memory://learnings",
        "memory://tasks/active",
        "memory://tasks/completed",
    },
    "scoped": {"health://status"},
    "lean": set(),
    "coding": set(),
}


# Verifies REQ-MCP-008.
@pytest.mark.parametrize(("profile", "names"), TOOLS.items())
def test_a_profile_shows_its_tools_and_takes_no_others(connect: Connect, profile: str, names: str) -> None:
    ask = connect(profile)
    assert {tool.name for tool in ask.tools()} == set(names.split())
    assert ask("memory_statistics").code == "NOT_FOUND"


def test_all_has_every_tool_once(connect: Connect) -> None:
    names = [tool.name for tool in connect("all").tools()]
    assert len(names) == len(set(names)) == 23 + 2 + 5 + 6


def test_the_command_knows_the_profiles() -> None:
    assert tuple(profiles.PROFILES) == PROFILES
    with pytest.raises(UsageError, match="no profile"):
        profiles.get("fat")


@pytest.mark.parametrize(("profile", "uris"), RESOURCES.items())
def test_resources(connect: Connect, profile: str, uris: set[str]) -> None:
    ask = connect(profile)
    if not uris:
        assert ask.client.server_capabilities.resources is None
        return
    listed = ask.portal.call(ask.client.list_resources).resources
    assert {str(resource.uri) for resource in listed} == uris
    assert all(resource.description for resource in listed)


def resource(ask: Asker, uri: str) -> dict[str, Any]:
    read: Any = ask.portal.call(ask.client.read_resource, uri)
    body: dict[str, Any] = json.loads(read.contents[0].text)
    return body


def test_an_unknown_resource_is_refused(connect: Connect) -> None:
    ask = connect("agent-memory")
    with pytest.raises(MCPError, match="no resource"):
        resource(ask, "memory://everything")


def test_agent_memories(connect: Connect) -> None:
    ask = connect("agent-memory")
    core = ask.ok("store_memory", type="core", content="Prefers pytest", tags=["Testing", "python"], importance="high")
    task = ask.ok(
        "store_memory", type="task", content="Port the cache", metadata={"status": "blocked", "blockers": ["redis"]}
    )
    done = ask.ok("store_memory", type="task", content="Write docs", metadata={"status": "completed"})
    learned = ask.ok("store_memory", type="learning", content="The queue is at least once")
    assert {one["status"] for one in (core, task, done, learned)} == {"created"}

    page = ask.ok("query_memories", limit=2, sort_by="created_at", sort_order="asc")
    assert (page["total"], page["limit"], page["offset"], page["has_more"]) == (4, 2, 0, True)
    first = page["memories"][0]
    assert (first["id"], first["type"], first["importance"]) == (core["id"], "core", "high")
    assert first["tags"] == ["testing", "python"]
    assert ask.ok("query_memories", tags=["python", "testing"])["total"] == 1
    assert ask.ok("query_memories", tags=["python", "java"])["total"] == 0
    assert ask.ok("query_memories", search="QUEUE once")["total"] == 1
    assert ask.ok("query_memories", type="task", importance="medium")["total"] == 2

    changed = ask.ok("store_memory", type="core", content="Prefers hypothesis", id=core["id"])
    assert changed == {"id": core["id"], "status": "updated", "archived": []}
    updated = ask.ok("update_memory", id=task["id"], metadata={"status": "completed", "outcome": "ported"})["memory"]
    assert updated["metadata"] == {"status": "completed", "outcome": "ported", "blockers": ["redis"]}

    assert {m["id"] for m in resource(ask, "memory://tasks/completed")["memories"]} == {task["id"], done["id"]}
    assert resource(ask, "memory://tasks/active")["memories"] == []
    assert [m["content"] for m in resource(ask, "memory://core")["memories"]] == ["Prefers hypothesis"]
    assert [m["id"] for m in resource(ask, "memory://learnings")["memories"]] == [learned["id"]]
    recent = resource(ask, "memory://recent")["memories"]
    assert [m["id"] for m in recent[:2]] == [task["id"], core["id"]]

    assert ask.ok("delete_memory", id=learned["id"])["status"] == "archived"
    assert ask.ok("query_memories", type="learning")["total"] == 0
    assert ask.ok("query_memories", archived=True)["memories"][0]["archived"] is True
    assert ask.ok("update_memory", id=learned["id"], archived=False)["memory"]["archived"] is False
    assert ask.ok("delete_memory", id=learned["id"], permanent=True)["status"] == "deleted"
    assert ask("update_memory", id=learned["id"], content="x").code == "NOT_FOUND"
    stats = ask.ok("get_memory_stats")
    assert stats["total_memories"] == 3
    assert stats["by_type"] == {"core": 1, "learning": 0, "task": 2}
    assert stats["oldest_memory"] <= stats["newest_memory"]
    assert stats["total_storage_kb"] > 0


def test_reading_a_resource_is_no_access(connect: Connect) -> None:
    ask = connect("agent-memory")
    ask.ok("store_memory", type="core", content="seen")
    resource(ask, "memory://core")
    assert resource(ask, "memory://recent")["memories"][0]["access_count"] == 0


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"type": "design", "content": "x"}, "type"),
        ({"type": "core", "content": "x" * 5001}, "content"),
        ({"type": "core", "content": "x", "tags": [str(n) for n in range(11)]}, "tags"),
        ({"type": "core", "content": "x", "tags": ["a" * 31]}, "tags"),
        ({"type": "core", "content": "x", "importance": 0.5}, "importance"),
        ({"type": "task", "content": "x", "metadata": {"status": "maybe"}}, "status"),
    ],
)
def test_what_the_profile_does_not_keep(connect: Connect, arguments: dict[str, Any], field: str) -> None:
    answer = connect("agent-memory")("store_memory", **arguments)
    assert answer.code == "VALIDATION_ERROR"
    assert field in answer.message


def test_limits_of_the_profile(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_CORE_MEMORIES", "1")
    monkeypatch.setenv("MAX_LEARNINGS", "1")
    ask = connect("agent-memory")
    ask.ok("store_memory", type="core", content="one")
    refused = ask("store_memory", type="core", content="two")
    assert refused.code == "LIMIT_EXCEEDED"
    assert "archive" in refused.body["error"]["suggestion"]
    first = ask.ok("store_memory", type="learning", content="one")
    assert ask.ok("store_memory", type="learning", content="two")["archived"] == [first["id"]]


def test_an_agent_memory_folder_is_taken_over_once(connect: Connect, home: Path) -> None:
    folder = home / "agent-memories"
    folder.mkdir()
    now = datetime.now(UTC) - timedelta(days=1)
    line = {
        "id": "mem-001",
        "type": "core",
        "content": "User prefers pytest",
        "created_at": now.isoformat(),
        "updated_at": now.isoformat(),
        "tags": ["testing"],
        "importance": "high",
        "archived": False,
    }
    (folder / "core_memories.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    for _ in range(2):
        found = connect("agent-memory").ok("query_memories")
        assert [memory["content"] for memory in found["memories"]] == ["User prefers pytest"]


def test_scopes_keep_to_themselves(connect: Connect) -> None:
    ask = connect("scoped")
    ask.ok("remember_project_memory", content="deploys run at night")
    ask.ok("remember_agent_memory", agent_id="reviewer", content="reviews deploys twice")
    ask.ok("remember_agent_memory", agent_id="reviewer", content="shared deploys list", visibility="shared")
    preference = ask.ok("remember_user_preference", content="prefers short deploys")

    def contents(tool: str, **arguments: Any) -> set[str]:
        return {hit["content"] for hit in ask.ok(tool, query="deploys", **arguments)["results"]}

    assert contents("recall_project_context") == {"deploys run at night"}
    assert contents("recall_agent_context", agent_id="reviewer") == {"reviews deploys twice", "shared deploys list"}
    assert contents("recall_agent_context", agent_id="other") == {"shared deploys list"}
    assert contents("recall_user_preferences") == {"prefers short deploys"}
    assert ask("remember_user_preference", content="x", project_id="shop").code == "VALIDATION_ERROR"
    assert ask("remember_agent_memory", content="x").code == "VALIDATION_ERROR"
    assert ask.ok("memory_delete", memory_id=preference["memory_id"])["status"] == "deleted"


def test_preferences_follow_the_user_and_project_memories_do_not(connect: Connect) -> None:
    here, there = connect("scoped"), connect("scoped", project_id="another")
    here.ok("remember_user_preference", content="prefers tabs")
    here.ok("remember_project_memory", content="this one uses tabs")
    assert len(there.ok("recall_user_preferences", query="tabs")["results"]) == 1
    assert there.ok("recall_project_context", query="tabs")["results"] == []


def test_health(connect: Connect) -> None:
    ask = connect("scoped")
    body = resource(ask, "health://status")
    told = {check["status"] for check in body["checks"]}
    assert body["status"] == ("degraded" if "warning" in told else "ok")
    assert "failed" not in told
    assert body["project_id"] == "shop"
    assert {"engine", "embedder", "store"} <= {check["name"] for check in body["checks"]}
    assert str(ask.root) not in json.dumps(body)
