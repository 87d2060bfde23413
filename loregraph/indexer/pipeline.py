"""The write path: discover → extract → resolve → embed → store.

Everything up to the new generation happens in `state.sqlite`, which only writers see; readers stay with the old
generation until the new one is complete and `current` is renamed. A run that is killed leaves the old graph; the next
run detects the remaining work by the token of what a generation was built from (`freshness`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.config import Settings, store_path
from loregraph.gc_control import without_collector
from loregraph.graph.authored import Authored, add_authored
from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import FileState, State, with_state
from loregraph.indexer.build import gathered, reporting
from loregraph.indexer.build.freshness import MadeOf, changed_since, token_of
from loregraph.indexer.build.plan import Plan, plan, read_times
from loregraph.indexer.build.publish import Publisher
from loregraph.indexer.build.report import IndexReport, Progress, ReportedProblem
from loregraph.indexer.build.run import Clock, Run, Tell, entries_of, read_outside
from loregraph.indexer.discover.files import discover
from loregraph.indexer.discover.path_selection import PathSelection
from loregraph.indexer.languages import registry
from loregraph.indexer.problems import PathProblem

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.indexer.build.assemble import FileEntry
    from loregraph.indexer.build.reuse import Reuse
    from loregraph.indexer.build.traces import KeptLayout
    from loregraph.indexer.build.whole import Built, Resolved
    from loregraph.indexer.discover.layout import ProjectLayout

__all__ = ["IndexReport", "Progress", "index", "preload"]

LOCK_SECONDS: Final = 600.0
"""How long a run waits for another one on the same store."""

_OF_AN_EDIT: Final = (
    "graph.columns_splice",
    "graph.constants",
    "graph.lexical_writer",
    "graph.vector_index",
    "graph.static_weights",
    "graph.vectors",
    "indexer.build.counts",
    "indexer.build.edited",
    "indexer.build.imported_edges",
    "indexer.build.state_update",
    "indexer.build.store_edit",
    "indexer.build.traces",
    "indexer.discover.layout",
    "indexer.resolve.again",
)
"""Modules that a run imports only for an edit."""

_NO_EMBEDDER: Final = "none"
"""The setting for no vectors."""


# Implements REQ-IDX-001.
def index(
    root: Path,
    settings: Settings,
    *,
    full: bool = False,
    jobs: int | None = None,
    embed: bool = True,
    dry_run: bool = False,
    selection: PathSelection | None = None,
    authored: Callable[[], Authored] = Authored,
    progress: Tell | None = None,
    engine: bool = True,
) -> IndexReport:
    """Brings the graph of the project at `root` up to date and returns a report.

    `full` discards the results of earlier runs, `dry_run` only counts, `embed` False makes no vectors; `selection`
    restricts the run to a part of the project; `authored` reads the memories to include; without `engine` the
    engine's file is left to the first Cypher query even after a first index. Raises NothingIndexedError where source
    files gave no facts at all; StoreError, StoreBusyError and SchemaTooNewError as the store does. Unreadable files are
    `problems`.
    """
    tell = progress or _silent
    clock = Clock()
    folder = StoreFolder(store_path(root, settings), root.resolve())
    embedder = settings.embedder if embed else _NO_EMBEDDER
    tell(Progress("discover"))
    with clock.phase("discover"):
        discovery = discover(root, settings)
    if dry_run:
        return reporting.dry_run(folder, discovery, settings, full, embedder != _NO_EMBEDDER, clock)

    def work(state: State) -> IndexReport:
        folder.bind(state)
        if full:
            state.clear()
            state.commit()
        chosen = discovery
        if selection is not None:
            if forced := selection.forced(state.files()):
                state.remove_files(forced)
                gathered.forget(state)
            chosen = selection.narrowed(discovery, state.files())
        run = Run(
            root,
            settings,
            folder,
            state,
            chosen,
            embedder,
            authored(),
            clock,
            tell,
            read_outside(root, settings, state),
            builds_engine=engine,
        )
        return _indexed(run, jobs or settings.jobs, is_full=full)

    with folder.writer(LOCK_SECONDS), without_collector():
        return with_state(folder.state_path, work)


def preload(languages: Iterable[str]) -> None:
    """Loads what an edit of files in these languages needs: for a process that waits for edits.

    Workers are forked where the platform can, and have what this process has loaded.
    """
    from loregraph.indexer.build.workers import preload as preload_workers
    from loregraph.indexer.resolve.policies import policy_of

    for name in _OF_AN_EDIT:
        import_module(f"loregraph.{name}")
    known = registry.SUPPORTED.intersection(languages)
    for language in known:
        policy_of(language)
    preload_workers(known)


def _indexed(run: Run, jobs: int, *, is_full: bool) -> IndexReport:
    """`jobs` worker processes; 0: one per core."""
    state, clock = run.state, run.clock
    with clock.phase("discover"):
        known = state.files()
        texts = run.embedder != _NO_EMBEDDER
        todo = plan(run.discovery, known, read_times(state, known), run.settings.requirements, texts=texts)
    if not todo.is_work or not run.settings.cache:
        return _brought_up_to_date(run, jobs, known, todo, None)
    from loregraph.indexer.build.reuse import Reuse

    with closing(Reuse(run.root, run.settings, state, is_read=not is_full)) as reuse:
        report = _brought_up_to_date(run, jobs, known, todo, reuse)
        reuse.note()
        return report


def _brought_up_to_date(
    run: Run, jobs: int, known: Mapping[str, FileState], todo: Plan, reuse: Reuse | None
) -> IndexReport:
    state, clock, texts = run.state, run.clock, run.embedder != _NO_EMBEDDER
    with clock.phase("extract"):
        files, changed = _extracted(run, todo, known, jobs, reuse, texts=texts) if todo.is_work else (known, set())
        told = gathered.gathered(state)
        made_of = MadeOf(files, gathered.commit_links(run, told, files), gathered.keyword_lines(run, told, files))
    report = partial(reporting.report, run, files, told, reporting.counted(files.values(), changed, len(todo.removed)))
    with clock.phase("store"):
        token = token_of(run, made_of)
        current = run.folder.sound()
        is_counted = reporting.kept_totals(state) is not None
    if current is not None and current.state_token == token and is_counted:
        return report(Publisher(run, token, current, {}).unchanged(current))
    publisher = Publisher(run, token, current, changed_since(run, made_of, current) if current is not None else {})
    if reuse is not None and (generation := _adopted(run, reuse, publisher, made_of)):
        return report(generation)
    if is_counted and (generation := publisher.moved()):
        return report(generation)
    if published := _solved_again(run, publisher, made_of):
        return report(*published)
    if reuse is not None and (nearest := _nearest(run, reuse, publisher, made_of)):
        publisher = nearest
        if generation := publisher.moved():
            return report(generation)
        if published := _solved_again(run, publisher, made_of):
            return report(*published)
    generation, solved = _solved_whole(run, publisher, made_of, is_first=not known and run.builds_engine)
    if reuse is not None and (made := run.folder.current()) is not None:
        with clock.phase("store"):
            reuse.keep(run, made, solved)
    return report(generation, solved)


def _adopted(run: Run, reuse: Reuse, publisher: Publisher, made_of: MadeOf) -> int:
    """Publishes the graph that the user's cache has of the same files; returns its number, 0 where it has none."""
    with run.clock.phase("store"):
        adopted = reuse.adopt(run, publisher.token, made_of)
    return publisher.adopt(*adopted) if adopted is not None else 0


