"""Exports of the whole graph: rows for JSON lines, GraphML and networkx, in the order of the columns."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import GUESSED, OF_HISTORY, RELATIONSHIP_PROPERTIES

if TYPE_CHECKING:
    import networkx

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_LEFT_OUT: Final = frozenset({"path", "line"}) | OF_HISTORY


def text(columns: GraphColumns, form: str, *, ascii_only: bool = False) -> Iterator[str]:
    """The graph in `form`, "jsonl" (one piece per line) or "graphml", in pieces. Raises UsageError for another form."""
    if form == "jsonl":
        return json_lines(columns, ascii_only)
    if form == "graphml":
        return graphml_lines(columns)
    raise UsageError(f"there is no format {form!r}", "use jsonl or graphml")


def json_lines(columns: GraphColumns, ascii_only: bool) -> Iterator[str]:
    """A line of JSON for each node, then for each edge."""
    for row in rows(columns):
        yield json.dumps(row, ensure_ascii=ascii_only) + "\n"


def graphml_lines(columns: GraphColumns) -> Iterator[str]:
    """The lines of the GraphML document, which is written to a file of its own first."""
    with tempfile.TemporaryDirectory(prefix="loregraph-") as folder:
        file = Path(folder) / "graph.graphml"
        write_graphml(columns, file)
        with file.open(encoding="utf-8") as lines:
            yield from lines


# Implements REQ-CLI-010.
def rows(columns: GraphColumns) -> Iterator[dict[str, Any]]:
    """One plain dict per node, then one per edge, what git's history says left out.

    A node: type, label, id, name, qualified_name, file_path, start_line, end_line, then the other fields of its label.
    An edge: type, rel, from, to, line, confidence, how, then the other fields of its relationship.
    """
    for number in range(columns.node_count):
        yield _node_row(columns, number)
    for number in range(columns.edge_count):
        if columns.rel(number) not in GUESSED:
            yield _edge_row(columns, number)


def _node_row(columns: GraphColumns, number: int) -> dict[str, Any]:
    row = {
        "type": "node",
        "label": columns.label(number),
        "id": columns.id(number),
        "name": columns.name(number),
        "qualified_name": columns.qualified_name(number),
        "file_path": columns.path(number),
        "start_line": int(columns.start_line[number]),
        "end_line": int(columns.end_line[number]),
    }
    own = msgspec.structs.asdict(columns.node(number))
    row.update((field, value) for field, value in own.items() if field not in row and field not in _LEFT_OUT)
    return row


def _edge_row(columns: GraphColumns, number: int) -> dict[str, Any]:
    edge = columns.edge(number)
    row: dict[str, Any] = {
        "type": "edge",
        "rel": edge.rel,
        "from": edge.source,
        "to": edge.target,
        "line": edge.line,
        "confidence": edge.confidence,
        "how": edge.how,
    }
    # `type` is "edge" here: the relationship property of that name is renamed.
    names = {"type": "relation_type"}
    for field in RELATIONSHIP_PROPERTIES[edge.rel]:
        row.setdefault(names.get(field, field), getattr(edge, field))
    return row


def to_networkx(columns: GraphColumns) -> networkx.MultiDiGraph[str]:
    """The graph for networkx: nodes by id with their row's fields, edges keyed by relationship with theirs."""
    import networkx  # takes .25 s

    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for row in rows(columns):
        values = {k: v for k, v in row.items() if k not in ("type", "id", "from", "to", "rel")}
        if row["type"] == "node":
            graph.add_node(row["id"], **values)
        else:
            graph.add_edge(row["from"], row["to"], row["rel"], rel=row["rel"], **values)
    return graph


def write_graphml(columns: GraphColumns, path: Path) -> None:
    """Write GraphML to `path`. Lists, which GraphML lacks, are joined with commas; characters that XML forbids are
    removed, and what is not known is left out."""
    import networkx

    graph = to_networkx(columns)
    for _, values in graph.nodes(data=True):
        _to_graphml(values)
    for _, _, values in graph.edges(data=True):
        _to_graphml(values)
    networkx.write_graphml_xml(graph, path)


def _to_graphml(values: dict[str, Any]) -> None:
    for name, value in list(values.items()):
        if value is None:
            del values[name]
        elif isinstance(value, list | tuple):
            values[name] = _xml(",".join(map(str, value)))
        elif isinstance(value, str):
            values[name] = _xml(value)


def _xml(text: str) -> str:
    return text if text.isprintable() else _NOT_XML.sub("", text)
