"""The driver's values as plain JSON, in the form that the embedded engine's answers have (`graph.values`)."""

from __future__ import annotations

import math
from typing import Any, Final

from loregraph.graph.schema import NODE_COLUMNS, REL_COLUMNS

OWN: Final = ("key", "generation", "repository")
"""Properties of nodes on a server that embedded ones lack; they are left out of whole nodes."""
_MOST_DEPTH: Final = 64


def plain(value: Any, depth: int = 0) -> Any:
    """`value` as JSON: a node as {"label", its properties}, a relationship as {"rel", …}, a path as {"nodes", "rels"}.

    Raises ValueError for values that are nested deeper than any of ours.
    """
    if depth > _MOST_DEPTH:
        raise ValueError("nested too deep")
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, bytes | bytearray):
        return bytes(value).hex()
    return _entity(value, depth)


def _entity(value: Any, depth: int) -> Any:
    """A node, relationship or path by what the driver says of it; anything else as text."""
    # Of the driver's classes, which are not imported here; those of relationships are made for each type.
    if not any(kind.__module__.startswith("neo4j.graph") for kind in type(value).__mro__):
        return str(value)
    if hasattr(value, "relationships"):
        return {
            "nodes": [plain(node, depth + 1) for node in value.nodes],
            "rels": [plain(relationship, depth + 1) for relationship in value.relationships],
        }
    properties = {str(key): plain(item, depth + 1) for key, item in value.items()}
    if hasattr(value, "labels"):
        label = next((name for name in sorted(value.labels) if name in NODE_COLUMNS), "")
        return {"label": label, **_ordered(properties, NODE_COLUMNS.get(label, ()))}
    return {"rel": str(value.type), **_ordered(properties, REL_COLUMNS.get(value.type, ()))}


def _ordered(properties: dict[str, Any], columns: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The properties in the order of the model, then others but for our own."""
    known = {name: properties.get(name) for name, _ in columns}
    return known | {name: item for name, item in sorted(properties.items()) if name not in known and name not in OWN}
