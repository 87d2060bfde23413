"""The columns of a generation as the Arrow tables that the engine's bulk load takes; text is not copied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from loregraph.graph import schema
from loregraph.graph.column_file import Array, Codes, Column, Lists, Strings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS, RELATIONSHIPS

if TYPE_CHECKING:
    import pyarrow as pa


def tables(columns: GraphColumns) -> Iterator[tuple[str, pa.Table]]:
    """(what to copy into, Arrow table) for every node table and pair of labels that has rows."""
    import pyarrow as pa  # heavy: only writers need it

    for label in LABELS:
        numbers = columns.nodes(label)
        if len(numbers):
            fields = {schema.NUMBER: pa.array(numbers, pa.int64())}
            for name, _ in schema.NODE_COLUMNS[label]:
                column, own = columns.column(label, name)
                fields[name] = _arrow(column, None if own else numbers)
            yield f"{label} FROM $rows", pa.table(fields)
    for rel, pairs in RELATIONSHIPS.items():
        edges = columns.edges(rel)
        source_labels, target_labels = columns.labels[columns.source[edges]], columns.labels[columns.target[edges]]
        for source, target in pairs:
            here = edges[(source_labels == LABELS.index(source)) & (target_labels == LABELS.index(target))]
            if len(here):
                fields = {"from": pa.array(columns.source[here], pa.int64())}
                fields["to"] = pa.array(columns.target[here], pa.int64())
                for name, _ in schema.REL_COLUMNS[rel]:
                    fields[name] = _arrow(*columns.edge_column(name, here))
                yield f"{rel} FROM $rows (from='{source}', to='{target}')", pa.table(fields)


def _arrow(column: Column, rows: Array | None) -> pa.Array:
    """A column, or some rows of it, as Arrow; strings without copying them."""
    import pyarrow as pa

    if isinstance(column, Codes):
        codes = column.codes if rows is None else column.codes[rows]
        return pa.array(column.values, pa.string()).take(pa.array(codes.astype(np.int32)))
    if isinstance(column, Strings):
        small = column.offsets.dtype == np.int32
        kind = pa.StringArray if small else pa.LargeStringArray
        array = kind.from_buffers(len(column), pa.py_buffer(column.offsets), pa.py_buffer(column.content))
    elif isinstance(column, Lists):
        items = _arrow(column.items, None)
        kind = pa.ListArray if column.lists.dtype == np.int32 else pa.LargeListArray
        array = kind.from_arrays(pa.array(column.lists), items)
    else:
        wide = column.astype(np.int64) if column.dtype.kind in "iu" else column
        return pa.array(wide if rows is None else wide[rows])
    return array if rows is None else array.take(pa.array(rows))
