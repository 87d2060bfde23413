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
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from loregraph.config import find_root, load_settings, store_path
from loregraph.errors import NotIndexedError, PathOutsideProjectError, StoreError, UsageError
from loregraph.graph.generation import StoreFolder

if TYPE_CHECKING:
    from loregraph.analysis.consistency import Consistency
    from loregraph.analysis.context import Context
    from loregraph.analysis.copies import Copy
    from loregraph.analysis.review import Review
    from loregraph.analysis.tracing import Trace
    from loregraph.doctor import Check
    from loregraph.graph.authored import Authored
    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.embedders import Embedder
    from loregraph.graph.queries import CallHit, GraphCounts, Related, Show
    from loregraph.graph.search import SearchHit
    from loregraph.graph.summaries import FileSummary
    from loregraph.indexer.pipeline import IndexReport, Progress
    from loregraph.memory.api import ProjectMemory
    from loregraph.reader import Reader, Rows
    from loregraph.status import Status

QUIET_MS: Final = 300
"""How long no file may have changed before `watch` indexes: a checkout or a save of many files is one change."""

_ABOUT_MEMORIES: Final = re.compile(r"\b(?:Memory|ABOUT|RELATES_TO|SUPERSEDES)\b")
_NAMED: Final = re.compile(r"[(\[]\s*`?\w*`?\s*:")

StrPath = str | os.PathLike[str]


def open_project(path: StrPath = ".", *, store: StrPath | None = None, **settings: Any) -> Project:
    """The project that the folder `path` lies in: see `config.find_root`.

    `store` names the folder of the graph, `settings` override what the configuration says (keys of `config.Settings`;
    those of a section joined by an underscore, `query_limit=5`). Raises UsageError where `path` is no folder and
    ConfigError for a setting that cannot be understood.
    """
    return Project(find_root(Path(path)), store=store, **settings)


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
        self.store = StoreFolder(store_path(self.root, self.settings))
        self._reader: Reader | None = None
        self._memory: ProjectMemory | None = None
        self._loaded_embedder: tuple[Embedder | None] | None = None

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()
        if self._memory is not None:
            self._memory.close()

    @property
    def memory(self) -> ProjectMemory:
        """What people and agents wrote about the project; answers without a graph too."""
        if self._memory is None:
            from loregraph.memory.api import ProjectMemory

            self._memory = ProjectMemory(self.root, self.settings, code=self._code, embedder=self._embedder)
        return self._memory

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
        `include`, `exclude` and `force` are those of `indexer.scope.Scope`.
        """
        from loregraph.indexer import pipeline
        from loregraph.indexer.scope import Scope

        scope = Scope(paths=tuple(paths), include=tuple(include), exclude=tuple(exclude), force=tuple(force))
        return pipeline.index(
            self.root,
            self.settings,
            full=full,
            jobs=jobs,
            embed=embed,
            dry_run=dry_run,
            scope=scope if scope.paths else None,
            authored=self._authored,
            progress=progress,
        )

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
        """Brings memories that are newer than the graph into it; False where that has to wait for a writer."""
        from loregraph.memory.graph_nodes import is_behind

        current = self.store.current()
        if current is None or not is_behind(current.journal_offsets, self.memory.journals):
            return True
        from loregraph.indexer.pipeline import catch_up

        return catch_up(self.store, self._authored)

    def _authored(self) -> Authored:
        from loregraph.graph.authored import Authored
        from loregraph.memory.graph_nodes import memory_nodes, read_memories

        memories, offsets = read_memories(self.memory.journals)
        nodes, edges = memory_nodes(memories)
        return Authored(nodes, edges, offsets)

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
    ) -> list[SearchHit]:
        """Functions and classes for words, a sentence or code, best first. `mode`: hybrid, lexical or semantic."""
        return self.reader().search(query, kind=kind, language=language, path=path, limit=limit, mode=mode)

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

        return queries.related(self.reader().columns, symbol, tuple(relationship_types), direction, depth, limit)

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
        limits = self.settings.query
        if asks_for_memories(cypher):
            self.catch_up()
        return self.reader().query(
            cypher, params or {}, limit=limit or limits.limit, timeout=timeout or limits.timeout_ms / 1000
        )

    def export(self, form: str = "jsonl", *, ascii_only: bool = False) -> Iterator[str]:
        """The whole graph as text in pieces, "jsonl" (a line a piece) or "graphml"."""
        columns = self.reader().columns
        if form == "jsonl":
            return json_lines(columns, ascii_only)
        if form == "graphml":
            return graphml(columns)
        raise UsageError(f"there is no format {form!r}", "use jsonl or graphml")

    # Judging it

    def copies_of(
        self,
        *,
        code: str | None = None,
        symbol: str | None = None,
        language: str | None = None,
        threshold: float = 0.7,
        limit: int = 5,
    ) -> list[Copy]:
        """Functions that are like a piece of `code`, or like the function `symbol`, best first."""
        from loregraph.analysis import copies
        from loregraph.graph import queries

        reader = self.reader()
        columns = reader.columns
        node = None if symbol is None else queries.resolve_number(columns, symbol, ("Function",))
        near: list[int] = []
        if node is not None:
            code = copies.source(columns, node, lambda path: copies.lines_of(self.root / path))
            near = copies.same_content(columns, node)
        hits = self.search(code or "", language=language, limit=copies.NEAR)
        near += [number for hit in hits if (number := columns.find_id(hit.id)) is not None]
        return copies.copies_of(columns, self.root, code or "", near, leave_out=node, threshold=threshold, limit=limit)

    def consistency(self, component: str, *, rules: Iterable[str] = ()) -> Consistency:
        """What in `component`, an id, a name or a path, is not done as most of it is."""
        from loregraph.analysis import consistency

        return consistency.check(self.reader().columns, component, rules)

    def context(self, component: str) -> Context:
        """Requirements, designs, dependencies and dependents of `component`, an id, a name or a path."""
        from loregraph.analysis import context, places

        columns = self.reader().columns
        return context.context(columns, places.locate(columns, component))

    def trace(self, requirement_id: str | None = None) -> list[Trace]:
        """Code, tests and designs of one requirement, or of each."""
        from loregraph.analysis import tracing

        return tracing.trace(self.reader().columns, requirement_id)

    def review(self, component: str, *, affected_files: Iterable[str] = (), diff: str = "") -> Review:
        """What a fix to `component` touches and forgets."""
        from loregraph.analysis import places, review

        columns = self.reader().columns
        return review.review(columns, places.locate(columns, component), tuple(affected_files), diff)

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
        return status_of(self.root, self.settings, self.store, reader)

    def languages(self) -> dict[str, int]:
        """Files of each language in the graph."""
        from loregraph.graph import queries

        return queries.counts(self.reader().columns).languages

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


def asks_for_memories(cypher: str) -> bool:
    """Whether a statement may be about memories: it names them, or it names no label at all."""
    return bool(_ABOUT_MEMORIES.search(cypher)) or not _NAMED.search(cypher)


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
