"""The graph as a file of the embedded engine, for Cypher. The only module that imports the engine.

A file is built once, from the columns of its generation, and only read afterwards: changing one in place loses data
(see ARCHITECTURE.md). The engine is Kuzu, or its compatible fork Ladybug where the environment variable
LOREGRAPH_ENGINE names it or where Kuzu is not installed; never both in one process. Their file formats differ, so the
writer of a file is recorded beside it.
"""

from __future__ import annotations

import importlib
import importlib.util  # the engine looks for it without importing it
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final

import msgspec
import numpy as np

from loregraph import rooted
from loregraph.errors import DamagedStoreError, QueryFailedError, QueryLimitError, StoreError
from loregraph.graph import schema
from loregraph.graph.columns import Dropped, GraphColumns, write_columns
from loregraph.graph.csv_tables import tables
from loregraph.graph.generation import LEASE
from loregraph.graph.marks import Mark, is_unchanged, mark
from loregraph.graph.model import SCHEMA_VERSION, Graph
from loregraph.graph.values import as_whole, plain

GRAPH_FILE: Final = "graph.kuzu"
ENGINE_LOCK: Final = "engine.lock"
"""A lock in a generation, held by the process that builds its engine's file."""
IDENTITY_FILE: Final = "engine.json"
ENGINES: Final = ("kuzu", "ladybug")

_MIB: Final = 1 << 20
_WRITE_POOL: Final = 1024 * _MIB
_READ_POOL: Final = 256 * _MIB
_PAGE: Final = 4096
_SMALLEST_DATABASE: Final = 1024 * _MIB


class EngineIdentity(msgspec.Struct, frozen=True):
    """Which engine wrote a file, in which format, and the schema of its tables."""

    engine: str
    storage_version: int
    schema_version: int = SCHEMA_VERSION


class _Written(msgspec.Struct, frozen=True):
    """The record beside the engine's file: the engine that wrote it, and the file's mark."""

    identity: EngineIdentity
    file: Mark


_WHOLE: Final = re.compile(r"INT128(?:\[\d*\])*")
"""Column types that hold sums of integers."""


class GenerationWritten(msgspec.Struct, frozen=True):
    """The content of a written generation: counts, bytes on disk, edges dropped because they violate the contract.

    `engine.engine` is empty where its file has been left to the first query.
    """

    nodes: int
    edges: int
    size_bytes: int
    dropped: Dropped
    engine: EngineIdentity


class Rows(msgspec.Struct, frozen=True):
    """The answer to a read, as plain JSON values. `truncated`: there were more rows."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool


# the engine


# Implements REQ-STO-010.
def _engine() -> ModuleType:
    """The engine's module. Raises `StoreError` where there is none."""
    wanted = os.environ.get("LOREGRAPH_ENGINE", "")
    if wanted and wanted not in ENGINES:
        raise StoreError(f"LOREGRAPH_ENGINE is {wanted!r}", f"it can be {' or '.join(ENGINES)}")
    for name in (wanted,) if wanted else ENGINES:
        with suppress(ModuleNotFoundError):
            return importlib.import_module(name)
    raise StoreError(f"no graph engine is installed ({wanted or ' or '.join(ENGINES)})", "run `pip install kuzu`")


def engine_identity() -> EngineIdentity:
    """The engine that this process uses (imports it: 40 ms)."""
    engine = _engine()
    return EngineIdentity(engine.__name__, int(engine.storage_version))


# writing


def write_generation(folder: Path, graph: Graph, *, strict: bool = False, engine: bool = True) -> GenerationWritten:
    """Write the columns and the engine's file of `graph` into `folder`. See `write_columns` for `strict`.

    Without `engine` the file is left to `ensure_graph`, which the first query calls: everything else reads the columns.
    """
    written = write_columns(folder, graph, strict=strict)
    rooted.touch(folder, LEASE)
    identity, size = EngineIdentity("", 0), written.size_bytes
    if engine:
        identity = write_graph(folder, GraphColumns.open(folder))
        size += (folder / GRAPH_FILE).stat().st_size
    return GenerationWritten(written.nodes, written.edges, size, written.dropped, identity)


