"""200 generated questions have the same rows from a server, the embedded engine, and a search written here.

The questions are in forms that mean the same where a path may repeat an edge (the embedded engine) and where it may not
(servers): what is reached in one to N steps, and the least number of steps. docs/server.md lists those that differ.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from loregraph.bolt.ask import ask
from loregraph.bolt.connection import Connection
from loregraph.bolt.push import push
from loregraph.errors import UsageError
from loregraph.graph.cypher_worker import CypherWorker
from loregraph.graph.model import Graph

from .graphs import CONFIDENCES, columns, small, tangled

pytestmark = pytest.mark.integration("arcadedb_embedded")

SEED = 18
QUESTIONS = 200


class Question(NamedTuple):
    """What is reached from `start` over edges `rels` in 1…`depth` steps in `direction` ("->", "<-" or "-"), all with at
    least `confidence`, that has `label` ("" for any); with `end`, the least number of steps to it instead."""

    start: str
    rels: tuple[str, ...]
    direction: str
    depth: int
    confidence: float
    label: str
    end: str = ""

    @property
    def cypher(self) -> str:
        left, right = ("<-" if self.direction == "<-" else "-"), ("->" if self.direction == "->" else "-")
        label = f":{self.label}" if self.label else ""
        end = f"(b{label} {{id: $goal}})" if self.end else f"(b{label})"
        path = f"(a:Function {{id: $start}}){left}[:{'|'.join(self.rels)}*1..{self.depth}]{right}{end}"
        conditions = []
        if self.confidence:
            conditions.append(f"ALL(e IN relationships(p) WHERE e.confidence >= {self.confidence})")
        if not self.end and self.direction == "-":
            conditions.append("b.id <> $start")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        asked = "min(length(p)) AS steps" if self.end else "DISTINCT b.id AS id ORDER BY id"
        return f"MATCH p = {path}{where} RETURN {asked}"

    def params(self, prefix: str = "") -> dict[str, str]:
        return {"start": prefix + self.start} | ({"goal": prefix + self.end} if self.end else {})


def questions(graph: Graph, count: int) -> Iterator[Question]:
    chance = random.Random(SEED)
    functions = [node.id for node in graph.nodes if type(node).__name__ == "Function"]
    for _ in range(count):
        rels = chance.choice([("CALLS",), ("CALLS",), ("TESTS",), ("CALLS", "TESTS")])
        label = chance.choice(["Function", "Function", "Class", ""])
        start, end = chance.sample(functions, 2)
        yield Question(
            start,
            rels,
            chance.choice(["->", "<-", "-"]),
            chance.randint(1, 3),
            chance.choice((0, 0, *CONFIDENCES)) if rels == ("CALLS",) else 0,
            "Function" if chance.randrange(4) == 0 else label,
            end if chance.randrange(4) == 0 and label == "Function" else "",
        )


def searched(graph: Graph, question: Question) -> list[list[object]]:
    """The answer by a breadth-first search."""
    neighbours: dict[str, set[str]] = {}
    for edge in graph.edges:
        if edge.rel in question.rels and (not question.confidence or edge.confidence >= question.confidence):
            if question.direction in ("->", "-"):
                neighbours.setdefault(edge.source, set()).add(edge.target)
            if question.direction in ("<-", "-"):
                neighbours.setdefault(edge.target, set()).add(edge.source)
    labels = {node.id: type(node).__name__ for node in graph.nodes}
    steps: dict[str, int] = {}
    ring = {question.start}
    for step in range(1, question.depth + 1):
        ring = {each for one in ring for each in neighbours.get(one, ())}
        for each in ring:
            steps.setdefault(each, step)
    if question.end:
        return [[steps.get(question.end)]]
    if question.direction == "-":
        steps.pop(question.start, None)
    return [[one] for one in sorted(steps) if question.label in ("", labels[one])]


# Verifies REQ-SRV-005.
def test_generated_questions_have_the_same_rows_everywhere(connection: Connection, name: str, tmp_path: Path) -> None:
    graph = tangled(SEED)
    folder = tmp_path / "generation"
    push(connection, name, columns(folder, graph, engine=True))
    # A second repository with the same ids: nothing of it may be seen, nothing of it may be missing.
    push(connection, f"{name}-2", columns(tmp_path / "other", tangled(SEED + 1)))
    prefix, full = f"{name}:", 0
    with CypherWorker(folder) as embedded:
        for question in questions(graph, QUESTIONS):
            expected = searched(graph, question)
            here = embedded.run(question.cypher, question.params(), limit=1_000, timeout=30).rows
            there = ask(
                connection, question.cypher, question.params(prefix), limit=1_000, timeout=30, repositories=[name]
            ).rows
            assert here == expected, question
            assert [[one.removeprefix(prefix) if isinstance(one, str) else one] for (one,) in there] == expected, (
                question
            )
            full += expected not in ([], [[None]])
    assert full > QUESTIONS / 2  # with something to find


def test_both_repositories_answer_where_none_is_named(connection: Connection, name: str, tmp_path: Path) -> None:
    graphs = {f"{name}-{seed}": tangled(seed, functions=30) for seed in (1, 2)}
    for each, graph in graphs.items():
        push(connection, each, columns(tmp_path / each, graph))
    cypher = "MATCH (a:Function)-[:CALLS]->(b) WHERE a.name = 'f003' RETURN a.id AS a, b.id AS b ORDER BY a, b"
    found = ask(connection, cypher, {}, limit=1_000, timeout=30, repositories=list(graphs)).rows
    assert found == sorted(
        [f"{each}:{edge.source}", f"{each}:{edge.target}"]
        for each, graph in graphs.items()
        for edge in graph.edges
        if edge.rel == "CALLS" and edge.source.endswith("f003")
    )


ALIKE = (
    "RETURN 7 / 2 AS a, 7 % 3 AS b, 2 ^ 3 AS c, ceil(1.2) AS d, round(2.567, 1) AS e, abs(-1) AS f",
    "RETURN size('abc') AS a, size([1, 2]) AS b, left('abc', 2) AS c, right('abc', 2) AS d, reverse('abc') AS e",
    "RETURN 'a' + 'b' AS a, [1] + [2] AS b, range(1, 3) AS c, 'xabc' =~ 'a' AS d, 'abc' =~ 'a.*' AS e",
    "RETURN to_int64('3') AS a, to_string(1) AS b, lower('A') AS c, upper('a') AS d, ifnull(null, 1) AS e",
    "RETURN null = null AS a, 1 = 1.0 AS b, true XOR false AS c, 10000000000000 AS d, {a: 1} AS e, 0.1 + 0.2 AS f",
    "RETURN CASE WHEN 1 > 0 THEN 'a' ELSE 'b' END AS a, all(x IN [1, 2] WHERE x > 0) AS b, 'it\\'s' AS c",
    "UNWIND [3, null, 1] AS x RETURN x ORDER BY x",
    "UNWIND [3, null, 1] AS x RETURN x ORDER BY x DESC",
    "UNWIND ['b', 'A', 'a'] AS x RETURN x ORDER BY x",
    "MATCH (a:Function) RETURN a.name, count(*) AS n, avg(a.complexity) AS x, sum(a.start_line) AS y ORDER BY a.name",
    "MATCH (a:Function)-[r:CALLS]->(b) RETURN label(a) AS a, label(r) AS b, r AS c, r.lines AS d ORDER BY r.line",
    "MATCH (a:Function)-[:CALLS|CONTAINS]-(b) RETURN count(*) AS n",
    "MATCH (a:Function) WHERE a.name STARTS WITH 'f' OR a.name IN ['g'] RETURN a.docstring, a.decorators, a.name "
    "ORDER BY a.name",
    "MATCH (a:Function) WHERE NOT EXISTS { MATCH (a)-[:CALLS]->() } RETURN a.name",
    "MATCH (a:Function) RETURN a.name, COUNT { MATCH (a)-[:CALLS]->() } AS n ORDER BY a.name",
    "MATCH (a:Function) OPTIONAL MATCH (a)-[:EXTENDS]->(b) WHERE b.name = 'x' RETURN a.name, b.name ORDER BY a.name",
    "MATCH (a:Function) WITH a ORDER BY a.name DESC SKIP 1 LIMIT 2 RETURN collect(a.name) AS x",
    "MATCH (a:Function {name: 'f'}) RETURN a.name UNION MATCH (a:Function {name: 'g'}) RETURN a.name",
    "MATCH (a:Function {name: 'f'})-[:CALLS*0..1]->(b) RETURN b.name ORDER BY b.name",
    "MATCH p = (a:Function {name: 'f'})-[:CALLS*1..2]->(b) RETURN length(p) AS n, size(nodes(p)) AS m ORDER BY n",
    "MATCH (f:File)-[:CONTAINS]->(a)-[:CALLS]->(b)<-[:CONTAINS]-(f) RETURN a.name, b.name ORDER BY a.name",
    "MATCH (a:Function)-[:CALLS]->(b) MATCH (b)<-[:CALLS]-(c) RETURN a.name, c.name ORDER BY a.name",
    "MATCH (a:Function), (b:File) WHERE a.file_path = b.path RETURN a.name, b.name ORDER BY a.name",
)
"""Statements with the same rows everywhere; their ids are not among them."""

DIFFERENT = {
    "RETURN ['a', 'b'][1] AS x": (["a"], ["b"]),
    "RETURN substring('abcdef', 1, 2) AS x": (["ab"], ["bc"]),
    "RETURN round(log(100), 1) AS x": ([2.0], [4.6]),
    "MATCH (a:Function)-[:CALLS]->(b)<-[:CALLS]-(c) RETURN c.name ORDER BY c.name": (["f", "g"], []),
    "MATCH (a:Function {name: 'f'})-[:CALLS*2..2]-(b) RETURN b.name ORDER BY b.name": (["f", "h"], ["h"]),
    "MATCH (a:Function {name: 'f'}) RETURN labels(a) AS x": (["Function"], [["Function"]]),
    "MATCH (a:Memory) RETURN a.content": (["private"], []),
    "MATCH (a:Function {name: 'f'}) RETURN a.repository = null": (None, [None]),
    "MATCH (a:File) RETURN a.signature": (None, [None]),
    "MATCH (a:Function)-[r:CALLS]->(b) RETURN DISTINCT type(r) AS x": (None, ["CALLS"]),
    "RETURN split('a,b', ',')[0] AS x": (None, ["a"]),
    "RETURN [x IN [1, 2] WHERE x > 1 | x * 2] AS x": (None, [[4]]),
    "MATCH (a:Function) RETURN list_contains(a.decorators, 'x') AS x": ([False] * 3, None),
    "MATCH (a:Function {name: 'f'})-[:CALLS* SHORTEST 1..2]->(b) RETURN b.name ORDER BY b.name": (["g", "h"], None),
    "CALL show_tables() RETURN count(*) > 0": ([True], None),
}
"""Statement → its column in the embedded engine and on a server, None where it is refused."""


# Verifies REQ-SRV-005.
def test_the_differences_between_dialects_are_those_that_are_documented(
    connection: Connection, name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "generation"
    push(connection, name, columns(folder, small(), engine=True))

    def here(cypher: str) -> list[list[object]] | None:
        try:
            return embedded.run(cypher).rows
        except UsageError:
            return None

    def there(cypher: str) -> list[list[object]] | None:
        try:
            return ask(connection, cypher, {}, limit=100, timeout=30, repositories=[name]).rows
        except UsageError:
            return None

    with CypherWorker(folder) as embedded:
        for cypher in ALIKE:
            found = here(cypher)
            assert found and there(cypher) == found, cypher
        for cypher, (embedded_column, server_column) in DIFFERENT.items():
            for found, column in ((here(cypher), embedded_column), (there(cypher), server_column)):
                assert found == (None if column is None else [[value] for value in column]), cypher
