"""Istanbul's JSON (`coverage-final.json` of nyc, Jest and Vitest, `.nyc_output/*.json`): for each file the places of
its statements and functions and how often each ran.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.runs import reading
from loregraph.runs.lines import LineSet
from loregraph.runs.record import Covered, Fact, FunctionHit, TextOf

FORMAT: Final = "istanbul"


def recognises(head: bytes, name: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"statementMap"' in head


class _Position(msgspec.Struct):
    line: int | None = None


class _Location(msgspec.Struct):
    start: _Position = msgspec.field(default_factory=_Position)


class _Function(msgspec.Struct):
    name: str = ""
    line: int | None = None
    decl: _Location = msgspec.field(default_factory=_Location)
    loc: _Location = msgspec.field(default_factory=_Location)


class _File(msgspec.Struct, rename={"statements": "statementMap", "functions": "fnMap"}):
    path: str = ""
    statements: dict[str, _Location] = {}
    functions: dict[str, _Function] = {}
    s: dict[str, int] = {}
    f: dict[str, int] = {}


class _Wrapped(msgspec.Struct):
    """Old versions write a file's object in one of `data`."""

    data: _File


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    """A statement counts in the line where it begins, as in Istanbul's own reports."""
    yield reading.source(path, FORMAT, most=reading.MOST_BYTES_AT_ONCE)
    data = reading.whole(path)
    try:
        files = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise reading.refused(path, f"not JSON that can be read: {_where(error)}") from error
    for name, raw in files.items():
        try:
            yield _covered(name, _decoded(raw))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            line = data.count(b"\n", 0, data.find(bytes(raw)[:2_000])) + 1
            raise reading.refused(
                path, f"the record of {name[:200]!r} is not Istanbul's: {_where(error)}", line
            ) from error


def _decoded(raw: msgspec.Raw) -> _File:
    try:
        wrapped: Any = msgspec.json.decode(raw, type=_Wrapped)
        return wrapped.data  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return msgspec.json.decode(raw, type=_File)


def _covered(name: str, file: _File) -> Covered:
    executed, measured = LineSet(), LineSet()
    for key, place in file.statements.items():
        if place.start.line:
            measured.add(place.start.line)
            if file.s.get(key, 0) > 0:
                executed.add(place.start.line)
    functions = []
    for key, function in file.functions.items():
        line = function.decl.start.line or function.line or function.loc.start.line
        if line:
            own = "" if function.name.startswith("(") else function.name
            functions.append(FunctionHit(line, own, file.f.get(key, 0)))
    return Covered(
        test="",
        paths=(file.path or name,),
        executed=executed.lines,
        measured=measured.lines,
        functions=tuple(functions),
    )


def _where(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
