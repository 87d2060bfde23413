"""Whether two checkouts of loregraph make the same facts and the same graph of the same repositories.

    python benchmarks/same_graph.py OTHER_CHECKOUT REPOSITORY...

For a change that is to alter nothing: `git worktree add ../before main`, then this. Each side indexes each repository
from nothing into a store in a temporary folder, without vectors, with the environment of its checkout (`.venv`) where
it has one. Compared are the facts of every file, inflated, and the arrays of the generation (`columns.bin`,
`lexical.bin`, `constants.bin`), byte by byte. Prints a line a repository, and ends with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ARRAYS = ("columns.bin", "lexical.bin", "constants.bin")
FACTS = """
import hashlib, json, sys
from pathlib import Path
from loregraph.graph.state import with_state
import msgspec

try:
    from loregraph.indexer.build.workers import inflate_facts
except ImportError:  # a checkout from before the indexer had rooms
    from loregraph.indexer.workers import inflate_facts

def facts(state):
    return {path: msgspec.msgpack.encode(inflate_facts(blob)) for path, blob in state.blobs("facts") if blob}

found = with_state(Path(sys.argv[1]) / "state.sqlite", facts)
print(json.dumps({path: hashlib.sha256(facts).hexdigest() for path, facts in found.items()}))
"""


def side(checkout: Path, repository: Path, store: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Indexes with one checkout; (path → digest of its facts, array → its digest)."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "LOREGRAPH_CACHE": "false"}
    index = ["--root", str(repository), "--store", str(store), "index", "--full", "--no-embed"]
    own = checkout / ".venv" / "bin" / "python"
    python = str(own) if own.exists() else sys.executable
    words = [python, "-P", "-m", "loregraph", *index]
    subprocess.run(words, env=environment, cwd=checkout, check=True, stdout=subprocess.DEVNULL)
    read = [python, "-P", "-c", FACTS, str(store)]
    facts = json.loads(subprocess.run(read, env=environment, cwd=checkout, check=True, capture_output=True).stdout)
    [generation] = store.glob("generation-*")
    arrays = {name: hashlib.sha256((generation / name).read_bytes()).hexdigest() for name in ARRAYS}
    return facts, arrays


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("other", type=Path, help="a checkout of loregraph to compare this one with")
    parser.add_argument("repositories", type=Path, nargs="+")
    asked = parser.parse_args()
    status = 0
    for repository in asked.repositories:
        with tempfile.TemporaryDirectory() as folder:
            before = side(asked.other.resolve(), repository.resolve(), Path(folder) / "before")
            after = side(HERE, repository.resolve(), Path(folder) / "after")
        changed = sorted(
            path for path in before[0].keys() | after[0].keys() if before[0].get(path) != after[0].get(path)
        )
        arrays = [name for name in ARRAYS if before[1][name] != after[1][name]]
        print(
            f"{repository.name}: facts of {len(after[0]):,} files, {len(changed):,} differ"
            + (f" (first {changed[0]})" if changed else "")
            + (f"; {', '.join(arrays)} differ" if arrays else "; the arrays are the same"),
            flush=True,
        )
        status |= bool(changed or arrays)
    return status


if __name__ == "__main__":
    sys.exit(main())
