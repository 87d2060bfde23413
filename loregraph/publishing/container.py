"""The file that an archive is: a gzipped tar of a few members in a fixed order, named by the SHA-256 of what is in it.

The same content gives the same tar, byte for byte: no times, owners or modes of a machine are in it. The name is that
of the tar, not of its gzip, so another version of zlib gives no other name. `tar -xzf` reads it.

Reading trusts nothing. A member's header has to be the very bytes that writing would make for that name and size, so
there are no links, devices, folders, paths, long names or extensions of the format to interpret; names have to be in
the list of those expected, each once, in order. Sizes are those that the manifest declared, and inflating stops there.

zlib at its lowest level, by measurement on Django: half of an archive is facts that were deflated one by one. Level 1
makes 46.7 MB of 68 in 0.9 s, level 6 46.0 MB in 1.6 s, LZMA 43.4 MB in 9.8 s, and 1.4 s to read in place of 0.2.
"""

from __future__ import annotations

import hashlib
import tarfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from loregraph import rooted
from loregraph.errors import DamagedArchiveError, LimitExceededError

MOST_BYTES: Final = 8 << 30
"""Maximum bytes of an archive's content: those of a member that tar's oldest form can describe, and 100 Djangos."""
MOST_RATIO: Final = 64
"""Maximum of content to compressed bytes. Ours is 1.5, up to 10 in small projects; deflate can reach 1,032."""
_FEW: Final = 64 << 10
"""Bytes by which content may exceed the ratio: zeros of tar's blocks."""
_LEVEL: Final = 1
_BLOCK: Final = 512
_CHUNK: Final = 1 << 20
_GZIP: Final = 31
"""zlib's window bits for gzip's header and checksum around the data."""
_AGAIN: Final = "publish it again (`loregraph publish --again`), or index without it"


def pack(members: Iterable[Path], target: BinaryIO) -> tuple[str, int, int]:
    """Writes the files `members`, by their names, to `target`; returns the SHA-256 of the content in hex, and the
    numbers of bytes of content and of those written. Raises LimitExceededError where it would not be read again."""
    digest = hashlib.sha256()
    deflater = zlib.compressobj(_LEVEL, wbits=_GZIP)
    size = written = 0

    def add(piece: bytes) -> None:
        nonlocal size, written
        digest.update(piece)
        size += len(piece)
        written += target.write(deflater.compress(piece))

    for path in members:
        with rooted.open_read(path.parent, path.name) as file:
            length = file.seek(0, 2)
            file.seek(0)
            if size + length > MOST_BYTES - _CHUNK:
                raise _too_large()
            add(_header(path.name, length))
            while piece := file.read(_CHUNK):
                add(piece)
            add(bytes(-length % _BLOCK))
    add(bytes(2 * _BLOCK))
    written += target.write(deflater.flush())
    if size > most_content(written):
        raise _too_large()
    return digest.hexdigest(), size, written


def most_content(written: int) -> int:
    """Maximum bytes of content of an archive of so many bytes."""
    return min(MOST_BYTES, written * MOST_RATIO + _FEW)


def _too_large() -> LimitExceededError:
    return LimitExceededError(
        f"the graph is too large to be published: archives of more than {MOST_BYTES:,} bytes of content, or of more "
        f"than {MOST_RATIO} times their own, are not read",
        "index less: exclude what is not the project's own code",
    )


def unpack(
    source: BinaryIO, digest: str, size: int, names: Sequence[str], create: Callable[[str], BinaryIO]
) -> list[str]:
    """Writes the members of the archive `source`, of `size` bytes of content with that SHA-256, to the files that
    `create` makes; returns their names. `names` are all that may occur, in order.

    Raises DamagedArchiveError for anything else than what `pack` writes; then what `create` made is worthless.
    """
    content = _Content(source, size)
    found: list[str] = []
    allowed = iter(names)
    while (header := content.read(_BLOCK)) != bytes(_BLOCK):
        name, length = _described(header)
        if name not in allowed:  # takes the names before it out of the iterator
            raise damaged(f"it has {name!a}, which belongs to no archive or not there")
        with create(name) as file:
            left = length
            while left:
                piece = content.read(min(left, _CHUNK))
                file.write(piece)
                left -= len(piece)
        if any(content.read(-length % _BLOCK)):
            raise damaged("there is something between its members")
        found.append(name)
    if any(content.read(_BLOCK)):
        raise damaged("its end is not one")
    content.finish(digest)
    return found


def damaged(what: str) -> DamagedArchiveError:
    return DamagedArchiveError(f"the published archive is not used: {what}", _AGAIN)


def _header(name: str, length: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size = length
    return member.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict")


def _described(header: bytes) -> tuple[str, int]:
    """(name, size) of the member that a header describes, if it is one of ours."""
    try:
        name = header[:100].rstrip(b"\0").decode("ascii")
        length = int(header[124:135], 8)
        if _header(name, length) == header:
            return name, length
    except ValueError:
        pass
    raise damaged("a member's header is not one that loregraph writes")


class _Content:
    """The inflated bytes of an archive, of which there have to be `size`."""

    def __init__(self, source: BinaryIO, size: int) -> None:
        self._source = source
        self._size = self._left = size
        self._inflater = zlib.decompressobj(wbits=_GZIP)
        self._digest = hashlib.sha256()
        self._ready = b""

    def read(self, length: int) -> bytes:
        """Exactly so many bytes."""
        if length > self._left:
            raise damaged(f"it has more than the {self._size:,} bytes that it should have")
        pieces = []
        wanted = length
        while wanted:
            if not self._ready:
                self._ready = self._more()
            piece, self._ready = self._ready[:wanted], self._ready[wanted:]
            pieces.append(piece)
            wanted -= len(piece)
        content = b"".join(pieces)
        self._digest.update(content)
        self._left -= length
        return content

    def _more(self) -> bytes:
        """The next bytes, at least one and at most a chunk."""
        while not self._inflater.eof:
            given = self._inflater.unconsumed_tail or self._source.read(_CHUNK)
            try:
                if piece := self._inflater.decompress(given, _CHUNK):
                    return piece
            except zlib.error as error:
                raise damaged(f"it cannot be inflated ({error})") from None
            if not given:
                break
        raise damaged("it is cut short")

    def finish(self, digest: str) -> None:
        """Raises DamagedArchiveError unless all was read, was what `digest` is of, and nothing follows."""
        if self._left or self._ready:
            raise damaged(f"it has other than the {self._size:,} bytes that it should have")
        while not self._inflater.eof:  # gzip's own checksum
            given = self._inflater.unconsumed_tail or self._source.read(_CHUNK)
            try:
                if self._inflater.decompress(given, 1):
                    raise damaged("something follows its end")
            except zlib.error as error:
                raise damaged(f"it cannot be inflated ({error})") from None
            if not given and not self._inflater.eof:
                raise damaged("it is cut short")
        if self._inflater.unused_data or self._source.read(1):
            raise damaged("something follows its end")
        if self._digest.hexdigest() != digest:
            raise damaged("its content is not what its name says (SHA-256)")
