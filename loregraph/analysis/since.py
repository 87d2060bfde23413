"""Restricts results to lines that changed since a revision, for `--since REV`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

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


def changed_share(path: str, start: int, end: int, changes: Mapping[str, ChangedFile]) -> float:
    """The share of the lines `start` to `end`, both included, that is new or changed, 0 to 1; removed lines do not
    count."""
    change = changes.get(path)
    if change is None or end < start:
        return 0.0
    lines = sum(max(0, min(end, last) - max(start, first) + 1) for first, last in change.new_ranges)
    return lines / (end - start + 1)
