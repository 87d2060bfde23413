"""Whether the call graph depends on an order: of files, of the work that waits, or of paths.

    python benchmarks/order.py FOLDER [--seeds N] [--rename NAME[=NEW] …] [--reread] [--instances K] [--plain K]
                               [--callables K] [--examples N]

FOLDER is a checkout; nothing is written to it. Its facts are extracted once, in this process, and resolved with
everything sorted. Then: with files, queue and effects shuffled by each of N seeds (3); and with each top folder that
holds code renamed, or only NAME. The new name is `z/NAME`, which sorts last and keeps what rules may read of a folder
(`src`, `tests`, the end of a module's path). The layout's answers stay as they were, under the new names, so that what
differs comes of resolution alone; with `--reread` the project is copied, renamed, and its layout read again: what may
differ then, too, are conventions that know a folder by where it lies. Exits with 1 where an edge differs.

`lost` are edges that only the sorted run has, `new` those that it does not have; `changed` have the same ends and
relation, but another line, count or reason. The last column is the processor time of that resolution, in seconds.
"""

# Verifies REQ-IDX-015.

from __future__ import annotations

import argparse
import dataclasses
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from loregraph.graph.model import Edge
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve import Limits, resolve
from loregraph.indexer.resolve.layout import Layout

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "indexer" / "resolution"))

from renaming import Found, RenamedLayout, Renaming, facts_of, found_by, last, layout_of, sources_in  # noqa: E402

COLUMNS = "{:34} {:>7} {:>7} {:>8} {:>8}"


class Comparison:
    """Prints what differs from the sorted run, and remembers whether anything did."""

    def __init__(self, expected: Found, examples: int) -> None:
        self.edges, self.externals = expected
        self.examples = examples
        self.differs = False

    def compare(self, name: str, found: Found, seconds: float) -> None:
        edges, externals = found
        lost = {key: edge for key, edge in self.edges.items() if key not in edges}
        new = {key: edge for key, edge in edges.items() if key not in self.edges}
        changed = {key: edge for key, edge in edges.items() if key in self.edges and edge != self.edges[key]}
        self._row(name, len(lost), len(new), len(changed), seconds)
        counts = [Counter(rel for rel, _, _ in held) for held in (lost, new, changed)]
        for relation in sorted({rel for count in counts for rel in count}):
            print(COLUMNS.format(f"  {relation}", *(count[relation] for count in counts), ""))
        symbols = {name for name, one in self.externals.items() if externals.get(name) != one}
        symbols |= externals.keys() - self.externals.keys()
        if symbols:
            print(COLUMNS.format("  external symbols", "", "", len(symbols), ""))
        self.differs = self.differs or bool(lost or new or changed or symbols)
        left = self.examples
        for sign, held in (("-", lost), ("+", new), ("~", changed)):
            for key in sorted(held)[: max(left, 0)]:
                rel, source, target = key
                before = f", was {_told(self.edges[key])}" if sign == "~" else ""
                print(f"    {sign} {rel} {source} → {target} ({_told(held[key])}{before})")
            left -= len(held)
        for name in sorted(symbols)[: max(left, 0)]:
            one, other = self.externals.get(name), externals.get(name)
            if one is not None and other is not None:  # else an edge to it differs
                print(f"    ~ {name}, package {other.package}, was {one.package}")

    def _row(self, name: str, lost: int, new: int, changed: int, seconds: float) -> None:
        print(COLUMNS.format(name, lost, new, changed, f"{seconds:.2f}"), flush=True)


def _told(edge: Edge) -> str:
    return (
        f"line {getattr(edge, 'line', 0)}, {getattr(edge, 'count', 0)} times, {getattr(edge, 'how', '') or 'no reason'}"
    )


def timed(
    facts: Mapping[str, FileFacts],
    layout: Layout,
    limits: Limits,
    order: random.Random | None = None,
    renaming: Renaming | None = None,
) -> tuple[Found, float]:
    """The result of a resolution, under the old names where a folder was renamed, and its processor seconds."""
    started = time.process_time()
    resolution = resolve(facts, layout, limits=limits, order=order)
    return found_by(resolution, renaming), time.process_time() - started


def top_folders(facts: dict[str, FileFacts]) -> list[str]:
    """The top folders with code, sorted."""
    return sorted({path.partition("/")[0] for path in facts if "/" in path})


def reread(root: Path, renaming: Renaming) -> tuple[dict[str, FileFacts], Layout]:
    """Facts and layout of a copy of the project with the folder under its new name."""
    with tempfile.TemporaryDirectory(prefix="loregraph-benchmark-") as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".loregraph"))
        (copy / renaming.new).parent.mkdir(parents=True, exist_ok=True)
        (copy / renaming.old).rename(copy / renaming.new)
        sources, paths = sources_in(copy)
        facts = facts_of(sources)
        return facts, layout_of(copy, paths, facts)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument(
        "--rename", action="append", metavar="NAME[=NEW]", help="a top folder; each where none is named"
    )
    parser.add_argument("--reread", action="store_true", help="read the layout again after a renaming")
    parser.add_argument("--examples", type=int, default=20, metavar="N", help="differing edges to print a run")
    names = [field.name for field in dataclasses.fields(Limits)]
    for name in names:
        parser.add_argument(f"--{name}", type=int, default=getattr(Limits(), name), metavar="K")
    options = parser.parse_args()
    limits = Limits(**{name: getattr(options, name) for name in names})

    sources, paths = sources_in(options.folder)
    facts = facts_of(sources)
    layout = layout_of(options.folder, paths, facts)
    expected, seconds = timed(facts, layout, limits)
    print(f"{len(facts):,} files, {len(expected[0]):,} edges, {seconds:.2f} CPU s sorted, {limits}")
    print(COLUMNS.format("", "lost", "new", "changed", "CPU s"))
    comparison = Comparison(expected, options.examples)
    comparison.compare("sorted, again", *timed(facts, layout, limits))
    for seed in range(options.seeds):
        comparison.compare(f"shuffled by {seed}", *timed(facts, layout, limits, random.Random(seed)))
    for name in options.rename or top_folders(facts):
        old, _, new = name.partition("=")
        renaming = Renaming(old, new or last(old), paths)
        if options.reread:
            own, their = reread(options.folder, renaming)
        else:
            own = {path: held for path, held in facts.items() if renaming.there(path) == path}
            own |= facts_of(renaming.sources({path: held for path, held in sources.items() if path not in own}))
            their = RenamedLayout(layout, renaming)
        comparison.compare(f"{old} → {renaming.new}", *timed(own, their, limits, renaming=renaming))
    return int(comparison.differs)


if __name__ == "__main__":
    sys.exit(main())
