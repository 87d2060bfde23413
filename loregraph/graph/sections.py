"""A file of named sections of bytes, written once and then memory-mapped; every byte is checked when read.

Layout: 8 bytes of magic, 4 bytes CRC-32 of the header, 4 bytes its length (both little endian), the header (msgpack),
then the sections, each aligned to 64 bytes. The header has a CRC-32 of every block of every section. A block is checked
on first access: unused data costs nothing, and damaged data raises `DamagedStoreError`. The CRC-32 of the header thus
covers the whole file.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph import rooted
from loregraph.errors import DamagedStoreError, UnsafePathError
from loregraph.graph.marks import Mark

_MAGIC: Final = b"LGCOLS2\n"
_PREFIX: Final = len(_MAGIC) + 8
_ALIGNMENT: Final = 64
_SHIFT: Final = 14
BLOCK: Final = 1 << _SHIFT
"""Bytes checked at a time: a bisection in a large section reads only a few such blocks, and the checksums of 60 MB are
15 kB."""
ITEM_BYTES: Final = dict(
    zip("|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f4 <f8".split(), (1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8), strict=True)
)
"""Types of a section's items, in numpy's notation, and the bytes of each item."""


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """One section: its byte offset after the header, the number of its items, the CRC-32 of each block including the
    last one's padding (4 bytes each, little endian)."""

    name: str
    dtype: str
    offset: int
    count: int
    sums: bytes


class _Header(msgspec.Struct, array_like=True, frozen=True):
    size: int
    entries: tuple[Entry, ...]
    meta: dict[str, Any]


def write_sections(path: Path, sections: Iterable[tuple[str, str, int, bytes]], meta: dict[str, Any]) -> int:
    """Write (name, dtype, number of items, content) and `meta`, plain values, to `path`; its size in bytes."""
    entries, chunks, offset = [], [], 0
    for name, dtype, count, content in sections:
        content += bytes(-len(content) % _ALIGNMENT)
        view = memoryview(content)
        sums = b"".join(zlib.crc32(view[at : at + BLOCK]).to_bytes(4, "little") for at in range(0, len(content), BLOCK))
        entries.append(Entry(name, dtype, offset, count, sums))
        chunks.append(content)
        offset += len(content)
    header = msgspec.msgpack.encode(_Header(offset, tuple(entries), meta))
    header += b"\xc1" * (-(_PREFIX + len(header)) % _ALIGNMENT)
    prefix = _MAGIC + zlib.crc32(header).to_bytes(4, "little") + len(header).to_bytes(4, "little")
    with rooted.create(path.parent, path.name) as file:
        file.write(prefix + header)
        file.writelines(chunks)
    return _PREFIX + len(header) + offset


def _unpadded(header: bytes) -> _Header:
    """A header without padding: the padding byte begins nothing in msgpack, but may end something (193 does)."""
    last = len(header)
    for end in range(max(len(header.rstrip(b"\xc1")), last - _ALIGNMENT + 1), last):
        try:
            return msgspec.msgpack.decode(header[:end], type=_Header)
        except msgspec.DecodeError:  # too short
            continue
    return msgspec.msgpack.decode(header, type=_Header)


class Section:
    """One section of a mapped file. `start` is its offset in `content`, `size` its length, both in bytes."""

    __slots__ = ("_sums", "_unchecked", "content", "entry", "is_whole", "path", "size", "start")

    def __init__(self, path: Path, content: mmap.mmap, base: int, entry: Entry) -> None:
        self.path = path
        self.content = content
        self.entry = entry
        self.start = base + entry.offset
        self.size = entry.count * ITEM_BYTES[entry.dtype]
        self._sums = entry.sums
        self._unchecked = bytearray(b"\x01") * (len(entry.sums) // 4)
        self.is_whole = not self.size
        """Whether all of it has been checked."""

    def check(self, first: int, last: int) -> None:
        """Checks the bytes from `first` up to `last` of the section, unless they were checked before.

        Raises `DamagedStoreError` where they are damaged or outside the section.
        """
        if not 0 <= first <= last <= self.size:
            raise damaged(self.path, f"{self.entry.name} has {self.size} bytes, not {first} to {last}")
        if self.is_whole:
            return
        for block in range(first >> _SHIFT, (last + BLOCK - 1) >> _SHIFT):
            if self._unchecked[block]:
                at = self.start + (block << _SHIFT)
                content = self.content[at : min(at + BLOCK, self.start + _aligned(self.size))]
                if zlib.crc32(content) != int.from_bytes(self._sums[4 * block : 4 * block + 4], "little"):
                    raise damaged(self.path, f"{self.entry.name} is not what was written")
                self._unchecked[block] = 0
        self.is_whole = 1 not in self._unchecked

    def all(self) -> bytes:
        """The whole section."""
        self.check(0, self.size)
        return self.content[self.start : self.start + self.size]


# Implements REQ-SEC-015.
class SectionFile:
    """A mapped file of sections; opening reads only the header. Thread-safe.

    Raises `DamagedStoreError` where `path` is missing, truncated or of another kind.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with rooted.open_read(path.parent, path.name) as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError, UnsafePathError) as error:  # ValueError: an empty file cannot be mapped
            raise damaged(path, str(error)) from error
        prefix = self._map[:_PREFIX]
        length = int.from_bytes(prefix[12:16], "little")
        header = self._map[_PREFIX : _PREFIX + length]
        self._sum = zlib.crc32(header)
        if prefix[:8] != _MAGIC or self._sum != int.from_bytes(prefix[8:12], "little"):
            raise damaged(path, "the header is not one of loregraph's")
        try:
            self._header = _unpadded(header)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise damaged(path, f"the header cannot be read: {error}") from error
        self._base = _PREFIX + length
        if len(self._map) != self._base + self._header.size:
            raise damaged(path, "it is cut short")
        self._entries = {entry.name: entry for entry in self._header.entries}
        if not all(map(self._is_within, self._header.entries)):
            raise damaged(path, "the header names what the file has not")
        self._sections: dict[str, Section] = {}

    @property
    def mark(self) -> Mark:
        """A mark that covers the file's whole content."""
        return Mark(len(self._map), self._sum)

    @property
    def meta(self) -> dict[str, Any]:
        """The metadata that the writer added."""
        return self._header.meta

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all sections, in the order they were written."""
        return tuple(self._entries)

    def section(self, name: str) -> Section:
        """The section `name`. Raises `DamagedStoreError` where there is none."""
        found = self._sections.get(name)
        if found is None:
            if name not in self._entries:
                raise damaged(self.path, f"{name} is not there")
            found = self._sections.setdefault(name, Section(self.path, self._map, self._base, self._entries[name]))
        return found

    def check(self) -> None:
        """Checks everything, at about 2 GB/s. Raises `DamagedStoreError`."""
        for name in self.names:
            section = self.section(name)
            section.check(0, section.size)

    def _is_within(self, entry: Entry) -> bool:
        size = entry.count * ITEM_BYTES.get(entry.dtype, -1)
        return (
            entry.dtype in ITEM_BYTES
            and entry.count >= 0
            and entry.offset >= 0
            and entry.offset % _ALIGNMENT == 0
            and entry.offset + _aligned(size) <= self._header.size
            and len(entry.sums) == 4 * ((size + BLOCK - 1) >> _SHIFT)
        )


def _aligned(size: int) -> int:
    return size + -size % _ALIGNMENT


def damaged(path: Path, what: str) -> DamagedStoreError:
    return DamagedStoreError(
        f"the store is damaged: {path}: {what}", "run `loregraph index`: it is built again from the sources"
    )
