from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.errors import QueryRefusedError
from loregraph.graph.cypher import MAX_DEPTH, MAX_LENGTH, check_read_only

REFUSED = r"""
CREATE (n:Function {id: 'x'})
create (n)
CrEaTe (n)
MATCH (n) DELETE n
MATCH (n) DETACH DELETE n
MATCH (n)DELETE n
MATCH (n) SET n.id = 'x'
MATCH (n) SET n = {id: 1}
MATCH (n) REMOVE n.id
MATCH (n) MERGE (m)
MERGE (n:File {id: 'x'}) ON CREATE SET n.name = 'y'
MATCH (n) WITH n CREATE (m)
MATCH (n) WITH * CREATE (m)
MATCH (n) WITH * SET n.id = 'x'
MATCH (n) WITH * DETACH DELETE n
MATCH (n) WITH * DELETE n
MATCH (n) RETURN * DELETE n
MATCH (n) RETURN count(*) DELETE n
MATCH (n) WHERE n.id = 'x' DELETE n
MATCH (n) WHERE n.id = 'x' DETACH DELETE n RETURN 1
MATCH (n) RETURN n LIMIT 1 DELETE n
MATCH (n) RETURN n ORDER BY n.id DESC DELETE n
MATCH (n) UNWIND [1] AS x DELETE n
MATCH (n)-[r]->(m) DELETE r
MATCH (n) FOREACH (x IN [1] | SET n.id = 'y')
UNWIND [1] AS x CREATE (n {id: x})
LOAD FROM '/etc/passwd' RETURN *
LOAD WITH HEADERS (a STRING) FROM 'x.csv' RETURN a
LOAD CSV FROM 'x' AS row RETURN row
load/**/from/**/'/etc/passwd'/**/return/**/*
WITH 1 AS x LOAD FROM 'a.csv' RETURN *
MATCH (n) LOAD FROM 'a.csv' RETURN *
RETURN 1 UNION LOAD FROM 'a.csv' RETURN *
RETURN 1 UNION ALL LOAD FROM 'a.csv' RETURN *
LOAD EXTENSION '/tmp/evil.so'
LOAD httpfs
INSTALL httpfs
FORCE INSTALL httpfs
UPDATE httpfs
UNINSTALL httpfs
COPY Function FROM 'x.csv'
COPY (MATCH (n) RETURN n) TO '/tmp/out.csv'
COPY Function FROM (MATCH (n) RETURN n)
EXPORT DATABASE '/tmp/out'
IMPORT DATABASE '/tmp/in'
ATTACH '/tmp/other.kuzu' AS other
DETACH other
USE other
USE other MATCH (n) RETURN n
CHECKPOINT
BEGIN TRANSACTION
BEGIN TRANSACTION READ ONLY
COMMIT
ROLLBACK
DROP TABLE Function
DROP TABLE IF EXISTS Function
ALTER TABLE Function DROP docstring
COMMENT ON TABLE Function IS 'x'
CREATE NODE TABLE X (id STRING, PRIMARY KEY (id))
CREATE REL TABLE X (FROM File TO File)
CREATE MACRO f(x) AS x + 1
CREATE SEQUENCE s
CREATE TYPE t AS STRING
EXPLAIN MATCH (n) RETURN n
PROFILE MATCH (n) RETURN n
EXPLAIN CREATE (n)
CALL timeout=0
CALL threads = 100
CALL /* x */ timeout = 0
CALL `timeout` = 0
CALL checkpoint_threshold=0
CALL clear_warnings()
CALL project_graph('G', ['Function'], ['CALLS'])
CALL drop_projected_graph('G')
CALL create_fts_index('Function', 'i', ['name'])
CALL drop_fts_index('Function', 'i')
CALL create_vector_index('Function', 'i', 'v')
CALL read_csv_serial('/etc/passwd') RETURN *
CALL read_parquet('/etc/passwd') RETURN *
CALL json_scan('/etc/passwd') RETURN *
CALL file_info('/etc/passwd') RETURN *
CALL `file_info`('/etc/passwd') RETURN *
CALL show_tables
CALL show_tables() RETURN * DELETE x
MATCH (n) CALL read_npy('x') RETURN *
MATCH (n) CALL timeout = 0
CALL { MATCH (n) DELETE n }
CALL { MATCH (n) RETURN n } RETURN 1
MATCH (n) RETURN n; MATCH (n) DELETE n
MATCH (n) RETURN n;
;
RETURN 1;CHECKPOINT
RETURN nextval('s')
RETURN `nextval`('s')
RETURN currval('s')
RETURN NextVal ('s')
RETURN nextval/**/('s')
RETURN copy_json('x')
RETURN 1 AS CREATE (n)
RETURN 1 AS x, CREATE (n)
RETURN CREATE (n)
RETURN n.CREATE (m)
MATCH (n:CREATE (m)) RETURN n
RETURN {a: 1 CREATE}
RETURN [1, 2 DELETE]
RETURN (1 MATCH (n) RETURN n)
MATCH (n) WHERE EXISTS { CREATE (m) } RETURN n
MATCH (n) WHERE EXISTS { MATCH (m) DELETE m } RETURN n
MATCH (n) WHERE EXISTS { LOAD FROM 'x' RETURN * } RETURN n
RETURN COUNT { MATCH (m) SET m.id = 'x' }
RETURN EXISTS { CALL timeout=0 }
MATCH (n) /* harmless */ DELETE n
MATCH (n) // harmless⏎DELETE n
MATCH (n) RETURN 'a' /* ' */ DELETE n
MATCH (n) RETURN "a" // "⏎DELETE n
MATCH (n) RETURN '\\' DELETE n
MATCH (n) RETURN 'a''b' DELETE n
MATCH (n) RETURN `a` DELETE n
MATCH (n) RETURN n.`a``b` DELETE n
MATCH (n) RETURN $p DELETE n
MATCH (n) RETURN 1.0 DELETE n
MATCH (n) RETURN null DELETE n
MATCH (n) RETURN CASE WHEN true THEN 1 END DELETE n
MATCH (n) WHERE n.id IS NULL DELETE n
MATCH (n) WHERE n.id IS NOT NULL DELETE n
MATCH (n) WHERE n.id STARTS WITH 'x' DELETE n
MATCH (n) OPTIONAL DELETE n
MATCH (n) OPTIONAL CREATE (m)
MATCH (n) RETURN n UNION
MATCH (n) RETURN n UNION CREATE (m)
MATCH (n) RETURN n ORDER n.id
MATCH (n) ON CREATE SET n.id = 1
MATCH (n) USING INDEX x RETURN n
MATCH (n) HINT (n JOIN m) RETURN n
(MATCH (n) RETURN n)
'CREATE (n)'
1
$query
/* nothing */
// nothing
MATCH (n RETURN n
MATCH (n)) RETURN n
MATCH (n] RETURN n
RETURN {a: 1]
RETURN 'open
RETURN "open
RETURN `open
RETURN 1 /* open
RETURN 1 /* open DELETE n
RETURN '\q'
RETURN '\'
RETURN \u0043REATE
RETURN 1 \
ＣＲＥＡＴＥ (n)
MATCH (n) ＤＥＬＥＴＥ n
MATCH (n) ſET n.id = 1
MATCH (n) RETURN 1#2
MATCH (n) RETURN 1 \ 2
RETURN type(r)
RETURN apoc.load.json('file:///etc/passwd')
RETURN sleep(10)
RETURN read_csv('/etc/passwd')
"""

