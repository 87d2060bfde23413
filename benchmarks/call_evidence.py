"""Evidence about a repository's calls, in the terms of its graph: shared by the benchmarks that judge CALLS edges.

Positions in the code, [file, first line, name] as written by `call_tracer.py` and `jedi_calls.py`, are mapped to ids of
nodes.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from call_sites import sites

MODULE = "<module>"
EXPRESSIONS = frozenset({"<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>"})
Pair = tuple[str, str]
"""The ids of a caller and its callee."""


@dataclass
class Graph:
    """loregraph's graph: nodes by file, edges by their ends."""

    nodes: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    edges: dict[Pair, dict[str, Any]] = field(default_factory=dict)

    def at(self, path: str, line: int, name: str) -> str | None:
        """The definition of `name` that starts at a line, or else the innermost one around it."""
        wanted = name if name != "<lambda>" else "<lambda"
        best: dict[str, Any] | None = None
        for node in self.nodes.get(path, ()):
            if not node["name"].startswith("<lambda") and node["name"] != wanted:
                continue
            if node["name"].startswith("<lambda") and wanted != "<lambda":
                continue
            if node["start_line"] == line:
                return str(node["id"])
            if node["start_line"] <= line <= node["end_line"] and (
                best is None or node["start_line"] > best["start_line"]
            ):
                best = node
        return str(best["id"]) if best is not None else None

    def around(self, path: str, line: int) -> str | None:
        """The innermost definition around a line, the file where there is none."""
        inside = [n for n in self.nodes.get(path, ()) if n["start_line"] <= line <= n["end_line"]]
        if inside:
            return str(max(inside, key=lambda n: (n["start_line"], -n["end_line"]))["id"])
        return path if path in self.nodes else None

    def place(self, place: Iterable[Any] | None) -> str | None:
        """The node at a position; None where the graph has none."""
        if place is None:
            return None
        path, line, name = place
        if name in EXPRESSIONS:
            return self.around(path, line)
        if name in (MODULE, ""):
            return path if path in self.nodes else None
        return self.at(path, line, name)

    def pairs(self, found: Iterable[Any]) -> set[Pair]:
        """Pairs of places as pairs of nodes, without those that the graph does not have."""
        placed = ((self.place(a), self.place(b)) for a, b in found)
        return {(a, b) for a, b in placed if a is not None and b is not None}

    def is_function(self, ident: str) -> bool:
        return self.labels.get(ident) == "Function"


def graph_of(export: str) -> Graph:
    """The project's own functions, classes and calls, from what `loregraph export` prints."""
    graph = Graph()
    for line in export.splitlines():
        row = json.loads(line)
        if row["type"] == "node" and row["label"] in ("Function", "Class"):
            graph.nodes.setdefault(row["file_path"], []).append(row)
            graph.labels[row["id"]] = row["label"]
        elif row["type"] == "node" and row["label"] == "File":
            graph.nodes.setdefault(row["id"], [])
        elif row["type"] == "edge" and row["rel"] == "CALLS" and not row["to"].startswith("external:"):
            graph.edges[row["from"], row["to"]] = row
    return graph


@dataclass
class Evidence:
    """The known calls of a repository."""

    called: set[Pair]
    """Called directly, functions only."""

    through: set[Pair]
    """Called through a wrapper or a library."""

    executed: set[str]
    jedi: set[Pair]
    """Functions and classes that jedi names at a call, or a property's read, in the caller."""

    constructors: dict[str, set[str]]
    """What instantiating each class runs."""

    said: dict[str, set[str]]
    """The names that each definition, or a file's top level, calls."""

    unplaced: int
    """Pairs of positions called directly for which the graph lacks an end, in existing files."""

    def named(self, pair: Pair) -> bool:
        """Whether the caller's source calls the function by its own name, or by that of a class that it constructs."""
        source, target = pair
        said = self.said.get(source, set())
        name = last_name(target)
        if name in ("__init__", "__new__"):
            return any(target in run and last_name(cls) in said for cls, run in self.constructors.items())
        return name in said

    def strict(self, pair: Pair) -> bool:
        """Called directly (a class: its constructor), or named by jedi."""
        source, target = pair
        run = self.constructors.get(target, set())
        return pair in self.called or pair in self.jedi or any((source, one) in self.called for one in run)

    def wide(self, pair: Pair) -> bool:
        """Strictly confirmed, or called through others, or the constructor of a class that jedi names."""
        source, target = pair
        if self.strict(pair) or pair in self.through:
            return True
        if any((source, one) in self.through for one in self.constructors.get(target, set())):
            return True
        return any(target in run and (source, cls) in self.jedi for cls, run in self.constructors.items())


def last_name(ident: str) -> str:
    """The name of a definition by its id, without the number of a second one."""
    return ident.rpartition("::")[2].rpartition(".")[2].partition("#")[0]


def evidence_of(graph: Graph, root: Path, trace: dict[str, Any], jedi: list[Any]) -> Evidence:
    """`trace` as `call_tracer.py` writes it, `jedi` as `jedi_calls.py` does."""
    constructors: dict[str, set[str]] = {}
    for (path, _, qualname), run in trace["constructors"]:
        target = graph.place(run)
        if target is not None and f"{path}::{qualname}" in graph.labels:
            constructors.setdefault(f"{path}::{qualname}", set()).add(target)
    # A comprehension, a module and a class body have frames, but are never called.
    calls = [(a, b) for a, b in trace["calls"] if b[2] not in EXPRESSIONS and b[2] != MODULE]
    missing = [(a, b) for a, b in calls if graph.place(a) is None or graph.place(b) is None]
    return Evidence(
        {pair for pair in graph.pairs(calls) if graph.is_function(pair[1])},
        graph.pairs(trace["through"]),
        {ident for place in trace["executed"] if (ident := graph.place(place)) is not None},
        graph.pairs(jedi),
        constructors,
        names_called(root, graph),
        sum((root / a[0]).is_file() and (root / b[0]).is_file() for a, b in missing),
    )


def names_called(root: Path, graph: Graph) -> dict[str, set[str]]:
    """The names called by every definition of every Python file."""
    found: dict[str, set[str]] = {}
    for path in graph.nodes:
        if path.endswith(".py"):
            try:
                tree = ast.parse((root / path).read_bytes())
            except SyntaxError:
                continue
            for site in sites(tree):
                ident = graph.place((path, *site.scope)) if site.called else None
                if ident is not None:
                    found.setdefault(ident, set()).add(site.name)
    return found
