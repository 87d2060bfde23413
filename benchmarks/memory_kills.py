"""Writers are killed (SIGKILL) at random moments: is every acknowledged memory there, and the journal whole?

    python benchmarks/memory_kills.py [TRIALS]

In each trial four processes add memories to one journal, and one of them rewrites it now and then, until all are killed
at once. What each was told is kept it writes to a pipe of its own.
"""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WRITERS = 4
WORKER = """
import os, sys
import loregraph
root, number = sys.argv[1], int(sys.argv[2])
with loregraph.open(root, embedder="none") as project:
    i = 0
    while True:
        i += 1
        added = project.memory.add(f"writer {number} fact {i} " + "x" * (i % 700), tags=[f"w{number}"])
        os.write(1, (added.memory_id + "\\n").encode())
        if number == 0 and i % 10 == 0:
            project.memory.normalize(phases=["orphan_detection"])
"""


def trial(folder: Path, seed: int) -> tuple[int, int]:
    """(memories acknowledged, unreadable lines). Raises AssertionError where one is lost."""
    root = folder / "project"
    root.mkdir(exist_ok=True)
    environment = {**os.environ, "LOREGRAPH_HOME": str(folder / "home")}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(root), str(number)], stdout=subprocess.PIPE, env=environment
        )
        for number in range(WRITERS)
    ]
    pipes = {worker.stdout: b"" for worker in workers if worker.stdout is not None}
    end = time.monotonic() + 1.0 + random.Random(seed).random()
    while time.monotonic() < end:
        for pipe in select.select(list(pipes), [], [], 0.01)[0]:
            pipes[pipe] += os.read(pipe.fileno(), 65536)
    for worker in workers:
        worker.send_signal(signal.SIGKILL)
    for worker in workers:
        worker.wait()
    acknowledged: list[str] = []
    for pipe, seen in pipes.items():
        acknowledged += (seen + pipe.read()).decode().split("\n")[:-1]
    os.environ["LOREGRAPH_HOME"] = str(folder / "home")
    import loregraph

    with loregraph.open(root, embedder="none") as project:
        store = project.memory.store
        store.refresh()
        there = {memory.id for memory in store.project.journal.all()}
        lost = [memory_id for memory_id in acknowledged if memory_id not in there]
        assert not lost, f"{len(lost)} acknowledged memories are lost"
        # The next writer works, too.
        after = project.memory.add("after the kill").memory_id
        assert project.memory.get(after).content == "after the kill"
        rejected = store.project.journal.rejected
    return len(acknowledged), rejected


def main() -> None:
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    total = torn = 0
    for seed in range(trials):
        with tempfile.TemporaryDirectory() as folder:
            acknowledged, rejected = trial(Path(folder), seed)
            total, torn = total + acknowledged, torn + rejected
    print(f"{trials} trials: {total} memories acknowledged, all there; {torn} torn lines set aside")


if __name__ == "__main__":
    main()
