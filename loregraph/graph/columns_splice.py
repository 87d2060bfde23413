"""Makes the columns of the next generation from the current ones, with some nodes and edges added, removed or changed.

The result equals what `columns_writer.write_columns` writes for the changed graph, byte for byte, at the cost of
copying the file. Nodes are numbered by id and edges by their ends, so unchanged ones keep their order, and references
by number are mapped without sorting again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from loregraph import rooted
from loregraph.graph.change import GraphChange
from loregraph.graph.column_file import Array, ColumnFile, ColumnFileWriter, narrow
from loregraph.graph.columns import GraphColumns
from loregraph.graph.columns_writer import (
    COLUMNS_FILE,
    EXTRA_COLUMNS,
    OWN_FIELDS,
    RELS,
    allowed_pairs,
    has_extra,
    label_codes,
    sort_keys,
    starts,
    write_extra,
    write_nodes,
    write_places,
)
from loregraph.graph.generation import LEASE
from loregraph.graph.model import LABELS, SCHEMA_VERSION, Edge, Node
from loregraph.graph.row_splice import RowSplice, recoded, splice_codes, splice_column, splice_index

_NODE_COLUMNS: Final = ("label", "id", "name", "qualified_name", "path", "kind", "language", "start_line", "end_line")


class Spliced(Struct, frozen=True):
    """The renumbering of nodes: the new number of each old node (-1: removed), new numbers of added or changed nodes by
    id, and the number of nodes."""

    numbers: Array
    changed: Mapping[str, int]
    nodes: int

    @property
    def is_numbered_alike(self) -> bool:
        """Whether no node was renumbered."""
        return len(self.numbers) == self.nodes and bool((self.numbers >= 0).all())

    def number(self, columns: GraphColumns, identity: str) -> int | None:
        """The new number of a node in the old `columns`."""
        found = self.changed.get(identity)
        if found is None and (old := columns.find_id(identity)) is not None:
            found = int(self.numbers[old])
        return None if found == -1 else found


# Implements REQ-IDX-012.
def splice_columns(columns: GraphColumns, folder: Path, change: GraphChange) -> Spliced | None:
    """Writes to `folder` the graph of `columns` with `change`.

    None, and nothing written, where the result could differ from that of `write_columns`: a node changes its label, an
    edge occurs twice, an end is missing, or a text is not valid UTF-8.
    """
    file = ColumnFile(columns.folder / COLUMNS_FILE)
    nodes = sorted(change.nodes, key=lambda node: node.id)
    come = ColumnFileWriter()
    try:
        "".join(chain.from_iterable(map(_texts, nodes))).encode()
        write_nodes(come, nodes)
    except UnicodeEncodeError:
        return None
    rows, numbers = _node_rows(columns, nodes, change.gone_nodes)
    if rows is None:
        return None
    changed = dict(zip([node.id for node in nodes], rows.come().tolist(), strict=True))
    writer = ColumnFileWriter()
    for name in file.names:  # in their order
        writer.array(name, file.array(name))
    labels = rows.array(columns.labels, label_codes(nodes))
    _splice_nodes(writer, file, come, rows, numbers, columns, labels)
    edges = _splice_edges(writer, file, columns, change, numbers, changed, labels)
    if edges is None:
        return None
    writer.write(
        folder / COLUMNS_FILE, {"schema": SCHEMA_VERSION, "nodes": rows.new_count, "edges": edges, "rels": RELS}
    )
    rooted.touch(folder, LEASE)
    return Spliced(numbers, changed, rows.new_count)


def _node_rows(columns: GraphColumns, nodes: Sequence[Node], gone: Sequence[int]) -> tuple[RowSplice | None, Array]:
    """The rows of nodes that are written anew, and the new number of each old node."""
    replaced: list[int] = []
    came: list[int] = []
    before: list[int] = []
    for node in nodes:
        number, found = columns.place_of(node.id)
        before.append(number)
        if not found:
            came.append(number)
            continue
        if columns.label(number) != type(node).__name__:
            return None, np.empty(0, np.int64)
        replaced.append(number)
    count = columns.node_count
    vanished = _numbers(gone)
    away = np.union1d(vanished, _numbers(replaced))
    if len(away) < len(vanished) + len(replaced) or any(a.id == b.id for a, b in pairwise(nodes)):
        return None, np.empty(0, np.int64)
    at = _numbers(before)
    rows = RowSplice(count, away, at - away.searchsorted(at))
    arrived = _numbers(came)
    return rows, RowSplice(count, vanished, arrived - vanished.searchsorted(arrived)).numbers()


def _splice_nodes(
    writer: ColumnFileWriter,
    file: ColumnFile,
    come: ColumnFileWriter,
    rows: RowSplice,
    numbers: Array,
    columns: GraphColumns,
    labels: Array,
) -> None:
    for name in _NODE_COLUMNS:
        splice_column(writer, file, come, name, rows)
    away = np.zeros(rows.count, np.bool_)
    away[rows.gone] = True
    new_rows = rows.come()
    for name in ("by_name", "by_qualified_name"):
        hashes, owners = splice_index(
            file.array(f"{name}.hashes"),
            file.array(f"{name}.rows"),
            away,
            numbers,
            come.added(f"{name}.hashes"),
            new_rows[come.added(f"{name}.rows")],
        )
        writer.array(f"{name}.hashes", hashes)
        writer.array(f"{name}.rows", owners)
    placed = np.zeros(len(labels), np.int32)
    came = come.added("label")
    left = rows.at  # the index among the remaining nodes
    for code, label in enumerate(LABELS):
        where = np.flatnonzero(labels == code)
        placed[where] = np.arange(len(where))
        own = columns.labels == code
        members = np.flatnonzero(own)
        own_gone = np.flatnonzero(away[members])
        stay = np.delete(members, own_gone)
        # The remaining nodes, by their indexes among the remaining.
        stay = stay - rows.gone.searchsorted(stay)
        own_rows = RowSplice(len(members), own_gone, stay.searchsorted(left[came == code]))
        for field, _ in OWN_FIELDS[label]:
            splice_column(writer, file, come, f"{label}.{field}", own_rows)
    writer.array("row", placed)


def _splice_edges(
    writer: ColumnFileWriter,
    file: ColumnFile,
    columns: GraphColumns,
    change: GraphChange,
    numbers: Array,
    changed: Mapping[str, int],
    labels: Array,
) -> int | None:
    """Adds the columns of the edges and returns their number; None where an edge is invalid."""
    count = len(labels)
    stays = np.ones(columns.edge_count, np.bool_)
    gone = np.unique(_numbers(change.gone_edges))
    stays[gone] = False
    source, target = numbers[columns.source[stays]], numbers[columns.target[stays]]
    if (source < 0).any() or (target < 0).any():
        return None
    rel = columns.rel_codes[stays]
    keys = sort_keys(source, rel, target, count)
    new = _new_edges(columns, change.edges, numbers, changed, labels)
    if new is None:
        return None
    edges, come_source, come_rel, come_target = new
    come_keys = sort_keys(come_source, come_rel, come_target, count)
    at = keys.searchsorted(come_keys)
    inside = at < len(keys)
    if (keys[at[inside]] == come_keys[inside]).any() or (come_keys[1:] == come_keys[:-1]).any():
        return None
    rows = RowSplice(columns.edge_count, gone, at)
    new_numbers = rows.come()
    kept = rows.numbers()

    all_source, all_target = np.insert(source, at, come_source), np.insert(target, at, come_target)
    all_rel = np.insert(rel, at, come_rel)
    writer.array("edge.target", all_target.astype(np.int32))
    writer.array("edge.rel", all_rel.astype(np.uint8))
    for name in ("line", "count", "unseen"):
        own = np.array([getattr(edge, name) for edge in edges], np.int32)
        writer.array(f"edge.{name}", narrow(rows.array(file.array(f"edge.{name}").astype(np.int32), own)))
    _splice_places(writer, file, edges, stays, kept, new_numbers)
    confidences = [edge.confidence for edge in edges]
    codes, values = recoded(
        rows,
        file.array("edge.confidence.codes"),
        file.array("edge.confidence.values").tolist(),
        np.arange(len(edges)),
        confidences,
    )
    writer.array("edge.confidence.codes", narrow(codes))
    writer.array("edge.confidence.values", np.array(values, np.float64))
    hows = columns.hows
    splice_codes(writer, "edge.how", rows, hows.codes, hows.values, np.arange(len(edges)), [e.how for e in edges])

    into = columns.into_edges
    into = kept[into[stays[into]]]
    come_into = np.argsort(sort_keys(come_target, come_rel, come_source, count))
    places = sort_keys(all_target[into], all_rel[into], all_source[into], count)
    come_places = sort_keys(come_target, come_rel, come_source, count)[come_into]
    into = np.insert(into, places.searchsorted(come_places), new_numbers[come_into])
    writer.array("into.edges", into.astype(np.int32))
    writer.array("out.offsets", starts(all_source, count))
    writer.array("into.offsets", starts(all_target[into], count))

    with_extra = file.array("extra.edge")
    extra_gone = np.flatnonzero(~stays[with_extra])
    left = kept[np.delete(with_extra, extra_gone)]
    come_extra = np.flatnonzero(has_extra(come_rel))
    extra_rows = RowSplice(len(with_extra), extra_gone, left.searchsorted(new_numbers[come_extra]))
    come = ColumnFileWriter()
    write_extra(come, [edges[i] for i in come_extra.tolist()])
    writer.array("extra.edge", np.insert(left, extra_rows.at, new_numbers[come_extra]).astype(np.int32))
    for name in EXTRA_COLUMNS:
        splice_column(writer, file, come, name, extra_rows)
    return rows.new_count


def _splice_places(
    writer: ColumnFileWriter, file: ColumnFile, edges: Sequence[Edge], stays: Array, kept: Array, new_numbers: Array
) -> None:
    """Adds the lines behind the first: see `write_places`."""
    come = ColumnFileWriter()
    write_places(come, new_numbers, edges)
    with_places, arrived = file.array("places.edge"), come.added("places.edge")
    gone = np.flatnonzero(~stays[with_places])
    left = kept[np.delete(with_places, gone)]
    rows = RowSplice(len(with_places), gone, left.searchsorted(arrived))
    writer.array("places.edge", np.insert(left, rows.at, arrived).astype(np.int32))
    offsets, lines = rows.ragged(
        file.array("places.starts"),
        file.array("places.lines").astype(np.int32),
        come.added("places.starts"),
        come.added("places.lines").astype(np.int32),
    )
    writer.array("places.starts", offsets)
    writer.array("places.lines", narrow(lines))


def _new_edges(
    columns: GraphColumns, edges: Sequence[Edge], numbers: Array, changed: Mapping[str, int], labels: Array
) -> tuple[list[Edge], Array, Array, Array] | None:
    """The added edges in order, with the numbers of their ends and the codes of their relationships, without those that
    `write_columns` would drop too. None where an end is missing."""
    ends: dict[str, int] = dict(changed)
    found: list[tuple[int, int, int]] = []
    code = {rel: i for i, rel in enumerate(RELS)}
    for edge in edges:
        for identity in (edge.source, edge.target):
            if identity not in ends:
                number = columns.find_id(identity)
                ends[identity] = -1 if number is None else int(numbers[number])
        found.append((ends[edge.source], code[edge.rel], ends[edge.target]))
    ordered = sorted(zip(found, range(len(edges)), strict=True))
    table = np.array([row for row, _ in ordered], np.int64).reshape(-1, 3)
    source, rel, target = table.T
    if (table < 0).any():
        return None
    allowed = allowed_pairs()[rel, labels[source], labels[target]]
    own = [edges[i] for (_, i), placed in zip(ordered, allowed.tolist(), strict=True) if placed]
    return own, source[allowed], rel[allowed], target[allowed]


def _texts(node: Node) -> Iterator[str]:
    return (text for text in astuple(node) if isinstance(text, str))


def _numbers(values: Sequence[int]) -> Array:
    return np.array(sorted(values), np.int64)
