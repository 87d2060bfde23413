"""The store folder of one project: generations that are built once, published by a rename, and never changed.

    <store>/.gitignore          `*`: git ignores the store
    <store>/write.lock          lock of the only writer, across processes
    <store>/watch.lock          lock of the one process that follows the project's changes, watch.json what it says
    <store>/state.sqlite        state for incremental indexing (state.py); only writers change it
    <store>/owner               the owner's mark (ownership.py): a store without it is not trusted
    <store>/current             which generation is the current one (JSON, replaced by an atomic rename)
    <store>/generation-<n>/     one complete graph, immutable; `lease` in it is the lock file of its readers
    <store>/building-<n>/       an unfinished generation, of a running or a killed writer
    <store>/trash-<n>/          a generation being deleted

Readers never wait for a writer and never see half a graph: they read `current`, take a shared lock on the generation's
`lease` and use that generation until they release it, whatever is published meanwhile. A writer removes a generation
only with the exclusive lock on its lease. All locks are the operating system's, so they end with the process that holds
them: a killed process leaves files that the next writer removes, but never a lock.
"""

from __future__ import annotations

import errno
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph import rooted
from loregraph.errors import (
    DamagedStoreError,
    NotIndexedError,
    SchemaTooNewError,
    StoreBusyError,
    StoreError,
    UnsafePathError,
)
from loregraph.graph import ownership
from loregraph.graph.marks import Mark
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.graph.ownership import CURRENT, STATE
from loregraph.graph.sections import SectionFile

if TYPE_CHECKING:
    from loregraph.graph.state import State

try:
    import fcntl
except ImportError:  # Windows: a file that is open or mapped there cannot be deleted, which protects readers as well
    fcntl = None  # type: ignore[assignment]

STORE_FORMAT: Final = "loregraph-store"
WRITE_LOCK: Final = "write.lock"
LEASE: Final = "lease"

_CHECKSUM: Final = re.compile(rb'"checksum":\s*"([^"]{0,8})"')
_DERIVED: Final = re.compile(r"current(\.new)?|owner(\..*)?|state\.sqlite.*|(generation|building|trash)-\d+")
_OURS: Final = re.compile(rf"\.gitignore|(write|watch)\.lock|watch\.json(\.new)?|{_DERIVED.pattern}")
_GENERATION: Final = re.compile(r"generation-(\d+)")
_LEFTOVER: Final = re.compile(r"(building|trash)-\d+")
_NUMBERED: Final = re.compile(r"(?:generation|building|trash)-(\d+)")
_ELSEWHERE: Final = "name a folder that can be written with --store DIR or LOREGRAPH_STORE"
_REPAIR: Final = "run `loregraph index`: it is built again from the sources"
_READ_ONLY: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


