"""One project and its graph: the interface used by the command line, the MCP server and Python programs.

This module imports quickly: each call imports what it needs, so that asking for callers loads neither the engine nor a
parser nor a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from loregraph.config import find_root
from loregraph.errors import StoreBusyError, StoreError, UsageError
from loregraph.opened import OpenedProject, StrPath

if TYPE_CHECKING:
    from loregraph.analysis.changes.view import ChangeView
    from loregraph.analysis.consistency_report import Consistency
    from loregraph.analysis.context import Context
    from loregraph.analysis.duplicates.clones import CloneIndex
    from loregraph.analysis.duplicates.results import Copy, Duplicates
    from loregraph.analysis.explore.answer import Exploration
    from loregraph.analysis.explore.sent import Sent
    from loregraph.analysis.fixes.review import Review
    from loregraph.analysis.history.answer import History
    from loregraph.analysis.impact.report import ImpactReport
    from loregraph.analysis.rules.runner import Checked
    from loregraph.analysis.selection.select import Effort, Selection
    from loregraph.analysis.selection.selected import SelectedTest
    from loregraph.analysis.tracing.comparison import Comparison
    from loregraph.analysis.tracing.places import Places
    from loregraph.analysis.tracing.report import TraceReport
    from loregraph.bolt.push import Pushed
    from loregraph.git import ChangedFile
    from loregraph.graph.imported import Source
    from loregraph.graph.queries import CallHit, Related, Show
    from loregraph.graph.search import SearchHit
    from loregraph.indexer.build.unresolved_calls import Reason
    from loregraph.indexer.pipeline import IndexReport, Progress
    from loregraph.memory.links import LinkDecision
    from loregraph.pages.changed import ChangeShown
    from loregraph.publishing.publish import Transfer
    from loregraph.publishing.pull import Start
    from loregraph.publishing.retention import Collected
    from loregraph.reader import Rows
    from loregraph.requirement_links import Verified
    from loregraph.runs.collecting import Imported as RunImported
    from loregraph.runs.comparing import RunComparison
    from loregraph.runs.sources import Run
    from loregraph.scip.export import ScipExport
    from loregraph.scip.importing import ScipImport

EXPLORE_TOKENS: Final = 4_000
"""The size of an answer of `explore` where none is asked for."""
MOST_SUGGESTED: Final = 10
"""Functions that a report on a change suggests to look at."""


def open_project(path: StrPath = ".", *, store: StrPath | None = None, **settings: Any) -> Project:
    """The project around the folder `path`: see `config.find_root`.

    `store` is the folder of the graph, `settings` override the configuration (keys of `config.Settings`; those of a
    section joined by an underscore, `query_limit=5`). Raises UsageError where `path` is not a folder and ConfigError
    for an invalid setting.
    """
    return Project(find_root(Path(path)), store=store, **settings)


# Implements REQ-CLI-014.
class Project(OpenedProject):
    """The project at `root`. A context manager; `close` releases its graph.

    Every query is answered from the current graph, even if another process has just published it. Methods raise
    subclasses of LoregraphError; those that read raise NotIndexedError where there is no graph yet.
    """

    _history_remark = ""

    # Indexing

    def index(
        self,
        *,
        full: bool = False,
        jobs: int | None = None,
        embed: bool = True,
        dry_run: bool = False,
        paths: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        force: Iterable[str] = (),
        progress: Callable[[Progress], None] | None = None,
        engine: bool = True,
    ) -> IndexReport:
        """Brings the graph up to date. `full` starts from scratch, `dry_run` only counts what would be done.

        With `paths`, files and folders relative to the root, only these are examined and the rest of the graph stays;
        `include`, `exclude` and `force` are those of `indexer.discover.path_selection.PathSelection`. Without `engine`
        the engine's file is left to the first Cypher query.
        """
        from loregraph.indexer import pipeline
        from loregraph.indexer.discover.path_selection import PathSelection

        selection = PathSelection(
            paths=tuple(paths), include=tuple(include), exclude=tuple(exclude), force=tuple(force)
        )
        return pipeline.index(
            self.root,
            self.settings,
            full=full,
            jobs=jobs,
            embed=embed,
            dry_run=dry_run,
            selection=selection if selection.paths else None,
            authored=self._authored,
            progress=progress,
            engine=engine,
        )

    # Implements REQ-IDX-018.
    def watch(self, *, jobs: int | None = None, embed: bool = True) -> Iterator[IndexReport]:
        """Indexes now and after every change; yields the first report, and those of runs that changed something.

        Of all processes that do this for one project one does; the others wait for their turn: see `watching`.
        """
        from loregraph.watching import Watching

        watching = Watching(self.root, self.store, self._read_settings, "watch", needs_graph=False)
        yield self.index(jobs=jobs, embed=embed)
        for _ in watching.batches():
            try:
                report = self.index(jobs=jobs, embed=embed)
            except StoreBusyError as error:
                watching.failed(error.message, busy=True)
                continue
            watching.done(report.seconds.total)
            if report.files.indexed or report.files.removed or report.files.failed:
                yield report

    # Published graphs

    def publish(
        self, url: str, *, name: str = "", embed: bool = True, again: bool = False, jobs: int | None = None
    ) -> Transfer:
        """Publishes the graph of the commit that is checked out to the place `url`, which is indexed first unless it is
        there already: see `publishing.publish`."""
        from loregraph.publishing.publish import publish

        def index() -> None:
            self.index(embed=embed, jobs=jobs, engine=False)  # it is not among what is published

        embedder = self.settings.embedder
        return publish(self.root, self.store, url, index, name=name, embedder=embedder, again=again)

    def published(self, url: str, *, name: str = "", rev: str = "HEAD") -> Transfer | None:
        """What is published at `url` of the commit `rev`; None where nothing is that this version reads."""
        from loregraph.publishing.publish import is_published

        return is_published(self.root, url, name=name, rev=rev)

    def pull(self, url: str, *, rev: str = "HEAD", name: str = "") -> Transfer:
        """Makes the graph that is published at `url` of the commit `rev` the current one: see `publishing.pull`."""
        from loregraph.publishing.pull import pull

        most = self.settings.max_file_bytes
        return pull(self.root, self.store, url, rev=rev, name=name, authored=self._authored, max_bytes=most)

    def start_from(self, url: str, *, name: str = "") -> Start:
        """Makes the graph of the nearest published ancestor of HEAD the current one, for `index` to bring up to date:
        see `publishing.pull`."""
        from loregraph.publishing.pull import start_from

        return start_from(self.root, self.store, url, self.settings, name=name, authored=self._authored)

    def collect(self, url: str, *, newest: int = 0, refs: bool = False, name: str = "") -> Collected:
        """Removes what is published at `url` of this repository and not kept: see `publishing.retention`."""
        from loregraph.publishing.retention import collect

        return collect(self.root, url, newest=newest, refs=refs, name=name)

    # Queries

    def search(
        self,
        query: str,
        *,
        kind: str | None = None,
        language: str | None = None,
        path: str | None = None,
        limit: int = 10,
        mode: str = "hybrid",
        generated: bool = False,
        docstrings: bool = False,
    ) -> list[SearchHit]:
        """Functions, classes and constants for words, a sentence or code, best first.

        `mode`: hybrid, lexical or semantic. `generated` includes generated, minified and vendored files,
        `docstrings` the beginning of each docstring. A constant's `kind` is "constant", its `id` that of its file.
        Raises UsageError with the nearest name for an unknown `kind` or `language`; case is ignored.
        """
        from loregraph.accepted_names import known_kind, known_language

        kind, language = known_kind(kind), known_language(language)
        reader = self.reader()
        hits = reader.search(
            query, kind=kind, language=language, path=path, limit=limit, mode=mode, generated=generated
        )
        if not docstrings:
            return hits
        from loregraph.graph.summaries import with_docstrings

        return with_docstrings(reader.columns, hits)

    def show(self, symbol: str, *, history: bool = False) -> Show:
        """One symbol and its direct neighbours; with `history` also how many commits changed it, and who did.

        `symbol` is here, as everywhere, an id, a qualified name or a name. Raises NotFoundError with the nearest names
        and AmbiguousSymbolError with the candidates.
        """
        from loregraph.graph import queries

        self.catch_up()
        shown = queries.show(self.reader().columns, symbol)
        return self._with_history(shown) if history and shown.label in ("File", "Function") else shown

    def _with_history(self, shown: Show) -> Show:
        from msgspec.structs import replace

        found, columns = self.history(), self.reader().columns
        if found.refusal:
            return shown
        nodes = map(columns.find_id, shown.definitions or (shown.id,))
        worked = found.worked_on_any(node for node in nodes if node is not None)
        return replace(shown, commits=worked.commits, authors=worked.authors)

    def callers(self, symbol: str, *, depth: int = 1, min_confidence: float = 0.0) -> list[CallHit]:
        """Callers of `symbol`, nearest first, up to `depth` calls away."""
        from loregraph.graph import queries

        return queries.callers(self.reader().columns, symbol, depth, min_confidence)

    def callees(self, symbol: str, *, depth: int = 1, min_confidence: float = 0.0) -> list[CallHit]:
        """Callees of `symbol`, nearest first, up to `depth` calls away."""
        from loregraph.graph import queries

        return queries.callees(self.reader().columns, symbol, depth, min_confidence)

    def unresolved_calls(self) -> dict[str, int]:
        """Path → number of the file's calls with unknown targets; files without are left out."""
        from loregraph.graph import queries

        return queries.unresolved_by_file(self.reader().columns)

    def unresolved_reasons(self, limit: int) -> list[Reason] | None:
        """The reasons for unresolved calls, most frequent first, each with up to `limit` examples; None where they were
        not stored: in a store made by another tool, or without its state."""
        from loregraph.indexer.build.unresolved_calls import kept_reasons

        return kept_reasons(self.store, self.reader().columns.paths.values, limit)

    def impact(
        self, symbol: str = "", *, diff: str = "", since: str = "", depth: int = 10, min_confidence: float = 0.0
    ) -> list[CallHit]:
        """Code that a change of `symbol` may affect: direct and indirect callers, subclasses, overrides and tests.

        Instead of a symbol a change can be given: a unified `diff`, proposed or made, or everything that is different
        `since` a revision; see `impact_report`.
        """
        from loregraph.graph import queries

        starts = self._changed(symbol, diff, since)
        return queries.impact_of(self.reader().columns, starts, depth, min_confidence)

    def impact_report(
        self,
        symbol: str = "",
        *,
        diff: str = "",
        since: str = "",
        max_tokens: int | None = None,
        history: bool = False,
    ) -> ImpactReport:
        """What has to change, to be run and to be read with a change of `symbol`, of what a unified `diff` touches, or
        of what is different `since` a revision: call sites, overriding methods, tests, requirements and memories.

        The surest and nearest come first, and at most `max_tokens` of them. With `history` the report ends with
        functions that were often changed together with those that change, or look as if they will be. Raises UsageError
        unless exactly one of the three is given, and for a diff that is not one, is too large, or does not fit the
        files.
        """
        from loregraph.exploring import reported

        self.catch_up()
        starts = self._changed(symbol, diff, since)
        suggested = self.history().changes_with(starts, MOST_SUGGESTED) if history else ()
        return reported(self.reader(), self._stale_among, self.memory, starts, max_tokens, suggested)

    def _changed(self, symbol: str, diff: str, since: str) -> list[int]:
        """The nodes that change: the definitions of `symbol`, or those with lines that differ."""
        from loregraph import git
        from loregraph.analysis.since import changed_symbols
        from loregraph.graph import queries

        if sum(map(bool, (symbol.strip(), diff.strip(), since.strip()))) != 1:
            raise UsageError("one of a symbol, a diff and a revision is needed", "give exactly one of the three")
        columns = self.reader().columns
        if symbol:
            return queries.resolve_group(columns, symbol, queries.CODE_LABELS)
        return changed_symbols(columns, self._lines_of(diff) if diff else git.changed_lines(self.root, since))

    def _lines_of(self, diff: str) -> Mapping[str, ChangedFile]:
        """The lines that a unified diff changes in the files as they are."""
        from loregraph.analysis.changes.diff_lines import lines_of_diff

        columns = self.reader().columns

        def has_code(path: str) -> bool:
            file = columns.find_id(path)
            return file is not None and len(columns.out(file, "CONTAINS")) > 0

        return lines_of_diff(diff, lambda path: self._source(self.inside(self.root / path)), has_code)

    def _stale_among(self, paths: Iterable[str]) -> Collection[str]:
        return self.behind(paths, others=False).changed

    def explore(
        self,
        question: str = "",
        *,
        symbol: str = "",
        diff: str = "",
        max_tokens: int = EXPLORE_TOKENS,
        sent: Sent | None = None,
        resend: bool = False,
    ) -> Exploration:
        """One answer within `max_tokens` to a question in words, about a symbol or about a unified diff, proposed or
        made: the best code with its source, callers, callees, tests, requirements and memories.

        A `question` that is exactly a symbol's name is taken as one; with a `symbol`, too, what is near that counts
        more. `sent` has the sources that are not to be sent again unless with `resend`, and takes those of this answer.
        Raises UsageError where none is given, or a diff with another.
        """
        from loregraph.exploring import explored

        if bool(question.strip() or symbol.strip()) == bool(diff.strip()):
            raise UsageError(
                "a question, a symbol or a diff is needed", "give a question, a symbol, both of these, or a diff alone"
            )
        self.catch_up()
        return explored(
            self.reader(),
            self.source_lines,
            self._stale_among,
            self.memory,
            question=question,
            symbol=symbol,
            changes=self._lines_of(diff) if diff else None,
            max_tokens=max_tokens,
            sent=sent,
            resend=resend,
        )

    def history(self) -> History:
        """What git's history says of the code: which functions changed together, how often each was changed and by
        whom. Kept in the store, so that git is only asked for new commits. It has a reason where git knows none."""
        from loregraph.analysis.history.answer import History
        from loregraph.analysis.history.kept import history

        columns = self.reader().columns
        found = History(self.root, columns, history(self.root, self.store))
        self._history_remark = found.refusal or found.remark
        return found

    @property
    def history_remark(self) -> str:
        """Why the history that was last read for an answer is incomplete or none; "" where it is whole, or was not
        read."""
        return self._history_remark

    # Implements REQ-HIS-001.
    def bring_history(self) -> None:
        """Adds the CO_CHANGES edges and the properties `commits` and `authors` to the graph, unless it has those of the
        commit that is checked out. Takes seconds for a long history, once.

        Raises StoreBusyError where another process is writing, StoreError where the store cannot be written.
        """
        from loregraph import git
        from loregraph.indexer.build.republish import add_history

        head = git.head(self.root) or ""
        while (current := self.store.current()) is not None and current.history != head:
            found = self.history()
            if not found.head and not current.history:
                return
            generation = self.reader().generation
            if add_history(self.store, generation, found.head, found.co_changes(), found.worked_on()):
                return

    def related(
        self,
        symbol: str,
        *,
        relationship_types: Iterable[str] = (),
        direction: str = "BOTH",
        depth: int = 1,
        limit: int = 100,
    ) -> list[Related]:
        """The neighbours of `symbol` within `depth` edges: see `graph.queries.related`."""
        from loregraph.graph import queries
        from loregraph.graph.cypher_names import asks_for_copies, asks_for_history

        types = tuple(relationship_types)
        if any(map(asks_for_copies, types)):
            self.bring_copies()
        if any(map(asks_for_history, types)):
            self.bring_history()
        return queries.related(self.reader().columns, symbol, types, direction, depth, limit)

    def unresolved_near(
        self,
        symbol: str,
        found: Sequence[Related],
        *,
        relationship_types: Iterable[str] = (),
        direction: str = "BOTH",
        depth: int = 1,
    ) -> int:
        """The number of calls with unknown targets that may hide a row of `related`, which gave `found` for the same
        arguments: see `graph.queries.unresolved_near`."""
        from loregraph.graph import queries
        from loregraph.indexer.languages.policies import family_of

        columns, types = self.reader().columns, tuple(relationship_types)
        return queries.unresolved_near(columns, symbol, found, family_of, types, direction, depth)

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Rows:
        """Rows of a read-only Cypher statement, as dicts. `timeout` is in seconds.

        Raises QueryRefusedError, QueryFailedError and, beyond a limit of time or memory, QueryLimitError. Rows beyond
        `limit` are left out and the result's `truncated` is set.
        """
        from loregraph.graph.cypher_names import asks_for_authored, asks_for_copies, asks_for_history
        from loregraph.graph.cypher_worker import accepted

        limits = self.settings.query
        # Checked before anything is computed for it.
        accepted(cypher, params or {})
        if asks_for_authored(cypher):
            self.catch_up()
        if asks_for_copies(cypher):
            self.bring_copies()
        if asks_for_history(cypher):
            self.bring_history()
        return self.reader().query(
            cypher, params or {}, limit=limit or limits.limit, timeout=timeout or limits.timeout_ms / 1000
        )

    # Implements REQ-SRV-001.
    def push(
        self,
        url: str,
        *,
        database: str = "",
        name: str = "",
        waiting: Callable[[], None] = lambda: None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Pushed:
        """Loads the current graph, without memories, into the server at `url` as the repository `name`, by default the
        project's id. It replaces what the server had of that repository. `waiting` is called where another push is at
        it, `progress` with the number of nodes and edges loaded and that of all.

        Raises as `bolt.push.push`. The SIMILAR_TO edges are added first, unless the store cannot be written now.
        """
        from loregraph.bolt.push import push

        connection = self.connection(url, database)
        self.reader()
        with suppress(StoreError, StoreBusyError):
            self.bring_copies()
        name = name or self.memory.project_id
        return push(connection, name, self.reader().columns, waiting=waiting, progress=progress)

    # Implements REQ-SRV-006.
    def ask_server(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        url: str = "",
        database: str = "",
        repositories: Collection[str] = (),
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Rows:
        """As `query`, from the graphs on the server at `url`, by default the configured one; `repositories` limits it
        to some of them. Raises as `bolt.ask.ask`. This project needs no graph of its own."""
        from loregraph.bolt.ask import ask
        from loregraph.reader import Rows

        configured, limits = self.settings.server, self.settings.query
        connection = self.connection(url or configured.url, database if url else configured.database)
        return Rows(
            ask(
                connection,
                cypher,
                params or {},
                limit=limit or limits.limit,
                timeout=timeout or limits.timeout_ms / 1000,
                repositories=repositories,
            )
        )

    def export(self, form: str = "jsonl", *, ascii_only: bool = False) -> Iterator[str]:
        """The whole graph as text in pieces, "jsonl" (one line per piece) or "graphml".

        The SIMILAR_TO edges are added first, unless the store cannot be written now.
        """
        from loregraph.graph import export

        with suppress(StoreError, StoreBusyError):
            self.bring_copies()
        return export.text(self.reader().columns, form, ascii_only=ascii_only)

    def diagram(
        self, form: str, symbol: str | None = None, *, depth: int = 1, ascii_only: bool = False
    ) -> Iterator[str]:
        """A picture for documents in `form`, "mermaid" or "dot", line by line: of `symbol` with callers, callees and
        bases up to `depth` steps away, or of the components and what they depend on. What does not fit is counted in
        the document's first comments.

        Raises UsageError for another form or depth, and as other questions about an unknown symbol.
        """
        from loregraph.graph import dot, mermaid
        from loregraph.graph.component_map import component_map
        from loregraph.graph.neighbourhood import neighbourhood

        texts = {"mermaid": mermaid.text, "dot": dot.text}
        if form not in texts:
            raise UsageError(f"there is no format {form!r}", "use mermaid or dot")
        columns = self.reader().columns
        drawn = component_map(columns) if symbol is None else neighbourhood(columns, symbol, depth)
        return texts[form](drawn, ascii_only=ascii_only)

    def export_tables(self, folder: StrPath) -> list[str]:
        """Fills `folder` with Parquet files of the whole graph, `nodes_<Label>.parquet` and `edges_<REL>.parquet`;
        returns their names.

        The SIMILAR_TO edges are added first, as by `export`. Raises as `filling`, and StoreError where the engine
        refuses.
        """
        from loregraph.graph import parquet

        with suppress(StoreError, StoreBusyError):
            self.bring_copies()
        with self.filling(folder) as output:
            return parquet.write(self.reader().folder, output.file)

    # Implements REQ-CLI-015.
    def export_scip(self, file: BinaryIO) -> ScipExport:
        """Writes the graph as a SCIP index to `file`, a document at a time; see `scip.export`. Files that changed since
        they were indexed have no occurrences in it."""
        from loregraph.scip.export import write

        return write(file, self.reader().columns, self.root, self._source)

    # Implements REQ-EXC-001.
    def import_scip(self, path: StrPath, *, name: str | None = None, folder: str | None = None) -> ScipImport:
        """Joins a SCIP index with the graph, which is brought up to date before and after: see `scip.importing`.

        `name` is what it is remembered by, the file's name unless given: an index of the same name replaces it.
        `folder` is where its paths begin, relative to the root; what the index says unless given. Raises UsageError
        where there is no such file, BadScipError where it is no index.
        """
        from loregraph.graph import imported
        from loregraph.scip.importing import compared, source_of
        from loregraph.scip.reading import ScipFile

        scip = ScipFile(Path(path))
        scip.check()
        source = source_of(scip, name)
        # Compared with what we say ourselves, not with what the same index said before.
        imported.forget_in(self.store, source.key)
        self._index_again()
        folder = scip.folder_in(self.root) if folder is None else self.inside(self.root / folder)
        with self.store.reading_state() as state:
            claims, report = compared(scip, self.reader().columns, self._source, state, folder)
        imported.put_in(self.store, source, claims)
        self._index_again()
        return report

    # Implements REQ-RUN-005.
    def import_runs(self, paths: Iterable[StrPath] = (), *, format: str = "", revision: str = "") -> list[RunImported]:
        """Joins the files of runs with the graph, which is brought up to date before and after: see `runs.importing`.

        Without `paths` those of the configuration. `format` is one of `runs.formats.NAMES`, told by the content unless
        given; `revision` is the commit that was measured. A file replaces an earlier one of its name. Raises
        RunFileError for a file that cannot be read, UsageError for an unknown format or revision: then nothing changes.
        """
        from loregraph.analysis.tracing.verification import source_lines
        from loregraph.graph import imported
        from loregraph.runs.checkout import Checkout
        from loregraph.runs.importing import Joining
        from loregraph.runs.names_of_tests import NamesOfTests
        from loregraph.runs.sources import files_of_runs

        files = files_of_runs(self.root, self.settings, [Path(path) for path in paths])
        self._index_again()
        columns = self.reader().columns
        joining = Joining(columns, NamesOfTests(columns, source_lines(self.root)), Checkout(self.root, self._source))
        found = [joining.run(file, format, revision) for file in files]
        for one in found:
            imported.put_in(self.store, one.source, one.files)
        self._index_again()
        return found

    def runs(self) -> list[Run]:
        """The runs that were imported, by kind and name."""
        from loregraph.runs.sources import runs_in

        return runs_in(self.store)

    def compare_runs(self) -> RunComparison:
        """The calls that runs saw and that the graph would not have without them: see `runs.comparing`."""
        from loregraph.runs.comparing import compared

        def line_of(path: str, line: int) -> str:
            lines = self.source_lines(path)
            return lines[line - 1] if 0 < line <= len(lines) else ""

        with self.store.reading_state() as state:
            return compared(self.reader().columns, state, line_of)

    def forget_runs(self, key: str = "") -> list[str]:
        """Removes the facts of a run, such as `coverage:.coverage` or its file's name, or of all runs, and brings the
        graph up to date; returns the keys of those removed. Raises UsageError where there is none of that name."""
        from loregraph.graph import imported
        from loregraph.runs.sources import keys_of

        keys = keys_of(self.runs(), key)
        for one in keys:
            imported.forget_in(self.store, one)
        if keys:
            self._index_again()
        return keys

    def imported(self) -> list[Source]:
        """The sources of what was imported, by kind and name."""
        from loregraph.graph import imported

        return imported.sources_in(self.store)

    def forget_imported(self, key: str) -> None:
        """Removes everything that came from a source, such as `scip:index.scip`, and brings the graph up to date.

        Raises UsageError where nothing came from it.
        """
        from loregraph.errors import unknown_name
        from loregraph.graph import imported

        if not imported.forget_in(self.store, key):
            raise unknown_name("source", key, [source.key for source in self.imported()])
        self._index_again()

    def _index_again(self) -> None:
        """Brings the graph up to date, with vectors if it has some."""
        current = self.store.current()
        self.index(embed=current is None or current.embedder is not None)

    # Analyses

    def duplicates(
        self,
        paths: Iterable[StrPath] = (),
        *,
        threshold: float | None = None,
        min_tokens: int | None = None,
        semantic: bool = False,
        since: str | None = None,
    ) -> Duplicates:
        """Copies among the functions of the project, or of the files and folders `paths`.

        `threshold`, 0.3 to 1, and `min_tokens` are as configured unless given; `semantic` includes functions that may
        do the same in other words; `since` restricts the result to copies on lines changed since that revision. Raises
        UsageError for a number out of range, an unknown revision, and `semantic` where there are no vectors.
        """
        from loregraph import git
        from loregraph.analysis.duplicates import asking

        reader = self.reader()
        return asking.duplicates(
            reader.columns,
            self._clones,
            self.settings.duplicates,
            threshold=threshold,
            min_tokens=min_tokens,
            paths=[self.inside(path) for path in paths],
            changes=None if since is None else git.changed_lines(self.root, since),
            semantic=semantic,
            vectors=reader.vectors if semantic else None,
        )

    def copies_of(
        self,
        *,
        code: str | None = None,
        symbol: str | None = None,
        language: str | None = None,
        threshold: float = 0.7,
        limit: int = 5,
    ) -> list[Copy]:
        """Functions similar to a piece of `code`, or to the function `symbol`, best first.

        `language` is that of the code and of results; if it is not given, the code's is guessed and results are of any.
        Raises UsageError unless one of `code` and `symbol` is given.
        """
        from loregraph.accepted_names import known_language
        from loregraph.analysis.duplicates import asking

        asked = asking.Asked(code, symbol, known_language(language))
        columns = self.reader().columns
        return asking.copies(columns, self._clones, asked, self._source, threshold=threshold, limit=limit)

    def duplicates_page(self, found: Duplicates) -> str:
        """The result of `duplicates` as a self-contained HTML page."""
        from loregraph.pages.reports import duplicates_report

        return duplicates_report(found, self.root.name, self.reader().columns, self.source_lines)

    def _clones(self) -> CloneIndex:
        return self.reader().clones(self._source, self.settings.duplicates.exclude)

    def bring_copies(self) -> None:
        """Adds the SIMILAR_TO edges to the graph, unless it has them. Takes seconds for a large project.

        Raises StoreBusyError where another process is writing, StoreError where the store cannot be written.
        """
        from loregraph.analysis.duplicates.asking import similar_edges
        from loregraph.indexer.build.republish import add_similar

        while (current := self.store.current()) is not None and not current.similar:
            reader = self.reader()
            if add_similar(self.store, reader.generation, similar_edges(self.duplicates())):
                return

    def consistency(self, component: str, *, rules: Iterable[str] = ()) -> Consistency:
        """The habits of `component` (an id, a name or a path), and deviations from them."""
        from loregraph.analysis import consistency

        self.catch_up()
        return consistency.check(self.code(), component, rules)

    def check(
        self, path: StrPath | None = None, *, rules: Iterable[str] = (), since: str | None = None
    ) -> list[Checked]:
        """The findings of the rules in the project, or in the file or folder `path`, by place.

        `rules` are names, none for the enabled ones (see docs/rules.md); `since` restricts findings to lines changed
        since that revision. Raises UsageError for an unknown rule, revision or path and ConfigError for an invalid
        contract.
        """
        from loregraph import git
        from loregraph.analysis.rules import runner

        self.catch_up()
        found = runner.check(self.code(), None if path is None else self.inside(path), rules)
        return found if since is None else runner.touching(found, git.changed_lines(self.root, since))

    def check_page(self, found: Sequence[Checked], known: int = 0) -> str:
        """The result of `check` as a self-contained HTML page; `known` findings were left out."""
        from loregraph.pages.reports import check_report

        return check_report(found, self.root.name, self.settings.check, known)

    def context(self, component: str | None = None, *, query: str = "", include_code: bool = False) -> Context:
        """Requirements, designs, habits, memories, dependencies and dependents of `component` (an id, a name or a
        path), or of the best answer to `query`; with `include_code` the beginning of its source.

        Raises UsageError where neither is given.
        """
        from loregraph.analysis.context import Context
        from loregraph.design_context import design_context
        from loregraph.memory.about import about

        if component is None and not query:
            raise UsageError("component_id, query: one of the two is required", "pass component_id or query")
        self.catch_up()
        if component is None:
            hits = self.search(query, limit=1)
            if not hits:
                return Context(memories=about(self.memory, None, query))
            component = hits[0].id
        code = self.code()
        return design_context(code, self.memory, component, query, self.source_lines if include_code else None)

    def trace(
        self,
        requirement_id: str | None = None,
        *,
        suggest: bool = False,
        results: Iterable[StrPath] | None = None,
        min_confidence: float | None = None,
    ) -> TraceReport:
        """Code, tests, designs and memories of one requirement, or of each, with coverage and gaps.

        `suggest` ranks candidate code for each, without linked or rejected code. `results` are files of JUnit XML;
        None: the configured ones, without which the results of imported runs count. Declarations link code; with
        `min_confidence` so does everything with at least that confidence, including mentions. Raises
        NothingToTraceError without any requirement, NotFoundError for an unknown one, UsageError for unreadable
        results.
        """
        from loregraph import requirement_links

        named = None if results is None else map(Path, results)
        read = requirement_links.read_results(self.root, self.settings, named)
        self.catch_up()
        columns = self.reader().columns
        if read.cases is None and not read.missing:
            read = read._replace(outcomes=requirement_links.outcomes_of_runs(self.store, columns))
        return requirement_links.traced(columns, self.root, self.memory, requirement_id, read, suggest, min_confidence)

    def trace_matrix(self, report: TraceReport, form: str = "text") -> str:
        """A trace as a document: "text", "json", "html", "csv" or "reqif"."""
        import msgspec

        from loregraph.analysis.tracing import formats

        if form in ("html", "csv", "reqif"):
            report = msgspec.structs.replace(report, places=self.requirement_places(report))
        if form == "html":
            from loregraph.pages.requirements.trace_report import trace_report

            return trace_report(report, self.root.name)
        return formats.write(report, form, self.root.name)

    def requirement_places(self, report: TraceReport) -> Places:
        """Requirement → its document and the sections that it stands in, for all of a trace."""
        from loregraph import requirement_links

        return requirement_links.placed(self.reader().columns, report, self.source_lines)

    def verified_at(self) -> Verified | None:
        """The commit that the configured test results are of; None without results, or outside a repository."""
        from loregraph import requirement_links

        return requirement_links.verified_at(self.root, self.settings)

    def compare_requirements(self, old: str, new: str = "") -> Comparison:
        """The requirements and their declared links at the revision `old` and at `new`, "" for the files as indexed.

        Links that people accepted count at both. Those that need the whole project are not compared: those by commits'
        trailers, by keywords, and of tests that only call the code. Raises UsageError where there is no such revision.
        """
        from loregraph import requirement_links

        columns, decisions = self.reader().columns, self.memory.links()
        return requirement_links.compared(self.root, self.settings, self.store, columns, decisions, old, new)

    def decide_links(self, decisions: Iterable[tuple[str, str, str]]) -> tuple[LinkDecision, ...]:
        """Stores a person's decisions: (decision, requirement, code) with "accepted", "rejected" or "withdrawn".

        The requirement is an id, the code a symbol or a path. All are stored or none: raises NotFoundError with the
        nearest names and AmbiguousSymbolError with the candidates.
        """
        from loregraph import requirement_links

        return requirement_links.decided(self.reader().columns, self.memory, decisions)

    def review(
        self, component: str, *, description: str = "", affected_files: Iterable[str] = (), diff: str = ""
    ) -> Review:
        """Reviews a fix of `component` (an id, a name or a path): what it touches, forgets, and contradicts; `diff` is
        a unified diff, `affected_files` are paths relative to the root."""
        from loregraph.changes import reviewed

        self.catch_up()
        code, files = self.code(), tuple(affected_files)
        return reviewed(
            self.root, self.settings, code, self.memory, component, description, files, diff, self.copies_of
        )

    # Implements REQ-RUN-009.
    def tests(
        self, symbols: Iterable[str] = (), *, diff: str = "", since: str = "", effort: Effort = "default"
    ) -> Selection:
        """The tests to run for a change of `symbols`, of what a unified `diff` changes (applied or not), or of what is
        different `since` a revision, in the order that finds a failure soonest: see `analysis.selection`.

        `effort` "fast" gives only those that are known to execute the change, "safe" all that could be affected by it.
        Raises UsageError unless exactly one of the three is given.
        """
        from loregraph import git, selecting_tests
        from loregraph.graph import queries

        named = [symbol for symbol in symbols if symbol.strip()]
        if sum(map(bool, (named, diff.strip(), since.strip()))) != 1:
            raise UsageError("symbols, a diff or a revision are needed", "give exactly one of the three")
        self.catch_up()
        reader, commits = self.reader(), []
        if named:
            nodes = [node for one in named for node in queries.resolve_group(reader.columns, one, queries.CODE_LABELS)]
            change = selecting_tests.change_of_symbols(reader.columns, nodes)
        elif diff.strip():
            change = selecting_tests.change_of_diff(self.root, self.settings, diff)
        else:
            base = git.commit_of(self.root, since)
            commits = [base, git.head(self.root) or ""]
            change = selecting_tests.change_since(self.root, self.settings, base, self._source)
        return selecting_tests.selected(reader, self.store, change, self._source, effort, commits)

    def tests_as(
        self,
        tests: Sequence[SelectedTest],
        form: str,
        *,
        runner: str = "",
        note: Callable[[str], None] = lambda text: None,
    ) -> str:
        """Selected tests in the format `form`, for the runner named: see `analysis.selection.selectors.formatted`."""
        from loregraph.analysis.selection.selectors import formatted

        def lines_of(path: str) -> Sequence[str]:
            return (self._source(path) or b"").decode("utf-8", "replace").split("\n")

        return formatted(tests, self.reader().columns, form, runner, note=note, lines_of=lines_of)

    def diff(self, rev: str) -> ChangeView:
        """The changes of the files since the revision `rev`, and their effects.

        Raises UsageError where there is no such revision.
        """
        from loregraph.changes import change_since

        return change_since(self.root, self.settings, self.store, self.reader().columns, rev, self.duplicates)

    def change_shown(self, view: ChangeView) -> ChangeShown:
        """The result of `diff`, with whom it affects step by step and the memories about it, in the form of a page."""
        from loregraph.pages.affected import RINGS
        from loregraph.pages.changed import change_shown

        reader = self.reader()
        return change_shown(
            reader.columns,
            view,
            self.impact(since=view.commit, depth=RINGS) if view.code else (),
            self.impact_report(since=view.commit).memories if view.code else (),
            reader.roles.is_test,
        )

    def change_page(self, view: ChangeView) -> str:
        """The result of `diff`, with whom it affects, as a self-contained HTML page."""
        from loregraph.pages.reports import change_report

        return change_report(self.change_shown(view), self.root.name)
