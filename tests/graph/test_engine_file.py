"""The engine's file is built by whoever asks first, however many ask at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from loregraph.config import load_settings
from loregraph.graph.generation import StoreFolder
from loregraph.graph.store import GRAPH_FILE
from loregraph.indexer.pipeline import index

ASK = """
import sys
from pathlib import Path
from loregraph.graph import store
folder = Path(sys.argv[1])
store.engine_identity()
print("ready", flush=True)
sys.stdin.read(1)
for _ in range(3):
    with store.open_read(store.ensure_graph(folder, folder)) as connection:
        print(connection.execute("MATCH (f:Function) RETURN count(f)", {}, 10).rows[0][0])
"""
PROCESSES = 8


def test_several_processes_that_find_no_file_all_get_their_answers(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text("def buy(): pass\n\n\ndef sell(): pass\n")
    index(root, load_settings(root, store=str(tmp_path / "store")), embed=False)
    with StoreFolder(tmp_path / "store").lease() as lease:
        (lease.path / GRAPH_FILE).unlink()
        asking = [
            subprocess.Popen(
                [sys.executable, "-c", ASK, str(lease.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(PROCESSES)
        ]
        for process in asking:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in asking:
            assert process.stdin is not None
            process.stdin.write("x")
            process.stdin.flush()
        answers = [process.communicate(timeout=60) for process in asking]
    assert answers == [("2\n2\n2\n", "")] * PROCESSES
