"""Requirements for users: the graph combined with decisions about links and with test results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from loregraph.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from loregraph.analysis.tracing.comparison import Comparison
    from loregraph.analysis.tracing.junit import CaseResult
    from loregraph.analysis.tracing.places import Places
    from loregraph.analysis.tracing.report import TraceReport
    from loregraph.analysis.tracing.verification import RunOutcomes
    from loregraph.config import ProjectSettings, Settings
    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.generation import StoreFolder
    from loregraph.memory.api import ProjectMemory
    from loregraph.memory.links import LinkDecision

IMPLEMENTING: Final = ("Function", "Class", "File", "Component")
"""Labels of nodes that may be linked to a requirement."""
MAX_ANY_DEPTH: Final = 2
"""Maximum `**` in a pattern of results: each multiplies the folders to search."""


class ResultsRead(NamedTuple):
    """Cases of test results, None where there are none to read, and configured patterns without a matching file;
    `outcomes` are those of imported runs, where no files are named or configured."""

    cases: Sequence[CaseResult] | None
    missing: tuple[str, ...] = ()
    outcomes: RunOutcomes | None = None


def outcomes_of_runs(store: StoreFolder, columns: GraphColumns) -> RunOutcomes | None:
    """What came of tests in runs that were imported, the worst of each; None where none says it."""
    from contextlib import closing

    from loregraph.analysis.tracing.verification import RunOutcomes, worst
    from loregraph.graph import imported

    state = store.open_state(counted=False)
    if state is None:
        return None
    found: dict[str, str] = {}
    outdated: set[str] = set()
    with closing(state):
        for _, claims in imported.all_claims(state) if imported.sources(state) else ():
            for one in claims.tested:
                file = columns.find_id(one.test.partition("::")[0])
                if file is None or columns.own(file, "content_hash") != claims.content_hash:
                    outdated.add(one.test)
                else:
                    found[one.test] = worst(filter(None, (one.outcome, found.get(one.test))))
    outdated -= found.keys()
    return RunOutcomes(dict(sorted(found.items())), len(outdated)) if found or outdated else None


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
        outcomes=results.outcomes,
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


def compared(
    root: Path,
    settings: Settings,
    store: StoreFolder,
    columns: GraphColumns,
    decisions: Iterable[LinkDecision],
    old: str,
    new: str,
) -> Comparison:
    """See `Project.compare_requirements`."""
    from contextlib import closing

    from loregraph import git
    from loregraph.analysis.tracing.comparison import compare
    from loregraph.indexer.declared_at import declared_at, present
    from loregraph.memory.links import link_edges

    commits = [None if rev == "" else git.commit_of(root, rev) for rev in (old, new)]
    changes = [{} if commit is None else git.changed_lines(root, commit) for commit in commits]
    state = store.open_state()
    if state is None:
        raise NotFoundError("the store has no state to compare with", "index the project: loregraph index")
    with closing(state):
        now = present(root, settings, state, columns)
    accepted = link_edges(decisions)
    before, after = (declared_at(root, settings, now, *side, accepted) for side in zip(commits, changes, strict=True))
    return compare(before, after)


class Verified(NamedTuple):
    """When the tests ran whose results are read: `commit` is the last one before the oldest file of results was
    written, `files` are those files."""

    commit: str
    files: tuple[str, ...]


def verified_at(root: Path, settings: ProjectSettings) -> Verified | None:
    """The state of the project that the configured results are of; None without results, or without a commit then."""
    from loregraph import git

    configured = settings.requirements.results
    if not configured or not git.in_repository(root):
        return None
    files, _ = result_files(root, configured, may_leave=settings.may_leave("requirements.results"))
    times = []
    for file in files:
        try:
            times.append(file.stat().st_mtime)
        except OSError:
            continue
    commit = git.commit_before(root, min(times)) if times else None
    return None if commit is None else Verified(commit, tuple(map(str, files)))


def placed(columns: GraphColumns, report: TraceReport, lines: Callable[[str], Sequence[str]]) -> Places:
    """The documents and sections of all requirements of a report."""
    from loregraph.analysis.tracing.places import places

    folders: dict[str, list[str]] = {}

    def files_in(folder: str) -> list[str]:
        if not folders:
            for node in columns.nodes("File").tolist():
                path = columns.id(node)
                folders.setdefault(path.rpartition("/")[0], []).append(path)
        return folders.get(folder, [])

    return places(report.requirements, lines, files_in)
