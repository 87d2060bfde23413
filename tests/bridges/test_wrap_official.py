"""The wrapper over the real memory server from npm: every tool, files both ways, and writes at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from loregraph.bridges.team_meta import TeamMeta
from loregraph.memory.knowledge_graph import MARK

from .conftest import LOREGRAPH, Opens, Wire

STAMP = re.compile(r"\[Created by Ada at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\]")


class Team:
    """One memory file, the bare server and wraps of it."""

    def __init__(self, wire: Opens, official: tuple[str, ...], file: Path, root: Path) -> None:
        self._wire, self._official, self.file, self.root = wire, official, file, root

    def bare(self) -> Wire:
        return self._wire(*self._official, env={"MEMORY_FILE_PATH": str(self.file)}, cwd=self.root)

    def wrapped(self, *options: str, **more: Any) -> Wire:
        settings = {"env": {"MEMORY_FILE_PATH": str(self.file)}, "cwd": self.root, **more}
        return self._wire(*LOREGRAPH, "wrap", *options, "--", *self._official, **settings)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]

    def names(self) -> list[str]:
        return [line["name"] for line in self.lines() if line["type"] == "entity"]


@pytest.fixture
def team(wire: Opens, official: tuple[str, ...], tmp_path: Path, repository: Path) -> Team:
    return Team(wire, official, tmp_path / "team-memory.json", repository)


def entity(name: str, *observations: str, kind: str = "pattern") -> dict[str, Any]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def without_stamps(entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**found, "observations": [text for text in found["observations"] if not STAMP.fullmatch(text)]}
        for found in entities
    ]


def test_what_the_server_offers_passes_through_untouched(team: Team) -> None:
    bare, wrapped = team.bare(), team.wrapped(opened=False)
    straight = team._wire(*team._official, env={"MEMORY_FILE_PATH": str(team.file)}, opened=False)
    assert wrapped.open() == straight.open()
    for method, params in (
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "memory://knowledge-graph"}),
        ("resources/read", {"uri": "memory://nothing"}),
        ("prompts/list", {}),
        ("ping", {}),
        ("no/such/method", {}),
        ("tools/call", {"name": "no_such_tool", "arguments": {"names": ["a"]}}),
        ("tools/call", {"name": "read_graph"}),
        ("tools/call", {"name": "open_nodes", "arguments": {"names": 5}}),
        ("tools/call", {"name": "create_entities", "arguments": {"entities": [{"name": "a"}]}}),
    ):
        theirs, ours = bare.request(method, params), wrapped.request(method, params)
        assert {**ours, "id": 0} == {**theirs, "id": 0}, method
    assert len(wrapped.request("tools/list", {})["result"]["tools"]) == 9


def test_every_tool_through_the_wrap(team: Team) -> None:
    host = team.wrapped()
    made = host.ok("create_entities", entities=[entity("api", "tRPC"), entity("org:style", kind="rule")])
    assert [found["name"] for found in made["entities"]] == ["shop:api", "org:style"]
    assert all(STAMP.fullmatch(found["observations"][-1]) for found in made["entities"])

    related = host.ok("create_relations", relations=[{"from": "api", "to": "style", "relationType": "follows"}])
    # `style` is stored under org: and is found there.
    relation = {"from": "shop:api", "to": "org:style", "relationType": "follows"}
    assert related == {"relations": [relation]}

    added = host.ok("add_observations", observations=[{"entityName": "api", "contents": ["two", "tRPC"]}])
    (row,) = added["results"]
    assert row["entityName"] == "shop:api"
    assert row["addedObservations"][0] == "two"
    assert STAMP.fullmatch(row["addedObservations"][1])
    # Nothing new is nothing that anybody wrote.
    again = host.ok("add_observations", observations=[{"entityName": "shop:api", "contents": ["two"]}])
    assert again["results"] == [{"entityName": "shop:api", "addedObservations": []}]

    whole = host.ok("read_graph")
    assert without_stamps(whole["entities"]) == [
        entity("shop:api", "tRPC", "two"),
        entity("org:style", kind="rule"),
    ]
    assert whole["relations"] == [relation]
    for found in (
        host.ok("search_nodes", query="trpc"),
        host.ok("open_nodes", names=["api"]),
        host.ok("open_nodes", names=["shop:api"]),
    ):
        assert [hit["name"] for hit in found["entities"]] == ["shop:api"]
    resource = host.request("resources/read", {"uri": "memory://knowledge-graph"})
    assert json.loads(resource["result"]["contents"][0]["text"]) == whole

    host.ok("delete_observations", deletions=[{"entityName": "api", "observations": ["two"]}])
    assert without_stamps(team.lines()[:1]) == [{"type": "entity", **entity("shop:api", "tRPC")}]
    host.ok("delete_relations", relations=[{"from": "api", "to": "style", "relationType": "follows"}])
    assert [line["type"] for line in team.lines()] == ["entity", "entity"]
    host.ok("delete_entities", entityNames=["style", "nothing"])
    assert team.names() == ["shop:api"]

    known = TeamMeta(team.file).entities()
    assert list(known) == ["shop:api"]
    about = known["shop:api"]
    assert about["created_by"] == about["changed_by"] == "Ada <ada@example.org>"
    assert (about["namespace"], about["created_with"], about["changes"]) == ("shop", "test-host", 2)


def test_a_subscriber_hears_of_changes(team: Team) -> None:
    host = team.wrapped()
    host.request("resources/subscribe", {"uri": "memory://knowledge-graph"})
    host.ok("create_entities", entities=[entity("a")])
    told = host.others.get(timeout=10)
    assert (told["method"], told["params"]) == ("notifications/resources/updated", {"uri": "memory://knowledge-graph"})


# Verifies REQ-BRG-002.
def test_each_reads_what_the_other_wrote(team: Team) -> None:
    bare, host = team.bare(), team.wrapped()
    bare.ok("create_entities", entities=[entity("old", "hello", kind="person"), entity('ünï ✓ "q"', "a\nb")])
    bare.ok("create_relations", relations=[{"from": "old", "to": 'ünï ✓ "q"', "relationType": "knows"}])
    # What has no namespace keeps its name, and is found, changed and deleted by it.
    assert host.ok("open_nodes", names=["old", 'ünï ✓ "q"']) == bare.ok("open_nodes", names=["old", 'ünï ✓ "q"'])
    host.ok("add_observations", observations=[{"entityName": "old", "contents": ["by the wrap"]}])
    host.ok("create_entities", entities=[entity("new", "x")])
    host.ok("create_relations", relations=[{"from": "new", "to": "old", "relationType": "replaces"}])
    seen = bare.ok("read_graph")
    assert seen == host.ok("read_graph")
    assert without_stamps(seen["entities"]) == [
        entity("old", "hello", "by the wrap", kind="person"),
        entity('ünï ✓ "q"', "a\nb"),
        entity("shop:new", "x"),
    ]
    assert {"from": "shop:new", "to": "old", "relationType": "replaces"} in seen["relations"]
    bare.ok("add_observations", observations=[{"entityName": "shop:new", "contents": ["by the server"]}])
    assert host.ok("open_nodes", names=["new"])["entities"][0]["observations"][-1] == "by the server"
    host.ok("delete_entities", entityNames=["old"])
    assert team.names() == ['ünï ✓ "q"', "shop:new"]
    # Our metadata outlives the server's writes, which erase what it does not know from its own file.
    assert list(TeamMeta(team.file).entities()) == ["shop:new"]
    for line in team.lines():
        assert set(line) in ({"type", "name", "entityType", "observations"}, {"type", "from", "to", "relationType"})


def creates(host: Wire, word: str, count: int) -> list[int]:
    return [
        host.ask("tools/call", {"name": "create_entities", "arguments": {"entities": [entity(f"{word}{number}")]}})
        for number in range(count)
    ]


def test_fifty_creates_at_once_keep_fifty(team: Team) -> None:
    host = team.wrapped()
    for number in creates(host, "e", 50):
        assert "isError" not in host.answer(number)["result"]
    assert sorted(team.names()) == sorted(f"shop:e{number}" for number in range(50))
    assert len(TeamMeta(team.file).entities()) == 50


# Verifies REQ-BRG-002.
def test_two_wraps_on_one_file_keep_a_hundred(team: Team, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(team.file)
    one, other = team.wrapped(), team.wrapped(env={"MEMORY_FILE_PATH": str(link)})
    asked = [(host, creates(host, word, 50)) for host, word in ((one, "a"), (other, "b"))]
    for host, numbers in asked:
        for number in numbers:
            assert "isError" not in host.answer(number)["result"]
    assert len(set(team.names())) == len(team.names()) == 100
    assert len(TeamMeta(team.file).entities()) == 100


def test_what_a_host_asks_before_it_hangs_up_is_done(team: Team) -> None:
    host = team.wrapped()
    creates(host, "e", 20)
    assert host.close() == 0
    assert len(team.names()) == 20


def test_a_damaged_line_is_named(team: Team) -> None:
    team.wrapped().ok("create_entities", entities=[entity("a"), entity("b")])
    whole = team.file.read_text()
    team.file.write_text(whole.replace("\n", '\n{"type":"entity","name":\n'))
    host = team.wrapped()
    for tool, arguments in (
        ("read_graph", {}),
        ("open_nodes", {"names": ["a"]}),
        ("create_entities", {"entities": [entity("c")]}),
    ):
        result = host.call(tool, **arguments)
        assert result["isError"]
        assert "JSON" in result["content"][0]["text"]  # the server's own words
        assert f"line 2 of {team.file}" in result["content"][1]["text"]
    error = host.request("resources/read", {"uri": "memory://knowledge-graph"})["error"]
    assert f"line 2 of {team.file}" in error["message"]
    team.file.write_text(whole)
    assert len(host.ok("read_graph")["entities"]) == 2
    host.close()
    assert any(f"line 2 of {team.file}" in line for line in host.errors)


def test_a_file_of_the_wrap_is_imported_and_exported(team: Team, tmp_path: Path, wire: Opens) -> None:
    from loregraph.config import Settings
    from loregraph.memory.api import ProjectMemory

    host = team.wrapped()
    host.ok("create_entities", entities=[entity("api", "tRPC", kind="design"), entity("db", "one\ntwo")])
    host.ok("create_relations", relations=[{"from": "api", "to": "db", "relationType": "uses"}])
    memory = ProjectMemory(team.root, Settings())
    done = memory.import_(team.file)
    assert (done.imported, done.errors) == (2, ())
    found = {each.content.splitlines()[0]: each for each in memory.list()}
    assert (found["shop:api"].kind, found["shop:db"].kind) == ("design", "learning")
    assert found["shop:api"].relationships[0].target_id == found["shop:db"].id
    memory.add("Kept by loregraph", kind="design", tags=["x"], importance="high")

    team.file = tmp_path / "exported.json"
    memory.export(team.file, form="knowledge-graph")
    bare = team.bare()
    read = bare.ok("read_graph")
    assert {each["name"]: each["observations"][0] for each in read["entities"]}["shop:db"] == "one\ntwo"
    assert read["relations"] == [{"from": "shop:api", "to": "shop:db", "relationType": "uses"}]
    # The server writes the file anew; what it kept is all that is needed to read it back.
    bare.ok("add_observations", observations=[{"entityName": "shop:api", "contents": ["by the server"]}])
    bare.ok("create_entities", entities=[entity("extra", "y")])
    bare.ok("delete_entities", entityNames=["shop:db"])
    again = memory.import_(team.file, conflict_resolution="overwrite")
    assert again.errors == ()
    now = {each.content.splitlines()[0]: each for each in memory.list(limit=100)}
    assert now["shop:api"].content.endswith("\nby the server")
    assert MARK not in now["shop:api"].content
    assert now["Kept by loregraph"].importance == 0.9
    assert "extra" in now


def test_a_file_of_the_server_comes_back_as_it_was(team: Team, tmp_path: Path) -> None:
    from loregraph.config import Settings
    from loregraph.memory.api import ProjectMemory

    bare = team.bare()
    bare.ok(
        "create_entities", entities=[entity("a", "x\ny", "ünï ✓"), entity("b", kind=""), entity("c", "", kind="task")]
    )
    bare.ok("create_relations", relations=[{"from": "a", "to": "b", "relationType": "ABOUT"}])
    bare.ok("create_relations", relations=[{"from": "b", "to": "nowhere", "relationType": "knows"}])
    before = bare.ok("read_graph")
    memory = ProjectMemory(team.root, Settings())
    assert memory.import_(team.file).errors == ()
    team.file = tmp_path / "exported.json"
    memory.export(team.file, form="knowledge-graph")
    after = team.bare().ok("read_graph")

    def ordered(graph: dict[str, Any]) -> list[str]:
        return sorted(json.dumps(line, sort_keys=True) for line in (*graph["entities"], *graph["relations"]))

    assert ordered(after) == ordered(before)
