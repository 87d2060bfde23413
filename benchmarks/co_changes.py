"""How often the functions that a commit changes together are suggested for one of them.

    python benchmarks/co_changes.py REPOSITORY... [--later N] [--most N] [--thresholds]

Each repository is a clone with its whole history; nothing is written to it. The history is cut at the commit K of its
first parents after which there are at least N others (400, or a quarter of all): the graph and the history are those at
K, in a clone of it. Truth are the functions that existed at K and that one of the later commits changed together, at
most --most of them (10: more is a reformatting, a move or several changes); merges and mass edits do not count. Later
lines are led back to functions at K through the history, so that moves and renames lose nothing. Each function changed
by such a commit is asked for once per commit.

Prints recall@5: of the others that the commit changed, the share among the first five suggestions (mean over the
questions); the same of what five can hold at most; and the first with each commit counting once. The sources:

    edges     callers, callees and tests
    graph     these, functions nearby in the file, names, sizes: `Suggesting` without history
    support   functions changed together most often
    history   the same, commits of few functions counting more, relative to how often each was changed, and files
    fused     reciprocal ranks of graph and history (Cormack and others 2009, k = 10)
    both      `Suggesting`

The weights of `suggesting.py` were fitted to click, gin and flask: report these apart. --thresholds also prints what
pairs of each least support and confidence would have predicted.
"""

# Verifies REQ-HIS-007.

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import loregraph
from loregraph import git
from loregraph.analysis.history import log
from loregraph.analysis.history.functions import Changes, changes, functions_by_line
from loregraph.analysis.history.line_map import LINES, Version, Walk
from loregraph.analysis.history.past import MOST_FILES, past
from loregraph.analysis.history.suggesting import Suggesting
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS

FIRST = 5
LATER = 400
MOST_FUNCTIONS = 10
FUSED = 30
CONSTANT = 10
"""Of reciprocal rank fusion."""
Rank = Callable[[int], Sequence[int]]
Question = tuple[int, set[int], int]
"""A function, the others that a commit changed, and the commit's number."""


