"""`--check`: what the upstream does not have is told with its place in the file."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from loregraph.bridges import proxy_file
from loregraph.bridges.proxy_check import check, fault_of_path, faults_against
from loregraph.bridges.proxy_file import ProxyFile
from loregraph.errors import UpstreamError

from .bridged import command, runs
from .stub_upstream import TOOLS


def shipped(folder: Path, *, fault: str = "", tools: str = "episodic") -> ProxyFile:
    found = json.loads(proxy_file.example("episodic-memory"))
    words = command(folder)
    env = {"STUB_FAULT": fault, "STUB_TOOLS": tools}
    found["upstream"] = {"command": words[0], "args": words[1:], "env": env}
    return proxy_file.parse(json.dumps(found), "tools.json")


def of(entries: list[dict[str, Any]]) -> ProxyFile:
    return proxy_file.parse(json.dumps({"upstream": {"command": "x"}, "tools": entries}), "tools.json")


def entry(properties: list[str], required: list[str], tool: str, mapping: dict[str, str]) -> dict[str, Any]:
    schema = {"type": "object", "properties": {name: {} for name in properties}, "required": required}
    upstream = {"tool": tool, "paramMapping": mapping}
    return {"name": "mine", "description": "Mine", "inputSchema": schema, "upstream": upstream}


TOOLS_OF = {name: {tool["name"]: tool for tool in tools} for name, tools in TOOLS.items()}


@pytest.mark.parametrize("fault", ["", "modern"])
def test_the_shipped_file_fits_the_episodic_memory_servers_tools(tmp_path: Path, fault: str) -> None:
    server, faults = check(shipped(tmp_path, fault=fault))
    assert server["name"] == ("new" if fault else "stub")
    assert faults == []
    assert not runs(tmp_path)


def test_a_tool_that_is_not_there_is_told(tmp_path: Path) -> None:
    _, faults = check(shipped(tmp_path, tools="renamed"))
    assert faults == [
        ("$.tools[0].upstream.tool", "the upstream has no tool 'search'; it has find, note"),
        ("$.tools[1].upstream.tool", "the upstream has no tool 'read'; it has find, note"),
    ]


@pytest.mark.parametrize(
    ("mapping", "where", "what"),
    [
        ({"a": "querry"}, "$.tools[0].upstream.paramMapping.a", "'search' has no parameter 'querry'; there is query,"),
        ({"a": "query.text"}, "$.tools[0].upstream.paramMapping.a", "'text' would be in a array or string"),
        ({"a": "limit"}, "$.tools[0].upstream.paramMapping", "'search' needs 'query', and nothing is mapped to it"),
    ],
)
def test_a_parameter_that_does_not_fit_is_told(mapping: dict[str, str], where: str, what: str) -> None:
    faults = list(faults_against(of([entry(["a"], ["a"], "search", mapping)]), TOOLS_OF["episodic"]))
    assert (where, True) in [(path, what in told) for path, told in faults]


def test_a_parameter_that_hosts_must_give_and_that_goes_nowhere_is_told() -> None:
    file = of([entry(["a", "b"], ["a", "b"], "search", {"a": "query"})])
    assert list(faults_against(file, TOOLS_OF["episodic"])) == [
        ("$.tools[0].upstream.paramMapping", "'b' is required of hosts and mapped to nothing")
    ]


@pytest.mark.parametrize(
    ("theirs", "fault"),
    [
        ("filters.text", ""),
        ("filters.since", ""),
        ("filters.until", "there is text, since"),
        ("max.least", "'least' would be in a integer"),
    ],
)
def test_a_nested_path_is_followed(theirs: str, fault: str) -> None:
    schema = TOOLS_OF["renamed"]["find"]["inputSchema"]
    assert fault_of_path(schema, schema, proxy_file.target_of(theirs)) == fault


@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, {"anyOf": [{"type": "null"}, {"properties": {"a": {}}}]}, {"$ref": "#/$defs/x"}]
)
def test_what_a_schema_leaves_open_is_no_fault(schema: dict[str, Any]) -> None:
    assert fault_of_path(schema, schema, ("a", "b")) == ""


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema: dict[str, Any] = {"$ref": "#"}
    schema["allOf"] = [{"$ref": "#/allOf/0"}, schema]
    assert fault_of_path(copy.copy(schema), schema, ("a",)) == ""


@pytest.mark.parametrize("fault", ["dead", "refuse-list"])
def test_an_upstream_that_fails_is_told(tmp_path: Path, fault: str) -> None:
    with pytest.raises(UpstreamError, match=r"exit code 1|refused tools/list: no"):
        check(shipped(tmp_path, fault=fault))
    assert not runs(tmp_path)


def test_all_pages_of_tools_are_read(tmp_path: Path) -> None:
    script = tmp_path / "pages.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if 'id' not in m: continue\n"
        "    page = int(m['params'].get('cursor', 0))\n"
        "    result = {'tools': [{'name': f't{page}'}], **({'nextCursor': str(page + 1)} if page < 3 else {})}\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'result': result}), flush=True)\n"
    )
    found = {"upstream": {"command": sys.executable, "args": [str(script)]}, "tools": [entry([], [], "t3", {})]}
    assert check(proxy_file.parse(json.dumps(found), "tools.json"))[1] == []
