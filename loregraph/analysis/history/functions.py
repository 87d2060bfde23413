"""Which functions of the graph the commits of a history changed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from loregraph.analysis.history import log
from loregraph.analysis.history.line_map import LINES, Version, Walk, file_of
from loregraph.analysis.history.past import Past
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS

MOST_FUNCTIONS: Final = 30
"""Functions of a commit above which it is a mass edit."""


@dataclass(frozen=True, slots=True)
class Change:
    """A commit that counts. `functions` and `files` are numbers of nodes, ascending."""

    name: str
    author: str
    seconds: int
    functions: tuple[int, ...]
    files: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """The commits that changed something of the graph, the latest first; `left_out` are the numbers of the others that
    were looked at, by reason: merge, first, mass, unread."""

    commits: tuple[Change, ...]
    left_out: Mapping[str, int]


# Implements REQ-HIS-002.
def changes(root: Path, columns: GraphColumns, past: Past) -> Changes:
    """The changes of the history `past` of `root` by the functions and files of the graph, whose lines are those of the
    files on disk."""
    places = _Places(root, columns, past)
    found: list[Change] = []
    left_out: dict[str, int] = {}
    for commit in past.commits:
        kind = commit.kind
        functions = places.functions(commit.lines)
        if not kind and len(functions) > MOST_FUNCTIONS:
            kind = "mass"
        if kind:
            left_out[kind] = left_out.get(kind, 0) + 1
            continue
        files = places.files(commit.files)
        if functions or files:
            found.append(Change(commit.name, commit.author, commit.seconds, functions, files))
    return Changes(tuple(found), left_out)


class _Places:
    """Functions and files of the graph by the lines and files of a history."""

    def __init__(self, root: Path, columns: GraphColumns, past: Past) -> None:
        self._past = past
        self._paths = list(columns.paths.values)
        self._files = [columns.find_id(path) for path in self._paths]
        self._number = {path: number for number, path in enumerate(self._paths)}
        self._by_line = functions_by_line(columns)
        self._walk = Walk(self._paths)
        self._version: Version = {}
        """The version at HEAD, in the lines of the files on disk."""
        self._walk.back(self._version, log.uncommitted(root, past.head))

    def files(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """The nodes of files of the history, which are those of the graph with their lines."""
        found = {self._file(self._past.files[number]) for number in numbers}
        return tuple(sorted(node for node in found if node is not None))

    def _file(self, path: str) -> int | None:
        lines = self._version.get(path)
        number = self._number.get(path) if lines is None else file_of(lines)
        return None if number is None else self._files[number]

    def functions(self, ranges: Sequence[int]) -> tuple[int, ...]:
        """The innermost functions around any of the lines in `ranges`."""
        found: set[int] = set()
        for first, last in zip(ranges[::2], ranges[1::2], strict=True):
            number = first // LINES
            start, end = first - number * LINES, last - number * LINES
            path = self._past.files[number]
            if path in self._version:
                for owner in self._version[path].part(start, end):
                    functions = self._by_line.get(self._paths[owner // LINES]) if owner else None
                    if functions is not None:
                        found.update(functions[owner % LINES : owner % LINES + 1])
            elif path in self._by_line:
                found.update(self._by_line[path][start : end + 1])
        found.discard(-1)
        return tuple(sorted(found))


def functions_by_line(columns: GraphColumns) -> dict[str, array[int]]:
    """Path → for each line the number of the innermost function around it, -1 for none; position 0 is no line."""
    numbers = np.flatnonzero(columns.labels == LABELS.index("Function"))
    starts, ends = columns.start_line[numbers], columns.end_line[numbers]
    found: dict[str, array[int]] = {}
    for at in np.lexsort((-ends, starts)).tolist():
        node, start, end = int(numbers[at]), int(starts[at]), int(ends[at])
        lines = found.setdefault(columns.path(node), array("q"))
        if len(lines) <= end:
            lines.extend([-1] * (end + 1 - len(lines)))
        lines[start : end + 1] = array("q", [node]) * (end + 1 - start)
    return found
