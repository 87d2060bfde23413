"""Findings with their source, to be judged by reading; and what the judgements come to.

    python benchmarks/sample_findings.py sample CHECKOUT [--rule RULE ...] [--each 20] > findings.txt
    python benchmarks/sample_findings.py count findings.txt [MORE ...]

`sample` indexes a checkout into a store of its own outside it, takes up to `--each` findings of each rule of `check`
and as many families of `duplicates`, and prints each with its lines and a line `verdict:` to be filled in with `right`,
`wrong` or `unsure`. Findings are taken by the hash of their keys, so that a second run, or one of a later version,
shows the same ones as far as they are still found; families, as a reader meets them, from the first on. `count` prints
for each rule how many were right of those judged, with the interval that 95 of 100 such samples would keep to (Wilson
1927), unsure ones counted as wrong.
"""

# Implements REQ-CON-001.

from __future__ import annotations

import argparse
import hashlib
import math
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from loregraph.analysis.duplicates.results import Family
from loregraph.analysis.findings import Place
from loregraph.analysis.rules.runner import Checked
from loregraph.project import Project
from loregraph.terminal import visible

MOST_LINES = 30
HEADING = re.compile(r"== (\S+) ")
VERDICT = re.compile(r"verdict:\s*(\w*)")


def wilson(right: int, judged: int, z: float = 1.96) -> tuple[float, float]:
    """The bounds of a share, by the score interval."""
    share, extra = right / judged, z * z / judged
    middle = (share + extra / 2) / (1 + extra)
    reach = z * math.sqrt(share * (1 - share) / judged + extra / judged / 4) / (1 + extra)
    return middle - reach, middle + reach


def in_hash_order(found: Iterable[Checked]) -> list[Checked]:
    return sorted(found, key=lambda one: hashlib.sha256(one.finding.key.encode()).digest())


def lines_of(project: Project, place: Place, *, before: int = 3) -> Iterator[str]:
    """The numbered lines of a place, including those just above it, with the middle of a long one left out."""
    lines = project.source_lines(place.file_path)
    first, last = max(1, place.start_line - before), min(len(lines), max(place.end_line, place.start_line + 6))
    yield f"   {place.file_path}:{place.start_line}"
    for number in range(first, last + 1):
        if number == first + MOST_LINES and last > first + MOST_LINES:
            yield f"      … {last - number + 1} more lines"
            return
        yield f"   {number:5} {lines[number - 1][:200]}"


def checked_text(project: Project, number: int, one: Checked) -> Iterator[str]:
    finding = one.finding
    yield f"== {finding.rule} {number} ({finding.severity}): {finding.message}"
    yield f"   expected {one.expected}, found {one.actual}"
    yield from (f"   {line}" for line in one.evidence[:4])
    yield from lines_of(project, finding.place)
    for place in finding.related[:2]:
        yield from lines_of(project, place)


def family_text(project: Project, number: int, family: Family) -> Iterator[str]:
    likeness = f"{family.clone_type}, {family.similarity:.2f}, {family.lines} lines could go"
    yield f"== duplicates {number} ({family.role}): {len(family.members)} copies, {likeness}"
    yield f"   {family.recommendation}"
    for side in family.members[:3]:
        yield from lines_of(project, Place(side.file_path, side.start_line, side.end_line), before=0)


def sample(checkout: Path, rules: Sequence[str], each: int) -> Iterator[str]:
    """The lines of the page to be filled in. Raises what `Project` raises where the checkout cannot be indexed."""
    with tempfile.TemporaryDirectory() as store, Project(checkout, store=store) as project:
        project.index(embed=False)
        of_rule: defaultdict[str, list[Checked]] = defaultdict(list)
        for one in project.check(rules=[rule for rule in rules if rule != "duplicates"]):
            of_rule[one.finding.rule].append(one)
        families = [] if rules and "duplicates" not in rules else list(project.duplicates().findings)
        counts = {rule: len(found) for rule, found in sorted(of_rule.items())} | {"duplicates": len(families)}
        yield f"# {checkout.name}: " + ", ".join(f"{rule} {count}" for rule, count in counts.items())
        texts = [
            checked_text(project, number, one)
            for _, found in sorted(of_rule.items())
            for number, one in enumerate(in_hash_order(found)[:each], 1)
        ]
        texts += [family_text(project, number, family) for number, family in enumerate(families[:each], 1)]
        for text in texts:
            yield from map(visible, text)
            yield "   verdict:"
            yield ""


def count(pages: Iterable[Path]) -> Iterator[str]:
    """One line per rule. Missing verdicts do not count and are reported."""
    judged: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        rule = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            if heading := HEADING.match(line):
                rule = heading[1]
            elif verdict := VERDICT.match(line.strip()):
                judged[rule][verdict[1]] += 1
    for rule, verdicts in sorted(judged.items()):
        open_ones, right = verdicts.pop("", 0), verdicts["right"]
        if unknown := verdicts.keys() - {"right", "wrong", "unsure"}:
            sys.exit(f"{rule}: a verdict is right, wrong or unsure, not {', '.join(sorted(unknown))}")
        told = sum(verdicts.values())
        left = f", {open_ones} not judged" if open_ones else ""
        if told:
            low, high = wilson(right, told)
            yield f"{rule:20} {right:4} of {told:4}  {right / told:.2f} ({low:.2f} to {high:.2f}){left}"
        else:
            yield f"{rule:20} none judged{left}"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = ask.add_subparsers(dest="command", required=True)
    sampling = commands.add_parser("sample")
    sampling.add_argument("checkout", type=Path)
    sampling.add_argument("--rule", action="append", default=[], help="only this rule, or `duplicates`; repeatable")
    sampling.add_argument("--each", type=int, default=20)
    counting = commands.add_parser("count")
    counting.add_argument("page", type=Path, nargs="+")
    told = ask.parse_args()
    lines = count(told.page) if told.command == "count" else sample(told.checkout, told.rule, told.each)
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()
