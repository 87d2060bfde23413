"""What a workspace costs: joining its graphs, opening it, and asking.

    loregraph index --workspace FILE
    python benchmarks/workspace.py FILE [SYMBOL]

Every row is measured in a process of its own, in processor time, and is the median of several: the joined graph made
anew (what the first question after a change of one repository costs, beside the index of that repository), opening it
with one question, the questions alone, and for comparison one repository by itself. Memory is the most that the process
held, as Linux says. The edges between repositories are counted by pair. Nothing is written to the repositories; the
joined graph is made in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROUNDS = 5
CHILD = """
import json, sys, time
what, file, symbol = sys.argv[1:4]
start = time.process_time()
if what == "one":
    from loregraph.project import Project
    project = Project(file)
else:
    from loregraph.workspaces.project import WorkspaceProject
    project = WorkspaceProject(file)
project.reader().columns
opened = time.process_time() - start
def timed(question):
    begun = time.process_time()
    found = question()
    return time.process_time() - begun, found
symbol = symbol or project.suggestions()[0].split(" ", 2)[2].strip("'")
times = {"open": opened}
if what != "join":
    times["callers"], _ = timed(lambda: project.callers(symbol))
    times["callers again"], found = timed(lambda: project.callers(symbol))
    times["impact"], _ = timed(lambda: project.impact(symbol))
    times["search"], _ = timed(lambda: project.search("parse a header", mode="lexical"))
    times["fresh"], _ = timed(lambda: project.behind([found[0].file_path] if found else []))
with open("/proc/self/status") as status:  # ru_maxrss counts what the process had before it became this one
    memory = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
print(json.dumps({"times": times, "memory": memory, "symbol": symbol}))
"""


def measured(what: str, file: Path, symbol: str, environment: dict[str, str]) -> dict[str, Any]:
    words = [sys.executable, "-c", CHILD, what, str(file), symbol]
    done = subprocess.run(words, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(what: str, rounds: list[dict[str, Any]]) -> None:
    for name in rounds[0]["times"]:
        middle = statistics.median(one["times"][name] for one in rounds)
        print(f"  {what + ': ' + name:<32} {middle * 1000:8.1f} ms")
    print(f"  {what + ': memory':<32} {max(one['memory'] for one in rounds):8.0f} MB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", type=Path, help="a workspace whose repositories are indexed")
    parser.add_argument("symbol", nargs="?", default="", help="what to ask callers of; else one with many")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LOREGRAPH_CACHE_DIR"] = folder
        from loregraph.workspaces.overview import overview
        from loregraph.workspaces.project import WorkspaceProject

        with WorkspaceProject(options.file) as project:
            found = overview(project)
            roots = [one.path for one in found.repositories if one.indexed and one.path]
        nodes, edges = (sum(getattr(one, name) for one in found.repositories) for name in ("nodes", "edges"))
        print(f"{len(found.repositories)} repositories, {nodes:,} nodes, {edges:,} edges, {found.bytes:,} bytes joined")
        environment = dict(os.environ)
        joins = []
        for number in range(ROUNDS):
            own = environment | {"LOREGRAPH_CACHE_DIR": f"{folder}/{number}"}
            joins.append(measured("join", options.file, options.symbol, own))
        table("joined anew", joins)
        asked = [measured("asked", options.file, options.symbol, environment) for _ in range(ROUNDS)]
        table("asked", asked)
        print(f"  (callers of {asked[0]['symbol']})")
        table("one repository", [measured("one", Path(roots[0]), "", environment) for _ in range(ROUNDS)])
        for one in found.between:
            where = f"{one.source} → {one.target}"
            print(f"  {where:<32} {one.relationship:<12} {one.how:<12} {one.edges:>6,} edges {one.count:>6,} places")
    return 0


if __name__ == "__main__":
    sys.exit(main())
