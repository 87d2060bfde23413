"""The graph as Parquet files, a table for each label and relationship.

The engine writes them: it has the tables already, and its files are read by pyarrow, DuckDB and Polars. pyarrow would
be a dependency of 170 MB for what are 24 statements here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from loregraph.graph import store
from loregraph.graph.model import GUESSED, OF_HISTORY
from loregraph.graph.schema import NODE_COLUMNS, NUMBER, REL_COLUMNS


# Implements REQ-WEB-013.
def write(folder: Path, file: Callable[[str], AbstractContextManager[Path]]) -> list[str]:
    """Writes the generation in `folder` as `nodes_<Label>.parquet` and `edges_<REL>.parquet`, empty tables too, in the
    order of the columns, what git's history says left out; returns the names.

    `file(name)` gives the path for each. Edges have `from` and `to`, the ids of their ends, then their properties.
    Raises as `store.ensure_graph`.
    """
    names = []
    with (
        # For the engine's file where that in `folder` is missing and cannot be written.
        tempfile.TemporaryDirectory(prefix="loregraph-") as scratch,
        store.ReadConnection(store.ensure_graph(folder, Path(scratch)), is_sound=True) as connection,
    ):
        for name, rows in _tables():
            with file(name) as path:
                connection.execute(f"COPY ({rows}) TO {_literal(path)}")
            names.append(name)
    return names


def _tables() -> Iterator[tuple[str, str]]:
    """Name of the file and statement for its rows, for every label and relationship."""
    for label, columns in NODE_COLUMNS.items():
        values = ", ".join(f"n.{name} AS {name}" for name, _ in columns if name not in OF_HISTORY)
        yield f"nodes_{label}.parquet", f"MATCH (n:{label}) RETURN {values} ORDER BY n.{NUMBER}"
    for rel, columns in REL_COLUMNS.items():
        values = "".join(f", e.{name} AS {name}" for name, _ in columns)
        matched = f"MATCH (a)-[e:{rel}]->(b)" + (" WHERE 1 = 0" if rel in GUESSED else "")
        ends = "a.id AS `from`, b.id AS `to`"
        yield f"edges_{rel}.parquet", f"{matched} RETURN {ends}{values} ORDER BY a.{NUMBER}, b.{NUMBER}"


def _literal(path: Path) -> str:
    """`path` as a string of the engine's language."""
    text = path.as_posix().replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"
