"""The page of a file: its outline, its source with a link at every call, what it imports and who imports it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from loregraph.errors import NotFoundError
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns
from loregraph.pages import neighbours
from loregraph.pages.links import LINES_OF_A_PAGE
from loregraph.pages.page import Page
from loregraph.pages.source import anchor, name_of
from loregraph.viewer.asked import Asked
from loregraph.viewer.known_of_code import folders_of, results, written_about
from loregraph.viewer.shown_source import elsewhere, shown_source

MOST_EXPORTED: Final = 10_000
"""Lines of a file in an export, which has one page for each."""
MOST_SYMBOLS: Final = 400
"""Symbols of a file in its outline, and described below it."""
MOST_LISTED: Final = 60
MOST_NEIGHBOURS: Final = 12
"""Callers, and callees, named of each symbol of a file."""


@dataclass(frozen=True)
class Entry:
    """A symbol of the outline; `depth` is 0 at the top of the file. `anchor` is that of its name in the source."""

    id: str
    name: str
    kind: str
    line: int
    depth: int
    anchor: str
    callers: int
    callees: int
    is_test: bool


@dataclass(frozen=True)
class Described:
    """A symbol with its callers and callees, for a page that stands for those of its symbols. Of tests there are no
    callees: their source has a link for each, and the lists would be a quarter of an export."""

    entry: Entry
    callers: neighbours.Brief
    callees: neighbours.Brief | None


@dataclass(frozen=True)
class Imported:
    """The other end of an import: a file, a component, or a symbol outside; `names` are what is imported."""

    id: str
    label: str
    line: int
    names: tuple[str, ...]


def file_page(asked: Asked) -> Page:
    """The page of the file `path`; `line` chooses the part of one that is too long to show."""
    columns = asked.project.reader().columns
    path = asked.value("path").removeprefix("./")
    node = columns.find_id(path)
    if node is None or columns.label(node) != "File":
        near = [one for one in queries.nearest(columns, path, ("File",)) if one != path] if path else []
        hint = f"did you mean {', '.join(near)}?" if near else "look for it in the search"
        raise NotFoundError(f"the graph has no file {path!r}", hint)
    symbols = queries.within(columns, node)[1:]
    symbols.sort(key=lambda one: (int(columns.start_line[one]), one))
    first = _first_line(asked)
    most = LINES_OF_A_PAGE if asked.writes else MOST_EXPORTED
    entries = [_entry(columns, node, one) for one in symbols[:MOST_SYMBOLS]]
    is_test = asked.project.reader().roles.is_test_file
    # An export has no page for each symbol: they are described on this one.
    described = () if asked.writes else tuple(_described(columns, entries, is_test, is_test(path)))
    about = {one.entry.id: f"#{quote('about.' + one.entry.anchor)}" for one in described}
    shown = shown_source(
        asked,
        path,
        first,
        first + most - 1,
        [node, *symbols],
        defined=symbols,
        anchors=True,
        about=None if asked.writes else lambda id: about.get(id, ""),
    )
    return Page(
        path,
        "file.html",
        {
            "path": path,
            "folders": folders_of(path),
            "language": columns.language(node),
            "status": columns.own(node, "status"),
            "generated": columns.own(node, "generated"),
            "problems": tuple(columns.own(node, "problems") or ()),
            "calls": {name: columns.own(node, f"calls_{name}") or 0 for name in ("resolved", "external", "unresolved")},
            "entries": entries,
            "more_entries": len(symbols) - len(entries),
            "described": described,
            "shown": shown,
            "first": first,
            "pages": _pages(shown.total) if asked.writes else (),
            "elsewhere": elsewhere(asked, path, first if first > 1 else 0, 0),
            "imports": _imports(columns, node, outward=True),
            "imported_by": _imports(columns, node, outward=False),
            "most_listed": MOST_LISTED,
            "tests": _tests_of(columns, symbols),
            "results": results(asked),
            "requirements": _requirements(columns, [node, *symbols]),
            "memories": written_about(asked, path),
            "is_test_file": is_test(path),
            "name_of": name_of,
        },
    )


def _first_line(asked: Asked) -> int:
    """The first line of the part of the file with the line asked for."""
    line = asked.number("line", 1, 10_000_000)
    return 1 if not asked.writes else max(0, line - 1) // LINES_OF_A_PAGE * LINES_OF_A_PAGE + 1


def _pages(total: int) -> tuple[tuple[int, int], ...]:
    """(first, last) line of each part of a file that has several."""
    if total <= LINES_OF_A_PAGE:
        return ()
    return tuple((first, min(first + LINES_OF_A_PAGE - 1, total)) for first in range(1, total + 1, LINES_OF_A_PAGE))


def _entry(columns: GraphColumns, file: int, node: int) -> Entry:
    id = columns.id(node)
    depth, at = -1, node
    while at != file and len(edges := columns.into(at, "CONTAINS")):
        at, depth = int(columns.source[edges[0]]), depth + 1
    return Entry(
        id,
        columns.name(node),
        columns.kind(node),
        int(columns.start_line[node]),
        max(depth, 0),
        anchor(id),
        len(columns.into(node, "CALLS")),
        len(columns.out(node, "CALLS")),
        bool(columns.own(node, "is_test")),
    )


def _described(
    columns: GraphColumns, entries: Iterable[Entry], is_test: neighbours.IsTest, callers_only: bool
) -> Iterable[Described]:
    for entry in entries:
        node = columns.find_id(entry.id)
        if node is None or not (entry.callers or (entry.callees and not callers_only)):
            continue
        callers, callees = (
            neighbours.brief(columns, node, is_test, MOST_NEIGHBOURS, outward=outward) for outward in (False, True)
        )
        yield Described(entry, callers, None if callers_only else callees)


def _imports(columns: GraphColumns, node: int, *, outward: bool) -> list[Imported]:
    found = []
    for edge in (columns.out if outward else columns.into)(node, "IMPORTS").tolist():
        record = columns.edge(edge)
        end = int((columns.target if outward else columns.source)[edge])
        found.append(Imported(columns.id(end), columns.label(end), record.line, record.names))
    return sorted(found, key=lambda one: (one.label == "External", one.id))


def _tests_of(columns: GraphColumns, symbols: Sequence[int]) -> list[tuple[str, int]]:
    """(path, number) of the files whose tests test a symbol of this one, those with the most first."""
    tests = {test for one in symbols for test in columns.source[columns.into(one, "TESTS")].tolist()}
    found: dict[str, int] = {}
    for test in tests:
        found[columns.path(test)] = found.get(columns.path(test), 0) + 1
    return sorted(found.items(), key=lambda row: (-row[1], row[0]))


def _requirements(columns: GraphColumns, nodes: Iterable[int]) -> list[tuple[str, str, str]]:
    """(requirement, title, symbol) of what the code in the file carries out, and of those defined in it."""
    found = []
    for node in nodes:
        for edge in columns.out(node, "IMPLEMENTS_REQ").tolist():
            target = int(columns.target[edge])
            found.append((columns.id(target), str(columns.own(target, "title") or ""), columns.id(node)))
    return sorted(set(found))
