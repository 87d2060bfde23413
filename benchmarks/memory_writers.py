"""Many processes add memories to one project at once: is each there exactly once, and how long does one take?

python benchmarks/memory_writers.py [PROCESSES] [ADDS]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORKER = """
import json, sys, time
import loregraph
root, number, adds = sys.argv[1], sys.argv[2], int(sys.argv[3])
seconds = []
with loregraph.open(root) as project:
    memory = project.memory
    memory.stats()
    print("ready", flush=True)
    sys.stdin.readline()
    for i in range(adds):
        text = f"writer {number} learned fact {i}: module m{i % 37} calls service s{i % 11} with limit {i * 7}"
        begun = time.perf_counter()
        memory.add(text, kind="learning", tags=[f"w{number}"])
        seconds.append(time.perf_counter() - begun)
print(json.dumps(seconds))
"""


def main() -> None:
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    adds = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        environment = {**os.environ, "LOREGRAPH_HOME": str(Path(folder) / "home")}
        workers = [
            subprocess.Popen(
                [sys.executable, "-c", WORKER, str(root), str(number), str(adds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
            )
            for number in range(processes)
        ]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline().strip() == "ready"
        begun = time.perf_counter()
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        seconds: list[float] = []
        for worker in workers:
            out, _ = worker.communicate()
            assert worker.returncode == 0
            seconds += json.loads(out)
        wall = time.perf_counter() - begun
        journal = Path(folder) / "home" / "memory" / "project.jsonl"
        lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
        texts = {line["content"] for line in lines}
        expected = processes * adds
        seconds.sort()
        print(f"{processes} processes x {adds} adds in {wall:.1f} s ({expected / wall:.0f} a second)")
        print(f"lines {len(lines)}, distinct ids {len({x['id'] for x in lines})}, distinct texts {len(texts)}")
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
            print(f"an add, {name}: {1000 * seconds[int(len(seconds) * share)]:.1f} ms")
        print(f"the longest: {1000 * seconds[-1]:.1f} ms")
        if not len(lines) == len(texts) == expected:
            sys.exit("memories were lost or doubled")


if __name__ == "__main__":
    main()
