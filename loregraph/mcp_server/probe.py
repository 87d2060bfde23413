"""`loregraph doctor --mcp`: starts the server as a host would and calls every tool that only reads."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Final, TextIO, cast

import msgspec

from loregraph import orphans
from loregraph.analysis.token_count import CHARACTERS
from loregraph.doctor import FAILED, OK, WARNING, Check
from loregraph.mcp_server.budget import DEFAULT_TOKENS

SECONDS: Final = 60.0
"""Seconds that the server may take to start, and each tool to answer."""


def probe(root: Path, store: Path | None, profile: str) -> list[Check]:
    """Checks the server on the project at `root`. Changes nothing."""
    import anyio

    found = orphans.program("loregraph")
    command = found or str(Path(sys.executable).with_name("loregraph.exe" if os.name == "nt" else "loregraph"))
    checks = [about_command(found, command)]
    if checks[0].status == FAILED:
        return checks
    where = ["--root", str(root), *(["--store", str(store.absolute())] if store is not None else [])]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        log = cast(TextIO, file)
        checks += anyio.run(converse, [command, *where, "serve", "--profile", profile], log)
        if checks[-1].status == FAILED and checks[-1].name == "mcp start":
            log.seek(0)
            lines = log.read().strip().splitlines()
            if lines:
                checks[-1] = msgspec.structs.replace(checks[-1], detail=f"{checks[-1].detail}: {lines[-1]}")
    return checks


def about_command(found: str | None, command: str) -> Check:
    if found is not None:
        return Check("mcp command", OK, found)
    if Path(command).exists():
        hint = f"give hosts the whole path: {command}"
        return Check("mcp command", WARNING, "loregraph is not on PATH, where hosts look for it", hint)
    return Check("mcp command", FAILED, "the command loregraph is not installed", "pip install loregraph")


async def converse(command: list[str], log: TextIO) -> list[Check]:
    """Connects, lists the tools, and calls the read-only ones."""
    import anyio
    from mcp import Client, MCPError, StdioServerParameters, stdio_client

    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    checks: list[Check] = []
    began = time.monotonic()
    try:
        with anyio.fail_after(SECONDS):
            async with Client(stdio_client(server, errlog=log), mode="legacy", read_timeout_seconds=SECONDS) as client:
                checks.append(Check("mcp start", OK, f"initialize answered in {since(began)}"))
                tools = (await client.list_tools()).tools
                checks.append(about_list(tools))
                arguments = await example_arguments(client)
                for tool in tools:
                    if tool.annotations is not None and tool.annotations.read_only_hint:
                        checks.append(await try_tool(client, tool.name, arguments.get(tool.name, {})))
    except* (OSError, MCPError, TimeoutError, RuntimeError, ValueError) as group:
        error = group.exceptions[0]
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        name = "mcp tools" if checks else "mcp start"
        checks.append(Check(name, FAILED, f"{type(error).__name__} {error}".strip(), "run `loregraph serve` by hand"))
    return checks


def about_list(tools: list[Any]) -> Check:
    shown = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]
    size = len(json.dumps({"tools": shown}, separators=(",", ":")))
    return Check("mcp tools", OK, f"{len(tools)} tools in {size / 1024:.1f} KB")


async def example_arguments(client: Any) -> dict[str, dict[str, Any]]:
    """Arguments for each tool that needs some, about a symbol of the project if there is one."""
    asked = await client.call_tool("code_search", {"query": "main", "limit": 1})
    hits = (asked.structured_content or {}).get("results") or [{"id": "none"}]
    symbol = hits[0]["id"]
    unknown = str(uuid.uuid4())
    return {
        "memory_get": {"memory_id": unknown},
        "memory_search": {"query": "decision"},
        "code_search": {"query": "where is the configuration read"},
        "find_duplicates": {"id": symbol},
        "get_related": {"entity_id": symbol},
        "graph_query": {"cypher": "MATCH (n) RETURN label(n) AS label, count(*) AS n"},
        "check_consistency": {"component_id": symbol},
        "validate_fix": {"fix_description": "no change", "component_id": symbol},
        "get_design_context": {"component_id": symbol},
        "normalize_status": {"job_id": unknown},
        "recall_project_context": {"query": "decision"},
        "recall_agent_context": {"query": "decision", "agent_id": "doctor"},
        "recall_user_preferences": {"query": "decision"},
    }


EXPECTED: Final = {"memory_get": "NOT_FOUND", "normalize_status": "NOT_FOUND"}
"""Expected answers of tools for things that do not exist, as in these calls."""


async def try_tool(client: Any, name: str, arguments: dict[str, Any]) -> Check:
    """Calls one tool and judges the answer."""
    began = time.monotonic()
    answer = await client.call_tool(name, arguments)
    took = since(began)
    body = answer.structured_content or {}
    if not answer.is_error:
        tokens = len(json.dumps(body)) // CHARACTERS
        if tokens > DEFAULT_TOKENS:
            return Check(f"mcp {name}", FAILED, f"answered {tokens:,} tokens", "report this")
        return Check(f"mcp {name}", OK, f"{took}, {tokens:,} tokens")
    error = body.get("error", {})
    code, message = error.get("code", "no code"), error.get("message", "")
    if code == EXPECTED.get(name):
        return Check(f"mcp {name}", OK, f"{took}, {code} as it should")
    status = WARNING if code in ("UNAVAILABLE", "NOT_FOUND", "VALIDATION_ERROR") else FAILED
    return Check(f"mcp {name}", status, f"{code}: {message}", error.get("suggestion", ""))


def since(began: float) -> str:
    return f"{(time.monotonic() - began) * 1000:.0f} ms"
