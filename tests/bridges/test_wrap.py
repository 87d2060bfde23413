"""The wrapper over a server of ours: what a real one does seldom, and what a later one may do."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from loregraph.bridges import wrap
from loregraph.bridges.naming import Naming
from loregraph.bridges.process import Launch
from loregraph.bridges.team_file import TeamFile
from loregraph.bridges.team_memory import TeamMemory

from .conftest import LOREGRAPH, Opens, Wire

ECHO = (sys.executable, str(Path(__file__).with_name("echo_memory.py")))

Wraps = Callable[..., Wire]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the memory file is, and what the echo server heard."""
    found = tmp_path / "team"
    found.mkdir()
    return found


@pytest.fixture
def wraps(wire: Opens, folder: Path, repository: Path) -> Wraps:
    def new(*options: str, command: tuple[str, ...] = ECHO, **more: Any) -> Wire:
        settings = {"env": {"MEMORY_FILE_PATH": str(folder / "m.json")}, "cwd": repository, **more}
        return wire(*LOREGRAPH, "wrap", *options, "--", *command, **settings)

    return new


def heard(folder: Path, method: str = "") -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "heard.jsonl").read_text().splitlines()]
    return [line for line in lines if not method or line.get("method") == method]


def test_what_is_not_known_passes_through(wraps: Wraps) -> None:
    host = wraps(opened=False)
    opened = host.open()
    assert opened["serverInfo"] == {"name": "echo", "version": "1", "later": True}
    assert opened["capabilities"]["experimental"] == {"x": {}}
    params = {"deep": [{"a": None}], "names": ["api"], "number": 1.0, "big": 12345678901234567890}
    assert host.request("future/method", params)["result"] == {"method": "future/method", "params": params}
    assert host.request("future/method")["result"] == {"method": "future/method", "params": None}
    listed = host.request("tools/list")["result"]
    assert listed["tools"][0]["futureField"] == {"kept": [1, None, "x"]}
    assert listed["nextCursor"] == "2"
    assert host.request("tools/list", {"cursor": "2"})["result"]["_meta"] == {"p": 2}


MERGE = {
    "keep": "api",
    "others": ["db", "org:style"],
    "links": [{"entityName": "x"}],
    "from": "2026-01-01",
    "query": "api",
    "odd": {"name": "api"},
}


@pytest.mark.parametrize("lists_first", [True, False])
def test_a_new_tool_is_translated_by_its_schema(wraps: Wraps, folder: Path, lists_first: bool) -> None:
    host = wraps()
    if lists_first:
        page = host.request("tools/list")["result"]
        host.request("tools/list", {"cursor": page["nextCursor"]})
    got = host.ok("merge_entities", **MERGE)["got"]
    assert got == {**MERGE, "keep": "shop:api", "others": ["shop:db", "org:style"], "links": [{"entityName": "shop:x"}]}
    assert len(heard(folder, "tools/list")) == 2
    # One that only reads waits for nobody.
    assert host.ok("peek", name="api")["got"] == {"name": "api"}
    # What nobody knows is the server's to judge, and its arguments are nobody else's.
    assert host.ok("unknown", names=["api"])["got"] == {"names": ["api"]}


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ((), ["shop:api", "org:style"]),
        (("--scope", "project"), ["shop:api", "shop:style"]),
        (("--scope", "org"), ["org:api", "org:style"]),
    ],
)
def test_scopes_and_rules(wraps: Wraps, repository: Path, options: tuple[str, ...], names: list[str]) -> None:
    (repository / "loregraph.toml").write_text('[wrap]\norg_types = ["standard"]\n')
    host = wraps(*options)
    entities = [
        {"name": "api", "entityType": "pattern", "observations": []},
        {"name": "style", "entityType": "standard", "observations": []},
    ]
    got = host.ok("create_entities", entities=entities)["got"]["entities"]
    assert [entity["name"] for entity in got] == names
    assert all(entity["observations"][0].startswith("[Created by Ada at ") for entity in got)


