"""One project and its graph: what the command line, the MCP server and Python programs call.

Nothing here is slow to import: what a call needs is imported by that call, so that asking for callers loads neither the
engine nor a parser nor a model.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from loregraph import rooted
from loregraph.config import find_root, load_settings, store_path
from loregraph.errors import (
    LoregraphError,
    NotIndexedError,
    PathOutsideProjectError,
    StoreBusyError,
    StoreError,
    UsageError,
    unknown_name,
)
from loregraph.gc_control import without_collector
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import FOUND_KINDS

if TYPE_CHECKING:
    from loregraph.analysis.changes.view import ChangeView
    from loregraph.analysis.consistency import Consistency
    from loregraph.analysis.context import Context
    from loregraph.analysis.duplicates.results import Copy, Duplicates
    from loregraph.analysis.fixes.review import Review
    from loregraph.analysis.rules.code import Code
    from loregraph.analysis.rules.runner import Checked
    from loregraph.analysis.tracing.report import TraceReport
    from loregraph.doctor import Check
    from loregraph.freshness import Behind
    from loregraph.graph.authored import Authored
    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.embedders import Embedder
    from loregraph.graph.queries import CallHit, GraphCounts, Related, Show
    from loregraph.graph.search import SearchHit
    from loregraph.graph.summaries import FileSummary
    from loregraph.indexer.pipeline import IndexReport, Progress
    from loregraph.indexer.unresolved_calls import Reason
    from loregraph.memory.api import ProjectMemory
    from loregraph.memory.links import LinkDecision
    from loregraph.reach import Reaching
    from loregraph.reader import Reader, Rows
    from loregraph.status import Stale, Status

QUIET_MS: Final = 300
"""How long no file may have changed before `watch` indexes: a checkout or a save of many files is one change."""

_AUTHORED: Final = re.compile(r"\b(?:Memory|ABOUT|RELATES_TO|SUPERSEDES|Requirement|IMPLEMENTS_REQ)\b", re.IGNORECASE)
_COPIES: Final = re.compile(r"\bSIMILAR_TO\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"[(\[]\s*+`?\w*+`?\s*+:")

StrPath = str | os.PathLike[str]


def open_project(path: StrPath = ".", *, store: StrPath | None = None, **settings: Any) -> Project:
    """The project that the folder `path` lies in: see `config.find_root`.

    `store` names the folder of the graph, `settings` override what the configuration says (keys of `config.Settings`;
    those of a section joined by an underscore, `query_limit=5`). Raises UsageError where `path` is no folder and
    ConfigError for a setting that cannot be understood.
    """
    return Project(find_root(Path(path)), store=store, **settings)


# Implements REQ-CLI-014.
class Project:
    """The project at `root`. A context manager; `close` lets go of the graph it reads.

    Every question is answered from the current graph, also after another process has published a new one. Methods raise
    subclasses of LoregraphError; those that read raise NotIndexedError where there is no graph yet.
    """

    def __init__(self, root: StrPath, *, store: StrPath | None = None, **settings: Any) -> None:
        self.root = Path(root).resolve()
        if store is not None:
            settings["store"] = str(Path(store).absolute())
        self.settings = load_settings(self.root, **settings)
        self.store = StoreFolder(store_path(self.root, self.settings), self.root)
        self._reader: Reader | None = None
        self._memory: ProjectMemory | None = None
        self._checked_code: Code | None = None
        self._loaded_embedder: tuple[Embedder | None] | None = None
        self._is_nameless = False

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        reader, self._reader = self._reader, None
        self._checked_code = None
        if reader is not None:
            reader.close()
        if self._memory is not None:
            self._memory.close()

    @property
    def ignored_settings(self) -> tuple[Reaching, ...]:
        """Settings of the repository that reach beyond it and that the user has not trusted (`loregraph trust`)."""
        return self.settings.ignored

    @property
    def remarks(self) -> tuple[str, ...]:
        """A line for each thing that the repository asked for or brought and that is not believed: settings, the name
        that its memories go by, its store."""
        with suppress(LoregraphError):
            self.store.current()
        doubted = f"the store {str(self.store.path)!a} is not believed: {self.store.doubt}" if self.store.doubt else ""
        named: tuple[str, ...] = ()
        with suppress(LoregraphError):
            named = self.memory.remarks
        return tuple(filter(None, (*self.settings.remarks, *named, doubted)))

    @property
    def memory(self) -> ProjectMemory:
        """What people and agents wrote about the project; answers without a graph too."""
        if self._memory is None:
            from loregraph.memory.api import ProjectMemory

            self._memory = ProjectMemory(self.root, self.settings, code=self._code, embedder=self._embedder)
        return self._memory

    # Implements REQ-SEC-005.
    @contextmanager
    def writing(self, path: StrPath, *, parents: bool = False) -> Iterator[BinaryIO]:
        """The file that the user named for an output, open for writing and replaced whole; with `parents` its folder is
        made where it is missing.

        Raises NotAllowedError for the store, a journal and git's folder, UnsafePathError where a link below the root
        is on the way, UsageError where it cannot be written.
        """
        self.memory.refuse_reserved(Path(path))
        try:
            with rooted.writing_named(Path(path), self.root, parents=parents) as file:
                yield file
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}", "name another file") from error

    def _code(self) -> GraphColumns | None:
        """The graph's columns; None where there is no graph that can be read, without which memories do."""
        try:
            return None if self.store.current() is None else self.reader().columns
        except (NotIndexedError, StoreError):
            return None

    def _embedder(self) -> Embedder | None:
        if self._loaded_embedder is None:
            from loregraph.reader import loaded_embedder

            self._loaded_embedder = (loaded_embedder(self.settings.embedder),)
        return self._loaded_embedder[0]

    def inside(self, path: StrPath) -> str:
        """`path` relative to the root, POSIX. Raises PathOutsideProjectError where it leads out, links resolved."""
        resolved = Path(path).resolve()
        if not resolved.is_relative_to(self.root):
            raise PathOutsideProjectError(f"{path} lies outside the project {self.root}", "name a path inside the root")
        return resolved.relative_to(self.root).as_posix()

    # Making the graph

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
    ) -> IndexReport:
        """Brings the graph up to date. `full` starts from nothing, `dry_run` only counts what would be done.

        With `paths`, files and folders relative to the root, only these are looked at and the rest of the graph stays;
        `include`, `exclude` and `force` are those of `indexer.path_selection.PathSelection`.
        """
        from loregraph.indexer import pipeline
        from loregraph.indexer.path_selection import PathSelection

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
        )

    # Implements REQ-IDX-018.
    def watch(self, *, jobs: int | None = None, embed: bool = True) -> Iterator[IndexReport]:
        """Indexes now and after every change; yields the report of each run that changed something, first the first."""
        from watchfiles import DefaultFilter, watch

        seen = DefaultFilter(ignore_paths=[self.store.path])
        yield self.index(jobs=jobs, embed=embed)
        for _ in watch(self.root, watch_filter=seen, debounce=5000, step=QUIET_MS):
            report = self.index(jobs=jobs, embed=embed)
            if report.files.indexed or report.files.removed or report.files.failed:
                yield report

    def catch_up(self) -> bool:
        """Brings memories and accepted links that are newer than the graph into it; False where that has to wait for a
        writer."""
        from loregraph.memory.graph_nodes import is_behind

        current = self.store.current()
        if current is None or not is_behind(current.journal_offsets, self._journals(), self.root):
            return True
        return self._bring_memories()

    def _bring_memories(self) -> bool:
        from loregraph.indexer.republish import catch_up

        return catch_up(self.store, self._authored)

    def _journals(self) -> tuple[Path, ...]:
        """The journals that the graph shows; only the user's where it cannot be told which is the project's, which is
        an error of those commands alone that are about memories."""
        try:
            return self.memory.journals
        except (UsageError, StoreError) as error:
            if not self._is_nameless:
                import logging

                self._is_nameless = True
                log = logging.getLogger("loregraph.memory")
                log.warning("warning: the graph is without the project's memories: %s", error.message)
            return (self.memory.user_journal,)

    def _authored(self) -> Authored:
        from loregraph.graph.authored import Authored
        from loregraph.memory.graph_nodes import memory_nodes, read_journals
        from loregraph.memory.links import link_edges

        memories, links, offsets = read_journals(self._journals(), self.root)
        nodes, edges = memory_nodes(memories)
        return Authored(nodes, edges + link_edges(links), offsets)

    # Asking it

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
    ) -> list[SearchHit]:
        """Functions, classes and constants for words, a sentence or code, best first.

        `mode`: hybrid, lexical or semantic. With `generated` also what is in generated, minified and vendored files. A
        constant's `kind` is "constant", its `id` that of its file. Raises UsageError with the nearest name for a `kind`
        or `language` that does not exist; any case will do.
        """
        if kind is not None:
            kind = _known("kind", kind, FOUND_KINDS)
        language = _known_language(language)
        return self.reader().search(
            query, kind=kind, language=language, path=path, limit=limit, mode=mode, generated=generated
        )

    def show(self, symbol: str) -> Show:
        """All that is known of one symbol, one step around it.

        `symbol` is here, as everywhere, an id, a qualified name or a name. Raises NotFoundError with the nearest names
        and AmbiguousSymbolError with the candidates.
        """
        from loregraph.graph import queries

        self.catch_up()
        return queries.show(self.reader().columns, symbol)

    def callers(self, symbol: str, *, depth: int = 1, min_confidence: float = 0.0) -> list[CallHit]:
        """What calls `symbol`, nearest first, up to `depth` calls away."""
        from loregraph.graph import queries

        return queries.callers(self.reader().columns, symbol, depth, min_confidence)

    def callees(self, symbol: str, *, depth: int = 1, min_confidence: float = 0.0) -> list[CallHit]:
        """What `symbol` calls, nearest first, up to `depth` calls away."""
        from loregraph.graph import queries

        return queries.callees(self.reader().columns, symbol, depth, min_confidence)

    def unresolved_calls(self) -> dict[str, int]:
        """Path → how many calls of the file reach nobody knows what; files without left out."""
        from loregraph.graph import queries

        found = queries.calls_by_file(self.reader().columns)
        return {path: own["unresolved"] for path, own in found.items() if own["unresolved"]}

    def unresolved_reasons(self, limit: int) -> list[Reason] | None:
        """Why it is not known what calls reach, most frequent first, each with up to `limit` examples; None where that
        was not kept: in a store that another tool made, or whose state is gone."""
        from loregraph.indexer.kept_resolution import read_kept
        from loregraph.indexer.unresolved_calls import by_reason

        known = self.reader().columns.paths.values
        state = self.store.open_state()
        if state is None:
            return None
        with closing(state):
            kept = read_kept(state)
        return None if kept is None else by_reason({path: kept[path] for path in known if path in kept}, limit)

    def impact(self, symbol: str, *, depth: int = 10, min_confidence: float = 0.0) -> list[CallHit]:
        """What a change to `symbol` may affect: callers of callers, subclasses, overrides and tests."""
        from loregraph.graph import queries

        return queries.impact(self.reader().columns, symbol, depth, min_confidence)

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

        types = tuple(relationship_types)
        if any(_COPIES.fullmatch(one.upper()) for one in types):
            self.bring_copies()
        return queries.related(self.reader().columns, symbol, types, direction, depth, limit)

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Rows:
        """Rows of a Cypher statement that only reads, as dicts. `timeout` is in seconds.

        Raises QueryRefusedError, QueryFailedError and, past a limit of time or memory, QueryLimitError. Rows past
        `limit` are left out and the result's `truncated` says so.
        """
        from loregraph.graph.cypher_worker import accepted

        limits = self.settings.query
        # Before anything is made for it.
        accepted(cypher, params or {})
        if asks_for_authored(cypher):
            self.catch_up()
        if _COPIES.search(cypher):
            self.bring_copies()
        return self.reader().query(
            cypher, params or {}, limit=limit or limits.limit, timeout=timeout or limits.timeout_ms / 1000
        )

    def export(self, form: str = "jsonl", *, ascii_only: bool = False) -> Iterator[str]:
        """The whole graph as text in pieces, "jsonl" (a line a piece) or "graphml".

        The SIMILAR_TO edges are brought into it first, unless the store cannot be written now.
        """
        with suppress(StoreError, StoreBusyError):
            self.bring_copies()
        columns = self.reader().columns
        if form == "jsonl":
            return json_lines(columns, ascii_only)
        if form == "graphml":
            return graphml(columns)
        raise UsageError(f"there is no format {form!r}", "use jsonl or graphml")

    # Judging it

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

        `threshold`, 0.3 to 1, and `min_tokens` are as configured unless given; with `semantic` functions that may do
        the same in other words are told as well; with `since` only what touches lines changed since that revision.
        Raises UsageError for a number out of range, an unknown revision, and `semantic` where there are no vectors.
        """
        from loregraph.analysis.duplicates import asking

        reader, settings = self.reader(), self.settings.duplicates
        vectors = reader.vectors if semantic else None
        if semantic and vectors is None:
            raise UsageError("the graph has no vectors, which --semantic compares", "run `loregraph index`")
        changes = None
        if since is not None:
            from loregraph import git

            changes = git.changed_lines(self.root, git.commit_of(self.root, since))
        with without_collector():
            return asking.duplicates(
                reader.columns,
                reader.clones(self._source, settings.exclude),
                threshold=settings.threshold if threshold is None else threshold,
                min_tokens=settings.min_tokens if min_tokens is None else min_tokens,
                paths=[self.inside(path) for path in paths],
                changes=changes,
                vectors=vectors,
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
        """Functions that are like a piece of `code`, or like the function `symbol`, best first.

        `language` is that of the code and of what is found; where it is not told, it is guessed and not asked for.
        """
        from loregraph.analysis.duplicates import asking
        from loregraph.graph import queries

        language = _known_language(language)
        reader = self.reader()
        node = None if symbol is None else queries.resolve_number(reader.columns, symbol, ("Function",))
        index = reader.clones(self._source, self.settings.duplicates.exclude)
        asked = asking.Asked(code, node, language)
        return asking.copies(reader.columns, index, asked, self._source, threshold=threshold, limit=limit)

    def duplicates_page(self, found: Duplicates) -> Iterator[str]:
        """What `duplicates` found as an HTML page of its own, in pieces."""
        from functools import cache

        from loregraph.analysis.duplicates.html_report import to_html

        columns = self.reader().columns

        def language_of(path: str) -> str:
            node = columns.find_id(path)
            return "" if node is None else columns.language(node)

        return to_html(found, self.root.name, cache(self.source_lines), language_of)

    def source_lines(self, path: str) -> list[str]:
        """The lines of a file of the project, without their ends, as the indexer sees them; none where it cannot."""
        raw = self._source(path)
        return [] if raw is None else raw.decode("utf-8", "replace").split("\n")

    def _source(self, path: str) -> bytes | None:
        from loregraph.indexer.source import read_source

        return read_source(self.root / path, self.settings.max_file_bytes)[0]

    def bring_copies(self) -> None:
        """Brings the SIMILAR_TO edges into the graph, unless they are in it. Takes seconds where a project is large.

        Raises StoreBusyError where another process is writing, StoreError where the store cannot be written.
        """
        from loregraph.analysis.duplicates.asking import similar_edges
        from loregraph.indexer.republish import add_similar

        while (current := self.store.current()) is not None and not current.similar:
            reader = self.reader()
            if add_similar(self.store, reader.generation, similar_edges(self.duplicates())):
                return

    def consistency(self, component: str, *, rules: Iterable[str] = ()) -> Consistency:
        """What in `component`, an id, a name or a path, is not done as most of it is."""
        from loregraph.analysis import consistency

        self.catch_up()
        return consistency.check(self._checkable(), component, rules)

    def check(
        self, path: StrPath | None = None, *, rules: Iterable[str] = (), since: str | None = None
    ) -> list[Checked]:
        """What the rules find in the project, or in the file or folder `path`, by place.

        `rules` are names, none for those that are on (see docs/rules.md); with `since` only what touches lines that
        changed since that revision. Raises UsageError for a rule, a revision or a path that is unknown and ConfigError
        for a contract that cannot be understood.
        """
        from loregraph.analysis.rules import registry, runner
        from loregraph.analysis.since import overlaps

        self.catch_up()
        code = self._checkable()
        chosen = registry.chosen(self.settings.check, rules)
        members = code.members_in(None if path is None else self.inside(path))
        found = list(runner.run(code, members, chosen).findings)
        if since is None:
            return found
        from loregraph import git

        changes = git.changed_lines(self.root, git.commit_of(self.root, since))
        return [
            one
            for one in found
            if any(
                overlaps(place.file_path, place.start_line, place.end_line, changes)
                for place in (one.finding.place, *one.finding.related)
            )
        ]

    def _checkable(self) -> Code:
        """The code as rules see it, kept as long as the graph it is made from."""
        from loregraph.analysis.rules.code import Code

        columns = self.reader().columns
        if self._checked_code is None or self._checked_code.columns is not columns:
            self._checked_code = Code(columns, self.root, self.settings.check)
        return self._checked_code

    def context(self, component: str) -> Context:
        """Requirements, designs, dependencies and dependents of `component`, an id, a name or a path."""
        from loregraph.analysis import component_lookup, context

        self.catch_up()
        columns = self.reader().columns
        return context.context(columns, component_lookup.locate(columns, component))

    def trace(
        self,
        requirement_id: str | None = None,
        *,
        suggest: bool = False,
        results: Iterable[StrPath] | None = None,
        min_confidence: float | None = None,
    ) -> TraceReport:
        """Code, tests, designs and memories of one requirement, or of each, how many are covered, and what leads
        nowhere.

        `suggest` ranks code for each, without what is linked or was rejected. `results` are files of JUnit XML; None:
        those that the configuration names. What is declared links code; with `min_confidence` what is at least as sure,
        mentions too. Raises NothingToTraceError where there is no requirement, NotFoundError for
        one that is not there, UsageError for results that cannot be read.
        """
        import msgspec

        from loregraph import requirement_links
        from loregraph.analysis.tracing import junit

        configured = self.settings.requirements.results
        cases = None
        missing: tuple[str, ...] = ()
        if results is not None:
            cases = junit.read_all(Path(path) for path in results)
        elif configured:
            may_leave = self.settings.may_leave("requirements.results")
            files, missing = requirement_links.result_files(self.root, configured, may_leave=may_leave)
            cases = junit.read_all(files) if files else None
        self.catch_up()
        columns = self.reader().columns
        traced = requirement_links.traced(
            columns, self.root, self.memory, requirement_id, cases, suggest, min_confidence
        )
        return msgspec.structs.replace(traced, missing_results=missing) if missing else traced

    def trace_matrix(self, report: TraceReport, form: str = "text") -> str:
        """A trace as a document: "text", "json", "html", "csv" or "reqif"."""
        from loregraph.analysis.tracing import formats

        return formats.write(report, form, self.root.name)

    def decide_links(self, decisions: Iterable[tuple[str, str, str]]) -> tuple[LinkDecision, ...]:
        """Keeps what a person decided: (decision, requirement, code) with "accepted", "rejected" or "withdrawn".

        The requirement is an id, the code a symbol or a path. All are kept or none: raises NotFoundError with the
        nearest names and AmbiguousSymbolError with the candidates.
        """
        from loregraph import requirement_links

        return requirement_links.decided(self.reader().columns, self.memory, decisions)

    def review(
        self, component: str, *, description: str = "", affected_files: Iterable[str] = (), diff: str = ""
    ) -> Review:
        """What a fix to `component`, an id, a name or a path, touches and forgets; `diff` is a unified diff."""
        from loregraph.changes import reviewed

        def copies(code: str, language: str) -> list[tuple[str, float]]:
            found = self.copies_of(code=code, language=language, limit=3)
            return [(copy.id, copy.similarity) for copy in found]

        columns = self.reader().columns
        return reviewed(self.root, self.settings, columns, component, description, tuple(affected_files), diff, copies)

    def diff(self, rev: str) -> ChangeView:
        """What the files as they are differ in from those at the revision `rev`, and what that reaches.

        Raises UsageError where there is no such revision.
        """
        import msgspec

        from loregraph.changes import change_since

        def copies(commit: str) -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = msgspec.to_builtins(self.duplicates(since=commit).pairs)
            return found

        return change_since(self.root, self.settings, self.store, self.reader().columns, rev, copies)

    # Describing it

    def counts(self) -> GraphCounts:
        """How much the graph holds of what."""
        from loregraph.graph import queries

        return queries.counts(self.reader().columns)

    def file(self, path: str) -> FileSummary | None:
        """What the graph has of the file with that id; None where that is nothing."""
        from loregraph.graph.summaries import file_summary

        return file_summary(self.reader().columns, path) if self.store.current() is not None else None

    def docstrings(self, ids: Iterable[str]) -> list[str]:
        """The docstring of each id, "" where there is none."""
        from loregraph.graph import summaries

        return summaries.docstrings(self.reader().columns, ids)

    def status(self) -> Status:
        """What is indexed, which files are behind, and how much disk is used."""
        from loregraph.status import status_of

        reader = self.reader() if self.store.current() is not None else None
        return status_of(self.root, self.settings, self.store, reader, self.remarks)

    def stale(self) -> Stale:
        """Which files the graph is behind."""
        from loregraph.status import stale_files

        return stale_files(self.root, self.settings, self.store)

    def behind(self, paths: Iterable[str] = (), *, others: bool = True) -> Behind:
        """Whether files changed since the graph was made, quickly: see `freshness`. `paths` are those that an answer is
        about, which are always looked at; without `others` they alone are."""
        from loregraph.freshness import MOST_LOOKED, behind

        most = MOST_LOOKED if others else 0
        return behind(self.root, self.settings.max_file_bytes, self.store, frozenset(paths), most)

    def languages(self) -> dict[str, int]:
        """Files of each language in the graph."""
        from loregraph.graph import queries

        return queries.counts(self.reader().columns).languages

    def generated(self) -> dict[str, str]:
        """Path → why nobody of the project is taken to write the file, of those of which that is so."""
        return dict(self.reader().columns.generated)

    def suggestions(self) -> list[str]:
        """Command lines worth trying on this project's own symbols."""
        from loregraph.status import suggestions

        return suggestions(self.reader())

    def doctor(self) -> list[Check]:
        """What works on this machine and for this project."""
        from loregraph.doctor import examine

        return examine(self.root, self.settings, self.store)

    def reader(self) -> Reader:
        """The current generation, held open. Checked before every question: a stat where nothing changed."""
        from loregraph.reader import Reader

        reader, current = self._reader, self.store.current()
        if reader is not None and current is not None and reader.generation == current.generation:
            return reader
        self.close()
        self._reader = Reader(self.store.lease(), self.settings)
        return self._reader


