"""The page of a symbol: its source between its callers and callees, and all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.component_lookup import around
from loregraph.errors import UsageError
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns
from loregraph.graph.groups import lead
from loregraph.graph.model import CODE, MENTION
from loregraph.indexer.languages.policies import family_of
from loregraph.pages import history as commits
from loregraph.pages import neighbours, rings
from loregraph.pages.checkout import checkout
from loregraph.pages.page import Answer, Moved, Page, Part
from loregraph.pages.source import name_of
from loregraph.viewer.asked import Asked
from loregraph.viewer.known_of_code import Results, component_of, folders_of, results, written_about
from loregraph.viewer.shown_source import elsewhere, shown_source

MOST_LINES: Final = 500
"""Lines of a symbol shown on its page; the page of the file has all."""
MOST_LISTED: Final = 60
MOST_TESTS: Final = 40
COPIES_FROM: Final = 0.6
"""Similarity from which on a function is named as a copy."""


@dataclass(frozen=True)
class Near:
    """A symbol connected to the one shown. `how` is "" where the relationship says it all."""

    id: str
    name: str
    path: str
    line: int
    how: str = ""
    confidence: float = 1.0


@dataclass(frozen=True)
class Related:
    """The symbols of one relationship, at most `MOST_LISTED`; `more` counts the rest."""

    title: str
    rows: tuple[Near, ...]
    more: int


@dataclass(frozen=True)
class Test:
    """A test that reaches the symbol through `distance` further calls; `result` is "" where no run is known."""

    id: str
    name: str
    path: str
    line: int
    distance: int
    result: str


@dataclass(frozen=True)
class Reason:
    """A requirement or design that the symbol, or `through` what contains it, carries out."""

    id: str
    title: str
    through: str
    how: str
    confidence: float
    evidence: str


_RELATED: Final = (
    ("EXTENDS", True, "Extends"),
    ("IMPLEMENTS", True, "Implements"),
    ("EXTENDS", False, "Extended by"),
    ("IMPLEMENTS", False, "Implemented by"),
    ("OVERRIDES", True, "Overrides"),
    ("OVERRIDES", False, "Overridden by"),
    ("CONTAINS", True, "Members"),
    ("REFERENCES", True, "Names without calling"),
    ("REFERENCES", False, "Named, not called, by"),
    ("TESTS", True, "Tests"),
)


# Implements REQ-WEB-004.
def symbol_page(asked: Asked) -> Answer:
    """The page of the function or class `id`; other nodes have pages of their own, to which it leads."""
    columns = asked.project.reader().columns
    group = queries.resolve_group(columns, _named(asked))
    node = lead(columns, group)
    if moved := _page_of_its_own(asked, columns, node):
        return Moved(moved)
    id, path = columns.id(node), columns.path(node)
    first, end = int(columns.start_line[node]), int(columns.end_line[node])
    inside = queries.within(columns, node)
    shown = shown_source(
        asked, path, first, min(end, first + MOST_LINES - 1), inside, defined=(one for one in inside if one != node)
    )
    is_test = asked.project.reader().roles.is_test_file
    ran = results(asked)
    reached = rings.reached(columns, group)
    tests = _tests(columns, group, ran)
    return Page(
        name_of(id),
        "symbol.html",
        {
            "id": id,
            "kind": columns.kind(node),
            "language": columns.language(node),
            "path": path,
            "line": first,
            "end_line": end,
            "signature": columns.signature(node),
            "docstring": columns.docstring(node),
            "complexity": columns.own(node, "complexity"),
            "modifiers": columns.own(node, "modifiers") or (),
            "decorators": columns.own(node, "decorators") or (),
            "is_test": bool(columns.own(node, "is_test")),
            "containers": _containers(columns, node),
            "folders": folders_of(path),
            "definitions": tuple(columns.id(one) for one in group if one != node),
            "shown": shown,
            "elsewhere": elsewhere(asked, path, first, end),
            "callers": neighbours.side(columns, group, is_test, outward=False),
            "callees": neighbours.side(columns, group, is_test, outward=True),
            "hidden_callers": asked.project.impact_report(id).unresolved_calls,
            "hidden_callees": queries.unresolved_near(columns, id, [], family_of, ["CALLS"], "OUTGOING"),
            "rings": rings.rings(columns, reached, is_test, component_of(asked)),
            "ring_size": rings.SIZE,
            "related": _related(columns, group),
            "tests": tests[:MOST_TESTS],
            "more_tests": len(tests) - len(tests[:MOST_TESTS]),
            "results": ran,
            "own_result": ran.of(columns, node),
            "requirements": _reasons(columns, group, "IMPLEMENTS_REQ"),
            "designs": _reasons(columns, group, "FOLLOWS_DESIGN"),
            "memories": written_about(asked, id),
            "has_copies": columns.label(node) == "Function",
            "name_of": name_of,
        },
    )


def _named(asked: Asked) -> str:
    id = asked.value("id")
    if not id:
        raise UsageError("which symbol is not said", "find one by its name in the search")
    return id


def _page_of_its_own(asked: Asked, columns: GraphColumns, node: int) -> str:
    id, label = columns.id(node), columns.label(node)
    if label == "File":
        return asked.links.file(id)
    if label == "Component":
        return asked.links.map(id)
    if label in ("Requirement", "Design"):
        return asked.links.requirement(id)
    if label == "Memory":
        return asked.links.memory(id)
    if label not in CODE:
        raise UsageError(f"{id} lies outside the project", "its callers are listed by `loregraph callers`")
    return ""


def _containers(columns: GraphColumns, node: int) -> tuple[tuple[str, str], ...]:
    """(id, name) of the classes and functions around it, outermost first."""
    named = [one for one in around(columns, node) if columns.label(one) in ("Class", "Function")]
    return tuple((columns.id(one), columns.name(one)) for one in reversed(named))


def _related(columns: GraphColumns, group: Sequence[int]) -> tuple[Related, ...]:
    found = []
    for rel, outward, title in _RELATED:
        edges = [edge for one in group for edge in (columns.out if outward else columns.into)(one, rel).tolist()]
        if rel == "CONTAINS":
            edges.sort(key=lambda edge: int(columns.start_line[columns.target[edge]]))
        rows: dict[int, Near] = {}
        for edge in edges:
            end = int((columns.target if outward else columns.source)[edge])
            if end in rows or len(rows) == MOST_LISTED:
                continue
            at = int(columns.line[edge]) if rel == "REFERENCES" and not outward else int(columns.start_line[end])
            id = columns.id(end)
            name = columns.name(end) if rel == "CONTAINS" else name_of(id) if "::" in id else id
            rows[end] = Near(id, name, columns.path(end), at, columns.how(edge) if rel == "REFERENCES" else "")
        if rows:
            found.append(Related(title, tuple(rows.values()), len(set(edges)) - len(rows)))
    return tuple(found)


def _tests(columns: GraphColumns, group: Sequence[int], ran: Results) -> list[Test]:
    """The tests that reach it, the nearest first; of these, failed ones."""
    reach = TestReach(columns)
    nearest: dict[int, int] = {}
    for node in group:
        for test, distance in reach.of(node).items():
            nearest[test] = min(distance, nearest.get(test, distance))
    found = [
        Test(
            columns.id(test),
            name_of(columns.id(test)),
            columns.path(test),
            int(columns.start_line[test]),
            distance,
            ran.of(columns, test),
        )
        for test, distance in nearest.items()
    ]
    return sorted(found, key=lambda one: (one.distance, one.result != "failed", one.path, one.line))


def _reasons(columns: GraphColumns, group: Sequence[int], rel: str) -> tuple[Reason, ...]:
    found: dict[str, Reason] = {}
    for start in group:
        for at in (start, *around(columns, start)):
            for edge in columns.out(at, rel).tolist():
                target = int(columns.target[edge])
                record = columns.edge(edge)
                through = "" if at == start else columns.name(at)
                title = columns.own(target, "title") or ""
                if record.target not in found:
                    found[record.target] = Reason(
                        record.target, title, through, record.how, record.confidence, record.evidence
                    )
    return tuple(sorted(found.values(), key=lambda one: (one.how == MENTION, bool(one.through), one.id)))


def history_part(asked: Asked) -> Part:
    """The commits that changed the symbol `id`, or the file of that name."""
    columns = asked.project.reader().columns
    node = queries.resolve_number(columns, _named(asked))
    path = columns.path(node) or columns.id(node)
    is_file = columns.label(node) == "File"
    lines = None if is_file else (int(columns.start_line[node]), int(columns.end_line[node]))
    found = commits.history(asked.project.root, path, lines)
    here = checkout(asked.project.root)
    addresses: Mapping[str, str] = {}
    if here is not None and here.repository is not None:
        addresses = {one.name: here.repository.commit(one.name) for one in found.commits}
    return Part("history.html", {"history": found, "addresses": addresses})


def copies_part(asked: Asked) -> Part:
    """Functions like the function `id`, the most similar first."""
    columns = asked.project.reader().columns
    id = columns.id(queries.resolve_number(columns, _named(asked)))
    found = asked.project.copies_of(symbol=id, threshold=COPIES_FROM, limit=12)
    return Part("copies.html", {"id": id, "copies": found, "name_of": name_of})
