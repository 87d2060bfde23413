"""The user's cache of graphs: what one worktree has computed, for the other worktrees and clones of its files.

    <cache>/snapshots/write.lock          lock of the process that adds or removes
    <cache>/snapshots/<version>-<token>/  a snapshot: a state and the arrays of a generation, immutable
        state.sqlite                      facts, texts, vectors and traces, without what belongs to one store
        *.bin                             the arrays, without memories and accepted links
        about                             the token, the files by hash, and marks of the arrays
        lease                             lock file of its readers; its time is that of the last use

A snapshot is found by content alone: by the token, which identifies everything that a graph is made of, or by the
hashes of paths and contents that it has in common with a project. So no repository can claim another's: what is taken
of a snapshot belongs to files that the project has itself (`indexer/build/reuse.py`). `version` is that of the code:
what other code extracted is never read.

Why a folder of the user's and not git's common one: clones share no git folder, a `.git` may come with an archive and
would need a mark of ownership, and other tools pack, copy and delete it.

Why whole graphs and not facts by file: with the facts of all but 54 of its 4,105 files Django still costs 70 % of the
first index, since resolution is most of it; with the graph it costs 4 %.

Everything here is optional. A snapshot that is damaged, cut short or being deleted is not used; where nothing can be
written, nothing is kept.
"""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

from loregraph import rooted
from loregraph.errors import DamagedStoreError, LoregraphError, StoreBusyError, UnsafePathError
from loregraph.graph.authored import Authored, write_arrays
from loregraph.graph.generation import LEASE, Current, bytes_of, hold, remove_unread
from loregraph.graph.marks import Mark
from loregraph.graph.ownership import STATE
from loregraph.graph.sections import SectionFile
from loregraph.graph.state import State
from loregraph.user_files import blake2b, cache_folder, changing

SNAPSHOTS: Final = "snapshots"
_ABOUT: Final = "about"
_FORMAT: Final = "loregraph-snapshot-1"
_NAME: Final = re.compile(r"[0-9a-f]{12}-[0-9a-f]{32}")
_LEFTOVER: Final = re.compile(r"(building|trash)-[0-9a-f]{12}-[0-9a-f]{32}")
_SUM: Final = 4
"""Bytes before the content of `about`: its CRC-32, little endian."""
MOST: Final = 256
"""Maximum number of snapshots: all are looked at to find the nearest."""
KEY: Final = 8
"""Bytes of a file's key: enough to rank snapshots, of which nothing is taken by a key alone."""
_REPAIR: Final = "run `loregraph doctor --clear-cache`"
OF_ONE_STORE: Final = ("commits", "keywords", "outside", "racy", "told", "cache", "imported", "history")
"""Keys of the state's metadata that describe a folder or its history rather than files' contents."""


class About(msgspec.Struct, frozen=True, array_like=True):
    """What a snapshot says of itself. `keys` are those of its files, ascending, without separators; `embedder` is that
    of `generation.Current`, and `space` the key of its vectors in the state."""

    format: str
    token: str
    loregraph_version: str
    engine: str
    engine_storage_version: int
    embedder: dict[str, Any] | None
    space: str
    arrays: dict[str, Mark]
    keys: bytes


def key_of(path: str, content_hash: str) -> bytes:
    """The key of a file, by its path and the hash of its content."""
    return blake2b(f"{path}\0{content_hash}".encode("utf-8", "surrogatepass"), digest_size=KEY).digest()


