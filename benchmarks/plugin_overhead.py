"""What recording costs a suite: processor time with the pytest plugin against that without it, and what it wrote.

    python benchmarks/plugin_overhead.py FOLDER [--python INTERPRETER] [--repeat N] [TESTS…]

Runs the suite of FOLDER by turns without and with the plugin, N times each (3), and compares the least of each: the
processor time of all processes, which other work on the machine hardly changes. The interpreter needs pytest, the
suite's packages and loregraph; Python 3.12 and newer record by `sys.monitoring`, older ones by `sys.setprofile`.
"""

# Implements REQ-RUN-008.

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("arguments", nargs="*", metavar="TESTS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        record = Path(scratch) / "run.jsonl"
        plugin = ("-p", "loregraph.pytest_plugin", f"--loregraph={record}")
        plain: list[float] = []
        recorded: list[float] = []
        for _ in range(options.repeat):
            plain.append(seconds(options.python, options.folder, options.arguments))
            recorded.append(seconds(options.python, options.folder, [*plugin, *options.arguments]))
        tests = calls = functions = 0
        with record.open("rb") as file:
            for line in file:
                one = json.loads(line)
                if one.get("test"):
                    tests += 1
                    calls += len(one["calls"])
                    functions += len(one["functions"])
        size = record.stat().st_size
    ratio = min(recorded) / min(plain)
    load = os.getloadavg()[0]
    print(
        f"{options.folder.name}: {min(plain):.2f} s without, {min(recorded):.2f} s with the plugin: {ratio:.2f} times"
    )
    print(f"{tests:,} tests, {functions:,} functions and {calls:,} calls in them, {size:,} bytes; load {load:.1f}")


def seconds(python: str, folder: Path, arguments: list[str]) -> float:
    """The processor time of one run, all its processes included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
