"""Questions to the graph that are ready to be asked, or to be changed. docs/graph.md has the same."""

from __future__ import annotations

from typing import Final

import msgspec


class SavedQuery(msgspec.Struct, frozen=True):
    """A statement and what it answers."""

    title: str
    cypher: str


SAVED_QUERIES: Final = (
    SavedQuery(
        "the ten most called functions",
        """\
MATCH (f)-[c:CALLS]->(g:Function)
RETURN g.id AS id, sum(c.count) AS calls ORDER BY calls DESC, id LIMIT 10""",
    ),
    SavedQuery(
        "exported functions that no test reaches",
        """\
MATCH (f:Function) WHERE f.is_exported AND NOT f.is_test AND NOT EXISTS { MATCH (t:Function)-[:TESTS]->(f) }
RETURN f.id, f.start_line ORDER BY f.id""",
    ),
    SavedQuery(
        "what would have to be read again if a class changed",
        "MATCH (c:Class {name: $class})<-[:EXTENDS|CALLS*1..3]-(x) RETURN DISTINCT x.id",
    ),
    SavedQuery(
        "the ways from one function to another",
        """\
MATCH p = (a:Function {name: $from})-[:CALLS* SHORTEST 1..6]->(b:Function {name: $to})
RETURN p LIMIT 10""",
    ),
    SavedQuery(
        "a class with what it extends and what extends it",
        "MATCH (c:Class {name: $class})-[:EXTENDS|IMPLEMENTS*1..3]-(other:Class) RETURN DISTINCT c, other LIMIT 50",
    ),
    SavedQuery(
        "from each requirement to its design, its code, the tests of that and what was remembered about it",
        """\
MATCH (r:Requirement)<-[:SATISFIES]-(d:Design)<-[:FOLLOWS_DESIGN]-(c:Function)<-[:TESTS]-(t:Function),
      (m:Memory)-[:ABOUT]->(c)
RETURN r.id AS requirement, d.title AS design, c.id AS code, t.id AS test, m.name AS memory
ORDER BY requirement, design, code, test, memory""",
    ),
    SavedQuery(
        "the same of every requirement, whatever is missing on the way",
        """\
MATCH (r:Requirement)
OPTIONAL MATCH (d:Design)-[:SATISFIES]->(r)
OPTIONAL MATCH (c)-[i:IMPLEMENTS_REQ]->(r) WHERE i.how <> 'mention'
OPTIONAL MATCH (t:Function)-[:TESTS]->(c)
OPTIONAL MATCH (m:Memory)-[:ABOUT]->(c)
RETURN r.id AS requirement, d.title AS design, c.id AS code, i.how AS how, t.id AS test, m.name AS memory
ORDER BY requirement, design, code, test, memory""",
    ),
    SavedQuery(
        "which library is used where",
        """\
MATCH (f:File)-[:IMPORTS]->(e:External) RETURN e.package AS package, count(DISTINCT f.id) AS files
ORDER BY files DESC""",
    ),
)