def ensure_graph(folder: Path, scratch: Path) -> Path:
    """The folder with the engine's file of the generation in `folder`: itself, or `scratch` if it cannot be written.

    Builds the file where it is missing, damaged or of another engine than this process has. If several processes need
    it at once, one builds it and the others wait: the file and its mark are put in place by two renames.
    """
    if _is_sound(folder):
        return folder
    if not os.access(folder, os.W_OK):
        write_graph(scratch, GraphColumns.open(folder))
        return scratch
    from filelock import FileLock

    with FileLock(rooted.lock_path(folder, ENGINE_LOCK)):
        if not _is_sound(folder):
            write_graph(folder, GraphColumns.open(folder))
    return folder


def _is_sound(folder: Path) -> bool:
    """Whether the engine's file is intact and written by this process's engine."""
    written = _written(folder)
    return bool(written and written.identity == engine_identity() and is_unchanged(folder / GRAPH_FILE, written.file))


def write_graph(folder: Path, columns: GraphColumns) -> EngineIdentity:
    """Build the engine's file in `folder` from the columns, by bulk loads; an old one is replaced.

    Raises `StoreError` where the engine refuses, for lack of space for instance.
    """
    identity = engine_identity()
    with _own_errors(folder), rooted.scratch_folder(folder, "engine-") as build:
        built = build / GRAPH_FILE
        _bulk_load(built, columns)
        small = build / "sparse"
        _copy_sparse(built, small)
        written = _Written(identity, mark(small))
        rooted.rename(folder, small, folder / GRAPH_FILE)
        rooted.write(folder, IDENTITY_FILE, msgspec.json.encode(written))
    return identity


def _bulk_load(file: Path, columns: GraphColumns) -> None:
    engine = _engine()
    database = connection = None
    try:
        # One thread: rows are stored in the order of ids, and reads without ORDER BY return them in it.
        database = engine.Database(str(file), buffer_pool_size=_WRITE_POOL, max_num_threads=1)
        connection = engine.Connection(database)
        # One transaction costs an eighth less than one per table; a failed build is discarded as a whole.
        connection.execute("BEGIN TRANSACTION")
        for statement in schema.statements():
            connection.execute(statement)
        for table in tables(columns):
            rows = file.with_name("rows.csv")
            with rooted.create(rows.parent, rows.name) as written:
                table.write(written)
            connection.execute(table.load(rows))
            rooted.remove(rows.parent, rows.name)
            for statement, parameters in table.corrections():
                connection.execute(statement, parameters)
        connection.execute("COMMIT")
    finally:
        for part in (connection, database):
            if part is not None:
                part.close()


