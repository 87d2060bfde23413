"""The write path: discover → extract → resolve → embed → store.

Everything up to the new generation happens in `state.sqlite`, which only writers see; readers go on with the old
generation until the new one is whole and `current` is renamed. A run that is killed anywhere leaves the old graph; the
next run finds, by the token that names what a generation was built from, that there is work left.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.config import Settings, store_path
from loregraph.errors import DamagedStoreError, NothingIndexedError, StoreError
from loregraph.gc_control import without_collector
from loregraph.graph.authored import Authored, add_authored
from loregraph.graph.generation import Current, StoreFolder
from loregraph.graph.model import SCHEMA_VERSION, Class, File, Function, Graph
from loregraph.graph.state import FileState, State, with_state
from loregraph.indexer.discover import Discovery, discover
from loregraph.indexer.languages import registry
from loregraph.indexer.path_selection import PathSelection
from loregraph.indexer.plan import Plan, code_version, plan, read_times
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.report import FileCounts, IndexReport, Progress, ReportedProblem, Seconds, Totals
from loregraph.indexer.requirements.named import is_source
from loregraph.indexer.source import content_hash, read_archive

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.indexer.assemble import FileEntry
    from loregraph.indexer.build import Built, Resolved
    from loregraph.indexer.edits import Edited, Published
    from loregraph.indexer.layout import ProjectLayout
    from loregraph.indexer.outside.environment import Environment
    from loregraph.indexer.requirements.joining import CommitLink
    from loregraph.indexer.resolution import Resolution
    from loregraph.indexer.traces import KeptLayout

__all__ = ["IndexReport", "Progress", "index"]

_OUTSIDE: Final = "outside"
"""What is kept of the stubs that the configuration names."""
LOCK_SECONDS: Final = 600.0
"""How long a run waits for another one on the same store."""
NOTHING_FROM_LINES: Final = 200
"""Lines of source from which a project without one symbol, call or import is a failure, not a small project."""

_NO_EMBEDDER: Final = "none"
"""The name in the settings for no vectors."""

Tell = Callable[[Progress], None]


class _Told(msgspec.Struct, frozen=True):
    """What the files that are kept say as a whole: read off all of them once, and kept until one of them changes."""

    problems: tuple[ReportedProblem, ...] = ()
    has_documents: bool = False
    """Whether a document defines a requirement or a design."""
    words: tuple[str, ...] = ()
    """What documents point to code by, and those of it that are past the bounds: see `requirements.keywords`."""
    unsought: tuple[str, ...] = ()


_TOLD: Final = "told"
"""Where the state keeps it."""


class _Clock:
    """Adds up wall-clock seconds by phase."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begun

    def result(self) -> Seconds:
        rounded = {name: round(value, 4) for name, value in self.seconds.items()}
        return Seconds(**rounded, total=round(time.perf_counter() - self.start, 4))


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
) -> IndexReport:
    """Brings the graph of the project at `root` up to date and says what was done.

    `full` forgets what earlier runs left, `dry_run` only counts, `embed` False makes no vectors; `selection` is the
    part of the project that is looked at; `authored` reads the memories that the graph is to hold. Raises
    NothingIndexedError where source files are there and nothing came out of them; StoreError, StoreBusyError and
    SchemaTooNewError as the store does. Files that cannot be read are `problems`.
    """
    tell = progress or _silent
    clock = _Clock()
    folder = StoreFolder(store_path(root, settings), root.resolve())
    embedder = settings.embedder if embed else _NO_EMBEDDER
    tell(Progress("discover"))
    with clock.phase("discover"):
        discovery = discover(root, settings)
    if dry_run:
        return _dry_run(folder, discovery, settings, full, embedder != _NO_EMBEDDER, clock)

    def work(state: State) -> IndexReport:
        folder.bind(state)
        if full:
            state.clear()
            state.commit()
        chosen = discovery
        if selection is not None:
            if forced := selection.forced(state.files()):
                state.remove_files(forced)
                state.put_meta(_TOLD, None)
            chosen = selection.narrowed(discovery, state.files())
        run = _Run(root, settings, folder, state, chosen, embedder, authored(), clock, tell)
        return run.go(jobs or settings.jobs)

    with folder.writer(LOCK_SECONDS), without_collector():
        return with_state(folder.state_path, work)


