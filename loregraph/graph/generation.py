"""The store folder of one project: generations that are built once, published by a rename, and never changed.

    <store>/.gitignore          `*`: git sees nothing of the store
    <store>/write.lock          one writer at a time, across processes
    <store>/state.sqlite        what makes indexing incremental (state.py); only writers change it
    <store>/current             which generation is the current one (JSON, replaced by an atomic rename)
    <store>/generation-<n>/     one complete graph, immutable; `lease` in it is the lock file of its readers
    <store>/building-<n>/       a generation that a writer is building, or that a killed writer left
    <store>/trash-<n>/          a generation on its way out

Readers never wait for a writer and never see half a graph: they read `current`, take a shared lock on the generation's
`lease` and go on with that generation until they let it go, whatever is published meanwhile. A writer removes a
generation only when it gets the exclusive lock on its lease. All locks are the operating system's, so they end with the
process that holds them: a killed process leaves files that the next writer removes, never a lock.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

from loregraph.errors import DamagedStoreError, NotIndexedError, SchemaTooNewError, StoreBusyError, StoreError
from loregraph.graph.marks import Mark
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.graph.sections import SectionFile

try:
    import fcntl
except ImportError:  # Windows: a file that is open or mapped there cannot be deleted, which protects readers as well
    fcntl = None  # type: ignore[assignment]

STORE_FORMAT: Final = "loregraph-store"
CURRENT: Final = "current"
WRITE_LOCK: Final = "write.lock"
STATE: Final = "state.sqlite"
LEASE: Final = "lease"

_CHECKSUM: Final = re.compile(rb'"checksum":\s*"([^"]{0,8})"')
_OURS: Final = re.compile(r"\.gitignore|current(\.new)?|write\.lock|state\.sqlite.*|(generation|building|trash)-\d+")
_GENERATION: Final = re.compile(r"generation-(\d+)")
_LEFTOVER: Final = re.compile(r"(building|trash)-\d+")
_NUMBERED: Final = re.compile(r"(?:generation|building|trash)-(\d+)")
_ELSEWHERE: Final = "name a folder that can be written with --store DIR or LOREGRAPH_STORE"
_REPAIR: Final = "run `loregraph index`: it is built again from the sources"
_READ_ONLY: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


class Current(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `current`: what the current generation is and what made it.

    `embedder` is the identity of the embedder whose vectors lie in the generation (`model_id`, `dim`, `weights_sha256`,
    `text_version`), None without vectors. `journal_offsets` maps a journal's name to the bytes that the graph holds.
    """

    generation: int = 0
    schema_version: int = SCHEMA_VERSION
    engine: str = ""
    engine_storage_version: int = 0
    loregraph_version: str = ""
    embedder: dict[str, Any] | None = None
    journal_offsets: dict[str, int] = {}
    similar: bool = False
    """Whether the SIMILAR_TO edges are in the generation: they are brought in when they are asked for."""
    state_token: str = ""
    """Names the contents of `state.sqlite` that the generation was built from; see `indexer.pipeline`."""
    files: dict[str, Mark] = {}
    """What the arrays of the generation were when they were published, by name. Not the engine's file, which a query
    may make later: see store.py."""
    format: str = STORE_FORMAT
    checksum: str = ""
    """CRC-32 of the file with zeros in this place, 8 hex digits."""


class _Marks(msgspec.Struct):
    """What every version of `current` has: enough to say whose file it is and whether this code may read it."""

    format: str = ""
    schema_version: int = 0


