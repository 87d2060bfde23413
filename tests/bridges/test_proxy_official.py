"""The official memory server from npm behind the shipped file: every one of its tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loregraph.bridges import proxy_file
from loregraph.bridges.proxy_check import check

from .conftest import LOREGRAPH, Opens, Wire

ENTITY = {"name": "cart", "entityType": "class", "observations": ["rounds once", "holds prices"]}
OTHER = {"name": "money", "entityType": "module", "observations": []}
RELATION = {"from": "cart", "to": "money", "relationType": "uses"}


@pytest.fixture
def file(official: tuple[str, ...], tmp_path: Path) -> Path:
    """The shipped file, its server the one that was installed."""
    found = json.loads(proxy_file.example("server-memory"))
    env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    found["upstream"] = {"command": official[0], "args": list(official[1:]), "env": env}
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


@pytest.fixture
def proxied(wire: Opens, file: Path) -> Wire:
    return wire(*LOREGRAPH, "proxy", str(file))


@pytest.fixture
def bare(wire: Opens, official: tuple[str, ...], tmp_path: Path) -> Wire:
    """The server itself, on the same file."""
    return wire(*official, env={"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")})


def test_the_shipped_file_fits_the_server(file: Path) -> None:
    server, faults = check(proxy_file.load(file))
    assert server["name"] == "memory-server"
    assert faults == []


def test_the_shipped_file_has_every_tool_of_the_server(proxied: Wire, bare: Wire) -> None:
    mine = {tool["name"]: tool for tool in proxied.request("tools/list")["result"]["tools"]}
    theirs = {tool["name"]: tool for tool in bare.request("tools/list")["result"]["tools"]}
    assert set(mine) == {f"memory__{name}" for name in theirs}
    for name, tool in theirs.items():
        assert set(mine[f"memory__{name}"]["inputSchema"]["properties"]) == set(tool["inputSchema"]["properties"])
        assert mine[f"memory__{name}"]["annotations"] == tool["annotations"]


def test_every_tool_answers_what_the_server_answers(proxied: Wire, bare: Wire, tmp_path: Path) -> None:
    """Each call is made through the proxy, and, on the same content, of the server itself."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("create_entities", {"entities": [ENTITY, OTHER]}),
        ("create_relations", {"relations": [RELATION]}),
        ("add_observations", {"observations": [{"entityName": "money", "contents": ["whole cents"]}]}),
        ("read_graph", {}),
        ("search_nodes", {"query": "cents"}),
        ("open_nodes", {"names": ["cart"]}),
        ("delete_observations", {"deletions": [{"entityName": "cart", "observations": ["holds prices"]}]}),
        ("delete_relations", {"relations": [RELATION]}),
        ("delete_entities", {"entityNames": ["money"]}),
    ]
    store = tmp_path / "memory.jsonl"
    for name, arguments in calls:
        before = store.read_text() if store.exists() else ""
        got = proxied.call(f"memory__{name}", **arguments)
        after = store.read_text()
        store.write_text(before)
        assert got == bare.call(name, **arguments), name
        assert not got.get("isError")
        assert store.read_text() == after
    entity = {"type": "entity", **ENTITY, "observations": ["rounds once"]}
    assert [json.loads(line) for line in store.read_text().splitlines()] == [entity]


def test_what_either_writes_the_other_reads(proxied: Wire, bare: Wire) -> None:
    proxied.ok("memory__create_entities", entities=[ENTITY])
    bare.ok("create_entities", entities=[OTHER])
    graph = {"entities": [ENTITY, OTHER], "relations": []}
    assert proxied.ok("memory__read_graph") == bare.ok("read_graph") == graph


def test_errors_are_the_servers(proxied: Wire, bare: Wire) -> None:
    wrong = {"observations": [{"entityName": "nobody", "contents": ["x"]}]}
    got = proxied.call("memory__add_observations", **wrong)
    assert got["isError"] is True
    assert got == bare.call("add_observations", **wrong)
    assert proxied.call("memory__open_nodes", names="cart") == bare.call("open_nodes", names="cart")
