"""What fuzzing needs whoever drives it, the suite or `benchmarks/fuzz.py`: edits of a seed, and a watch on the reader.

A reader is a function of bytes and a folder that gives back what it read. It may raise LoregraphError, and nothing
else; it writes below its folder alone, starts nothing, connects to nothing, and what it gives back is bounded by what
it was given. Knows no test framework.
"""

# ruff: noqa: E501 - a table of pieces

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.errors import LoregraphError

MAX_INPUT: Final = 20_000
"""Bytes of an edited seed."""
FIXED: Final = 200_000
"""Size that any answer may have, however small its input: tables that are always there."""
FACTOR: Final = 2_000
"""Size of an answer for each byte of its input, at most."""

Edit = tuple[int, int, int, int]
"""Which edit, where (taken modulo the length), how many bytes, which piece of a dictionary."""

PIECES: Final = (
    b"", b"\0", b"\r", b"\r\n", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\x1b[31m",
    b"\xc2\x85", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b'"', b"'",
    b"`", b"\\", b"\\\\", b"/", b"//", b"/*", b"*/", b"#", b"--", b"---\n", b"...\n", b":", b";", b",", b".", b"..",
    b"../", b"../../../../etc/passwd", b"/etc/passwd", b"C:\\", b"*", b"**", b"&a", b"*a", b"!", b"!!", b"@", b"$", b"%",
    b"%n", b"^", b"|", b"~", b"?", b"=", b"==", b"=>", b"0", b"-1", b"1e999", b"NaN", b"-Infinity", b"9" * 5_000,
    b"1" * 400, b"4294967295", b"18446744073709551616", b"null", b"true", b"false", b"[" * 2_000, b"{" * 500, b"(" * 2_000,
    b"<a>" * 500, b'{"a":' * 2_000, b"- " * 500, b"> " * 500, b" " * 3_000, b"\t", b"A" * 3_000, b"\xc3\xa9", b"\xce\xa3",
    b"\xc4\xb0", b"REQ-1", b"REQ-ABC-001", b"REQ-1..REQ-99999999", b"ADR 1", b"@implements REQ-1", b'"\\ud800"', b"\\u0000",
    b"__proto__", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&#x0;", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"${x}", b"$(touch x)",
)  # fmt: skip
KINDS: Final = 9


def applied(seed: bytes, edits: Sequence[Edit], others: Sequence[bytes] = ()) -> bytes:
    """`seed` after `edits`, in order: bytes put in, taken out, overwritten, doubled, moved; lines too; other seeds."""
    data = bytearray(seed[:MAX_INPUT])
    for kind, place, count, piece in edits:
        at, size = place % (len(data) + 1), count % 64 + 1
        word = PIECES[piece % len(PIECES)]
        if kind % KINDS == 0:
            data[at:at] = word
        elif kind % KINDS == 1:
            del data[at : at + size]
        elif kind % KINDS == 2:
            data[at : at + len(word)] = word
        elif kind % KINDS == 3:
            data[at : at + 1] = bytes([piece % 256])
        elif kind % KINDS == 4:
            data[at:at] = data[at : at + size] * (piece % 40 + 1)
        elif kind % KINDS == 5:
            end = data.find(b"\n", at) + 1 or len(data)
            line = bytes(data[data.rfind(b"\n", 0, at) + 1 : end])
            other = piece % (len(data) + 1)
            data[other:other] = line
        elif kind % KINDS == 6:
            end = data.find(b"\n", at) + 1 or len(data)
            del data[data.rfind(b"\n", 0, at) + 1 : end]
        elif kind % KINDS == 7:
            del data[at:]
        elif others:
            other_seed = others[piece % len(others)]
            start = count % (len(other_seed) + 1)
            data[at:at] = other_seed[start : start + 400]
        del data[MAX_INPUT:]
    return bytes(data)


def drawn(chance: random.Random, most: int = 6) -> list[Edit]:
    return [
        (chance.randrange(KINDS), chance.randrange(1 << 20), chance.randrange(1 << 12), chance.randrange(1 << 12))
        for _ in range(chance.randint(1, most))
    ]


@dataclass(frozen=True)
class Reader:
    """Something that reads what others wrote.

    `read` gives back anything whose representation tells how much was read. `seeds` are made once.
    """

    name: str
    area: str
    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[bytes, Path], Any]


