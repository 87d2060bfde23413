"""Go's cover profiles (`go test -coverprofile`): a line a block of statements, in the form of `cmd/cover`:
`import/path/file.go:start.column,end.column statements count`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from loregraph.runs import lines as line_sets
from loregraph.runs import reading
from loregraph.runs.record import Covered, Fact, TextOf

FORMAT: Final = "gocover"
_BLOCK: Final = re.compile(rb"(.+):(\d{1,7})\.\d{1,9},(\d{1,7})\.\d{1,9} \d{1,9} (\d{1,20})\r?")


def recognises(head: bytes, name: str) -> bool:
    return head.startswith((b"mode: set", b"mode: count", b"mode: atomic"))


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    """Blocks hold bodies only, so the line of a `func` counts when the body ran."""
    yield reading.source(path, FORMAT, headers_run=False)
    name, executed, measured, number = b"", 0, 0, 0
    for first, lines in reading.lines_of(path):
        for number, line in enumerate(lines, first):
            if number == 1:
                if not recognises(line, ""):
                    raise reading.refused(path, "it does not begin with `mode: set`, `count` or `atomic`", 1)
                continue
            block = _BLOCK.fullmatch(line)
            if block is None:
                if line.strip():
                    raise reading.refused(path, f"{line[:60].decode('utf-8', 'replace')!r} is no block of code", number)
                continue
            start, end = int(block[2]), int(block[3])
            if not 0 < start <= end <= line_sets.MOST_LINES:
                raise reading.refused(path, f"lines {start} to {end} are no block", number)
            if block[1] != name:
                if measured:
                    yield _covered(name, executed, measured)
                name, executed, measured = block[1], 0, 0
            span = line_sets.between(start, end)
            measured |= span
            if int(block[4]):
                executed |= span
    if not number:
        raise reading.refused(path, "it is empty")
    if measured:
        yield _covered(name, executed, measured)


def _covered(name: bytes, executed: int, measured: int) -> Covered:
    return Covered(
        test="", paths=(name.decode("utf-8", "replace"),), executed=executed, measured=measured, by_range=True
    )
