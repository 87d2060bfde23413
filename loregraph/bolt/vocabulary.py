"""What a query to a server may use: what the openCypher dialects of Neo4j 5, Memgraph and ArcadeDB share.

Nothing in it reads anything but the graph. Procedures, path modes of the embedded engine, and functions of one server
alone are not in it.
"""

from __future__ import annotations

from typing import Final

from loregraph.graph.cypher_vocabulary import Vocabulary

FUNCTIONS: Final = frozenset(
    """
    ABS ACOS ALL ANY ASIN ATAN ATAN2 AVG CEIL COALESCE COLLECT COS COUNT E ENDNODE EXISTS EXP FLOOR HEAD KEYS LABELS
    LAST LEFT LENGTH LOG LOG10 LTRIM MAX MIN NODES NONE PI PROPERTIES RANGE REDUCE RELATIONSHIPS REPLACE REVERSE RIGHT
    ROUND RTRIM SIGN SIN SINGLE SIZE SPLIT SQRT STARTNODE SUBSTRING SUM TAIL TAN TOBOOLEAN TOFLOAT TOINTEGER TOLOWER
    TOSTRING TOUPPER TRIM TYPE
    """.split()
)

RENAMED: Final = {
    "CEILING": "ceil",
    "IFNULL": "coalesce",
    "LCASE": "toLower",
    "LOWER": "toLower",
    "RELS": "relationships",
    "STRING": "toString",
    "TO_DOUBLE": "toFloat",
    "TO_INT64": "toInteger",
    "TO_STRING": "toString",
    "UCASE": "toUpper",
    "UPPER": "toUpper",
    "START_NODE": "startNode",
    "END_NODE": "endNode",
}
"""Functions of the embedded engine → the same of servers, which is put in their place."""
LABEL: Final = "LABEL"
"""The embedded engine's function for the label of a node and for the type of a relationship."""

INSTEAD: Final = {
    "ARRAY_CONTAINS": "value IN list",
    "CONTAINS": "text CONTAINS part",
    "ELEMENT_AT": "list[index]",
    "ENDS_WITH": "text ENDS WITH end",
    "ID": "n.id",
    "LIST_CONTAINS": "value IN list",
    "LIST_ELEMENT": "list[index], from 0",
    "LIST_EXTRACT": "list[index], from 0",
    "PREFIX": "text STARTS WITH start",
    "REGEXP_FULL_MATCH": "text =~ pattern",
    "REGEXP_MATCHES": "text =~ '.*(?:pattern).*'",
    "REGEXP_REPLACE": "replace(text, part, by)",
    "SHORTESTPATH": "-[*1..8]- with ORDER BY length(p) LIMIT 1",
    "STARTS_WITH": "text STARTS WITH start",
    "STRING_SPLIT": "split(text, by)",
    "SUBSTR": "substring(text, start, length), from 0",
}
"""Functions of the embedded engine, and others that are refused → what can be written."""

SERVERS: Final = Vocabulary(
    functions=FUNCTIONS | RENAMED.keys() | {LABEL},
    procedures=frozenset(),
    path_modes=frozenset(),
    instead=INSTEAD,
)
