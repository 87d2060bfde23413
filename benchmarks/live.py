"""How long after an edit a served graph answers right, and what serving costs.

    python benchmarks/live.py [--repository FOLDER] [--edits 30] [--sizes 20 500 0] [--history REPOSITORY] [--json]

Starts `loregraph serve` on copies of FOLDER (Django): its N Python files nearest to the root for each size, all of it
for 0. Edits one function after another, and asks over standard input and output, with the official Python client, until
the answer is right. There are three kinds of edits, in turns:

    line        a comment above the function: its `start_line` in `code_search`
    caller      a new function that calls it: in `get_related`
    signature   another parameter: its `signature` in `code_search`

An edit is measured from before its `write` to the arrival of the first right answer. An answer that is not right yet
and does not name the edited file in `stale` is silently old: none may be. `burst` saves 200 functions one after the
other and measures from the last save until all of them are answered right; `switch` is a `git switch` between two
commits of REPOSITORY, 500 apart, until ten functions that it moved, added or removed are. Processor time and memory
(PSS) are those of the server with all its processes. An hour of work is taken as as many edits as were measured, since
nothing but edits costs anything: `idle` measures that.

Ends with 1 where an answer was silently old, or never became right.
"""

# Verifies REQ-IDX-018.

from __future__ import annotations

import argparse
import ast
import itertools
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from corpus import django
from index_django import descendants, memory
from mcp import Client, StdioServerParameters

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))
AIM = {0.5: 1.0, 0.95: 2.0}
"""Share of edits → seconds, on the whole of Django."""
PATIENCE = 120.0
"""Seconds after which an answer is taken never to become right."""
PAUSE = 0.02
"""Seconds between two questions: an agent does not ask faster."""
BURST = 200
APART = 500
"""Commits between the two ends of a switch."""
SWITCHED = 10
"""Functions that are asked for after a switch."""
GIT = ("git", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")
QUIET = {**os.environ, "GIT_LFS_SKIP_SMUDGE": "1", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}


@dataclass(frozen=True)
class Place:
    """A function on one line `def name(…):` with a body below it. `line` is one-based, `owner` its class or ""."""

    path: str
    name: str
    line: int
    owner: str

    @property
    def id(self) -> str:
        return f"{self.path}::{self.owner}.{self.name}" if self.owner else f"{self.path}::{self.name}"


@dataclass
class Asked:
    """What came of asking until the answer was right."""

    seconds: list[float] = field(default_factory=list)
    """From an edit to its right answer."""
    answers: list[float] = field(default_factory=list)
    """Of every single call."""
    told: int = 0
    """Old answers that said so."""
    silent: int = 0
    never: int = 0

    def add(self, other: Asked) -> None:
        self.seconds += other.seconds
        self.answers += other.answers
        self.told += other.told
        self.silent += other.silent
        self.never += other.never


Right = Callable[[], Awaitable[tuple[bool, dict[str, Any]]]]
"""Asks once: whether the answer is right, and its body."""


# the projects


def python_files(root: Path) -> list[str]:
    """Nearest to the root first."""
    found = [file.relative_to(root).as_posix() for file in root.rglob("*.py")]
    return sorted(found, key=lambda path: (path.count("/"), path))


def project(source: Path, size: int, root: Path) -> None:
    """Copies `source` to `root`, all of it or `size` of its Python files, as a git repository."""
    if size:
        for path in python_files(source)[:size]:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / path, root / path)
    else:
        shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", ".loregraph"), symlinks=True)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    identity = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")
    git(root, *identity, "commit", "--quiet", "--no-verify", "--message", "as it was")


