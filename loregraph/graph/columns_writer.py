"""Writes a graph in memory as the columns of a generation (for their format see columns.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import numpy as np

from loregraph.errors import StoreError
from loregraph.graph.column_file import UNKNOWN, Array, ColumnFileWriter, narrow, offsets_of
from loregraph.graph.model import (
    LABELS,
    NODE_TYPES,
    RELATIONSHIP_PROPERTIES,
    RELATIONSHIPS,
    SCHEMA_VERSION,
    Edge,
    Graph,
    Node,
)

Value = TypeVar("Value")

COLUMNS_FILE: Final = "columns.bin"

RELS: Final = tuple(RELATIONSHIPS)
"""Relationship names by code."""
_REL_CODES: Final = {rel: code for code, rel in enumerate(RELS)}

_COMMON: Final = frozenset({"id", "name", "qualified_name", "path", "file_path", "kind", "language"})
_LINES: Final = frozenset({"start_line", "end_line", "line"})

OWN_FIELDS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    node_type.__name__: tuple(
        (field.name, str(node_type.__annotations__[field.name]))
        for field in msgspec.structs.fields(node_type)
        if field.name not in _COMMON and field.name not in _LINES
    )
    for node_type in NODE_TYPES
}
"""Label → (field, type) of the fields that only this label has; other fields are columns over all nodes."""

EXTRA: Final = frozenset({"names", "evidence", "similarity", "clone_type", "type", "support"})
"""Edge fields that only a few relationships have."""

MAY_BE_UNKNOWN: Final = "bool | None"
"""The type of a field that is stored as 1, 0 or `column_file.UNKNOWN`."""
_FEW_VALUES: Final = frozenset({"status", "priority", "scope", "state", "package", "generated"})


def _is_code(field: str) -> bool:
    """Whether a label's text field is stored as a code for each distinct value."""
    return field in _FEW_VALUES


class Dropped(msgspec.Struct, frozen=True):
    """Edges that were dropped because they violate the contract of `Graph`: a bug of its creator, never data."""

    duplicate: int = 0
    dangling: int = 0
    misplaced: int = 0

    @property
    def total(self) -> int:
        return self.duplicate + self.dangling + self.misplaced


class Written(msgspec.Struct, frozen=True):
    """The numbers of written rows and dropped edges."""

    nodes: int
    edges: int
    size_bytes: int
    dropped: Dropped = Dropped()


# Implements REQ-GRA-008.
def write_columns(folder: Path, graph: Graph, *, strict: bool = False) -> Written:
    """Write `graph` to `<folder>/columns.bin`.

    Node numbers are positions in `graph.nodes`. Edges that break the contract of `Graph` are dropped and counted; with
    `strict` they raise. Nodes out of order or twice always raise `StoreError`, since everything else in the generation
    (vectors, lexical index) is numbered by them.
    """
    nodes = graph.nodes
    ids = [node.id for node in nodes]
    if any(map(str.__ge__, ids, ids[1:])):
        raise StoreError("the nodes of a graph must be sorted by id and each id must be there once")
    writer = ColumnFileWriter()
    labels = label_codes(nodes)
    write_nodes(writer, nodes)
    edges, dropped = _write_edges(writer, graph.edges, ids, labels)
    if strict and dropped.total:
        raise StoreError(f"edges that break the contract of a graph: {dropped}")
    size = writer.write(
        folder / COLUMNS_FILE, {"schema": SCHEMA_VERSION, "nodes": len(nodes), "edges": edges, "rels": RELS}
    )
    return Written(len(nodes), edges, size, dropped)


def label_codes(nodes: Sequence[Node]) -> Array:
    """The label of each node as an index into `model.LABELS`."""
    code = {node_type: i for i, node_type in enumerate(NODE_TYPES)}
    return np.array([code[type(node)] for node in nodes], np.uint8)


