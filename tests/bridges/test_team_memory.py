"""What is added to calls: namespaces and attributions on the way in, notes on the way out."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from loregraph.bridges.naming import Naming
from loregraph.bridges.team_file import TeamFile
from loregraph.bridges.team_memory import TeamMemory

STAMP = "[Created by Ada (x) at 2026-02-09T12:00:00.000Z]"


@pytest.fixture
def memory(tmp_path: Path) -> TeamMemory:
    return TeamMemory(
        TeamFile(tmp_path / "m.json"),
        Naming("shop", "auto", org_types=("standard",)),
        author="Ada <ada@example.org>",
        name="Ada\n(x]",
        clock=lambda: datetime(2026, 2, 9, 12, tzinfo=UTC),
    )


def test_created_entities_get_namespace_and_attribution(memory: TeamMemory) -> None:
    entities = [
        {"name": "api", "entityType": "pattern", "observations": ["x"], "version": 3},
        {"name": "style", "entityType": "standard", "observations": []},
    ]
    assert memory.translated("create_entities", {"entities": entities, "more": 1}) == {
        "entities": [
            {"name": "shop:api", "entityType": "pattern", "observations": ["x", STAMP], "version": 3},
            {"name": "org:style", "entityType": "standard", "observations": [STAMP]},
        ],
        "more": 1,
    }
    assert entities[0]["observations"] == ["x"]


def test_added_observations_get_one_unless_all_are_known(memory: TeamMemory) -> None:
    memory.file.path.write_text('{"type":"entity","name":"shop:api","entityType":"t","observations":["x"]}')
    rows = [
        {"entityName": "api", "contents": ["x", "y"]},
        {"entityName": "api", "contents": ["x"]},
        {"entityName": "api", "contents": []},
        {"entityName": "new", "contents": ["x"]},
    ]
    found = memory.translated("add_observations", {"observations": rows})["observations"]
    assert [row["contents"] for row in found] == [["x", "y", STAMP], ["x"], [], ["x", STAMP]]
    assert [row["entityName"] for row in found] == ["shop:api"] * 3 + ["shop:new"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_entities", {}),
        ("create_entities", {"entities": "api"}),
        ("create_entities", {"entities": ["api", 5, None, {"name": 5, "observations": "x"}]}),
        ("add_observations", {"observations": [{"entityName": ["x"]}]}),
        ("open_nodes", {"names": "api"}),
        ("open_nodes", {"names": ["shop:api", 7]}),
        ("search_nodes", {"query": "api"}),
        ("read_graph", {}),
        ("a_tool_nobody_knows", {"names": ["api"], "name": "api"}),
    ],
)
def test_what_has_no_name_to_change_stays_the_same_object(
    memory: TeamMemory, tool: str, arguments: dict[str, Any]
) -> None:
    assert memory.translated(tool, arguments) is arguments


def test_which_tools_write(memory: TeamMemory) -> None:
    assert not memory.writes("read_graph")
    assert memory.writes("create_entities")
    assert memory.writes("unknown")
    assert memory.knows("read_graph")
    assert not memory.knows("peek")
    memory.learn([{"name": "peek", "annotations": {"readOnlyHint": True}}, {"name": "open_nodes"}, "x", {"name": 5}])
    assert memory.knows("peek")
    assert not memory.writes("peek")
    assert not memory.writes("open_nodes")
    memory.learn([{"name": "open_nodes", "annotations": {"readOnlyHint": False}}])
    assert memory.writes("open_nodes")
    memory.forget()
    assert not memory.knows("peek")


def test_what_the_server_did_is_noted_and_nothing_else(memory: TeamMemory) -> None:
    made = {"structuredContent": {"entities": [{"name": "shop:a"}, {"name": "org:b"}]}}
    memory.note("create_entities", {"entities": [{"name": "shop:was there"}]}, made)
    memory.note("create_entities", {"entities": [{"name": "shop:failed"}]}, {"isError": True})
    assert set(memory.meta.entities()) == {"shop:a", "org:b"}
    # A server that answers without structured content did what it was asked.
    memory.note("create_entities", {"entities": [{"name": "shop:c"}]}, {"content": []})
    results = [
        {"entityName": "shop:a", "addedObservations": ["x"]},
        {"entityName": "shop:c", "addedObservations": []},
    ]
    memory.note("add_observations", {}, {"structuredContent": {"results": results}})
    memory.note("delete_entities", {"entityNames": ["org:b", 5]}, {})
    memory.note("some_tool", {"entities": [{"name": "x"}]}, made)
    known = memory.meta.entities()
    assert set(known) == {"shop:a", "shop:c"}
    assert known["shop:a"]["changes"] == 1
    assert "changes" not in known["shop:c"]


def test_a_side_file_that_cannot_be_written_costs_a_warning(
    memory: TeamMemory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory.meta.path.mkdir()
    memory.note("create_entities", {}, {"structuredContent": {"entities": [{"name": "shop:a"}]}})
    assert "team-memory-meta.json was not written" in capsys.readouterr().err
