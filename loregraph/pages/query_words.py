"""The words that a Cypher statement may consist of, for completing it while somebody writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from loregraph.graph.cypher_vocabulary import FUNCTIONS
from loregraph.graph.model import RELATIONSHIPS
from loregraph.graph.schema import NODE_COLUMNS, REL_COLUMNS

CLAUSES = (
    *("MATCH", "OPTIONAL MATCH", "WHERE", "WITH", "UNWIND", "RETURN", "DISTINCT", "ORDER BY", "DESC", "SKIP", "LIMIT"),
    *("UNION", "AND", "OR", "NOT", "IN", "IS NULL", "IS NOT NULL", "CONTAINS", "STARTS WITH", "ENDS WITH", "EXISTS"),
    *("CASE", "WHEN", "THEN", "ELSE", "END", "AS"),
)
"""What is written in capitals, in the order in which it is needed."""


class QueryWords(msgspec.Struct, frozen=True):
    """`labels` and `relationships` have their properties with the types; `ends` are the pairs of labels that a
    relationship may connect."""

    labels: Mapping[str, Sequence[tuple[str, str]]]
    relationships: Mapping[str, Sequence[tuple[str, str]]]
    ends: Mapping[str, Sequence[tuple[str, str]]]
    clauses: Sequence[str]
    functions: Sequence[str]


def query_words() -> QueryWords:
    """The vocabulary of the graph's schema and of what a query may say."""
    return QueryWords(
        labels={label: _typed(columns) for label, columns in NODE_COLUMNS.items()},
        relationships={rel: _typed(columns) for rel, columns in REL_COLUMNS.items()},
        ends={rel: list(pairs) for rel, pairs in RELATIONSHIPS.items()},
        clauses=CLAUSES,
        functions=sorted(name.lower() for name in FUNCTIONS),
    )


_TYPES = {"STRING": "text", "INT64": "number", "DOUBLE": "number", "BOOL": "true or false"}


def _typed(columns: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, _TYPES.get(kind, "list")) for name, kind in columns]
