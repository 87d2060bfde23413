"""How much indexing costs: CPU time of all processes, peak memory, disk; and whether everything was found.

    python benchmarks/index_django.py [FOLDER] [--repeat N]

Indexes a copy of Django (or of FOLDER) from nothing, again without a change, after a change of one file, and from
nothing with vectors. Then compares the functions and classes in the graph with those that Python's own `ast` sees, as
multisets of (file, qualified name).
"""

# Implements REQ-IDX-014.

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus import django

LOREGRAPH = (sys.executable, "-m", "loregraph")
BUDGETS = {"full, graph only": 8.0, "nothing changed": 0.35, "one file changed": 0.7, "full, with vectors": 12.0}
"""CPU seconds of the whole process tree."""


@dataclass(frozen=True)
class Cost:
    """The cost of one command. `peak` is the largest sum of memory of all its processes at one moment, in bytes."""

    cpu: float
    wall: float
    peak: int


def run(*arguments: str) -> Cost:
    """Runs loregraph with `arguments` and measures it together with the processes that it waited for."""
    started = time.perf_counter()
    process = subprocess.Popen([*LOREGRAPH, *arguments], stdout=subprocess.DEVNULL)
    peak = PeakMemory(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    ended = time.perf_counter()
    peak.stop()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"loregraph {' '.join(arguments)} ended with {process.returncode}")
    # Sampling may miss a short process altogether; its own maximum is a lower bound.
    return Cost(usage.ru_utime + usage.ru_stime, ended - started, max(peak.bytes, usage.ru_maxrss * 1024))


class PeakMemory:
    """Samples the proportional memory (PSS) of a process and its descendants ten times a second.

    The kernel's own maximum (`ru_maxrss`) is of one process; adding those of several would count shared pages many
    times.
    """

    def __init__(self, pid: int) -> None:
        self.bytes = 0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._done.wait(0.1):
            self.bytes = max(self.bytes, sum(map(memory, descendants(self._pid))))


def descendants(pid: int) -> Iterator[int]:
    yield pid
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from descendants(int(child))
    except OSError:
        return


def memory(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def disk(folder: Path) -> int:
    return sum(file.lstat().st_blocks * 512 for file in folder.rglob("*") if file.is_file())


def found_by_ast(root: Path) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """(functions, classes) of every Python file that Python can parse, as (file, dotted name)."""
    functions: Counter[tuple[str, str]] = Counter()
    classes: Counter[tuple[str, str]] = Counter()
    for file in sorted(root.rglob("*.py")):
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        path = file.relative_to(root).as_posix()
        stack: list[tuple[ast.AST, str]] = [(tree, "")]
        while stack:
            node, scope = stack.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{scope}.{node.name}" if scope else node.name
                (classes if isinstance(node, ast.ClassDef) else functions)[path, name] += 1
                scope = name
            stack.extend((child, scope) for child in ast.iter_child_nodes(node))
    return functions, classes


def found_by_loregraph(root: Path, parsed: set[str]) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """(functions, classes) in the graph of the files in `parsed`; `#2` of a second definition and lambdas taken off."""
    out = subprocess.run([*LOREGRAPH, "--root", str(root), "export"], check=True, capture_output=True, text=True).stdout
    functions: Counter[tuple[str, str]] = Counter()
    classes: Counter[tuple[str, str]] = Counter()
    for line in out.splitlines():
        row = json.loads(line)
        if row.get("label") not in ("Function", "Class") or row["file_path"] not in parsed:
            continue
        parts = row["id"].partition("::")[2].split(".")
        if parts[-1].startswith("<"):
            continue
        name = ".".join(part.partition("#")[0] for part in parts if not part.startswith("<"))
        (classes if row["label"] == "Class" else functions)[row["file_path"], name] += 1
    return functions, classes


def compare(what: str, ours: Counter[tuple[str, str]], theirs: Counter[tuple[str, str]]) -> bool:
    missing, extra = theirs - ours, ours - theirs
    print(f"{what}: ast {theirs.total():,}, graph {ours.total():,}, missing {missing.total()}, extra {extra.total()}")
    for name, difference in (("missing", missing), ("extra", extra)):
        for item in sorted(difference)[:5]:
            print(f"  {name}: {item}")
    return ours == theirs


def measure(root: Path, repeat: int) -> tuple[dict[str, Cost], int, int]:
    """The cheapest of `repeat` runs of each kind, and the store's size without and with vectors."""
    costs: dict[str, list[Cost]] = {name: [] for name in BUDGETS}
    store = root / ".loregraph"
    index = ("--root", str(root), "index", str(root), "--json")
    edited = min(root.rglob("*.py"), key=lambda file: abs(file.stat().st_size - 10_000))
    graph_bytes = 0
    for _ in range(repeat):
        shutil.rmtree(store, ignore_errors=True)
        costs["full, graph only"].append(run(*index, "--no-embed"))
        graph_bytes = disk(store)
        costs["nothing changed"].append(run(*index, "--no-embed"))
        with edited.open("a", encoding="utf-8") as file:
            file.write("\n\ndef added_by_the_benchmark(value):\n    return len(value)\n")
        costs["one file changed"].append(run(*index, "--no-embed"))
        shutil.rmtree(store)
        costs["full, with vectors"].append(run(*index))
    return {name: min(runs, key=lambda cost: cost.cpu) for name, runs in costs.items()}, graph_bytes, disk(store)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", nargs="?", type=Path, help="measure this folder instead of Django")
    ask.add_argument("--repeat", type=int, default=3)
    options = ask.parse_args()
    source = options.folder or django()
    with tempfile.TemporaryDirectory(prefix="loregraph-benchmark-") as scratch:
        root = Path(scratch) / "project"
        shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", ".loregraph"), symlinks=True)
        costs, graph_bytes, with_vectors = measure(root, options.repeat)
        print(f"{'':22}{'CPU s':>8}{'budget':>8}{'wall s':>8}{'peak MB':>9}")
        for name, cost in costs.items():
            print(f"{name:22}{cost.cpu:8.2f}{BUDGETS[name]:8.2f}{cost.wall:8.2f}{cost.peak / 1e6:9.0f}")
        print(f"disk: {graph_bytes / 1e6:.0f} MB, with vectors {with_vectors / 1e6:.0f} MB; {os.cpu_count()} cores")
        functions, classes = found_by_ast(root)
        parsed = {path for path, _ in (*functions, *classes)}
        ours = found_by_loregraph(root, parsed)
        same = [compare("functions", ours[0], functions), compare("classes", ours[1], classes)]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
