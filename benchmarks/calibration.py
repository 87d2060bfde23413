"""How often edges are right, by what they say of themselves: `how` and confidence.

    python benchmarks/calibration.py DATA…

DATA are files of labelled edges: JSON lines as `calls_traced.py --labels` and `calibration_compiled.py --labels` write
them, or cases with ground truth
(`{"cases": [{"files": {path: text}, "edges": [[caller, callee]], …}]}`, names dotted as PyCG's are, or with the file of
each end), which are indexed here. Only edges to functions of the project count, each file's together with the others'.
`strict` and `wide` are the shares confirmed as `calls_traced.py` defines them; against ground truth there is but one
way to be right. The intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from loregraph.cli.main import main as main_command

Label = tuple[str, float, bool, bool, str]
"""The way in which an edge was found, its confidence, whether it is right by the strict and by the wide definition, and
the language ("" for the cases)."""


def labels_of(path: Path) -> Iterator[Label]:
    text = path.read_text(encoding="utf-8")
    if text.startswith('{"from"'):
        for line in text.splitlines():
            row = json.loads(line)
            yield row["how"], row["confidence"], row["strict"], row["wide"], row.get("language", "python")
        return
    data = json.loads(text)
    with tempfile.TemporaryDirectory(prefix="loregraph-benchmark-") as scratch:
        for number, case in enumerate(data["cases"]):
            yield from labels_of_case(Path(scratch) / f"case{number}", case)


def labels_of_case(root: Path, case: dict[str, Any]) -> Iterator[Label]:
    """The judged edges of one case."""
    for name, text in case["files"].items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", errors="surrogateescape")
    loregraph("--root", str(root), "index", str(root), "--no-embed", "--json")
    rows = [json.loads(line) for line in loregraph("--root", str(root), "export").splitlines()]
    functions = {row["id"] for row in rows if row["type"] == "node" and row["label"] == "Function"}
    spell, truth, known = truth_of(case)
    for row in rows:
        if row["type"] == "edge" and row["rel"] == "CALLS" and row["to"] in functions:
            pair = (spell(row["from"]), spell(row["to"]))
            if known is None or pair[1] in known:
                yield row["how"], row["confidence"], pair in truth, pair in truth, ""


def loregraph(*arguments: str) -> str:
    """The output of the command line, run in this process: there are hundreds of small cases."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main_command(args=list(arguments))
    return out.getvalue()


def truth_of(case: dict[str, Any]) -> tuple[Callable[[str], str], set[tuple[str, str]], set[str] | None]:
    """The case's spelling of ids, the right calls, and the callees that it judges (None: all)."""
    if "defs" not in case:  # [caller, its file, callee, its file, …]
        return by_file, {(f"{a}@{Path(f).name}", f"{b}@{Path(g).name}") for a, f, b, g, *_ in case["edges"]}, None
    alias = case.get("alias", {})
    truth = {(a, b) for a, b in case.get("edges_func") or case["edges_internal"]}
    known = {name for name, kind in case["defs"].items() if kind == "function"}
    if "edges_func" in case:
        known |= {b for _, b in truth}
    return lambda ident: alias.get(dotted(ident), dotted(ident)), truth, known


def by_file(ident: str) -> str:
    """`a/b.go::T.f#2` → `T.f@b.go`."""
    path, _, inner = ident.partition("::")
    return f"{inner.partition('#')[0]}@{path.rpartition('/')[2]}"


def dotted(ident: str) -> str:
    """`pkg/mod.py::A.f` → `pkg.mod.A.f`."""
    path, _, inner = ident.partition("::")
    module = path.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
    return f"{module}.{inner}" if inner else module


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (E. B. Wilson, 1927)."""
    z = 1.96
    share = right / count
    centre = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    whole = 1 + z * z / count
    return (centre - spread) / whole, (centre + spread) / whole


def table(title: str, groups: dict[str, list[Label]]) -> None:
    print(f"{title:16}{'said':>7}{'edges':>8}{'strict':>9}   {'95 %':16}{'wide':>6}   95 %")
    for name, labels in sorted(groups.items(), key=lambda group: -len(group[1])):
        said = sum(one[1] for one in labels) / len(labels)
        strict, wide = confirmed([one[2] for one in labels]), confirmed([one[3] for one in labels])
        print(f"{name:16}{said:7.3f}{len(labels):8}{strict:>25} {wide:>24}")
    print()


def confirmed(labels: list[bool]) -> str:
    """The share that is true, with its interval."""
    low, high = wilson(sum(labels), len(labels))
    return f"{sum(labels) / len(labels):.3f}   {low:.3f} to {high:.3f}"


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("data", nargs="+", type=Path)
    options = ask.parse_args()
    by_how: dict[str, list[Label]] = defaultdict(list)
    by_confidence: dict[str, list[Label]] = defaultdict(list)
    by_language: dict[str, dict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for path in options.data:
        for label in labels_of(path):
            by_how[label[0]].append(label)
            by_confidence[f"{label[1]:.2f}"].append(label)
            by_language[label[4]][label[0]].append(label)
    table("how", by_how)
    table("confidence", by_confidence)
    for language, hows in sorted(by_language.items()):
        if language:
            table(language, hows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