ALLOWED = r"""
MATCH (n) RETURN n
match (n) return n
MATCH (f:Function) RETURN f.id AS id, f.name ORDER BY id DESC SKIP 2 LIMIT 5
MATCH (f:Function)-[:CALLS]->(g) RETURN f.id AS a, g.id AS b
MATCH (f:Function {id: $id})<-[c:CALLS]-(g:Function) WHERE c.confidence >= 0.9 RETURN g.id, c.line, c.how
MATCH (a)-->(b)<--(c)--(d) RETURN count(*)
MATCH (a), (b:File), (c:Class) WHERE a.id <> b.id AND NOT c.name = 'x' OR a.name IN ['y', "z"] RETURN DISTINCT a
MATCH (a:Function)-[:CALLS|REFERENCES*1..4]->(b:Function) RETURN DISTINCT b.id
MATCH p = (a:Function)-[:CALLS* SHORTEST 1..4]->(b:Function) RETURN nodes(p), rels(p), length(p)
MATCH (a)-[:CALLS* ALL SHORTEST 1..4]->(b) RETURN a
MATCH (a)-[e:CALLS* TRAIL 1..4]->(b) RETURN a
MATCH (a)-[e:CALLS* ACYCLIC 1..4]->(b) RETURN a
MATCH (a)-[e:CALLS* WSHORTEST(count)]->(b) RETURN cost(e)
MATCH (a)-[e:CALLS*1..3 (r, n | WHERE r.line > 1 AND n.name = 'x' | {r.line}, {n.id})]->(b) RETURN e
MATCH (n:File:Class) RETURN label(n)
OPTIONAL MATCH (n) RETURN n
MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, m
MATCH (n) WITH n, count(*) AS c WHERE c > 1 RETURN n.id, c
MATCH (n) WITH * ORDER BY n.id LIMIT 3 MATCH (m) RETURN *
UNWIND [1, 2, 3] AS x UNWIND range(1, x) AS y RETURN x * y + 1 - 2 / 3 % 4 ^ 5
RETURN 1 UNION RETURN 2
RETURN 1 AS x UNION ALL MATCH (n) RETURN count(n) AS x
RETURN 'delete', "CREATE (n)", 'it\'s; DROP TABLE x', "/* no comment */ // none"
RETURN 'a\\', "\"", '\n\t\u0041\x41'
RETURN 'http://example.com/*', 'unix://x'
MATCH (n) RETURN n.set, n.copy, n.load, n.delete, n.create, n.offset, n.merge, n.call, n.order, n.limit, n.drop
MATCH (n) RETURN n.offset AS offset, n.created AS created, n.name AS set, n.id AS copy
MATCH (n) WHERE n.created > 5 AND n.setting = 'x' AND n.reloaded RETURN n
MATCH (set:Function) RETURN set.id
MATCH (copy)-[load:CALLS]->(delete) RETURN copy.id, load.line, delete.id
MATCH (n {set: 1, delete: 'x'}) RETURN {create: n.id, merge: [1], call: {drop: 2}}
MATCH (n) RETURN n.`create`, n.`delete from`, n.`a;b` AS `drop table`
MATCH (n:`Create`) RETURN n
RETURN $set, $create, $1
RETURN CASE WHEN true THEN 'a' ELSE 'b' END AS x
RETURN CASE 1 WHEN 1 THEN 'set' WHEN 2 THEN 'x' END
MATCH (n) WHERE n.id IS NOT NULL AND n.name IS NULL RETURN n
MATCH (n) WHERE n.id STARTS WITH 'a' OR n.id ENDS WITH 'b' XOR n.id CONTAINS 'c' RETURN n
MATCH (n) WHERE n.id =~ '.*create.*' RETURN n
MATCH (n) WHERE EXISTS { MATCH (n)-[:CALLS]->(m:Function {name: 'x'}) WHERE m.id <> n.id } RETURN n
MATCH (n) WHERE NOT EXISTS { MATCH (n)-[:CALLS]->() } RETURN n
MATCH (n) RETURN COUNT { MATCH (n)-[:CALLS]->() } AS c
MATCH (n) WHERE (n)-[:CALLS]->(:Function) RETURN n
MATCH (n) RETURN collect(n.id), count(DISTINCT n.kind), min(n.start_line), max(n.end_line), avg(n.complexity)
RETURN [1, 2, 3][1], [1, 2, 3][1:2], {a: 1}.a, 'abc'[1]
RETURN list_filter([1, 2], x -> x > 1), all(x IN [1] WHERE x = 1), none(x IN [1] WHERE x = 2)
RETURN cast('1' AS INT64), cast([1] AS STRING[]), lower('X'), coalesce(null, 1), size([1]), -1, +1, 1e5, .5, 0xFF
RETURN label(r), labels(n), properties(n), keys(n), id(n), start_node(r), end_node(r)
RETURN regexp_matches('a', 'b'), string_split('a,b', ','), list_contains([1], 1), offset(id(n))
CALL show_tables() RETURN *
CALL show_tables() WHERE type = 'NODE' RETURN name
CALL table_info('Function') YIELD name, type AS kind RETURN name, kind
CALL show_functions() RETURN count(*)
CALL db_version() RETURN *
MATCH (n) RETURN n // the end
MATCH (n) /* a; comment: DELETE 'n' */ RETURN n
/* first */ MATCH (n) // second⏎RETURN n
MATCH (n)⏎RETURN⏎ n
MATCH (größe:Function) RETURN größe.name AS naïve
MATCH (n) WHERE n.name = '日本' RETURN n
MATCH (n) RETURN exists { MATCH (n) }
RETURN NOT true, not (1 = 2)
"""


