"""What the server holds does not grow with the calls that it answered. The long run is `benchmarks/soak.py`."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))
CALLS = 2_000
SETTLED = 500
MOST_GROWTH = 24.0
"""Megabytes between the two. Before, each thread that wrote a generation kept some 100 of them."""
SYMBOL = "shop/money.py::exchange"


def calls(kept: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number in itertools.count():
        yield "code_search", {"query": f"round to cents {number}"}
        yield "get_related", {"entity_id": SYMBOL, "depth": 2}
        yield "memory_search", {"query": f"shelf {number}"}
        yield "graph_query", {"cypher": "MATCH (f:Function) RETURN count(f)"}
        yield "check_consistency", {"component_id": SYMBOL}
        yield "get_design_context", {"component_id": SYMBOL, "include_code": True}
        yield "find_duplicates", {"id": SYMBOL}
        yield "index_status", {}
        yield "code_search", {"query": ""}
        yield "get_related", {"entity_id": f"none.py::missing_{number}"}
        yield "no_such_tool", {"number": number}
        if number % 60 == 0:
            yield "memory_add", {"memory_type": "learning", "content": f"seen in round {number}"}
            yield "graph_query", {"cypher": "MATCH (m:Memory) RETURN count(m)"}
        if number % 60 == 30 and kept:
            yield "memory_delete", {"memory_id": kept.pop(), "hard_delete": True}


def resident(pid: int) -> float:
    """Megabytes."""
    return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(pid)])) / 1024


# Verifies REQ-SEC-013.
@pytest.mark.skipif(sys.platform == "win32", reason="asks ps")
def test_memory_is_flat(root: Path) -> None:
    server = subprocess.Popen(
        [LOREGRAPH, "--root", str(root), "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert server.stdin is not None
    assert server.stdout is not None

    def say(message: dict[str, Any]) -> None:
        assert server.stdin is not None
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()

    client = {"name": "test", "version": "1"}
    say(
        {
            "id": 0,
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        }
    )
    server.stdout.readline()
    say({"method": "notifications/initialized"})
    kept: list[str] = []
    wanted, sent, after = calls(kept), 0, 0.0
    for answered in range(1, CALLS + 1):
        while sent < CALLS and sent < answered + 3:  # a few at once, in threads of their own
            sent += 1
            tool, arguments = next(wanted)
            say({"id": sent, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        body = json.loads(server.stdout.readline())["result"]["structuredContent"]
        if body.get("status") == "created":
            kept.append(body["memory_id"])
        if answered == SETTLED:
            after = resident(server.pid)
    growth = resident(server.pid) - after
    server.stdin.close()
    assert server.wait(60) == 0
    server.stdout.close()
    assert after < 250
    assert growth < MOST_GROWTH