def test_without_a_repository_names_are_everybodys(wraps: Wraps, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert wraps(cwd=plain).ok("open_nodes", names=["api"])["got"] == {"names": ["org:api"]}
    assert wraps("--scope", "project", cwd=plain).ok("open_nodes", names=["api"])["got"] == {"names": ["plain:api"]}
    (plain / "loregraph.toml").write_text('project_id = "named"\n')
    assert wraps(cwd=plain).ok("open_nodes", names=["api"])["got"] == {"names": ["named:api"]}


def test_writes_take_turns_in_all_processes(wraps: Wraps) -> None:
    hosts = wraps(), wraps()
    asked = {"name": "create_entities", "arguments": {}}
    writes = [(host, host.ask("tools/call", asked)) for _ in range(3) for host in hosts]
    assert [host.answer(number)["result"]["structuredContent"]["together"] for host, number in writes] == [1] * 6


# Verifies REQ-BRG-003.
def test_reads_wait_for_no_write(wraps: Wraps, folder: Path) -> None:
    host = wraps()
    with FileLock(folder / "m.json.lock"):
        write = host.ask("tools/call", {"name": "create_entities", "arguments": {"n": 1}})
        assert host.ok("open_nodes", names=["api"])["got"] == {"names": ["shop:api"]}
        assert [line["params"]["name"] for line in heard(folder, "tools/call")] == ["open_nodes"]
    assert host.answer(write)["result"]["structuredContent"]["got"] == {"n": 1}


def test_a_file_that_stays_locked_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrap, "LOCK_SECONDS", 0.05)
    monkeypatch.setenv("MEMORY_FILE_PATH", str(folder / "m.json"))
    file = TeamFile(folder / "m.json")
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_entities", "arguments": {}}}
    out = io.BytesIO()
    with FileLock(file.lock_path):
        memory = TeamMemory(file, Naming("shop"), author="Ada", name="Ada")
        wrap.Wrap(Launch(ECHO), memory, read=io.BytesIO(json.dumps(call).encode()), write=out).run()
    result = json.loads(out.getvalue())["result"]
    assert result["isError"]
    assert "another process has been writing" in result["content"][0]["text"]


def test_a_write_that_was_cancelled_before_its_turn_does_not_happen(wraps: Wraps, folder: Path) -> None:
    host = wraps()
    tools = ("slow", "create_entities", "create_entities")
    numbers = [host.ask("tools/call", {"name": name, "arguments": {"n": n}}) for n, name in enumerate(tools)]
    for number in numbers[:2]:
        host.send({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert host.answer(numbers[2])["result"]["structuredContent"]["got"] == {"n": 2}
    host.request("ping")
    called = [line["params"]["arguments"]["n"] for line in heard(folder, "tools/call")]
    # If the first was under way, it is let finish, its answer is dropped, and the server is not told.
    assert called in ([0, 2], [2])
    assert heard(folder, "notifications/cancelled") == []
    assert [json.loads(line)["id"] for line in host.lines].count(numbers[0]) == 0


@pytest.mark.parametrize("tool", ["crash", "hang"])
def test_a_server_that_ends_or_hangs_in_a_write_is_told_and_started_again(
    wraps: Wraps, folder: Path, tool: str
) -> None:
    host = wraps("--timeout", "1")
    before = host.ok("create_entities", n=1)["pid"]
    result = host.call(tool)
    assert result["isError"]
    assert result["content"][0]["text"].startswith("Error: the upstream server")
    after = host.ok("create_entities", n=2)
    assert (after["got"], after["together"]) == ({"n": 2}, 1)
    assert after["pid"] != before
    # The handshake was repeated, the write was not.
    assert len(heard(folder, "initialize")) == len(heard(folder, "notifications/initialized")) == 2
    assert [line["params"]["name"] for line in heard(folder, "tools/call")].count(tool) == 1


def test_failures_name_the_damaged_line_and_change_nothing_else(wraps: Wraps, folder: Path) -> None:
    host = wraps()
    plain = host.call("fail")
    assert plain == {"content": [{"type": "text", "text": "broken"}], "isError": True, "x": 1}
    assert host.request("resources/read", {"uri": "x"})["error"] == {
        "code": -32002,
        "message": "cannot read",
        "data": {"uri": "x"},
    }
    (folder / "m.json").write_text("{\n")
    told = host.call("fail")
    assert {**told, "content": told["content"][:1]} == plain
    assert "line 1 of" in told["content"][1]["text"]
    error = host.request("resources/read", {"uri": "x"})["error"]
    assert (error["code"], error["data"]) == (-32002, {"uri": "x"})
    assert "line 1 of" in error["message"]


def test_half_a_surrogate_pair_passes(wraps: Wraps) -> None:
    host = wraps()
    assert host.ok("open_nodes", names=["a\ud83d"])["got"] == {"names": ["shop:a\ud83d"]}


def test_calls_that_are_none_are_left_to_the_server(wraps: Wraps) -> None:
    host = wraps()
    assert host.ok("open_nodes", **{})["got"] == {}
    answer = host.request("tools/call", {"name": "open_nodes", "arguments": ["api"]})
    assert answer["result"]["structuredContent"]["got"] == ["api"]


def test_a_relative_memory_file_is_taken_from_here(wraps: Wraps, repository: Path) -> None:
    host = wraps(env={"MEMORY_FILE_PATH": "notes/m.json"})
    host.ok("create_entities", entities=[])
    assert (repository / "notes" / "m.json.lock").exists()
    assert heard(repository / "notes", "tools/call")


def test_without_a_memory_file_there_is_one_for_all(wraps: Wraps, home: Path) -> None:
    host = wraps(env={})
    host.ok("create_entities", entities=[])
    assert heard(home / "data", "tools/call")
    host.close()
    assert any("MEMORY_FILE_PATH is not set" in line and "team-memory.jsonl" in line for line in host.errors)
