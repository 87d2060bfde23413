"""Indexing while others ask, and indexing that is killed: nobody sees an error, a lock or half a graph."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder

ROOT = str(Path(__file__).parents[1])
FILES = 12
VERSIONS = 5

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGKILL and process groups")


def write_version(root: Path, version: int) -> None:
    """Everything in version v stands v lines lower, and file i calls the v-th file after it: a mixture would show."""
    for i in range(FILES):
        callee = (i + version) % FILES
        text = (
            "\n" * version
            + f"from shop.part_{callee} import step_{callee}\n"
            + f"def step_{i}(order):\n"
            + f'    """Ship the parcel of part {i}."""\n'
            + f"    return step_{callee}(order)\n"
        )
        path = root / "shop" / f"part_{i}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def environment() -> dict[str, str]:
    settings = {name for name in os.environ if name.startswith("LOREGRAPH_")} - {"LOREGRAPH_HOME"}
    kept = {name: value for name, value in os.environ.items() if name not in settings}
    return {**kept, "PYTHONPATH": ROOT}


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """A Python process in a group of its own."""
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    """The output of a process that has ended well and said nothing else."""
    out, err = process.communicate(timeout=240)
    assert (process.returncode, err) == (0, "")
    return out


# Both kinds of readers check every answer: all of it is of one version, and versions only grow.

CHECKS = f"""
import json, sys
FILES = {FILES}
last, seen, asked = 0, set(), 0

def check(version):
    global last, asked
    assert version >= last, ("an older graph", version, last)
    last, asked = version, asked + 1
    seen.add(version)

def one(values):
    [value] = set(values)
    return value

def check_callers(i, hits):
    [hit] = hits
    version = hit["line"] - 4
    assert hit["id"] == f"shop/part_{{(i - version) % FILES}}.py::step_{{(i - version) % FILES}}", hit
    check(version)

def check_search(hits):
    assert len(hits) == FILES, hits
    check(one(hit["start_line"] for hit in hits) - 2)

def check_rows(rows):
    assert len(rows) == FILES, rows
    check(one((row["f"], row["g"]) for row in rows)[0] - 2)
    assert one(row["line"] - row["f"] for row in rows) == 2

CYPHER = "MATCH (f:Function)-[c:CALLS]->(g:Function) RETURN f.start_line AS f, c.line AS line, g.start_line AS g"

def done():
    print(asked, len(seen))
    sys.exit()
"""

LAYER_READER = (
    CHECKS
    + """
import msgspec, time
from pathlib import Path
import loregraph

root, stop = sys.argv[1], Path(sys.argv[2])
turn = 0
while True:
    last_turn = stop.exists()
    with loregraph.open(root) as project:
        for _ in range(4):
            i = turn = (turn + 1) % FILES
            check_callers(i, [msgspec.structs.asdict(hit) for hit in project.callers(f"step_{i}")])
            hits = project.search("ship the parcel", limit=50, kind="function")
            check_search([msgspec.structs.asdict(hit) for hit in hits])
            check_rows(project.query(CYPHER))
            time.sleep(0.05)  # spinning, eight readers would leave the writer nothing of a small machine
    if last_turn:
        done()
"""
)

COMMAND_READER = (
    CHECKS
    + """
import re, subprocess
from pathlib import Path

root, stop = sys.argv[1], Path(sys.argv[2])

def ask(*words):
    command = [sys.executable, "-m", "loregraph", "--root", root, *words, "--json"]
    answer = subprocess.run(command, capture_output=True, text=True)
    told = re.sub("warning: .* changed since the last index; .* makes the graph current\\\\n", "", answer.stderr)
    assert (answer.returncode, told) == (0, ""), answer  # files change before the graph does
    return json.loads(answer.stdout)

turn = 0
while True:
    last_turn = stop.exists()
    i = turn = (turn + 1) % FILES
    check_callers(i, ask("callers", f"step_{i}"))
    check_search(ask("search", "ship the parcel", "--limit", "50", "--kind", "function"))
    check_rows(ask("query", CYPHER))
    if last_turn:
        done()
