"""Whether the graph after every commit of a history is the one that indexing from nothing gives, and what edits cost.

    python benchmarks/replayed.py REPOSITORY [--commits 200] [--until REVISION] [--every K] [--examples N]

Checks the last commits of REPOSITORY (first parents only, oldest first) out one after the other, in a temporary clone,
and indexes each on top of the one before, in a store outside of it. After every K-th (1), and after the last, the same
files are indexed from nothing in another store, and the two graphs compared: every line of their exports, how many
calls gave none for which reason, the problems, and the packed columns. Ends with 1 where anything differs.

A row says how many files the commit changed, how many of them are code that was read again, how many files were
resolved again (of all; `–` where the index does not say), the processor time of that run with all its processes, in
seconds, and what the comparison gave.
"""

# Verifies REQ-IDX-015.

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

LOREGRAPH = (sys.executable, "-P", "-m", "loregraph")
COLUMNS = "{:12} {:>8} {:>6} {:>14} {:>7}  {}"
# A history is data: nothing in it may run, and no large file is downloaded for it.
GIT = ("git", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")
QUIET = {**os.environ, "GIT_LFS_SKIP_SMUDGE": "1", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
COUNTED = ("unresolved", "relationships", "functions", "classes", "components", "requirements")
"""Parts of a report that have to be the same, besides its problems."""
PACKED = ("columns.bin",)
"""Files of a generation that are a function of the graph."""


class Run(NamedTuple):
    """One index run: its report, and its processor seconds."""

    report: dict[str, Any]
    cpu: float

    @property
    def resolved(self) -> int | None:
        """How many files were resolved; None where the report does not say."""
        found = self.report.get("resolved")
        return found if isinstance(found, int) else None

    @property
    def files(self) -> int:
        """All files of the project that are code."""
        return sum(self.report["languages"].values())

    @property
    def alone(self) -> bool | None:
        """Whether files were resolved without all others; None where the report does not say."""
        return self.resolved < self.files if self.resolved is not None else None


def git(folder: Path, *arguments: str) -> str:
    """The output of git. Ends the program where it fails."""
    done = subprocess.run([*GIT, *arguments], check=False, cwd=folder, env=QUIET, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def processor_seconds() -> float:
    """Of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(root: Path, store: Path, *arguments: str) -> bytes:
    """The output of loregraph. Ends the program where it fails."""
    line = [*LOREGRAPH, "--root", str(root), "--store", str(store), *arguments]
    done = subprocess.run(line, check=False, cwd=store.parent, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(line)} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def indexed(root: Path, store: Path, *options: str) -> Run:
    before = processor_seconds()
    report = json.loads(command(root, store, "index", "--no-embed", "--json", *options))
    return Run(report, processor_seconds() - before)


def packed(store: Path) -> dict[str, str]:
    """Name → digest of the files of the store's generation that have to be the same."""
    generation = max(store.glob("generation-*"), key=lambda folder: int(folder.name.partition("-")[2]))
    return {name: hashlib.sha256((generation / name).read_bytes()).hexdigest() for name in PACKED}


def differences(root: Path, edited: Run, kept: Path, fresh: Run, anew: Path) -> list[str]:
    """Lines of the graph after edits (+) that differ from those of a new index (−); empty for none."""
    own, other = (Counter(command(root, store, "export").splitlines()) for store in (kept, anew))
    told = [f"- {line.decode(errors='replace')}" for line in sorted((other - own).elements())]
    told += [f"+ {line.decode(errors='replace')}" for line in sorted((own - other).elements())]
    for name in COUNTED:
        if edited.report[name] != fresh.report[name]:
            told.append(f"{name}: {fresh.report[name]} from nothing, {edited.report[name]} by edits")
    problems = [
        sorted({(p["path"], p["line"], p["message"]) for p in run.report["problems"]}) for run in (fresh, edited)
    ]
    if problems[0] != problems[1]:
        told.append(f"problems: {problems[0]} from nothing, {problems[1]} by edits")
    if not told and packed(kept) != packed(anew):
        told.append(f"only {' and '.join(PACKED)}: what the export does not say")
    return told


def changed_files(root: Path, before: str, after: str) -> int:
    return len(git(root, "diff", "--name-only", "-z", before, after, "--").split("\0")) - 1


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is not below a `share` of `values`."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def summary(runs: Sequence[Run], first: Run, compared: int, differing: int) -> None:
    cpu = [run.cpu for run in runs]
    print(f"\nthe first index: {first.cpu:.2f} CPU s, {first.files:,} files")
    print(
        f"{len(runs)} edits: median {percentile(cpu, 0.5):.2f}, 90 % {percentile(cpu, 0.9):.2f}, "
        f"max {max(cpu):.2f} CPU s, {sum(cpu):.1f} in all"
    )
    told = [run for run in runs if run.resolved is not None]
    if told:
        alone = [run for run in told if run.alone]
        counts = [run.resolved or 0 for run in alone]
        share = f"{len(alone) / len(told):.0%} of {len(told)}"
        again = f"; there median {percentile(counts, 0.5):,.0f}, max {max(counts):,} files again" if counts else ""
        print(f"resolved without resolving all: {share}{again}")
    else:
        print("how many files were resolved again, the index does not say")
    print(f"{compared} graphs compared, {differing} differ")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    parser.add_argument("--commits", type=int, default=200, metavar="N")
    parser.add_argument("--until", default="HEAD", metavar="REVISION", help="the last commit")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="compare after every K-th commit; 0: never")
    parser.add_argument("--examples", type=int, default=10, metavar="N", help="differing lines to print a commit")
    options = parser.parse_args()
    if options.commits < 1 or options.every < 0:
        parser.error("there is at least one commit to replay, and K is not negative")
    with tempfile.TemporaryDirectory(prefix="loregraph-replayed-") as temporary:
        folder = Path(temporary).resolve()
        root, kept, anew = folder / "clone", folder / "store-kept", folder / "store-anew"
        git(folder, "clone", "--quiet", "--shared", "--no-checkout", str(options.repository.resolve()), str(root))
        last = git(
            options.repository, "rev-parse", "--verify", "--end-of-options", f"{options.until}^{{commit}}"
        ).strip()
        commits = git(root, "rev-list", "--first-parent", f"--max-count={options.commits + 1}", last, "--").split()[
            ::-1
        ]
        if len(commits) < 2:
            sys.exit("that history has one commit, and so no edits")
        git(root, "checkout", "--quiet", "--detach", commits[0])
        first = indexed(root, kept)
        print(COLUMNS.format("commit", "changed", "read", "resolved", "CPU s", ""))
        runs: list[Run] = []
        compared = differing = 0
        for before, after in itertools.pairwise(commits):
            git(root, "checkout", "--quiet", "--detach", after)
            run = indexed(root, kept)
            runs.append(run)
            wrong: list[str] | None = None
            if options.every and (len(runs) % options.every == 0 or after == last):
                wrong = differences(root, run, kept, indexed(root, anew, "--full"), anew)
                compared += 1
                differing += bool(wrong)
            resolved = f"{run.resolved:,} of {run.files:,}" if run.resolved is not None else "–"
            result = "" if wrong is None else f"{len(wrong)} lines DIFFER" if wrong else "same"
            read = run.report["files"]["indexed"]
            row = COLUMNS.format(
                after[:12], changed_files(root, before, after), read, resolved, f"{run.cpu:.2f}", result
            )
            print(row.rstrip(), flush=True)
            for line in (wrong or [])[: options.examples]:
                print(f"    {ascii(line[:400])[1:-1]}")
        summary(runs, first, compared, differing)
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
