"""The state for incremental indexing: files with hash and status, their extracted data, vectors by content hash.

One SQLite file beside the generations. Writers change it in place under the store's write lock; other processes may
read it. It stores blobs without interpreting them. Everything in it is derived: an unreadable file is moved aside, a
new one begun and the reason stored in `problems`, at the cost of one full index.

SQLite only detects damage to its own structure. So every row has a CRC-32 of its content and of the file it belongs to,
and the numbers of rows are stored: damage that changes a value, assigns a row to another file or removes rows is
detected on reading.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

import msgspec

from loregraph import rooted
from loregraph.errors import DamagedStoreError, StoreError, UnsafePathError
from loregraph.stamps import Stamp

STATE_VERSION: Final = 7
"""Version of the tables below. A file of another version is replaced by a new one."""

BLOBS: Final = ("entries", "facts", "texts", "text_hashes", "terms", "requirements", "endpoints", "published", "traces")
"""Kinds of blobs per file, each in a table of its own: reading one kind does not touch the pages of the others.

`published` is a file's data when the current generation was built, for files that have changed since; `traces` belong
to the resolution of that generation.
"""

IMPORTED: Final = "imported"
"""Key in `meta` of the sources of what was imported: see imported.py."""

STORE_ID: Final = "store_id"
"""Key in `meta` of the id of the store that this state belongs to: see ownership.py."""

_TABLES: Final = """
CREATE TABLE files (
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    language TEXT NOT NULL,
    status TEXT NOT NULL,
    facts_version INTEGER NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE vectors (
    embedder TEXT NOT NULL, text_hash BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text_hash)
) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE imported (
    source TEXT, path TEXT, data BLOB NOT NULL, PRIMARY KEY (path, source)
) WITHOUT ROWID;
""" + "".join(f"CREATE TABLE {kind} (file INTEGER PRIMARY KEY, data BLOB NOT NULL);\n" for kind in BLOBS)

_FILE_COLUMNS: Final = "path, size, mtime_ns, ctime_ns, inode, content_hash, language, status, facts_version, sum"
_COUNTED: Final = ("files", "meta", "imported", *BLOBS)
"""Tables whose rows are counted. A missing vector is simply computed again."""
_COUNTS: Final = "rows"
"""The key of those numbers in `meta`, included in its count."""
_SUM: Final = 4
"""Bytes before every stored value: its CRC-32, little endian."""
_CHUNK: Final = 500
_PAGE: Final = 2048
"""Bytes per page: rows have some hundred to some thousand bytes, and larger pages waste more space (Django: 0.5 MB of
16)."""
_DAMAGE: Final = (sqlite3.DatabaseError, zlib.error, msgspec.DecodeError, UnicodeDecodeError, DamagedStoreError)
"""Errors raised by reading a damaged file, or damaged bytes in one."""

_WRITE_ERRORS: Final = (
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
)
"""The code of SQLite's "disk I/O error" where the disk is full; the file is unchanged."""

T = TypeVar("T")


class FileState(msgspec.Struct, frozen=True):
    """One indexed file. `stamp` is from when it was looked at."""

    path: str
    stamp: Stamp
    content_hash: str
    language: str
    status: str
    facts_version: int


