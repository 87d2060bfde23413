"""Round trips: what is exported and imported again is the same; files of other programs are read and written."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.errors import NotFoundError, StoreError, UsageError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.record import Memory

from .conftest import FakeCode, Opens

FORMS = ("jsonl", "agent-memory", "knowledge-graph")


def fill(memory: ProjectMemory) -> None:
    """One of everything that a format could lose."""
    first = memory.add(
        'several\nlines, "quotes", {braces} and ünïcode ✓',
        kind="design",
        category="money",
        tags=["a", "b"],
        importance=0.73,
        metadata={"n": 1, "deep": {"list": [1, None, "x"]}},
        anchors=["src/pay.py", "src/gone.py::f"],
        run_id="r",
    ).memory_id
    memory.add("core", kind="core", importance="low")
    memory.add("task", kind="task", metadata={"status": "blocked", "blockers": ["rain"], "outcome": "none"})
    second = memory.add("second", relationships=[{"type": "SUPERSEDES", "target_id": first}]).memory_id
    memory.add(
        "third", relationships=[{"type": "uses", "target_id": "src/pay.py"}, {"type": "uses", "target_id": second}]
    )
    memory.add("of the person", kind="user_preference", scope="user")
    memory.add("of all", scope="org")
    memory.add("of the agent", scope="agent", visibility="public", agent_id="bot")
    memory.update(second, content="second, changed")
    memory.update(memory.add("archived").memory_id, state="archived")
    memory.delete(memory.add("deleted").memory_id)
    memory.get(first)
    memory.get(first)


def everything(memory: ProjectMemory) -> dict[str, Memory]:
    listed = memory.list(archived=None, limit=1000)
    return {m.id: m for m in listed}


CODE = FakeCode({"src/pay.py": ("File", "h1")})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("named", [True, False])
def test_export_and_import_give_the_same_memories(
    opens: Opens, tmp_path: Path, form: str, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = opens(code=CODE)
    fill(source)
    before = everything(source)
    exported = source.export(tmp_path / "out", form=form)
    assert exported.memories_exported == len(before) == 9
    assert exported.file_size_bytes > 0
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "another home"))
    target = opens(code=CODE)
    assert everything(target) == {}
    done = target.import_(tmp_path / "out", form=form if named else None)
    assert (done.imported, done.skipped, done.errors) == (9, 0, ())
    assert everything(target) == before
    again = target.import_(tmp_path / "out", form=form if named else None)
    assert (again.imported, again.skipped, again.errors) == (0, 9, ())
    second = tmp_path / "again"
    target.export(second, form=form)
    for one, other in zip(files(tmp_path / "out"), files(second), strict=True):
        assert one.read_bytes() == other.read_bytes()


def files(path: Path) -> list[Path]:
    return sorted(path.iterdir()) if path.is_dir() else [path]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
@pytest.mark.parametrize("form", FORMS)
def test_exports_are_their_owners_alone(memory: ProjectMemory, tmp_path: Path, form: str) -> None:
    fill(memory)
    memory.export(tmp_path / "out", form=form)
    assert {stat.S_IMODE(file.stat().st_mode) for file in files(tmp_path / "out")} == {0o600}


def test_exports_hold_only_what_may_be_seen_and_was_asked_for(memory: ProjectMemory, tmp_path: Path) -> None:
    fill(memory)
    memory.acting_as(agent_id="bot").add("private", scope="agent")
    out = tmp_path / "out.jsonl"
    memory.export(out, kinds=["core", "task"])
    assert [json.loads(line)["content"] for line in out.read_text().splitlines()] == ["core", "task"]
    memory.export(out, scope="user")
    assert [json.loads(line)["content"] for line in out.read_text().splitlines()] == ["of the person"]
    memory.export(out)
    assert "private" not in [json.loads(line)["content"] for line in out.read_text().splitlines()]
    with pytest.raises(UsageError, match="embedder"):
        memory.export(out, include_embeddings=True)
    with pytest.raises(StoreError):
        memory.export(tmp_path / "no" / "folder" / "x.jsonl")


# conflicts


@pytest.mark.parametrize(
    ("resolution", "content", "counts"),
    [("skip", "mine, longer", (0, 1)), ("overwrite", "theirs", (1, 0)), ("merge", "mine, longer", (1, 0))],
)
def test_a_known_memory_is_skipped_overwritten_or_merged(
    memory: ProjectMemory, tmp_path: Path, resolution: str, content: str, counts: tuple[int, int]
) -> None:
    memory_id = memory.add("theirs", tags=["a"], importance=0.9, metadata={"x": 1}).memory_id
    out = tmp_path / "out.jsonl"
    memory.export(out)
    memory.update(memory_id, content="mine, longer", tags=["b"], importance=0.1, metadata={"x": 2, "y": 3})
    done = memory.import_(out, conflict_resolution=resolution)
    assert (done.imported, done.skipped) == counts
    found = memory.get(memory_id)
    assert found.content == content
    if resolution == "merge":
        assert (set(found.tags), found.importance, found.metadata) == ({"a", "b"}, 0.9, {"x": 2, "y": 3})
    assert [version.content for version in memory.history(memory_id)][:2] == ["theirs", "mine, longer"]


def test_an_import_changes_nothing_of_anothers(memory: ProjectMemory, tmp_path: Path) -> None:
    memory_id = memory.add("mine").memory_id
    out = tmp_path / "out.jsonl"
    memory.export(out)
    line = json.loads(out.read_text())
    out.write_text(json.dumps({**line, "content": "forged"}) + "\n")
    eve = memory.acting_as(user_id="eve@example.org")
    done = eve.import_(out, conflict_resolution="overwrite")
    assert (done.imported, len(done.errors)) == (0, 1)
    assert memory.get(memory_id).content == "mine"
    out.write_text(json.dumps({**line, "id": line["id"][:-1] + "0", "scope": "user", "project_id": None}) + "\n")
    assert "belongs to" in eve.import_(out).errors[0].error


def test_what_was_deleted_for_good_stays_so(memory: ProjectMemory, tmp_path: Path) -> None:
    memory_id = memory.add("gone").memory_id
    memory.export(tmp_path / "out.jsonl")
    memory.delete(memory_id, hard=True)
    done = memory.import_(tmp_path / "out.jsonl", conflict_resolution="overwrite")
    assert done.imported == 0
    assert "stays deleted" in done.errors[0].error


def test_a_memory_of_another_project_comes_into_this_one(opens: Opens, tmp_path: Path) -> None:
    source = opens("shop")
    memory_id = source.add("fox").memory_id
    source.export(tmp_path / "out.jsonl")
    target = opens("other")
    target.import_(tmp_path / "out.jsonl")
    assert target.get(memory_id).project_id == "other"
    assert source.get(memory_id).project_id == "shop"


def test_bad_lines_cost_themselves_and_are_named(memory: ProjectMemory, tmp_path: Path) -> None:
    fill(memory)
    out = tmp_path / "out.jsonl"
    memory.export(out, kinds=["core", "task"])
    good = out.read_text().splitlines()
    token = "gh" + "p_" + "a1B2" * 9
    secret = json.dumps({**json.loads(good[0]), "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "content": token})
    out.write_text(
        "\n".join([good[0], "no json", "[1]", "", '{"id": "x", "kind": "core", "content": "y"}', secret, good[1]])
    )
    target = memory.acting_as(project_id="other")
    done = target.import_(out, form="jsonl")
    assert done.imported == 2
    assert [error.line for error in done.errors] == [2, 3, 5, 6]
    assert token not in str(done.errors)


@pytest.mark.parametrize("resolution", ["ask", ""])
def test_wrong_calls_are_refused(memory: ProjectMemory, tmp_path: Path, resolution: str) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(UsageError, match="conflict_resolution"):
        memory.import_(tmp_path / "x", conflict_resolution=resolution)
    with pytest.raises(NotFoundError):
        memory.import_(tmp_path / "nothing")
    with pytest.raises(UsageError, match="format"):
        memory.export(tmp_path / "y", form="xml")
    with pytest.raises(UsageError, match="core_memories"):
        memory.import_(tmp_path)


# the layout of agent-memory

AGENT_LINES: dict[str, list[dict[str, Any]]] = {
    "core_memories.jsonl": [
        {
            "id": "mem-001",
            "type": "core",
            "content": "User prefers pytest over unittest",
            "category": "preference",
            "created_at": "2026-01-01T10:00:00Z",
            "updated_at": "2026-01-01T10:00:00Z",
            "accessed_at": "2026-01-02T10:00:00Z",
            "access_count": 5,
            "tags": ["testing", "python"],
            "importance": "high",
            "archived": False,
        }
    ],
    "learnings.jsonl": [
        {
            "id": "mem-002",
            "type": "learning",
            "content": "Black formats",
            "importance": "low",
            "archived": True,
            "tags": [],
        }
    ],
    "tasks.jsonl": [],
}


def test_a_folder_of_the_agent_memory_design_is_read(memory: ProjectMemory, tmp_path: Path) -> None:
    folder = tmp_path / "memories"
    (folder / "archive").mkdir(parents=True)
    for name, lines in AGENT_LINES.items():
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "archive" / "tasks_2025.jsonl").write_text(
        '{"id": "t", "type": "task", "content": "old", "archived": true}\n'
    )
    done = memory.import_(folder, scope="user")
    assert (done.imported, done.errors) == (3, ())
    found = {m.content: m for m in memory.list(archived=None)}
    core = found["User prefers pytest over unittest"]
    assert (core.kind, core.importance, core.access_count, core.category, core.scope) == (
        "core",
        0.9,
        5,
        "preference",
        "user",
    )
    assert core.created_at == "2026-01-01T10:00:00Z"
    assert core.metadata == {"agent_memory_id": "mem-001"}
    assert found["Black formats"].state == found["old"].state == "archived"
    assert memory.import_(folder, scope="user").skipped == 3
    out = tmp_path / "out"
    memory.export(out, form="agent-memory")
    assert sorted(file.name for file in out.iterdir()) == sorted(AGENT_LINES)
    written = json.loads((out / "core_memories.jsonl").read_text())
    expected = AGENT_LINES["core_memories.jsonl"][0]
    assert {key: written[key] for key in expected} == expected


def test_what_another_program_changed_in_an_exported_layout_counts(memory: ProjectMemory, tmp_path: Path) -> None:
    memory_id = memory.add("one", kind="design", importance=0.73, tags=["a"]).memory_id
    memory.export(tmp_path / "out", form="agent-memory")
    file = tmp_path / "out" / "core_memories.jsonl"
    line = json.loads(file.read_text())
    file.write_text(json.dumps({**line, "content": "two", "tags": ["b"], "importance": "low", "archived": True}) + "\n")
    memory.import_(tmp_path / "out", conflict_resolution="overwrite")
    found = memory.get(memory_id)
    assert (found.content, found.tags, found.importance, found.state, found.kind) == (
        "two",
        ("b",),
        0.2,
        "archived",
        "design",
    )


# the official server's file


# Verifies REQ-BRG-004.
def test_a_file_of_the_official_server_is_read_and_written_back(memory: ProjectMemory, tmp_path: Path) -> None:
    lines = [
        {"type": "relation", "from": "retry policy", "to": "payments", "relationType": "belongs to"},
        {
            "type": "entity",
            "name": "retry policy",
            "entityType": "decision",
            "observations": ["three times", "then park"],
        },
        {"type": "entity", "name": "payments", "entityType": "component", "observations": []},
        {"type": "relation", "from": "nobody", "to": "payments", "relationType": "knows"},
    ]
    file = tmp_path / "memory.json"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = memory.import_(file)
    assert (done.imported, [error.line for error in done.errors]) == (2, [4])
    found = {m.content.splitlines()[0]: m for m in memory.list()}
    policy = found["retry policy"]
    assert policy.content == "retry policy\nthree times\nthen park"
    assert found["payments"].kind == "component"
    assert [(link.type, link.target_id) for link in policy.relationships] == [("belongs to", found["payments"].id)]
    assert memory.import_(file).skipped == 2
    out = tmp_path / "out.json"
    memory.export(out, form="knowledge-graph")
    written = [json.loads(line) for line in out.read_text().splitlines()]
    for entity in written:
        assert set(entity) in ({"type", "name", "entityType", "observations"}, {"type", "from", "to", "relationType"})
    named = {line["name"]: line for line in written if line["type"] == "entity"}
    assert named["retry policy"]["entityType"] == "decision"
    assert named["retry policy"] == lines[1]
    assert named["payments"] == lines[2]
    assert lines[0] in written
    # What is ours to know about it comes into it once there is something.
    memory.update(policy.id, tags=["münze"])
    memory.export(out, form="knowledge-graph")
    (changed,) = [line for line in map(json.loads, out.read_text().splitlines()) if line.get("name") == "retry policy"]
    assert changed["observations"][:2] == ["three times", "then park"]
    assert changed["observations"][2].startswith("[loregraph] ")
    assert '"münze"' in changed["observations"][2]
    assert len(changed["observations"]) == 3


def test_observations_that_the_official_server_added_are_taken_in(memory: ProjectMemory, tmp_path: Path) -> None:
    memory_id = memory.add("one", kind="design").memory_id
    out = tmp_path / "out.json"
    memory.export(out, form="knowledge-graph")
    line = json.loads(out.read_text())
    line["observations"].append("two")
    out.write_text(json.dumps(line) + "\n")
    memory.import_(out, conflict_resolution="overwrite")
    assert memory.get(memory_id).content == "one\ntwo"
    assert memory.get(memory_id).kind == "design"


def test_entities_of_one_name_get_names_of_their_own(memory: ProjectMemory, tmp_path: Path) -> None:
    for _ in range(3):
        memory.add("the same words")
    out = tmp_path / "out.json"
    memory.export(out, form="knowledge-graph")
    names = [json.loads(line)["name"] for line in out.read_text().splitlines()]
    assert len(set(names)) == 3


def test_embeddings_are_exported_where_asked(tmp_path: Path) -> None:
    from loregraph.config import Settings
    from loregraph.graph.vectors import load_embedder

    (tmp_path / "shop").mkdir()
    embedder = load_embedder("static")
    memory = ProjectMemory(tmp_path / "shop", Settings(), embedder=lambda: embedder)
    memory.add("one")
    memory.export(tmp_path / "out.jsonl", include_embeddings=True)
    line = json.loads((tmp_path / "out.jsonl").read_text())
    assert len(line["embedding"]) == 256
    assert memory.import_(tmp_path / "out.jsonl").skipped == 1
    assert msgspec.convert({k: v for k, v in line.items() if k != "embedding"}, Memory).content == "one"
