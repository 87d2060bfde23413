"""What the pytest plugin wrote: a JSON value a line, see `loregraph.recording.sink`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from loregraph.analysis.tracing import junit
from loregraph.recording.calls import KINDS
from loregraph.runs import reading
from loregraph.runs.lines import MOST_LINES
from loregraph.runs.record import Call, Content, Fact, LeftOut, Observed, Outcome, Place, TextOf

FORMAT: Final = "observed"
_OUTCOMES: Final = (junit.PASSED, junit.FAILED, junit.SKIPPED)
_PHASES: Final = ("", "setup", "call", "teardown")
VERSION: Final = 1


def recognises(head: bytes, name: str) -> bool:
    return head.startswith(b'{"loregraph-run"')


class _Line(msgspec.Struct):
    """Any line of the file: each has the fields of one kind."""

    run: int = msgspec.field(default=0, name="loregraph-run")
    revision: str = ""
    time: float = 0.0
    file: tuple[str, str] | None = None
    place: tuple[int, str, int] | None = None
    test: str | None = None
    functions: list[int] = []
    calls: list[tuple[int, int, int, int]] = []
    stopped: list[int] = []
    outcome: str = ""
    seconds: float | None = None
    failed_when: str = ""
    left_out: tuple[str, int] | None = None


# A line of a test that ran everything is long: all functions of a project.
LONGEST_LINE: Final = 64_000_000


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    decoder = msgspec.json.Decoder(_Line)
    files: list[str] = []
    places: list[Place] = []
    number = 0
    with reading.opened(path) as file:
        while line := file.readline(LONGEST_LINE):
            number += 1
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("it is cut off")
                one = decoder.decode(line)
                if number == 1:
                    if one.run != VERSION:
                        raise ValueError("not a record of loregraph's pytest plugin, or of another version of it")
                    yield reading.source(path, FORMAT, revision=one.revision, time=one.time)
                elif one.file is not None:
                    files.append(one.file[0])
                    if one.file[1]:
                        yield Content(*one.file)
                elif one.place is not None:
                    in_file, name, first = one.place
                    places.append(Place(_at(files, in_file), name, first))
                elif one.left_out is not None:
                    yield LeftOut(*one.left_out)
                elif one.test is not None:
                    yield from _of_test(one, places)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
                raise reading.refused(path, str(error).splitlines()[0][:200], number) from error
    if not number:
        raise reading.refused(path, "it is empty")


def _of_test(one: _Line, places: list[Place]) -> Iterator[Fact]:
    test = one.test or ""
    if one.outcome:
        if one.outcome not in _OUTCOMES or one.failed_when not in _PHASES:
            raise ValueError("an outcome that is none")
        yield Outcome(test=test, outcome=one.outcome, seconds=one.seconds, failed_when=one.failed_when)
    if one.functions or one.calls:
        yield Observed(
            test=test,
            functions=tuple(_at(places, place) for place in one.functions),
            calls=tuple(
                Call(_at(places, caller), _at(places, callee), _line(line), _at(KINDS, kind))
                for caller, callee, line, kind in one.calls
            ),
            stopped=tuple(_at(places, place) for place in one.stopped),
        )


_T = TypeVar("_T")


def _at(values: Sequence[_T], index: int) -> _T:
    if not 0 <= index < len(values):
        raise ValueError(f"number {index} stands for nothing that came before")
    return values[index]


def _line(number: int) -> int:
    if not 0 <= number <= MOST_LINES:
        raise ValueError(f"{number} is not the number of a line")
    return number
