"""Edges against what a language's own compiler says of the calls they stand for: labels for `calibration.py`.

    loregraph --root ROOT export > graph.jsonl
    … > calls.jsonl          (a program of `compilers/`, which says itself how it is run)
    python benchmarks/calibration_compiled.py graph.jsonl calls.jsonl --language typescript [--labels FILE] [--show N]

An edge to something of the project is *right* where the compiler names, at a call in the caller, the callee, the class
that it constructs, or a member that the callee overrides or implements. It is *wrong* where the compiler knows every
call of the callee's name on the edge's line, and none of them is that. Of all others, calls that nobody wrote and
functions that travel as values, the compiler says nothing: they are counted apart and have to be read.

A program of `compilers/` prints a row for each call, `{"file", "line", "start", "name", "kind", "to": [[file, line]]}`:
`line` of the callee's name, `start` of the expression, `kind` one of resolved, member (of an interface), value (a
function that is held), external and unknown. And a row for each member that stands in place of another,
`{"override": [file, line], "of": [file, line]}`, and `{"checked": file}` for each file: one that is not of the build
that was checked has no edges here.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Place = tuple[str, int]
RIGHT, OVERLOAD, WRONG, SILENT = "right", "overload", "wrong", "silent"


class Graph:
    """The nodes of an export by position, and its CALLS edges within the project."""

    def __init__(self, path: Path) -> None:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self.nodes = {row["id"]: row for row in rows if row["type"] == "node"}
        self.edges = [
            row
            for row in rows
            if row["type"] == "edge" and row["rel"] == "CALLS" and not row["to"].startswith("external:")
        ]
        self._scopes: dict[str, list[Row]] = defaultdict(list)
        for row in self.nodes.values():
            if row["label"] in ("Function", "Class"):
                self._scopes[row["file_path"]].append(row)
        self._groups: dict[str, list[str]] = defaultdict(list)
        for ident in self.nodes:
            self._groups[ident.partition("#")[0]].append(ident)
        self._around: dict[Place, list[str]] = {}

    def around(self, place: Place) -> list[str]:
        """Ids of the definitions around a line, innermost first, and last the file."""
        found = self._around.get(place)
        if found is None:
            file, line = place
            scopes = [row for row in self._scopes[file] if row["start_line"] <= line <= row["end_line"]]
            scopes.sort(key=lambda row: (row["end_line"] - row["start_line"], -row["start_line"]))
            found = self._around[place] = [*(row["id"] for row in scopes), file]
        return found

    def file_of(self, ident: str) -> str:
        return ident.partition("::")[0]

    def overloads(self, node: Row) -> list[str]:
        """Ids of the definitions with the same name in the same scope."""
        return self._groups[node["id"].partition("#")[0]]

    def holds(self, caller: Row, place: Place) -> bool:
        """Whether a call on a line may belong to the caller: if two functions share the line, it may belong to
        either."""
        around = self.around(place)
        if caller["id"] not in around:
            return False
        return around[0] == caller["id"] or self.nodes[around[0]]["start_line"] == place[1]


class Compiler:
    """The compiler's output: the calls of each file, and what each declaration overrides."""

    def __init__(self, path: Path) -> None:
        self.calls: dict[str, list[Row]] = defaultdict(list)
        self.checked: set[str] = set()
        self._above: dict[Place, set[Place]] = defaultdict(set)
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "override" in row:
                self._above[place_of(row["override"])].add(place_of(row["of"]))
            elif "checked" in row:
                self.checked.add(row["checked"])
            else:
                self.calls[row["file"]].append(row)

    def above(self, place: Place) -> set[Place]:
        """A declaration and all that it overrides."""
        seen, todo = {place}, [place]
        while todo:
            for one in self._above.get(todo.pop(), ()):
                if one not in seen:
                    seen.add(one)
                    todo.append(one)
        return seen


def place_of(pair: list[Any]) -> Place:
    return pair[0], pair[1]