def _nearest(run: Run, reuse: Reuse, publisher: Publisher, made_of: MadeOf) -> Publisher | None:
    """The publisher of an edit of the graph that the user's cache has of nearly the same files; None where it has none.
    The state has that graph's resolution from then on."""
    with run.clock.phase("store"):
        base = reuse.base(run, made_of, publisher.before)
    return None if base is None else Publisher(run, publisher.token, base.current, base.before, base.snapshot.path)


def _extracted(
    run: Run, todo: Plan, known: Mapping[str, FileState], jobs: int, reuse: Reuse | None, *, texts: bool
) -> tuple[Mapping[str, FileState], set[str]]:
    """Brings the state up to date with the files; returns these, and the paths with new content or kind."""
    from loregraph.indexer.build.state_update import update_state
    from loregraph.indexer.build.workers import default_jobs

    state = run.state
    changed = update_state(
        state,
        run.root,
        run.settings,
        run.discovery,
        todo,
        known,
        jobs or default_jobs(),
        run.tell,
        texts=texts,
        reuse=reuse,
    )
    files = _with(known, todo.removed, state.files((*changed, *(task.path for task, _ in todo.tasks))))
    if changed or todo.removed:
        gathered.update(state, {*changed, *todo.removed}, known, files)
    state.commit()
    return files, changed


def _solved_again(run: Run, publisher: Publisher, made_of: MadeOf) -> tuple[int, int] | None:
    """Publishes a generation made from the current one and the files that an edit affects; returns its number and how
    many files were resolved again. None where everything has to be resolved."""
    if not publisher.before:
        return None
    from loregraph.indexer.build.traces import put_traces, solved_again

    def layout_of(kept: KeptLayout) -> ProjectLayout:
        """The layout of the time of the traces, which has to be the present one."""
        from loregraph.indexer.discover.layout import remembered_layout

        remembered = remembered_layout(run.root, run.discovery.paths, kept.components, kept.packages)
        return run.knowing_outside(remembered)

    with run.clock.phase("resolve"):
        run.tell(Progress("resolve"))
        again = solved_again(run.state, made_of.files, publisher.before, layout_of)
    if again is None:
        return None
    from loregraph.indexer.build.imported_edges import with_imported
    from loregraph.indexer.resolve import Resolution

    resolution = Resolution(again.files, again.externals, again.problems)
    resolution = with_imported(run.state, made_of.files, resolution)
    generation = publisher.edited(resolution, made_of, partial(put_traces, run.state, again.traces))
    return (generation, len(again.files)) if generation else None


