"""Reads test results in JUnit's XML, as written by pytest, Maven, Gradle, go-junit-report, jest, vitest and
cargo-nextest.

There is no common schema: all have `testcase` with `name` and `classname`, inside any nesting of `testsuite`, with
`failure`, `error` or `skipped` in it. Parsed by events with Python's own expat, so that a large report takes no memory;
a document type is refused, without which XML can neither expand entities nor reference other files.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.parsers import expat

import msgspec

from loregraph.errors import UsageError

PASSED: Final = "passed"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
NOT_RUN: Final = "not run"
_OUTCOMES: Final = {
    "failure": FAILED,
    "error": FAILED,
    "rerunFailure": FAILED,
    "rerunError": FAILED,
    "skipped": SKIPPED,
}
"""Elements in a testcase; surefire's `flakyFailure` is of a test that passed in the end."""
_NOT_RUN: Final = frozenset({"notrun", "disabled", "skipped", "suppressed", "pending"})
_ROOTS: Final = ("testsuites", "testsuite")


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """One test case of a report. `file` is "" where the report has none; `suites` are the enclosing suites, outermost
    first; `outcome` is PASSED, FAILED or SKIPPED; `seconds` is how long it took, None where the report does not say."""

    name: str
    classname: str
    file: str
    suites: tuple[str, ...]
    outcome: str
    seconds: float | None = None


def read_all(paths: Iterable[Path]) -> list[CaseResult]:
    """The cases of several reports, in order."""
    return [case for path in paths for case in read(path)]


def read(path: Path) -> list[CaseResult]:
    """The cases of one report. Raises UsageError that names the file where it is malformed or unreadable."""
    reading = _Reading()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        with path.open("rb") as file:
            parser.ParseFile(file)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", "name a JUnit XML file that can be") from error
    except expat.ExpatError as error:
        why = f"line {error.lineno}: {expat.ErrorString(error.code)}"
        raise UsageError(f"{path} is not XML that can be read: {why}", _HINT) from error
    except (LookupError, ValueError) as error:  # the encoding that it names
        raise UsageError(f"{path} is not XML that can be read: {error}", _HINT) from error
    except _NotJUnitError as error:
        raise UsageError(f"{path} holds no JUnit results: {error}", _HINT) from error
    return reading.cases


_HINT: Final = "name the JUnit XML that the tests wrote (`pytest --junitxml`, surefire-reports/, …), or write it again"


class _NotJUnitError(Exception):
    """Raised for well-formed XML of another kind."""


def _refuse_doctype(name: str, *_: object) -> None:
    raise _NotJUnitError(f"it declares a document type ({name}), which test results never do")


class _Reading:
    """Collects the cases from the events of one file."""

    def __init__(self) -> None:
        self.cases: list[CaseResult] = []
        self._suites: list[dict[str, str]] = []
        self._case: dict[str, str] | None = None
        self._outcome = PASSED
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        self._depth += 1
        if self._depth == 1 and tag not in _ROOTS:
            raise _NotJUnitError(f"its root element is <{tag}>, not <testsuites> or <testsuite>")
        if tag in _ROOTS:
            self._suites.append(attributes)
        elif tag == "testcase":
            state = attributes.get("status", attributes.get("result", "")).lower()
            self._case, self._outcome = attributes, SKIPPED if state in _NOT_RUN else PASSED
        elif self._case is not None and tag in _OUTCOMES and self._outcome != FAILED:
            self._outcome = _OUTCOMES[tag]

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        self._depth -= 1
        if tag in _ROOTS:
            self._suites.pop()
        elif tag == "testcase" and self._case is not None:
            case, self._case = self._case, None
            files = (suite.get("file") or suite.get("filepath") for suite in reversed(self._suites))
            self.cases.append(
                CaseResult(
                    name=case.get("name", ""),
                    classname=case.get("classname", ""),
                    file=next(filter(None, (case.get("file"), case.get("filename"), *files)), ""),
                    suites=tuple(name for suite in self._suites if (name := suite.get("name", ""))),
                    outcome=self._outcome,
                    seconds=_seconds(case.get("time", case.get("duration", ""))),
                )
            )


def _seconds(text: str) -> float | None:
    """`1,234.5` too, as surefire writes it; None for what is no duration."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
