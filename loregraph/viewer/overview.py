"""The first page: what is in the graph, what needs attention, and where to go on."""

from __future__ import annotations

from typing import Final

from loregraph.errors import NothingToTraceError
from loregraph.pages.page import Page
from loregraph.viewer.asked import Asked

LANGUAGES: Final = 8
PROBLEMS: Final = 20
ABOUT: Final = {
    "map": "components and what depends on what",
    "requirements": "which code and tests carry them out",
    "findings": "where the rules of this project are broken",
    "duplicates": "copies, side by side",
    "change": "what a change touches",
    "memories": "what people and agents wrote down",
    "ask": "questions in Cypher",
}


def overview_page(asked: Asked) -> Page:
    """Counts by label and language, coverage of requirements, files with problems, and the memories' number."""
    project = asked.project
    counts = project.counts()
    problems = asked.kept.get("overview problems", lambda: _problems(asked))
    return Page(
        project.root.name,
        "overview.html",
        {
            "nodes": counts.labels,
            "relationships": counts.relationships,
            "languages": sorted(counts.languages.items(), key=lambda row: (-row[1], row[0])),
            "most_languages": LANGUAGES,
            "problems": problems[:PROBLEMS],
            "more_problems": max(0, len(problems) - PROBLEMS),
            "coverage": _coverage(asked),
            "remarks": project.remarks,
            "about": ABOUT,
        },
        "overview",
    )


def _problems(asked: Asked) -> list[tuple[str, str, list[str]]]:
    """(path, status, problems) of files that could not be read as a whole."""
    columns = asked.project.reader().columns
    found = []
    for node in columns.nodes("File").tolist():
        status = columns.own(node, "status")
        if status in ("failed", "partial"):
            found.append((columns.id(node), str(status), list(columns.own(node, "problems"))))
    return sorted(found)


def _coverage(asked: Asked) -> object:
    def make() -> object:
        try:
            return asked.project.trace().coverage
        except NothingToTraceError:
            return None

    return asked.kept.get("coverage", make)
