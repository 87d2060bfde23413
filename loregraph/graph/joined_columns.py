"""Joins the columns of several generations to those of one, with edges between them.

Every id and path gets the name of its repository before it, so that the nodes of one stay together in the order of ids,
and all references by number are moved by a constant. Edges between repositories are the only ones that are sorted in.
Nothing is made node by node: the cost is that of copying the files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from loregraph import rooted
from loregraph.graph.column_file import Array, Codes, ColumnFile, ColumnFileWriter, narrow
from loregraph.graph.columns import GraphColumns
from loregraph.graph.columns_writer import (
    COLUMNS_FILE,
    EXTRA_COLUMNS,
    OWN_FIELDS,
    RELS,
    has_extra,
    sort_keys,
    starts,
    write_extra,
    write_places,
)
from loregraph.graph.generation import LEASE
from loregraph.graph.joined_rows import (
    KEPT,
    Order,
    join_codes,
    join_column,
    join_index,
    join_strings,
    joined,
    joined_ragged,
)
from loregraph.graph.model import LABELS, NO_FILES, SCHEMA_VERSION, Edge

SEPARATOR: Final = ":"
"""What stands between the name of a repository and an id."""
_ADDED: Final = "added.bin"
_PREFIXED: Final = frozenset({"Requirement.parents"})
"""Fields of single labels that hold ids."""


def prefix_of(name: str) -> str:
    """What stands before the ids of the repository `name`."""
    return name + SEPARATOR


def by_prefix(names: Collection[str]) -> list[str]:
    """Names in the order of the ids of their repositories."""
    return sorted(names, key=lambda name: prefix_of(name).encode())


def join_columns(
    folder: Path, members: Mapping[str, GraphColumns], edges: Sequence[Edge], gone: Mapping[str, Collection[int]]
) -> None:
    """Writes to `folder` the graphs of `members`, by name in the order of `by_prefix`.

    `edges` are added: their ends are ids with prefixes, and no two have the same relationship and ends. `gone` are the
    numbers of edges of each member that are left out.
    """
    columns = list(members.values())
    files = [ColumnFile(one.folder / COLUMNS_FILE) for one in columns]
    firsts = _firsts([one.node_count for one in columns])
    prefixes = [prefix_of(name).encode() for name in members]
    writer = ColumnFileWriter()
    _join_nodes(writer, files, columns, firsts, prefixes)
    added = _added(folder, edges)
    count = _join_edges(writer, [*files, added], members, firsts, edges, gone)
    rooted.remove(folder, added.path)
    nodes = sum(one.node_count for one in columns)
    writer.write(folder / COLUMNS_FILE, {"schema": SCHEMA_VERSION, "nodes": nodes, "edges": count, "rels": RELS})
    rooted.touch(folder, LEASE)


def _firsts(counts: Sequence[int]) -> list[int]:
    """The number of the first of each part's rows among all."""
    return [0, *np.cumsum(counts).tolist()][: len(counts)]


def _join_nodes(
    writer: ColumnFileWriter,
    files: Sequence[ColumnFile],
    columns: Sequence[GraphColumns],
    firsts: Sequence[int],
    prefixes: Sequence[bytes],
) -> None:
    labels = joined([one.labels for one in columns])
    writer.array("label", labels)
    join_strings(writer, "id", [file.strings("id") for file in files], prefixes)
    for name in ("name", "qualified_name"):
        join_strings(writer, name, [file.strings(name) for file in files])
    for name in ("by_name", "by_qualified_name"):
        join_index(writer, name, files, firsts)
    rows = np.zeros(len(labels), np.int32)
    for code in range(len(LABELS)):
        where = np.flatnonzero(labels == code)
        rows[where] = np.arange(len(where))
    writer.array("row", rows)
    parts = [_with_prefixes(one, prefix.decode()) for one, prefix in zip(columns, prefixes, strict=True)]
    join_codes(writer, "path", parts)
    for name in ("kind", "language", "start_line", "end_line"):
        join_column(writer, files, name)
    for label, fields in OWN_FIELDS.items():
        for field, _ in fields:
            name = f"{label}.{field}"
            join_column(writer, files, name, prefixes if name in _PREFIXED else ())


def _with_prefixes(columns: GraphColumns, prefix: str) -> Codes:
    """The paths of nodes with a prefix. No path stays none, and so does what is no path of a file."""
    paths = columns.paths
    kept = np.isin(columns.labels, [LABELS.index(label) for label in NO_FILES])
    used, codes = np.unique(paths.codes.astype(np.int64) + len(paths.values) * kept, return_inverse=True)
    written = [
        path if at >= len(paths.values) or not path else prefix + path
        for at, path in ((at, paths.values[at % len(paths.values)]) for at in used.tolist())
    ]
    return Codes(codes, written)


