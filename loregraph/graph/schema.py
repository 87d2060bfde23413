"""The engine's tables, derived from the model: one node table per label, one relationship table per relationship.

The primary key of every node table is `_number`, the node's number in the columns, and not its id: the engine's hash
index over text ids cost 9 MB for 30,000 of them and half of the load time, and takes at least 3 MB per table whatever
the key is. Finding a node by id is a scan of one column (about 2 ms for 30,000 nodes).

A change here or in the model's tables raises `model.SCHEMA_VERSION`. The statements are Kuzu's dialect of DDL, which
its fork shares.
"""

from __future__ import annotations

from typing import Final

import msgspec

from loregraph.graph.model import NODE_TYPES, RELATIONSHIP_PROPERTIES, RELATIONSHIPS, Edge

ENGINE_TYPES: Final = {
    "str": "STRING",
    "int": "INT64",
    "float": "DOUBLE",
    "bool": "BOOL",
    "bool | None": "BOOL",
    "tuple[str, ...]": "STRING[]",
    "tuple[int, ...]": "INT64[]",
}
"""Type of a model's field → type of the engine's column."""

NODE_COLUMNS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    node_type.__name__: tuple(
        (field.name, ENGINE_TYPES[str(node_type.__annotations__[field.name])])
        for field in msgspec.structs.fields(node_type)
    )
    for node_type in NODE_TYPES
}
"""Label → (property, engine type), in the order of the table."""

_EDGE_FIELDS: Final = {**Edge.__annotations__, "lines": Edge.__annotations__["more_lines"]}

REL_COLUMNS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    rel: tuple((name, ENGINE_TYPES[str(_EDGE_FIELDS[name])]) for name in properties)
    for rel, properties in RELATIONSHIP_PROPERTIES.items()
}
"""Relationship → (property, engine type), in the order of the table."""


NUMBER: Final = "_number"
"""Primary key of every node table; internal, never part of a result."""


def statements() -> list[str]:
    """The DDL statements for an empty graph, nodes first."""
    nodes = []
    for label, columns in NODE_COLUMNS.items():
        properties = ", ".join(f"{name} {kind}" for name, kind in columns)
        nodes.append(f"CREATE NODE TABLE {label} ({NUMBER} INT64, {properties}, PRIMARY KEY ({NUMBER}))")
    relationships = [
        "CREATE REL TABLE {} ({})".format(
            rel, ", ".join([*(f"FROM {a} TO {b}" for a, b in pairs), *(f"{n} {t}" for n, t in REL_COLUMNS[rel])])
        )
        for rel, pairs in RELATIONSHIPS.items()
    ]
    return nodes + relationships
