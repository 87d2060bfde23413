"""How much dead code the rule `dead-code` finds and how often it is right, without facts of a run and with them.

    python benchmarks/dead_code.py FOLDER… --environments ENVIRONMENTS [--plant 25] [--show]

Into a copy of each checkout FOLDER it plants definitions that nothing uses, copies of the repository's own under other
names, and decoys, which look unused and are not (`dead_code_plants.py`). The suite runs on the copy, under coverage.py
with contexts and with the pytest plugin, by the interpreter `ENVIRONMENTS/NAME/bin/python`, which has the suite's
packages, pytest, pytest-cov and msgspec; these runs are kept in the cache folder, by the content of the copy.

The rule is asked without facts, with those of the plugin, and with those of coverage. Recall is the share of what was
planted and found. A reported decoy is wrong. Every other report is deleted from the copy, all that calls it with it,
and the suite runs again: where it passes as before the report is confirmed. That is no proof: --show prints them for
reading. Precision counts the plants that were found, the decoys and the others.
"""

# Verifies REQ-RUN-015.

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from corpus import CACHE
from dead_code_plants import Plant, Planter

from loregraph.analysis.rules.runner import Checked
from loregraph.project import Project

COVERAGE, RECORD = "coverage.data", "record.jsonl"
SIDES = ("nothing", "plugin", "coverage", "both")
LONG_AGO = 1_600_000_000
OUTCOME = re.compile(r"(\d+) (passed|failed|errors?)\b")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--environments", type=Path, required=True)
    parser.add_argument("--plant", type=int, default=25)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    total: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
    kinds: dict[str, Counter[tuple[str, bool]]] = {side: Counter() for side in SIDES}
    planted: Counter[tuple[str, bool]] = Counter()
    print(f"{'repository':14} {'facts':9} planted found decoys reported others confirmed precision recall")
    for folder in options.folders:
        python = options.environments.absolute() / folder.name / "bin" / "python"
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / folder.name
            copy(folder, root)
            plants = Planter(root, folder.name).run(options.plant)
            for path in root.rglob("*.py"):
                os.utime(path, (LONG_AGO, LONG_AGO))  # what is younger than its run is taken for another version
            planted.update((plant.kind, plant.is_dead) for plant in plants)
            suite = Suite(root, python)
            runs = suite.runs()
            for side, reports in found(root, runs).items():
                score = scored(reports, plants, suite, show=options.show and side, kinds=kinds[side])
                total[side].update(score)
                row(folder.name, side, score)
    for side in SIDES:
        row("all", side, total[side])
    print("\nfound or reported of each kind:", ", ".join(SIDES))
    for kind, is_dead in sorted(planted, key=lambda one: (not one[1], one[0])):
        found_of = "  ".join(f"{kinds[side][kind, is_dead]:3}" for side in SIDES)
        print(f"  {kind:20} {'dead ' if is_dead else 'decoy'} {planted[kind, is_dead]:3}: {found_of}")
    print(f"load {os.getloadavg()[0]:.1f}")


def row(name: str, side: str, score: Counter[str]) -> None:
    right = score["found"] + score["confirmed"]
    reported = score["found"] + score["wrong"] + score["others"]
    print(
        f"{name:14} {side:9} {score['planted']:7} {score['found']:5} {score['decoys']:6} {score['wrong']:8}"
        f" {score['others']:6} {score['confirmed']:9} {right / reported if reported else 1:9.3f}"
        f" {score['found'] / score['planted']:6.3f}",
        flush=True,
    )


def copy(folder: Path, root: Path) -> None:
    """The files that git tracks, as a repository of their own."""
    listed = subprocess.run(["git", "-C", folder, "ls-files", "-z"], check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (folder / name).is_file() and not (folder / name).is_symlink():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, root / name)
    subprocess.run(["git", "init", "-q", root], check=True)