def verdict(graph: Graph, compiler: Compiler, edge: Row) -> str:
    """The compiler's judgement of an edge."""
    callee = graph.nodes[edge["to"]]
    caller = graph.nodes[edge["from"]]
    file = graph.file_of(caller["id"])
    inside = [row for row in compiler.calls[file] if graph.holds(caller, (file, row["line"]))]
    wanted = {place for line in heads(callee) for place in compiler.above((callee["file_path"], line))}
    for row in inside:
        for place in map(place_of, row.get("to", ())):
            if place in wanted or constructs(graph, place, callee):
                return RIGHT
    group = {
        place
        for ident in graph.overloads(callee)
        for line in heads(graph.nodes[ident])
        for place in compiler.above((callee["file_path"], line))
    }
    if any(place in group for row in inside for place in map(place_of, row.get("to", ()))):
        return OVERLOAD
    there = [row for row in inside if edge["line"] in (row["line"], row["start"])]
    if edge["how"] in FUNCTIONS:
        return WRONG if there and all(row["kind"] in ("resolved", "external") for row in there) else SILENT
    named = [row for row in there if row["name"].rpartition(".")[2] in names_of(callee)]
    known = ("resolved", "external") if edge["how"] == "inferred-type" else ("resolved", "external", "member")
    return WRONG if named and all(row["kind"] in known for row in named) else SILENT


FUNCTIONS = ("value", "candidate", "computed-name")
"""Kinds of callees that are called under any name."""


def heads(node: Row) -> range:
    """The lines on which a declaration's name may be: decorators and comments may precede it."""
    return range(node["start_line"], min(node["start_line"] + 12, node["end_line"]) + 1)


def names_of(callee: Row) -> set[str]:
    """The names by which it may be called."""
    owner = callee["id"].rpartition("::")[2].split(".")
    return {callee["name"], *owner[-2:-1], "super", "this"} if is_constructor(callee) else {callee["name"]}


def is_constructor(node: Row) -> bool:
    """By its name, which is often its class's."""
    owner = node["id"].rpartition("::")[2].partition("#")[0].split(".")[-2:-1]
    return node["name"] == "constructor" or owner == [node["name"]]


def constructs(graph: Graph, place: Place, callee: Row) -> bool:
    """Whether the place is the class's constructor and the callee the class, or vice versa."""
    ends = graph.around(place)[:2]
    if callee["label"] == "Class":
        return callee["id"] in ends[1:] and is_constructor(graph.nodes[ends[0]])
    return is_constructor(callee) and callee["id"].rpartition(".")[0] == ends[0]


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("graph", type=Path)
    ask.add_argument("calls", type=Path)
    ask.add_argument("--language", required=True)
    ask.add_argument("--labels", type=Path, help="JSON lines for calibration.py, of the edges that were judged")
    ask.add_argument("--verdicts", type=Path, help="JSON lines of all edges, with what the compiler says")
    options = ask.parse_args()
    graph, compiler = Graph(options.graph), Compiler(options.calls)
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    judged: list[Row] = []
    rows: list[Row] = []
    for edge in graph.edges:
        file = graph.file_of(edge["from"])
        if file not in compiler.checked or graph.file_of(edge["to"]) not in compiler.checked:
            continue
        said = verdict(graph, compiler, edge)
        counts[edge["how"]][said] += 1
        rows.append({**edge, "verdict": said})
        if said != SILENT:
            judged.append(
                {"from": edge["from"], "to": edge["to"], "how": edge["how"], "confidence": edge["confidence"],
                 "language": options.language, "strict": said == RIGHT, "wide": said in (RIGHT, OVERLOAD)}
            )  # fmt: skip
    print(f"{'how':16}{'right':>8}{'overload':>10}{'wrong':>8}{'strict':>8}{'wide':>8}{'silent':>8}")
    for how, found in sorted(counts.items(), key=lambda item: -sum(item[1].values())):
        known = found[RIGHT] + found[OVERLOAD] + found[WRONG]
        strict, wide = found[RIGHT], found[RIGHT] + found[OVERLOAD]
        shares = [f"{right / known:.3f}" if known else "-" for right in (strict, wide)]
        print(f"{how:16}{strict:8}{found[OVERLOAD]:10}{found[WRONG]:8}{shares[0]:>8}{shares[1]:>8}{found[SILENT]:8}")
    for target, lines in ((options.labels, judged), (options.verdicts, rows)):
        if target:
            target.write_text("".join(f"{json.dumps(row)}\n" for row in lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
