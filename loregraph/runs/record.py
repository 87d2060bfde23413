"""What every format of runtime facts is read as: a stream of small records, so that a large file takes little
memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

Lines = int
"""A set of 1-based line numbers as an integer whose bit n stands for line n: see `loregraph.runs.lines`."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """The identity of a run, always the first record of a file.

    `content_hash` is that of the file (`indexer.source.content_hash`'s form). `revision` is the commit and `time` the
    moment of the run in seconds since 1970, where the file says them, else "" and 0. `headers_run` says that the line
    of a definition counts as executed when the definition is made (`def` in Python, which runs at import), not when
    its body runs.
    """

    format: str
    file: str
    content_hash: str
    revision: str = ""
    time: float = 0.0
    headers_run: bool = True


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one test. `outcome` is one of `junit.PASSED`, `FAILED`, `SKIPPED`; `failed_when` is "setup", "call"
    or "teardown", "" where nothing failed or the file does not say it; `seconds` is None where it is not said.
    `file`, `classname`, `name` and `suites` are what JUnit's formats say of it."""

    test: str
    outcome: str
    seconds: float | None = None
    failed_when: str = ""
    file: str = ""
    classname: str = ""
    name: str = ""
    suites: tuple[str, ...] = ()


class FunctionHit(msgspec.Struct, frozen=True, array_like=True):
    """A function that the tool itself counted. `line` is that of its declaration (1-based), `hits` how often it ran."""

    line: int
    name: str
    hits: int


class Covered(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of one file that ran in one test, or in the whole run where `test` is "".

    `paths` are the names that the file may have had, most likely first: as written, of another machine perhaps.
    `measured` are the lines that could have been counted, None where the format does not say. One file and test may
    come in several records; they add up.
    """

    test: str
    paths: tuple[str, ...]
    executed: Lines
    measured: Lines | None = None
    functions: tuple[FunctionHit, ...] = ()
    by_range: bool = False
    """Whether the tool counts ranges of code, in which there may be lines without any."""

    @property
    def is_of_single_lines(self) -> bool:
        """Whether each line is one with code. Tools that read V8's ranges list every line from the first to the
        last."""
        measured = self.measured or 0
        return (not self.by_range and (measured + 2) & measured != 0) or self.measured is None


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A piece of code that the plugin saw run: its file (relative to the project's root), its name with the scopes
    around it ("<module>" for a file's own code) and its first line, decorators included."""

    path: str
    name: str
    line: int


class Call(msgspec.Struct, frozen=True, array_like=True):
    """A call that was seen: in `line` of the caller's file, by an instruction of `kind` (see
    `recording.calls.KINDS`)."""

    caller: Place
    callee: Place
    line: int
    kind: str


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What the plugin saw in one test: the functions that ran and who called them. "" is what ran outside of tests.
    Calls of `stopped` functions may have been missed."""

    test: str
    functions: tuple[Place, ...]
    calls: tuple[Call, ...]
    stopped: tuple[Place, ...] = ()


class Content(msgspec.Struct, frozen=True):
    """The content hash that a file had during the run."""

    path: str
    content_hash: str


class LeftOut(msgspec.Struct, frozen=True):
    """Something that the file has but that cannot be used; `reason` is one sentence, `count` how often."""

    reason: str
    count: int = 1


Fact = Source | Outcome | Covered | Observed | Content | LeftOut

TextOf = Callable[[str], str | None]
"""The text that a measured file has in the project, by one of its names; None where it is not the project's."""

Reader = Callable[[Path, TextOf], Iterator[Fact]]
"""Reads a file as records. Raises RunFileError, with the line, where the file is not what it should be."""
