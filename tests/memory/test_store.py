"""What becomes of memories: adding, changing, deleting, undoing, listing, limits."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from loregraph.config import Settings
from loregraph.errors import AmbiguousSymbolError, ConfigError, LimitExceededError, NotFoundError, UsageError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.limits import Limits, limits_from
from loregraph.memory.questions import MemoryStore
from loregraph.memory.record import is_memory_id

from .conftest import Clock, FakeCode, Opens


def test_the_store_is_one(memory: ProjectMemory) -> None:
    store: MemoryStore = memory.store
    assert store.stats(memory.viewer).total == 0


def test_a_memory_comes_back_as_it_was_given(memory: ProjectMemory, opens: Opens) -> None:
    added = memory.add(
        "prices are cents",
        kind="design",
        category="money",
        tags=["Money", "db"],
        importance="high",
        metadata={"ticket": 7},
        run_id="r1",
    )
    assert is_memory_id(added.memory_id)
    assert added.status == "created"
    found = opens().get(added.memory_id)
    assert (found.content, found.kind, found.category, found.tags) == (
        "prices are cents",
        "design",
        "money",
        ("money", "db"),
    )
    assert (found.importance, found.metadata, found.run_id) == (0.9, {"ticket": 7}, "r1")
    assert (found.user_id, found.project_id, found.scope, found.version) == ("ann@example.org", "shop", "project", 1)
    assert found.author == "Ann Lee <ann@example.org>"
    assert found.created_at == found.updated_at == "2026-03-01T12:00:01.000000Z"


# Verifies REQ-MEM-011.
def test_where_git_knows_nobody_the_clients_name_is_the_author(memory: ProjectMemory) -> None:
    client = memory.acting_as(client="claude-code")
    assert client.get(client.add("x").memory_id).author == "claude-code"


def test_who_acts_in_the_same_project_shares_what_was_read(memory: ProjectMemory) -> None:
    assert memory.acting_as(client="claude-code").store is memory.store
    assert memory.acting_as(project_id="another").store is not memory.store


@pytest.mark.parametrize("field", ["tags", "anchors"])
def test_lists_may_be_any_sequence_but_no_text(memory: ProjectMemory, field: str) -> None:
    added = memory.add("prices are cents", **{field: (word for word in ["money.py", "db.py"])})
    assert getattr(memory.get(added.memory_id), field) == ("money.py", "db.py")
    memory.update(added.memory_id, **{field: (word for word in ["cart.py"])})
    assert getattr(memory.get(added.memory_id), field) == ("cart.py",)
    for wrong in (partial(memory.add, "prices are cents"), partial(memory.update, added.memory_id)):
        with pytest.raises(UsageError, match=f"{field}: is a text, not a list of texts"):
            wrong(**{field: "money.py"})


@pytest.mark.parametrize("wrong", [{"mood": "good"}, {"content": 5}, {"content": None}, {"tags": "a"}])
def test_rows_are_checked_like_calls(memory: ProjectMemory, wrong: dict[str, Any]) -> None:
    rows = [{"content": "one"}, {"content": "two", **wrong}, {"content": "three", "memory_type": "design"}]
    added = memory.add_many(rows)
    assert added.created == len(added.memory_ids) == 2
    assert [error.index for error in added.errors] == [1]
    assert next(iter(wrong)) in added.errors[0].error
    assert memory.get(added.memory_ids[1]).kind == "design"


def test_an_update_changes_what_it_names_and_merges_metadata(memory: ProjectMemory) -> None:
    memory_id = memory.add("one", tags=["a"], metadata={"x": 1, "y": 2}).memory_id
    updated = memory.update(memory_id, content="two", metadata={"y": None, "z": 3})
    assert (updated.status, updated.version) == ("updated", 2)
    assert set(updated.updated_fields) == {"content", "metadata"}
    found = memory.get(memory_id)
    assert (found.content, found.tags, found.metadata) == ("two", ("a",), {"x": 1, "z": 3})
    assert found.created_at < found.updated_at


@pytest.mark.parametrize(
    "changes",
    [{"content": ""}, {"importance": 2}, {"state": "lost"}, {"tags": "x"}, {"metadata": [1]}, {"hue": "red"}],
)
def test_a_wrong_update_changes_nothing(memory: ProjectMemory, changes: dict[str, Any]) -> None:
    memory_id = memory.add("one").memory_id
    with pytest.raises(UsageError):
        memory.update(memory_id, **changes)
    assert memory.get(memory_id).version == 1


def test_an_update_that_changes_nothing_writes_nothing(memory: ProjectMemory, home: Path) -> None:
    memory_id = memory.add("one", tags=["a"]).memory_id
    size = (home / "memory" / "shop.jsonl").stat().st_size
    assert memory.update(memory_id, tags=["A"]).version == 1
    assert (home / "memory" / "shop.jsonl").stat().st_size == size


def test_a_deleted_memory_is_hidden_everywhere_and_can_be_restored(memory: ProjectMemory) -> None:
    memory_id = memory.add("one").memory_id
    memory.update(memory_id, content="two")
    memory.delete(memory_id)
    with pytest.raises(NotFoundError):
        memory.get(memory_id)
    with pytest.raises(NotFoundError):
        memory.delete(memory_id)
    assert memory.list(archived=None) == []
    assert memory.search("two").total == 0
    assert [version.state for version in memory.history(memory_id)] == ["active", "active", "deleted"]
    assert memory.restore(memory_id, 1).version == 4
    assert memory.get(memory_id).content == "one"
    assert memory.restore(memory_id, 2).updated_fields == ("content",)
    assert memory.restore(memory_id, 3).version == 6
    assert memory.get(memory_id).content == "two"
    with pytest.raises(NotFoundError, match="no version 9"):
        memory.restore(memory_id, 9)


def test_a_hard_deletion_leaves_nothing_to_read(memory: ProjectMemory, opens: Opens, home: Path) -> None:
    memory_id = memory.add("to be forgotten").memory_id
    memory.delete(memory_id, hard=True)
    for other in (memory, opens()):
        for read in (other.get, other.history, other.delete):
            with pytest.raises(NotFoundError):
                read(memory_id)
    memory.normalize()
    assert b"to be forgotten" not in (home / "memory" / "shop.jsonl").read_bytes()


def test_a_memory_that_says_nearly_the_same_is_reported(memory: ProjectMemory) -> None:
    text = "payments are retried three times with exponential backoff before the order is parked"
    first = memory.add(text, kind="design").memory_id
    again = memory.add(text + ".", kind="design")
    assert [(c.memory_id, c.similarity > 0.95) for c in again.conflicts] == [(first, True)]
    assert memory.add(text, kind="learning").conflicts == ()
    assert memory.add("something else altogether", kind="design").conflicts == ()
    spy = memory.acting_as(user_id="eve@example.org", project_id="shop")
    assert len(spy.add(text, kind="design").conflicts) == 2


def test_no_conflict_tells_of_what_may_not_be_seen(memory: ProjectMemory) -> None:
    text = "payments are retried three times with exponential backoff before the order is parked"
    memory.acting_as(agent_id="bot").add(text, scope="agent")
    assert memory.acting_as(agent_id="spy").add(text, scope="agent").conflicts == ()


# links and anchors

CODE = {
    "src/pay.py": ("File", "f1"),
    "src/pay.py::retry": ("Function", "h1"),
    "src/ship.py::retry": ("Function", "h2"),
    "component:src": ("Component", ""),
}


def test_anchors_are_ids_names_are_resolved_and_nothing_is_guessed(opens: Opens) -> None:
    memory = opens(code=FakeCode(CODE))
    added = memory.add("x", anchors=["src/pay.py::retry", "component:src", "src/gone.py"])
    assert added.stale_links == ("src/gone.py",)
    assert memory.get(added.memory_id).anchors == ("src/pay.py::retry", "component:src", "src/gone.py")
    with pytest.raises(AmbiguousSymbolError) as caught:
        memory.add("x", anchors=["retry"])
    assert caught.value.candidates == ("src/pay.py::retry", "src/ship.py::retry")


# Verifies REQ-MEM-004.
def test_a_memory_is_stale_when_its_code_changes_until_it_is_confirmed(opens: Opens) -> None:
    memory_id = opens(code=FakeCode(CODE)).add("x", anchors=["src/pay.py::retry"]).memory_id
    assert not opens(code=FakeCode(CODE)).found(memory_id).stale
    changed = opens(code=FakeCode({**CODE, "src/pay.py::retry": ("Function", "new")}))
    assert changed.found(memory_id).stale_anchors == ("src/pay.py::retry",)
    assert changed.search("x").results[0].stale
    assert changed.list(stale=True)
    assert changed.stats().stale == 1
    assert changed.confirm(memory_id).updated_fields == ("anchor_hashes",)
    assert not changed.found(memory_id).stale
    gone = opens(code=FakeCode({"src/pay.py": ("File", "f1")}))
    assert gone.found(memory_id).stale
    assert not opens(code=None).found(memory_id).stale


def test_archiving_confirms_nothing(opens: Opens) -> None:
    memory_id = opens(code=FakeCode(CODE)).add("x", anchors=["src/pay.py"]).memory_id
    changed = opens(code=FakeCode({**CODE, "src/pay.py": ("File", "f2")}))
    changed.update(memory_id, state="archived")
    assert changed.found(memory_id).stale
    changed.update(memory_id, content="y")
    assert not changed.found(memory_id).stale


def test_code_that_comes_later_is_not_stale(opens: Opens) -> None:
    memory_id = opens(code=None).add("x", anchors=["src/pay.py"]).memory_id
    assert not opens(code=FakeCode(CODE)).found(memory_id).stale


def test_relationships_lead_to_memories_and_to_code(opens: Opens) -> None:
    memory = opens(code=FakeCode(CODE))
    old = memory.add("old").memory_id
    gone = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
    added = memory.add(
        "new",
        relationships=[
            {"type": "SUPERSEDES", "target_id": old},
            {"type": "EXPLAINS", "target_id": "src/pay.py::retry"},
            {"type": "RELATES_TO", "target_id": gone},
        ],
    )
    assert added.stale_links == (gone,)
    links = {(link.type, link.target_id, link.direction, link.stale) for link in memory.relationships(added.memory_id)}
    assert links == {
        ("SUPERSEDES", old, "outgoing", False),
        ("EXPLAINS", "src/pay.py::retry", "outgoing", False),
        ("RELATES_TO", gone, "outgoing", True),
    }
    assert memory.get(added.memory_id).anchors == ("src/pay.py::retry",)
    assert memory.found(old).superseded_by == (added.memory_id,)
    assert [(link.type, link.direction) for link in memory.relationships(old)] == [("SUPERSEDES", "incoming")]
    assert memory.delete(old).relationships_removed == 1
    assert memory.delete(added.memory_id).relationships_removed == 3


# listing


def test_lists_filter_sort_and_page(memory: ProjectMemory) -> None:
    for i in range(12):
        memory.add(
            f"fact {i}",
            kind="design" if i % 2 else "learning",
            tags=["even"] if i % 2 == 0 else ["odd", "tagged"],
            importance=i / 12,
            category="low" if i < 6 else "high",
        )
    page = memory.page(limit=5)
    assert (page.total, page.has_more, page.memories[0].memory.content) == (12, True, "fact 11")
    last = memory.page(limit=5, offset=10)
    assert (len(last.memories), last.has_more) == (2, False)
    assert len(memory.list(kinds=["design"], limit=100)) == 6
    assert len(memory.list(tags=["odd", "tagged"])) == 6
    assert memory.list(tags=["odd", "even"]) == []
    assert [m.content for m in memory.list(sort_by="importance", limit=2)] == ["fact 11", "fact 10"]
    assert [m.content for m in memory.list(sort_by="created_at", sort_order="asc", limit=1)] == ["fact 0"]
    assert len(memory.list(importance="high", limit=100)) == 3
    assert len(memory.list(category="low", limit=100)) == 6
    assert [m.content for m in memory.list(search="FACT 7")] == ["fact 7"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"limit": 1001},
        {"limit": "5"},
        {"offset": -1},
        {"sort_by": "mood"},
        {"sort_order": "up"},
        {"kinds": ["poem"]},
        {"scope": "world"},
        {"importance": "huge"},
    ],
)
def test_wrong_selections_are_refused_by_name(memory: ProjectMemory, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        memory.page(**wrong)


def test_archived_memories_are_listed_where_asked_and_never_recalled(memory: ProjectMemory) -> None:
    memory_id = memory.add("fox").memory_id
    memory.update(memory_id, state="archived")
    assert memory.list() == []
    assert [m.id for m in memory.list(archived=True)] == [memory_id]
    assert [m.id for m in memory.list(archived=None)] == [memory_id]
    assert memory.search("fox").total == 0
    assert memory.get(memory_id).state == "archived"


def test_statistics_count_what_the_viewer_sees(memory: ProjectMemory) -> None:
    memory.add("one", kind="core", tags=["a", "b"], importance="high")
    memory.add("two", kind="task", tags=["a"], importance="low")
    gone = memory.add("three").memory_id
    memory.delete(gone)
    memory.acting_as(agent_id="bot").add("hidden", scope="agent")
    stats = memory.stats()
    assert (stats.total, dict(stats.by_type), dict(stats.by_scope)) == (2, {"core": 1, "task": 1}, {"project": 2})
    assert dict(stats.by_state) == {"active": 2, "deleted": 1}
    assert dict(stats.by_importance) == {"high": 1, "medium": 0, "low": 1}
    assert list(stats.top_tags.items()) == [("a", 2), ("b", 1)]
    assert stats.oldest < stats.newest
    assert stats.journal_bytes > 0
    assert stats.storage_bytes >= stats.journal_bytes


# counters


def test_accesses_are_counted_and_cost_the_journal_nothing(memory: ProjectMemory, opens: Opens, home: Path) -> None:
    memory_id = memory.add("fox").memory_id
    size = (home / "memory" / "shop.jsonl").stat().st_size
    memory.get(memory_id)
    memory.search("fox")
    memory.get(memory_id, touch=False)
    memory.list()
    assert memory.get(memory_id, touch=False).access_count == 2
    memory.close()
    again = opens()
    assert again.get(memory_id, touch=False).access_count == 2
    assert again.get(memory_id, touch=False).accessed_at > again.get(memory_id, touch=False).created_at
    assert (home / "memory" / "shop.jsonl").stat().st_size == size
    again.get(memory_id)
    again.update(memory_id, content="fox and hound")
    (home / "memory" / "shop.jsonl.access").unlink()
    assert opens().get(memory_id, touch=False).access_count == 3


def test_counts_of_two_processes_add_up(opens: Opens) -> None:
    one, two = opens(), opens()
    memory_id = one.add("fox").memory_id
    for _ in range(3):
        one.get(memory_id)
        two.get(memory_id)
    one.close()
    two.close()
    assert opens().get(memory_id, touch=False).access_count == 6


def test_damaged_counters_are_as_if_never_counted(memory: ProjectMemory, opens: Opens, home: Path) -> None:
    memory_id = memory.add("fox").memory_id
    (home / "memory" / "shop.jsonl.access").write_bytes(b"\xff not json")
    again = opens()
    assert again.get(memory_id).access_count == 0
    again.close()
    assert opens().get(memory_id, touch=False).access_count == 1


def test_counters_that_somebody_changed_are_as_if_never_counted(
    memory: ProjectMemory, opens: Opens, home: Path
) -> None:
    memory_id = memory.add("fox").memory_id
    memory.get(memory_id)
    memory.close()
    file = home / "memory" / "shop.jsonl.access"
    kept = json.loads(file.read_text())
    assert kept.keys() == {"", memory_id}
    file.write_text(json.dumps({**kept, memory_id: [1000, "2026-01-01T00:00:00Z"]}))
    assert opens().get(memory_id, touch=False).access_count == 0


# limits of the profile agent-memory


def limited(memory: ProjectMemory, **limits: int) -> ProjectMemory:
    return memory.acting_as(limits=Limits(**limits))


def test_core_memories_are_refused_past_the_limit_with_what_to_archive(memory: ProjectMemory) -> None:
    agent = limited(memory, max_core=2)
    least = agent.add("one", kind="core", importance="low").memory_id
    agent.add("two", kind="core")
    with pytest.raises(LimitExceededError) as caught:
        agent.add("three", kind="core")
    assert least in caught.value.suggestion
    assert caught.value.code == "LIMIT_EXCEEDED"
    agent.update(least, state="archived")
    agent.add("three", kind="core")


@pytest.mark.parametrize("kind", ["learning", "task"])
def test_the_least_valuable_of_others_are_archived_past_the_limit(memory: ProjectMemory, kind: str) -> None:
    agent = limited(memory, max_learnings=2, max_tasks=2)
    agent.add("one", kind=kind, importance="high")
    least = agent.add("two", kind=kind, importance="low").memory_id
    added = agent.add("three", kind=kind)
    assert added.archived == (least,)
    assert {m.content for m in agent.list()} == {"one", "three"}
    assert agent.get(least).state == "archived"


def test_quiet_learnings_and_tasks_done_long_ago_are_archived(memory: ProjectMemory, clock: Clock) -> None:
    agent = limited(memory)
    quiet = agent.add("quiet", kind="learning").memory_id
    used = agent.add("used", kind="learning").memory_id
    done = agent.add("done", kind="task", metadata={"status": "completed"}).memory_id
    agent.add("doing", kind="task", metadata={"status": "in-progress"})
    agent.add("core", kind="core")
    clock.pass_days(29)
    assert agent.archive_expired() == ()
    clock.pass_days(2)
    assert agent.archive_expired() == (done,)
    agent.get(used)
    clock.pass_days(60)
    assert agent.archive_expired() == (quiet,)
    assert memory.archive_expired() == ()


@pytest.mark.parametrize(
    "wrong", [{"content": "x" * 5_001}, {"tags": [str(i) for i in range(11)]}, {"tags": ["x" * 31]}]
)
def test_the_profiles_sizes_hold(memory: ProjectMemory, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        limited(memory).add(**{"content": "x", **wrong})
    memory.add(**{"content": "x", **wrong})


def test_limits_come_from_the_environment() -> None:
    found = limits_from({"MAX_CORE_MEMORIES": "7", "AUTO_ARCHIVE_TASKS_DAYS": "3", "MAX_TASKS": ""})
    assert (found.max_core, found.archive_tasks_days, found.max_tasks) == (7, 3, 200)
    for wrong in ("0", "-1", "many", "1.5"):
        with pytest.raises(ConfigError, match="MAX_TASKS"):
            limits_from({"MAX_TASKS": wrong})


def test_memories_need_no_graph_and_make_none(tmp_path: Path) -> None:
    root = tmp_path / "bare"
    root.mkdir()
    memory = ProjectMemory(root, Settings())
    memory.add("one")
    assert list(root.iterdir()) == []