class Suite:
    """The tests of a copy."""

    def __init__(self, root: Path, python: Path) -> None:
        self.root, self.python = root, python
        self.passes = ""

    def run(self, *arguments: str, root: Path | None = None) -> str:
        """How many tests passed and failed."""
        root = root or self.root
        paths = [root / "src", root, Path(__file__).resolve().parents[1]]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        command = [self.python, "-m", "pytest", "-p", "no:cacheprovider", *arguments, "tests"]
        done = subprocess.run(
            command,
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=900,
            check=False,
        )
        counts = {word.rstrip("s"): number for number, word in OUTCOME.findall(done.stdout[-3_000:])}
        return " ".join(f"{counts[word]} {word}" for word in sorted(counts)) or f"exit code {done.returncode}"

    def runs(self) -> dict[str, Path]:
        """The files of the run under coverage.py and of that with the plugin."""
        digest = hashlib.sha256()
        for path in sorted(self.root.rglob("*.py")):
            digest.update(path.relative_to(self.root).as_posix().encode() + b"\0" + path.read_bytes())
        kept = CACHE / "dead-code" / f"{self.root.name}-{digest.hexdigest()[:16]}"
        kept.mkdir(parents=True, exist_ok=True)
        passes = kept / "passes"
        if not passes.exists():
            settings = kept / "coverage.ini"
            settings.write_text("[run]\nrelative_files = true\nsource = .\n")
            options = (f"--cov-config={settings}", "--cov=.", "--cov-context=test", "--cov-report=")
            os.environ["COVERAGE_FILE"] = str(kept / COVERAGE)
            self.run(*options)
            del os.environ["COVERAGE_FILE"]
            self.run("-p", "loregraph.pytest_plugin", f"--loregraph={kept / RECORD}")
            done = self.run()
            if "passed" not in done:
                sys.exit(f"{self.root.name}: the suite does not run: {done}")
            passes.write_text(done)
        self.passes = passes.read_text()
        print(f"{self.root.name}: {self.passes}", file=sys.stderr)
        return {"plugin": kept / RECORD, "coverage": kept / COVERAGE}

    def passes_without(self, path: str, line: int) -> bool:
        """Whether the suite passes as before where the definition at a line is deleted."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        try:
            file.write_text(without(text, line), encoding="utf-8")
            return self.run() == self.passes
        finally:
            file.write_text(text, encoding="utf-8")


def without(text: str, line: int) -> str:
    """`text` without the definition that has `line` in its head; `pass` in its place, where it may be needed."""
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= line <= node.lineno:
                lines[first - 1 : node.end_lineno] = [" " * node.col_offset + "pass"]
                return "\n".join(lines)
    raise ValueError(f"no definition is in line {line}")


def found(root: Path, runs: dict[str, Path]) -> dict[str, list[Checked]]:
    """What the rule reports in the product's code, by the facts that it has."""
    answers = {}
    os.environ["LOREGRAPH_STORE"] = str(root.parent / "store")
    with Project(root) as project:
        project.index(embed=False)
        for side in SIDES:
            project.forget_runs()
            files = [] if side == "nothing" else list(runs.values()) if side == "both" else [runs[side]]
            if files:
                project.import_runs(files)
            answers[side] = project.check(rules=["dead-code"])
    return answers


def named(report: Checked) -> str:
    return report.finding.place.id.rpartition("::")[2].rpartition(".")[2]


def scored(
    reports: Sequence[Checked], plants: Sequence[Plant], suite: Suite, *, show: str, kinds: Counter[tuple[str, bool]]
) -> Counter[str]:
    by_name = {(plant.path, plant.name): plant for plant in plants}
    score = Counter(planted=sum(plant.is_dead for plant in plants), decoys=sum(not plant.is_dead for plant in plants))
    reported = {(one.finding.place.file_path, named(one)) for one in reports}
    for missed in (one for one in plants if one.is_dead and (one.path, one.name) not in reported) if show else ():
        print(f"  {show}: missed {missed.kind} {missed.path} {missed.name}")
    for report in reports:
        place = report.finding.place
        plant = by_name.get((place.file_path, named(report)))
        if plant is not None:
            if show and not plant.is_dead:
                print(f"  {show}: decoy {plant.kind} {plant.path} {plant.name}")
            kinds[plant.kind, plant.is_dead] += 1
            score["found" if plant.is_dead else "wrong"] += 1
            continue
        passes = suite.passes_without(place.file_path, place.start_line)
        score["others"] += 1
        score["confirmed"] += passes
        if show:
            verdict = "passes" if passes else "FAILS"
            print(f"  {show}: {verdict} without {place.id} (line {place.start_line}): {report.finding.message}")
    return score


if __name__ == "__main__":
    main()
