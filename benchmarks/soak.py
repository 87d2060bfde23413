"""What the server's memory comes to after many calls, on a made-up project of 1,000 files.

    python benchmarks/soak.py [--calls 50000] [--every 5000] [--files 1000] [--in-flight 4]

One server over standard input and output answers every kind of call in turns, good and bad ones, with a few in flight
at a time; what is remembered is deleted again, so that nothing authored grows. Prints the resident memory of the server
and of its processes. Budget: at most 250 MB for the server, and no more than 10 % above what a tenth of the calls left.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BUDGET_MB = 250.0
GROWTH = 1.1

BODY = '''"""Stock of shelf {n}. Implements REQ-{n}."""

from pkg{up}.part{prev} import total_{prev}


class Shelf{n}:
    """What lies on shelf {n} of the store."""

    def __init__(self, items: list[int]) -> None:
        self.items = items

    def count_{n}(self, floor: int) -> int:
        """Count the items above a floor."""
        found = 0
        for item in self.items:
            if item > floor:
                found += item * {n}
        return found


def total_{n}(items: list[int], rate: float) -> float:
    """Sum what the items of shelf {n} cost at a rate."""
    shelf = Shelf{n}(items)
    if rate <= 0:
        raise ValueError("rate must be positive")
    return shelf.count_{n}(0) * rate + total_{prev}(items[1:], rate)
'''


def make_project(root: Path, files: int) -> None:
    """`files` modules in packages of 50, each calling the one before, and requirements for the first hundred."""
    for number in range(files):
        package = root / f"pkg{number // 50}"
        package.mkdir(parents=True, exist_ok=True)
        before = max(0, number - 1)
        text = BODY.format(n=number, prev=before, up=before // 50)
        (package / f"part{number}.py").write_text(text, encoding="utf-8")
    (root / "docs").mkdir()
    lines = [f"## REQ-{n}: Shelf {n} is counted\n\nThe items of shelf {n} are summed at a rate.\n" for n in range(100)]
    (root / "docs" / "requirements.md").write_text("# Requirements\n\n" + "\n".join(lines), encoding="utf-8")
    (root / "loregraph.toml").write_text('project_id = "soak"\n', encoding="utf-8")


def calls(files: int, kept: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Endless calls; `kept` are ids of memories that may be deleted."""
    for number in itertools.count():
        n = number % files
        symbol = f"pkg{n // 50}/part{n}.py::total_{n}"
        yield "code_search", {"query": f"sum what items of shelf {n} cost"}
        yield "get_related", {"entity_id": symbol, "depth": 2}
        if number % 20 == 0:
            # The analyses after it have the graph written again, which takes as long as hundreds of questions.
            yield "memory_add", {"memory_type": "learning", "content": f"shelf {n} was seen in round {number}"}
        yield "memory_search", {"query": f"shelf {n}"}
        yield "graph_query", {"cypher": "MATCH (f:Function) WHERE f.id = $id RETURN f.name", "params": {"id": symbol}}
        yield "check_consistency", {"component_id": symbol}
        yield "get_design_context", {"component_id": symbol, "include_code": True}
        yield "trace_requirements", {"requirement_id": f"REQ-{n % 100}"}
        yield "find_duplicates", {"id": symbol}
        yield "validate_fix", {"fix_description": "round up", "component_id": symbol}
        yield "index_status", {}
        yield "memory_statistics", {}
        yield "code_search", {"query": "", "limit": 5}
        yield "get_related", {"entity_id": f"pkg0/none.py::missing_{number}"}
        yield "graph_query", {"cypher": "MATCH (n) DELETE n"}
        yield "no_such_tool", {"number": number}
        yield "code_search", {"query": "x", "path": "../outside"}
        if number % 20 == 0 and kept:
            yield "memory_delete", {"memory_id": kept.pop(), "hard_delete": True}


def resident(pid: int) -> float:
    """Megabytes, of Linux."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(word) for word in (task / "children").read_text(encoding="ascii").split()]
    return found


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=50_000)
    options.add_argument("--every", type=int, default=5_000)
    options.add_argument("--files", type=int, default=1_000)
    options.add_argument("--in-flight", type=int, default=4)
    options.add_argument("--only", default="", help="call this tool alone")
    given = options.parse_args()
    loregraph = str(Path(sys.executable).with_name("loregraph"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        make_project(root, given.files)
        environment = {**os.environ, "LOREGRAPH_HOME": str(Path(folder) / "home"), "LOG_LEVEL": "ERROR"}
        subprocess.run(
            [loregraph, "--root", str(root), "index"], env=environment, check=True, stdout=subprocess.DEVNULL
        )
        server = subprocess.Popen(
            [loregraph, "--root", str(root), "serve"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert server.stdin is not None
        assert server.stdout is not None

        def say(message: dict[str, Any]) -> None:
            assert server.stdin is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()

        client = {"name": "benchmark", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        say({"id": 0, "method": "initialize", "params": params})
        server.stdout.readline()
        say({"method": "notifications/initialized"})

        kept: list[str] = []
        wanted = calls(given.files, kept)
        if given.only:
            wanted = (call for call in wanted if call[0] == given.only)
        sent = answered = errors = 0
        early = most = 0.0
        began = time.perf_counter()
        while answered < given.calls:
            while sent < given.calls and sent - answered < given.in_flight:
                sent += 1
                tool, arguments = next(wanted)
                say({"id": sent, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
            answer = json.loads(server.stdout.readline())
            if "id" not in answer:
                continue
            answered += 1
            body = answer.get("result", {}).get("structuredContent", {})
            errors += "error" in answer or "error" in body
            if "memory_id" in body and body.get("status") == "created":
                kept.append(body["memory_id"])
            if answered == given.calls // 10:
                early = resident(server.pid)
            if answered % given.every == 0:
                own = resident(server.pid)
                most = max(most, own)
                workers = ", ".join(f"{resident(pid):.0f}" for pid in children(server.pid))
                per_call = (time.perf_counter() - began) * 1000 / answered
                print(
                    f"{answered:7,} calls  {errors:6,} errors  server {own:6.1f} MB  its processes {workers or '-'} MB"
                    f"  {per_call:.1f} ms a call",
                    flush=True,
                )
        server.stdin.close()
        server.wait(60)
    kept_to = most <= min(BUDGET_MB, early * GROWTH)
    print(f"most {most:.1f} MB, after a tenth {early:.1f} MB: {'within the budget' if kept_to else 'OVER THE BUDGET'}")
    return 0 if kept_to else 1


if __name__ == "__main__":
    sys.exit(main())
