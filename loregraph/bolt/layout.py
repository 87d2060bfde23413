"""How a generation is laid out on a server: labels, properties, keys, constraints and indexes.

A node has its label and properties, and beside them `repository` (NAME), `generation` ("NAME@7"), `id` ("NAME:" and its
id) and `key` (generation, ":" and its id), which is unique on the server. So several generations of a repository can be
there at once; edges never lead from one to another. A node `LoregraphRepository` for each repository says which of them
is to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS, RELATIONSHIP_PROPERTIES, Edge

REPOSITORY: Final = "LoregraphRepository"
PRIVATE: Final = "Memory"
"""The label that is not shared: memories are for who wrote them, and have a server of their own kind."""
PUSHED_LABELS: Final = tuple(label for label in LABELS if label != PRIVATE)
INDEXED: Final = ("id", "name")

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")

Row = dict[str, Any]


def check_name(name: str) -> str:
    """`name` of a repository on a server. Raises UsageError for what cannot be one."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot name a repository", "letters, digits, `.`, `_` and `-`, at most 63; give one with --as"
        )
    return name


def generation_name(name: str, number: int) -> str:
    """The value of `generation` of the nodes that the push with this number loads."""
    return f"{name}@{number}"


def key_range(generation: str) -> tuple[str, str]:
    """The keys of a generation: from the first, up to but without the second."""
    return f"{generation}:", f"{generation};"


def schema_statements(*, memgraph: bool) -> Iterator[str]:
    """The statements for the constraints and indexes, as Neo4j 5 and ArcadeDB write them or as Memgraph does. Those
    that are there already are no errors."""
    for label, unique, indexed in ((REPOSITORY, "name", ()), *((label, "key", INDEXED) for label in PUSHED_LABELS)):
        if memgraph:
            yield f"CREATE CONSTRAINT ON (n:{label}) ASSERT n.{unique} IS UNIQUE"
            # Elsewhere a constraint is an index, too.
            yield from (f"CREATE INDEX ON :{label}({field})" for field in (unique, *indexed))
        else:
            where = f"IF NOT EXISTS FOR (n:{label})"
            yield f"CREATE CONSTRAINT {_named(label, unique)} {where} REQUIRE n.{unique} IS UNIQUE"
            yield from (f"CREATE INDEX {_named(label, field)} {where} ON (n.{field})" for field in indexed)


def _named(label: str, field: str) -> str:
    return f"loregraph_{label.lower()}_{field}"


def nodes(columns: GraphColumns, name: str, generation: str) -> Iterator[tuple[str, Iterator[Row]]]:
    """(label, rows) of the nodes to load, for every label that the graph has, in the order of ids."""
    for label in PUSHED_LABELS:
        numbers = columns.nodes(label)
        if len(numbers):
            yield label, (_node_row(columns, number, name, generation) for number in numbers.tolist())


def _node_row(columns: GraphColumns, number: int, name: str, generation: str) -> Row:
    row = _storable(msgspec.structs.asdict(columns.node(number)))
    identity = row["id"]
    return {
        **row,
        "id": f"{name}:{identity}",
        "key": f"{generation}:{identity}",
        "repository": name,
        "generation": generation,
    }


def _storable(values: dict[str, Any]) -> Row:
    """`values` of the model in the driver's types, which know lists but no tuples."""
    return {field: list(value) if isinstance(value, tuple) else value for field, value in values.items()}


def edges(columns: GraphColumns, generation: str) -> Iterator[tuple[str, str, str, Iterator[Row]]]:
    """(relationship, label of sources, label of targets, rows) of the edges to load. A row has the keys of both ends as
    `source` and `target`, and `values`, the properties."""
    private = LABELS.index(PRIVATE)
    sources, targets = columns.labels[columns.source], columns.labels[columns.target]
    kinds = np.stack([columns.rel_codes, sources, targets], axis=1).astype(np.int64)
    shared = np.flatnonzero((sources != private) & (targets != private))
    for kind in np.unique(kinds[shared], axis=0):
        rel, source, target = columns.rels[int(kind[0])], LABELS[int(kind[1])], LABELS[int(kind[2])]
        numbers = shared[(kinds[shared] == kind).all(axis=1)]
        yield rel, source, target, (_edge_row(columns.edge(number), generation) for number in numbers.tolist())


def _edge_row(edge: Edge, generation: str) -> Row:
    values = {field: getattr(edge, field) for field in RELATIONSHIP_PROPERTIES[edge.rel]}
    return {
        "source": f"{generation}:{edge.source}",
        "target": f"{generation}:{edge.target}",
        "values": _storable(values),
    }
