"""Restricts results to lines that changed since a revision, for `--since REV`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping

import numpy as np

from loregraph.git import ChangedFile
from loregraph.graph.columns import GraphColumns


def overlaps(path: str, start: int, end: int, changes: Mapping[str, ChangedFile]) -> bool:
    """Whether a changed line of the file `path` as it is now is within `start` to `end`, both included.

    Where lines were only removed, the one before them counts. An `end` of 0 means the whole file.
    """
    change = changes.get(path)
    if change is None:
        return False
    if end <= 0:
        return True
    ranges = change.new_ranges
    # The ranges ascend and do not overlap: only the first that does not end before `start` matters.
    at = bisect_left(ranges, start, key=lambda lines: lines[1])
    return at < len(ranges) and ranges[at][0] <= end


def touched(columns: GraphColumns, changes: Mapping[str, ChangedFile]) -> set[int]:
    """The nodes with a changed line, and all changed files.

    A container of a touched node (its class, its file) is touched too, if the change is within its lines.
    """
    codes = [code for code, path in enumerate(columns.paths.values) if path in changes]
    nodes = np.flatnonzero(np.isin(columns.paths.codes, codes)).tolist()
    found = set()
    for node in nodes:
        if columns.label(node) == "File" or (
            columns.end_line[node] > 0
            and overlaps(columns.path(node), int(columns.start_line[node]), int(columns.end_line[node]), changes)
        ):
            found.add(node)
    return found


def changed_symbols(columns: GraphColumns, changes: Mapping[str, ChangedFile]) -> list[int]:
    """The functions and classes with a changed line, in order of id: of a class, or a function with others in it, only
    where the line is in none of its members."""
    found = [node for node in sorted(touched(columns, changes)) if columns.label(node) in ("Function", "Class")]
    among = set(found)
    return [node for node in found if _is_touched_itself(columns, node, changes, among)]


def _is_touched_itself(
    columns: GraphColumns, node: int, changes: Mapping[str, ChangedFile], among: Collection[int]
) -> bool:
    members = [end for end in columns.target[columns.out(node, "CONTAINS")].tolist() if end in among]
    if not members:
        return True
    spans = sorted((int(columns.start_line[end]), int(columns.end_line[end])) for end in members)
    start, end = int(columns.start_line[node]), int(columns.end_line[node])
    for first, last in changes[columns.path(node)].new_ranges:
        line, stop = max(first, start), min(last, end)
        for span_first, span_last in spans:
            if span_first <= line <= span_last:
                line = span_last + 1
        if line <= stop:
            return True
    return False


def changed_share(path: str, start: int, end: int, changes: Mapping[str, ChangedFile]) -> float:
    """The share of the lines `start` to `end`, both included, that is new or changed, 0 to 1; removed lines do not
    count."""
    change = changes.get(path)
    if change is None or end < start:
        return 0.0
    lines = sum(max(0, min(end, last) - max(start, first) + 1) for first, last in change.new_ranges)
    return lines / (end - start + 1)
