"""Results and durations from JUnit's XML: see `loregraph.analysis.tracing.junit`, which reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from loregraph.analysis.tracing import junit
from loregraph.errors import UsageError
from loregraph.runs import reading
from loregraph.runs.record import Fact, Outcome, TextOf

FORMAT: Final = "junit"


def recognises(head: bytes, name: str) -> bool:
    return b"<testsuite" in head


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    yield reading.source(path, FORMAT)
    try:
        cases = junit.read(path)
    except UsageError as error:
        raise reading.refused(path, error.message.removeprefix(f"{path} "), hint=error.suggestion) from error
    for case in cases:
        yield Outcome(
            test=f"{case.classname}::{case.name}" if case.classname else case.name,
            outcome=case.outcome,
            seconds=case.seconds,
            file=case.file,
            classname=case.classname,
            name=case.name,
            suites=case.suites,
        )