REFUSED_QUERIES, ALLOWED_QUERIES = (
    [line.replace("⏎", "\n") for line in text.strip("\n").split("\n")] for text in (REFUSED, ALLOWED)
)
REFUSED_QUERIES += ["RETURN 1 \x00", "RETURN 1 \u200b", "", " \n", "CREATE\u00a0(n)", "MATCH (n)\rDELETE n"]
ALLOWED_QUERIES += ["MATCH\t(n)\r\nRETURN\n n"]


# Verifies REQ-QRY-003.
@pytest.mark.parametrize("query", REFUSED_QUERIES)
def test_hostile_queries_are_refused(query: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check_read_only(query)
    assert caught.value.exit_code == 2 and caught.value.suggestion


# Verifies REQ-QRY-002.
@pytest.mark.parametrize("query", ALLOWED_QUERIES)
def test_harmless_queries_pass(query: str) -> None:
    check_read_only(query)


# Verifies REQ-QRY-001.
@pytest.mark.parametrize(
    ("query", "token"),
    [
        ("MATCH (n) DETACH DELETE n", "'DETACH' at position 10"),
        ("MATCH (n) RETURN n /* x */ ;", "';' at position 27"),
        ("CALL timeout=0", "CALL timeout at position 5"),
        ("RETURN 1, nextval('s')", "'nextval' at position 10"),
        ("RETURN 'x", "quote ' at position 7"),
    ],
)
def test_the_token_to_blame_is_named(query: str, token: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check_read_only(query)
    assert token in caught.value.message


def test_a_function_of_another_dialect_is_answered_with_ours() -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check_read_only("MATCH ()-[r]->() RETURN type(r)")
    assert "label(r)" in caught.value.suggestion


# Verifies REQ-QRY-005.
@pytest.mark.parametrize(
    ("query", "bounded"),
    [
        ("MATCH (a)-[:CALLS*]->(b) RETURN a", "MATCH (a)-[:CALLS*1..8]->(b) RETURN a"),
        ("MATCH (a)-[*]-(b) RETURN a", "MATCH (a)-[*1..8]-(b) RETURN a"),
        ("MATCH (a)<-[r:CALLS|IMPORTS *]-(b) RETURN a", "MATCH (a)<-[r:CALLS|IMPORTS *1..8]-(b) RETURN a"),
        ("MATCH (a)-[*2..]->(b) RETURN a", "MATCH (a)-[*2..8]->(b) RETURN a"),
        ("MATCH (a)-[*12..]->(b) RETURN a", "MATCH (a)-[*12..12]->(b) RETURN a"),
        ("MATCH (a)-[*..]->(b) RETURN a", "MATCH (a)-[*..8]->(b) RETURN a"),
        ("MATCH (a)-[* SHORTEST]->(b) RETURN a", "MATCH (a)-[* SHORTEST 1..30]->(b) RETURN a"),
        ("MATCH (a)-[* ALL SHORTEST 2..]->(b) RETURN a", "MATCH (a)-[* ALL SHORTEST 2..30]->(b) RETURN a"),
        ("MATCH (a)-[* WSHORTEST(count)]->(b) RETURN a", "MATCH (a)-[* WSHORTEST(count) 1..30]->(b) RETURN a"),
        ("MATCH (a)-[* WSHORTEST]-", "MATCH (a)-[* WSHORTEST 1..30]-"),
        ("MATCH (a)-[* TRAIL]->(b) RETURN a", "MATCH (a)-[* TRAIL 1..8]->(b) RETURN a"),
        ("MATCH (a)-[*{line: 1}]->(b) RETURN a", "MATCH (a)-[*1..8{line: 1}]->(b) RETURN a"),
        ("MATCH (a)-[* (r, n | WHERE r.line > 1)]->(b) RETURN a", None),
        ("MATCH (a)-/* x */[*]->(b) WHERE EXISTS { MATCH (b)-[*]->() } RETURN a", None),
    ],
)
def test_paths_without_a_bound_get_one(query: str, bounded: str | None) -> None:
    done = check_read_only(query)
    assert done == bounded if bounded else done.count("1..8") == query.count("[*")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a)-[*1..3]->(b) RETURN a",
        "MATCH (a)-[*3]->(b) RETURN a",
        "MATCH (a)-[*..3]->(b) RETURN a",
        "MATCH (a)-[0*A]->(b) RETURN a",
        "MATCH (a)-[* SHORTEST 1..3]->(b) RETURN a",
        "MATCH (a)-[r:CALLS*2 {line: 1}]->(b) RETURN a",
        "MATCH (a)-[r:CALLS {line: 2 * 3}]->(b) RETURN count(*), 2 * 3, [1 * 2], a.x -[2 * 3][0]",
        "MATCH (a)  RETURN\n  '  /* kept */ '",
    ],
)
def test_everything_else_stays_as_it_is(query: str) -> None:
    assert check_read_only(query) == query


