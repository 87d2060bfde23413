"""What an archive has of a store's state: rows of facts in one order, without what belongs to one machine.

Not the SQLite file itself: its bytes follow from the history of a store, its stamps are those of one disk, and a file
from elsewhere would have SQLite run whatever its schema says. The rows are frames: 4 bytes of length, little endian,
then in msgpack the kind of the rows and the rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

import msgspec

from loregraph.graph.state import BLOBS, FileState, State
from loregraph.publishing.container import damaged
from loregraph.stamps import Stamp

KINDS: Final = tuple(kind for kind in BLOBS if kind != "published")
FILES: Final = "files"
METADATA: Final = "meta"
VECTORS: Final = "vectors"
_KEPT: Final = ("cuts", "layout", "layout_problems", "resolved_files", "totals", "totals_token", "unresolved")
_FAMILY: Final = "summary"
"""Keys of the state's metadata that belong to a graph, and the beginning of those of language families."""
_UNKNOWN: Final = Stamp(0, 0, 0, 0)
"""No file has it, so each is compared by its content."""
_LENGTH: Final = 4
_FRAME: Final = 1 << 20
"""Bytes from which on a frame ends."""
_MOST_FRAME: Final = 256 << 20
"""Maximum bytes of one: the facts of a file of 64 MB, the largest that can be configured, took less."""
_MOST_ROWS: Final = 4096
_AT_ONCE: Final = 500

_Rows = tuple[str, list[tuple[str, bytes]]]
_FileRow = tuple[str, str, str, str, int]


def write_rows(state: State, space: str, target: BinaryIO) -> None:
    """Writes the rows of `state`, with the vectors of the embedder with the key `space`, "" for none."""
    files = state.files()
    stored = [(f.path, f.content_hash, f.language, f.status, f.facts_version) for f in files.values()]
    for at in range(0, len(stored), _MOST_ROWS):
        _write(target, FILES, stored[at : at + _MOST_ROWS])
    for kind in KINDS:
        _write_all(target, kind, _blobs(state, kind))
    kept = [(key, state.meta(key) or b"") for key in state.meta_keys() if _is_kept(key)]
    _write_all(target, METADATA, kept)
    if space:
        _write_all(target, VECTORS, ((key.hex(), vector) for key, vector in sorted(state.vectors(space).items())))


def _blobs(state: State, kind: str) -> Iterator[tuple[str, bytes]]:
    owners = state.owners(kind)
    for at in range(0, len(owners), _AT_ONCE):
        yield from sorted(state.blobs(kind, owners[at : at + _AT_ONCE]))


def _write_all(target: BinaryIO, kind: str, rows: Iterable[tuple[str, bytes]]) -> None:
    frame: list[tuple[str, bytes]] = []
    size = 0
    for row in rows:
        frame.append(row)
        size += len(row[1])
        if size >= _FRAME or len(frame) == _MOST_ROWS:
            _write(target, kind, frame)
            frame, size = [], 0
    if frame:
        _write(target, kind, frame)


def _write(target: BinaryIO, kind: str, rows: Any) -> None:
    content = msgspec.msgpack.encode((kind, rows))
    target.write(len(content).to_bytes(_LENGTH, "little") + content)


def read_rows(source: BinaryIO, state: State, space: str) -> None:
    """Puts the rows in `source` into `state`, which has no files yet; does not commit.

    Raises DamagedArchiveError where they are not what `write_rows` writes.
    """
    order = (FILES, *KINDS, METADATA, VECTORS)
    reached = 0
    paths: set[str] = set()
    while prefix := source.read(_LENGTH):
        length = int.from_bytes(prefix, "little")
        if len(prefix) < _LENGTH or length > _MOST_FRAME:
            raise damaged("its rows are not framed")
        content = source.read(length)
        kind = _kind(content)
        if kind not in order[reached:]:
            raise damaged("its rows are of an unknown kind, or not in order")
        reached = order.index(kind)
        if kind == FILES:
            found = _decoded(content, tuple[str, list[_FileRow]])[1]
            for path, *_ in found:
                if not is_inside(path) or path in paths:
                    raise damaged(f"it names a file {path!a}")
                paths.add(path)
            state.put_files(FileState(path, _UNKNOWN, *rest) for path, *rest in found)
            continue
        rows = _decoded(content, _Rows)[1]
        if kind == METADATA:
            for key, value in rows:
                if not _is_kept(key):
                    raise damaged(f"it has metadata {key!a}")
                state.put_meta(key, value)
        elif kind == VECTORS:
            state.put_vectors(space, ((_key(key), value) for key, value in rows))
        else:
            if not paths.issuperset(path for path, _ in rows):
                raise damaged("it has facts of files that it does not name")
            state.put_blobs(kind, rows)


def _kind(content: bytes) -> str:
    try:
        kind, _ = msgspec.msgpack.decode(content, type=tuple[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise damaged("its rows cannot be read") from None
    return kind


def _decoded(content: bytes, form: Any) -> Any:
    try:
        return msgspec.msgpack.decode(content, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise damaged("its rows cannot be read") from None


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise damaged("its rows cannot be read") from None


def _is_kept(key: str) -> bool:
    return key in _KEPT or key.startswith(_FAMILY)


def is_inside(path: str) -> bool:
    """Whether `path`, POSIX and relative, stays below the folder that it is joined to on this system."""
    if "\0" in path or (os.name == "nt" and ("\\" in path or ":" in path)):
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))