# Implements REQ-STO-007.
class State:
    """An open `state.sqlite`. Changes are persisted by `commit`; leaving the context without an error commits.

    `problems` has the damage found in a previous file. One connection, used by one thread at a time.
    """

    def __init__(self, connection: sqlite3.Connection, problems: tuple[str, ...] = ()) -> None:
        self._connection = connection
        self._committed = connection.total_changes
        self.problems = problems

    @classmethod
    def open(cls, path: Path) -> State:
        """Open for writing; starts a new one where there is no readable state. Raises `StoreError` if that fails."""
        problems: tuple[str, ...] = ()
        try:
            try:
                return cls(_connect(path))
            except (sqlite3.DatabaseError, _OtherVersionError, DamagedStoreError, UnsafePathError) as error:
                if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                    raise
                problems = _put_away(path, error)
                return cls(_connect(path), problems)
        except (sqlite3.Error, OSError, UnsafePathError) as error:
            raise StoreError(
                f"{path} cannot be opened: {error}", "name another folder with --store DIR or LOREGRAPH_STORE"
            ) from error

    @classmethod
    def open_read_only(cls, path: Path, store_id: str | None = None, *, counted: bool = True) -> State | None:
        """Open for reading beside a writer or in a read-only folder; None where there is none of this version, or where
        it belongs to another store than `store_id` (None: any). Without `counted` missing rows go unnoticed: counting
        them reads a page of every file's.

        Raises `DamagedStoreError`, as reading from it does, where it is damaged.
        """
        # WAL needs its side files even to read; where they cannot be made, there is no writer either.
        for options in ("mode=ro", "mode=ro&immutable=1"):
            with suppress(sqlite3.OperationalError, ValueError, OSError, UnsafePathError), _reading():
                _check_files(path, writes=False)
                connection = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, timeout=5)
                try:
                    if _version(connection) == STATE_VERSION:
                        if counted:
                            _check_counts(connection)
                        state = cls(connection)
                        if store_id is None or state.meta(STORE_ID) == store_id.encode():
                            return state
                except BaseException:
                    connection.close()
                    raise
                connection.close()
        return None

    # files

    def files(self, paths: Collection[str] | None = None) -> dict[str, FileState]:
        """Every stored file by path, or those among `paths`, in order of path."""
        found: dict[str, FileState] = {}
        last = ""
        with _reading():
            for query, values in _of_paths(f"SELECT {_FILE_COLUMNS} FROM files", paths, "ORDER BY path"):
                for *row, known in self._connection.execute(query, values):
                    path, size, mtime_ns, ctime_ns, inode, *rest = row
                    if _row_sum(row) != known or path <= last:
                        raise _damaged("what is known of a file")
                    last = path
                    found[path] = FileState(path, Stamp(size, mtime_ns, ctime_ns, inode), *rest)
        return found

    def stamps(self, paths: Collection[str], most: int) -> tuple[dict[str, tuple[Stamp, str]], int]:
        """Path → (stamp, hash of the content) of those of `paths` that are stored, then of at most about `most` others,
        spread evenly over the file numbers; and the number of files. Rows are not checked for damage."""
        found: dict[str, tuple[Stamp, str]] = {}
        columns = "path, size, mtime_ns, ctime_ns, inode, content_hash"
        with _reading():
            known: int = self._connection.execute("SELECT count(*) FROM files").fetchone()[0]
            statements = _of_paths(f"SELECT {columns} FROM files", paths)
            if most:
                step = -(-known // most)
                statements.append((f"SELECT {columns} FROM files WHERE number % {step or 1} = 0", []))
            for statement, values in statements:
                for path, size, mtime_ns, ctime_ns, inode, content in self._connection.execute(statement, values):
                    found[path] = Stamp(size, mtime_ns, ctime_ns, inode), content
        return found, known

    def paths(self) -> frozenset[str]:
        """The stored files. Rows are not checked for damage."""
        with _reading():
            return frozenset(path for (path,) in self._connection.execute("SELECT path FROM files"))

    def racy(self) -> dict[str, int]:
        """Path → time of reading, for files whose stamps were too young to be reliable."""
        saved = self.meta("racy")
        return msgspec.msgpack.decode(saved, type=dict[str, int]) if saved else {}

    def put_files(self, files: Iterable[FileState]) -> None:
        """Add or replace files; their blobs stay."""
        updates = ", ".join(f"{name} = excluded.{name}" for name in _FILE_COLUMNS.split(", ")[1:])
        self._connection.executemany(
            f"INSERT INTO files ({_FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            f"ON CONFLICT (path) DO UPDATE SET {updates}",
            map(_file_row, files),
        )

    def remove_files(self, paths: Collection[str]) -> None:
        """Remove files and all their blobs."""
        for kind in BLOBS:
            self.drop_blobs(kind, paths)
        self._connection.executemany("DELETE FROM files WHERE path = ?", [(path,) for path in paths])

    # blobs per file

    def put_blobs(self, kind: str, blobs: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> None:
        """Store blobs of one kind for files added by `put_files`. Raises `DamagedStoreError` where one is missing."""
        items = list(blobs.items() if isinstance(blobs, Mapping) else blobs)
        numbers = self._numbers([path for path, _ in items])
        self._connection.executemany(
            f"INSERT OR REPLACE INTO {_known(kind)} VALUES (?, ?)",
            [(numbers[path], _summed(data, kind, path)) for path, data in items],
        )

    def _numbers(self, paths: Sequence[str]) -> dict[str, int]:
        """Path → number of the files. Raises `DamagedStoreError` where one is missing."""
        found: dict[str, int] = {}
        with _reading():
            for query, values in _of_paths("SELECT path, number FROM files", paths):
                found.update(self._connection.execute(query, values))
        if len(found) < len(set(paths)):
            raise _damaged("the index of files")
        return found

    def blobs(self, kind: str, paths: Collection[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """(path, blob) of one kind, of all files or of `paths`, in the order in which files were first added."""
        select = f"SELECT path, data FROM {_known(kind)} JOIN files ON number = file"
        for path, data in self._rows(select, paths, "ORDER BY file"):
            yield path, _checked(data, kind, path)

    def owners(self, kind: str) -> list[str]:
        """The paths of files with a blob of one kind, sorted; the blobs are not read."""
        with _reading():
            select = f"SELECT path FROM {_known(kind)} JOIN files ON number = file ORDER BY path"
            return [path for (path,) in self._connection.execute(select)]

    def drop_blobs(self, kind: str, paths: Collection[str] | None = None) -> None:
        """Remove the blobs of one kind of all files, or of `paths`."""
        if paths is None:
            self._connection.execute(f"DELETE FROM {_known(kind)}")
        else:
            self._connection.executemany(
                f"DELETE FROM {_known(kind)} WHERE file = (SELECT number FROM files WHERE path = ?)",
                [(path,) for path in paths],
            )

    # vectors

    def put_vectors(self, embedder: str, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Store (hash of the text, vector) made by `embedder`, the key of its identity."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
            ((embedder, key, _summed(data, embedder, key)) for key, data in vectors),
        )

    def vectors(self, embedder: str, hashes: Collection[bytes] | None = None) -> dict[bytes, bytes]:
        """Hash of the text → vector, of all texts or of the stored ones among `hashes`."""
        select = "SELECT text_hash, vector FROM vectors WHERE embedder = ?"
        found: dict[bytes, bytes] = {}
        wanted = sorted(hashes or ())
        with _reading():
            if hashes is None:
                found.update(self._connection.execute(select, (embedder,)))
            for start in range(0, len(wanted), _CHUNK):
                chunk = wanted[start : start + _CHUNK]
                marks = ", ".join("?" * len(chunk))
                found.update(self._connection.execute(f"{select} AND text_hash IN ({marks})", (embedder, *chunk)))
        return {key: _checked(data, embedder, key) for key, data in found.items()}

    def keep_vectors(self, embedder: str, hashes: Collection[bytes]) -> int:
        """Remove every vector of another embedder or of a text that is not in `hashes`; returns their number."""
        before = self._connection.total_changes
        self._connection.execute("DELETE FROM vectors WHERE embedder <> ?", (embedder,))
        known = {key for (key,) in self._connection.execute("SELECT text_hash FROM vectors")}
        gone = known.difference(hashes)
        self._connection.executemany(
            "DELETE FROM vectors WHERE embedder = ? AND text_hash = ?", ((embedder, key) for key in sorted(gone))
        )
        return self._connection.total_changes - before

    # what was imported

    def put_imported(self, source: str, blobs: Mapping[str, bytes]) -> None:
        """Replace everything of `source` by these blobs, by path; the files need not be stored, and may go and come."""
        self._connection.execute("DELETE FROM imported WHERE source = ?", (source,))
        self._connection.executemany(
            "INSERT INTO imported VALUES (?, ?, ?)",
            ((source, path, _summed(data, source, path)) for path, data in blobs.items()),
        )

    def imported(self, paths: Collection[str] | None = None) -> Iterator[tuple[str, str, bytes]]:
        """(path, source, blob) of what was imported for all files, or for `paths`, in order of path and source."""
        select = "SELECT path, source, data FROM imported"
        for path, source, data in self._rows(select, paths, "ORDER BY path, source"):
            yield path, source, _checked(data, source, path)

    def _rows(self, select: str, paths: Collection[str] | None, order: str) -> Iterator[tuple[Any, ...]]:
        """The rows that `select` gives for all files, or for `paths`."""
        with _reading():
            for query, values in _of_paths(select, paths, order):
                yield from self._connection.execute(query, values)

    # metadata

    def meta(self, key: str) -> bytes | None:
        with _reading():
            row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else _checked(row[0], "meta", key)

    def meta_keys(self) -> list[str]:
        """The keys of the metadata, sorted."""
        with _reading():
            return [key for (key,) in self._connection.execute("SELECT key FROM meta ORDER BY key")]

    def put_meta(self, key: str, value: bytes | None) -> None:
        """Store `value` under `key`; None removes it."""
        if value is None:
            self._connection.execute("DELETE FROM meta WHERE key = ?", (key,))
        else:
            data = _summed(value, "meta", key)
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, data))

    def clear(self) -> None:
        """Remove everything (`index --full`) except the store's id, and what is keyed by content and stays valid:
        vectors, and what was imported."""
        for table in ("files", *BLOBS):
            self._connection.execute(f"DELETE FROM {table}")
        self._connection.execute("DELETE FROM meta WHERE key NOT IN (?, ?)", (STORE_ID, IMPORTED))

    def is_empty(self) -> bool:
        """Whether nothing is stored yet."""
        tables = ("files", "vectors", "meta", "imported")
        return all(self._connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone() is None for table in tables)

    def commit(self) -> None:
        """Persists all changes."""
        if self._connection.total_changes != self._committed:
            self.put_meta(_COUNTS, b"")  # it counts itself
            self.put_meta(_COUNTS, msgspec.msgpack.encode(_counts(self._connection)))
        self._connection.commit()
        self._committed = self._connection.total_changes

    def compact(self) -> None:
        """Return free pages to the file system when they are more than half of the file."""
        self.commit()
        pages, free = (
            self._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count")
        )
        if free * 2 > pages:
            self._connection.execute("VACUUM")

    def copy(self, path: Path, without: Collection[str], *, vectors_of: str) -> None:
        """Writes what is committed to a new file at `path`, which needs no side files to be read: without the id of the
        store, the keys `without` of `meta`, and all vectors but those of the embedder `vectors_of`.

        Raises `StoreError` where it cannot be written.
        """
        try:
            _check_files(path, writes=True)
            target = sqlite3.connect(path)
            try:
                self._connection.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")
                target.execute("PRAGMA synchronous = OFF")
                copied = State(target)
                copied.drop_blobs("published")
                for key in (STORE_ID, *without):
                    copied.put_meta(key, None)
                target.execute("DELETE FROM vectors WHERE embedder <> ?", (vectors_of,))
                target.execute("DELETE FROM imported")
                copied.commit()
            finally:
                target.close()
        except sqlite3.Error as error:
            raise _unwritable(path, error) from error

    def overwrite_removed(self) -> None:
        """From now on, what is removed or replaced is overwritten in the file, too, as long as it is open."""
        self._connection.execute("PRAGMA secure_delete = ON").fetchone()

    def close(self) -> None:
        """Close; uncommitted changes are lost."""
        self._connection.close()

    def __enter__(self) -> State:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.commit()
        finally:
            self.close()


# Implements REQ-STO-002.
def with_state(path: Path, work: Callable[[State], T]) -> T:
    """The result of `work` on the state at `path`, open for writing.

    Damage may be detected only while `work` reads: then the file is moved aside and `work` runs again on a new one.
    Raises `StoreError` where the file cannot be written.
    """
    try:
        with State.open(path) as state:
            return work(state)
    except sqlite3.OperationalError as error:
        if not _is_damage(error):
            raise _unwritable(path, error) from error
        problems = _put_away(path, error)
    except _DAMAGE as error:
        problems = _put_away(path, error)
    try:
        with State.open(path) as state:
            state.problems = problems
            return work(state)
    except sqlite3.OperationalError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: sqlite3.Error) -> StoreError:
    return StoreError(
        f"writing to {path} failed: {error}", "make room or name another folder with --store DIR or LOREGRAPH_STORE"
    )


def _put_away(path: Path, why: Exception) -> tuple[str, ...]:
    for name in _names(path):
        rooted.remove(path.parent, name)
    return (f"{path.name} was not readable ({why}) and is built again",)


def _names(path: Path) -> tuple[str, ...]:
    """The file and SQLite's side files."""
    return path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"


# Implements REQ-SEC-001.
def _check_files(path: Path, *, writes: bool) -> None:
    """Raises UnsafePathError where SQLite would follow a link or block on a FIFO."""
    for name in _names(path):
        rooted.plain(path.parent, name, writes=writes)


class _OtherVersionError(Exception):
    """Raised for tables of another version of loregraph."""


def _connect(path: Path) -> sqlite3.Connection:
    _check_files(path, writes=True)
    connection = sqlite3.connect(path, timeout=30)
    try:
        version = _version(connection)
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and version != STATE_VERSION:
            raise _OtherVersionError(f"version {version}, this is {STATE_VERSION}")
        if not tables:
            connection.execute(f"PRAGMA page_size = {_PAGE}")
        # Readers continue beside a writer, and a killed writer leaves a valid file. Losing the last commit in a power
        # failure only costs some indexing, so NORMAL is enough.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            connection.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {STATE_VERSION}; COMMIT;")
        _check_counts(connection)
        # Reads the header of every table: a foreign or truncated file is detected here and not in the middle of an
        # index.
        for table in ("files", "vectors", "meta", "imported", *BLOBS):
            connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _is_damage(error: sqlite3.OperationalError) -> bool:
    """Whether an operational error means damage rather than a failed write."""
    if getattr(error, "sqlite_errorcode", 0) in _WRITE_ERRORS:
        return False
    return not any(sign in str(error) for sign in ("locked", "busy", "readonly", "unable to open", "is full"))


# Implements REQ-SEC-015.
@contextmanager
def _reading() -> Iterator[None]:
    """Turns SQLite's errors about a damaged file into a `DamagedStoreError`."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if _is_damage(error):
            raise _damaged(str(error)) from error
        raise
    except sqlite3.DatabaseError as error:
        raise _damaged(str(error)) from error


def _of_paths(select: str, paths: Collection[str] | None, order: str = "") -> list[tuple[str, list[str]]]:
    """Statements with their parameters that select all rows, or those of `paths`, some hundreds in each."""
    if paths is None:
        return [(f"{select} {order}", [])]
    wanted = sorted(set(paths))
    chunks = [wanted[start : start + _CHUNK] for start in range(0, len(wanted), _CHUNK)]
    return [(f"{select} WHERE path IN ({', '.join('?' * len(chunk))}) {order}", chunk) for chunk in chunks]


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    return {t: connection.execute(f"SELECT count(*) FROM {t} NOT INDEXED").fetchone()[0] for t in _COUNTED}


def _check_counts(connection: sqlite3.Connection) -> None:
    """Raises `DamagedStoreError` where rows were added or removed since the last commit."""
    connection.execute("BEGIN")  # both from one snapshot, beside a writer
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_COUNTS,)).fetchone()
    now = _counts(connection)
    connection.rollback()
    if row is None:
        known = dict.fromkeys(_COUNTED, 0)  # nothing has been committed yet
    else:
        known = msgspec.msgpack.decode(_checked(row[0], "meta", _COUNTS), type=dict[str, int])
    if now != known:
        raise _damaged("the number of rows")


def _file_row(file: FileState) -> tuple[object, ...]:
    path, stamp, *rest = msgspec.structs.astuple(file)
    row = [path, *stamp, *rest]
    return (*row, _row_sum(row))


def _row_sum(row: list[object]) -> int:
    return zlib.crc32(msgspec.msgpack.encode(row))


def _summed(data: bytes, owner: str, key: str | bytes) -> bytes:
    """`data` in stored form: the checksum includes `key`, which identifies its row within `owner`."""
    return _sum(data, owner, key) + data


def _checked(kept: object, owner: str, key: str | bytes) -> bytes:
    """The inverse of `_summed`. Raises `DamagedStoreError` for anything else."""
    if not isinstance(kept, bytes) or _sum(data := kept[_SUM:], owner, key) != kept[:_SUM]:
        raise _damaged(f"{owner} of {key!r}")
    return data


def _sum(data: bytes, owner: str, key: str | bytes) -> bytes:
    name = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    return zlib.crc32(data, zlib.crc32(name, zlib.crc32(owner.encode()))).to_bytes(_SUM, "little")


def _damaged(what: str) -> DamagedStoreError:
    return DamagedStoreError(
        f"the store is damaged: in state.sqlite, {what} is not what was written",
        "run `loregraph index`: it is built again from the sources",
    )


def _known(kind: str) -> str:
    if kind not in BLOBS:
        raise ValueError(f"{kind} is not one of {BLOBS}")
    return kind
