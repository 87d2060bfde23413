"""Labels and relationships of a statement: known before a graph is opened."""

from __future__ import annotations

import pytest

from loregraph.errors import QueryFailedError
from loregraph.graph.cypher import check_read_only
from loregraph.graph.cypher_names import check_names


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (f:Function)-[c:CALLS]->(g) RETURN f.id",
        "MATCH (f:function)-[:calls|tests]->(g:`Class`) RETURN g",
        "MATCH (f:Function)-[:CALLS|:TESTS*1..3]->(g:Function:Class) RETURN g",
        "MATCH (f:Function {name: 'Nothing:Known'}) WHERE f.kind = 'x:Nope' RETURN {a: f.id}",
        "MATCH (f)-[e:CALLS* 1..3 (r, n | WHERE r.line > 0)]->(g) RETURN list_slice([1, 2], 1, 2)",
        "MATCH p = (a:File)-[* SHORTEST 1..8]-(b:File) RETURN nodes(p)[1:2]",
        "WITH [1, 2, 3] AS list, 1 AS low, 2 AS high RETURN list[low:high]",
        "RETURN struct_pack(nope := 1)",
    ],
)
def test_what_the_graph_has_passes(cypher: str) -> None:
    check_names(check_read_only(cypher))


# Verifies REQ-QRY-001.
@pytest.mark.parametrize(
    ("cypher", "said", "near"),
    [
        ("MATCH (f:Funktion) RETURN f", "unknown label 'Funktion'", "Function"),
        ("MATCH (f:Function)-[:CALL]->(g) RETURN f", "unknown relationship 'CALL'", "CALLS"),
        ("MATCH (f:Function)-[c:CALLS|:TSTS]->(g) RETURN f", "unknown relationship 'TSTS'", "TESTS"),
        ("MATCH (f:Function)-[c:CALLS|TSTS]->(g) RETURN f", "unknown relationship 'TSTS'", "TESTS"),
        ("MATCH (f)<-[:contain*1..2]-(g) RETURN f", "unknown relationship 'contain'", "CONTAINS"),
        ("MATCH (f) WHERE EXISTS { MATCH (f)-[:CALLS]->(:Clas) } RETURN f", "unknown label 'Clas'", "Class"),
        ("MATCH (f:`Xyz`) RETURN f", "unknown label 'Xyz'", "there are Component, File"),
    ],
)
# Verifies REQ-CLI-019.
def test_what_no_graph_has_is_refused_with_the_nearest(cypher: str, said: str, near: str) -> None:
    with pytest.raises(QueryFailedError) as caught:
        check_names(check_read_only(cypher))
    assert caught.value.message == said
    assert near in caught.value.suggestion
