"""Makes the reports of a finished run and of a dry run (records of `report`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing, suppress

import msgspec

from loregraph.config import Settings
from loregraph.errors import DamagedStoreError
from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import FileState, State
from loregraph.indexer.build.gathered import Gathered
from loregraph.indexer.build.plan import plan, read_times
from loregraph.indexer.build.report import FileCounts, IndexReport, ReportedProblem, Totals
from loregraph.indexer.build.run import Clock, Run
from loregraph.indexer.discover.files import Discovery
from loregraph.indexer.requirements.named import is_source

_TOTALS = "totals"
_PROBLEMS = "layout_problems"


def note_totals(state: State, totals: Totals, problems: Collection[ReportedProblem]) -> None:
    """Stores the graph's size and the problems found while building it. Does not commit."""
    state.put_meta(_TOTALS, msgspec.msgpack.encode(totals))
    state.put_meta(_PROBLEMS, msgspec.msgpack.encode(problems))


def kept_totals(state: State) -> Totals | None:
    """The size of the graph that the state belongs to; None where no graph was built."""
    saved = state.meta(_TOTALS)
    return msgspec.msgpack.decode(saved, type=Totals) if saved is not None else None


def counted(files: Collection[FileState], changed: set[str], removed: int) -> FileCounts:
    """Every present file is one of indexed, unchanged, failed and unsupported."""
    failed = sum(file.status == "failed" for file in files)
    unsupported = sum(file.status == "unsupported" for file in files)
    indexed = sum(file.path in changed and file.status not in ("failed", "unsupported") for file in files)
    return FileCounts(
        indexed=indexed,
        unchanged=len(files) - indexed - failed - unsupported,
        removed=removed,
        failed=failed,
        unsupported=unsupported,
    )


def report(
    run: Run,
    files: Mapping[str, FileState],
    found: Gathered,
    counts: FileCounts,
    generation: int,
    resolved: int = 0,
) -> IndexReport:
    """The report of a run whose result, or starting point, is the generation `generation`; totals come from the
    state."""
    totals = kept_totals(run.state)
    assert totals is not None  # stored with the generation
    return IndexReport(
        files=counts,
        functions=totals.functions,
        classes=totals.classes,
        components=totals.components,
        requirements=totals.requirements,
        relationships=totals.relationships,
        problems=_problems(run, found),
        seconds=run.clock.result(),
        unresolved=totals.unresolved,
        generation=generation,
        generated=totals.generated,
        languages=dict(sorted(Counter(file.language for file in files.values()).items())),
        resolved=resolved,
    )


def _problems(run: Run, gathered: Gathered) -> tuple[ReportedProblem, ...]:
    found = [ReportedProblem(p.path, p.line, p.message) for p in run.discovery.problems]
    requirements = run.settings.requirements
    sources = requirements.sources
    if sources and not any(is_source(file.path, requirements) for file in run.discovery.files):
        told = f"requirements.sources names no file that is there: {', '.join(sources)}"
        found.append(ReportedProblem(".", 0, told))
    if unsought := gathered.unsought:
        told = f"{len(unsought):,} words of `ref:` or `keyword:` are too many or too long, and not looked for"
        found.append(ReportedProblem(".", 0, told))
    saved = run.state.meta(_PROBLEMS)
    found += msgspec.msgpack.decode(saved, type=list[ReportedProblem]) if saved else []
    found += gathered.problems
    found += [ReportedProblem(".", 0, message) for message in (*run.folder.remarks, *run.state.problems)]
    return tuple(sorted(found, key=lambda p: (p.path, p.line, p.message)))


def dry_run(
    folder: StoreFolder, discovery: Discovery, settings: Settings, full: bool, texts: bool, clock: Clock
) -> IndexReport:
    """What a run would do; the totals are those of the current graph."""
    known: dict[str, FileState] = {}
    read_at: dict[str, int] = {}
    totals = Totals()
    with suppress(DamagedStoreError):  # the run would begin from scratch
        state = None if full else folder.open_state()
        if state is not None:
            with closing(state):
                files = state.files()
                read_at = read_times(state, files)
                totals = kept_totals(state) or totals
                known = files
    todo = plan(discovery, known, read_at, settings.requirements, texts=texts)
    unsupported = sum(discovery.unsupported.values())
    problems = tuple(ReportedProblem(p.path, p.line, p.message) for p in discovery.problems)
    return IndexReport(
        files=FileCounts(
            len(todo.tasks),
            len(todo.unchanged) + len(todo.unsupported) - unsupported,
            len(todo.removed),
            0,
            unsupported,
        ),
        functions=totals.functions,
        classes=totals.classes,
        components=totals.components,
        requirements=totals.requirements,
        relationships=totals.relationships,
        problems=problems,
        seconds=clock.result(),
    )
