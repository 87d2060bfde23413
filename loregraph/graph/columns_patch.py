"""The columns of a generation → those of the next one, where nodes and edges stay and only some of their fields change.

What comes out is what `columns_writer.write_columns` writes for the changed graph, byte for byte, at the cost of
copying the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from loregraph import rooted
from loregraph.graph.column_file import ColumnFile, ColumnFileWriter
from loregraph.graph.columns import GraphColumns
from loregraph.graph.columns_writer import COLUMNS_FILE, LINES_OF, OWN_FIELDS, is_code, narrow
from loregraph.graph.generation import LEASE
from loregraph.graph.model import Node

_FIXED: Final = ("id", "name", "qualified_name", "path", "file_path", "kind", "language")
"""What many columns and indexes are made of: a node that changes one of these is another node."""


def patch_columns(
    columns: GraphColumns,
    folder: Path,
    nodes: Sequence[Node],
    lines: Mapping[int, int],
    evidence: Mapping[int, str] | None = None,
) -> bool:
    """Write to `folder` the graph of `columns` with `nodes` in place of those with their ids.

    `lines` maps numbers of edges to their new lines, `evidence` to what they now rest on. False, and nothing written,
    where that would change more than plain fields of nodes that are there.
    """
    file = ColumnFile(columns.folder / COLUMNS_FILE)
    writer = ColumnFileWriter()
    for name in file.names:
        writer.array(name, file.array(name))
    texts: defaultdict[str, dict[int, str]] = defaultdict(dict)
    lists: defaultdict[str, dict[int, Sequence[str]]] = defaultdict(dict)
    plain: defaultdict[str, dict[int, Any]] = defaultdict(dict)
    for node in nodes:
        number = columns.find_id(node.id)
        if number is None:
            return False
        before = columns.node(number)
        if type(before) is not type(node):
            return False
        if any(getattr(before, field, "") != getattr(node, field, "") for field in _FIXED):
            return False
        label = type(node).__name__
        row = int(columns.row(number))
        plain["start_line"][number], plain["end_line"][number] = LINES_OF[type(node)](node)
        for field, kind in OWN_FIELDS[label]:
            value = getattr(node, field)
            if value == getattr(before, field):
                continue
            if is_code(field):
                return False
            changed = texts if kind == "str" else lists if kind.startswith("tuple") else plain
            changed[f"{label}.{field}"][row] = value
    if evidence:
        edges = np.array(sorted(evidence), np.int32)
        _, rows_of = columns.edge_column("evidence", edges)
        texts["extra.evidence"] = {
            row: evidence[edge] for edge, row in zip(edges.tolist(), rows_of.tolist(), strict=True)
        }
    for name, rows in texts.items():
        writer.replace_strings(name, rows)
    for name, replaced in lists.items():
        values: list[Sequence[str]] = list(file.lists(name).all())
        for row, items in replaced.items():
            values[row] = items
        writer.lists(name, values)
    for name, numbers in plain.items():
        array = file.array(name).copy()
        array[list(numbers)] = list(numbers.values())
        writer.array(name, array)
    if lines:
        moved = file.array("edge.line").astype(np.int32)
        moved[list(lines)] = list(lines.values())
        writer.array("edge.line", narrow(moved))
    writer.write(folder / COLUMNS_FILE, file.meta)
    rooted.touch(folder, LEASE)
    return True
