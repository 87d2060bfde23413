"""What becomes of a user's statement before a server sees it."""

from __future__ import annotations

import pytest

from loregraph.bolt.scope import scoped
from loregraph.errors import QueryFailedError, QueryRefusedError

HERE = "IN $scoped_generations"
GIVEN = "scoped_1.generation"


# Verifies REQ-SRV-004.
@pytest.mark.parametrize(
    ("cypher", "expected"),
    [
        ("MATCH (f:Function) RETURN f.id", f"MATCH (f:Function) WHERE f.generation {HERE} RETURN f.id"),
        (
            "MATCH (f:Function) WHERE f.name = 'a' OR f.name = 'b' RETURN f",
            f"MATCH (f:Function) WHERE f.generation {HERE} AND ( f.name = 'a' OR f.name = 'b') RETURN f",
        ),
        # The condition is on the node that the pattern says most of.
        (
            "MATCH (a)-[:CALLS]->(b:Function)<-[:TESTS]-(c:Function {id: $id}) RETURN a",
            f"MATCH (a)-[:CALLS]->(b:Function)<-[:TESTS]-(c:Function {{id: $id}}) WHERE c.generation {HERE} RETURN a",
        ),
        (
            "MATCH ()-[r:CALLS]->() RETURN r",
            f"MATCH (scoped_1)-[r:CALLS]->() WHERE scoped_1.generation {HERE} RETURN r",
        ),
        (
            "MATCH (:Class)-[r]->() RETURN count(*)",
            f"MATCH (scoped_1:Class)-[r]->() WHERE scoped_1.generation {HERE} RETURN count(*)",
        ),
        # Every path of a pattern has its own.
        (
            "MATCH (a:File), p = (b {name: 'x,('})-[:CALLS*1..2]->(c) RETURN p",
            "MATCH (a:File), p = (b {name: 'x,('})-[:CALLS*1..2]->(c) "
            f"WHERE a.generation {HERE} AND b.generation {HERE} RETURN p",
        ),
        (
            "MATCH (a:File) OPTIONAL MATCH (a)-[:CONTAINS]->(b) WHERE b.name = 'x' WITH a, b MATCH (b)--(c) RETURN c",
            f"MATCH (a:File) WHERE a.generation {HERE} OPTIONAL MATCH (a)-[:CONTAINS]->(b) "
            f"WHERE a.generation {HERE} AND ( b.name = 'x') WITH a, b MATCH (b)--(c) WHERE b.generation {HERE} "
            "RETURN c",
        ),
        (
            "MATCH (a:File) WHERE NOT EXISTS { MATCH (a)-[:IMPORTS]->(b) WHERE b.name = 'x' } RETURN a",
            f"MATCH (a:File) WHERE a.generation {HERE} AND ( NOT EXISTS {{ MATCH (a)-[:IMPORTS]->(b) "
            f"WHERE a.generation {HERE} AND ( b.name = 'x') }}) RETURN a",
        ),
        (
            "MATCH (a:File) RETURN a.id, COUNT { MATCH (:File {name: 'x'}) } AS n "
            "UNION MATCH (c:Class) RETURN c.id, 1 AS n",
            f"MATCH (a:File) WHERE a.generation {HERE} RETURN a.id, COUNT {{ MATCH (scoped_14:File {{name: 'x'}}) "
            f"WHERE scoped_14.generation {HERE} }} AS n UNION MATCH (c:Class) WHERE c.generation {HERE} "
            "RETURN c.id, 1 AS n",
        ),
        # A path without an upper bound gets one, comments go, functions have the names of servers.
        (
            "MATCH (a:File)-[r:CALLS*]->(b) /* ) */ RETURN label(a), label(r), lower(b.name), to_string(1) // the end",
            f"MATCH (a:File)-[r:CALLS*1..8]->(b) WHERE a.generation {HERE} "
            "RETURN labels(a)[0], type(r), toLower(b.name), toString(1)",
        ),
        # Names that begin as ours do.
        (
            "MATCH (scoped:File) WHERE scoped.name = $scoped_generations RETURN scoped",
            "MATCH (scoped:File) WHERE scoped.generation IN $scoped___generations AND "
            "( scoped.name = $scoped_generations) RETURN scoped",
        ),
        ("RETURN 1 AS one", "RETURN 1 AS one"),
        ("MATCH (`a b`:File) RETURN 1", f"MATCH (`a b`:File) WHERE `a b`.generation {HERE} RETURN 1"),
    ],
)
def test_every_path_is_held_to_the_generations_that_are_shown(cypher: str, expected: str) -> None:
    assert scoped(cypher).cypher.rstrip() == expected


