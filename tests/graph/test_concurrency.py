"""Readers in other processes while a writer publishes, and while it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loregraph.graph.generation import StoreFolder

ROOT = str(Path(__file__).parents[2])

COMMON = """
import os, sys
from pathlib import Path
from loregraph.graph import queries, store
from loregraph.graph.columns import GraphColumns
from loregraph.graph.cypher_worker import CypherWorker
from loregraph.graph.generation import *
from loregraph.graph.model import *
folder = StoreFolder(sys.argv[1])

def graph(version):
    # Every file says the version, and file i calls the next: a mixture of two versions would show.
    functions = tuple(
        Function(f"p::f{i:03}", f"f{i}", f"v{version}.f{i}", "function", "p", version, version, "") for i in range(100)
    )
    edges = tuple(Edge("CALLS", f"p::f{i:03}", f"p::f{(i + version) % 100:03}", line=version) for i in range(100))
    return Graph(functions, edges)

def publish(version):
    with folder.writer(timeout=60):
        built = folder.new_generation()
        store.write_generation(built, graph(version), strict=True)
        folder.publish(built, Current(journal_offsets={"version": version}))
"""

WRITER = (
    COMMON
    + """
version = int(sys.argv[2])
while True:
    publish(version)
    print(version, flush=True)
    version += 1
"""
)

READER = (
    COMMON
    + """
seen, reads, last = set(), 0, 0
wanted_reads, wanted_versions = int(sys.argv[2]), int(sys.argv[3])
while reads < wanted_reads or len(seen) < wanted_versions:
    with folder.lease() as lease:
        version = lease.current.journal_offsets["version"]
        assert version >= last, (version, last)
        last = version
        columns = GraphColumns.open(lease.path)
        assert set(columns.start_line.tolist()) == {version}
        for i in range(0, 100, 9):
            [hit] = queries.callees(columns, f"p::f{i:03}")
            assert (hit.id, hit.line) == (f"p::f{(i + version) % 100:03}", version)
        if reads % 5 == 0:
            with CypherWorker(lease.path) as worker:
                rows = worker.run(
                    "MATCH (f:Function)-[c:CALLS]->(g:Function) RETURN DISTINCT f.qualified_name, c.line, g.start_line",
                    limit=1000, timeout=60,
                ).rows
                assert len(rows) == 100 and {tuple(row[1:]) for row in rows} == {(version, version)}
    seen.add(version)
    reads += 1
print(reads, len(seen))
"""
)


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": ROOT},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# Verifies REQ-STO-003.
def test_eight_readers_see_whole_generations_while_a_writer_publishes(tmp_path: Path) -> None:
    path = str(tmp_path / "store")
    writer = start(WRITER, path, "1")
    assert writer.stdout is not None
    assert writer.stdout.readline() == "1\n"
    readers = [start(READER, path, "12", "3") for _ in range(8)]
    done = [(reader.communicate(timeout=300), reader.returncode) for reader in readers]
    writer.kill()
    writer.communicate()
    for (out, err), code in done:
        assert (err, code) == ("", 0)
        reads, seen = map(int, out.split())
        assert reads >= 12 and seen >= 3


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_writer_killed_at_random_moments_never_harms_what_is_published(tmp_path: Path) -> None:
    path = str(tmp_path / "store")
    done = start(COMMON + "publish(1)", path)
    assert done.communicate(timeout=120)[1] == ""
    version = 1
    for attempt in range(6):
        writer = start(WRITER, path, str(version + 1))
        assert writer.stdout is not None
        if attempt % 2:
            writer.stdout.readline()
        time.sleep(0.15 + 0.11 * attempt)
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        with StoreFolder(path).lease() as lease:
            version = lease.current.journal_offsets["version"]
        reader = start(READER, path, "1", "1")
        assert reader.communicate(timeout=120)[1] == ""
    last = start(COMMON + "publish(1000)", path)
    assert last.communicate(timeout=120)[1] == ""
    left = sorted(p.name for p in Path(path).iterdir() if p.is_dir())
    with StoreFolder(path).lease() as lease:
        assert left == [lease.path.name], "nothing of the killed writers is left"
        assert lease.current.journal_offsets["version"] == 1000