# Implements REQ-STO-005.
class Lease:
    """A generation held open for reading; nobody removes it before `close`. Also a context manager."""

    def __init__(self, current: Current, path: Path, descriptor: int) -> None:
        self.current = current
        self.path = path
        self._descriptor: int | None = descriptor

    @property
    def generation(self) -> int:
        return self.current.generation

    def require(self, *names: str) -> None:
        """Raises `DamagedStoreError` where one of these arrays, by default any, is not what was written.

        Reads their headers: what these stand for is checked when it is read.
        """
        for name in names or self.current.files:
            self._required(name)

    def verify(self) -> None:
        """As `require`, of all arrays and all that is in them: reads them whole, at about 2 GB/s."""
        for name in self.current.files:
            file = self._required(name)
            if file is not None:
                file.check()

    def _required(self, name: str) -> SectionFile | None:
        known = self.current.files.get(name)
        if known is None:
            return None
        file = SectionFile(self.path / name)
        if file.mark != known:
            raise DamagedStoreError(f"the store is damaged: {self.path / name} is not what was written", _REPAIR)
        return file

    def close(self) -> None:
        """Let the generation go. May be called more than once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


# Implements REQ-STO-003, REQ-STO-004, REQ-STO-008.
class StoreFolder:
    """The store folder at `path`, which need not exist yet. Reading never creates or changes anything in it."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._seen: tuple[tuple[int, ...], Current] | None = None
        self._writing = False

    @property
    def state_path(self) -> Path:
        """Where `state.sqlite` lies."""
        return self.path / STATE

    # reading

    def current(self) -> Current | None:
        """What is published, None before the first index. One `stat` when nothing has changed since the last call.

        Raises `DamagedStoreError` where it cannot be read, `StoreError` for a foreign folder,
        `SchemaTooNewError` for one of a newer loregraph.
        """
        file = self.path / CURRENT
        try:
            status = file.stat()
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise StoreError(f"the store {self.path} is a file, not a folder", _ELSEWHERE) from None
        except OSError as error:
            raise StoreError(f"the store {self.path} cannot be read: {error.strerror}", _ELSEWHERE) from error
        mark = (status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)
        if self._seen is not None and self._seen[0] == mark:
            return self._seen[1]
        try:
            current = self._decode(file.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{file} cannot be read: {error.strerror}", _ELSEWHERE) from error
        self._seen = (mark, current)
        return current

    def lease(self) -> Lease:
        """Hold the current generation for reading.

        Raises `NotIndexedError` before the first index and for a graph of an older schema, which the next index
        replaces; otherwise as `current` does.
        """
        previous = None
        while True:
            self._seen = None if previous is not None else self._seen
            current = self.current()
            if current is None:
                raise NotIndexedError(f"there is no graph in {self.path} yet", "run `loregraph index` first")
            if current.schema_version < SCHEMA_VERSION:
                raise NotIndexedError(
                    f"the graph in {self.path} was written by an older loregraph (schema {current.schema_version}, "
                    f"this is {SCHEMA_VERSION})",
                    "run `loregraph index` to build it again",
                )
            path = self.path / f"generation-{current.generation}"
            descriptor = hold(path)
            if descriptor is not None:
                return Lease(current, path, descriptor)
            # Gone between the two reads: a writer has published another one. The same one gone twice is damage.
            if previous == current.generation:
                raise self._damaged(f"generation {current.generation} is missing")
            previous = current.generation

    def sound(self) -> Current | None:
        """What is published; None where there is nothing, or where it is of an older schema or not what was written.

        Reads all arrays: who writes the next generation from this one must not write its damage on.
        """
        try:
            with self.lease() as lease:
                lease.verify()
                return lease.current
        except (NotIndexedError, DamagedStoreError):
            return None

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of each entry of the folder, by name; empty when there is none."""
        try:
            entries = sorted(self.path.iterdir())
        except OSError:
            return {}
        return {entry.name: _size(entry) for entry in entries}

    # writing

    @contextmanager
    def writer(self, timeout: float = 60.0) -> Iterator[StoreFolder]:
        """Be the only writer. Waits up to `timeout` seconds; creates the folder and removes what killed writers left.

        Raises `StoreBusyError` when another writer is still at it, `StoreError` when the folder cannot be written or is
        not loregraph's, `SchemaTooNewError` for one of a newer loregraph.
        """
        from filelock import FileLock, Timeout  # only writers pay for the import

        self._refuse_foreign()
        self._current_if_readable()
        with self._explained():
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / WRITE_LOCK, thread_local=False)
            try:
                lock.acquire(timeout=timeout)
            except Timeout:
                raise StoreBusyError(
                    f"another process is writing to {self.path} and was not done within {timeout:g} s",
                    "wait for the other `loregraph index` or `loregraph watch` to finish, then try again",
                ) from None
        try:
            self._seen = None
            current = self._current_if_readable()
            with self._explained():
                if current is None:
                    (self.path / CURRENT).unlink(missing_ok=True)
                ignore = self.path / ".gitignore"
                if not ignore.exists():
                    ignore.write_text("*\n", encoding="utf-8")
                self._sweep(current.generation if current else None)
            self._writing = True
            yield self
        finally:
            self._writing = False
            lock.release()

    def new_generation(self) -> Path:
        """An empty folder to build the next generation in. Only inside `writer()`."""
        self._require_writer()
        numbers = [int(m[1]) for entry in self.path.iterdir() if (m := _NUMBERED.fullmatch(entry.name))]
        current = self.current()
        number = max([*numbers, current.generation if current else 0]) + 1
        path = self.path / f"building-{number}"
        with self._explained():
            path.mkdir()
            (path / LEASE).touch()
        return path

    def publish(self, built: Path, current: Current) -> Current:
        """Make what was built in `built` the current generation; returns `current` with its number filled in.

        Everything is on disk before `current` is renamed into place: killed at any point, this leaves the old
        generation or the new one. Then removes the generations that nobody reads. Only inside `writer()`.
        """
        self._require_writer()
        match = _LEFTOVER.fullmatch(built.name)
        if match is None or built.parent != self.path or not built.is_dir():
            raise ValueError(f"{built} was not made by new_generation()")
        number = int(built.name.rpartition("-")[2])
        with self._explained():
            files = {file.name: SectionFile(file).mark for file in sorted(built.glob("*.bin"))}
            current = msgspec.structs.replace(current, generation=number, format=STORE_FORMAT, files=files)
            content = sealed(msgspec.json.format(msgspec.json.encode(current), indent=2))
            current = msgspec.json.decode(content, type=Current)
            for file in built.rglob("*"):
                _sync(file)
            _sync(built)
            built.rename(self.path / f"generation-{number}")
            fresh = self.path / f"{CURRENT}.new"
            fresh.write_bytes(content)
            _sync(fresh)
            _sync(self.path)
            fresh.replace(self.path / CURRENT)
            _sync(self.path)
            self._seen = None
            self._sweep(number)
        return current

    def _sweep(self, keep: int | None) -> None:
        """Remove what killed writers left and every generation but `keep` that nobody reads."""
        for entry in sorted(self.path.iterdir()):
            if _LEFTOVER.fullmatch(entry.name):
                shutil.rmtree(entry, ignore_errors=True)
            elif (match := _GENERATION.fullmatch(entry.name)) and int(match[1]) != keep:
                _remove_unread(entry, self.path / f"trash-{match[1]}")

    def _require_writer(self) -> None:
        if not self._writing:
            raise RuntimeError("only inside StoreFolder.writer()")

    def _refuse_foreign(self) -> None:
        try:
            names = {entry.name for entry in self.path.iterdir()}
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise StoreError(f"the store {self.path} is a file, not a folder", _ELSEWHERE) from None
        except OSError as error:
            raise StoreError(f"the store {self.path} cannot be read: {error.strerror}", _ELSEWHERE) from error
        if CURRENT in names or WRITE_LOCK in names:
            return
        foreign = sorted(name for name in names if not _OURS.fullmatch(name))
        if foreign:
            raise StoreError(
                f"{self.path} holds files that are not loregraph's ({', '.join(foreign[:3])}…), so nothing is written",
                "name an empty folder, or one that does not exist yet, with --store DIR or LOREGRAPH_STORE",
            )

    def _current_if_readable(self) -> Current | None:
        """As `current`; None also where it cannot be read and the folder is otherwise a store."""
        try:
            return self.current()
        except DamagedStoreError:
            if not (self.path / WRITE_LOCK).exists():
                raise StoreError(f"{self.path} is not a loregraph store", _ELSEWHERE) from None
            return None

    def _decode(self, content: bytes) -> Current:
        try:
            marks = msgspec.json.decode(content, type=_Marks)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self._damaged(f"{CURRENT} is not readable") from None
        found = _CHECKSUM.search(content)
        if found is not None and sealed(content) != content:
            raise self._damaged(f"{CURRENT} is not what was written")
        if marks.format != STORE_FORMAT and self._is_ours():
            raise self._damaged(f"{CURRENT} is not what was written")
        if marks.format != STORE_FORMAT:
            raise StoreError(f"{self.path} is not a loregraph store", _ELSEWHERE)
        if marks.schema_version > SCHEMA_VERSION:
            raise SchemaTooNewError(
                f"the store {self.path} was written by a newer loregraph (schema {marks.schema_version}, this one "
                f"knows {SCHEMA_VERSION})",
                "upgrade loregraph, or name another folder with --store DIR or LOREGRAPH_STORE",
            )
        if marks.schema_version == SCHEMA_VERSION and found is None:
            raise self._damaged(f"{CURRENT} is not what was written")
        try:
            return msgspec.json.decode(content, type=Current)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._damaged(f"{CURRENT} is not readable: {error}") from None

    def _is_ours(self) -> bool:
        """Whether the folder is a store but for what its `current` says."""
        names = {entry.name for entry in self.path.iterdir()}
        return {WRITE_LOCK, STATE} <= names and all(map(_OURS.fullmatch, names))

    def _damaged(self, what: str) -> DamagedStoreError:
        return DamagedStoreError(f"the store {self.path} is damaged: {what}", _REPAIR)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what the file system refuses into a `StoreError` that says what to do."""
        try:
            yield
        except OSError as error:
            if error.errno in _READ_ONLY:
                raise StoreError(f"the store {self.path} cannot be written: {error.strerror}", _ELSEWHERE) from error
            what = f"writing to the store {self.path} failed: {error.strerror or error}"
            raise StoreError(what, f"make room or {_ELSEWHERE}") from error


# Implements REQ-SEC-015.
def sealed(content: bytes) -> bytes:
    """The JSON of a `Current` with its checksum. One bit of `current` decides which graph is read, and of which
    embedder its vectors are."""
    before, _, after = _CHECKSUM.sub(b'"checksum": "?"', content, count=1).partition(b'"?"')
    return b'%s"%08x"%s' % (before, zlib.crc32(before + after), after)


def hold(generation: Path) -> int | None:
    """Take the shared lock on a generation; its descriptor, to be closed by the caller, or None when it is gone."""
    lease = generation / LEASE
    try:
        descriptor = os.open(lease, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if fcntl is not None:
            _share(descriptor)
        held, there = os.fstat(descriptor), lease.stat()
    except (FileNotFoundError, NotADirectoryError, BlockingIOError):
        os.close(descriptor)
        return None
    # The lock may be on a file that a writer has just moved away, and another of that name put in its place.
    if (held.st_dev, held.st_ino) != (there.st_dev, there.st_ino):
        os.close(descriptor)
        return None
    return descriptor


def _share(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        # A file system without locks (some network mounts): reading works there, early removal is not excluded.
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
            raise


def _remove_unread(generation: Path, trash: Path) -> None:
    """Remove a generation unless somebody reads it. Failing is no error: the next writer tries again."""
    try:
        descriptor = os.open(generation / LEASE, os.O_RDONLY)
    except FileNotFoundError:
        descriptor = None  # without its lease nobody can have opened it
    except OSError:
        return
    try:
        if descriptor is not None and fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if fcntl is None and descriptor is not None:
            os.close(descriptor)  # Windows renames no folder with an open file in it: ours or a reader's
            descriptor = None
        generation.rename(trash)
    except OSError:
        return
    finally:
        if descriptor is not None:
            os.close(descriptor)
    shutil.rmtree(trash, ignore_errors=True)


def _sync(path: Path) -> None:
    """Flush a file or folder to disk, where the platform can."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() or os.name != "nt" else os.O_RDWR)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _size(path: Path) -> int:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            return sum(_size(entry) for entry in path.iterdir())
        return path.lstat().st_size
    return 0