def _known(what: str, name: str, known: Iterable[str]) -> str:
    """`name` as it is among `known`, in any case."""
    names = tuple(known)
    folded = {one.casefold(): one for one in names}
    if name.casefold() not in folded:
        raise unknown_name(what, name, names)
    return folded[name.casefold()]


def _known_language(name: str | None) -> str | None:
    if name is None:
        return None
    from loregraph.indexer.languages import registry

    return _known("language", name, sorted(registry.SOURCES))


def asks_for_authored(cypher: str) -> bool:
    """Whether a statement may be about what people wrote, memories and links to requirements: it names them, or it
    names no label at all."""
    return bool(_AUTHORED.search(cypher)) or not _NAMED.search(cypher)


def json_lines(columns: GraphColumns, ascii_only: bool) -> Iterator[str]:
    """A line of JSON for each node, then for each edge."""
    from loregraph.graph import export

    for row in export.rows(columns):
        yield json.dumps(row, ensure_ascii=ascii_only) + "\n"


def graphml(columns: GraphColumns) -> Iterator[str]:
    """The lines of the GraphML document, which is written to a file of its own first."""
    from loregraph.graph import export

    with tempfile.TemporaryDirectory(prefix="loregraph-") as folder:
        file = Path(folder) / "graph.graphml"
        export.write_graphml(columns, file)
        with file.open(encoding="utf-8") as lines:
            yield from lines
