"""How fast `memory_add` and `get_related` answer while `index_directory` runs on Django, through the protocol.

    python benchmarks/mcp_concurrency.py

One server over standard input and output. The graph is there once, then indexed from nothing again while both tools are
called in turns, and once more without a job for comparison. Budget: p95 of each at most 50 ms.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from corpus import django

BUDGET_MS = 50.0
SYMBOL = "django/db/models/query.py::QuerySet.filter"


class Server:
    """A running server that handles one request at a time."""

    def __init__(self, root: Path, store: Path, home: Path) -> None:
        command = [
            str(Path(sys.executable).with_name("loregraph")),
            "--root",
            str(root),
            "--store",
            str(store),
            "serve",
        ]
        environment = {**os.environ, "LOREGRAPH_HOME": str(home), "LOG_LEVEL": "ERROR"}
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.numbers = itertools.count(1)
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdout is not None
        number = next(self.numbers)
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == number:
                result: dict[str, Any] = answer["result"]
                return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert not answer.get("isError"), answer
        body: dict[str, Any] = answer["structuredContent"]
        return body

    def is_over(self, job_id: str) -> bool:
        status = self.call("index_status", job_id=job_id)["job"]["status"]
        assert status in ("queued", "running", "completed"), status
        return bool(status == "completed")


def measured(server: Server, go_on: Any) -> dict[str, list[float]]:
    """Milliseconds of each call, in turns, with a pause between them as an agent makes, while `go_on()`."""
    times: dict[str, list[float]] = {"memory_add": [], "get_related": []}
    for number in itertools.count():
        began = time.perf_counter()
        server.call("memory_add", memory_type="learning", content=f"{os.urandom(8).hex()} was seen in round {number}")
        times["memory_add"].append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        server.call("get_related", entity_id=SYMBOL, relationship_types=["CALLS"], direction="INCOMING")
        times["get_related"].append((time.perf_counter() - began) * 1000)
        time.sleep(0.01)
        if number % 20 == 19 and not go_on():
            return times


def show(name: str, times: dict[str, list[float]]) -> bool:
    """Prints the percentiles; returns whether they are within the budget."""
    kept = True
    for tool, found in times.items():
        p95 = statistics.quantiles(found, n=20)[-1]
        kept &= p95 <= BUDGET_MS
        print(
            f"{name:10} {tool:12} {len(found):5} calls  p50 {statistics.median(found):6.1f} ms  p95 {p95:6.1f} ms"
            f"  most {max(found):6.1f} ms{'' if p95 <= BUDGET_MS else '  OVER THE BUDGET'}"
        )
    return kept


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(django(), Path(folder) / "store", Path(folder) / "home")
        job = server.call("index_directory", directory_path=".")["job_id"]
        while not server.is_over(job):
            time.sleep(0.2)
        left = itertools.count(1)
        show("idle", measured(server, lambda: next(left) < 15))
        job = server.call("index_directory", directory_path=".", force=True)["job_id"]
        kept = show("indexing", measured(server, lambda: not server.is_over(job)))
        server.process.kill()
        server.process.wait()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