def test_comments_are_gone_before_the_engine_looks() -> None:
    assert check_read_only("MATCH/* a */(n)// b\nRETURN/**/n /* c */") == "MATCH (n) RETURN n"


def test_limits_of_length_and_depth() -> None:
    with pytest.raises(QueryRefusedError, match="longer"):
        check_read_only("RETURN '" + "x" * MAX_LENGTH + "'")
    check_read_only("RETURN " + "(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1))
    with pytest.raises(QueryRefusedError, match="deeper"):
        check_read_only("RETURN " + "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1))


WRITES = (
    "CREATE (m)",
    "DELETE n",
    "SET n.x = 1",
    "CALL timeout=0",
    "LOAD FROM 'x' RETURN *",
    "MERGE (m)",
    "; CHECKPOINT",
)


@given(st.sampled_from(ALLOWED_QUERIES), st.sampled_from(WRITES), st.sampled_from([" ", "/**/", "\n\t"]))
@settings(max_examples=300, deadline=None)
def test_no_write_hides_behind_a_read(query: str, write: str, space: str) -> None:
    if "//" in query.replace("http://", "").replace("unix://", "").replace('// none"', ""):
        query += "\n"
    with pytest.raises(QueryRefusedError):
        check_read_only(query + space + write)


@given(st.text(string.printable + "äＣ\u200b\u2028´“", max_size=60))
@settings(max_examples=500, deadline=None)
def test_any_text_passes_or_is_refused(text: str) -> None:
    for query in (text, f"RETURN {text}", f"MATCH (n) {text} RETURN n", f"MATCH (a)-[{text}]->(b) RETURN a"):
        try:
            checked = check_read_only(query)
        except QueryRefusedError:
            continue
        assert check_read_only(checked) == checked
