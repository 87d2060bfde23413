"""Kills a running index again and again: no process may outlive it, and the store must answer with the graph before
or the graph after.

    python benchmarks/kill_index.py [--kills 200] [--seed 1] [--files 60]

Each round changes some files, starts `loregraph index` in a session of its own, kills its first process (SIGKILL) after
a random time, and looks for processes of that session. Then every node and edge is compared with what an undisturbed
index makes of the sources before and after the change. Prints the figures; exits with 1 where one is not zero.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from loregraph.errors import LoregraphError
from loregraph.project import Project

COMMAND = "from loregraph.cli.main import process; process()"
PACKAGE = str(Path(__file__).parents[1])
GRACE = 10.0
"""Seconds within which all started processes have to be gone."""
SPREAD = 1.1
"""An index is killed within so many times the duration of an undisturbed one."""


def write(root: Path, number: int, version: int, files: int) -> None:
    calls = "\n".join(f"    function_{(number * 7 + j * version) % files}({j})" for j in range(30))
    (root / f"module_{number}.py").write_text(f"def function_{number}(value=0):\n    # {version}\n{calls}\n")


def graph(root: Path) -> set[str]:
    from loregraph.graph.export import json_lines

    with Project(root) as project:
        return set(json_lines(project.reader().columns, ascii_only=True))


def started(root: Path, options: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "index", str(root), "--no-embed", "--jobs", "3", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": PACKAGE, "LOREGRAPH_CACHE": "false"},
        start_new_session=True,
    )


def left(session: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(entry.name))
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=60)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kills = rounds = survivors = lost = new = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        root, twin = Path(folder) / "one" / "project", Path(folder) / "other" / "project"
        versions = dict.fromkeys(range(options.files), 1)
        for place in (root, twin):
            place.mkdir(parents=True)
            for number in versions:
                write(place, number, 1, options.files)
            with Project(place) as project:
                project.index(embed=False)
        before = graph(twin)
        begun = time.monotonic()
        started(root, ["--full"]).wait()
        longest = SPREAD * (time.monotonic() - begun)
        while kills < options.kills:
            rounds += 1
            for number in chance.sample(range(options.files), 25):
                versions[number] += 1
                for place in (root, twin):
                    write(place, number, versions[number], options.files)
            with Project(twin) as project:
                project.index(embed=False)
            after = graph(twin)
            full = ["--full"] if chance.random() < 0.5 else []
            index = started(root, full)
            time.sleep(chance.uniform(0.1, longest))
            index.send_signal(signal.SIGKILL)
            kills += index.wait() == -signal.SIGKILL
            end = time.monotonic() + GRACE
            while (there := left(index.pid)) and time.monotonic() < end:
                time.sleep(0.01)
            survivors += bool(there)
            for pid in there:
                os.kill(pid, signal.SIGKILL)
            try:
                now = graph(root)
                lost += now not in (before, after)
                new += now == after
                with Project(root) as project:
                    project.index(embed=False)
                failed += graph(root) != after
            except LoregraphError as error:
                lost += 1
                print(f"round {rounds}: {error}")
            before = after
            print(
                f"{rounds} rounds, {kills} kills: {survivors} survivors, {lost} lost, {failed} not repaired by the "
                f"next index; {new} had already published",
                flush=True,
            )
    return 1 if survivors or lost or failed else 0


if __name__ == "__main__":
    sys.exit(main())
