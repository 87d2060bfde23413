"""An open project: settings and memories, the store, the generation being read, and its freshness.

Like `project`, this imports next to nothing before it is needed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from loregraph import outputs
from loregraph.config import ProjectSettings, load_settings, store_path
from loregraph.errors import LoregraphError, NotIndexedError, PathOutsideProjectError, StoreError
from loregraph.graph.generation import StoreFolder

if TYPE_CHECKING:
    from loregraph.analysis.rules.code import Code
    from loregraph.bolt.connection import Connection
    from loregraph.doctor import Check
    from loregraph.freshness import Behind, Outdated
    from loregraph.graph.authored import Authored
    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.embedders import Embedder
    from loregraph.graph.queries import GraphCounts
    from loregraph.graph.summaries import FileSummary
    from loregraph.memory.api import ProjectMemory
    from loregraph.output_folder import OutputFolder
    from loregraph.reach import Reaching
    from loregraph.reader import Reader
    from loregraph.status import Stale, Status

StrPath = str | os.PathLike[str]


class OpenedProject:
    """The base of `Project` with its open resources; a context manager. `close` releases the graph."""

    def __init__(self, root: StrPath, *, store: StrPath | None = None, **settings: Any) -> None:
        self.root = Path(root).resolve()
        if store is not None:
            settings["store"] = str(Path(store).absolute())
        self._options = settings
        self.settings = self._read_settings()
        self.store = StoreFolder(store_path(self.root, self.settings), self.root)
        self._reader: Reader | None = None
        self._memory: ProjectMemory | None = None
        self._connection: Connection | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments that open the same project with the same settings, in another process too."""
        return dict(self._options)

    def _read_settings(self) -> ProjectSettings:
        return load_settings(self.root, **self._options)

    def __enter__(self) -> Self:
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
        if self._connection is not None:
            self._connection.close()

    @property
    def ignored_settings(self) -> tuple[Reaching, ...]:
        """Settings of the repository that reach beyond it and that the user has not trusted (`loregraph trust`)."""
        return self.settings.ignored

    @property
    def remarks(self) -> tuple[str, ...]:
        """A line for each untrusted thing in the repository: settings, the name for its memories, its store."""
        with suppress(LoregraphError):
            self.store.current()
        doubted = f"the store {str(self.store.path)!a} is not believed: {self.store.doubt}" if self.store.doubt else ""
        named: tuple[str, ...] = ()
        with suppress(LoregraphError):
            named = self.memory.remarks
        return tuple(filter(None, (*self.settings.remarks, *named, doubted)))

    @property
    def memory(self) -> ProjectMemory:
        """What people and agents wrote about the project; works without a graph too."""
        if self._memory is None:
            from loregraph.memory.api import ProjectMemory

            self._memory = ProjectMemory(self.root, self.settings, code=self._code, embedder=self._embedder)
        return self._memory

    def show_memories_of(self, user_id: str, project_id: str | None = None) -> None:
        """From now on memories are those that this user may see, of this project or of another: what is published is
        not for the user who publishes it."""
        self._memory = self.memory.acting_as(user_id=user_id, project_id=project_id)

    # Implements REQ-SEC-005.
    @contextmanager
    def writing(self, path: StrPath, *, parents: bool = False) -> Iterator[BinaryIO]:
        """The user's output file, open for writing and replaced whole; with `parents` its folder is created if missing.

        Raises NotAllowedError for the store, a journal and git's folder, UnsafePathError for a link below the root in
        its path, UsageError where it cannot be written.
        """
        self.memory.refuse_reserved(Path(path))
        with outputs.writing(Path(path), self.root, parents=parents) as file:
            yield file

    # Implements REQ-SEC-005.
    @contextmanager
    def filling(self, path: StrPath) -> Iterator[OutputFolder]:
        """The user's output folder, whose content is what is written to it; see `output_folder.filling`.

        Raises as `writing`, and InTheWayError where the folder has files that no export wrote.
        """
        from loregraph import output_folder

        self.memory.refuse_reserved(Path(path))
        with output_folder.filling(Path(path), self.root) as folder:
            yield folder

    def inside(self, path: StrPath) -> str:
        """`path` relative to the root, POSIX. Raises PathOutsideProjectError where it leaves the root, links
        resolved."""
        resolved = Path(path).resolve()
        if not resolved.is_relative_to(self.root):
            raise PathOutsideProjectError(f"{path} lies outside the project {self.root}", "name a path inside the root")
        return resolved.relative_to(self.root).as_posix()

    def source_lines(self, path: str) -> list[str]:
        """The lines of a file of the project, without their ends, decoded as by the indexer; none for an unreadable
        file."""
        raw = self._source(path)
        return [] if raw is None else raw.decode("utf-8", "replace").split("\n")

    def _source(self, path: str) -> bytes | None:
        from loregraph.indexer.source import read_source

        return read_source(self.root / path, self.settings.max_file_bytes)[0]

    def reader(self) -> Reader:
        """The current generation, held open. Checked before every question: one `stat` where nothing changed."""
        from loregraph.reader import Reader

        reader, current = self._reader, self.store.current()
        if reader is not None and current is not None and reader.generation == current.generation:
            return reader
        self.close()
        self._reader = Reader(self.store.lease(), self.settings)
        return self._reader

    def connection(self, url: str, database: str = "") -> Connection:
        """The connection to the server at `url`, kept for later questions. Raises UsageError for what is no address and
        MissingDriverError; the first request connects."""
        from loregraph.bolt.address import server_at
        from loregraph.bolt.connection import Connection

        server = server_at(url, database)
        if self._connection is None or self._connection.server != server:
            if self._connection is not None:
                self._connection.close()
            self._connection = Connection(server)
        return self._connection

    def code(self) -> Code:
        """The code of the current generation as rules see it."""
        return self.reader().code(self.root)

    # Bringing it up to date

    def catch_up(self) -> bool:
        """Adds new memories and accepted links to the graph; False where a writer has to finish first."""
        from loregraph.memory.graph_nodes import is_behind

        current = self.store.current()
        if current is None or not is_behind(current.journal_offsets, self.memory.shown_journals, self.root):
            return True
        return self._bring_memories()

    def _bring_memories(self) -> bool:
        from loregraph.indexer.build.republish import catch_up

        return catch_up(self.store, self._authored)

    def _authored(self) -> Authored:
        from loregraph.memory.graph_nodes import authored

        return authored(self.memory.shown_journals, self.root)

    # Properties

    def counts(self) -> GraphCounts:
        """The sizes of the graph."""
        from loregraph.graph import queries

        return queries.counts(self.reader().columns)

    def file(self, path: str) -> FileSummary | None:
        """The summary of the file with that id; None where the graph does not have it."""
        from loregraph.graph.summaries import file_summary

        return file_summary(self.reader().columns, path) if self.store.current() is not None else None

    def languages(self) -> dict[str, int]:
        """Number of files of each language in the graph."""
        from loregraph.graph import queries

        return queries.counts(self.reader().columns).languages

    def generated(self) -> dict[str, str]:
        """Path → the reason why a file is not the project's own writing, for such files."""
        return dict(self.reader().columns.generated)

    def suggestions(self) -> list[str]:
        """Example commands about this project's own symbols."""
        from loregraph.status import suggestions

        return suggestions(self.reader())

    def status(self) -> Status:
        """What is indexed, which files are stale, and the disk space used."""
        from loregraph.status import status_of

        reader = self.reader() if self.store.current() is not None else None
        return status_of(self.root, self.settings, self.store, reader, self.remarks)

    def stale(self) -> Stale:
        """The files that have changed since they were indexed."""
        from loregraph.status import stale_files

        return stale_files(self.root, self.settings, self.store)

    def behind(self, paths: Iterable[str] = (), *, others: bool = True) -> Behind:
        """Whether files changed since the graph was made, quickly: see `freshness`. `paths` are the files of an answer,
        which are always checked; without `others` only they are."""
        from loregraph.freshness import MOST_LOOKED, behind

        most = MOST_LOOKED if others else 0
        return behind(self.root, self.settings.max_file_bytes, self.store, frozenset(paths), most)

    def outdated(self, paths: Iterable[str]) -> Outdated:
        """Which of `paths` differ from what the graph that is open has of them; others than its files are left out."""
        from loregraph.graph.summaries import content_hashes

        return self.differing(content_hashes(self.reader().columns, paths))

    def differing(self, hashes: Mapping[str, str]) -> Outdated:
        """Which files, given with the hashes of the contents that a graph has, have others now."""
        from loregraph.freshness import outdated

        return outdated(self.root, self.settings.max_file_bytes, self.store, hashes)

    def doctor(self) -> list[Check]:
        """What works on this machine and for this project."""
        from loregraph.doctor import examine

        return examine(self.root, self.settings, self.store)

    # Callbacks for parts of it

    def _code(self) -> GraphColumns | None:
        """The graph's columns; None without a readable graph, which memories can do without."""
        try:
            return None if self.store.current() is None else self.reader().columns
        except (NotIndexedError, StoreError):
            return None

    def _embedder(self) -> Embedder | None:
        from loregraph.reader import loaded_embedder

        return loaded_embedder(self.settings.embedder)