class OutsideError(AssertionError):
    """A reader wrote outside its folder, started a program, or connected to something."""


# What is watched, by the interpreter's own audit events: a hook cannot be taken away, so it is put in once.

_watch = threading.local()
_CHANGES: Final = {
    "os.remove": 1, "os.rename": 2, "os.mkdir": 1, "os.rmdir": 1, "os.link": 2, "os.symlink": 2, "os.truncate": 1,
    "os.chmod": 1, "os.chown": 1, "os.utime": 1, "shutil.rmtree": 1, "shutil.move": 2, "shutil.copyfile": 2,
}  # fmt: skip
_NEVER: Final = frozenset(
    "subprocess.Popen os.system os.exec os.posix_spawn os.fork os.startfile socket.connect socket.bind "
    "socket.getaddrinfo webbrowser.open urllib.Request".split()
)
_hooks: Final[list[object]] = []


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    folder = getattr(_watch, "folder", None)
    if folder is None:
        return
    if event in _NEVER:
        raise OutsideError(f"{event} {arguments!r}"[:300])
    if event == "open":
        path, mode, flags = (*arguments, None, None)[:3]
        writes = isinstance(mode, str) and any(letter in mode for letter in "wax+")
        writes = writes or (
            isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
        )
        # Relative to a folder that is held open, which the event does not name: see the tests of what writes so.
        relative = mode is None and isinstance(path, (str, bytes)) and not Path(os.fsdecode(path)).is_absolute()
        if writes and isinstance(path, (str, bytes)) and not relative:
            _require_inside(event, path, folder)
    elif event in _CHANGES and (event == "os.truncate" or not isinstance(arguments[-1], int) or arguments[-1] < 0):
        for path in arguments[: _CHANGES[event]]:
            if isinstance(path, (str, bytes, os.PathLike)):
                _require_inside(event, path, folder)


def _require_inside(event: str, path: Any, folder: str) -> None:
    text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - a link is no way out
    # An import within a reader may write what it compiled.
    if not text.startswith((folder, os.devnull)) and "__pycache__" not in text:
        raise OutsideError(f"{event} {text!r}"[:300])


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """While this lasts, this thread may write below `folder` alone."""
    if not _hooks:
        sys.addaudithook(_audit)
        _hooks.append(_audit)
    tempfile.gettempdir()  # tries whether it can write, once
    _watch.folder = str(folder.absolute())
    try:
        yield
    finally:
        _watch.folder = None


def tried(reader: Reader, data: bytes, folder: Path) -> None:
    """Reads `data`. Raises what a reader must not raise, OutsideError, and AssertionError for an answer too large."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)  # a reader's own scratch files are no writes outside
    try:
        with watched(folder):
            found = reader.read(data, folder)
    except LoregraphError as error:
        found = (error.message, error.suggestion)
    finally:
        tempfile.tempdir = before
    size = size_of(found)
    assert size <= FIXED + FACTOR * len(data), f"{reader.name}: an answer of {size:,} for {len(data):,} bytes"


def size_of(found: Any) -> int:
    """How much an answer is: the length of its text."""
    if found is None or isinstance(found, (bool, int, float)):
        return 1
    if isinstance(found, (str, bytes)):
        return len(found)
    if isinstance(found, dict):
        return sum(size_of(key) + size_of(value) for key, value in found.items())
    if isinstance(found, (list, tuple, set, frozenset)):
        return sum(map(size_of, found))
    if isinstance(found, msgspec.Struct):
        return sum(size_of(getattr(found, name)) for name in found.__struct_fields__)
    return len(repr(found))
