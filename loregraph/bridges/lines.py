"""Reads lines from a pipe with a maximum length: longer lines are skipped without being held in memory.

Lines are untrusted. They may have any length or no end, and be invalid UTF-8; and a character within a line may be
white space to one reader and a line end to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

MAX_LINE: Final = 16 << 20
"""Maximum bytes of a line, in both directions. Parsed, such a line may take thirty times as much."""
SHOWN: Final = 300
"""Characters of a line shown in an error or a log."""

_END: Final = 4096
"""Bytes at either end of a line that is too long in which its id is searched for."""
_CHUNK: Final = 1 << 16
_BOM: Final = b"\xef\xbb\xbf"
_ID: Final = rb'"id"\s*:\s*(-?\d{1,20}(?![\d.eE])|"[^"\\]{0,200}")'
_BEFORE_ID: Final = rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*|"method"\s*:\s*"[^"\\]{0,200}"\s*,\s*){0,2}'
_FIRST_ID: Final = re.compile(_BEFORE_ID + _ID)
_LAST_ID: Final = re.compile(_ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


class TooLong(NamedTuple):
    """A skipped line: its length in bytes, and its two ends."""

    size: int
    head: bytes
    tail: bytes

    @property
    def id(self) -> bytes | None:
        """The message's own id, as JSON, if it comes before or after all long parts."""
        found = _FIRST_ID.match(self.head) or _LAST_ID.search(self.tail)
        return found[1] if found else None


Line = bytes | TooLong


# Implements REQ-SEC-019.
def lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[Line]:
    """The lines of `stream` with their ends. For one of more than `limit` bytes, its length and its ends."""
    while line := stream.readline(limit + 1):
        if len(line) <= limit or line.endswith(b"\n"):
            yield line
        else:
            yield _skipped(stream, line)


def _skipped(stream: BinaryIO, line: bytes) -> TooLong:
    size, head, tail = len(line), line[:_END], line[-_END:]
    del line
    while chunk := stream.readline(_CHUNK):
        size += len(chunk)
        tail = (tail + chunk)[-_END:]
        if chunk.endswith(b"\n"):
            break
    return TooLong(size, head, tail)


def cleaned(line: bytes) -> bytes:
    """An equivalent line that every reader takes for one line of UTF-8.

    Between tokens a carriage return is white space, and within a text it cannot occur; but a reader by lines, as in
    Python, ends one there and would take the rest, which may be crafted, for another message.
    """
    if line.startswith(_BOM):
        line = line[len(_BOM) :]
    if b"\r" in line:
        line = line.replace(b"\r", b" ")
    if line.isascii():
        return line
    try:
        line.decode()
    except UnicodeDecodeError:
        line = line.decode("utf-8", "replace").encode()
    # LINE SEPARATOR and PARAGRAPH SEPARATOR, which end a line for JavaScript readers.
    return line.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")


def shown(text: str | bytes, most: int = SHOWN) -> str:
    """The beginning of an untrusted text, on one line, escaped for terminals."""
    if isinstance(text, bytes):
        text = text[: 4 * most].decode("utf-8", "replace")
    text = text.strip()
    cut = text[:most]
    if not cut.isprintable():
        cut = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
    return f"{cut}…" if len(text) > most else cut
