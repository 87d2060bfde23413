"""Callers and callees of a symbol for a page: grouped by file, the surest first, folded and counted beyond a few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from loregraph.graph.columns import GraphColumns, Numbers
from loregraph.pages.source import name_of

MOST_FILES: Final = 24
MOST_OF_A_FILE: Final = 12
"""Neighbours described of one file; the rest is counted."""
MOST_PLACES: Final = 6
OUTSIDE: Final = ""
"""The path of the group of symbols outside the project."""

IsTest = Callable[[str], bool]
"""Whether a path is of tests."""


@dataclass(frozen=True)
class Neighbour:
    """A caller or callee. `lines` are places in the caller's file, at most `MOST_PLACES`; `more_lines` the rest."""

    id: str
    name: str
    lines: tuple[int, ...]
    more_lines: int
    how: str
    confidence: float


@dataclass(frozen=True)
class FileOfNeighbours:
    """The neighbours in one file, `OUTSIDE` for those of libraries; `more` are not described."""

    path: str
    is_test: bool
    rows: tuple[Neighbour, ...]
    more: int


@dataclass(frozen=True)
class Side:
    """All callers, or all callees. `total` counts edges; `more` is the number of those in the `more_files` files that
    are not described. `in_tests` counts those in files of tests."""

    total: int
    files: tuple[FileOfNeighbours, ...]
    more_files: int
    more: int
    in_tests: int

    @property
    def all_files(self) -> int:
        return sum(one.path != OUTSIDE for one in self.files) + self.more_files


@dataclass(frozen=True)
class Brief:
    """The first callers or callees of a symbol, those in the project alone; `total` counts all, also outside."""

    rows: tuple[Neighbour, ...]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


def brief(columns: GraphColumns, node: int, is_test: IsTest, most: int, *, outward: bool) -> Brief:
    """The callees of a definition, else its callers: those of its own file first, then those of the product."""
    found = side(columns, [node], is_test, most, outward=outward)
    rows = [row for file in found.files if file.path != OUTSIDE for row in file.rows]
    return Brief(tuple(rows[:most]), found.total)


def side(
    columns: GraphColumns, group: Sequence[int], is_test: IsTest, most_files: int = MOST_FILES, *, outward: bool
) -> Side:
    """What the definitions `group` call, else what calls them; files beyond `most_files` are counted."""
    edges = [edge for one in group for edge in (columns.out if outward else columns.into)(one, "CALLS").tolist()]
    if not edges:
        return Side(0, (), 0, 0, 0)
    ends: Numbers = (columns.target if outward else columns.source)[edges]
    by_file: dict[int, list[tuple[int, int]]] = {}
    for edge, end, code in zip(edges, ends.tolist(), columns.paths.codes[ends].tolist(), strict=True):
        by_file.setdefault(code, []).append((edge, end))
    own = columns.path(group[0])
    described = []
    for code, rows in by_file.items():
        path = columns.paths.values[code]
        test = path != OUTSIDE and is_test(path)
        described.append(((path == OUTSIDE, path != own, test, path), rows))
    described.sort(key=lambda one: one[0])
    shown, rest = described[:most_files], described[most_files:]
    return Side(
        len(edges),
        tuple(_file(columns, path, test, rows) for (_, _, test, path), rows in shown),
        len(rest),
        sum(len(rows) for _, rows in rest),
        sum(len(rows) for (_, _, test, _), rows in described if test),
    )


def _file(columns: GraphColumns, path: str, test: bool, rows: Sequence[tuple[int, int]]) -> FileOfNeighbours:
    ordered = sorted(rows, key=lambda row: (int(columns.line[row[0]]), row[1]))
    found = []
    for edge, end in ordered[:MOST_OF_A_FILE]:
        lines, id = columns.lines(edge), columns.id(end)
        name = name_of(id) if "::" in id or path == OUTSIDE else "the file's own code"
        how, confidence = columns.how(edge), float(columns.confidence[edge])
        more = max(0, len(lines) - MOST_PLACES)
        found.append(Neighbour(id, name, lines[:MOST_PLACES], more, how, confidence))
    return FileOfNeighbours(path, test, tuple(found), len(rows) - len(found))
