"""A proxy before a stub that has the episodic-memory server's tools, and before others."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from loregraph.bridges import proxy_file
from loregraph.bridges.proxy import Proxy

from .bridged import ENVELOPE, HELLO, PATIENCE, RawHost, command, heard, kill, starts
from .stub_upstream import VERBATIM

Open = Callable[..., RawHost]


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Open]:
    """Serves a file, by default the shipped one, before the stub."""
    hosts = []

    def new(
        file: dict[str, Any] | None = None, *, fault: str = "", tools: str = "episodic", seconds: float = PATIENCE
    ) -> RawHost:
        found = file or json.loads(proxy_file.example("episodic-memory"))
        if file is None or "upstream" not in file:
            words = command(tmp_path)
            env = {"STUB_FAULT": fault, "STUB_TOOLS": tools}
            found["upstream"] = {"command": words[0], "args": words[1:], "env": env}
        read = proxy_file.parse(json.dumps(found), "tools.json")

        def serve(read_end: BinaryIO, write_end: BinaryIO) -> None:
            Proxy(read, seconds=seconds, read=read_end, write=write_end).bridge.run()

        hosts.append(RawHost(serve))
        return hosts[-1]

    yield new
    for host in hosts:
        host.close()


def renamed() -> dict[str, Any]:
    """The shipped file, changed for the other server: other names, the query nested."""
    found: dict[str, Any] = json.loads(proxy_file.example("episodic-memory"))
    search = found["tools"][0]
    search["upstream"] = {"tool": "find", "paramMapping": {"query": "filters.text", "after": "filters.since"}}
    search["upstream"]["paramMapping"]["limit"] = "max"
    found["tools"] = [search]
    del found["upstream"]
    return found


def forwarded(result: dict[str, Any]) -> Any:
    """What the stub says it was called with."""
    assert not result.get("isError"), result
    return json.loads(result["content"][0]["text"])


# what a host sees


def test_the_handshake_is_the_proxys(proxy: Open) -> None:
    result = proxy(fault="dead").hello()["result"]
    assert result["protocolVersion"] == "2025-11-25"
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "loregraph-proxy"


@pytest.mark.parametrize(
    ("asked", "got"), [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"), (None, "2025-11-25")]
)
def test_the_version_is_the_hosts_where_it_is_known(proxy: Open, asked: Any, got: str) -> None:
    answered = proxy().ask("initialize", {**HELLO, "protocolVersion": asked})
    assert answered["result"]["protocolVersion"] == got


def test_the_list_is_the_files_even_while_the_upstream_is_dead(proxy: Open) -> None:
    host = proxy(fault="dead")
    host.hello()
    listed = host.ask("tools/list")["result"]
    entries = json.loads(proxy_file.example("episodic-memory"))["tools"]
    assert listed == {"tools": [{k: v for k, v in entry.items() if k != "upstream"} for entry in entries]}
    assert list(listed["tools"][0]) == ["name", "description", "inputSchema", "annotations"]


def test_ping_is_answered_and_what_is_not_the_proxys_is_refused(proxy: Open) -> None:
    host = proxy()
    host.hello()
    assert host.ask("ping")["result"] == {}
    assert host.ask("resources/list")["error"]["code"] == -32601
    assert host.ask("tools/call", {"name": "memory__read", "arguments": []})["result"]["isError"] is True
    host.send(b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":[]}\n')
    assert host.answer(77)["error"]["code"] == -32602


# the shipped file before the episodic-memory server's tools


def test_every_parameter_of_the_shipped_file_reaches_a_server_that_refuses_unknown_ones(proxy: Open) -> None:
    host = proxy()
    host.hello()
    everything = {
        "query": ["rounding", "money"],
        "mode": "text",
        "limit": 5,
        "after": "2026-01-01",
        "before": "2026-12-31",
        "project": "shop",
        "session_id": "s-1",
        "git_branch": "main",
        "response_format": "json",
    }
    assert forwarded(host.call("memory__search", **everything)) == {"tool": "search", "arguments": everything}
    lines = {"path": "/a.jsonl", "startLine": 1, "endLine": 9}
    assert forwarded(host.call("memory__read", **lines)) == {"tool": "read", "arguments": lines}
    entries = json.loads(proxy_file.example("episodic-memory"))["tools"]
    assert set(entries[0]["inputSchema"]["properties"]) == set(everything)


def test_only_what_is_mapped_and_given_is_forwarded(proxy: Open) -> None:
    host = proxy()
    host.hello()
    assert forwarded(host.call("memory__search", query="rounding", colour="red")) == {
        "tool": "search",
        "arguments": {"query": "rounding"},
    }


def test_an_error_of_the_tool_is_passed_on(proxy: Open) -> None:
    host = proxy()
    host.hello()
    result = host.call("memory__search", query="rounding", after="yesterday")
    assert result == {"content": [{"type": "text", "text": "Error: Invalid: 'after'"}], "isError": True}


def test_an_error_of_the_protocol_is_passed_on(proxy: Open) -> None:
    host = proxy(fault="refuse")
    host.hello()
    error = host.ask("tools/call", {"name": "memory__read", "arguments": {"path": "a"}})["error"]
    assert error == {"code": -32042, "message": "not today", "data": {"seen": 1}}


def test_a_response_is_passed_on_byte_by_byte(proxy: Open) -> None:
    host = proxy(fault="verbatim")
    host.hello()
    number = host.begin("tools/call", {"name": "memory__read", "arguments": {"path": "a"}})
    line = host.line(lambda message: message.get("id") == number)
    assert line.decode().strip() == VERBATIM.replace('"ID"', str(number))


def test_values_are_passed_on_byte_by_byte(proxy: Open, tmp_path: Path) -> None:
    host = proxy()
    host.hello()
    host.send(
        b'{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"memory__search",'
        b'"arguments":{"limit": 10.0,"query":"\\u00e9 12345678901234567890"}}}\n'
    )
    host.answer(50)
    assert (
        b'"arguments":{"query":"\\u00e9 12345678901234567890","limit":10.0}'
        in (tmp_path / "heard.jsonl").read_bytes().splitlines()[-1]
    )


def test_an_unknown_tool_is_told(proxy: Open) -> None:
    host = proxy()
    host.hello()
    assert host.told("search", query="rounding") == "Error: Unknown tool: search"


# another server by the file alone


# Verifies REQ-BRG-001.
def test_another_server_with_other_names_and_a_nested_parameter_needs_another_file_only(proxy: Open) -> None:
    host = proxy(renamed(), tools="renamed")
    host.hello()
    shown = host.ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in shown] == ["memory__search"]
    assert forwarded(host.call("memory__search", query="rounding", after="2026-01-01", limit=3)) == {
        "tool": "find",
        "arguments": {"filters": {"text": "rounding", "since": "2026-01-01"}, "max": 3},
    }
    assert forwarded(host.call("memory__search", query="rounding"))["arguments"] == {"filters": {"text": "rounding"}}


def test_a_file_that_maps_wrongly_is_told_by_the_server_and_in_the_log(
    proxy: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    host = proxy(tools="renamed")
    host.hello()
    error = host.ask("tools/call", {"name": "memory__search", "arguments": {"query": "rounding"}})["error"]
    assert error["message"] == "Tool search not found"
    assert host.ask("ping")["result"] == {}
    told = capsys.readouterr().err
    assert "$.tools[0].upstream.tool: the upstream has no tool 'search'; it has find, note" in told


# an upstream that fails leaves the proxy alive


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("dead", "exit code 1: Error: Cannot find module 'better-sqlite3'"),
        ("crash", "exit code 7: Error: the database is locked"),
        ("hang", "did not answer tools/call in 1 seconds"),
        ("half-a-line", "answered what is no JSON-RPC answer"),
        ("prose", "it wrote what is no JSON-RPC message: Here is what I found: nothing"),
        ("no-result", "answered what is no JSON-RPC answer"),
    ],
)
def test_what_goes_wrong_upstream_is_told_and_the_proxy_goes_on(proxy: Open, fault: str, told: str) -> None:
    host = proxy(fault=fault, seconds=1.0)
    host.hello()
    for _ in range(2):
        text = host.told("memory__search", query="rounding")
        assert text.startswith("Error: the upstream server")
        assert told in text
    assert len(host.ask("tools/list")["result"]["tools"]) == 2
    assert host.alive


def test_a_server_that_is_not_installed_is_told(proxy: Open) -> None:
    found = json.loads(proxy_file.example("episodic-memory"))
    found["upstream"]["command"] = "no-such-server-here"
    host = proxy(found)
    host.hello()
    text = host.told("memory__read", path="a")
    assert text.startswith("Error: cannot start the upstream server `no-such-server-here`: No such file or directory.")


def test_a_dead_upstream_is_started_again_once(proxy: Open, tmp_path: Path) -> None:
    host = proxy()
    host.hello()
    assert forwarded(host.call("memory__read", path="a"))
    kill(tmp_path)
    assert forwarded(host.call("memory__read", path="b"))["arguments"] == {"path": "b"}
    assert starts(tmp_path) == 2


def test_a_call_that_only_reads_is_sent_again(proxy: Open, tmp_path: Path) -> None:
    host = proxy(fault="crash-once")
    host.hello()
    assert forwarded(host.call("memory__read", path="b"))["arguments"] == {"path": "b"}
    assert starts(tmp_path) == 2
    assert len(heard(tmp_path, "tools/call")) == 2


def test_a_call_that_may_have_written_is_not(proxy: Open, tmp_path: Path) -> None:
    note = {
        "name": "memory__note",
        "description": "Note",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "upstream": {"tool": "note", "paramMapping": {"text": "text"}},
    }
    host = proxy({"tools": [note]}, tools="renamed", fault="crash-once")
    host.hello()
    assert "whether that took effect is not known" in host.told("memory__note", text="once")
    assert forwarded(host.call("memory__note", text="twice"))["arguments"] == {"text": "twice"}
    assert len(heard(tmp_path, "tools/call")) == 2


# what passes beside calls


def test_progress_passes_and_the_upstreams_list_does_not(proxy: Open) -> None:
    host = proxy(fault="progress")
    host.hello()
    given = {"name": "memory__read", "arguments": {"path": "a"}, "_meta": {"progressToken": 5}}
    host.answer(host.begin("tools/call", given))
    told = [json.loads(line) for line in host.lines if b'"method"' in line]
    assert [message["method"] for message in told] == ["notifications/progress"] * 2
    assert {message["params"]["progressToken"] for message in told} == {5}


def test_who_the_host_is_and_what_it_can_do_is_told_upstream(proxy: Open, tmp_path: Path) -> None:
    host = proxy()
    host.ask("initialize", {**HELLO, "capabilities": {"elicitation": {}}, "protocolVersion": "2025-06-18"})
    host.call("memory__read", path="a")
    assert heard(tmp_path, "initialize") == [
        {
            "protocolVersion": "2025-06-18",
            "clientInfo": {"name": "test", "version": "1"},
            "capabilities": {"elicitation": {}},
        }
    ]
    assert len(heard(tmp_path, "notifications/initialized")) == 1


# the two eras of the protocol


def test_a_modern_host_before_a_server_of_the_handshake(proxy: Open, tmp_path: Path) -> None:
    host = proxy()
    found = host.ask("server/discover", {"_meta": ENVELOPE})["result"]
    assert found["supportedVersions"] == ["2026-07-28"]
    assert found["resultType"] == "complete"
    listed = host.ask("tools/list", {"_meta": ENVELOPE})["result"]
    assert (listed["resultType"], listed["ttlMs"], listed["cacheScope"]) == ("complete", 0, "private")
    given = {"name": "memory__read", "arguments": {"path": "a"}, "_meta": {**ENVELOPE, "progressToken": 1, "own": 2}}
    result = host.ask("tools/call", given)["result"]
    assert result.pop("resultType") == "complete"
    assert forwarded(result)["arguments"] == {"path": "a"}
    assert heard(tmp_path, "tools/call")[-1]["_meta"] == {"progressToken": 1, "own": 2}
    unknown = host.ask("tools/call", {"name": "x", "_meta": ENVELOPE})["result"]
    assert unknown["resultType"] == "complete"
    assert unknown["isError"] is True


def test_a_modern_host_before_a_modern_server(proxy: Open, tmp_path: Path) -> None:
    host = proxy(fault="modern")
    given = {"name": "memory__read", "arguments": {"path": "a"}, "_meta": ENVELOPE}
    assert forwarded(host.ask("tools/call", given)["result"])["arguments"] == {"path": "a"}
    assert heard(tmp_path, "initialize") == []
    assert heard(tmp_path, "tools/call")[-1]["_meta"] == ENVELOPE


def test_a_host_of_the_handshake_before_a_modern_server(proxy: Open, tmp_path: Path) -> None:
    host = proxy(fault="modern")
    host.hello()
    assert forwarded(host.call("memory__read", path="a"))["arguments"] == {"path": "a"}
    assert heard(tmp_path, "tools/call")[-1]["_meta"] == ENVELOPE
    kill(tmp_path)
    assert forwarded(host.call("memory__read", path="b"))["arguments"] == {"path": "b"}


def test_a_version_nobody_knows_is_refused_with_those_that_are(proxy: Open) -> None:
    envelope = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    error = proxy().ask("server/discover", {"_meta": envelope})["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "2031-01-01"}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_python_sdk_drives_the_installed_command(tmp_path: Path, mode: str) -> None:
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    found = json.loads(proxy_file.example("episodic-memory"))
    words = command(tmp_path)
    found["upstream"] = {"command": words[0], "args": words[1:]}
    (tmp_path / "tools.json").write_text(json.dumps(found))
    loregraph = str(Path(sys.executable).with_name("loregraph"))
    server = StdioServerParameters(command=loregraph, args=["proxy", str(tmp_path / "tools.json")])

    async def drive() -> None:
        kind: Any = mode
        async with Client(stdio_client(server), mode=kind, read_timeout_seconds=PATIENCE) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["memory__search", "memory__read"]
            assert tools[0].input_schema == found["tools"][0]["inputSchema"]
            answer = await client.call_tool("memory__read", {"path": "/a.jsonl", "startLine": 3})
            assert not answer.is_error
            text: Any = answer.content[0]
            assert json.loads(text.text) == {"tool": "read", "arguments": {"path": "/a.jsonl", "startLine": 3}}
            assert (await client.call_tool("nonsense", {})).is_error

    anyio.run(drive)