def git(folder: Path, *arguments: str) -> str:
    """The output of git. Ends the program where it fails."""
    done = subprocess.run([*GIT, *arguments], check=False, cwd=folder, env=QUIET, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def places(root: Path, path: str) -> list[Place]:
    """The functions of a file whose names are unique in it, at its top or in a class at its top."""
    try:
        text = (root / path).read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return []
    lines = text.splitlines()
    found: list[Place] = []
    for owner, body in (("", tree.body), *((c.name, c.body) for c in tree.body if isinstance(c, ast.ClassDef))):
        for node in body:
            # The graph takes a decorator for the first line of its function.
            if isinstance(node, ast.FunctionDef) and node.body[0].lineno > node.lineno and not node.decorator_list:
                head = lines[node.lineno - 1].strip()
                if head.startswith(f"def {node.name}(") and head.endswith("):") and "*" not in head:
                    found.append(Place(path, node.name, node.lineno, owner))
    ids = [place.id for place in found]
    return [place for place in found if ids.count(place.id) == 1]


# the edits


def edited(text: str, place: Place, kind: str, number: int) -> str:
    """The file with one function edited."""
    lines = text.splitlines(keepends=True)
    at = place.line - 1
    head = lines[at]
    if kind == "line":
        lines.insert(at, " " * (len(head) - len(head.lstrip())) + f"# {number}\n")
    elif kind == "signature":
        end = head.rindex("):")
        comma = "" if head[end - 1] == "(" else ", "
        lines[at] = f"{head[:end]}{comma}extra_{number}=None{head[end:]}"
    else:
        called = f"{place.owner}.{place.name}" if place.owner else place.name
        lines.append(f"\n\ndef caller_{number}(*given):\n    return {called}(*given)\n")
    return "".join(lines)


class Server:
    """A running server and its client."""

    def __init__(self, client: Client, pid: int) -> None:
        self.client = client
        self.pid = pid

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.call_tool(tool, arguments)
        body: dict[str, Any] = answer.structured_content
        return body

    async def hit(self, place: Place) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """The function in `code_search`, and the whole answer."""
        body = await self.call("code_search", query=place.name, path=place.path, limit=50)
        return next((hit for hit in body.get("results", ()) if hit["id"] == place.id), None), body

    async def is_right(self, place: Place, kind: str, number: int, line: int) -> tuple[bool, dict[str, Any]]:
        if kind == "caller":
            body = await self.call(
                "get_related", entity_id=place.id, relationship_types=["CALLS"], direction="INCOMING", limit=1000
            )
            return f"{place.path}::caller_{number}" in str(body.get("related")), body
        hit, body = await self.hit(place)
        if kind == "signature":
            return hit is not None and f"extra_{number}" in hit["signature"], body
        return hit is not None and hit["start_line"] == line, body

    def processor_seconds(self) -> float:
        """Of all processes, those that have ended and were waited for too."""
        total = 0
        for pid in descendants(self.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            except OSError:
                continue
            total += sum(map(int, fields[11:15]))
        return total / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes of all processes, shared ones counted once."""
        return sum(map(memory, descendants(self.pid)))


async def until_right(right: Right, path: str, started: float) -> Asked:
    """Asks until the answer is right."""
    found = Asked()
    while True:
        begun = time.perf_counter()
        is_right, body = await right()
        now = time.perf_counter()
        found.answers.append(now - begun)
        if is_right:
            found.seconds.append(now - started)
            return found
        error = body.get("error")
        if path in (error["details"] if error else body).get("stale", ()):
            found.told += 1
        else:
            found.silent += 1
        if now - started > PATIENCE:
            found.never += 1
            return found
        await anyio.sleep(PAUSE)


async def edit(server: Server, root: Path, place: Place, kind: str, number: int) -> Asked:
    """Edits one function and asks until the answer is right."""
    file = root / place.path
    text = file.read_text(encoding="utf-8")
    new = edited(text, place, kind, number)
    line = place.line + (kind == "line")
    started = time.perf_counter()
    file.write_text(new, encoding="utf-8")
    asked = await until_right(lambda: server.is_right(place, kind, number, line), place.path, started)
    # As it was, so that every edit is one of the same project: not measured.
    file.write_text(text, encoding="utf-8")
    await settled(server, place)
    return asked


async def settled(server: Server, place: Place) -> None:
    """Waits until the graph has a function as the file has it, and nothing is stale."""
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        hit, body = await server.hit(place)
        if hit is not None and hit["start_line"] == place.line and not body.get("stale"):
            return
        await anyio.sleep(PAUSE)


async def burst(server: Server, root: Path, picked: Sequence[Place]) -> Asked:
    """Saves one file after the other, and waits until each of the last ten is answered right."""
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, place in enumerate(picked):
        file = root / place.path
        texts.setdefault(place.path, file.read_text(encoding="utf-8"))
        lines[place.path] = lines.get(place.path, 0) + 1
        file.write_text(f"# {number}\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    started = time.perf_counter()
    found = Asked()
    for place in picked[-10:]:
        line = place.line + lines[place.path]

        async def right(place: Place = place, line: int = line) -> tuple[bool, dict[str, Any]]:
            return await server.is_right(place, "line", 0, line)

        found.add(await until_right(right, place.path, started))
    found.seconds = [max(found.seconds)] if not found.never else []
    for path, text in texts.items():
        (root / path).write_text(text, encoding="utf-8")
    for place in {place.path: place for place in picked}.values():
        await settled(server, place)
    return found


# the measurements


async def serving(root: Path, store: Path, home: Path, run: Callable[[Server], Awaitable[None]]) -> None:
    """Starts a server for an indexed project, waits until it follows changes, and runs."""
    environment = {**os.environ, "LOREGRAPH_HOME": str(home), "LOG_LEVEL": "ERROR"}
    arguments = ["--root", str(root), "--store", str(store), "serve"]
    before = children()
    async with Client(StdioServerParameters(command=LOREGRAPH, args=arguments, env=environment)) as client:
        (pid,) = children() - before
        await run(Server(client, pid))


def children() -> set[int]:
    """The processes that this one has started."""
    tasks = Path("/proc/self/task").iterdir()
    return {int(child) for task in tasks for child in (task / "children").read_text(encoding="ascii").split()}


def indexed(root: Path, store: Path, home: Path) -> None:
    environment = {**os.environ, "LOREGRAPH_HOME": str(home)}
    command = [LOREGRAPH, "--root", str(root), "--store", str(store), "index", "--json"]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that is not below a `share` of `values`; NaN of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def row(name: str, found: Asked, **more: Any) -> dict[str, Any]:
    return {
        "what": name,
        "edits": len(found.seconds) + found.never,
        "p50": percentile(found.seconds, 0.5),
        "p95": percentile(found.seconds, 0.95),
        "most": max(found.seconds, default=float("nan")),
        "answer_p50": percentile(found.answers, 0.5),
        "answer_p95": percentile(found.answers, 0.95),
        "told": found.told,
        "silent": found.silent,
        "never": found.never,
        **more,
    }


HEAD = (
    f"{'':28}{'edits':>6}{'p50 s':>8}{'p95 s':>8}{'most s':>8}{'ask p50':>9}{'ask p95':>9}"
    f"{'stale':>7}{'silent':>7}{'never':>6}"
)


def show(rows: list[dict[str, Any]]) -> None:
    for one in rows:
        print(
            f"{one['what']:28}{one['edits']:6}{one['p50']:8.2f}{one['p95']:8.2f}{one['most']:8.2f}"
            f"{one['answer_p50'] * 1000:6.0f} ms{one['answer_p95'] * 1000:6.0f} ms"
            f"{one['told']:7}{one['silent']:7}{one['never']:6}",
            flush=True,
        )


async def measure(source: Path, size: int, options: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    """Edits, a burst and idleness of one project."""
    folder = scratch / f"size-{size}"
    root, store = folder / "project", folder / "store"
    root.mkdir(parents=True) if size else folder.mkdir(parents=True)
    project(source, size, root)
    indexed(root, store, folder / "home")
    chance = random.Random(16)
    paths = python_files(root)
    chance.shuffle(paths)
    picked = [place for path in paths if (own := places(root, path)) for place in [chance.choice(own)]]
    chance.shuffle(picked)
    found: dict[str, Any] = {"files": len(paths), "rows": []}

    async def run(server: Server) -> None:
        known: list[Place] = []
        for place in picked:  # a name like `__init__` alone is not what a search finds a function by
            if len(known) < max(BURST, options.edits) and (await server.hit(place))[0] is not None:
                known.append(place)
        await settled(server, known[0])
        kinds: dict[str, Asked] = {"line": Asked(), "caller": Asked(), "signature": Asked()}
        warm, cpu, peak = server.memory(), server.processor_seconds(), 0
        begun = time.perf_counter()
        for number, place in enumerate(itertools.islice(itertools.cycle(known), options.edits)):
            kind = list(kinds)[number % len(kinds)]
            kinds[kind].add(await edit(server, root, place, kind, number))
            peak = max(peak, server.memory())
        seconds, spent = time.perf_counter() - begun, server.processor_seconds() - cpu
        every = Asked()
        for own in kinds.values():
            every.add(own)
        rows = [row(f"{len(paths):,} files", every)]
        rows += [row(f"  {kind}", own) for kind, own in kinds.items()]
        show(rows)
        saves = list(itertools.islice(itertools.cycle(known), BURST))
        rows.append(row(f"  burst of {BURST} saves", await burst(server, root, saves)))
        show(rows[-1:])
        await anyio.sleep(2.0)
        idle = server.processor_seconds()
        await anyio.sleep(options.idle)
        found.update(
            rows=rows,
            cpu_an_edit=spent / (2 * options.edits),  # each was taken back
            seconds=seconds,
            memory_before=warm,
            memory_peak=peak,
            memory_after=server.memory(),
            idle_cpu=server.processor_seconds() - idle,
        )
        print(
            f"  {2 * options.edits} edits in {seconds:.0f} s: {found['cpu_an_edit']:.2f} CPU s an edit; memory"
            f" {warm / 1e6:.0f} MB before, at most {peak / 1e6:.0f}, {found['memory_after'] / 1e6:.0f} after;"
            f" idle for {options.idle:.0f} s: {found['idle_cpu']:.2f} CPU s",
            flush=True,
        )

    await serving(root, store, folder / "home", run)
    shutil.rmtree(folder)
    return found


def is_telling(name: str) -> bool:
    """Whether a search for a function's name alone finds it."""
    return len(name) >= 8 and not name.startswith("_")


async def switching(repository: Path, times: int, scratch: Path) -> dict[str, Any]:
    """`git switch` there and back between two commits, `times` times."""
    folder = scratch / "history"
    folder.mkdir()
    root, store = folder / "clone", folder / "store"
    git(folder, "clone", "--quiet", "--shared", "--no-checkout", str(repository.resolve()), str(root))
    commits = git(root, "rev-list", "--first-parent", f"--max-count={APART + 1}", "HEAD").split()
    if len(commits) <= APART:
        sys.exit(f"{repository} has only {len(commits)} commits")
    ends = {"new": commits[0], "old": commits[APART]}
    known: dict[str, dict[str, Place]] = {}
    defined: dict[str, set[str]] = {}
    for name in ("old", "new"):
        git(root, "switch", "--quiet", "--detach", ends[name])
        paths = python_files(root)
        known[name] = {place.id: place for path in paths for place in places(root, path)}
        texts = ((path, (root / path).read_text(encoding="utf-8", errors="replace")) for path in paths)
        defined[name] = {f"{path}::{found}" for path, text in texts for found in re.findall(r"def (\w+)", text)}
    changed = sorted(
        place.id
        for name, other in (("old", "new"), ("new", "old"))
        for place in known[name].values()
        if is_telling(place.name)
        and (
            known[other][place.id].line > place.line
            if place.id in known[other]
            else f"{place.path}::{place.name}" not in defined[other]
        )
    )
    picked = random.Random(16).sample(changed, min(SWITCHED, len(changed)))
    files = len(git(root, "diff", "--name-only", ends["old"], ends["new"], "--").splitlines())
    indexed(root, store, folder / "home")
    every = Asked()

    async def run(server: Server) -> None:
        await server.call("code_search", query="anything")
        for number in range(2 * times):
            name = ("old", "new")[number % 2]
            git(root, "switch", "--quiet", "--detach", ends[name])
            started = time.perf_counter()
            found = Asked()
            for identity in picked:
                there = known[name].get(identity)
                asked = there or known["new" if name == "old" else "old"][identity]

                async def right(asked: Place = asked, there: Place | None = there) -> tuple[bool, dict[str, Any]]:
                    hit, body = await server.hit(asked)
                    return (hit is not None and hit["start_line"] == there.line) if there else hit is None, body

                found.add(await until_right(right, asked.path, started))
            found.seconds = [max(found.seconds)] if not found.never else []
            every.add(found)

    await serving(root, store, folder / "home", run)
    told = row(f"switch, {files} files", every)
    show([told])
    return told


def noise() -> dict[str, Any]:
    """What the machine was busy with: the load, and how much longer a fixed computation took at worst than at best."""
    times = []
    for _ in range(20):
        begun = time.perf_counter()
        sum(range(2_000_000))
        times.append(time.perf_counter() - begun)
    return {
        "load": os.getloadavg()[0],
        "cores": os.cpu_count(),
        "slower": statistics.median(times) / min(times),
        "worst": max(times) / min(times),
    }


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--repository", type=Path, metavar="FOLDER", help="instead of Django")
    ask.add_argument("--edits", type=int, default=30, metavar="N", help="of each project")
    ask.add_argument("--sizes", type=int, nargs="*", default=[20, 500, 0], metavar="N", help="files; 0: all")
    ask.add_argument("--history", type=Path, metavar="REPOSITORY", help="a git repository for the switch")
    ask.add_argument("--switches", type=int, default=3, metavar="N", help="there and back")
    ask.add_argument("--idle", type=float, default=60.0, metavar="SECONDS")
    ask.add_argument("--json", action="store_true", help="print one document in the end")
    options = ask.parse_args()
    source = options.repository or django()
    report: dict[str, Any] = {"noise": [noise()], "projects": []}
    output = sys.stdout
    if options.json:
        sys.stdout = sys.stderr
    print(HEAD)
    with tempfile.TemporaryDirectory(prefix="loregraph-live-") as temporary:
        scratch = Path(temporary).resolve()
        for size in options.sizes:
            report["projects"].append(anyio.run(measure, source, size, options, scratch))
        if options.history:
            report["switch"] = anyio.run(switching, options.history, options.switches, scratch)
    report["noise"].append(noise())
    for when, own in zip(("before", "after"), report["noise"], strict=True):
        print(
            f"noise {when}: load {own['load']:.1f} on {own['cores']} cores; a fixed computation took"
            f" {own['slower']:.2f} times its best in the median, {own['worst']:.2f} times at worst"
        )
    rows = [one for own in report["projects"] for one in own["rows"]]
    if options.history:
        rows.append(report["switch"])
    if not options.repository and 0 in options.sizes:
        whole = report["projects"][options.sizes.index(0)]["rows"][0]
        for share, aim in AIM.items():
            got = whole[f"p{share * 100:.0f}"]
            print(
                f"p{share * 100:.0f} on all of Django: {got:.2f} s, aim {aim:.1f} s{'' if got <= aim else ': MISSED'}"
            )
    if options.json:
        print(json.dumps(report, indent=1), file=output)
    return int(any(one["silent"] or one["never"] for one in rows))


if __name__ == "__main__":
    sys.exit(main())
