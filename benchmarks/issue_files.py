"""How often a whole issue, given as a query, finds the file that its fix changed.

    python benchmarks/issue_files.py SETS.json [--titles]

`SETS.json` is a list of {"name", "dir", "issues": [{"text", "files"}]}: a checkout of before the fixes, indexed, and
the texts of issues (title, then body) with the files, tests left out, that their fixes changed. Prints, for each
checkout and by length of the text, how often one of the files is among the first 1, 5 and 10 of the search's, and for
BM25 over whole files with the same terms. No set is kept here: the texts are other people's. The constants in
`loregraph/graph/search.py` and `long_query.py` were chosen on Django, pytest, clap and Tomcat (see docs/search.md).
"""

# Verifies REQ-SRC-003.

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from bm25 import Bm25

import loregraph
from loregraph.graph.terms import terms

LENGTHS = (0, 300, 1_000, 2_500, sys.maxsize)
HITS = 50
Rank = Callable[[str], list[str]]


def bm25(root: Path, paths: Sequence[str]) -> Rank:
    """BM25 over the terms of whole files."""
    index = Bm25((root / path).read_text(encoding="utf-8", errors="replace") for path in paths)
    return lambda query: [paths[number] for number in index.rank(terms(query), HITS)]


def report(name: str, ranks: Sequence[float]) -> None:
    if ranks:
        shares = "  ".join(f"@{k} {sum(rank < k for rank in ranks) / len(ranks):.3f}" for k in (1, 5, 10))
        print(f"{name:<44} {len(ranks):>4} issues  {shares}")


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    found: dict[str, list[tuple[int, float]]] = {"search": [], "BM25": []}
    for part in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        with loregraph.open(part["dir"]) as project:
            columns = project.reader().columns
            files = [columns.path(int(node)) for node in columns.nodes("File")]

            def search(text: str, project: loregraph.Project = project) -> list[str]:
                return list(dict.fromkeys(hit.file_path for hit in project.search(text, limit=HITS)))

            for what, rank in (("search", search), ("BM25", bm25(Path(part["dir"]), files))):
                ranks = []
                for issue in part["issues"]:
                    text = issue["text"].strip()
                    order = rank(text.partition("\n")[0] if "--titles" in sys.argv else text)
                    best = min((order.index(file) for file in issue["files"] if file in order), default=math.inf)
                    ranks.append((len(text), best))
                report(f"{part['name']}, {what}", [rank for _, rank in ranks])
                found[what] += ranks
    for what, rows in found.items():
        for least, most in pairwise(LENGTHS):
            report(f"{what}, from {least} characters", [rank for length, rank in rows if least <= length < most])
        report(f"{what}, all", [rank for _, rank in rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
