"""The formats of runtime facts: a row each, and how a file shows which it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import known_name
from loregraph.runs import cobertura, coverage_data, go_cover, istanbul, jacoco, lcov, observed, reading, results, v8
from loregraph.runs.record import Fact, Reader, TextOf

_HEAD: Final = 64_000
"""Bytes by which a format is told: V8 and Istanbul write long paths before their first telling name."""


class Format(msgspec.Struct, frozen=True):
    """A format: its name in `--format`, who writes it, whether a file's first bytes show it, and what reads it."""

    name: str
    written_by: str
    recognises: Callable[[bytes, str], bool]
    read: Reader


FORMATS: Final = (
    Format(observed.FORMAT, "loregraph's pytest plugin", observed.recognises, observed.read),
    Format(coverage_data.FORMAT, "coverage.py (.coverage)", coverage_data.recognises, coverage_data.read),
    Format(go_cover.FORMAT, "go test -coverprofile", go_cover.recognises, go_cover.read),
    Format(lcov.FORMAT, "LCOV and what writes lcov.info", lcov.recognises, lcov.read),
    Format(jacoco.FORMAT, "JaCoCo (XML)", jacoco.recognises, jacoco.read),
    Format(cobertura.FORMAT, "Cobertura's XML", cobertura.recognises, cobertura.read),
    Format(results.FORMAT, "JUnit's XML: results and durations", results.recognises, results.read),
    Format(istanbul.FORMAT, "Istanbul, nyc, Jest, Vitest (JSON)", istanbul.recognises, istanbul.read),
    Format(v8.FORMAT, "NODE_V8_COVERAGE and c8 (JSON)", v8.recognises, v8.read),
)
NAMES: Final = tuple(format.name for format in FORMATS)


def format_of(path: Path, name: str = "") -> Format:
    """The format called `name`, else the one that the file's first bytes show. Raises RunFileError where none does,
    UsageError for an unknown name."""
    if name:
        wanted = known_name("format", name, NAMES)
        return next(format for format in FORMATS if format.name == wanted)
    with reading.opened(path) as file:
        head = file.read(_HEAD)
    for format in FORMATS:
        if format.recognises(head.removeprefix(b"\xef\xbb\xbf"), path.name):
            return format
    raise reading.refused(
        path, "not a format of runs that is known", hint=f"name its format with --format: {', '.join(NAMES)}"
    )


# Implements REQ-RUN-001.
def read(path: Path, name: str = "", text_of: TextOf = lambda _: None) -> Iterator[Fact]:
    """The records of a file, `Source` first. See `record.Reader`."""
    return format_of(path, name).read(path, text_of)