def write_nodes(writer: ColumnFileWriter, nodes: Sequence[Node]) -> None:
    """Adds the columns of `nodes`, which are sorted by id."""
    labels = label_codes(nodes)
    names = [node.name for node in nodes]
    qualified = [node.qualified_name for node in nodes]
    writer.array("label", labels)
    writer.strings("id", [node.id for node in nodes])
    writer.strings("name", names)
    writer.strings("qualified_name", qualified)
    writer.index("by_name", names)
    writer.index("by_qualified_name", qualified)
    rows = np.zeros(len(nodes), np.int32)
    members: dict[str, list[Any]] = {}
    for code, label in enumerate(LABELS):
        where = np.flatnonzero(labels == code)
        rows[where] = np.arange(len(where))
        members[label] = [nodes[i] for i in where.tolist()]
    writer.array("row", rows)
    writer.codes("path", _text(nodes, "file_path", "path"))
    writer.codes("kind", _text(nodes, "kind"))
    writer.codes("language", _text(nodes, "language"))
    lines = _each(nodes, _LINES_OF)
    writer.array("start_line", np.array([start for start, _ in lines], np.int32))
    writer.array("end_line", np.array([end for _, end in lines], np.int32))
    for label, fields in OWN_FIELDS.items():
        for field, kind in fields:
            _write_field(writer, f"{label}.{field}", kind, list(map(attrgetter(field), members[label])))


def _write_field(writer: ColumnFileWriter, name: str, kind: str, values: list[Any]) -> None:
    if kind == "str":
        (writer.codes if _is_code(name.partition(".")[2]) else writer.strings)(name, values)
    elif kind.startswith("tuple"):
        writer.lists(name, values)
    elif kind == MAY_BE_UNKNOWN:
        writer.array(name, np.array([UNKNOWN if value is None else value for value in values], np.int8))
    else:
        writer.array(name, np.array(values, {"int": np.int32, "bool": np.bool_, "float": np.float64}[kind]))


def _text(nodes: Sequence[Node], *fields: str) -> list[str]:
    """The first of `fields` that a node's label has, "" where it has none."""

    def reader(node_type: type[Node]) -> Callable[[Any], str]:
        present = [field for field in fields if field in node_type.__struct_fields__]
        return attrgetter(present[0]) if present else lambda _node: ""

    return _each(nodes, {node_type: reader(node_type) for node_type in NODE_TYPES})


def _each(nodes: Sequence[Node], readers: Mapping[type[Node], Callable[[Any], Value]]) -> list[Value]:
    return [readers[type(node)](node) for node in nodes]


def _lines_of(node_type: type[Node]) -> Callable[[Any], tuple[int, int]]:
    fields = node_type.__struct_fields__
    if "start_line" in fields:
        return attrgetter("start_line", "end_line")
    if "line" in fields:
        return attrgetter("line", "line")
    if "lines" in fields:
        return lambda file: (1, max(1, file.lines))
    return lambda _node: (0, 0)


_LINES_OF: Final = {node_type: _lines_of(node_type) for node_type in NODE_TYPES}


