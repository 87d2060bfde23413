"""Cypher through the server: reads pass, everything else does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Asker

HOSTILE = [
    "CREATE (f:File {id: 'x'})",
    "MATCH (n) DETACH DELETE n",
    "MATCH (f:File) SET f.name = 'x'",
    "MERGE (f:File {id: 'x'}) RETURN f",
    "MATCH (f:File) REMOVE f.name",
    "DROP TABLE File",
    "ALTER TABLE File ADD x STRING",
    "LOAD FROM '/etc/passwd' RETURN *",
    "LOAD WITH HEADERS (a STRING) FROM '/etc/passwd' RETURN a",
    "COPY File FROM '/tmp/x.csv'",
    "COPY (MATCH (f:File) RETURN f.id) TO '{out}'",
    "EXPORT DATABASE '{out}'",
    "IMPORT DATABASE '{out}'",
    "ATTACH '{out}' AS x (dbtype kuzu)",
    "INSTALL httpfs",
    "LOAD EXTENSION '{out}.so'",
    "CALL timeout=0",
    "CALL threads=64 RETURN 1",
    "CHECKPOINT",
    "BEGIN TRANSACTION",
    "RETURN 1; DROP TABLE File",
    "/* read */ LOAD /* */ FROM '/etc/passwd' RETURN *",
    "MATCH (n) // comment\n DELETE n",
    "mAtCh (n) dElEtE n",
    "MATCH (n) /* ' */ DELETE n /* ' */ RETURN n",
    "EXPLAIN COPY (RETURN 1) TO '{out}'",
    "PROFILE MATCH (n) DELETE n",
    "CREATE MACRO f() AS 1",
    "MATCH (n) RETURN n UNION LOAD FROM '/etc/passwd' RETURN *",
]
HARMLESS = [
    ("MATCH (f:Function) WHERE f.name <> 'delete' RETURN count(*)", {}),
    ("MATCH (f:Function) RETURN f.start_line AS offset ORDER BY offset LIMIT 1", {}),
    ("MATCH (f:Function) RETURN f.name AS created LIMIT 1", {}),
    ('RETURN "DROP TABLE File; COPY x TO y" AS text', {}),
    ("// delete everything\nMATCH (f:File) RETURN f.id LIMIT 1", {}),
    ("MATCH (f:Function) WHERE f.docstring CONTAINS 'less' RETURN f.id AS set_id", {}),
    ("UNWIND [1, 2, 3] AS x RETURN x SKIP 1 LIMIT 1", {}),
    ("MATCH (a:Function)-[:CALLS*1..3]->(b:Function) RETURN DISTINCT b.id", {}),
    ("MATCH (f:Function {name: $delete}) RETURN f.id", {"delete": "total"}),
    ("MATCH (f:Function) RETURN f.`name` AS `load from`", {}),
]


@pytest.mark.parametrize("cypher", HOSTILE)
def test_what_is_no_read_is_refused(ask: Asker, tmp_path: Path, cypher: str) -> None:
    out = tmp_path / "out"
    answer = ask("graph_query", cypher=cypher.replace("{out}", str(out)))
    assert answer.code == "VALIDATION_ERROR"
    assert "root:" not in answer.text
    assert not out.exists()


@pytest.mark.parametrize(("cypher", "params"), HARMLESS)
def test_harmless_words_pass(ask: Asker, cypher: str, params: dict[str, str]) -> None:
    assert ask.ok("graph_query", cypher=cypher, params=params)["rows"]


def test_the_graph_is_as_it_was(ask: Asker) -> None:
    count = "MATCH (n) RETURN count(n)"
    before = ask.ok("graph_query", cypher=count)["rows"]
    for cypher in HOSTILE[:6]:
        ask("graph_query", cypher=cypher)
    assert ask.ok("graph_query", cypher=count)["rows"] == before


@pytest.mark.parametrize(
    "cypher",
    [
        "UNWIND range(1, 100000000) AS x RETURN x",
        "RETURN range(1, 100000000)",
        "UNWIND range(1, 30000) AS a UNWIND range(1, 30000) AS b WITH a, b WHERE a = b + 0.5 RETURN a, b",
    ],
)
def test_a_query_that_asks_for_too_much_costs_only_itself(ask: Asker, cypher: str) -> None:
    answer = ask("graph_query", cypher=cypher, timeout_ms=500)
    assert answer.is_error is False or answer.code == "LIMIT_EXCEEDED"
    if not answer.is_error:
        assert answer.body["truncated"] is True
    assert ask.ok("graph_query", cypher="RETURN 1 AS one")["rows"] == [[1]]


def test_unbounded_paths_are_bounded(ask: Asker) -> None:
    answer = ask("graph_query", cypher="MATCH (a:Function)-[*]->(b) RETURN count(*)", timeout_ms=5000)
    assert not answer.is_error
    assert (answer.body["rows"], answer.body["truncated"]) == ([[41]], False)
