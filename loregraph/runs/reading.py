"""Opening files of runs: their identity, their lines in bounded memory, and one error for what is wrong with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from loregraph.errors import RunFileError
from loregraph.runs.record import Source

MOST_BYTES: Final = 4_000_000_000
"""Size of a file that is read as a stream."""
MOST_BYTES_AT_ONCE: Final = 512_000_000
"""Size of a file that has to be in memory, as JSON has."""
LONGEST_LINE: Final = 64_000
_BLOCK: Final = 1 << 20


def opened(path: Path, most: int = MOST_BYTES) -> BinaryIO:
    """A regular file of at most `most` bytes, for reading. Raises RunFileError for any other."""
    try:
        if not path.is_file():
            raise refused(path, "it is not there, or not a regular file", hint="name a file that a coverage tool wrote")
        size = path.stat().st_size
        if size > most:
            raise refused(
                path, f"it has {size:,} bytes, and at most {most:,} are read", hint="split the run that wrote it"
            )
        return path.open("rb")
    except OSError as error:
        raise refused(path, f"it cannot be read: {error.strerror}", hint="name a file that can be") from error


def source(path: Path, format: str, *, most: int = MOST_BYTES, **said: Any) -> Source:
    """The identity of the run in `path`: its name, never its folder, and its hash (BLAKE2b of 16 bytes)."""
    digest = hashlib.blake2b(digest_size=16)
    with opened(path, most) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return Source(format=format, file=path.name, content_hash=digest.hexdigest(), **said)


def whole(path: Path) -> bytes:
    """All bytes of a file. Raises RunFileError where they are too many."""
    with opened(path, MOST_BYTES_AT_ONCE) as file:
        return file.read()


def lines_of(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """The lines of a file in lists of some ten thousands, each with the number of its first line.

    Line ends are LF, of which the caller removes a CR. Raises RunFileError for a line longer than `LONGEST_LINE`.
    """
    number, rest = 1, b""
    with opened(path) as file:
        while block := file.read(_BLOCK):
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            if lines:
                if len(max(lines, key=len)) > LONGEST_LINE:
                    long = next(place for place, line in enumerate(lines) if len(line) > LONGEST_LINE)
                    raise refused(path, f"a line of more than {LONGEST_LINE:,} bytes", number + long)
                yield number, lines
                number += len(lines)
            if len(rest) > LONGEST_LINE:
                raise refused(path, f"a line of more than {LONGEST_LINE:,} bytes", number)
    if rest:
        yield number, [rest]


def refused(path: Path, why: str, line: int = 0, *, hint: str = "") -> RunFileError:
    """The error for a file that is not what it should be, with the line where that shows."""
    where = f"{path.name}, line {line}" if line else path.name
    return RunFileError(
        f"{where}: {why}", hint or "write it again with the tool that made it, or name its format with --format"
    )
