"""What pages about code have in common: results of tests, components of files, memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from loregraph.analysis.tracing import verification
from loregraph.errors import UsageError
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns
from loregraph.requirement_links import read_results
from loregraph.viewer.asked import Asked


@dataclass(frozen=True)
class Results:
    """The last results of tests, by node; `trouble` says why those that are configured could not be read."""

    by_test: Mapping[int, str] = field(default_factory=dict)
    is_known: bool = False
    trouble: str = ""

    def of(self, columns: GraphColumns, test: int) -> str:
        """ "passed", "failed", "skipped", "not run", or "" where no results are known or it is no test."""
        if not self.is_known or not columns.own(test, "is_test"):
            return ""
        return self.by_test.get(test, "not run")


def results(asked: Asked) -> Results:
    """The results in the configured files, read once for a state of the graph."""

    def make() -> Results:
        project = asked.project
        try:
            cases = read_results(project.root, project.settings, None).cases
        except UsageError as error:
            return Results(trouble=error.message)
        if cases is None:
            return Results()
        found, _ = verification.join(project.reader().columns, cases, verification.source_lines(project.root))
        return Results(found, True)

    return asked.kept.get("results of tests", make)


def component_of(asked: Asked) -> Callable[[str], str]:
    """Path → the name of its component, "" for a file in none."""

    def make() -> dict[str, str]:
        columns = asked.project.reader().columns
        found = {}
        for file in columns.nodes("File").tolist():
            edges = columns.into(file, "CONTAINS")
            found[columns.id(file)] = columns.name(int(columns.source[edges[0]])) if len(edges) else ""
        return found

    known = asked.kept.get("component of each file", make)
    return lambda path: known.get(path, "")


def folders_of(path: str) -> list[tuple[str, str]]:
    """(name, path) of the folders around a file, the outermost first."""
    names = path.split("/")[:-1]
    return [(name, "/".join(names[: depth + 1])) for depth, name in enumerate(names)]


def written_about(asked: Asked, id: str) -> tuple[Remembered, ...]:
    """The memories anchored in a node, at most some."""
    from loregraph.memory.about import about

    return about(asked.project.memory, id, "")
