"""What it costs to publish a graph, to pull it, and to ask a fresh clone.

    python benchmarks/publishing.py [REPOSITORY] [--symbol NAME] [--edit PATH ...] [--place URL] [--no-embed] [--check]

REPOSITORY is a folder with a git repository, by default Django 5.2, downloaded once, as one commit. It is cloned to a
temporary folder and published from there to a folder, or to the place URL. Then every row is a fresh clone: pulling,
asking for the callers of a symbol, and indexing from the published commit where nothing differs and where one file
does: each of PATH in turn gets another function. Prints CPU seconds of the whole process tree and wall seconds. With
--check the graphs of the last rows are compared byte by byte with those of indexing from nothing; ends with 1 where
anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpus import django

LOREGRAPH = (sys.executable, "-m", "loregraph")
EDITS = (
    "django/contrib/humanize/templatetags/humanize.py",
    "django/contrib/admin/views/main.py",
    "django/db/models/query.py",
    "django/utils/text.py",
)
FUNCTION = "\n\ndef added_for_the_benchmark(value):\n    return str(value)\n"


def git(root: Path, *words: str) -> str:
    own = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    return subprocess.run(["git", *own, *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def run(root: Path, *words: str) -> tuple[str, float, float]:
    """(output, CPU seconds, wall seconds) of a command in `root`."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([*LOREGRAPH, *words], cwd=root, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begun
        if process.returncode:
            raise SystemExit(f"loregraph {' '.join(words)} failed")
        out.seek(0)
        return out.read().decode(), usage.ru_utime + usage.ru_stime, seconds


def arrays(root: Path) -> dict[str, str]:
    """Name → digest of the arrays of the project's graph."""
    [generation] = (root / ".loregraph").glob("generation-*")
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(generation.glob("*.bin"))}


def repository(given: Path | None, folder: Path) -> Path:
    root = folder / "repository"
    if given is not None:
        git(folder, "clone", "-q", str(given.resolve()), str(root))
        git(root, "remote", "remove", "origin")  # its clones are called by it
        return root
    subprocess.run(["cp", "-r", str(django()), str(root)], check=True)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Django")
    return root


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repository", type=Path, nargs="?")
    parser.add_argument("--symbol", default="django/utils/text.py::slugify")
    parser.add_argument("--edit", nargs="*", default=EDITS)
    parser.add_argument("--place")
    parser.add_argument("--no-embed", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    embed = ["--no-embed"] if asked.no_embed else []
    status = 0

    def show(what: str, *costs: tuple[str, float, float]) -> None:
        cpu = sum(cost[1] for cost in costs)
        print(f"{what:56} {cpu:6.2f} s CPU {sum(cost[2] for cost in costs):6.2f} s", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["LOREGRAPH_HOME"] = str(folder / "home")
        root = repository(asked.repository, folder)
        url = asked.place or str(folder / "place")

        def clone() -> Path:
            made = folder / f"clone-{len(list(folder.glob('clone-*')))}"
            git(folder, "clone", "-q", str(root), str(made))
            return made

        show("index from nothing", run(root, "index", *embed))
        published = run(root, "publish", url, "--json", *embed)
        show("publish what is indexed", published)
        print(f"{'':56} {json.loads(published[0])['bytes']:,} bytes")
        show("publish what is published", run(clone(), "publish", url, *embed))
        fresh = clone()
        pulled = run(fresh, "pull", url)
        show("pull", pulled)
        answered = run(fresh, "callers", asked.symbol, "--json")
        show("callers after it", answered)
        show("pull and callers", pulled, answered)
        show("index after a pull: nothing differs", run(fresh, "index", *embed))
        fresh = clone()
        show("index --from, callers", run(fresh, "index", "--from", url, *embed), run(fresh, "callers", asked.symbol))
        for path in asked.edit:
            fresh = clone()
            with (fresh / path).open("a", encoding="utf-8") as file:
                file.write(FUNCTION)
            git(fresh, "commit", "-q", "-a", "-m", "An edit")
            whole = run(fresh, "index", "--from", url, "--json", *embed)
            what = f"index --from, callers: {path} ({json.loads(whole[0])['resolved']:,} resolved)"
            show(what, whole, run(fresh, "callers", asked.symbol))
            if asked.check:
                plain = clone()
                (plain / path).write_bytes((fresh / path).read_bytes())
                run(plain, "index", *embed)
                if arrays(plain) != arrays(fresh):
                    print(f"{'':56} the graphs differ")
                    status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
