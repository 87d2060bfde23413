"""Which tests are selected for real commits, against those that the commits concern.

    python benchmarks/test_selection.py [NAME…] [--pairs N] [--clones FOLDER] [--python INTERPRETER] [--json FILE]
    python benchmarks/test_selection.py --read FILE…

NAME are repositories of `selection_runs.REPOSITORIES`, all unless given; FOLDER has clones of them with their whole
history, which are fetched from GitHub otherwise. `uv` installs what each suite needs into an environment for
INTERPRETER. Environments, clones and runs are kept in the cache folder by repository and commit, so that asking again
runs no suite; a suite runs once a commit and kind of record.

A pair is a commit and its parent: the newest N (8) commits with one parent, at most 20 files and a function of the
package changed that a test runs, at both ends of which at least 95 % of the tests pass in the one environment. Of each
repository 40 commits are tried at most.

Truth are the tests, of those at the commit, that run a function which the commit changed or added, or ran, at the
parent, one that it changed or removed, and those whose result differs. Tests are functions: cases of a parametrised
test and classes that inherit it are one. Functions are those of the package and what tests share (fixtures, bases,
helpers), as `ast` has them: signature, decorators and body, without comments and docstrings; what ran is from
coverage.py with a context a test. Only bodies count, and only what ran in a test's context: what runs when a module is
loaded belongs to no test, and a fixture of a module or session to the first test that asked for it. A change of a test
itself, of a constant or a class body concerns no test unless its result differs.

Selectors:
    all, truth         the whole suite; the tests that the commit concerns, which is as few as can be selected
    imports            the test's file imports a file of the commit, at any distance (by `ast`)
    testmon            pytest-testmon, recorded at the parent
    calls backwards    CALLS backwards at any distance in the code of the commit, and the tests changed themselves
    static             `loregraph tests --since PARENT`, the code of the commit alone
    coverage           the same with the parent's run as coverage.py and JUnit's XML tell it
    observed           the same with what loregraph's pytest plugin recorded at the parent
    … --safe, --fast   these with the option

Columns: recall of all tests concerned, and the mean over pairs; the least of a pair; recall of those that reveal the
change (they pass at the commit, and fail there on the package of the parent); share of the suite's tests selected,
median and mean over pairs, and mean share of its time; `first` is the share of the suite's tests that run before the
first that reveals the change, in the order given, mean over pairs that have one (pytest's own order: row `all`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import selection_baselines
from selection_misses import Edges, Record, explained
from selection_product import Product, Row, known
from selection_runs import REPOSITORIES, Suite
from selection_truth import Change, Truth, changes, revealing

PAIRS = 8
TRIED = 40


@dataclass(frozen=True)
class Figures:
    """One selector's answer about one pair."""

    concerned: int
    found: int
    revealing: int
    revealed: int
    share: float
    time: float
    first: float | None


def figures(selected: Sequence[str], known_truth: Truth, shows: frozenset[str]) -> Figures:
    tests, chosen = known_truth.tests, {*selected}
    wanted = {*known_truth.concerned, *known_truth.changed_results}
    seconds = sum(test.seconds for test in tests.values())
    place = next((number for number, one in enumerate(selected) if one in shows), len(tests))
    return Figures(
        concerned=len(wanted),
        found=len(wanted & chosen),
        revealing=len(shows),
        revealed=len(shows & chosen),
        share=len(chosen) / len(tests),
        time=sum(tests[one].seconds for one in chosen) / (seconds or 1.0),
        first=place / len(tests) if shows else None,
    )


def others(suite: Suite, made: Change, found: Truth, edges: Edges) -> dict[str, list[str]]:
    tests = found.tests
    answers = {"all": list(tests), "truth": sorted({*found.concerned, *found.changed_results})}
    answers["imports"] = selection_baselines.imported(suite, made, tests)
    if (testmon := selection_baselines.testmon(suite, made)) is not None:
        answers["testmon"] = [one for one in testmon if one in tests]
    answers["calls backwards"] = selection_baselines.calling(edges, made, tests)
    return answers


def measure(suite: Suite, made: Change, found: Truth) -> dict[str, Any]:
    """What is printed and written of a pair: the figures by selector, and the misses."""
    shows = revealing(suite, made, found.tests)
    product = Product(suite, made)
    edges = product.edges()
    rows = product.tests()
    answers = others(suite, made, found, edges) | {name: known(each, found.tests) for name, each in rows.items()}
    record = suite.observed(made.commit)
    seen = Record(record) if record else None
    ids = {one: test.ids for one, test in found.tests.items()}
    misses: dict[str, list[dict[str, object]]] = {}
    for name, selected in answers.items():
        missed = {one: functions for one, functions in found.concerned.items() if one not in {*selected}}
        misses[name] = explained(missed, ids, seen, edges)
        misses[name] += [
            {"test": one, "functions": [], "result": True}
            for one in sorted(found.changed_results - {*selected, *found.concerned})
        ]
    return {
        "parent": made.parent,
        "commit": made.commit,
        "tests": len(found.tests),
        "concerned": len(found.concerned),
        "changed_results": sorted(found.changed_results),
        "revealing": sorted(shows),
        "changed": sorted({one.id for one in made.before | made.after}),
        "figures": {name: vars(figures(selected, found, shows)) for name, selected in answers.items()},
        "reasons": {name: reasons(each, found) for name, each in rows.items()},
        "misses": misses,
    }


