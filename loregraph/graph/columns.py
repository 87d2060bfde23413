"""The graph of one generation as columns in memory-mapped arrays, for fast reads.

Nodes are numbered 0…n-1 in the order of their ids, edges 0…m-1 in the order (source, relationship, target). Adjacency
is compressed sparse rows: the edges out of node i are `out_offsets[i]` to `out_offsets[i + 1]`; those into it are
`into_edges` between `into_offsets[i]` and `into_offsets[i + 1]`, ordered by (relationship, source). Needs only numpy;
opening costs a few milliseconds, and all processes that map a generation share its memory.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from loregraph.errors import StoreError
from loregraph.graph.column_file import (
    Answers,
    Array,
    Codes,
    Column,
    ColumnFile,
    Index,
    Lists,
    NumberLists,
    StoredColumn,
    Strings,
    offsets_of,
)
from loregraph.graph.columns_writer import (
    COLUMNS_FILE,
    EXTRA,
    MAY_BE_UNKNOWN,
    OWN_FIELDS,
    Dropped,
    Written,
    write_columns,
)
from loregraph.graph.model import LABELS, NODE_TYPES, SCHEMA_VERSION, Edge, Node
from loregraph.graph.sections import damaged

__all__ = ["COLUMNS_FILE", "Dropped", "GraphColumns", "Written", "write_columns"]

Numbers = npt.NDArray[np.int32]
"""Node or edge numbers."""

_LAST: Final = chr(0x10FFFF)
_SEPARATORS: Final = ("::", "/", ".", ":")
_FIELD_NAMES: Final = {
    node_type.__name__: tuple(field.name for field in msgspec.structs.fields(node_type)) for node_type in NODE_TYPES
}
_OWN_NAMES: Final = {label: frozenset(name for name, _ in fields) for label, fields in OWN_FIELDS.items()}
_MAY_BE_UNKNOWN: Final = {
    (label, name) for label, fields in OWN_FIELDS.items() for name, kind in fields if kind == MAY_BE_UNKNOWN
}
_TYPES: Final = dict(zip(LABELS, NODE_TYPES, strict=True))
_NODE_ARRAYS: Final = ("label", "row", "start_line", "end_line", "by_name.rows", "by_qualified_name.rows", "path.codes")
_EDGE_ARRAYS: Final = (
    *("edge.target", "edge.rel", "edge.line", "edge.count", "edge.unseen", "edge.how.codes", "into.edges"),
)
"""Columns with a row for every node or edge."""


class GraphColumns:
    """Reads of one generation; immutable and safe to share between threads.

    Raises `StoreError` on opening where the columns are missing, damaged or of another schema, and `DamagedStoreError`
    from any read of damaged data.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = self._file = ColumnFile(folder / COLUMNS_FILE)
        if file.meta.get("schema") != SCHEMA_VERSION:
            raise StoreError(f"{file.path} is of another schema", "run `loregraph index` to build it again")
        self.node_count: int = file.meta["nodes"]
        self.edge_count: int = file.meta["edges"]
        self.rels: tuple[str, ...] = tuple(file.meta["rels"])
        """Relationship names by code."""
        for count, names in ((self.node_count, _NODE_ARRAYS), (self.edge_count, _EDGE_ARRAYS)):
            if any(file.count(name) != count for name in names):
                raise damaged(file.path, f"its columns are not of {self.node_count} nodes and {self.edge_count} edges")
        self._rel_code = {rel: code for code, rel in enumerate(self.rels)}
        self._ids = file.strings("id")
        self._names = file.strings("name")
        self._qualified_names = file.strings("qualified_name")
        self._columns: dict[str, dict[str, tuple[Column, bool]]] = {}

    @classmethod
    def open(cls, folder: Path) -> GraphColumns:
        """The columns of the generation in `folder`."""
        return cls(folder)

    # one node

    def id(self, node: int) -> str:
        return self._ids[node]

    def name(self, node: int) -> str:
        return self._names[node]

    def qualified_name(self, node: int) -> str:
        return self._qualified_names[node]

    def label(self, node: int) -> str:
        return LABELS[int(self.labels[node])]

    def path(self, node: int) -> str:
        """The file or folder the node is in, "" where it has none."""
        return self.paths[node]

    def kind(self, node: int) -> str:
        """`kind` of the node; the label in lower case where the label has none."""
        return self.kinds[node] or self.label(node).lower()

    def language(self, node: int) -> str:
        return self.languages[node]

    def own(self, node: int, field: str) -> Any:
        """A field that only some labels have (`signature`, `docstring`, `is_test`, …), None where this label lacks
        it."""
        column, own = self._columns_of(self.label(node)).get(field, (None, False))
        return _plain(column[self._row[node]]) if own and column is not None else None

    def row(self, node: int) -> int:
        """The index of a node among those of its label."""
        return int(self._row[node])

    def signature(self, node: int) -> str:
        return self.own(node, "signature") or ""

    def docstring(self, node: int) -> str:
        return self.own(node, "docstring") or ""

    def node(self, node: int) -> Node:
        """The node as a record of the model."""
        label = self.label(node)
        row = self._row[node]
        columns = self._columns_of(label).values()
        return _TYPES[label](*[_plain(column[row if own else node]) for column, own in columns])

    # looking up

    def find_id(self, text: str) -> int | None:
        """The node with the id `text`."""
        first, found = self.place_of(text)
        return first if found else None

    def place_of(self, text: str) -> tuple[int, bool]:
        """The first node whose id is not less than `text`, and whether it equals `text`."""
        wanted = text.encode("utf-8", "replace")
        first = self._first_id(wanted)
        return first, first < self.node_count and self._ids.raw(first) == wanted

    def ids_with(self, prefix: str) -> tuple[int, int]:
        """The range of nodes whose ids begin with `prefix`: first, last + 1."""
        wanted = prefix.encode("utf-8", "replace")
        return self._first_id(wanted), self._first_id(wanted + b"\xff")

    def _first_id(self, wanted: bytes) -> int:
        """The first node whose id is not less than `wanted`, or the number of nodes."""
        ids = self._ids
        low, high = 0, self.node_count
        while low < high:
            middle = (low + high) // 2
            if ids.raw(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def find_name(self, text: str) -> list[int]:
        """Every node named `text`, in order of id."""
        return self._by_name.find(text)

    def find_qualified_name(self, text: str) -> list[int]:
        """Every node whose qualified name is `text`, in order of id."""
        return self._by_qualified_name.find(text)

    def find_symbol(self, text: str, labels: Collection[str] = LABELS) -> list[int]:
        """The nodes with one of `labels` denoted by `text`, in order of id: an id, else a qualified name, else a name
        or the end of an id or a qualified name at a boundary (`Flask.run`, `app.py::Flask.run`, `flask/app.py`)."""
        if (exact := self.find_id(text)) is not None and self.label(exact) in labels:
            return [exact]
        if found := [node for node in self.find_qualified_name(text) if self.label(node) in labels]:
            return found
        last = {text} | {text.rpartition(separator)[2] for separator in _SEPARATORS}
        last |= {name.partition("#")[0] for name in last}
        candidates = {node for name in last if name for node in self.find_name(name)}
        return sorted(
            node
            for node in candidates
            if self.label(node) in labels
            and (
                self.name(node) == text
                or _ends(self.id(node), text)
                or _ends(self.qualified_name(node), text)
                or self._is_in(node, text)
            )
        )

    def _is_in(self, node: int, text: str) -> bool:
        """Whether `text` is a file and a name in it, in the form of an id without the number that ids of assigned
        functions have."""
        path, separator, name = text.partition("::")
        return bool(separator) and _ends(self.path(node), path) and _ends(self.qualified_name(node), name)

    def nodes(
        self,
        label: str | None = None,
        kind: str | None = None,
        language: str | None = None,
        path: str | None = None,
    ) -> Numbers:
        """Numbers of the nodes that match all given criteria, ascending. `path` is a file or a folder; of several
        repositories (`joined_columns`) also the name of one with its colon."""
        mask = np.ones(self.node_count, np.bool_)
        if label is not None:
            mask &= self.labels == (LABELS.index(label) if label in LABELS else -1)
        for column, wanted in ((self.kinds, kind), (self.languages, language)):
            if wanted is not None:
                mask &= column.codes == (column.values.index(wanted) if wanted in column.values else -1)
        if path is not None and (folder := path.strip("/")) not in ("", "."):
            below, end = (folder, folder + _LAST) if folder.endswith(":") else (folder + "/", folder + "0")
            first, last = bisect_left(self.paths.values, folder), bisect_left(self.paths.values, end)
            within = [v == folder or v.startswith(below) for v in self.paths.values[first:last]]
            codes = first + np.flatnonzero(np.array(within, np.bool_))
            mask &= np.isin(self.paths.codes, codes)
        return np.flatnonzero(mask).astype(np.int32)

    def symbols(self) -> Numbers:
        """Numbers of the functions and classes, ascending."""
        codes = (LABELS.index("Function"), LABELS.index("Class"))
        return np.flatnonzero((self.labels == codes[0]) | (self.labels == codes[1])).astype(np.int32)

    @cached_property
    def generated(self) -> dict[str, str]:
        """Path → the reason why a file is not the project's own writing (generated, minified, vendored), for such
        files."""
        reasons = _values(self._columns_of("File")["generated"][0])  # in the order of the files
        return {
            self.path(node): reason for node, reason in zip(self.nodes("File").tolist(), reasons, strict=True) if reason
        }

    def label_counts(self) -> dict[str, int]:
        """Label → number of nodes, for every label."""
        return dict(zip(LABELS, np.bincount(self.labels, minlength=len(LABELS)).tolist(), strict=True))

    def rel_counts(self) -> dict[str, int]:
        """Relationship → number of edges, for every relationship."""
        return dict(zip(self.rels, np.bincount(self.rel_codes, minlength=len(self.rels)).tolist(), strict=True))

    # edges

    def out(self, node: int, rel: str | None = None) -> Numbers:
        """Numbers of the edges out of `node`, of one relationship or of all, ordered by (relationship, target)."""
        first, last = self.out_offsets[node : node + 2].tolist()
        if rel is not None:
            codes, code = self.rel_codes[first:last], self._rel_code[rel]
            first, last = first + codes.searchsorted(code), first + codes.searchsorted(code, "right")
        return np.arange(first, last, dtype=np.int32)

    def into(self, node: int, rel: str | None = None) -> Numbers:
        """Numbers of the edges into `node`, of one relationship or of all, ordered by (relationship, source)."""
        first, last = self.into_offsets[node : node + 2].tolist()
        edges = self.into_edges[first:last]
        if rel is not None:
            codes, code = self.rel_codes[edges], self._rel_code[rel]
            edges = edges[codes.searchsorted(code) : codes.searchsorted(code, "right")]
        return edges

    def edges(self, rel: str) -> Numbers:
        """Numbers of all edges of one relationship, ascending."""
        return np.flatnonzero(self.rel_codes == self._rel_code[rel]).astype(np.int32)

    def rel(self, edge: int) -> str:
        return self.rels[int(self.rel_codes[edge])]

    def how(self, edge: int) -> str:
        return self.hows[edge]

    def lines(self, edge: int) -> tuple[int, ...]:
        """The lines of an edge, ascending and each once: all of a CALLS edge, else at most one."""
        line = int(self.line[edge])
        return (line, *self._more_lines(edge)) if line else ()

    def _more_lines(self, edge: int) -> tuple[int, ...]:
        with_places, lines = self._places
        row = int(with_places.searchsorted(edge))
        return lines[row] if row < len(with_places) and with_places[row] == edge else ()

    def edge(self, edge: int) -> Edge:
        """The edge as a record of the model."""
        plain = Edge(
            rel=self.rel(edge),
            source=self.id(int(self.source[edge])),
            target=self.id(int(self.target[edge])),
            line=int(self.line[edge]),
            count=int(self.count[edge]),
            confidence=float(self.confidence[edge]),
            how=self.how(edge),
            more_lines=self._more_lines(edge),
            unseen=int(self.unseen[edge]),
        )
        with_extra, names, evidence, similarity, clone_type, relation, support = self._extra
        row = int(with_extra.searchsorted(edge))
        if row == len(with_extra) or with_extra[row] != edge:
            return plain
        return msgspec.structs.replace(
            plain,
            names=names[row],
            evidence=evidence[row],
            similarity=float(similarity[row]),
            clone_type=clone_type[row],
            type=relation[row],
            support=int(support[row]),
        )

    # bulk reads

    def all_nodes(self) -> Iterator[Node]:
        """Every node in order of number; faster than `node` one by one."""
        nodes: list[Node | None] = [None] * self.node_count
        for label in LABELS:
            numbers = self.nodes(label)
            if len(numbers):
                fields = [
                    _values(column) if own else [column[i] for i in numbers.tolist()]
                    for column, own in self._columns_of(label).values()
                ]
                for number, values in zip(numbers.tolist(), zip(*fields, strict=True), strict=True):
                    nodes[number] = _TYPES[label](*map(_plain, values))
        return (node for node in nodes if node is not None)

    def all_edges(self) -> Iterator[Edge]:
        """Every edge in order of number; faster than `edge` one by one."""
        ids, rels = self._ids.all(), self.rels
        with_extra = set(self._extra[0].tolist())
        with_places, places = self._places
        more = dict(zip(with_places.tolist(), places.all(), strict=True))
        columns = (self.rel_codes, self.source, self.target, self.line, self.count, self.confidence, self.unseen)
        rows = zip(*(column.tolist() for column in columns), self.hows.all(), strict=True)
        for number, (rel, source, target, line, count, confidence, unseen, how) in enumerate(rows):
            if number in with_extra:
                yield self.edge(number)
            else:
                lines = more.get(number, ())
                yield Edge(
                    rels[rel], ids[source], ids[target], line, count, confidence, how, more_lines=lines, unseen=unseen
                )

    def all_ids(self) -> list[str]:
        return self._ids.all()

    def all_names(self) -> list[str]:
        return self._names.all()

    def is_intact(self) -> bool:
        """Whether the file is as written, byte for byte; reads all of it."""
        return self._file.is_intact()

    # columns: read, and checked, on first use

    @cached_property
    def labels(self) -> Array:
        """Label code (index into `model.LABELS`) of each node."""
        return self._file.numbers("label", len(LABELS))

    @cached_property
    def start_line(self) -> Numbers:
        """First line of each node, 0 where there is none; `end_line` is the last one."""
        return self._file.array("start_line")

    @cached_property
    def end_line(self) -> Numbers:
        return self._file.array("end_line")

    @cached_property
    def _row(self) -> Numbers:
        return self._file.numbers("row", self.node_count)

    @cached_property
    def _by_name(self) -> Index:
        return self._file.index("by_name", self._names)

    @cached_property
    def _by_qualified_name(self) -> Index:
        return self._file.index("by_qualified_name", self._qualified_names)

    @cached_property
    def target(self) -> Numbers:
        """Node number of the target of each edge; `source` is that of its source."""
        return self._file.numbers("edge.target", self.node_count)

    @cached_property
    def rel_codes(self) -> Array:
        """Relationship code (index into `rels`) of each edge."""
        return self._file.numbers("edge.rel", len(self.rels))

    @cached_property
    def line(self) -> Array:
        """First line of each edge in the source's file, 0 where there is none; `count` is the number of places, and
        `lines` has those of one edge."""
        return self._file.array("edge.line")

    @cached_property
    def count(self) -> Array:
        return self._file.array("edge.count")

    @cached_property
    def unseen(self) -> Array:
        """In how many tests each edge could have been seen and was not: see `model.Edge`."""
        return self._file.array("edge.unseen")

    @cached_property
    def out_offsets(self) -> Numbers:
        return self._file.bounds("out.offsets", self.edge_count)

    @cached_property
    def into_offsets(self) -> Numbers:
        return self._file.bounds("into.offsets", self.edge_count)

    @cached_property
    def into_edges(self) -> Numbers:
        return self._file.numbers("into.edges", self.edge_count)

    @cached_property
    def source(self) -> Numbers:
        """Node number of the source of each edge."""
        source = np.repeat(np.arange(self.node_count, dtype=np.int32), np.diff(self.out_offsets))
        source.flags.writeable = False
        return source

    @cached_property
    def confidence(self) -> npt.NDArray[np.float64]:
        """Confidence of each edge, 0 to 1."""
        values = self._file.array("edge.confidence.values")
        confidence: npt.NDArray[np.float64] = values[self._file.numbers("edge.confidence.codes", len(values))]
        confidence.flags.writeable = False
        return confidence

    @cached_property
    def paths(self) -> Codes:
        """File or folder of each node."""
        return self._file.codes("path")

    @cached_property
    def kinds(self) -> Codes:
        """Kind of each node, "" for labels that have none."""
        return self._file.codes("kind")

    @cached_property
    def languages(self) -> Codes:
        """Language of each node, "" for labels that have none."""
        return self._file.codes("language")

    @cached_property
    def hows(self) -> Codes:
        """The way in which each edge was found."""
        return self._file.codes("edge.how")

    def column(self, label: str, field: str) -> tuple[Column, bool]:
        """A field of a label as a column; whether its rows are only the nodes of that label, in order of number."""
        return self._columns_of(label)[field]

    def edge_column(self, field: str, edges: Numbers) -> tuple[StoredColumn, Array]:
        """A field of `edges`, all of one relationship, as a column with the rows of these edges."""
        if field in EXTRA:
            return self._file.column(f"extra.{field}"), self._extra[0].searchsorted(edges)
        if field == "lines":
            return self._all_lines, edges
        common: dict[str, StoredColumn]
        common = {
            "line": self.line,
            "count": self.count,
            "confidence": self.confidence,
            "how": self.hows,
            "unseen": self.unseen,
        }
        return common[field], edges

    @cached_property
    def _places(self) -> tuple[Numbers, NumberLists]:
        """The edges with several lines, ascending, and the lines behind the first of each."""
        file = self._file
        edges, lines = file.numbers("places.edge", self.edge_count), file.array("places.lines")
        starts = file.bounds("places.starts", len(lines))
        if len(starts) != len(edges) + 1 or (edges[1:] <= edges[:-1]).any():
            raise damaged(file.path, f"its places are not of {len(edges)} edges")
        return edges, NumberLists(starts, lines)

    @cached_property
    def _all_lines(self) -> NumberLists:
        """The lines of every edge."""
        with_places, more = self._places
        has_line = self.line > 0
        lengths = has_line.astype(np.int64)
        lengths[with_places] += np.diff(more.lists)
        starts = offsets_of(lengths)
        lines = np.zeros(int(starts[-1]), np.int32)
        is_first = np.zeros(len(lines), np.bool_)
        is_first[starts[:-1][has_line]] = True
        lines[is_first] = self.line[has_line]
        lines[~is_first] = more.items
        return NumberLists(starts, lines)

    @cached_property
    def _extra(self) -> tuple[Numbers, Lists, Strings, Array, Codes, Codes, Array]:
        file = self._file
        return (
            file.array("extra.edge"),
            file.lists("extra.names"),
            file.strings("extra.evidence"),
            file.array("extra.similarity"),
            file.codes("extra.clone_type"),
            file.codes("extra.type"),
            file.array("extra.support"),
        )

    def _columns_of(self, label: str) -> dict[str, tuple[Column, bool]]:
        """The columns of a label's fields in the order of the model; whether each is indexed by row of the label."""
        found = self._columns.get(label)
        if found is None:
            shared: dict[str, Column] = {
                "id": self._ids,
                "name": self._names,
                "qualified_name": self._qualified_names,
                "path": self.paths,
                "file_path": self.paths,
                "kind": self.kinds,
                "language": self.languages,
                "start_line": self.start_line,
                "line": self.start_line,
                "end_line": self.end_line,
            }
            own = _OWN_NAMES[label]
            found = self._columns[label] = {
                name: (self._own_column(label, name), True) if name in own else (shared[name], False)
                for name in _FIELD_NAMES[label]
            }
        return found

    def _own_column(self, label: str, name: str) -> Column:
        column = self._file.column(f"{label}.{name}")
        return Answers(column) if (label, name) in _MAY_BE_UNKNOWN and isinstance(column, np.ndarray) else column


def _values(column: Column) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else column.all()


def _plain(value: Any) -> Any:
    """A numpy scalar as a Python value."""
    return value.item() if isinstance(value, np.generic) else value


def _ends(whole: str, end: str) -> bool:
    """Whether `whole` ends with `end` at a boundary between names."""
    return whole == end or (whole.endswith(end) and whole[: len(whole) - len(end)].endswith((".", "/", ":")))
