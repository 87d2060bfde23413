"""What a shared server costs beside the embedded graph: loading, size on disk, questions, eight clients at once.

python benchmarks/server.py PROJECT [PROJECT ...]

Each PROJECT is an indexed project. The first is measured alone, then all of them together in the same database. An
ArcadeDB is started on the loopback interface and ended again (`pip install 'loregraph[integration]'`). Processor time
is that of the server and of the processes that ask; times on the wall depend on what else the machine does, so its load
is printed.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from arcadedb import DATABASE, USER, ArcadeDB, arcadedb

from loregraph.bolt.address import PASSWORD_VARIABLE, USER_VARIABLE, Server
from loregraph.bolt.ask import ask
from loregraph.bolt.connection import Connection
from loregraph.bolt.push import push
from loregraph.project import Project

CALLERS = "MATCH (f:Function {id: $id})<-[:CALLS]-(g:Function) RETURN g.id AS id ORDER BY id"
NEAR = "MATCH (f:Function {id: $id})<-[:CALLS*1..3]-(g:Function) RETURN DISTINCT g.id AS id ORDER BY id"
CLIENTS = 8
MOST_ROWS = 10_000


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("projects", nargs="+", type=Path)
    arguments.add_argument("--questions", type=int, default=100, help="of each kind")
    chosen = arguments.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="loregraph-") as folder,
        arcadedb(Path(folder), heap="3g", fast_start=False) as server,
    ):
        os.environ.update({USER_VARIABLE: USER, PASSWORD_VARIABLE: server.password})
        projects = {path.resolve().name: Project(path) for path in chosen.projects}
        name, alone = next(iter(projects.items()))
        measured(server, {name: alone}, {name: alone}, chosen.questions)
        if len(projects) > 1:
            rest = {other: project for other, project in projects.items() if other != name}
            measured(server, rest, projects, chosen.questions)
    return 0


def measured(server: ArcadeDB, new: dict[str, Project], there: dict[str, Project], count: int) -> None:
    """Pushes the `new` projects and prints what all that are `there` now cost."""
    at = Server(server.url, DATABASE)
    nodes = edges = 0
    before, started = cpu(), time.perf_counter()
    with Connection(at) as connection:
        for name, project in new.items():
            pushed = push(connection, name, project.reader().columns)
            nodes, edges = nodes + pushed.nodes, edges + pushed.edges
    wall, spent = time.perf_counter() - started, cpu() - before
    print(f"\n{' '.join(there)}\n")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"pushed {nodes:,} nodes, {edges:,} edges in {wall:.1f} s ({spent:.1f} s of processor time)")
    embedded = sum(size(project.reader().folder) for project in there.values())
    print(f"on disk {size(server.folder / 'databases') / 1e6:,.0f} MB, embedded {embedded / 1e6:,.0f} MB\n")
    print(f"{'milliseconds':28} {'p50':>8} {'p95':>8} {'CPU':>8}   questions a second")
    symbols = called(there, count)
    for what, cypher in (("callers", CALLERS), ("*1..3", NEAR)):
        connections = [Connection(at) for _ in range(CLIENTS)]
        for connection in connections:
            asked(connection, cypher, symbols[0])
        for project in there.values():
            embedded_rows(project, cypher, "")
        alone = [partial(asked, connections[0], cypher, one) for one in symbols]
        printed(f"{what}, server", 1, alone)
        printed(f"{what}, embedded", 1, [partial(embedded_rows, there[name], cypher, one) for name, one in symbols])
        together = [partial(asked, connections[i % CLIENTS], cypher, one) for i, one in enumerate(symbols)]
        printed(f"{what}, {CLIENTS} clients", CLIENTS, together)
        same = all(
            asked(connections[0], cypher, (name, one))
            == [f"{name}:{row}" for row in embedded_rows(there[name], cypher, one)]
            for name, one in symbols
        )
        print(f"the same rows: {'yes' if same else 'NO'}")
        for connection in connections:
            connection.close()


def called(projects: dict[str, Project], count: int) -> list[tuple[str, str]]:
    """Functions that are called, of all projects alike: those with the most callers and others, shuffled."""
    chance = random.Random(1)
    found = []
    for name, project in projects.items():
        rows = project.query(
            "MATCH (f:Function)<-[c:CALLS]-() RETURN f.id AS id, count(c) AS n ORDER BY n DESC, id",
            limit=MOST_ROWS,
            timeout=120,
        )
        share = max(1, count // len(projects))
        ids = [row["id"] for row in rows]
        found += [(name, one) for one in [*ids[: share // 4], *chance.sample(ids[share // 4 :], share - share // 4)]]
    chance.shuffle(found)
    return found


def asked(connection: Connection, cypher: str, symbol: tuple[str, str]) -> list[str]:
    rows = ask(connection, cypher, {"id": ":".join(symbol)}, limit=MOST_ROWS, timeout=120).rows
    return [row[0] for row in rows]


def embedded_rows(project: Project, cypher: str, identity: str) -> list[str]:
    return [row["id"] for row in project.query(cypher, {"id": identity}, limit=MOST_ROWS, timeout=120)]


def printed(what: str, clients: int, questions: Sequence[Callable[[], object]]) -> None:
    """Runs the questions, `clients` at once, and prints a row of the table."""
    before, started = cpu(), time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        # Each client has questions of its own, one after the other.
        lanes = [questions[i::clients] for i in range(clients)]
        times = sorted(each for lane in pool.map(timed, lanes) for each in lane)
    wall, spent = time.perf_counter() - started, cpu() - before
    row = [1e3 * times[len(times) // 2], 1e3 * times[int(len(times) * 0.95)], 1e3 * spent / len(times)]
    print(f"{what:28} {row[0]:8.1f} {row[1]:8.1f} {row[2]:8.1f} {len(times) / wall:12,.0f}", flush=True)


def timed(questions: Sequence[Callable[[], object]]) -> list[float]:
    times = []
    for question in questions:
        started = time.perf_counter()
        question()
        times.append(time.perf_counter() - started)
    return times


def cpu() -> float:
    """Seconds of processor time of this process and its children, among them the server."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return total + sum(one.ru_utime + one.ru_stime for one in (own, ended))


def size(folder: Path) -> int:
    """Bytes on disk."""
    return sum(512 * file.stat().st_blocks for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    sys.exit(main())
