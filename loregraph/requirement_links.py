"""Requirements for users: the graph combined with decisions about links and with test results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from loregraph.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from loregraph.analysis.tracing.junit import CaseResult
    from loregraph.analysis.tracing.report import TraceReport
    from loregraph.config import ProjectSettings
    from loregraph.graph.columns import GraphColumns
    from loregraph.memory.api import ProjectMemory
    from loregraph.memory.links import LinkDecision

IMPLEMENTING: Final = ("Function", "Class", "File", "Component")
"""Labels of nodes that may be linked to a requirement."""
MAX_ANY_DEPTH: Final = 2
"""Maximum `**` in a pattern of results: each multiplies the folders to search."""


class ResultsRead(NamedTuple):
    """Cases of test results, None where there are none to read, and configured patterns without a matching file."""

    cases: Sequence[CaseResult] | None
    missing: tuple[str, ...] = ()


def read_results(root: Path, settings: ProjectSettings, named: Iterable[Path] | None) -> ResultsRead:
    """Reads the JUnit XML files `named`, else the configured ones. Raises UsageError for an unreadable one."""
    from loregraph.analysis.tracing import junit

    if named is not None:
        return ResultsRead(junit.read_all(named))
    configured = settings.requirements.results
    if not configured:
        return ResultsRead(None)
    may_leave = settings.may_leave("requirements.results")
    files, missing = result_files(root, configured, may_leave=may_leave)
    return ResultsRead(junit.read_all(files) if files else None, missing)


def traced(
    columns: GraphColumns,
    root: Path,
    memory: ProjectMemory,
    requirement_id: str | None,
    results: ResultsRead,
    suggested: bool,
    min_confidence: float | None = None,
) -> TraceReport:
    """See `Project.trace`."""
    import msgspec

    from loregraph.analysis.tracing import report
    from loregraph.memory.links import REJECTED, link_edges

    decisions = memory.links()
    rejected = {decision.pair for decision in decisions if decision.link == REJECTED}
    found = report.report(
        columns,
        root,
        requirement_id,
        accepted=link_edges(decisions),
        rejected=rejected,
        cases=results.cases,
        min_confidence=min_confidence,
    )
    if results.missing:
        found = msgspec.structs.replace(found, missing_results=results.missing)
    if not suggested:
        return found
    from loregraph.analysis.suggest import suggest

    # All requirements, even for a single one: word weights are learned from all of them.
    ranked = suggest(columns, root, columns.nodes("Requirement").tolist())
    links = {columns.id(number): suggestions for number, suggestions in ranked.items()}
    return report.with_suggestions(found, links, rejected)


def decided(
    columns: GraphColumns, memory: ProjectMemory, decisions: Iterable[tuple[str, str, str]]
) -> tuple[LinkDecision, ...]:
    """See `Project.decide_links`."""
    known = {decision.pair for decision in memory.links()}
    found = [(decision, *pair_of(columns, requirement, code, known)) for decision, requirement, code in decisions]
    return memory.decide_links(found)


def pair_of(columns: GraphColumns, requirement: str, code: str, known: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The ids denoted by the user. A pair with an earlier decision need not be in the graph any more."""
    from loregraph.analysis.component_lookup import locate
    from loregraph.analysis.tracing.traces import chosen

    if (requirement, code) in known:
        return requirement, code
    chosen(columns, requirement)
    node = locate(columns, code)
    if columns.label(node) not in IMPLEMENTING:
        raise NotFoundError(
            f"{code!r} is a {columns.label(node).lower()}, which implements no requirement",
            "name a function, a class, a file or a component of the project",
        )
    return requirement, columns.id(node)


def result_files(root: Path, patterns: Iterable[str], *, may_leave: bool = False) -> tuple[list[Path], tuple[str, ...]]:
    """The files matching the configured patterns, each once, and the patterns without a match; files outside the
    project only with `may_leave`."""
    base = root.resolve()
    found: dict[Path, None] = {}
    missing = []
    for pattern in patterns:
        files = [file for file in matching(base, pattern) if may_leave or file.resolve().is_relative_to(base)]
        found.update(dict.fromkeys(files))
        if not files:
            missing.append(pattern)
    return list(found), tuple(missing)


# Implements REQ-SEC-010.
def matching(folder: Path, pattern: str) -> list[Path]:
    """The files matching `pattern`, relative to `folder` unless it is absolute, in order."""
    if pattern and (folder / pattern).is_file():
        return [folder / pattern]
    anchor = Path(pattern).anchor
    start, rest = (Path(anchor), pattern.removeprefix(anchor)) if anchor else (folder, pattern)
    try:
        # `**/**` is equivalent to `**`, but would be expanded for each folder and each folder around it.
        parts = rest.split("/")
        rest = "/".join(part for at, part in enumerate(parts) if part != "**" or parts[at - 1 : at] != ["**"])
        if rest.split("/").count("**") > MAX_ANY_DEPTH:
            told = f"requirements.results: {pattern[:200]!r} has more than {MAX_ANY_DEPTH} `**`"
            raise ConfigError(told, "name the folders in between")
        return sorted(file for file in start.glob(rest) if file.is_file())
    except (ValueError, NotImplementedError):  # an empty pattern, or one that glob has no meaning for
        return []
