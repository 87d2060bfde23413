"""The time until `loregraph serve` answers `initialize`, compared with a bare server of the same SDK.

    python benchmarks/mcp_start.py [--rounds 15]

Both are started in turns, in one run, as by a host: a process, its standard input and output. Measured are the wall
time and the processor time from the start of the process to the answer. Budget: at most 1.3 times the bare server's.
"""

# Implements REQ-MCP-010.

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARE = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("bare")
@server.tool()
def add(a: int, b: int) -> int:
    return a + b
server.run()
"""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
BUDGET = 1.3


def start(command: list[str], folder: str) -> tuple[float, float]:
    """(wall, processor) seconds from the start of `command` to the answer."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    wall = time.perf_counter() - began
    ticks = Path(f"/proc/{process.pid}/stat")
    processor = 0.0
    if ticks.exists():
        fields = ticks.read_text().rpartition(")")[2].split()
        processor = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    assert answer["result"]["serverInfo"], answer
    process.kill()
    process.wait()
    return wall, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    commands = {
        "bare": [sys.executable, "-c", BARE],
        "loregraph": [str(Path(sys.executable).with_name("loregraph")), "serve"],
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        for command in commands.values():
            start(command, folder)  # what is read from disk for the first time
        for _ in range(rounds):
            for name, command in commands.items():
                found[name].append(start(command, folder))
    medians = {}
    for name, times in found.items():
        walls, processors = zip(*times, strict=True)
        medians[name] = (statistics.median(walls), statistics.median(processors), min(walls), min(processors))
        print(
            f"{name:10} wall {medians[name][0]:.3f} s (least {min(walls):.3f}), "
            f"processor {medians[name][1]:.3f} s (least {min(processors):.3f})"
        )
    for number, what in enumerate(("wall, median", "processor, median", "wall, least", "processor, least")):
        ratio = medians["loregraph"][number] / medians["bare"][number]
        print(f"{what:18} {ratio:.2f} times{'' if ratio <= BUDGET else '  OVER THE BUDGET'}")


if __name__ == "__main__":
    main()
