"""Whether a file is still what was written: by its size and content, never by its time stamp, which damage may keep and
a copy changes."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import UnsafePathError

_CHUNK: Final = 1 << 20


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a file: size in bytes, CRC-32 of the content or, of a file of sections, of the header that has
    the sums of the rest."""

    size: int
    crc: int


def mark(path: Path) -> Mark:
    """The mark of a file as it is now; reads all of it (about 2 GB/s)."""
    return Mark(rooted.status(path.parent, path.name).st_size, _crc(path))


def is_unchanged(path: Path, known: Mark) -> bool:
    """Whether a file has the content that `known` was made of; reads all of it."""
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