# Verifies REQ-SRV-004, REQ-SRV-005.
@pytest.mark.parametrize(
    ("cypher", "said"),
    [
        ("CREATE (n) RETURN n", "'CREATE'"),
        ("MATCH (n) SET n.generation = 'x' RETURN n", "'SET'"),
        ("MATCH (n) DETACH DELETE n", "'DETACH'"),
        ("MATCH (n) REMOVE n.key RETURN n", "'REMOVE'"),
        ("MATCH (n) FOREACH (x IN [1] | SET n.a = x)", "'FOREACH'"),
        ("LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row", "'LOAD'"),
        ("CALL db.labels()", "CALL db"),
        ("CALL apoc.load.json('http://x') YIELD value RETURN value", "CALL apoc"),
        ("MATCH (n) CALL { WITH n DELETE n } RETURN n", "CALL {"),
        ("EXPLAIN MATCH (n) RETURN n", "'EXPLAIN'"),
        ("USE system MATCH (n) RETURN n", "'USE'"),
        ("MATCH (n) RETURN apoc.util.sleep(1)", "no function"),
        ("MATCH (n) RETURN id(n)", "no function"),
        ("MATCH (n) RETURN list_contains([1], 1)", "no function"),
        ("MATCH (n:File) RETURN COLLECT { CREATE (m) RETURN m }", "no function"),
        ("MATCH p = (a)-[:CALLS* SHORTEST 1..3]->(b) RETURN p", "'SHORTEST'"),
        ("MATCH (n); MATCH (m) DELETE m", "one statement"),
        # Some servers replace these before they look for the end of the string.
        (r"MATCH (n {name: '\u0027}) DELETE n //'}) RETURN n", "escape"),
        (r"MATCH (n {name: '\x27'}) RETURN n", "escape"),
        ("MATCH (`n``) RETURN 1 //`) RETURN 1", "no name"),
        ("MATCH (`n``m`) RETURN 1", "no name"),
        (r"MATCH (`n\u0060`) RETURN 1", "no name"),
        # Paths that could lie in any generation.
        ("MATCH (n:File) WHERE (:Function)-[:CALLS]->(:Function {name: 'x'}) RETURN n", "outside of MATCH"),
        ("MATCH (n:File) RETURN [(:File)-->(m) | m.name]", "outside of MATCH"),
        ("MATCH (n:File) WHERE (n)<--() RETURN n", "outside of MATCH"),
        ("MATCH ((a)-[:CALLS]->(b)){1,3} RETURN a", "not allowed here"),
        ("MATCH (n)-[r]->() RETURN label(head([r]))", "without a name"),
    ],
)
def test_what_is_no_read_of_one_generation_is_refused(cypher: str, said: str) -> None:
    with pytest.raises(QueryRefusedError) as raised:
        scoped(cypher)
    assert said in raised.value.message
    assert raised.value.suggestion


@pytest.mark.parametrize(
    ("cypher", "hint"),
    [
        ("MATCH (n:LoregraphRepository) RETURN n.owner", "there are"),
        ("MATCH (n:function) RETURN n", "'Function'"),
        ("MATCH ()-[:Calls]->() RETURN 1", "'CALLS'"),
        ("MATCH (n:Function) WHERE n.complexty > 3 RETURN n", "'complexity'"),
        ("MATCH (n:Function {nme: 'x'}) RETURN n", "'name'"),
        ("MATCH ()-[r:CALLS {confidense: 1}]->() RETURN 1", "'confidence'"),
        ("MATCH ()-[r:CALLS]->() RETURN r.hows", "'how'"),
        ("MATCH (n:Function|LoregraphRepository) RETURN n", "there are"),
    ],
)
def test_labels_and_properties_are_those_of_graphs_as_written(cypher: str, hint: str) -> None:
    with pytest.raises(QueryFailedError) as raised:
        scoped(cypher)
    assert hint in raised.value.suggestion


@pytest.mark.parametrize(
    "cypher",
    [
        "UNWIND $rows AS row MATCH (n:Function {id: row.whatever}) RETURN n.generation, row.else, {other: 1}.other",
        "MATCH (n:Function {id: $map.key}) RETURN n.name AS different",
        "MATCH (n:Function)-[r:CALLS]->(m) RETURN r.`lines`, m.repository, [x IN n.parameters | x]",
    ],
)
def test_properties_of_anything_else_are_not_checked(cypher: str) -> None:
    assert scoped(cypher)


def test_advice_names_what_servers_have() -> None:
    with pytest.raises(QueryRefusedError) as raised:
        scoped("MATCH (n:Function) WHERE regexp_matches(n.name, 'x') RETURN n")
    assert "=~" in raised.value.suggestion