def output(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def cut(repository: Path, later: int) -> str:
    """The commit K."""
    every = int(output(repository, "rev-list", "--count", "--no-merges", "HEAD"))
    wanted = min(later, every // 4)
    for name in output(repository, "rev-list", "--first-parent", "HEAD").split():
        if int(output(repository, "rev-list", "--count", "--no-merges", f"{name}..HEAD")) >= wanted:
            return name
    raise SystemExit(f"{repository} has no history to cut")


def indexed(folder: Path, store: Path) -> GraphColumns:
    with loregraph.open(folder, store=store) as project:
        project.index(embed=False)
        return project.reader().columns


def later_changes(repository: Path, base: str) -> tuple[list[list[int]], Version, list[str]]:
    """The lines of today that each commit after `base` changed; the version at `base`; the files of today."""
    found = log.commits(repository, 100_000, base)
    assert not isinstance(found, git.GitRefusal)
    files = output(repository, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "HEAD").split("\n")
    walk, known = Walk(files), {base, *(commit.name for commit in found)}
    versions: dict[str, Version] = {found[0].name: {}}
    asked = log.differences(repository, [(commit.name, parent) for commit in found for parent in commit.parents])
    told = []
    for commit in found:
        version = versions.pop(commit.name)
        for number, parent in enumerate(commit.parents):
            answer = next(asked)
            assert not isinstance(answer, git.GitRefusal)
            older = version if number == len(commit.parents) - 1 else dict(version)
            touched = walk.back(older, answer.files)
            if parent in known:
                versions[parent] = walk.joined(versions[parent], older) if parent in versions else older
            if len(commit.parents) == 1 and answer.whole and len(answer.files) <= MOST_FILES:
                told.append(touched.lines)
    return told, versions[base], files


def truth(repository: Path, base: str, now: GraphColumns, then: GraphColumns, most: int) -> list[list[int]]:
    """The functions at K that each later commit changed together."""
    told, version, files = later_changes(repository, base)
    walk, by_line = Walk(files), functions_by_line(now)

    def function(line: int) -> int:
        lines = by_line.get(files[line // LINES])
        return -1 if lines is None or line % LINES >= len(lines) else lines[line % LINES]

    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for path, functions in functions_by_line(then).items():
        owners = walk.lines(version, path).part(1, len(functions) - 1)
        for owner, node in zip(owners, functions[1:], strict=True):
            if owner and node >= 0 and (today := function(owner)) >= 0:
                votes[today][node] += 1
    was = {today: min(counted, key=lambda node: (-counted[node], node)) for today, counted in votes.items()}
    found = []
    for lines in told:
        today = {node for line in lines if (node := function(line)) >= 0}
        if len(today) <= most:
            found.append(sorted({was[node] for node in today if node in was}))
    return [nodes for nodes in found if len(nodes) > 1]


def recalls(asked: Sequence[Question], rank: Rank) -> tuple[float, float, float]:
    known: dict[int, set[int]] = {}
    plain, bounded, by_commit = [], [], defaultdict(list)
    for node, others, commit in asked:
        if node not in known:
            known[node] = set(rank(node)[:FIRST])
        hits = len(known[node] & others)
        plain.append(hits / len(others))
        bounded.append(hits / min(FIRST, len(others)))
        by_commit[commit].append(hits / len(others))
    commits = [sum(row) / len(row) for row in by_commit.values()]
    return sum(plain) / len(plain), sum(bounded) / len(bounded), sum(commits) / len(commits)


def sources(columns: GraphColumns, found: Changes) -> dict[str, Rank]:
    def suggested(suggesting: Suggesting, most: int) -> Rank:
        return lambda node: [
            number for one in suggesting.best([node], most) if (number := columns.find_id(one.id)) is not None
        ]

    def edges(node: int) -> list[int]:
        ends: Counter[int] = Counter()
        for rel in ("TESTS", "CALLS"):
            ends.update(columns.target[columns.out(node, rel)].tolist())
            ends.update(columns.source[columns.into(node, rel)].tolist())
        functions = LABELS.index("Function")
        return [one for one, _ in sorted(ends.items(), key=_most) if columns.labels[one] == functions and one != node]

    together: dict[int, Counter[int]] = defaultdict(Counter)
    for change in found.commits:
        for node in change.functions:
            together[node].update(one for one in change.functions if one != node)
    graph = suggested(Suggesting(columns, found, history=False), FUSED)
    history = suggested(Suggesting(columns, found, graph=False), FUSED)

    def fused(node: int) -> list[int]:
        scores: dict[int, float] = defaultdict(float)
        for rank in (graph(node), history(node)):
            for place, other in enumerate(rank):
                scores[other] += 1 / (CONSTANT + place)
        return [one for one, _ in sorted(scores.items(), key=_most)]

    return {
        "edges": edges,
        "graph": graph,
        "support": lambda node: [one for one, _ in sorted(together[node].items(), key=_most)],
        "history": history,
        "fused": fused,
        "both": suggested(Suggesting(columns, found), FIRST),
    }


def _most(row: tuple[int, float]) -> tuple[float, int]:
    return -row[1], row[0]


def thresholds(asked: Sequence[Question], found: Changes, functions: int) -> None:
    commits: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for change in found.commits:
        commits.update(change.functions)
        pairs.update((one, other) for one in change.functions for other in change.functions if one != other)
    for support in (1, 2, 3, 4):
        for confidence in (0.0, 0.1, 0.2, 0.3):
            partners: dict[int, set[int]] = defaultdict(set)
            for (one, other), count in pairs.items():
                if count >= support and count / commits[one] >= confidence:
                    partners[one].add(other)
            told = sum(len(partners[node]) for node, _, _ in asked)
            hits = sum(len(partners[node] & others) for node, others, _ in asked)
            edges = sum(map(len, partners.values())) / functions
            print(
                f"    support {support} confidence {confidence:.1f}: {edges:5.1f} edges a function, precision "
                f"{hits / max(1, told):.2f}, recall {hits / sum(len(others) for _, others, _ in asked):.2f}"
            )


def measure(repository: Path, scratch: Path, options: argparse.Namespace) -> dict[str, tuple[float, float, float]]:
    base = cut(repository, options.later)
    old = scratch / "then"
    output(scratch, "clone", "-q", "--no-checkout", str(repository), str(old))
    output(old, "-c", "advice.detachedHead=false", "checkout", "-q", base)
    now, then = indexed(repository, scratch / "store-now"), indexed(old, scratch / "store-then")
    started = time.process_time()
    found = changes(old, then, past(old))
    seconds = time.process_time() - started
    told = truth(repository, base, now, then, options.most)
    asked = [(node, {*nodes} - {node}, number) for number, nodes in enumerate(told) for node in nodes]
    functions = len(then.nodes("Function"))
    print(
        f"{repository.name}: {len(found.commits):,} commits count, left out {dict(found.left_out)}, "
        f"{functions:,} functions, {len(told)} later commits, {len(asked)} questions, {seconds:.1f} s"
    )
    if not asked:
        return {}
    if options.thresholds:
        thresholds(asked, found, functions)
    rows = {name: recalls(asked, rank) for name, rank in sources(then, found).items()}
    for name, row in rows.items():
        print(f"    {name:<8} {row[0]:.3f}  {row[1]:.3f}  {row[2]:.3f}", flush=True)
    return rows


def mean(rows: Iterable[tuple[float, float, float]]) -> str:
    columns = list(zip(*rows, strict=True))
    return "  ".join(f"{sum(column) / len(column):.3f}" for column in columns)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    parser.add_argument("--later", type=int, default=LATER)
    parser.add_argument("--most", type=int, default=MOST_FUNCTIONS)
    parser.add_argument("--thresholds", action="store_true")
    options = parser.parse_args()
    every: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for repository in options.repositories:
        with tempfile.TemporaryDirectory() as scratch:
            for name, row in measure(repository.resolve(), Path(scratch), options).items():
                every[name].append(row)
    print("mean of the repositories")
    for name, rows in every.items():
        print(f"    {name:<8} {mean(rows)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
