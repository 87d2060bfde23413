"""Which share of small faults in a package the tests notice.

    python benchmarks/mutation.py loregraph/memory --count 100 --seed 1 --tests tests/memory tests/cli [--again]

Draws `--count` mutants (`mutants.py`) out of all of the package with the given seed, and for each runs the test files
that reach the mutated lines, the nearest first, until one fails. Prints a table by module and then every survivor with
its line. A run that ends by using up its processor time counts as killed: the fault was a loop without an end.

What reaches which lines is found once, by one run of each test file under coverage, child processes included; it is
kept in `--work` and made anew for a test file that was changed or failed, and for all when the package was. A file that
fails without a mutant is not used. Results are kept as well, so that a run that was stopped goes on where it was;
`--again` tries the survivors once more, after tests were added. Everything happens in a copy of the checkout with an
environment of its own: nothing here is changed, and child processes see the mutated package, too. Randomness is seeded
(hypothesis with the number 0).

mutmut 3 and cosmic-ray were looked at. mutmut puts all mutants of a function into the module, behind a trampoline: what
looks at functions, hashes its source, is read by child processes or stands outside of functions is another program
then. cosmic-ray changes the checkout in place and runs one fixed command for every mutant, which here is minutes.

Needs `coverage` beside what the tests need.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import venv
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from mutants import Mutant, changes, mutants_of

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("killed", "timeout", "survived", "unreached")
# Files are tried until they would take this many seconds: a survivor otherwise costs half of the suite.
SECONDS_A_MUTANT = 60.0


@dataclass(frozen=True)
class Reached:
    """What one test file runs: processor seconds under coverage, with child processes, and lines by module."""

    digest: str
    seconds: float
    lines: dict[str, list[int]]
    passed: bool


@dataclass(frozen=True)
class Result:
    module: str
    mutant: Mutant
    kind: str
    by: str
    tried: int
    reaching: int


class Copy:
    """A copy of the checkout and an environment in which it is what `loregraph` means."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        self.python = folder / "env" / "bin" / "python"
        self.tree.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            source, target = ROOT / name, self.tree / name
            if source.is_file() and not (target.exists() and target.read_bytes() == source.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        for stale in [*self.tree.rglob("test_*.py"), *self.tree.glob("loregraph/**/*.py")]:
            if not (ROOT / stale.relative_to(self.tree)).exists():
                stale.unlink()
        if not self.python.exists():
            venv.create(folder / "env")
            site = next((folder / "env").glob("lib/python*/site-packages"))
            packages = next(path for path in sys.path if path.endswith("site-packages"))
            # The copy comes before what the packages' own .pth files add, so before the checkout as well.
            (site / "copy.pth").write_text(f"{self.tree}\nimport site; site.addsitedir({packages!r})\n")
            command = self.python.with_name("loregraph")
            command.write_text(f"#!{self.python}\nfrom loregraph.cli.main import process\nprocess()\n")
            command.chmod(0o755)

    def run(self, words: Iterable[str], seconds: float, environment: dict[str, str] | None = None) -> tuple[int, float]:
        """Exit code and processor seconds of `python words`. Past `seconds` of them, or ten times as many by the
        clock, it is ended with all that it started, and the code is negative."""
        process = subprocess.Popen(
            [str(self.python), *words],
            cwd=self.tree,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        timer = threading.Timer(seconds * 10, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def test_files(copy: Copy, names: Iterable[str]) -> list[str]:
    """Paths of test modules in the copy, sorted."""
    found: set[Path] = set()
    for name in names:
        path = copy.tree / name
        found |= {path} if path.is_file() else set(path.rglob("test_*.py"))
    return sorted(path.relative_to(copy.tree).as_posix() for path in found)


def digest(paths: Iterable[Path]) -> str:
    known = hashlib.sha256()
    for path in sorted(paths):
        known.update(path.read_bytes())
    return known.hexdigest()


def reached_by(copy: Copy, packages: list[str], files: list[str], work: Path) -> dict[str, Reached]:
    """What each of the test files reaches of the packages, from the record where it still holds."""
    from coverage import CoverageData

    record = work / f"reached-{label(packages)}.json"
    kept = json.loads(record.read_text()) if record.exists() else {}
    known = {file: Reached(**one) for file, one in kept.items()}
    code = [path for package in packages for path in (copy.tree / package).rglob("*.py")]
    settings = work / "coverage.ini"
    sources = "".join(f"\n    {copy.tree / package}" for package in packages)
    settings.write_text(f"[run]\nsource ={sources}\nparallel = true\n")
    for count, file in enumerate(files, 1):
        now = digest([*code, copy.tree / file])
        if file in known and known[file].digest == now and known[file].passed:
            continue
        data = work / "data"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        environment = {"COVERAGE_PROCESS_START": str(settings), "COVERAGE_FILE": str(data / "coverage")}
        status, seconds = copy.run(pytest([file], "--maxfail=1000"), 600, environment)
        if status != 0:  # coverage itself may be what fails, in child processes that cannot write for instance
            status, _ = copy.run(pytest([file]), 600)
        lines: dict[str, set[int]] = defaultdict(set)
        for part in data.iterdir():
            measured = CoverageData(str(part))
            measured.read()
            for path in measured.measured_files():
                lines[Path(path).relative_to(copy.tree).as_posix()] |= set(measured.lines(path) or ())
        known[file] = Reached(now, seconds, {path: sorted(found) for path, found in lines.items()}, status == 0)
        record.write_text(json.dumps({name: asdict(one) for name, one in known.items()}))
        print(f"{count}/{len(files)} {file} {seconds:.1f} s{'' if status == 0 else ', FAILS'}", file=sys.stderr)
    return {file: known[file] for file in files}


def label(packages: list[str]) -> str:
    return "+".join(package.replace("/", ".") for package in packages)


def pytest(files: list[str], *more: str) -> list[str]:
    return [
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--hypothesis-seed=0",
        *more,
        *files,
    ]


def drawn(copy: Copy, package: str, count: int, seed: int) -> list[tuple[str, Mutant]]:
    """`count` mutants of the package, or all where it has fewer, in an order that the seed decides."""
    sources = {path: path.read_bytes() for path in sorted((copy.tree / package).rglob("*.py"))}
    every = [(path, mutant) for path, source in sources.items() for mutant in mutants_of(source)]
    random.Random(seed).shuffle(every)
    taken = []
    for path, mutant in every:
        if len(taken) == count:
            break
        if changes(mutant, sources[path]):
            taken.append((path.relative_to(copy.tree).as_posix(), mutant))
    return taken


def reaching(module: str, mutant: Mutant, reached: dict[str, Reached]) -> list[str]:
    """Test files that run a line of the mutant, the nearest and then the quickest first. What is run by importing the
    module alone (a constant's definition) is noticed by those, too, that run any other line of it."""
    lines = set(range(mutant.line, mutant.last + 1))
    mirror = Path("tests", *Path(module).parts[1:-1])
    stem = Path(module).stem

    def distance(file: str) -> tuple[bool, bool, float]:
        path = Path(file)
        return (path.stem != f"test_{stem}", mirror not in path.parents, reached[file].seconds)

    found = (file for file, one in reached.items() if one.passed and not lines.isdisjoint(one.lines.get(module, ())))
    return sorted(found, key=distance)


def judge(copy: Copy, module: str, mutant: Mutant, reached: dict[str, Reached]) -> Result:
    files = reaching(module, mutant, reached)
    chosen: list[str] = []
    seconds = 0.0
    for file in files:
        seconds += reached[file].seconds
        if chosen and seconds > SECONDS_A_MUTANT:
            break
        chosen.append(file)
    if not chosen:
        return Result(module, mutant, "unreached", "", 0, 0)
    path = copy.tree / module
    source = path.read_bytes()
    for cached in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        cached.unlink()
    try:
        path.write_bytes(mutant.apply(source))
        # What lies nearest is run alone first: most mutants die there, and the others need not be imported.
        for group in (chosen[:3], chosen[3:]):
            if not group:
                continue
            allowed = 20 + 3 * sum(reached[file].seconds for file in group)
            status, _ = copy.run(pytest(group), allowed, {"PYTHONDONTWRITEBYTECODE": "1"})
            if status != 0:
                kind = "timeout" if status < 0 else "killed"
                return Result(module, mutant, kind, group[0], len(chosen), len(files))
    finally:
        path.write_bytes(source)
        for cached in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
            cached.unlink()
    return Result(module, mutant, "survived", "", len(chosen), len(files))


def shown(result: Result, source: bytes) -> str:
    """A survivor: its place, and its first line before and after."""
    mutant = result.mutant
    number = source[: mutant.start].count(b"\n")
    before = source.splitlines()[number].decode().strip()
    after = mutant.apply(source).splitlines()[number].decode().strip()
    where = f"{result.module}:{number + 1} {mutant.operator} ({result.tried} of {result.reaching} test files)"
    return f"{result.kind} {where}\n    - {before}\n    + {after}"


def table(results: list[Result]) -> str:
    rows = defaultdict(Counter)
    for result in results:
        rows[result.module][result.kind] += 1
        rows["in all"][result.kind] += 1
    lines = ["| module | mutants | " + " | ".join(KINDS) + " | noticed |", "|---|--:|" + "--:|" * (len(KINDS) + 1)]
    for name in [*sorted(set(rows) - {"in all"}), "in all"]:
        counts = rows[name]
        share = (counts["killed"] + counts["timeout"]) / (counts.total() or 1)
        numbers = " | ".join(str(counts[kind]) for kind in KINDS)
        lines.append(f"| {name} | {counts.total()} | {numbers} | {share:.0%} |")
    return "\n".join(lines)


def judged(
    copy: Copy, package: str, chosen: argparse.Namespace, reached: dict[str, Reached], work: Path
) -> list[Result]:
    """The results for one package, each written down as soon as it is known."""
    record = work / f"results-{label([package])}-{chosen.seed}.jsonl"
    known: dict[tuple[str, Mutant], Result] = {}
    for line in record.read_text().splitlines() if record.exists() else ():
        one = json.loads(line)
        result = Result(**{**one, "mutant": Mutant(**one["mutant"])})
        known[result.module, result.mutant] = result
    results = []
    for number, (module, mutant) in enumerate(drawn(copy, package, chosen.count, chosen.seed), 1):
        found = known.get((module, mutant))
        if found is None or (chosen.again and found.kind in ("survived", "unreached")):
            started = time.monotonic()
            found = judge(copy, module, mutant, reached)
            with record.open("a") as file:
                file.write(json.dumps(asdict(found)) + "\n")
            print(f"{number} {found.kind} {module}:{mutant.line} {time.monotonic() - started:.0f} s", file=sys.stderr)
        results.append(found)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("packages", nargs="+", help="folders below the checkout, such as loregraph/graph")
    parser.add_argument("--count", type=int, default=100, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="+", default=["tests"], help="test files and folders to draw on")
    parser.add_argument(
        "--work", type=Path, default=Path("/tmp/loregraph-mutation"), help="a folder for copy and record"
    )
    parser.add_argument("--again", action="store_true", help="try what survived once more")
    chosen = parser.parse_args()
    packages = [package.rstrip("/") for package in chosen.packages]
    work = chosen.work.resolve()
    copy = Copy(work)
    reached = reached_by(copy, packages, test_files(copy, chosen.tests), work)
    for package in packages:
        results = judged(copy, package, chosen, reached, work)
        print(table(results), end="\n\n")
        for result in sorted(results, key=lambda one: (one.module, one.mutant)):
            if result.kind in ("survived", "unreached"):
                print(shown(result, (copy.tree / result.module).read_bytes()))


if __name__ == "__main__":
    main()
