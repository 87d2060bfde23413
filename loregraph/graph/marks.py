"""Detects changed files by size and content, never by time stamp, which damage may leave unchanged and a copy
changes."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import UnsafePathError

_CHUNK: Final = 1 << 20


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """The mark of a file: size in bytes, and CRC-32 of the content or, for a file of sections, of the header with the
    sections' checksums."""

    size: int
    crc: int


def mark(path: Path) -> Mark:
    """The mark of a file's present content; reads all of it (about 2 GB/s)."""
    return Mark(rooted.status(path.parent, path.name).st_size, _crc(path))


def is_unchanged(path: Path, known: Mark) -> bool:
    """Whether a file still has the content of the mark `known`; reads all of it."""
    try:
        return rooted.status(path.parent, path.name).st_size == known.size and _crc(path) == known.crc
    except (OSError, UnsafePathError):
        return False


def _crc(path: Path) -> int:
    crc = 0
    with rooted.open_read(path.parent, path.name) as file:
        while chunk := file.read(_CHUNK):
            crc = zlib.crc32(chunk, crc)
    return crc
