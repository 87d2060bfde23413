"""The cost of finding all copies, after indexing; and those of one function, in a process that has done it before.

    python benchmarks/duplicates_django.py [FOLDER] [--jscpd COMMAND]

Indexes a copy of Django (or of FOLDER) without counting that, then runs `loregraph duplicates --json` and, on the same
tree, jscpd (`npx --yes jscpd@4`, or COMMAND), which finds exact copies of runs of tokens. Both in CPU seconds of the
whole process tree.
"""

# Implements REQ-DUP-003.

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from corpus import django

LOREGRAPH = (sys.executable, "-m", "loregraph")
ALL_PAIRS_SECONDS = 10.0
ONE_FUNCTION_MS = 20.0
ASKED = 200


def cpu_of(command: list[str], *, allowed: tuple[int, ...] = (0,)) -> tuple[float, bytes]:
    """CPU seconds of a command with the processes it waited for, and what it printed."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in allowed:
            sys.exit(f"{shlex.join(command)} ended with {process.returncode}")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, out.read()


def one_function_ms(root: Path, store: Path) -> float:
    """Median CPU milliseconds of querying the copies of one function, warm, over functions from the whole project."""
    from loregraph.errors import UsageError
    from loregraph.project import Project

    with Project(root, store=store) as project:
        columns = project.reader().columns
        functions = columns.nodes("Function").tolist()
        chosen = [columns.id(node) for node in functions[:: max(1, len(functions) // ASKED)]]
        times = []
        for number, identity in enumerate([chosen[0], *chosen]):
            begun = time.process_time()
            try:
                project.copies_of(symbol=identity)
            except UsageError:
                continue  # too short to be compared
            if number:
                times.append(1000 * (time.process_time() - begun))
        return median(times)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", nargs="?", type=Path)
    ask.add_argument("--jscpd", default="npx --yes jscpd@4", help="how to call jscpd; '' to leave it out")
    options = ask.parse_args()
    with tempfile.TemporaryDirectory(prefix="loregraph-benchmark-") as scratch:
        root = Path(scratch) / "django"
        shutil.copytree(options.folder or django(), root, symlinks=True)
        store = Path(scratch) / "store"
        call = [*LOREGRAPH, "--root", str(root), "--store", str(store)]
        cpu_of([*call, "index", "--no-embed"])
        ours, printed = cpu_of([*call, "duplicates", "--json"], allowed=(0, 1))
        figures: dict[str, object] = {"pairs": len(json.loads(printed)), "all_pairs_cpu_s": round(ours, 2)}
        print(f"loregraph duplicates: {ours:.2f} CPU s, {figures['pairs']:,} pairs (budget {ALL_PAIRS_SECONDS:g} s)")
        one = one_function_ms(root, store)
        figures["one_function_ms"] = round(one, 2)
        print(f"one function, warm: {one:.1f} CPU ms (budget {ONE_FUNCTION_MS:g} ms)")
        jscpd = shlex.split(options.jscpd)
        if jscpd and shutil.which(jscpd[0]):
            quiet = ["--silent", "--reporters", "json", "--output", scratch, "--exitCode", "0"]
            quiet += ["--format", "python,javascript"]
            theirs, _ = cpu_of([*jscpd, str(root), *quiet])
            found = json.loads((Path(scratch) / "jscpd-report.json").read_bytes())["statistics"]["total"]["clones"]
            figures |= {"jscpd_cpu_s": round(theirs, 2), "jscpd_clones": found, "ratio": round(theirs / ours, 2)}
            print(f"jscpd: {theirs:.2f} CPU s, {found:,} clones; {theirs / ours:.1f} times as much")
        else:
            print("jscpd: not run, there is no npx")
    print(json.dumps({"what": "duplicates_django", **figures}))
    sys.exit(ours > ALL_PAIRS_SECONDS or one > ONE_FUNCTION_MS)


if __name__ == "__main__":
    main()
