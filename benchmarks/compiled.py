"""Plain Python against compiled code: processor time of a full index, and whether anything differs.

    python benchmarks/compiled.py [REPOSITORY] [--rounds N] [--keep FOLDER]

Builds a wheel of each kind (pip fetches what builds it, a C compiler has to be there), installs each into an
environment of its own over this one's packages, and indexes a copy of REPOSITORY, by default Django, with them in turn:
in full, with nothing changed, and after an edit of one Python file, which must be resolved without resolving all. Ends
with 1 if two graphs differ. The engine's file is left out: it differs from one run to the next of the same code.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from typing import Any

from corpus import django

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"plain": "0", "compiled": "required"}
COMPARED = ("columns.bin", "constants.bin", "lexical.bin")


def processor_seconds() -> float:
    """Of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment(folder: Path, kind: str) -> Path:
    """The interpreter of a new environment with a wheel of that kind."""
    wheels = folder / f"wheel-{kind}"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    before = processor_seconds()
    make = [*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run(make, check=True, env={**os.environ, "LOREGRAPH_COMPILE": KINDS[kind]})
    (wheel,) = wheels.glob("*.whl")
    print(
        f"{kind}: {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB, {processor_seconds() - before:.0f} CPU s to build"
    )
    home = folder / kind
    venv.create(home, with_pip=False)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", str(packages), str(wheel)], check=True)
    # After what is installed there, so that an editable install in this environment does not come first.
    (packages / "below.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def indexed(python: Path, repository: Path, store: Path, *options: str) -> tuple[float, dict[str, Any]]:
    """Processor seconds of an index, and its report."""
    before = processor_seconds()
    command = [str(python), "-P", "-c", "import sys; from loregraph.cli.main import process; sys.exit(process())"]
    command += ["--root", str(repository), "--store", str(store), "index", "--no-embed", "--json", *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=store.parent)
    if done.returncode:
        sys.exit(done.stderr)
    return processor_seconds() - before, json.loads(done.stdout)


def edited(repository: Path) -> None:
    """Adds a call to a function in the middle of the Python files that define one at the top."""
    defined = re.compile(r"^def (\w+)\(.*\):\n((?:    .*\n)+)", re.MULTILINE)
    found = [path for path in sorted(repository.rglob("*.py")) if defined.search(path.read_text("utf-8", "replace"))]
    path = found[len(found) // 2]
    text = path.read_text(encoding="utf-8")
    one = defined.search(text)
    assert one is not None
    path.write_text(f"{text[: one.end(2)]}    {one[1]}()\n{text[one.end(2) :]}", encoding="utf-8")
    print(f"edited: {one[1]} in {path.relative_to(repository)}")


def graph_of(store: Path) -> dict[str, str]:
    generation = max(store.glob("generation-*"), key=lambda folder: int(folder.name.partition("-")[2]))
    return {name: hashlib.sha256((generation / name).read_bytes()).hexdigest() for name in COMPARED}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a new folder for the environments, to run the tests with")
    options = parser.parse_args()
    repository = (options.repository or django()).resolve()
    same = True
    with tempfile.TemporaryDirectory(prefix="loregraph-compiled-") as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        pythons = {kind: environment(folder, kind) for kind in KINDS}
        copy = folder / "copy"
        shutil.copytree(repository, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".loregraph"))

        def run(what: str, *given: str) -> None:
            nonlocal same
            for kind, python in pythons.items():
                seconds, report = indexed(python, copy, folder / f"store-{kind}", *given)
                again = report["resolved"]
                print(
                    f"{kind:9} {what:8} {seconds:6.2f} CPU s, resolution {report['seconds']['resolve']:5.2f} s", again
                )
            graphs = [graph_of(folder / f"store-{kind}") for kind in KINDS]
            same = same and graphs[0] == graphs[1]

        for _ in range(options.rounds):
            run("full", "--full")
        for _ in range(options.rounds):
            run("nothing")
        for _ in range(options.rounds):
            edited(copy)
            run("edit")
    print("the graphs are the same" if same else "the graphs DIFFER")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
