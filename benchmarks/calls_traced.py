"""CALLS edges against what a test suite really calls.

    python benchmarks/calls_traced.py REPOSITORY --python PYTHON [--package FOLDER] [--show N] [--keep FOLDER]

PYTHON (3.12 or newer) runs the repository's tests: it has pytest, what the repository depends on, and jedi. Nothing is
fetched or installed; tests that need a network may fail.

    python3.13 -m venv env && env/bin/pip install -e flask asgiref greenlet pytest==9.0.2 python-dotenv jedi
    python benchmarks/calls_traced.py flask --python env/bin/python --package src/flask

What is counted are pairs of a caller and a function of the repository. The code of a module or class body may be the
caller; a comprehension belongs to the function around it; modules and class bodies being run are no calls.

*Called directly*: the function's frame was entered from the caller's, with at most Python's C code between (a property,
an operator, `sorted(key=f)`); see `call_tracer.py`.
*Called through others*: from the caller's frame through frames of a library, or through one function of the repository
that stands within another (a decorator's wrapper).
*By name*: the caller's source calls something of the function's name, or, for a constructor, of its class's name.

Recall is the share of pairs that are a CALLS edge of the graph:
  direct            of all called directly
  direct, by name   of those called directly and by name: other tools, which go to a name's definition, find no others
  wide, by name     of those called directly or through others, and by name

Precision is the share of CALLS edges that are confirmed, once of those whose caller was executed, once of all:
  strict   called directly, or jedi names the function at a call or a property's read in the caller
  wide     strict, or called through others, or the constructor of a class that jedi names there

It is a lower bound: tests do not take every path, and jedi does not see every call. Edges to classes are counted apart:
one is confirmed as above by the class's constructor being called, or by jedi naming the class. Each figure is given for
the package (both ends in it) and for everything (tests and their helpers too), and jedi's own recall beside it.

With `--dead-code`, also which of the functions that the rule `dead-code` reports were executed.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from call_evidence import Evidence, Graph, Pair, evidence_of, graph_of

HERE = Path(__file__).resolve().parent
LOREGRAPH = (sys.executable, "-m", "loregraph")


def loregraph(root: Path, store: str, *arguments: str) -> str:
    command = [*LOREGRAPH, "--root", str(root), "--store", store, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def traced(root: Path, python: str, tests: list[str], target: Path) -> dict[str, Any]:
    """The tracer's output, from `target` if an earlier run left it there."""
    if not target.exists():
        environment = {
            **os.environ,
            "PYTHONPATH": str(HERE),
            "LOREGRAPH_TRACE_ROOT": str(root),
            "LOREGRAPH_TRACE_OUT": str(target),
        }
        command = [python, "-m", "pytest", "-q", "-p", "call_tracer", *tests]
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        print(next(iter(reversed(done.stdout.strip().splitlines())), done.stderr))
        if not target.exists():
            sys.exit(done.stdout + done.stderr)
    found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return found


def named_by_jedi(root: Path, python: str, files: list[str], target: Path) -> list[Any]:
    """jedi's targets of every call in `files`; nothing where PYTHON has no jedi."""
    if not target.exists():
        command = [python, str(HERE / "jedi_calls.py"), str(root), *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"without jedi: {done.stderr.strip().splitlines()[-1]}")
            return []
        target.write_text(done.stdout, encoding="utf-8")
    found: list[Any] = json.loads(target.read_text(encoding="utf-8"))
    return found


def share(found: Iterable[bool]) -> str:
    """How many of `found` are true."""
    each = list(found)
    return f"{sum(each) / len(each):6.3f} ({sum(each)}/{len(each)})" if each else f"{'-':>6} (0/0)"