class Snapshot:
    """A snapshot held open: it is not removed before `close`. Also a context manager."""

    def __init__(self, path: Path, about: About, descriptor: int) -> None:
        self.path = path
        self.about = about
        self._descriptor: int | None = descriptor

    def state(self) -> State:
        """Its state, for reading. Raises DamagedStoreError where that is not readable."""
        found = State.open_read_only(self.path / STATE)
        if found is None:
            raise DamagedStoreError(f"the snapshot {self.path} has no state", _REPAIR)
        return found

    def copy_arrays(self, building: Path) -> None:
        """Copies the arrays to the generation being built in `building`, and checks the copies.

        Raises DamagedStoreError where they are not what was written, OSError where they cannot be copied.
        """
        for name in self.about.arrays:
            rooted.copy(self.path, name, building.parent, building / name)
        self._check(building)

    def check(self) -> None:
        """Reads all arrays. Raises DamagedStoreError where they are not what was written."""
        self._check(self.path)

    def _check(self, folder: Path) -> None:
        for name, mark in self.about.arrays.items():
            file = SectionFile(folder / name)
            if file.mark != mark:
                raise DamagedStoreError(f"the snapshot {self.path} is damaged: {name}", _REPAIR)
            file.check()

    def close(self) -> None:
        """Release it. May be called more than once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Implements REQ-STO-012.
class Snapshots:
    """The snapshots made by the code of `version`, 12 hex digits; all, with those of other versions, take at most
    `most_bytes`."""

    def __init__(self, version: str, most_bytes: int, folder: Path | None = None) -> None:
        self.version = version
        self.most_bytes = most_bytes
        self.folder = folder if folder is not None else cache_folder() / SNAPSHOTS

    # reading

    def exact(self, token: str) -> Snapshot | None:
        """The snapshot with this token, held; None where there is none. Counts as its use."""
        return self._held(self.folder / f"{self.version}-{token}")

    def all(self) -> dict[str, frozenset[bytes]]:
        """Token → the keys of its files, of every snapshot, in order of token. They are not held."""
        found: dict[str, frozenset[bytes]] = {}
        for path in self._paths():
            version, _, token = path.name.partition("-")
            if version == self.version and (about := _read_about(path)) is not None:
                found[token] = frozenset(_split(about.keys))
        return found

    def _held(self, path: Path) -> Snapshot | None:
        if not path.is_dir() or doubt(self.folder):
            return None
        try:
            descriptor = hold(path, self.folder)
        except (OSError, UnsafePathError):
            return None
        if descriptor is None:
            return None
        about = _read_about(path)
        if about is None or f"{self.version}-{about.token}" != path.name:
            os.close(descriptor)
            return None
        with suppress(OSError):  # a folder may be read-only
            rooted.mark_used(self.folder, path / LEASE)
        return Snapshot(path, about, descriptor)

    def _paths(self) -> list[Path]:
        if doubt(self.folder):
            return []
        try:
            return sorted(entry for entry in self.folder.iterdir() if _NAME.fullmatch(entry.name))
        except OSError:
            return []

    def sizes(self) -> dict[str, int]:
        """Bytes on disk by name of every snapshot, of other versions too."""
        return {path.name: bytes_of(path) for path in self._paths()}

    def unusable(self) -> str:
        """Why nothing can be added; "" where something can. Writes nothing."""
        if reason := doubt(self.folder):
            return reason
        there = self.folder
        while not there.exists():
            there = there.parent
        return "" if there.is_dir() and os.access(there, os.W_OK) else f"{there} cannot be written to"

    # writing

    def save(
        self,
        current: Current,
        space: str,
        generation: Path,
        state: State,
        keys: Iterable[bytes],
        *,
        has_authored: bool = False,
    ) -> str:
        """Keeps the generation `current` in the folder `generation`, without memories and accepted links if it
        `has_authored` ones, and what is committed of the `state` it was made with, vectors of `space` only; removes the
        snapshots that were not used for longest where room is needed.

        Returns why it was not kept, "" where it was, or is there already. Raises nothing.
        """
        name = f"{self.version}-{current.state_token}"
        try:
            with self._changing():
                if (self.folder / name).is_dir():
                    if _read_about(self.folder / name) is not None:
                        return ""
                    remove_unread(self.folder / name, self.folder / f"trash-{name}", self.folder)
                return self._written(name, current, space, generation, state, keys, has_authored)
        except StoreBusyError:
            return "another process has been writing to the cache for too long"
        except LoregraphError as error:
            return error.message
        except OSError as error:
            return str(error.strerror or error)

    def _written(
        self,
        name: str,
        current: Current,
        space: str,
        generation: Path,
        state: State,
        keys: Iterable[bytes],
        has_authored: bool,
    ) -> str:
        building = self.folder / f"building-{name}"
        rooted.make_new_folder(self.folder, building)
        try:
            state.copy(building / STATE, OF_ONE_STORE, vectors_of=space)
            if has_authored:
                write_arrays(generation, building, Authored())
            else:
                for file in _arrays(generation):
                    rooted.copy(generation, file.name, self.folder, building / file.name)
            needed = bytes_of(building)
            if needed > self.most_bytes:
                return f"it takes {needed:,} bytes, and cache_max_bytes is {self.most_bytes:,}"
            self._make_room(needed)
            about = About(
                _FORMAT,
                current.state_token,
                current.loregraph_version,
                current.engine,
                current.engine_storage_version,
                current.embedder,
                space,
                {file.name: SectionFile(file).mark for file in _arrays(building)},
                b"".join(sorted(keys)),
            )
            content = msgspec.msgpack.encode(about)
            rooted.write(self.folder, building / _ABOUT, zlib.crc32(content).to_bytes(_SUM, "little") + content)
            rooted.create(self.folder, building / LEASE).close()
            rooted.rename(self.folder, building, self.folder / name)
        finally:
            rooted.remove_tree(self.folder, building)
        return ""

    def _make_room(self, needed: int) -> None:
        """Removes those not used for longest until one more, of `needed` bytes, is within the limits."""
        known = sorted((_last_use(path), path, bytes_of(path)) for path in self._paths())
        total, number = sum(size for _, _, size in known), len(known)
        for _, path, size in known:
            if total + needed <= self.most_bytes and number < MOST:
                return
            remove_unread(path, self.folder / f"trash-{path.name}", self.folder)
            if not path.is_dir():
                total, number = total - size, number - 1

    def discard(self, snapshot: Snapshot) -> None:
        """Closes a damaged snapshot and removes it, where that is possible."""
        snapshot.close()
        with suppress(OSError, LoregraphError), self._changing():
            remove_unread(snapshot.path, self.folder / f"trash-{snapshot.path.name}", self.folder)

    def clear(self) -> int:
        """Removes every snapshot without a reader; returns the bytes that they took.

        Raises OSError, UnsafePathError and StoreBusyError where that is impossible.
        """
        if not self.folder.is_dir():
            return 0
        gone = 0
        with self._changing():
            for path in self._paths():
                size = bytes_of(path)
                remove_unread(path, self.folder / f"trash-{path.name}", self.folder)
                gone += 0 if path.is_dir() else size
        return gone

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Be the only process to add or remove; what killed ones left is removed."""
        rooted.make_base(self.folder, private=True)
        if reason := doubt(self.folder):
            raise UnsafePathError(reason, "make it your own (chmod 700), or name another with LOREGRAPH_CACHE_DIR")
        with changing(self.folder / "write"):
            for entry in self.folder.iterdir():
                if _LEFTOVER.fullmatch(entry.name):
                    rooted.remove_tree(self.folder, entry)
            yield


def doubt(folder: Path) -> str:
    """Why the cache at `folder` is not used; "" where it is, or does not exist yet: others could write to it."""
    try:
        status = folder.stat()
    except OSError:
        return ""
    if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        return f"the cache {folder} belongs to another user or can be written by others"
    return ""


def _arrays(generation: Path) -> list[Path]:
    return sorted(file for file in generation.iterdir() if file.suffix == ".bin")


def _last_use(path: Path) -> int:
    try:
        return (path / LEASE).stat().st_mtime_ns
    except OSError:
        return 0


def _split(keys: bytes) -> Iterator[bytes]:
    return (keys[at : at + KEY] for at in range(0, len(keys), KEY))


def _read_about(path: Path) -> About | None:
    """What the snapshot at `path` says of itself; None where that is damaged."""
    try:
        content = rooted.read(path, _ABOUT)
    except (OSError, UnsafePathError):
        return None
    if zlib.crc32(content[_SUM:]) != int.from_bytes(content[:_SUM], "little"):
        return None
    try:
        about = msgspec.msgpack.decode(content[_SUM:], type=About)
    except msgspec.DecodeError:
        return None
    return about if about.format == _FORMAT else None
