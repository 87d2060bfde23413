"""Reads source files: any bytes on disk → UTF-8 for the parser, or the reason why not."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import stat
from pathlib import Path
from typing import Final

from loregraph.indexer.facts import Problem

ARCHIVE: Final = ".reqifz"
"""Extension of the only binary format."""
BINARY_SNIFF_BYTES: Final = 8_000
"""A NUL among this many first bytes makes a file binary: git's rule."""

_BOMS: Final = (
    # UTF-32's little-endian mark begins with UTF-16's: longest first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NULS: Final = "NUL bytes in the text; read as spaces"
_REPLACED: Final = "bytes that are not UTF-8; replaced"
_WINDOWS: Final = "bytes that are not UTF-8; read as Windows-1252"
_WIDE: Final = "not valid {}; what could not be read is replaced"
REMARKS: Final = frozenset({_NULS, _REPLACED, _WINDOWS, *(_WIDE.format(encoding) for _, encoding in _BOMS)})
"""Messages of problems that depend on a file's bytes, not on the text that its hash is of: two files of one text may
differ in them."""
_LONE_CR = re.compile(rb"\r(?!\n)")
_CODING = re.compile(rb"^[ \t\f]*(?:#|//|--).*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
"""PEP 263's cookie, which Ruby shares."""


def content_hash(raw: bytes) -> str:
    """32 hex digits of BLAKE2b: decides whether a file has changed."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


# Implements REQ-IDX-008.
def read_source(path: str | Path, max_bytes: int) -> tuple[bytes | None, tuple[Problem, ...]]:
    """The text of a file as UTF-8, and its problems.

    None where the file cannot be used: not a regular file, unreadable, over `max_bytes`, binary. A byte order mark is
    removed, UTF-16 and UTF-32 are converted, line ends are LF or CRLF. Never raises because of the disk's state.
    """
    raw, problems = read_archive(path, max_bytes)
    return (None, problems) if raw is None else normalise(raw)


def read_archive(path: str | Path, max_bytes: int) -> tuple[bytes | None, tuple[Problem, ...]]:
    """The bytes of a binary file, and its problems; otherwise like `read_source`."""
    try:
        raw = _read(path, max_bytes)
    except OSError as error:
        return None, (Problem(0, f"cannot be read: {error.strerror or error}"),)
    return (None, (raw,)) if isinstance(raw, Problem) else (raw, ())


def _read(path: str | Path, max_bytes: int) -> bytes | Problem:
    # O_NONBLOCK: opening a FIFO without a writer would block forever. O_NOFOLLOW: a file replaced by a link since it
    # was discovered may lead outside the project.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Problem(0, "not a regular file")
        if status.st_size > max_bytes:
            return Problem(0, f"too large: {status.st_size} bytes (max_file_bytes is {max_bytes})")
        chunks = []
        left = max_bytes + 1
        while left > 0 and (chunk := os.read(descriptor, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        if left <= 0:
            return Problem(0, f"too large: it grew past {max_bytes} bytes while it was read")
        return b"".join(chunks)
    finally:
        os.close(descriptor)


# Implements REQ-GRA-006.
def normalise(raw: bytes) -> tuple[bytes | None, tuple[Problem, ...]]:
    """The bytes of a file as UTF-8, and its problems. None where they are not text. See `read_source`."""
    text, problems = _to_utf8(raw)
    if text is None:
        return None, problems
    if b"\0" in text:
        line = text.count(b"\n", 0, text.index(b"\0")) + 1
        problems = (*problems, Problem(line, _NULS))
        text = text.replace(b"\0", b" ")
    if b"\r" in text:
        text = _LONE_CR.sub(b"\n", text)
    return text, problems


def _to_utf8(raw: bytes) -> tuple[bytes | None, tuple[Problem, ...]]:
    if raw.startswith(codecs.BOM_UTF8):
        raw = raw[len(codecs.BOM_UTF8) :]
    else:
        for mark, encoding in _BOMS:
            if raw.startswith(mark):
                return _from_wide(raw[len(mark) :], encoding)
    if b"\0" in raw[:BINARY_SNIFF_BYTES]:
        unmarked = _unmarked_utf16(raw)
        return _from_wide(raw, unmarked) if unmarked else (None, (Problem(0, "binary file"),))
    if raw.isascii():
        return raw, ()
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return _from_bytes(raw, error.start)
    return raw, ()


def _from_wide(raw: bytes, encoding: str) -> tuple[bytes, tuple[Problem, ...]]:
    try:
        return raw.decode(encoding).encode("utf-8"), ()
    except UnicodeError:
        text = raw.decode(encoding, "replace").encode("utf-8", "replace")
        return text, (Problem(0, _WIDE.format(encoding)),)


def _unmarked_utf16(raw: bytes) -> str | None:
    """UTF-16 without a mark, recognised by Latin text having a NUL in every other byte and none in between."""
    head = raw[: BINARY_SNIFF_BYTES & ~1]
    even, odd = head[0::2], head[1::2]
    if not odd:
        return None
    nuls_even, nuls_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if nuls_odd > 0.7 and nuls_even == 0:
        return "utf-16-le"
    if nuls_even > 0.7 and nuls_odd == 0:
        return "utf-16-be"
    return None


def _from_bytes(raw: bytes, first_bad: int) -> tuple[bytes, tuple[Problem, ...]]:
    """Text that is not UTF-8, decoded by its declared encoding; as Windows-1252 where nothing in it is valid UTF-8;
    else as UTF-8 with U+FFFD for invalid bytes."""
    line = raw.count(b"\n", 0, first_bad) + 1
    for declaration in raw[:500].splitlines()[:2]:
        match = _CODING.match(declaration)
        if match is not None:
            declared = _decode_as(raw, match[1].decode("ascii"))
            if declared is not None:
                return declared, ()
    text = raw.decode("utf-8", "replace")
    if any(character > "\x7f" and character != "\ufffd" for character in text):
        return text.encode("utf-8"), (Problem(line, _REPLACED),)
    single = raw.decode("cp1252", "replace").encode("utf-8")
    return single, (Problem(line, _WINDOWS),)


_NOT_FOR_FILES: Final = frozenset(
    {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
)
"""Codecs that no source file uses; some take quadratic time."""


def _decode_as(raw: bytes, encoding: str) -> bytes | None:
    try:
        if codecs.lookup(encoding).name.replace("_", "-") in _NOT_FOR_FILES:
            return None
        text = raw.decode(encoding)
    except (LookupError, UnicodeError):
        # LookupError also for codecs that are not text (rot13, zlib): those are never decoded.
        return None
    return text.encode("utf-8", "replace")
