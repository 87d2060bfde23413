"""What the first index of a further worktree costs, and whether it is the graph that indexing from nothing makes.

    python benchmarks/worktrees.py REPOSITORY [--behind 10 200] [--embed]

REPOSITORY is a git repository; worktrees of it are made in a temporary folder, with a cache of their own there. Rows:
the newest commit without the cache, the same filling the empty cache, a second worktree of the same commit, and for
each number a worktree so many commits behind: without the cache, and with the cache as the first one left it. Prints
CPU seconds of the whole process tree, the share of the same index without the cache, and what was reused. The arrays of
the two stores of each commit are compared byte by byte; ends with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOREGRAPH = (sys.executable, "-m", "loregraph")
ARRAYS = ("columns.bin", "lexical.bin", "constants.bin", "vectors.bin")


def index(root: Path, store: Path, cache: Path | None, *, embed: bool) -> float:
    """CPU seconds of an index into the new `store`."""
    own = {"LOREGRAPH_CACHE": "false"} if cache is None else {"LOREGRAPH_CACHE_DIR": str(cache)}
    words = [*LOREGRAPH, "--root", str(root), "--store", str(store), "index", *([] if embed else ["--no-embed"])]
    process = subprocess.Popen(words, env={**os.environ, **own}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"indexing {root} failed")
    return usage.ru_utime + usage.ru_stime


def arrays(store: Path) -> dict[str, str]:
    """Name → digest of the arrays of a store."""
    [generation] = store.glob("generation-*")
    found = (generation / name for name in ARRAYS)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found if path.exists()}


def reused(store: Path, root: Path) -> str:
    """What `doctor` says of the last index and the cache."""
    words = [*LOREGRAPH, "--root", str(root), "--store", str(store), "doctor", "--json"]
    checks = json.loads(subprocess.run(words, capture_output=True, check=False).stdout)
    said = next(check["detail"] for check in checks if check["name"] == "cache")
    return str(said.partition("the last index ")[2])


def bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--behind", type=int, nargs="*", default=[10, 200])
    parser.add_argument("--embed", action="store_true")
    asked = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = folder / "bare"
        subprocess.run(["git", "clone", "-q", "--bare", str(asked.repository), str(bare)], check=True)

        def worktree(at: str) -> Path:
            root = folder / f"tree-{len(list(folder.glob('tree-*')))}"
            subprocess.run(["git", "-C", str(bare), "worktree", "add", "-q", "--detach", str(root), at], check=True)
            return root

        def show(what: str, cpu: float, of: float, store: Path, root: Path) -> None:
            print(f"{what:32} {cpu:6.1f} s CPU {cpu / of:6.1%}  {reused(store, root)}", flush=True)

        filled = folder / "cache"
        root = worktree("HEAD")
        whole = index(root, folder / "plain", None, embed=asked.embed)
        print(f"{'without the cache':32} {whole:6.1f} s CPU")
        show("filling it", index(root, folder / "first", filled, embed=asked.embed), whole, folder / "first", root)
        print(f"{'':32} {bytes_in(filled):,} bytes in the cache")
        for behind in (0, *asked.behind):
            cache = folder / f"cache-{behind}"
            shutil.copytree(filled, cache)
            root = worktree(f"HEAD~{behind}")
            plain, seeded = folder / f"plain-{behind}", folder / f"seeded-{behind}"
            alone = index(root, plain, None, embed=asked.embed)
            what = f"{behind} commits behind" if behind else "a second worktree"
            show(what, index(root, seeded, cache, embed=asked.embed), alone, seeded, root)
            if arrays(plain) != arrays(seeded):
                print(f"{'':32} the arrays differ")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
