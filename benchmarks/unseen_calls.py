"""How often recorded runs see the calls that the code seems to make, and what it means that they do not.

    python benchmarks/unseen_calls.py [--tuned NAME…] [--labels FILE] [--show N] FOLDER=RECORD…

FOLDER is a repository, RECORD what the pytest plugin wrote of its suite (`pytest -p loregraph.pytest_plugin
--loregraph=RECORD`). What is counted are the CALLS edges of the code whose caller ran in at least one test and whose
target the recorder could see: *seen*, or *unseen* in all tests in which the caller ran. An edge has *rivals* where
another one of its caller leads to the same name in one of its lines; it went *elsewhere* where the run saw something
else of that name being called in each of its lines.

*Seen later*: the edges that half of the tests leave unseen and the other half sees, tests being halved by the hash of
their names. It says how much of "unseen" is only a branch that no test took.

FILE has edges that were read by hand, as `unseen_read.jsonl` beside this (JSON lines {"repository", "from", "to",
"right", …}): right is a call that some use of the code can make, an override included, wrong one that none can. --show
prints N edges for reading, drawn with a fixed seed from each class.

The expected calibration error is the mean, over bands of .1 of confidence, of the distance between confidence and the
share that is right, weighted by the number of edges: a seen edge is right, an unseen one as often as those read of its
class.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from calibration import wilson

import loregraph
from loregraph.graph.imported import all_claims
from loregraph.graph.unseen import SURE, name_of
from loregraph.project import Project


class Called(NamedTuple):
    """An edge; `tests` is in how many its caller ran where it was unseen, 0 where it was seen."""

    repository: str
    source: str
    target: str
    lines: tuple[int, ...]
    how: str
    before: float
    after: float
    tests: int
    rivals: bool
    elsewhere: bool


def edges_of(project: Project) -> dict[tuple[str, str], dict[str, object]]:
    rows = map(json.loads, project.export())
    return {(row["from"], row["to"]): row for row in rows if row["type"] == "edge" and row["rel"] == "CALLS"}


def half_of(record: Path, folder: Path, half: int) -> Path:
    """The record with half of its tests."""
    part = folder / f"half{half}.jsonl"
    with record.open(encoding="utf-8") as lines, part.open("w", encoding="utf-8") as out:
        for line in lines:
            test = json.loads(line).get("test")
            if test is None or zlib.crc32(test.encode()) % 2 == half:
                out.write(line)
    return part


def measured(root: Path, record: Path) -> tuple[list[Called], list[tuple[Called, bool]]]:
    """The edges by the whole record, and those unseen in half of it with whether the other half saw them."""
    with tempfile.TemporaryDirectory(prefix="loregraph-benchmark-") as scratch:
        project = loregraph.open(root, store=Path(scratch) / "store")
        project.index(embed=False)
        static = edges_of(project)
        whole = after(project, root.name, static, record)
        held: list[tuple[Called, bool]] = []
        halves = [after(project, root.name, static, half_of(record, Path(scratch), half)) for half in (0, 1)]
        for one, other in (halves, halves[::-1]):
            seen = {(edge.source, edge.target) for edge in other if not edge.tests}
            held += [(edge, (edge.source, edge.target) in seen) for edge in one if edge.tests]
    return whole, held


def after(project: Project, name: str, static: dict[tuple[str, str], dict[str, object]], record: Path) -> list[Called]:
    """What `record` alone says of the edges."""
    project.forget_runs()
    project.import_runs([record])
    ran, watched, called = set(), set(), defaultdict(set)
    columns = project.reader().columns
    with project.store.reading_state() as state:
        for _, own in all_claims(state):
            ran |= {one.function for one in own.ran if one.tests}
            watched |= {one.function for one in own.ran if one.is_watched}
            for claim in own.claims:
                if claim.rel == "CALLS" and claim.content_hash:
                    first = int(columns.start_line[columns.find_id(claim.source)])
                    called[claim.source, claim.line + first].add(name_of(claim.target))
    targets: dict[tuple[str, int, str], set[str]] = defaultdict(set)
    for (source, target), row in static.items():
        for line in row["lines"]:
            targets[source, line, name_of(target)].add(target)
    found = []
    for (source, target), row in edges_of(project).items():
        old = static.get((source, target))
        if old is None or source not in ran or target not in watched:
            continue
        lines, called_name = tuple(old["lines"]), name_of(target)
        rivals = any(len(targets[source, line, called_name]) > 1 for line in lines)
        elsewhere = all(called_name in called[source, line] for line in lines)
        tests = row["unseen"]
        sure = old["confidence"], row["confidence"]
        found.append(Called(name, source, target, lines, old["how"], *sure, tests, rivals, elsewhere and tests > 0))
    return found


def table(title: str, edges: Iterable[Called], key: Callable[[Called], str]) -> None:
    groups: dict[str, list[Called]] = defaultdict(list)
    for edge in edges:
        groups[key(edge)].append(edge)
    print(f"{title:24}{'said':>7}{'edges':>8}{'seen':>8}{'share':>8}")
    for name, group in sorted(groups.items()):
        seen = sum(not edge.tests for edge in group)
        said = sum(edge.before for edge in group) / len(group)
        print(f"{name:24}{said:7.3f}{len(group):8}{seen:8}{seen / len(group):8.3f}")
    print()


def band(edge: Called) -> str:
    return f"{min(int(edge.before * 10), 9) / 10:.1f} and more"


def site(edge: Called) -> str:
    return "several targets" if edge.rivals else "one target"


def kind(edge: Called) -> str:
    return "elsewhere" if edge.elsewhere else "several targets" if edge.rivals else "one target"


def often(edge: Called) -> str:
    return "1 test" if edge.tests == 1 else "2 to 9 tests" if edge.tests < 10 else "10 tests and more"


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("repositories", nargs="+", metavar="FOLDER=RECORD")
    ask.add_argument("--tuned", nargs="*", default=[], help="repositories that resolution was tuned on")
    ask.add_argument("--labels", type=Path)
    ask.add_argument("--show", type=int, default=0)
    options = ask.parse_args()
    all_edges: list[Called] = []
    held: list[tuple[Called, bool]] = []
    for pair in options.repositories:
        folder, _, record = pair.partition("=")
        own, later = measured(Path(folder), Path(record))
        all_edges += own
        held += later
        print(f"{Path(folder).name}: {len(own)} edges, {sum(not one.tests for one in own)} seen", flush=True)
    for is_tuned in (False, True):
        edges = [edge for edge in all_edges if (edge.repository in options.tuned) == is_tuned]
        if not edges:
            continue
        print(f"\n== {'tuned' if is_tuned else 'untuned'}: {', '.join(sorted({edge.repository for edge in edges}))}\n")
        table("confidence", edges, band)
        table("how", edges, lambda edge: edge.how)
        table("site", edges, site)
        table("how, site", edges, lambda edge: f"{edge.how}, {site(edge)}")
        unseen = [(edge, later) for edge, later in held if (edge.repository in options.tuned) == is_tuned]
        print(f"{'unseen in half':32}{'edges':>8}{'seen later':>12}")
        groups: dict[str, list[bool]] = defaultdict(list)
        for edge, later in unseen:
            groups[f"{kind(edge)}, {often(edge)}"].append(later)
            groups[f"{edge.how}, {kind(edge)}"].append(later)
        for name, group in sorted(groups.items()):
            print(f"{name:32}{len(group):8}{sum(group) / len(group):12.3f}")
        if options.labels:
            labelled(edges, options.labels)
        if options.show:
            show([edge for edge in edges if edge.tests], options.show)
    return 0


def judged(edge: Called) -> str:
    return f"{'from' if edge.before >= SURE else 'below'} {SURE}, {kind(edge)}"


def labelled(edges: list[Called], file: Path) -> None:
    """How many of the unseen edges that were read are right, and the calibration that follows for all edges."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    said = {(row["repository"], row["from"], row["to"]): row["right"] for row in rows}
    groups: dict[str, list[bool]] = defaultdict(list)
    for edge in edges:
        right = said.get((edge.repository, edge.source, edge.target))
        if edge.tests and right is not None:
            groups[judged(edge)].append(right)
    print(f"\n{'unseen, read by hand':32}{'edges':>8}{'read':>8}{'right':>8}{'share':>8}   95 %")
    for name, group in sorted(groups.items()):
        low, high = wilson(sum(group), len(group))
        number = sum(bool(edge.tests) and judged(edge) == name for edge in edges)
        share = sum(group) / len(group)
        print(f"{name:32}{number:8}{len(group):8}{sum(group):8}{share:8.2f}   {low:.2f} to {high:.2f}")

    def right(edge: Called) -> float:
        group = groups.get(judged(edge), [True])
        return sum(group) / len(group) if edge.tests else 1.0

    for title, chosen in (("all", edges), ("unseen", [edge for edge in edges if edge.tests])):
        for name, confidence in (("before", lambda edge: edge.before), ("after", lambda edge: edge.after)):
            print(f"expected calibration error, {title}, {name}: {error(chosen, confidence, right):.3f}")


def error(edges: list[Called], confidence: Callable[[Called], float], right: Callable[[Called], float]) -> float:
    bands: dict[int, list[Called]] = defaultdict(list)
    for edge in edges:
        bands[min(int(confidence(edge) * 10 + 1e-9), 9)].append(edge)
    return sum(abs(sum(confidence(edge) - right(edge) for edge in band)) for band in bands.values()) / len(edges)


def show(unseen: list[Called], count: int) -> None:
    groups: dict[str, list[Called]] = defaultdict(list)
    for edge in unseen:
        groups[kind(edge)].append(edge)
    for name, group in sorted(groups.items()):
        print(f"\n-- {name}: {len(group)}")
        for edge in sorted(random.Random(19).sample(group, min(count, len(group)))):
            print(
                f"{edge.repository} {edge.tests} {edge.how} {edge.before} {edge.lines} {edge.source} -> {edge.target}"
            )


if __name__ == "__main__":
    sys.exit(main())