"""
)


# Verifies REQ-STO-005.
def test_eight_processes_ask_while_one_indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    root, stop = tmp_path / "project", tmp_path / "stop"
    write_version(root, 1)
    finish(start("-m", "loregraph", "--root", root, "index"))
    readers = [start("-c", LAYER_READER, root, stop) for _ in range(5)]
    readers += [start("-c", COMMAND_READER, root, stop) for _ in range(3)]
    try:
        for version in range(2, VERSIONS + 1):
            write_version(root, version)
            words = ["--full"] if version == VERSIONS else []
            report = json.loads(finish(start("-m", "loregraph", "--root", root, "index", "--json", *words)))
            assert (report["functions"], report["relationships"]["CALLS"]) == (FILES, FILES)
        stop.touch()
        counted = [tuple(map(int, finish(reader).split())) for reader in readers]
    finally:
        for reader in readers:
            if reader.poll() is None:
                os.killpg(reader.pid, signal.SIGKILL)
                reader.communicate()
    assert all(asked >= 3 for asked, _ in counted)
    # Whatever the machine was busy with: the readers ran beside the indexing, not after it.
    assert sum(seen for _, seen in counted) > len(readers)
    left = [path.name for path in (root / ".loregraph").iterdir() if path.is_dir()]
    finish(start("-m", "loregraph", "--root", root, "index"))
    assert len(left) <= 2, left


# Killed

KILLS = 16

INDEX = """
import sys
from loregraph.cli.main import main
import loregraph.indexer.pipeline, loregraph.graph.store, kuzu
print("ready", flush=True)
sys.stdin.readline()
main(["--root", sys.argv[1], "index", "--no-embed", *sys.argv[2:]])
"""


def begin_index(root: Path, *words: str) -> subprocess.Popen[str]:
    """A process that is about to index: everything is imported, so that what follows is the indexing itself."""
    process = subprocess.Popen(
        [sys.executable, "-c", INDEX, str(root), *words],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    return process


def version_in(store: Path) -> int:
    """The version of the graph in a store, all of which is of that version."""
    with StoreFolder(store).lease() as lease:
        lease.require()
        columns = GraphColumns.open(lease.path)
        [start_line] = set(columns.start_line[columns.nodes("Function")].tolist())
        assert len(columns.nodes("Function")) == len(columns.edges("CALLS")) == FILES
        return int(start_line) - 2


def graph_in(store: Path) -> tuple[list[object], list[object]]:
    with StoreFolder(store).lease() as lease:
        columns = GraphColumns.open(lease.path)
        return list(columns.all_nodes()), list(columns.all_edges())


def is_gone(group: int) -> bool:
    """Whether every process of a group has ended, those that its first one left behind too."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


# Verifies REQ-STO-004.
def test_an_index_killed_at_any_moment_leaves_the_last_good_graph(tmp_path: Path) -> None:
    seed = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"KILL_SEED={seed}")
    moments = random.Random(seed)
    root, store = tmp_path / "project", tmp_path / "project" / ".loregraph"
    write_version(root, 1)
    begin_index(root).communicate(timeout=120)
    good = version_in(store)
    longest = {(): 1.0, ("--full",): 1.0}
    killed, groups = 0, []
    for version in range(2, 6 * KILLS):
        write_version(root, version)
        kind = moments.choice(list(longest))
        index = begin_index(root, *kind)
        begun, moment = time.monotonic(), moments.uniform(0, longest[kind])
        try:
            index.wait(moment)
            longest[kind] = time.monotonic() - begun
        except subprocess.TimeoutExpired:
            index.kill()
            killed += 1
        index.communicate()
        groups.append(index.pid)
        now = version_in(store)
        assert now in (good, version)
        good = now
        if killed == KILLS:
            break
    assert killed == KILLS, "too few were still at it when their moment came"
    for place in ([], ["--store", tmp_path / "fresh"]):
        finish(start("-m", "loregraph", "--root", root, *place, "index", "--no-embed"))
    assert graph_in(store) == graph_in(tmp_path / "fresh")
    assert version_in(store) == version
    [left] = [path.name for path in store.iterdir() if path.is_dir()]
    assert left == f"generation-{StoreFolder(store).lease().generation}", "of killed runs nothing is left"
    assert all(map(is_gone, groups)), "workers end with the process that started them"