def report(name: str, graph: Graph, evidence: Evidence, prefix: str, show: int) -> None:
    """Prints the figures of the calls with both ends under `prefix`."""

    def within(pair: Pair) -> bool:
        return pair[0].startswith(prefix) and pair[1].startswith(prefix)

    direct = {pair for pair in evidence.called if within(pair)}
    through = {pair for pair in evidence.through if within(pair) and graph.is_function(pair[1])}
    by_name = {pair for pair in direct | through if evidence.named(pair)}
    edges = [pair for pair in graph.edges if within(pair)]
    functions = [pair for pair in edges if graph.is_function(pair[1])]
    classes = [pair for pair in edges if not graph.is_function(pair[1])]
    ran = [pair for pair in functions if pair[0] in evidence.executed]
    jedi = {pair for pair in evidence.jedi if within(pair)}
    jedi |= {(s, t) for s, c in evidence.jedi for t in evidence.constructors.get(c, ()) if within((s, t))}

    print(
        f"{name}: {len(direct)} pairs called directly, {len(functions)} edges to functions, {len(classes)} to classes"
    )
    for title, pairs in (("direct", direct), ("direct, by name", direct & by_name), ("wide, by name", by_name)):
        beside = f"   jedi {share(pair in jedi for pair in pairs)}" if evidence.jedi else ""
        print(f"  recall     {title:29}{share(pair in graph.edges for pair in pairs)}{beside}")
    for title, pairs_ in (("caller was executed", ran), ("all", functions), ("to classes", classes)):
        for kind, confirms in (("strict", evidence.strict), ("wide", evidence.wide)):
            print(f"  precision  {f'{title}, {kind}':29}{share(map(confirms, pairs_))}")
    if show:
        by_how = Counter(graph.edges[pair]["how"] for pair in ran)
        wrong = Counter(graph.edges[pair]["how"] for pair in ran if not evidence.wide(pair))
        print("  unconfirmed: " + ", ".join(f"{how} {wrong[how]}/{n}" for how, n in by_how.most_common()))
        for source, target in sorted(by_name - graph.edges.keys())[:show]:
            print(f"  missed by name {source} -> {target}")
        for source, target in sorted(direct - by_name - graph.edges.keys())[:show]:
            print(f"  missed      {source} -> {target}")
        for pair in sorted(pair for pair in ran if not evidence.strict(pair))[:show]:
            row = graph.edges[pair]
            word = "wide only" if evidence.wide(pair) else "unconfirmed"
            print(f"  {word} {pair[0]}:{row['line']} -> {pair[1]} ({row['how']})")


def write_labels(graph: Graph, evidence: Evidence, target: Path) -> None:
    """The edges to functions whose caller was executed, each with how it was found and whether it was confirmed."""
    rows = [
        {"from": pair[0], "to": pair[1], "how": row["how"], "confidence": row["confidence"],
         "strict": evidence.strict(pair), "wide": evidence.wide(pair)}
        for pair, row in sorted(graph.edges.items())
        if pair[0] in evidence.executed and graph.is_function(pair[1])
    ]  # fmt: skip
    target.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def dead_code(root: Path, store: str, graph: Graph, evidence: Evidence) -> None:
    """Prints what the rule reports and which of it was executed."""
    findings = json.loads(loregraph(root, store, "check", "--rule", "dead-code", "--format", "json"))
    reported = [graph.around(finding["file_path"], finding["start_line"]) for finding in findings]
    print(f"dead code: {len(reported)} reported, executed {share(one in evidence.executed for one in reported)}")
    for one in reported:
        print(f"  {'executed' if one in evidence.executed else 'reported'} {one}")


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("repository", type=Path)
    ask.add_argument(
        "--python",
        required=True,
        type=os.path.abspath,
        help="interpreter that can run the repository's tests, with jedi",
    )
    ask.add_argument("--package", default="", help="folder of the package within the repository")
    ask.add_argument(
        "--tests", type=shlex.split, default=[], help="arguments to pytest, as one: --tests='-k \"not slow\"'"
    )
    ask.add_argument("--keep", type=Path, help="folder for the trace and for jedi's answers; used again where they are")
    ask.add_argument("--labels", type=Path, help="write the edges and whether they were confirmed, for calibration.py")
    ask.add_argument("--dead-code", action="store_true")
    ask.add_argument("--show", type=int, default=0, help="list so many misses and unconfirmed edges")
    options = ask.parse_args()
    root = Path(os.path.realpath(options.repository))
    with tempfile.TemporaryDirectory(prefix="loregraph-benchmark-") as scratch:
        keep = (options.keep or Path(scratch)).resolve()
        keep.mkdir(parents=True, exist_ok=True)
        store = f"{scratch}/store"
        loregraph(root, store, "index", str(root), "--no-embed", "--full")
        graph = graph_of(loregraph(root, store, "export"))
        trace = traced(root, options.python, options.tests, keep / "trace.json")
        ran = sorted({place[0] for place in trace["executed"]} & graph.nodes.keys())
        jedi = named_by_jedi(root, options.python, ran, keep / "jedi.json")
        evidence = evidence_of(graph, root, trace, jedi)
        print(f"{evidence.unplaced} pairs called directly are left out: the graph has no node for an end of theirs")
        if options.package:
            report(options.package, graph, evidence, f"{options.package.rstrip('/')}/", options.show)
        report("everything", graph, evidence, "", options.show)
        if options.dead_code:
            dead_code(root, store, graph, evidence)
        if options.labels is not None:
            write_labels(graph, evidence, options.labels)
    return 0


if __name__ == "__main__":
    sys.exit(main())