class _Run:
    """One run on an open state, under the writer's lock."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        folder: StoreFolder,
        state: State,
        discovery: Discovery,
        embedder: str,
        authored: Authored,
        clock: _Clock,
        tell: Tell,
    ) -> None:
        self.root = root
        self.settings = settings
        self.folder = folder
        self.state = state
        self.discovery = discovery
        self.embedder = embedder
        self.authored = authored
        self.clock = clock
        self.tell = tell
        self.commits: list[CommitLink] = []
        self.keywords: dict[str, dict[str, int]] = {}
        self.files: dict[str, FileState] = {}
        self.told = _Told()
        self.columns: tuple[Path, GraphColumns | None] | None = None
        self.outside: Environment | None = None
        """What the configuration has read of libraries' stubs; None where it names none."""
        if settings.stubs:
            from loregraph.indexer.outside.environment import read_environment

            self.outside = read_environment(root, settings.stubs)
            self.outside.keep(state.meta(_OUTSIDE))

    def go(self, jobs: int) -> IndexReport:
        """`jobs` worker processes; 0: one a core."""
        state, clock = self.state, self.clock
        with clock.phase("discover"):
            known = self.files = state.files()
            read_at = read_times(state, known)
            texts = self.embedder != _NO_EMBEDDER
            todo = plan(self.discovery, known, read_at, self.settings.requirements, texts=texts)
        with clock.phase("extract"):
            changed = self._updated(todo, known, jobs, texts) if todo.is_work else set()
            self.told = self._read_off()
            self.commits = self._commit_links()
            self.keywords = self._keyword_lines()
        counts = self._counts(todo, changed)
        with clock.phase("store"):
            token = self._token()
            current = self.folder.sound()
            up_to_date = current is not None and current.state_token == token
            saved = state.meta("totals")
        if up_to_date and current is not None and saved is not None:
            totals = msgspec.msgpack.decode(saved, type=Totals)
            generation = current.generation
            if current.journal_offsets != self.authored.offsets:
                from loregraph.indexer.republish import publish_authored

                with clock.phase("store"):
                    generation = publish_authored(self.folder, current, self.authored)
            return self._report(counts, totals, self._problems(()), generation)
        before = self._changed_since(current) if current is not None else {}
        if current is not None and saved is not None and (generation := self._publish_moved(current, token, before)):
            totals = msgspec.msgpack.decode(saved, type=Totals)
            return self._report(counts, totals, self._problems(()), generation)
        if current is not None and (published := self._publish_again(current, token, before)):
            return self._reported_edit(counts, *published)
        from loregraph.indexer.layout import read_layout  # what only a changed graph needs is not loaded before
        from loregraph.indexer.traces import keep_traces

        with clock.phase("resolve"):
            self.tell(Progress("resolve"))
            layout = self._with_outside(read_layout(self.root, self.discovery.paths))
            resolved, columns = self._resolved(layout, before)
        if current is not None:
            keep = partial(keep_traces, state, resolved.resolution, resolved.facts, layout)
            if generation := self._publish_edited(current, token, before, resolved.resolution, keep):
                return self._reported_edit(counts, generation, len(resolved.resolution.files))
        with clock.phase("resolve"):
            entries = self._entries()
            built = self._built(entries, resolved, columns)
        solved = len(resolved.resolution.files)
        with clock.phase("store"):
            keep_traces(state, resolved.resolution, resolved.facts, layout)
        del resolved
        built = msgspec.structs.replace(built, graph=add_authored(built.graph, self.authored))
        totals = count(built.graph, built.unresolved)
        self._refuse_nothing(totals)
        building, embedder, engine = self._written(built, entries)
        outside = self.outside.problems if self.outside is not None else ()
        found = (*layout.problems, *outside, *built.problems, *(p for own in built.cuts.values() for p in own))
        problems = tuple(ReportedProblem(p.path, p.line, p.message) for p in found)
        del built, entries  # it is most of what the process holds
        with clock.phase("store"):
            from loregraph import __version__

            # Projects are edited far more often than they are asked in Cypher, and nothing else reads the engine's
            # file: after the first index it waits for the first query, a second longer on 50,000 nodes.
            if not known:
                from loregraph.graph import engine_build

                engine_build.build(building)
            state.put_meta("totals", msgspec.msgpack.encode(totals))
            state.put_meta("layout_problems", msgspec.msgpack.encode(problems))
            generation = self._made_current(
                building,
                Current(
                    engine=engine[0],
                    engine_storage_version=engine[1],
                    loregraph_version=__version__,
                    embedder=embedder,
                    journal_offsets=dict(self.authored.offsets),
                    state_token=token,
                ),
            ).generation
        return self._report(counts, totals, self._problems(problems), generation, solved)

    def _publish_again(self, current: Current, token: str, before: Mapping[str, Published]) -> tuple[int, int] | None:
        """Publishes a generation made of the current one and of what only an edit affects; returns its number and how
        many files were resolved again. None where all has to be. `before` as `_changed_since` has it."""
        if not before:
            return None
        from loregraph.indexer.traces import put_traces, solved_again

        with self.clock.phase("resolve"):
            self.tell(Progress("resolve"))
            again = solved_again(self.state, self.files, before, self._layout)
        if again is None:
            return None
        from loregraph.indexer.resolution import Resolution

        resolution = Resolution(again.files, again.externals, again.problems)
        keep = partial(put_traces, self.state, again.traces)
        generation = self._publish_edited(current, token, before, resolution, keep)
        return (generation, len(again.files)) if generation else None

    def _layout(self, kept: KeptLayout) -> ProjectLayout:
        """The layout that traces were made with, which is the one of now."""
        from loregraph.indexer.layout import remembered_layout

        return self._with_outside(remembered_layout(self.root, self.discovery.paths, kept.components, kept.packages))

    def _with_outside(self, layout: ProjectLayout) -> ProjectLayout:
        return layout if self.outside is None else layout.with_shapes(self.outside.shapes())

    def _reported_edit(self, counts: FileCounts, generation: int, resolved: int) -> IndexReport:
        saved = self.state.meta("totals")
        assert saved is not None  # it was kept with the generation
        totals = msgspec.msgpack.decode(saved, type=Totals)
        return self._report(counts, totals, self._problems(()), generation, resolved)

    def _changed_since(self, current: Current) -> dict[str, Published]:
        """What the files that have changed since `current` were then; empty where more than these is different: files
        came or went, or the generation is not of the files that are kept."""
        from loregraph.indexer.edits import published

        before = published(self.state)
        if not before or self.state.meta("totals_token") != current.state_token.encode():
            return {}
        return before if self._token(before) == current.state_token else {}

    def _resolved(self, layout: ProjectLayout, before: Mapping[str, Published]) -> tuple[Resolved, GraphColumns | None]:
        """What resolution says; where the current generation is of the same files but for what is in `before`, only of
        what a change can have affected, and the columns that say the rest."""
        from loregraph.indexer.build import resolve_files
        from loregraph.indexer.untouched import changed_families

        touched = changed_families({path: (old.language, self.files[path].language) for path, old in before.items()})
        if not before or touched is None:
            return resolve_files(self.state, layout), None
        with self.folder.lease() as lease:
            columns = self._intact_columns(lease.path)
            return resolve_files(self.state, layout, columns, touched), columns

    def _built(self, entries: list[FileEntry], resolved: Resolved, columns: GraphColumns | None) -> Built:
        """The graph; `resolved` and `columns` as `_resolved` has them."""
        from loregraph.indexer.build import build_graph
        from loregraph.indexer.kept_resolution import read_kept

        built = build_graph(entries, self.state, resolved, self.commits, columns, self.keywords)
        unresolved: dict[str, dict[str, int]] = {}
        cuts: dict[str, tuple[PathProblem, ...]] = {}
        kept = built.resolved
        if resolved.kept is not None:
            saved = self.state.meta("unresolved")
            unresolved = msgspec.msgpack.decode(saved, type=dict[str, dict[str, int]]) if saved else {}
            saved = self.state.meta("cuts")
            cuts = msgspec.msgpack.decode(saved, type=dict[str, tuple[PathProblem, ...]]) if saved else {}
            of_others = read_kept(self.state)
            kept = None if kept is None or of_others is None else of_others | kept
        unresolved.update(built.unresolved)
        self.state.put_meta("unresolved", msgspec.msgpack.encode(unresolved))
        cuts.update(built.cuts)
        self.state.put_meta("cuts", msgspec.msgpack.encode(cuts))
        return msgspec.structs.replace(built, unresolved=unresolved, cuts=cuts, resolved=kept)

    def _intact_columns(self, folder: Path) -> GraphColumns | None:
        """The columns in `folder`, a generation's, read and checked once; None where they are not what was written."""
        from loregraph.graph.columns import GraphColumns

        if self.columns is None or self.columns[0] != folder:
            try:
                columns = GraphColumns.open(folder)
                self.columns = (folder, columns if columns.is_intact() else None)
            except StoreError:
                self.columns = (folder, None)
        return self.columns[1]

    # extracting

    def _updated(self, todo: Plan, known: Mapping[str, FileState], jobs: int, texts: bool) -> set[str]:
        """Brings the state up to date with the files; returns the paths whose content or kind is new."""
        from loregraph.indexer.state_update import update_state
        from loregraph.indexer.workers import default_jobs

        changed = update_state(
            self.state,
            self.root,
            self.settings,
            self.discovery,
            todo,
            known,
            jobs or default_jobs(),
            self.tell,
            texts=texts,
        )
        self.files = _with(known, todo.removed, self.state.files((*changed, *(task.path for task, _ in todo.tasks))))
        if changed or todo.removed:
            self._tell_again({*changed, *todo.removed}, known)
        self.state.commit()
        return changed

    def _tell_again(self, changed: set[str], known: Mapping[str, FileState]) -> None:
        """Brings what the files say as a whole up to date: only documents say more than their own problems."""
        saved = self.state.meta(_TOLD)
        languages = {files[path].language for files in (known, self.files) for path in changed if path in files}
        if saved is None or not languages.isdisjoint(registry.DOCUMENTS):
            self.state.put_meta(_TOLD, None)
            return
        told = msgspec.msgpack.decode(saved, type=_Told)
        problems = [problem for problem in told.problems if problem.path not in changed]
        problems += _own_problems(self._entries(changed))
        told = msgspec.structs.replace(told, problems=tuple(sorted(problems, key=lambda problem: problem.path)))
        self.state.put_meta(_TOLD, msgspec.msgpack.encode(told))

    def _read_off(self) -> _Told:
        saved = self.state.meta(_TOLD)
        if saved is not None:
            return msgspec.msgpack.decode(saved, type=_Told)
        from loregraph.indexer.requirements import keywords
        from loregraph.indexer.requirements.model import decode

        problems = _own_problems(self._entries())
        documents = [decode(blob) for _, blob in sorted(self.state.blobs("requirements")) if blob]
        told = _Told(tuple(problems), bool(documents), *keywords.wanted(documents))
        self.state.put_meta(_TOLD, msgspec.msgpack.encode(told))
        self.state.commit()
        return told

    def _commit_links(self) -> list[CommitLink]:
        """What commits say of requirements; nobody is asked where no document defines one."""
        if not self.told.has_documents:
            return []
        from loregraph.indexer.requirements.commits import read_history
        from loregraph.indexer.requirements.ids import compiled

        pattern = self.settings.requirements.pattern
        before = self.state.meta("commits")
        links, after = read_history(self.root, compiled(pattern), pattern, self._source_hashes(), before)
        if after != before:
            self.state.put_meta("commits", after)
            self.state.commit()
        return links

    def _keyword_lines(self) -> dict[str, dict[str, int]]:
        """Where the words stand that documents point to code by; no file is read where none does."""
        words = self.told.words
        if not words:
            return {}
        from loregraph.indexer.requirements import keywords

        before = self.state.meta("keywords")
        hits, after = keywords.find(self.root, words, self._source_hashes(), before)
        if after != before:
            self.state.put_meta("keywords", after)
            self.state.commit()
        return hits

    def _source_hashes(self) -> dict[str, str]:
        """Path → content hash of every source file."""
        return {
            path: file.content_hash
            for path, file in self.files.items()
            if file.language in registry.SUPPORTED and file.content_hash
        }

    def _entries(self, paths: Collection[str] | None = None) -> list[FileEntry]:
        """Every file of the state, or those of `paths`, sorted by path."""
        from loregraph.indexer.assemble import FileEntry

        decoder = msgspec.msgpack.Decoder(FileEntry)
        return sorted((decoder.decode(blob) for _, blob in self.state.blobs("entries", paths)), key=lambda e: e.path)

    # publishing

    def _token(self, instead: Mapping[str, Published] | None = None) -> str:
        """Names everything that the graph is a function of: files, settings that matter, and the code.

        `instead` says of some files what they were.
        """
        from loregraph import __version__

        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"{__version__}\n{SCHEMA_VERSION}\n{self.embedder}\n{code_version()}\n".encode())
        if self.outside is not None:
            digest.update(self.outside.digest.encode())
        digest.update(msgspec.msgpack.encode(self.commits))
        digest.update(msgspec.msgpack.encode(self.keywords))
        for path, known in self.files.items():
            file = (instead or {}).get(path, known)
            digest.update(f"{path}\0{file.language}\0{file.content_hash}\0{file.facts_version}\n".encode())
        indexed = {file.path for file in self.discovery.files}
        for path in self.discovery.paths:
            if path not in indexed:
                digest.update(f"{path}\0{self._packaging_hash(path)}\n".encode())
        return digest.hexdigest()

    def _packaging_hash(self, path: str) -> str:
        """Stands for the content of a packaging file; they are few, so all of them are read every time."""
        content, _ = read_archive(self.root / path, self.settings.max_file_bytes)
        return content_hash(content) if content is not None else ""

    def _publish_moved(self, current: Current, token: str, before: Mapping[str, Published]) -> int:
        """Publishes a generation made of the current one, where all that changed since only moved; returns its number,
        0 where there is more to do. `before` as `_changed_since` has it."""
        from loregraph.indexer.line_only_edits import only_moved

        return self._publish(current, token, before, lambda columns: only_moved(self.state, before, columns))

    def _publish_edited(
        self,
        current: Current,
        token: str,
        before: Mapping[str, Published],
        resolution: Resolution,
        keep: Callable[[], None],
    ) -> int:
        """Publishes a generation made of the current one and of what resolution now says; returns its number, 0 where
        the whole graph has to be written.

        `before` as `_changed_since` has it. `resolution` has at least every file of `before` with facts and every other
        whose edges may have changed, with all externals that edges of these end at, and the problems of its files.
        `keep` keeps the traces that belong to the new generation.
        """
        from loregraph.indexer.edited import Around, edited
        from loregraph.indexer.kept_resolution import read_kept

        kept = read_kept(self.state)
        if kept is None:
            return 0
        around = Around(self.commits, self.keywords, self.authored)

        def compare(columns: GraphColumns) -> Edited | None:
            return edited(self.state, before, columns, resolution, kept, around)

        def count(building: Path, found: Edited) -> None:
            from loregraph.graph.columns import GraphColumns
            from loregraph.indexer.counts import keep_counts

            now = GraphColumns.open(building)
            self._refuse_nothing(keep_counts(self.state, now, resolution, kept, found.kept or kept))
            keep()

        return self._publish(current, token, before, compare, count)

    def _publish(
        self,
        current: Current,
        token: str,
        before: Mapping[str, Published],
        compare: Callable[[GraphColumns], Edited | None],
        count: Callable[[Path, Edited], None] | None = None,
    ) -> int:
        """Publishes the current generation with what `compare` finds to be other than in its columns; returns its
        number, 0 where that cannot be told or done. `count` brings up to date what is kept beside the graph."""
        if not before or current.similar:
            return 0  # with copies: what is copied from what may have changed
        from loregraph.indexer.store_edit import write_edited

        with self.folder.lease() as lease:
            with self.clock.phase("resolve"):
                self.tell(Progress("resolve"))
                columns = self._intact_columns(lease.path)
                found = compare(columns) if columns is not None else None
            if columns is None or found is None:
                return 0
            building = self.folder.new_generation()
            embedder = (self.embedder, current.embedder)
            if not write_edited(building, found, columns, self.state, embedder, self.clock.phase, self.tell):
                return 0
        with self.clock.phase("store"):
            if count is not None:
                count(building, found)
            made = self._made_current(building, msgspec.structs.replace(current, state_token=token))
            if made.journal_offsets != self.authored.offsets:
                from loregraph.indexer.republish import publish_authored

                return publish_authored(self.folder, made, self.authored)
            return made.generation

    def _made_current(self, building: Path, current: Current) -> Current:
        """Publishes the generation in `building`; from then on what files were before it is of no use."""
        # What is kept of the graph is kept before the generation is published: a run that finds it finds that too.
        self.state.put_meta("totals_token", current.state_token.encode())
        self.state.put_meta(_OUTSIDE, self.outside.kept() if self.outside is not None else None)
        self.state.commit()
        made = self.folder.publish(building, current)
        self.state.drop_blobs("published")
        self.state.compact()
        return made

    def _written(self, built: Built, entries: list[FileEntry]) -> tuple[Path, dict[str, Any] | None, tuple[str, int]]:
        """The folder of a new generation of `built`, whole but for the engine's file; see `write_everything`."""
        from loregraph.indexer.store_graph import write_everything

        with self.clock.phase("store"):
            self.tell(Progress("store"))
            building = self.folder.new_generation()
        embedder, engine = write_everything(
            building, built, self.state, self.embedder, self.clock.phase, self.tell, entries
        )
        return building, embedder, engine

    def _refuse_nothing(self, totals: Totals) -> None:
        """A source tree that nothing came out of is a failure: a parser that is missing looks like that."""
        found = (
            totals.functions
            + totals.classes
            + sum(totals.generated.values())
            + sum(totals.relationships.get(r, 0) for r in ("CALLS", "IMPORTS"))
        )
        if found:
            return
        entries = [e for e in self._entries() if e.language in registry.SUPPORTED]
        failed = [e for e in entries if e.status == "failed"]
        lines = sum(e.lines for e in entries)
        if not entries or (len(failed) < len(entries) and lines < NOTHING_FROM_LINES):
            return
        why = next((f" ({e.path}: {e.problems[0][1]})" for e in (failed or entries) if e.problems), "")
        raise NothingIndexedError(
            f"nothing was found in {len(entries)} source files, {len(failed)} of which could not be read{why}; "
            "the graph was left as it was",
            "see what is wrong with them; `loregraph doctor` checks the parsers",
        )

    # reporting

    def _counts(self, todo: Plan, changed: set[str]) -> FileCounts:
        """Every file that is there is one of indexed, unchanged, failed and unsupported."""
        files = self.files.values()
        failed = sum(file.status == "failed" for file in files)
        unsupported = sum(file.status == "unsupported" for file in files)
        indexed = sum(file.path in changed and file.status not in ("failed", "unsupported") for file in files)
        return FileCounts(
            indexed=indexed,
            unchanged=len(files) - indexed - failed - unsupported,
            removed=len(todo.removed),
            failed=failed,
            unsupported=unsupported,
        )

    def _problems(self, layout: tuple[ReportedProblem, ...]) -> tuple[ReportedProblem, ...]:
        found = [ReportedProblem(p.path, p.line, p.message) for p in self.discovery.problems]
        sources = self.settings.requirements.sources
        if sources and not any(is_source(file.path, self.settings.requirements) for file in self.discovery.files):
            told = f"requirements.sources names no file that is there: {', '.join(sources)}"
            found.append(ReportedProblem(".", 0, told))
        if unsought := self.told.unsought:
            told = f"{len(unsought):,} words of `ref:` or `keyword:` are too many or too long, and not looked for"
            found.append(ReportedProblem(".", 0, told))
        saved = self.state.meta("layout_problems")
        found += layout or (msgspec.msgpack.decode(saved, type=list[ReportedProblem]) if saved else [])
        found += self.told.problems
        found += [ReportedProblem(".", 0, message) for message in (*self.folder.remarks, *self.state.problems)]
        return tuple(sorted(found, key=lambda p: (p.path, p.line, p.message)))

    def _report(
        self,
        counts: FileCounts,
        totals: Totals,
        problems: tuple[ReportedProblem, ...],
        generation: int,
        resolved: int = 0,
    ) -> IndexReport:
        return IndexReport(
            files=counts,
            functions=totals.functions,
            classes=totals.classes,
            components=totals.components,
            requirements=totals.requirements,
            relationships=totals.relationships,
            problems=problems,
            seconds=self.clock.result(),
            unresolved=totals.unresolved,
            generation=generation,
            generated=totals.generated,
            languages=dict(sorted(Counter(file.language for file in self.files.values()).items())),
            resolved=resolved,
        )


