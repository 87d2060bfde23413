"""Graphs to load, made of the model's records."""

from __future__ import annotations

import random
from pathlib import Path

from loregraph.graph import store
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Class, Edge, File, Function, Graph, Memory, Node

CONFIDENCES = (0.3, 0.6, 0.9, 1.0)


def small(version: str = "", *, remembered: bool = True) -> Graph:
    """Three functions in a file, with a memory of one where it is `remembered`; `version` is in every signature."""
    nodes: tuple[Node, ...] = (
        File("a.py", "a.py", "a", "a.py", "python", "0", 9, "indexed", problems=("a 'quoted' line", "another")),
        *(
            Function(f"a.py::{name}", name, f"a.{name}", "function", "a.py", line, line, "python", f"{version}{name}()")
            for line, name in enumerate("fgh", 1)
        ),
        Memory("memory:1", "1", "1", "fact", "private", ("t",), 1.0, "project", "", "me", "2026-01-01", "2026-01-01"),
    )
    edges = (
        Edge("ABOUT", "memory:1", "a.py::f"),
        Edge("CALLS", "a.py::f", "a.py::g", line=1, count=2, confidence=0.9, how="import", more_lines=(2,)),
        Edge("CALLS", "a.py::g", "a.py::h", line=2, confidence=0.5, how="candidate"),
        *(Edge("CONTAINS", "a.py", f"a.py::{name}") for name in "fgh"),
    )
    return Graph(nodes, edges) if remembered else Graph(nodes[:-1], edges[1:])


def tangled(seed: int, functions: int = 120, classes: int = 15) -> Graph:
    """Functions and classes that call each other at random: cycles, calls of oneself, hubs, and some that nobody
    calls."""
    chance = random.Random(seed)
    callables = [f"p/m{i % 7}.py::f{i:03}" for i in range(functions)]
    types = [f"p/m{i % 7}.py::C{i:02}" for i in range(classes)]
    nodes: list[Node] = [
        Function(
            id, id[-4:], id.replace("::", "."), "function", id[:7], 1, 2, "python", is_test=not chance.randrange(4)
        )
        for id in callables
    ]
    nodes += [Class(one, one[-3:], one.replace("::", "."), "class", one[:7], 1, 2, "python") for one in types]
    hubs = chance.sample(callables, 3)
    edges = {}
    for source in callables[: functions - 10]:
        targets = chance.sample(callables, chance.randrange(1, 5)) + chance.sample(types, chance.randrange(2))
        for target in {*targets, *chance.sample(hubs, chance.randrange(2))}:
            edges["CALLS", source, target] = Edge(
                "CALLS", source, target, line=1, confidence=chance.choice(CONFIDENCES), how="import"
            )
        if not chance.randrange(3):
            target = chance.choice(callables)
            edges["TESTS", source, target] = Edge("TESTS", source, target, how="calls")
    for source, target in zip(types[1:], types, strict=False):
        edges["EXTENDS", source, target] = Edge("EXTENDS", source, target, line=1)
    return Graph(
        tuple(sorted(nodes, key=lambda node: node.id)),
        tuple(sorted(edges.values(), key=lambda edge: (edge.rel, edge.source, edge.target))),
    )


def columns(folder: Path, graph: Graph, *, engine: bool = False) -> GraphColumns:
    folder.mkdir(parents=True, exist_ok=True)
    store.write_generation(folder, graph, strict=True, engine=engine)
    return GraphColumns.open(folder)
