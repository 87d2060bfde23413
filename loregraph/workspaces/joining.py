"""Makes one generation of several: their columns and indexes joined, and the edges between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from loregraph.graph.columns import GraphColumns
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.generation import Lease
from loregraph.graph.joined_columns import join_columns, prefix_of
from loregraph.graph.joined_indexes import join_constants, join_lexical, join_vectors
from loregraph.workspaces.between import edges_between


def join(building: Path, leases: Mapping[str, Lease]) -> dict[str, Any] | None:
    """Writes to `building` the graph of `leases`, by name in the order of ids; returns the identity of the embedder
    whose vectors it has.

    Vectors of different embedders cannot be compared: those of the one that most repositories have are kept.
    """
    members = {name: GraphColumns.open(lease.path) for name, lease in leases.items()}
    between = edges_between(members)
    join_columns(building, members, between.edges, between.replaced)
    firsts = [0, *np.cumsum([columns.node_count for columns in members.values()]).tolist()]
    folders = [lease.path for lease in leases.values()]
    join_lexical(building, folders, firsts[:-1])
    with_constants = [(name, lease.path) for name, lease in leases.items() if CONSTANTS_FILE in lease.current.files]
    join_constants(building, [path for _, path in with_constants], [prefix_of(name) for name, _ in with_constants])
    embedder = _usual([lease.current.embedder for lease in leases.values()])
    if embedder is not None:
        join_vectors(
            building,
            [
                (lease.path, first)
                for lease, first in zip(leases.values(), firsts, strict=False)
                if lease.current.embedder == embedder
            ],
        )
    return embedder


def _usual(embedders: list[dict[str, Any] | None]) -> dict[str, Any] | None:
    """The embedder that most have, of several the first by its identity."""
    counts = Counter(msgspec.json.encode(one, order="sorted") for one in embedders if one is not None)
    if not counts:
        return None
    content, _ = min(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    found: dict[str, Any] = msgspec.json.decode(content)
    return found