class Current(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `current`: which generation is the current one, and what it was made from.

    `embedder` is the identity of the embedder that made its vectors (`model_id`, `dim`, `weights_sha256`,
    `text_version`), None without vectors. `journal_offsets` maps a journal's name to the number of its bytes that are
    in the graph.
    """

    generation: int = 0
    schema_version: int = SCHEMA_VERSION
    engine: str = ""
    engine_storage_version: int = 0
    loregraph_version: str = ""
    embedder: dict[str, Any] | None = None
    journal_offsets: dict[str, int] = {}
    similar: bool = False
    """Whether the generation has the SIMILAR_TO edges, which are computed on demand."""
    history: str = ""
    """The commit up to whose history the generation has CO_CHANGES, `commits` and `authors`, which are computed on
    demand; "" where it has not."""
    state_token: str = ""
    """The token of the contents of `state.sqlite` that the generation was built from; see `indexer.build.freshness`."""
    files: dict[str, Mark] = {}
    """Marks of the generation's arrays when they were published, by name. Not of the engine's file, which a query may
    build later: see store.py."""
    store_id: str = ""
    """The id in the store's mark: see ownership.py."""
    format: str = STORE_FORMAT
    checksum: str = ""
    """CRC-32 of the file with zeros in this place, 8 hex digits."""


class _Marks(msgspec.Struct):
    """The fields that `current` has in every version: enough to tell whose file it is and whether this version may read
    it."""

    format: str = ""
    schema_version: int = 0


# Implements REQ-STO-005.
class Lease:
    """A generation held open for reading; it cannot be removed before `close`. Also a context manager."""

    def __init__(self, current: Current, path: Path, descriptor: int) -> None:
        self.current = current
        self.path = path
        self._descriptor: int | None = descriptor

    @property
    def generation(self) -> int:
        return self.current.generation

    def require(self, *names: str) -> None:
        """Raises `DamagedStoreError` where one of these arrays, by default any, is damaged.

        Reads only headers: the data itself is checked when it is read.
        """
        for name in names or self.current.files:
            self._required(name)

    def verify(self) -> None:
        """As `require`, including all data: reads the arrays completely, at about 2 GB/s."""
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
        """Release the generation. May be called more than once."""
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
    """The store folder at `path`, which need not exist yet. Reading never creates or changes anything in it.

    Within the project's `root`, no part of the path may be a link; elsewhere the user has chosen it.
    """

    def __init__(self, path: Path | str, root: Path | None = None) -> None:
        self.path = Path(path)
        inside = root is not None and self.path != root and self.path.is_relative_to(root)
        self._base = root if root is not None and inside else self.path
        self._seen: tuple[tuple[int, ...], Current | None] | None = None
        self._writing = False
        self._owner: ownership.Owner | None = None
        self._adopted = False
        self.doubt = ""
        """Why what `current` last found is not believed; "" where it is, or where there is nothing."""
        self.remarks: tuple[str, ...] = ()
        """What a writer has to say of the store as it found it."""

    @property
    def state_path(self) -> Path:
        """The path of `state.sqlite`. Raises UnsafePathError where the store is a link."""
        self._is_there()
        return self.path / STATE

    @property
    def base(self) -> Path:
        """The part of the path that may be trusted: see `rooted`."""
        return self._base

    def _is_there(self) -> bool:
        try:
            return rooted.is_folder(self._base, self.path)
        except OSError:
            return False

    # reading

    def current(self) -> Current | None:
        """The published generation; None before the first index, and where the store is not trusted (`doubt` is the
        reason).

        Costs one `stat` when nothing has changed since the last call. Raises `DamagedStoreError` where it cannot be
        read, `StoreError` for a foreign folder, `SchemaTooNewError` for one of a newer loregraph.
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
            if not rooted.is_folder(self._base, self.path):
                return None
        except OSError as error:
            raise StoreError(f"the store {self.path} cannot be read: {error.strerror}", _ELSEWHERE) from error
        content = ownership.read_current(self.path)
        if content is not None:
            self._refuse_other_format(content)
            if _CHECKSUM.search(content) is not None and sealed(content) != content:
                raise self._damaged(f"{CURRENT} is not what was written")
        self.doubt = ownership.examine(self.path, content).doubt if content is not None else ownership.UNMARKED
        current = self._decode(content) if content is not None and not self.doubt else None
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
            if current is None and self.doubt:
                raise NotIndexedError(
                    f"there is no graph yet: the store {self.path} is not believed ({self.doubt})",
                    "run `loregraph index`: it is built again; LOREGRAPH_TRUST=1 believes what your own cache brought",
                )
            if current is None:
                raise NotIndexedError(f"there is no graph in {self.path} yet", "run `loregraph index` first")
            if current.schema_version < SCHEMA_VERSION:
                raise NotIndexedError(
                    f"the graph in {self.path} was written by an older loregraph (schema {current.schema_version}, "
                    f"this is {SCHEMA_VERSION})",
                    "run `loregraph index` to build it again",
                )
            path = self.path / f"generation-{current.generation}"
            try:
                descriptor = hold(path, self._base)
            except UnsafePathError as error:
                raise self._damaged(error.message) from error
            if descriptor is not None:
                return Lease(current, path, descriptor)
            # Removed between the two reads because a writer has published another one. The same one missing twice is
            # damage.
            if previous == current.generation:
                raise self._damaged(f"generation {current.generation} is missing")
            previous = current.generation

    def sound(self) -> Current | None:
        """The published generation; None where there is none, where it has an older schema, or where it is damaged.

        Reads all arrays, since a writer must not copy damage into the next generation.
        """
        try:
            with self.lease() as lease:
                lease.verify()
                return lease.current
        except (NotIndexedError, DamagedStoreError):
            return None

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of each entry of the folder, by name; empty where there is no folder."""
        try:
            entries = sorted(self.path.iterdir())
        except OSError:
            return {}
        return {entry.name: bytes_of(entry) for entry in entries}

    def open_state(self, *, counted: bool = True) -> State | None:
        """`state.sqlite` for reading; None where it is missing or the store is not trusted. `counted` is that of
        `State.open_read_only`."""
        from loregraph.graph.state import State

        current = self.current()
        return None if current is None else State.open_read_only(self.state_path, current.store_id, counted=counted)

    @contextmanager
    def reading_state(self) -> Iterator[State]:
        """As `open_state`, closed at the end. Raises NotIndexedError where there is none."""
        state = self.open_state(counted=False)
        if state is None:
            raise NotIndexedError(f"there is no graph in {self.path} yet", "run `loregraph index` first")
        try:
            yield state
        finally:
            state.close()

    # writing

    @contextmanager
    def writer(self, timeout: float = 60.0) -> Iterator[StoreFolder]:
        """Be the only writer. Waits up to `timeout` seconds; creates the folder and removes leftovers of killed
        writers.

        Raises `StoreBusyError` when another writer still holds the lock, `StoreError` when the folder cannot be written
        or is not loregraph's, `SchemaTooNewError` for one of a newer loregraph.
        """
        from filelock import FileLock, Timeout  # only writers pay for the import

        self._refuse_foreign()
        with self._explained():
            if self._base == self.path:
                rooted.make_base(self.path)
            else:
                rooted.make_folder(self._base, self.path)
            lock = FileLock(rooted.lock_path(self._base, self.path / WRITE_LOCK), thread_local=False)
            try:
                lock.acquire(timeout=timeout)
            except Timeout:
                raise StoreBusyError(
                    f"another process is writing to {self.path} and was not done within {timeout:g} s",
                    "wait for the other `loregraph index` or `loregraph watch` to finish, then try again",
                ) from None
        try:
            self._seen = None
            with self._explained():
                self._owner = self._own()
            current = self._current_if_readable()
            with self._explained():
                if current is None:
                    rooted.remove(self._base, self.path / CURRENT)
                ignore = self.path / ".gitignore"
                if not rooted.is_file(self._base, ignore):
                    rooted.write(self._base, ignore, b"*\n")
                self._sweep(current.generation if current else None)
            self._writing = True
            try:
                with self._no_leftovers():
                    yield self
            finally:
                self._writing = False
                with self._explained():
                    self._owner = ownership.sealed_again(self.path, self._owner)
        finally:
            lock.release()

    # Implements REQ-SEC-017.
    @contextmanager
    def _no_leftovers(self) -> Iterator[None]:
        """Removes an unfinished generation after an error, since disk space may be short; explains a full disk,
        whatever was being written."""
        try:
            yield
        except BaseException as error:
            for entry in self.path.iterdir():
                if _LEFTOVER.fullmatch(entry.name):
                    rooted.remove_tree(self._base, entry)
            if isinstance(error, OSError) and error.errno in rooted.FULL:
                with self._explained():
                    raise
            raise

    # Implements REQ-SEC-007.
    def _own(self) -> ownership.Owner:
        """Makes the store this user's own: removes what is not trusted, and marks the rest."""
        belief = ownership.examine(self.path, ownership.read_current(self.path))
        self.remarks = ()
        if belief.doubt:
            derived = [entry for entry in sorted(self.path.iterdir()) if _DERIVED.fullmatch(entry.name)]
            for entry in derived:
                rooted.remove_tree(self._base, entry)
            if derived:
                self.remarks = (f"the store {self.path} was not believed ({belief.doubt}): it is built again",)
        elif belief.owner is not None and not ownership.is_state_as_written(self.path, belief.owner):
            for file in self.path.glob(f"{STATE}*"):
                rooted.remove_tree(self._base, file)
        owner, remark = ownership.stamp(self.path, belief)
        self._adopted = not belief.doubt and belief.owner is None
        if remark:
            self.remarks += (remark,)
        if self._adopted and (current := self._current_if_readable()) is not None:
            self._put_current(msgspec.structs.replace(current, store_id=owner.store_id))
            owner = ownership.sealed_again(self.path, owner)
        return owner

    def bind(self, state: State) -> None:
        """Binds `state.sqlite` to this store. Only inside `writer()`.

        Raises `DamagedStoreError` where it belongs to another store: then nothing in it can be trusted.
        """
        assert self._owner is not None
        own = self._owner.store_id.encode()
        from loregraph.graph.state import STORE_ID  # only writers pay for the import

        if state.meta(STORE_ID) == own:
            return
        if not state.is_empty() and not self._adopted:
            raise DamagedStoreError(f"{STATE} is not this store's", _REPAIR)
        state.put_meta(STORE_ID, own)
        state.commit()

    def new_generation(self) -> Path:
        """An empty folder to build the next generation in. Only inside `writer()`."""
        self._require_writer()
        numbers = [int(m[1]) for entry in self.path.iterdir() if (m := _NUMBERED.fullmatch(entry.name))]
        current = self.current()
        number = max([*numbers, current.generation if current else 0]) + 1
        path = self.path / f"building-{number}"
        with self._explained():
            rooted.make_new_folder(self._base, path)
            rooted.create(self._base, path / LEASE).close()
        return path

    def publish(self, built: Path, current: Current) -> Current:
        """Make the generation in `built` the current one; returns `current` with its number filled in.

        Everything is on disk before `current` is renamed into place: killed at any point, this leaves the old
        generation or the new one. Then removes generations without readers. Only inside `writer()`.
        """
        self._require_writer()
        match = _LEFTOVER.fullmatch(built.name)
        if match is None or built.parent != self.path or not built.is_dir():
            raise ValueError(f"{built} was not made by new_generation()")
        number = int(built.name.rpartition("-")[2])
        with self._explained():
            files = {file.name: SectionFile(file).mark for file in sorted(built.glob("*.bin"))}
            current = msgspec.structs.replace(current, generation=number, format=STORE_FORMAT, files=files)
            if self._owner is not None:
                current = msgspec.structs.replace(current, store_id=self._owner.store_id)
            for file in built.rglob("*"):
                if file.is_dir():
                    rooted.sync_folder(self._base, file)
                else:
                    rooted.sync_file(self._base, file)
            rooted.sync_folder(self._base, built)
            rooted.rename(self._base, built, self.path / f"generation-{number}")
            rooted.sync_folder(self._base, self.path)
            current = self._put_current(current)
            self._sweep(number)
        return current

    def _put_current(self, current: Current) -> Current:
        content = sealed(msgspec.json.format(msgspec.json.encode(current), indent=2))
        rooted.write(self._base, self.path / CURRENT, content, sync=True, fresh=f"{CURRENT}.new")
        self._seen = None
        return msgspec.json.decode(content, type=Current)

    def _sweep(self, keep: int | None) -> None:
        """Remove leftovers of killed writers and every generation except `keep` that has no reader."""
        for entry in sorted(self.path.iterdir()):
            if _LEFTOVER.fullmatch(entry.name):
                rooted.remove_tree(self._base, entry)
            elif (match := _GENERATION.fullmatch(entry.name)) and int(match[1]) != keep:
                remove_unread(entry, self.path / f"trash-{match[1]}", self._base)

    def _require_writer(self) -> None:
        if not self._writing:
            raise RuntimeError("only inside StoreFolder.writer()")

    def _refuse_foreign(self) -> None:
        if self.path.is_symlink():
            # A committed link leads to another project's store. Links in a path chosen by the user were resolved
            # before.
            raise StoreError(f"the store {self.path} is a link: it is not followed", "name its target with --store DIR")
        try:
            rooted.is_folder(self._base, self.path)
            names = {entry.name for entry in self.path.iterdir()}
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise StoreError(f"the store {self.path} is a file, not a folder", _ELSEWHERE) from None
        except OSError as error:
            raise StoreError(f"the store {self.path} cannot be read: {error.strerror}", _ELSEWHERE) from error
        content = ownership.read_current(self.path)
        if content is not None:
            self._refuse_other_format(content, unreadable=WRITE_LOCK not in names)
        if content is not None or WRITE_LOCK in names:
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
            return None

    def _refuse_other_format(self, content: bytes, *, unreadable: bool = False) -> None:
        """Raises `StoreError` where `current` is another program's file; with `unreadable` also where it is
        undecidable."""
        try:
            other = msgspec.json.decode(content, type=_Marks).format != STORE_FORMAT and not self._is_ours()
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            other = unreadable
        if other:
            raise StoreError(f"{self.path} is not a loregraph store", _ELSEWHERE)

    def _decode(self, content: bytes) -> Current:
        try:
            marks = msgspec.json.decode(content, type=_Marks)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._damaged(f"{CURRENT} is not readable") from None
        if marks.format != STORE_FORMAT:
            raise self._damaged(f"{CURRENT} is not what was written")
        if marks.schema_version > SCHEMA_VERSION:
            raise SchemaTooNewError(
                f"the store {self.path} was written by a newer loregraph (schema {marks.schema_version}, this one "
                f"knows {SCHEMA_VERSION})",
                "upgrade loregraph, or name another folder with --store DIR or LOREGRAPH_STORE",
            )
        if marks.schema_version == SCHEMA_VERSION and _CHECKSUM.search(content) is None:
            raise self._damaged(f"{CURRENT} is not what was written")
        try:
            return msgspec.json.decode(content, type=Current)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._damaged(f"{CURRENT} is not readable: {error}") from None

    def _is_ours(self) -> bool:
        """Whether the folder is a store, judging by everything but `current`."""
        names = {entry.name for entry in self.path.iterdir()}
        return {WRITE_LOCK, STATE} <= names and all(map(_OURS.fullmatch, names))

    def _damaged(self, what: str) -> DamagedStoreError:
        return DamagedStoreError(f"the store {self.path} is damaged: {what}", _REPAIR)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn file system errors into a `StoreError` with advice."""
        try:
            yield
        except OSError as error:
            if error.errno in _READ_ONLY:
                raise StoreError(f"the store {self.path} cannot be written: {error.strerror}", _ELSEWHERE) from error
            what = f"writing to the store {self.path} failed: {error.strerror or error}"
            raise StoreError(what, f"make room or {_ELSEWHERE}") from error


# Implements REQ-SEC-015.
def sealed(content: bytes) -> bytes:
    """The JSON of a `Current` with its checksum: a single bit of it decides which graph is read, and which embedder's
    vectors."""
    before, _, after = _CHECKSUM.sub(b'"checksum": "?"', content, count=1).partition(b'"?"')
    return b'%s"%08x"%s' % (before, zlib.crc32(before + after), after)


def hold(generation: Path, base: Path | None = None) -> int | None:
    """Take the shared lock on a generation; its descriptor, to be closed by the caller, or None when it was removed.

    `base` is the trusted part of its path, by default its folder. Raises UnsafePathError for a link below that.
    """
    lease, base = generation / LEASE, base or generation.parent
    try:
        descriptor = rooted.descriptor(base, lease)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if fcntl is not None:
            _share(descriptor)
        held, there = os.fstat(descriptor), rooted.status(base, lease)
    except (FileNotFoundError, NotADirectoryError, BlockingIOError):
        os.close(descriptor)
        return None
    # A writer may have moved the locked file away and put another one with its name in its place.
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
        # A file system without locks (some network mounts): reading works, but early removal is possible.
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
            raise


def remove_unread(generation: Path, trash: Path, base: Path) -> None:
    """Remove a generation unless it has a reader. Failure is no error: the next writer tries again."""
    try:
        descriptor = rooted.descriptor(base, generation / LEASE)
    except (FileNotFoundError, NotADirectoryError, UnsafePathError):
        descriptor = None  # a generation without a lease file cannot be open
    except OSError:
        return
    try:
        if descriptor is not None and fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if fcntl is None and descriptor is not None:
            os.close(descriptor)  # Windows cannot rename a folder with an open file in it: ours or a reader's
            descriptor = None
        rooted.rename(base, generation, trash)
    except OSError:
        return
    finally:
        if descriptor is not None:
            os.close(descriptor)
    rooted.remove_tree(base, trash)


def bytes_of(path: Path) -> int:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            return sum(bytes_of(entry) for entry in path.iterdir())
        return path.lstat().st_size
    return 0
