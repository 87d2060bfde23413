"""Short reads of one generation for display: a file's summary, docstrings of results."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from loregraph.graph.columns import GraphColumns


class FileSummary(msgspec.Struct, frozen=True):
    """A file's summary. `relationships` counts edges out of the file and its contents."""

    path: str
    status: str
    content_hash: str
    functions: int
    classes: int
    relationships: int
    problems: tuple[str, ...]


def file_summary(columns: GraphColumns, path: str) -> FileSummary | None:
    """The summary of the file with that id, None where the graph does not have it."""
    node = columns.find_id(path)
    if node is None or columns.label(node) != "File":
        return None
    within = [node]
    for member in within:
        within.extend(columns.target[columns.out(member, "CONTAINS")].tolist())
    labels = [columns.label(member) for member in within]
    return FileSummary(
        path,
        columns.own(node, "status"),
        columns.own(node, "content_hash"),
        labels.count("Function"),
        labels.count("Class"),
        sum(len(columns.out(member)) for member in within),
        tuple(columns.own(node, "problems") or ()),
    )


def docstrings(columns: GraphColumns, ids: Iterable[str]) -> list[str]:
    """The docstring of each id, "" where there is none."""
    nodes = [columns.find_id(one) for one in ids]
    return [columns.docstring(node) if node is not None else "" for node in nodes]