def reasons(rows: Iterable[Row], found: Truth) -> dict[str, list[int]]:
    """By `how`: how many tests were selected for it, and how many of these the commit concerns."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        for one in known([row], found.tests):
            counts[row["how"]][0] += 1
            counts[row["how"]][1] += one in found.concerned
    return dict(counts)


def table(pairs: Iterable[Mapping[str, Any]]) -> list[str]:
    rows: dict[str, list[Figures]] = defaultdict(list)
    for pair in pairs:
        for name, one in pair["figures"].items():
            rows[name].append(Figures(**one))
    lines = [f"    {'':<17}  recall   mean  least  reveal   share median  mean   time   first"]
    for name, each in rows.items():
        recalls = [one.found / one.concerned for one in each]
        shown = sum(one.revealing for one in each)
        firsts = [one.first for one in each if one.first is not None]
        lines.append(
            f"    {name:<17}  {sum(one.found for one in each) / sum(one.concerned for one in each):6.3f}  "
            f"{mean(recalls):5.3f}  {min(recalls):5.3f}  "
            f"{f'{sum(one.revealed for one in each) / shown:6.3f}' if shown else '     -'}         "
            f"{median(one.share for one in each):5.3f}  {mean(one.share for one in each):5.3f}  "
            f"{mean(one.time for one in each):5.3f}  {f'{mean(firsts):6.3f}' if firsts else '     -'}"
        )
    return lines


def culprits(pairs: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    """The calls without an edge that most misses of a selector are due to."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        for miss in pair["misses"].get(name, ()):
            missing = miss.get("missing")
            if miss.get("result"):
                counts["(only its result changed)"] += 1
            elif missing is None:
                counts["(not recorded: run at the parent alone, or in another process)"] += 1
            for one in missing or ():
                counts[f"{one['kind']}: {one['caller']}:{one['line']} → {one['callee']}"] += 1
            if missing == []:
                counts["(all calls on the way have edges)"] += 1
    return [f"    {count:6} {said}" for said, count in counts.most_common(15)]


def print_result(title: str, pairs: Sequence[Mapping[str, Any]]) -> None:
    concerned, results, shows = (
        sum(count)
        for count in zip(
            *((one["concerned"], len(one["changed_results"]), len(one["revealing"])) for one in pairs), strict=True
        )
    )
    suite = round(mean(one["tests"] for one in pairs))
    print(
        f"{title}: {len(pairs)} pairs, {suite} tests, {concerned} concerned, {results} with another result, "
        f"{shows} reveal the change ({sum(bool(one['revealing']) for one in pairs)} pairs)"
    )
    print("\n".join(table(pairs)), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [one.name for one in REPOSITORIES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(names))
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--read", type=Path, nargs="+", default=[], metavar="FILE", help="print what --json wrote")
    parser.add_argument("--prepare", action="store_true", help="run the suites, and ask loregraph nothing")
    parser.add_argument("--culprits", metavar="SELECTOR", help="list the calls that its misses are due to")
    options = parser.parse_args()
    if unknown := {*options.names} - {*names}:
        parser.error(f"unknown: {' '.join(sorted(unknown))}")
    written: dict[str, Any] = {}
    for file in options.read:
        written |= json.loads(file.read_text(encoding="utf-8"))
    for repository in () if options.read else REPOSITORIES:
        if options.names and repository.name not in options.names:
            continue
        suite = Suite(repository, options.clones, options.python)
        for made, found in changes(suite, options.pairs, TRIED):
            if options.prepare:
                prepared(suite, made, found)
                continue
            row = written.setdefault(repository.name, {"tuned": repository.tuned, "pairs": []})
            row["pairs"].append(measure(suite, made, found))
            if options.json:
                options.json.write_text(json.dumps(written, indent=1), encoding="utf-8")
    for name, row in written.items():
        print_result(f"{name} ({'tuned' if row['tuned'] else 'untuned'})", row["pairs"])
        if options.culprits:
            print("\n".join(culprits(row["pairs"], options.culprits)))
    for title, tuned in (("untuned repositories", [False]), ("all repositories", [False, True])):
        some = [pair for row in written.values() if row["tuned"] in tuned for pair in row["pairs"]]
        if len(written) > 1 and some:
            print_result(title, some)
    return 0


def prepared(suite: Suite, made: Change, found: Truth) -> None:
    suite.observed(made.parent)
    suite.observed(made.commit)
    suite.testmon(made.parent, made.commit)
    shows = revealing(suite, made, found.tests)
    print(
        f"{suite.repository.name} {made.commit[:10]} {len(found.tests)} tests, {len(found.concerned)} concerned, "
        f"{len(found.changed_results)} results, {len(shows)} reveal",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