def _write_edges(writer: ColumnFileWriter, edges: Sequence[Edge], ids: list[str], labels: Array) -> tuple[int, Dropped]:
    number = dict(zip(ids, range(len(ids)), strict=True))
    count = len(edges)
    source = np.array([number.get(edge.source, -1) for edge in edges], np.int32)
    target = np.array([number.get(edge.target, -1) for edge in edges], np.int32)
    rel = np.array([_REL_CODES.get(edge.rel, -1) for edge in edges], np.int16)
    there = (source >= 0) & (target >= 0)
    placed = there & (rel >= 0)
    placed[placed] = allowed_pairs()[rel[placed], labels[source[placed]], labels[target[placed]]]
    order = np.flatnonzero(placed)
    keys = sort_keys(source[order], rel[order], target[order], len(ids))
    order = order[np.unique(keys, return_index=True)[1]]
    dropped = Dropped(len(keys) - len(order), int(count - there.sum()), int(there.sum() - placed.sum()))

    edges = [edges[i] for i in order.tolist()]
    source, target, rel = source[order], target[order], rel[order].astype(np.uint8)
    writer.array("edge.target", target)
    writer.array("edge.rel", rel)
    writer.array("edge.line", narrow(np.array([edge.line for edge in edges], np.int32)))
    writer.array("edge.count", narrow(np.array([edge.count for edge in edges], np.int32)))
    writer.array("edge.unseen", narrow(np.array([edge.unseen for edge in edges], np.int32)))
    write_places(writer, np.arange(len(edges)), edges)
    confidences, codes = np.unique(np.array([edge.confidence for edge in edges], np.float64), return_inverse=True)
    writer.array("edge.confidence.codes", narrow(codes))
    writer.array("edge.confidence.values", confidences)
    writer.codes("edge.how", [edge.how for edge in edges])
    into = np.argsort(sort_keys(target, rel, source, len(ids))).astype(np.int32)
    writer.array("into.edges", into)
    writer.array("out.offsets", starts(source, len(ids)))
    writer.array("into.offsets", starts(target[into], len(ids)))

    with_extra = np.flatnonzero(has_extra(rel))
    writer.array("extra.edge", with_extra.astype(np.int32))
    write_extra(writer, [edges[i] for i in with_extra.tolist()])
    return len(order), dropped


def has_extra(rels: Array) -> Array:
    """Whether edges of these relationships, given as codes, have properties that only a few relationships have: such
    edges are stored separately, found by edge number."""
    return np.isin(rels, [_REL_CODES[name] for name, has in RELATIONSHIP_PROPERTIES.items() if EXTRA & {*has}])


EXTRA_COLUMNS: Final = (
    "extra.names",
    "extra.evidence",
    "extra.similarity",
    "extra.clone_type",
    "extra.type",
    "extra.support",
)
"""The columns that `write_extra` makes, in their order."""


def write_extra(writer: ColumnFileWriter, edges: Sequence[Edge]) -> None:
    """Adds the columns of the properties that only a few relationships have, for edges with such properties."""
    writer.lists("extra.names", [edge.names for edge in edges])
    writer.strings("extra.evidence", [edge.evidence for edge in edges])
    writer.array("extra.similarity", np.array([edge.similarity for edge in edges], np.float64))
    writer.codes("extra.clone_type", [edge.clone_type for edge in edges])
    writer.codes("extra.type", [edge.type for edge in edges])
    writer.array("extra.support", np.array([edge.support for edge in edges], np.int32))


def write_places(writer: ColumnFileWriter, numbers: Array, edges: Sequence[Edge]) -> None:
    """Adds the lines behind the first of edges with several; `numbers` are those of the edges. Few have any, so that
    they are kept apart, found by edge number."""
    several = [
        (number, edge.more_lines) for number, edge in zip(numbers.tolist(), edges, strict=True) if edge.more_lines
    ]
    writer.array("places.edge", np.array([number for number, _ in several], np.int32))
    writer.array("places.starts", offsets_of(np.array([len(more) for _, more in several], np.int64)))
    writer.array("places.lines", narrow(np.array([line for _, more in several for line in more], np.int32)))


def sort_keys(first: Array, rel: Array, last: Array, n: int) -> Array:
    """One integer per edge, sorting by (first, rel, last)."""
    return (first.astype(np.int64) * len(RELS) + rel) * n + last


def starts(sorted_rows: Array, n: int) -> Array:
    """The start of the items of each of `n` rows, and the end: `sorted_rows` has the row of each item, ascending."""
    return np.append(0, np.cumsum(np.bincount(sorted_rows, minlength=n))).astype(np.int32)


def allowed_pairs() -> Array:
    """Whether a relationship may connect two labels; shape (relationships, labels, labels)."""
    table = np.zeros((len(RELS), len(LABELS), len(LABELS)), np.bool_)
    for code, rel in enumerate(RELS):
        for source, target in RELATIONSHIPS[rel]:
            table[code, LABELS.index(source), LABELS.index(target)] = True
    return table
