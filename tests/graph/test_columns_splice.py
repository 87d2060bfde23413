"""Splicing a change into columns gives the bytes of writing the changed graph."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from loregraph.graph.change import GraphChange
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.columns_splice import splice_columns
from loregraph.graph.columns_writer import COLUMNS_FILE
from loregraph.graph.lexical import LEXICAL_FILE, document_terms
from loregraph.graph.lexical_writer import build_lexical, splice_lexical
from loregraph.graph.model import RELATIONSHIPS, Class, Component, Edge, External, File, Function, Graph, Node
from loregraph.graph.vector_index import VECTORS_FILE, splice_vectors, write_vectors

WORDS = ("", "a", "cart", "total", "Bäckerei", "日本", "x" * 300)


def some_node(chance: random.Random, number: int) -> Node:
    """A node with the id `number`, of the same label each time and with other contents."""
    text, path = chance.choice(WORDS), f"f{number % 5}.py"
    names = tuple(chance.choices(WORDS, k=chance.randrange(3)))
    kind = number % 5
    if kind == 0:
        status = chance.choice(("indexed", "partial"))
        return File(f"{number:03}.py", text, text, path, "python", text, chance.randrange(9), status, names)
    if kind == 1:
        return Class(f"{path}::{number:03}", text, text, "class", path, 1, 2, "python", text, decorators=names)
    if kind == 2:
        return External(f"external:{text}{number:03}", text, text, chance.choice(("", "os", "numpy")))
    if kind == 3:
        return Component(f"component:{number:03}", text, text, "package", text, "python")
    line = chance.randrange(100)
    return Function(
        f"{path}::f{number:03}", text, text, "function", path, line, line, "go", text, text, chance.random() < 0.5,
        decorators=names, parameters=names, complexity=chance.randrange(9),
    )  # fmt: skip


def some_lines(chance: random.Random) -> tuple[int, ...]:
    """None for most edges; else lines behind all first ones."""
    if chance.random() < 0.7:
        return ()
    return tuple(
        sorted(chance.sample(range(70_001, 70_300 if chance.random() < 0.9 else 1 << 20), chance.randrange(1, 5)))
    )


def some_edges(chance: random.Random, nodes: list[Node], count: int) -> dict[tuple[str, str, str], Edge]:
    edges = {}
    for _ in range(count):
        source, target = chance.choice(nodes), chance.choice(nodes)
        ends = (type(source).__name__, type(target).__name__)
        rels = [rel for rel, pairs in RELATIONSHIPS.items() if ends in pairs]
        if rels:
            rel = chance.choice(rels)
            edges[rel, source.id, target.id] = Edge(
                rel, source.id, target.id, chance.choice((0, 5, 300, 70_000)), chance.choice((1, 300)),
                chance.choice((0.5, 0.7, 1.0)), chance.choice(("", "name", "type")),
                tuple(chance.choices(WORDS, k=2)) if rel == "IMPORTS" else (),
                more_lines=some_lines(chance) if rel == "CALLS" else (),
                unseen=chance.choice((0, 0, 7, 300)) if rel == "CALLS" else 0,
            )  # fmt: skip
    return edges


def graph_of(nodes: dict[str, Node], edges: dict[tuple[str, str, str], Edge]) -> Graph:
    kept = [edge for _, edge in sorted(edges.items()) if edge.source in nodes and edge.target in nodes]
    return Graph(tuple(node for _, node in sorted(nodes.items())), tuple(kept))


def difference(old: Graph, new: Graph, columns: GraphColumns) -> GraphChange:
    was, now = {node.id: node for node in old.nodes}, {node.id: node for node in new.nodes}
    ends = {(e.rel, e.source, e.target): e for e in new.edges}
    before = {(e.rel, e.source, e.target): number for number, e in enumerate(columns.all_edges())}
    replaced = {key for key, number in before.items() if columns.edge(number) != ends.get(key)}
    return GraphChange(
        [node for node in new.nodes if was.get(node.id) != node],
        [number for number, node in enumerate(old.nodes) if node.id not in now],
        [edge for key, edge in ends.items() if key not in before or key in replaced],
        [before[key] for key in replaced],
    )


# Verifies REQ-IDX-012.
@pytest.mark.parametrize("seed", range(25))
def test_a_change_gives_the_bytes_of_the_changed_graph(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    everything = [some_node(chance, number) for number in range(chance.choice((3, 40, 120)))]
    nodes = {node.id: node for node in everything if chance.random() < 0.8}
    edges = some_edges(chance, everything, 200)
    old = graph_of(nodes, edges)
    changed = dict(nodes)
    for number, node in enumerate(everything):
        roll = chance.random()
        if roll < 0.1:
            changed.pop(node.id, None)
        elif roll < 0.2:
            again = some_node(chance, number)
            changed.setdefault(again.id, again)
            if again.id == node.id:
                changed[again.id] = again
    more = {key: edge for key, edge in edges.items() if chance.random() < 0.9}
    more |= some_edges(chance, everything, 20)
    new = graph_of(changed, more)
    for name, graph in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        write_columns(tmp_path / name, graph, strict=True)
    columns = GraphColumns.open(tmp_path / "old")
    (tmp_path / "spliced").mkdir()
    spliced = splice_columns(columns, tmp_path / "spliced", difference(old, new, columns))
    assert spliced is not None
    assert (tmp_path / "spliced" / COLUMNS_FILE).read_bytes() == (tmp_path / "new" / COLUMNS_FILE).read_bytes()
    where = {node.id: number for number, node in enumerate(new.nodes)}
    assert spliced.numbers.tolist() == [where.get(node.id, -1) for node in old.nodes]
    assert all(spliced.number(columns, node.id) == where.get(node.id) for node in everything)


F, G, C = (
    Function("a.py::f", "f", "f", "function", "a.py", 1, 2, "python"),
    Function("a.py::g", "g", "g", "function", "a.py", 3, 4, "python"),
    Class("a.py::f", "f", "f", "class", "a.py", 1, 2, "python"),
)
CALL = Edge("CALLS", F.id, G.id, 1)


@pytest.mark.parametrize(
    "change",
    [
        GraphChange([C]),
        GraphChange([F, F]),
        GraphChange([], [0]),
        GraphChange([], [1]),
        GraphChange([F], [0], [], [0]),
        GraphChange([], [], [CALL]),
        GraphChange([], [], [Edge("CALLS", F.id, "a.py::h")]),
        GraphChange([Function("a.py::\ud800", "h", "h", "function", "a.py", 1, 2, "python")]),
        GraphChange([Function("a.py::h", "h", "\ud800", "function", "a.py", 1, 2, "python")]),
    ],
    ids=["label", "twice", "source", "target", "both", "there", "missing", "id", "text"],
)
def test_what_would_break_the_columns_is_not_written(tmp_path: Path, change: GraphChange) -> None:
    write_columns(tmp_path, Graph((F, G), (CALL,)))
    (tmp_path / "spliced").mkdir()
    assert splice_columns(GraphColumns.open(tmp_path), tmp_path / "spliced", change) is None
    assert not list((tmp_path / "spliced").iterdir())


def some_terms(chance: random.Random) -> bytes:
    if chance.random() < 0.2:
        return b""
    words = " ".join(chance.choices(("cart", "price", "total", "sum", "of", "all", "items"), k=chance.randrange(1, 30)))
    return document_terms("shop/cart.py", f"Cart.{words.partition(' ')[0]}", words[:20], "", words)


@pytest.mark.parametrize("seed", [0, 3, 4, 6, 8, 10, 11, 12, 13])
def test_changed_documents_and_vectors_take_the_place_of_those_before(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    old = [some_terms(chance) for _ in range(400)]
    new: list[bytes] = []
    numbers, gone, come = [], {}, {}
    for number, blob in enumerate(old):
        roll = chance.random()
        if roll < 0.01:
            come[len(new)] = some_terms(chance)
            new.append(come[len(new)])
        if roll > 0.99:
            numbers.append(-1)
            gone[number] = blob
            continue
        numbers.append(len(new))
        if roll > 0.98:
            gone[number] = blob
            blob = come[len(new)] = some_terms(chance)
        new.append(blob)
    rows = np.random.default_rng(seed).random((len(new), 4), np.float32)
    where = np.array(numbers)
    before = np.array([0 if n < 0 else n for n in numbers])
    for name in ("old", "new", "spliced"):
        (tmp_path / name).mkdir()
    build_lexical(tmp_path / "old", old)
    build_lexical(tmp_path / "new", new)
    write_vectors(tmp_path / "old", rows[before], np.arange(len(old)))
    write_vectors(tmp_path / "new", rows, np.arange(len(new)))
    assert splice_lexical(tmp_path / "old", tmp_path / "spliced", where, len(new), gone, come)
    assert (tmp_path / "spliced" / LEXICAL_FILE).read_bytes() == (tmp_path / "new" / LEXICAL_FILE).read_bytes()
    again = where.copy()
    again[list(gone)] = -1
    nodes = np.setdiff1d(np.arange(len(new)), again)
    splice_vectors(tmp_path / "old", tmp_path / "spliced", again, rows[nodes], nodes)
    assert (tmp_path / "spliced" / VECTORS_FILE).read_bytes() == (tmp_path / "new" / VECTORS_FILE).read_bytes()


def test_an_index_whose_documents_grow_longer_on_the_whole_is_not_spliced(tmp_path: Path) -> None:
    blob, longer = (document_terms("a.py", "f", "", "", text) for text in ("one two", "one two three four five six"))
    build_lexical(tmp_path, [blob, blob, blob])
    (tmp_path / "spliced").mkdir()
    assert not splice_lexical(tmp_path, tmp_path / "spliced", np.arange(3), 3, {1: blob}, {1: longer})
    assert not list((tmp_path / "spliced").iterdir())