def count(graph: Graph, unresolved: Mapping[str, Mapping[str, int]]) -> Totals:
    """How much of what `graph` holds, without what is in generated files; `unresolved` is by family and reason."""
    reasons = sum((Counter(own) for own in unresolved.values()), Counter[str]())
    files = {node.path: node.generated for node in graph.nodes if isinstance(node, File) and node.generated}
    labels = Counter(
        type(node).__name__
        for node in graph.nodes
        if not (isinstance(node, Function | Class) and node.file_path in files)
    )
    relationships = Counter(edge.rel for edge in graph.edges)
    return Totals(
        labels["Function"],
        labels["Class"],
        labels["Component"],
        labels["Requirement"],
        dict(sorted(relationships.items())),
        dict(sorted(reasons.items())),
        dict(sorted(Counter(files.values()).items())),
    )


def _with(files: Mapping[str, FileState], gone: Collection[str], come: Mapping[str, FileState]) -> dict[str, FileState]:
    """`files` without some and with others, in order of path."""
    found = {**files, **come}
    for path in gone:
        found.pop(path, None)
    return found if len(found) == len(files) and not gone else dict(sorted(found.items()))


def _own_problems(entries: Iterable[FileEntry]) -> list[ReportedProblem]:
    return [ReportedProblem(entry.path, line, message) for entry in entries for line, message in entry.problems]


def _dry_run(
    folder: StoreFolder, discovery: Discovery, settings: Settings, full: bool, texts: bool, clock: _Clock
) -> IndexReport:
    known: dict[str, FileState] = {}
    read_at: dict[str, int] = {}
    totals = Totals()
    with suppress(DamagedStoreError):  # the run would begin from nothing
        state = None if full else folder.open_state()
        if state is not None:
            with closing(state):
                files = state.files()
                read_at = read_times(state, files)
                saved = state.meta("totals")
                totals = msgspec.msgpack.decode(saved, type=Totals) if saved else totals
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


def _silent(_: Progress) -> None:
    """Nobody is watching."""
