"""The installed server over standard input and output, in both eras of the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from .test_tools import ABSENT, BAD, FIELDS, SYMBOL

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))


def parameters(root: Path, *more: str) -> StdioServerParameters:
    return StdioServerParameters(command=LOREGRAPH, args=["serve", *more], env=dict(os.environ), cwd=root)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_all_tools_with_good_and_bad_input(root: Path, mode: Any) -> None:
    anyio.run(converse, root, mode)


async def converse(root: Path, mode: Any) -> None:
    """Calls each of the 23 tools with good, then with bad input."""
    (root / "docs").mkdir()
    called: set[str] = set()
    async with Client(parameters(root), mode=mode) as client:
        assert client.server_info is not None
        assert client.server_info.name == "loregraph"
        assert {tool.name for tool in (await client.list_tools()).tools} == set(FIELDS)

        async def good(tool: str, **arguments: Any) -> dict[str, Any]:
            answer = await client.call_tool(tool, arguments)
            body: dict[str, Any] = answer.structured_content
            assert not answer.is_error, (tool, body)
            assert set(FIELDS[tool].split()) <= set(body), tool
            assert json.loads(answer.content[0].text) == body
            called.add(tool)
            return body

        async def finished(tool: str, job_id: str) -> dict[str, Any]:
            while True:
                body = await good(tool, job_id=job_id)
                state = body.get("job", body)
                if state["status"] not in ("queued", "running"):
                    return dict(state)
                await anyio.sleep(0.05)

        told: list[float] = []

        async def note(done: float, total: float | None, message: str | None) -> None:
            told.append(done)

        answer = await client.call_tool("index_directory", {"directory_path": "."}, progress_callback=note)
        called.add("index_directory")
        assert told[-1] == 1.0
        job = await finished("index_status", answer.structured_content["job_id"])
        assert job["status"] == "completed"
        job = await finished("index_status", (await good("reindex", scope="full"))["job_id"])
        assert job["status"] == "completed"
        assert (await good("index_file", file_path="shop/cart.py"))["status"] == "skipped"

        added = await good(
            "memory_add",
            memory_type="design",
            content="Rounded once",
            relationships=[{"type": "ABOUT", "target_id": SYMBOL}],
        )
        memory_id = added["memory_id"]
        await good("memory_get", memory_id=memory_id, include_relationships=True)
        await good("memory_update", memory_id=memory_id, tags=["money"])
        rows = [{"memory_type": "core", "content": "kept"}, {"memory_type": "none", "content": "lost"}]
        assert (await good("memory_bulk_add", memories=rows))["created"] == 1
        assert (await good("memory_search", query="rounded"))["results"][0]["memory_id"] == memory_id
        assert (await good("code_search", query="round to cents"))["results"][0]["id"] == SYMBOL
        assert (await good("find_duplicates", id="shop/money.py::exchange"))["has_duplicates"] is True
        assert (await good("get_related", entity_id=SYMBOL, direction="incoming"))["related"]
        assert (await good("graph_query", cypher="MATCH (f:File) RETURN count(f) AS n"))["rows"] == [[6]]
        await good("check_consistency", component_id="shop")
        await good("validate_fix", component_id=SYMBOL, fix_description="round up", affected_files=["shop/money.py"])
        await good("get_design_context", component_id=SYMBOL)
        await good("memory_statistics")
        job = await finished("normalize_status", (await good("normalize_memory", dry_run=True))["job_id"])
        assert job["status"] == "completed"
        exported = await good("export_memory", output_path="docs/memories.jsonl")
        assert (await good("import_memory", file_path=exported["file_path"]))["skipped"] == 2
        await good("memory_delete", memory_id=memory_id)

        answer = await client.call_tool("trace_requirements", {})
        assert answer.structured_content["error"]["code"] == "UNAVAILABLE"  # the project has no requirements
        called.add("trace_requirements")
        assert called == set(FIELDS)

        for tool, arguments, field in BAD:
            answer = await client.call_tool(tool, arguments)
            error = answer.structured_content["error"]
            assert answer.is_error, (tool, arguments)
            assert error["code"] == "VALIDATION_ERROR", (tool, error)
            assert field in error["message"]
        for tool, arguments in ABSENT:
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error
            assert answer.structured_content["error"]["code"] == "NOT_FOUND"
        for tool, field in (("index_file", "file_path"), ("export_memory", "output_path")):
            answer = await client.call_tool(tool, {field: "../outside"})
            assert answer.structured_content["error"]["code"] == "PERMISSION_DENIED"


# Verifies REQ-MCP-004.
def test_standard_output_carries_only_the_protocol(root: Path) -> None:
    environment = {**os.environ, "LOREGRAPH_DEBUG": "1", "LOG_LEVEL": "DEBUG"}
    process = subprocess.Popen(
        [LOREGRAPH, "--root", str(root), "serve"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    client = {"name": "test", "version": "1"}
    messages: list[Any] = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        "this is no message",
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    calls = [
        ("index_file", {"file_path": "shop/cart.py", "force": True}),
        ("code_search", {"query": "cart"}),
        ("graph_query", {"cypher": "RETURN 1 AS one"}),
        ("memory_add", {"memory_type": "core", "content": "x"}),
        ("memory_add", {"memory_type": "core"}),
    ]
    for number, (name, arguments) in enumerate(calls, 3):
        params = {"name": name, "arguments": arguments}
        messages.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    assert process.stdin is not None
    assert process.stdout is not None
    for message in messages:
        process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
    process.stdin.flush()
    answered: set[int] = set()
    lines = []
    while answered < set(range(1, len(calls) + 3)):
        lines.append(json.loads(process.stdout.readline()))
        if isinstance(lines[-1].get("id"), int):
            answered.add(lines[-1]["id"])
    rest, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert rest == ""
    assert all(line["jsonrpc"] == "2.0" for line in lines)
    logged = [json.loads(line) for line in log.splitlines()]
    assert sorted(line["tool"] for line in logged if line["message"] == "tool call") == sorted(
        name for name, _ in calls
    )


def test_it_ends_with_its_client(root: Path) -> None:
    done = subprocess.run([LOREGRAPH, "serve"], cwd=root, input=b"", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--project-id", "Not An Id"], "project_id"),
        (["--profile", "fat"], "fat"),
        (["--transport", "http", "--host", "0.0.0.0"], "LOREGRAPH_TOKEN"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_served(root: Path, words: list[str], said: str) -> None:
    done = subprocess.run(
        [LOREGRAPH, "serve", *words], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_project_id_names_the_project(root: Path) -> None:
    async def ask() -> str:
        async with Client(parameters(root, "--project-id", "another"), mode="legacy") as client:
            added = await client.call_tool("memory_add", {"memory_type": "core", "content": "x"})
            got = await client.call_tool("memory_get", {"memory_id": added.structured_content["memory_id"]})
            return str(got.structured_content["memory"]["project_id"])

    assert anyio.run(ask) == "another"