def _added(folder: Path, edges: Sequence[Edge]) -> ColumnFile:
    """The properties of `edges` as a file of columns like those of a generation."""
    writer = ColumnFileWriter()
    rels = np.array([RELS.index(edge.rel) for edge in edges], np.uint8)
    writer.array("edge.rel", rels)
    writer.array("edge.line", np.array([edge.line for edge in edges], np.int32))
    writer.array("edge.count", np.array([edge.count for edge in edges], np.int32))
    writer.array("edge.unseen", np.array([edge.unseen for edge in edges], np.int32))
    writer.array("edge.confidence.codes", np.arange(len(edges)))
    writer.array("edge.confidence.values", np.array([edge.confidence for edge in edges], np.float64))
    writer.codes("edge.how", [edge.how for edge in edges])
    write_places(writer, np.arange(len(edges)), edges)
    with_extra = np.flatnonzero(has_extra(rels))
    writer.array("extra.edge", with_extra.astype(np.int32))
    write_extra(writer, [edges[i] for i in with_extra.tolist()])
    writer.write(folder / _ADDED, {})
    return ColumnFile(folder / _ADDED)


def _join_edges(
    writer: ColumnFileWriter,
    files: Sequence[ColumnFile],
    members: Mapping[str, GraphColumns],
    firsts: Sequence[int],
    edges: Sequence[Edge],
    gone: Mapping[str, Collection[int]],
) -> int:
    """Adds the columns of the edges; returns their number. The last of `files` has the properties of `edges`."""
    columns = list(members.values())
    node_count = sum(one.node_count for one in columns)
    number = _numbering(members, firsts)
    parts = list(zip(columns, firsts, strict=True))
    source = joined(
        [
            *(one.source.astype(np.int64) + first for one, first in parts),
            np.array([number(edge.source) for edge in edges], np.int64),
        ]
    )
    target = joined(
        [
            *(one.target.astype(np.int64) + first for one, first in parts),
            np.array([number(edge.target) for edge in edges], np.int64),
        ]
    )
    rel = joined([file.array("edge.rel") for file in files])
    edge_firsts = _firsts([file.count("edge.rel") for file in files])
    order = KEPT
    if len(edges) or any(gone.values()):
        stays = np.ones(len(rel), np.bool_)
        for name, first in zip(members, edge_firsts, strict=False):
            stays[first + np.array(sorted(gone.get(name, ())), np.int64)] = False
        rows = np.argsort(sort_keys(source, rel, target, node_count), kind="stable")
        order = Order(rows[stays[rows]])
    now = order.numbers(len(rel))
    source, target, rel = order.array(source), order.array(target), order.array(rel)
    writer.array("edge.target", target.astype(np.int32))
    writer.array("edge.rel", rel)
    for name in ("edge.line", "edge.count", "edge.unseen"):
        writer.array(name, narrow(order.array(joined([file.array(name) for file in files]))))
    _join_places(writer, files, edge_firsts, now)
    values = [file.array("edge.confidence.values") for file in files]
    confidences = joined(
        [own[file.numbers("edge.confidence.codes", len(own))] for file, own in zip(files, values, strict=True)]
    )
    distinct, codes = np.unique(order.array(confidences), return_inverse=True)
    writer.array("edge.confidence.codes", narrow(codes))
    writer.array("edge.confidence.values", distinct)
    join_column(writer, files, "edge.how", order=order)
    into = np.argsort(sort_keys(target, rel, source, node_count), kind="stable").astype(np.int32)
    writer.array("into.edges", into)
    writer.array("out.offsets", starts(source, node_count))
    writer.array("into.offsets", starts(target[into], node_count))
    with_extra, rare = _moved(files, "extra.edge", edge_firsts, now)
    writer.array("extra.edge", with_extra)
    for name in EXTRA_COLUMNS:
        join_column(writer, files, name, order=rare)
    return len(rel)


def _numbering(members: Mapping[str, GraphColumns], firsts: Sequence[int]) -> Callable[[str], int]:
    """The number of the node with an id, which must be there."""
    places = dict(zip(members, firsts, strict=True))

    def number(id: str) -> int:
        name, _, own = id.partition(SEPARATOR)
        node, is_there = members[name].place_of(own)
        if not is_there:
            raise KeyError(id)
        return places[name] + node

    return number


def _join_places(writer: ColumnFileWriter, files: Sequence[ColumnFile], firsts: Sequence[int], now: Array) -> None:
    """Adds the lines behind the first: see `write_places`."""
    numbers, rows = _moved(files, "places.edge", firsts, now)
    writer.array("places.edge", numbers)
    lines = [(file.array("places.starts"), file.array("places.lines").astype(np.int32)) for file in files]
    offsets, items = rows.ragged(*joined_ragged(lines))
    writer.array("places.starts", offsets)
    writer.array("places.lines", narrow(items))


def _moved(files: Sequence[ColumnFile], name: str, firsts: Sequence[int], now: Array) -> tuple[Array, Order]:
    """The new numbers of the edges in an array of edge numbers, ascending, and which rows these are."""
    numbers = now[
        joined([file.array(name).astype(np.int64) + first for file, first in zip(files, firsts, strict=True)])
    ]
    rows = np.argsort(numbers, kind="stable")
    rows = rows[numbers[rows] >= 0]
    return numbers[rows].astype(np.int32), Order(rows)
