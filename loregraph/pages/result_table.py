"""The rows of a query as cells of a table, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from loregraph.analysis.tracing.formats.csv_table import inert
from loregraph.graph.columns import GraphColumns
from loregraph.pages.links import Links
from loregraph.pages.node_address import address_of

LONGEST_CELL: Final = 400
"""Characters of a value that are shown."""
LONGEST_LIST: Final = 20
"""Values of a list, nodes of a path, that are shown."""
MOST_CELLS: Final = 6_000
"""Values that are shown of a result: rows beyond are counted."""
LONGEST_ID: Final = 1_000
"""Characters of a text that may be an id."""


class Cell(msgspec.Struct, frozen=True):
    """A value: a node with its label, an id that leads to a page, a number, or a text; several for a list.

    `cut` counts the characters or values that are left out.
    """

    kind: str
    text: str = ""
    label: str = ""
    address: str = ""
    cut: int = 0
    parts: tuple[Cell, ...] = ()


class Table(msgspec.Struct, frozen=True):
    """The rows that are shown; `left_out` counts the others. `numeric` says which columns are numbers alone."""

    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: int


def table_of(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], graph: GraphColumns, links: Links) -> Table:
    """A result as a table with at most `MOST_CELLS` values."""
    shown = rows[: max(1, MOST_CELLS // max(1, len(columns)))]
    cells = tuple(tuple(cell_of(row[name], graph, links) for name in columns) for row in shown)
    numeric = tuple(bool(cells) and all(row[i].kind == "number" for row in cells) for i in range(len(columns)))
    return Table(tuple(columns), numeric, cells, len(rows) - len(shown))


def cell_of(value: Any, graph: GraphColumns, links: Links) -> Cell:
    """A value of a result, as made by `graph.values.plain`."""
    if value is None:
        return Cell("none", "–")
    if isinstance(value, bool):
        return Cell("word", "true" if value else "false")
    if isinstance(value, int | float):
        return Cell("number", f"{value:,}" if isinstance(value, int) else f"{value:,.6g}")
    if isinstance(value, str):
        return _text(value, graph, links)
    if isinstance(value, list):
        return _several("list", value, graph, links)
    if isinstance(value, Mapping):
        return _mapping(value, graph, links)
    return Cell("text", str(value)[:LONGEST_CELL])


def _text(value: str, graph: GraphColumns, links: Links) -> Cell:
    node = graph.find_id(value) if 0 < len(value) <= LONGEST_ID else None
    address = "" if node is None else address_of(links, graph, node)
    return Cell("id" if address else "text", value[:LONGEST_CELL], "", address, max(0, len(value) - LONGEST_CELL))


def _mapping(value: Mapping[str, Any], graph: GraphColumns, links: Links) -> Cell:
    if isinstance(value.get("label"), str) and isinstance(value.get("id"), str):
        found = _text(value["id"], graph, links)
        return msgspec.structs.replace(found, kind="node", label=value["label"])
    if isinstance(value.get("rel"), str):
        facts = {name: item for name, item in value.items() if name != "rel" and item not in (None, "", [])}
        said = ", ".join(f"{name} {_short(item)}" for name, item in facts.items())
        return Cell("relationship", said[:LONGEST_CELL], value["rel"], cut=max(0, len(said) - LONGEST_CELL))
    if value.keys() == {"nodes", "rels"} and isinstance(value["nodes"], list):
        return _several("path", value["nodes"], graph, links)
    said = msgspec.json.encode(value).decode("utf-8", "replace")
    return Cell("text", said[:LONGEST_CELL], cut=max(0, len(said) - LONGEST_CELL))


def _several(kind: str, values: list[Any], graph: GraphColumns, links: Links) -> Cell:
    parts = tuple(cell_of(one, graph, links) for one in values[:LONGEST_LIST])
    return Cell(kind, cut=len(values) - len(parts), parts=parts)


def _short(value: Any) -> str:
    said = value if isinstance(value, str) else msgspec.json.encode(value).decode("utf-8", "replace")
    return said if len(said) <= 60 else said[:59] + "…"


def csv_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """RFC 4180: comma, quotes where needed, CRLF; lists, nodes and the like as JSON. A text that a spreadsheet would
    run as a formula has an apostrophe in front."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow([inert(name) for name in columns])
    for row in rows:
        table.writerow([inert(_plain(row[name])) for name in columns])
    return text.getvalue()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping | list):
        return msgspec.json.encode(value).decode("utf-8", "replace")
    return value
