"""V8's own coverage (`NODE_V8_COVERAGE`, c8's and Playwright's raw files): ranges of offsets with counts, which need
the text of the measured script to become lines.

Lines are counted as v8-to-istanbul does it: a range gives its count to the lines that lie within it, later (inner) ones
over earlier ones. Scripts made from others (with a source map in the file) are left out: their offsets are of what was
made; `c8 --reporter=lcov` writes the lines of the originals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import msgspec

from loregraph.runs import lines as line_sets
from loregraph.runs import reading
from loregraph.runs.record import Covered, Fact, FunctionHit, LeftOut, TextOf

FORMAT: Final = "v8"
MADE = "scripts made from other sources: their lines need a source map (write LCOV with `c8 --reporter=lcov`)"
OTHER_TEXT = "scripts whose text is another than the one that was measured"


def recognises(head: bytes, name: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"result"' in head and b'"scriptId"' in head


class _Range(msgspec.Struct, rename="camel"):
    start_offset: int
    end_offset: int
    count: int


class _Function(msgspec.Struct, rename="camel"):
    function_name: str
    ranges: list[_Range]


class _Script(msgspec.Struct):
    url: str
    functions: list[_Function]


class _Report(msgspec.Struct):
    result: list[_Script]
    maps: dict[str, Any] = msgspec.field(default_factory=dict, name="source-map-cache")
    timestamp: float = 0.0


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    yield reading.source(path, FORMAT, most=reading.MOST_BYTES_AT_ONCE)
    data = reading.whole(path)
    try:
        report = msgspec.json.decode(data, type=_Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise reading.refused(path, f"not coverage of V8: {str(error).splitlines()[0][:200]}") from error
    made = other = 0
    for script in report.result:
        name = _path(script.url)
        if not name:
            continue
        if script.url in report.maps:
            made += 1
            continue
        text = text_of(name)
        if text is None:
            yield Covered(test="", paths=(name,), executed=0, measured=0)
            continue
        covered = _covered(name, script, text)
        if covered is None:
            other += 1
        else:
            yield covered
    yield from (LeftOut(why, count) for why, count in ((MADE, made), (OTHER_TEXT, other)) if count)


def _path(url: str) -> str:
    """The path of a file: URL; "" for what is no file, such as node's own modules."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme == "file":
        return unquote(parts.path)
    return url if parts.scheme == "" and url.startswith("/") else ""


def _covered(name: str, script: _Script, text: str) -> Covered | None:
    """None where the ranges do not fit the text: the whole script is the first range of the first function."""
    starts = _line_starts(text)
    length = starts.pop()
    if len(starts) > 1 and starts[-1] == length:
        starts.pop()  # no line begins after the last line end
    ends = [(starts[place + 1] - 1) if place + 1 < len(starts) else length for place in range(len(starts))]
    every = [one for function in script.functions for one in function.ranges]
    if (
        not every
        or len(starts) > line_sets.MOST_LINES
        or max(one.end_offset for one in every) not in (length, length - 1)
    ):
        return None
    executed = 0
    for one in every:
        # The lines that begin at or after the range's start and end at or before its end.
        first, after = bisect_left(starts, one.start_offset), bisect_right(ends, one.end_offset)
        span = line_sets.between(first + 1, after)
        executed = executed | span if one.count > 0 else executed & ~span
    functions = tuple(
        FunctionHit(
            bisect_right(starts, function.ranges[0].start_offset), function.function_name, function.ranges[0].count
        )
        for function in script.functions
        if function.ranges and function.ranges[0].start_offset > 0
    )
    measured = line_sets.between(1, len(starts))
    return Covered(test="", paths=(name,), executed=executed, measured=measured, functions=functions, by_range=True)


def _line_starts(text: str) -> list[int]:
    """The offset of each line's first character, and at last the text's length, in UTF-16's units."""
    *lines, last = text.split("\n")
    return list(accumulate((*(_units(line) + 1 for line in lines), _units(last)), initial=0))


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
