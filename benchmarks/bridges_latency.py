"""What `loregraph proxy` and `loregraph wrap` cost a call, beside the official memory server itself.

    python benchmarks/bridges_latency.py [--rounds 300] [--entities 100]

The server is installed from npm. All three are started once, each with a memory file of its own and as many entities
in it, and asked in turns in one run: a read, a search, and a write. Budget: at most 5 ms a call more than the server
alone, at the median.
"""

# Implements REQ-BRG-003.

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PACKAGE = "@modelcontextprotocol/server-memory@2026.8.31"
BUDGET = 5.0
"""Milliseconds."""
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Server:
    """A server process that handles one request at a time."""

    def __init__(self, command: list[str], prefix: str, folder: Path) -> None:
        env = {**os.environ, "MEMORY_FILE_PATH": str(folder / "memory.jsonl")}
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._prefix, self._numbers = prefix, 0
        self.ask("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdout is not None
        self._numbers += 1
        self._send({"jsonrpc": "2.0", "id": self._numbers, "method": method, "params": params})
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._numbers, answer
        return answer["result"]  # type: ignore[no-any-return]

    def timed(self, tool: str, arguments: dict[str, Any]) -> float:
        """Milliseconds until the answer, which must not be an error."""
        began = time.perf_counter()
        result = self.ask("tools/call", {"name": self._prefix + tool, "arguments": arguments})
        took = (time.perf_counter() - began) * 1000
        assert not result.get("isError"), result
        return took

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)


def installed(folder: Path) -> list[str]:
    """The command of the official server, installed into `folder`."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        sys.exit("node is not installed")
    (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    install = [npm, "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
    subprocess.run(install, cwd=folder, check=True, capture_output=True)
    return [node, str(folder / "node_modules/@modelcontextprotocol/server-memory/dist/index.js")]


def started(server: list[str], base: Path) -> dict[str, Server]:
    """The server alone, and behind each bridge."""
    loregraph = str(Path(sys.executable).with_name("loregraph"))
    file = json.loads(subprocess.check_output([loregraph, "proxy", "--example", "server-memory"]))
    file["upstream"] = {"command": server[0], "args": server[1:]}
    (base / "tools.json").write_text(json.dumps(file), encoding="utf-8")
    commands = {
        "server": (server, ""),
        "proxy": ([loregraph, "proxy", str(base / "tools.json")], "memory__"),
        "wrap": ([loregraph, "wrap", "--", *server], ""),
    }
    servers = {}
    for name, (command, prefix) in commands.items():
        folder = base / name
        folder.mkdir()
        subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
        servers[name] = Server(command, prefix, folder)
    return servers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--entities", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        servers = started(installed(base), base)
        many = [{"name": f"e{n}", "entityType": "t", "observations": ["a fact"]} for n in range(options.entities)]
        for server in servers.values():
            server.timed("create_entities", {"entities": many})
        kinds: dict[str, Any] = {
            "read": lambda n: ("read_graph", {}),
            "search": lambda n: ("search_nodes", {"query": f"e{n % 100}"}),
            "write": lambda n: (
                "add_observations",
                {"observations": [{"entityName": f"e{n % options.entities}", "contents": [f"fact {n}"]}]},
            ),
        }
        for kind, call in kinds.items():
            taken: dict[str, list[float]] = {name: [] for name in servers}
            for number in range(options.rounds):
                for name, server in servers.items():
                    taken[name].append(server.timed(*call(number)))
            medians = {name: statistics.median(times) for name, times in taken.items()}
            for name, median in medians.items():
                more = median - medians["server"]
                verdict = "" if more <= BUDGET else "  OVER THE BUDGET"
                p95 = statistics.quantiles(taken[name], n=20)[-1]
                print(f"{kind:7} {name:7} median {median:6.2f} ms, p95 {p95:6.2f} ms, {more:+.2f} ms{verdict}")
        for server in servers.values():
            server.close()


if __name__ == "__main__":
    main()
