"""Several processes on one journal: nothing is lost, nothing is doubled, and a killed one costs only what it was at."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from loregraph.config import Settings
from loregraph.memory.api import ProjectMemory

PROCESSES, ADDS = 8, 250
ADDER = """
import sys
from pathlib import Path
from loregraph.config import Settings
from loregraph.memory.api import ProjectMemory
memory = ProjectMemory(Path(sys.argv[1]), Settings())
for i in range(int(sys.argv[3])):
    memory.add(f"writer {sys.argv[2]} fact {i}", kind="learning")
"""
VICTIM = """
import os, sys
from pathlib import Path
from loregraph.config import Settings
from loregraph.memory.api import ProjectMemory
memory = ProjectMemory(Path(sys.argv[1]), Settings())
i = 0
while True:
    i += 1
    added = memory.add(f"writer {sys.argv[2]} fact {i} " + "x" * (i % 500))
    os.write(1, (added.memory_id + "\\n").encode())
    if sys.argv[2] == "0" and i % 7 == 0:
        memory.normalize(phases=["orphan_detection"])
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


# Verifies REQ-MEM-003.
def test_eight_processes_add_two_hundred_and_fifty_memories_each(root: Path, home: Path) -> None:
    workers = [
        subprocess.Popen([sys.executable, "-c", ADDER, str(root), str(number), str(ADDS)])
        for number in range(PROCESSES)
    ]
    assert [worker.wait() for worker in workers] == [0] * PROCESSES
    lines = [json.loads(line) for line in (home / "memory" / "shop.jsonl").read_bytes().splitlines()]
    expected = Counter(f"writer {number} fact {i}" for number in range(PROCESSES) for i in range(ADDS))
    assert Counter(line["content"] for line in lines) == expected
    assert len({line["id"] for line in lines}) == PROCESSES * ADDS
    assert ProjectMemory(root, Settings()).stats().total == PROCESSES * ADDS


# Verifies REQ-MEM-003.
@pytest.mark.skipif(os.name == "nt", reason="kill -9")
@pytest.mark.parametrize("seed", range(4))
def test_every_acknowledged_memory_survives_a_kill(root: Path, seed: int) -> None:
    chance = random.Random(seed)
    workers = [
        subprocess.Popen([sys.executable, "-c", VICTIM, str(root), str(number)], stdout=subprocess.PIPE)
        for number in range(3)
    ]
    acknowledged: list[bytes] = []
    for worker in workers:
        assert worker.stdout is not None
        acknowledged += [worker.stdout.readline() for _ in range(chance.randrange(1, 30))]
    for worker in workers:
        worker.send_signal(signal.SIGKILL)
    for worker in workers:
        assert worker.stdout is not None
        acknowledged += worker.stdout.read().splitlines(keepends=True)
        worker.wait()
        worker.stdout.close()
    ids = {line.decode().strip() for line in acknowledged if line.endswith(b"\n")}
    after = ProjectMemory(root, Settings())
    assert ids <= {memory.id for _, memory in after.store.visible(after.viewer)}
    assert after.get(after.add("and on").memory_id).content == "and on"


def test_two_processes_that_change_one_memory_both_leave_their_version(root: Path) -> None:
    first, second = ProjectMemory(root, Settings()), ProjectMemory(root, Settings())
    memory_id = first.add("one").memory_id
    assert second.update(memory_id, content="two").version == 2
    assert first.update(memory_id, content="three").version == 3
    assert [version.content for version in second.history(memory_id)] == ["one", "two", "three"]