def _solved_whole(run: Run, publisher: Publisher, made_of: MadeOf, *, is_first: bool) -> tuple[int, int]:
    """Resolves everything, or the changed language families, and publishes the result: as an edit where possible, else
    written whole. Returns the generation's number and how many files were resolved."""
    from loregraph.indexer.build.imported_edges import with_imported
    from loregraph.indexer.build.traces import keep_traces
    from loregraph.indexer.discover.layout import read_layout  # only a changed graph needs these imports

    state, clock = run.state, run.clock
    with clock.phase("resolve"):
        run.tell(Progress("resolve"))
        layout = run.knowing_outside(read_layout(run.root, run.discovery.paths))
        resolved, columns = _resolved(run, publisher, made_of, layout)
        joined = with_imported(state, made_of.files, resolved.resolution)
        resolved = msgspec.structs.replace(resolved, resolution=joined)
    solved = len(resolved.resolution.files)
    keep = partial(keep_traces, state, resolved.resolution, resolved.facts, layout)
    if generation := publisher.edited(resolved.resolution, made_of, keep):
        return generation, solved
    with clock.phase("resolve"):
        entries = entries_of(state)
        built = _built(state, made_of, entries, resolved, columns)
    with clock.phase("store"):
        keep()
    del resolved, keep
    from loregraph.indexer.build.counts import count_graph, refuse_nothing

    built = msgspec.structs.replace(built, graph=add_authored(built.graph, run.authored))
    totals = count_graph(built.graph, built.unresolved)
    refuse_nothing(state, totals)
    building, current = publisher.write(built, entries)
    outside = run.outside.problems if run.outside is not None else ()
    found = (*layout.problems, *outside, *built.problems, *(p for own in built.cuts.values() for p in own))
    problems = tuple(ReportedProblem(p.path, p.line, p.message) for p in found)
    del built, entries  # it is most of the process's memory
    with clock.phase("store"):
        reporting.note_totals(state, totals, problems)
        generation = publisher.whole(building, current, is_first=is_first)
    return generation, solved


def _resolved(
    run: Run, publisher: Publisher, made_of: MadeOf, layout: ProjectLayout
) -> tuple[Resolved, GraphColumns | None]:
    """The resolution. If the current generation was made from the same files except for known edits, only families that
    may be affected are resolved, and the columns that give the rest are returned too."""
    from loregraph.indexer.build.untouched import changed_families
    from loregraph.indexer.build.whole import resolve_files

    before = publisher.before
    touched = changed_families({path: (old.language, made_of.files[path].language) for path, old in before.items()})
    if not before or touched is None:
        return resolve_files(run.state, layout), None
    with publisher.held() as folder:
        columns = publisher.intact_columns(folder)
        return resolve_files(run.state, layout, columns, touched), columns


def _built(
    state: State, made_of: MadeOf, entries: list[FileEntry], resolved: Resolved, columns: GraphColumns | None
) -> Built:
    """The graph; `resolved` and `columns` as returned by `_resolved`."""
    from loregraph.indexer.build.kept_resolution import read_kept
    from loregraph.indexer.build.whole import build_graph

    built = build_graph(entries, state, resolved, made_of.commits, columns, made_of.keywords)
    unresolved: dict[str, dict[str, int]] = {}
    cuts: dict[str, tuple[PathProblem, ...]] = {}
    kept = built.resolved
    if resolved.kept is not None:
        saved = state.meta("unresolved")
        unresolved = msgspec.msgpack.decode(saved, type=dict[str, dict[str, int]]) if saved else {}
        saved = state.meta("cuts")
        cuts = msgspec.msgpack.decode(saved, type=dict[str, tuple[PathProblem, ...]]) if saved else {}
        of_others = read_kept(state)
        kept = None if kept is None or of_others is None else of_others | kept
    unresolved.update(built.unresolved)
    state.put_meta("unresolved", msgspec.msgpack.encode(unresolved))
    cuts.update(built.cuts)
    state.put_meta("cuts", msgspec.msgpack.encode(cuts))
    return msgspec.structs.replace(built, unresolved=unresolved, cuts=cuts, resolved=kept)


def _with(files: Mapping[str, FileState], gone: Collection[str], come: Mapping[str, FileState]) -> dict[str, FileState]:
    """`files` with some removed and others added, in order of path."""
    found = {**files, **come}
    for path in gone:
        found.pop(path, None)
    return found if len(found) == len(files) and not gone else dict(sorted(found.items()))


def _silent(_: Progress) -> None:
    """A progress callback that does nothing."""