def _copy_sparse(source: Path, target: Path) -> None:
    """Copy with holes in place of empty pages: the engine rounds every run of pages up to a power of two, so more than
    a quarter of its file is empty. On a file system without holes the copy is as large as the original."""
    with source.open("rb") as whole, rooted.create(target.parent, target.name) as sparse:
        position = 0
        while chunk := whole.read(_MIB):
            pages = np.frombuffer(chunk + bytes(-len(chunk) % _PAGE), np.uint64).reshape(-1, _PAGE // 8).any(axis=1)
            edges = np.flatnonzero(np.diff(pages, prepend=False, append=False)).tolist()
            for first, last in zip(edges[::2], edges[1::2], strict=True):
                sparse.seek(position + first * _PAGE)
                sparse.write(chunk[first * _PAGE : last * _PAGE])
            position += len(chunk)
        sparse.truncate(position)


@contextmanager
def _own_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except (RuntimeError, MemoryError, OSError) as error:
        raise StoreError(
            f"the graph could not be written to {folder}: {error}",
            "make room on the disk, or name another folder with --store DIR or LOREGRAPH_STORE",
        ) from error


# reading


class ReadConnection:
    """The engine's file of one generation, open for reading; one per process and path. Also a context manager.

    Raises `StoreError` where the file is missing, damaged or of another engine or format. `is_sound` skips the check,
    for a file that `ensure_graph` has just returned.
    """

    def __init__(
        self,
        folder: Path,
        *,
        timeout_ms: int = 0,
        pool_bytes: int = _READ_POOL,
        threads: int = 1,
        is_sound: bool = False,
    ) -> None:
        file = folder / GRAPH_FILE
        self._database = self._connection = None
        size = _power_of_two(max(_SMALLEST_DATABASE, 2 * _check(folder, is_sound)))
        engine = _engine()
        try:
            self._database = engine.Database(
                str(rooted.plain(folder, file, writes=False)),
                read_only=True,
                buffer_pool_size=pool_bytes,
                max_num_threads=threads,
                max_db_size=size,
            )
            self._connection = engine.Connection(self._database)
            if timeout_ms:
                self._connection.set_query_timeout(timeout_ms)
        except (RuntimeError, OSError, MemoryError) as error:
            self.close()
            raise _damaged(folder, f"{GRAPH_FILE} cannot be opened ({error})") from error

    def execute(self, cypher: str, params: Mapping[str, Any] | None = None, max_rows: int | None = None) -> Rows:
        """Run one read. The statement must have passed `cypher.check_read_only` unless it is loregraph's own.

        Raises `QueryFailedError` for what the engine does not accept and `QueryLimitError` beyond its limits.
        """
        if self._connection is None:
            raise StoreError("the graph is closed")
        with _explained():
            result = self._connection.execute(cypher, dict(params or {}))
            try:
                names = tuple(result.get_column_names())
                whole = [_WHOLE.fullmatch(kind) is not None for kind in result.get_column_data_types()]
                rows: list[list[Any]] = []
                while result.has_next() and (max_rows is None or len(rows) < max_rows):
                    values = [plain(value) for value in result.get_next()]
                    rows.append([as_whole(v) if is_whole else v for v, is_whole in zip(values, whole, strict=True)])
                return Rows(names, rows, bool(result.has_next()))
            finally:
                result.close()

    def set_timeout(self, milliseconds: int) -> None:
        """Let the engine stop reads that take longer."""
        if self._connection is not None:
            self._connection.set_query_timeout(milliseconds)

    def close(self) -> None:
        """Close; may be called more than once."""
        connection, database = self._connection, self._database
        self._connection = self._database = None
        for part in (connection, database):
            if part is not None:
                part.close()

    def __enter__(self) -> ReadConnection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_read(folder: Path, *, timeout_ms: int = 0) -> ReadConnection:
    """The graph of the generation in `folder`, for reading in this process."""
    return ReadConnection(folder, timeout_ms=timeout_ms)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the engine's exceptions into errors with advice."""
    try:
        yield
    except MemoryError:
        raise QueryLimitError("the query needs more memory than it may have", _NARROWER) from None
    except (RuntimeError, TypeError, ValueError, OverflowError) as error:
        text = str(error)
        if "Interrupted" in text or "timeout" in text.lower():
            raise QueryLimitError("the query took longer than it may", _NARROWER) from None
        if "Buffer manager exception" in text or "bad_alloc" in text or "out of memory" in text.lower():
            raise QueryLimitError("the query needs more memory than it may have", _NARROWER) from None
        raise QueryFailedError(text, "`CALL show_tables() RETURN *` lists what there is") from None


_NARROWER: Final = "narrow it: a label, a WHERE, a bound on the path length, a LIMIT"


def _written(folder: Path) -> _Written | None:
    """The record of the engine's file in `folder`, None where there is no readable one."""
    try:
        return msgspec.json.decode((folder / IDENTITY_FILE).read_bytes(), type=_Written)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _check(folder: Path, is_sound: bool) -> int:
    """The size of the engine's file, which must be complete and of this engine: the engine itself does not check, and
    crashes on other files."""
    written, here = _written(folder), engine_identity()
    if written is None:
        raise _damaged(folder, f"{IDENTITY_FILE} cannot be read")
    by = written.identity
    if by != here:
        raise StoreError(
            f"the graph was written by {by.engine} (format {by.storage_version}, schema {by.schema_version}), this is "
            f"{here.engine} (format {here.storage_version}, schema {here.schema_version})",
            "run `loregraph index --full` to build it again, or set LOREGRAPH_ENGINE",
        )
    if not is_sound and not is_unchanged(folder / GRAPH_FILE, written.file):
        raise _damaged(folder, f"{GRAPH_FILE} is not what was written")
    return written.file.size


def _damaged(folder: Path, what: str) -> DamagedStoreError:
    return DamagedStoreError(
        f"the store is damaged: {folder}: {what}", "run `loregraph index`: it is built again from the sources"
    )


def _power_of_two(size: int) -> int:
    return 1 << (size - 1).bit_length()
