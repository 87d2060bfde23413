"""coverage.py's data files (`.coverage`), with contexts: a SQLite database whose tables its documentation describes
(https://coverage.readthedocs.io/en/latest/dbschema.html, version 7 of the schema, written since coverage.py 5.0).

Read by those tables and not by `coverage.CoverageData`, which opens a file for writing, makes tables in one that has
none, and puts no bound on what a strange database does. Opened read-only and immutable, only plain tables are read, and
SQLite's work is bounded by a count of its instructions. `tests/runs/test_coverage_data.py` compares both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from loregraph.runs import reading
from loregraph.runs.lines import MOST_LINES, LineSet
from loregraph.runs.record import Covered, Fact, LeftOut, TextOf

FORMAT: Final = "coverage"
_HEAD: Final = b"SQLite format 3\0"
_SCHEMA: Final = 7
_TABLES: Final = frozenset(("coverage_schema", "meta", "file", "context", "line_bits", "arc"))
_INSTRUCTIONS: Final = 5_000_000_000
"""Of SQLite's virtual machine for one file; 3,000 tests over 300 files take some ten millions."""
_STEP: Final = 1_000_000
_LONGEST_VALUE: Final = 1_000_000
"""Bytes of one text or set of lines."""
_HINT: Final = "name a data file that coverage.py 5 or newer wrote (`.coverage`), or run the tests again with it"


def recognises(head: bytes, name: str) -> bool:
    return head.startswith(_HEAD)


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    """A file at a time, its contexts in order of their numbers. With branches measured, lines are ends of arcs."""
    yield reading.source(path, FORMAT)
    try:
        # Immutable: nothing is locked and no journal beside the file is looked for.
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            _bound(database)
            yield from _facts(path, database)
        finally:
            database.close()
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        why = "reading it takes more work than such a file may" if "interrupted" in str(error) else str(error)
        raise reading.refused(path, f"not data of coverage.py: {why}", hint=_HINT) from error


def _bound(database: sqlite3.Connection) -> None:
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.execute("pragma trusted_schema = off")
    database.execute("pragma query_only = on")
    left = [_INSTRUCTIONS // _STEP]

    def spend() -> int:
        left[0] -= 1
        return left[0] < 0

    database.set_progress_handler(spend, _STEP)


def _facts(path: Path, database: sqlite3.Connection) -> Iterator[Fact]:
    tables = {str(name) for (name,) in database.execute("select name from sqlite_master where type = 'table'")}
    if not tables >= _TABLES:
        raise reading.refused(path, "not data of coverage.py: its tables are missing", hint=_HINT)
    version = database.execute("select version from coverage_schema").fetchone()
    if version is None or version[0] != _SCHEMA:
        raise reading.refused(path, f"data of coverage.py in a form that is not known ({version})", hint=_HINT)
    contexts = {number: _text(context) for number, context in database.execute("select id, context from context")}
    arcs = database.execute("select 1 from arc limit 1").fetchone() is not None
    strange = 0
    for number, name in database.execute("select id, path from file order by path").fetchall():
        found = False
        for context, executed in _of_file(database, number, arcs):
            if executed is None or context not in contexts:
                strange += 1
                continue
            found = True
            yield Covered(test=_test(contexts[context]), paths=(_text(name),), executed=executed)
        if not found:
            yield Covered(test="", paths=(_text(name),), executed=0)
    if strange:
        yield LeftOut("sets of lines that are damaged", strange)


def _of_file(database: sqlite3.Connection, file: Any, arcs: bool) -> Iterator[tuple[Any, int | None]]:
    """(context, lines) for each context of a file; None for lines that no file has."""
    if not arcs:
        rows = database.execute(
            "select context_id, numbits from line_bits where file_id = ? order by context_id", (file,)
        )
        for context, numbits in rows:
            bits = int.from_bytes(numbits, "little") if isinstance(numbits, bytes) else None
            yield context, None if bits is None or bits.bit_length() > MOST_LINES + 1 else bits >> 1 << 1
        return
    rows = database.execute(
        "select context_id, fromno, tono from arc where file_id = ? order by context_id, fromno, tono", (file,)
    )
    current: Any = None
    lines = LineSet()
    for context, start, end in rows:
        if context != current:
            if current is not None:
                yield current, lines.lines
            current, lines = context, LineSet()
        for line in (start, end):
            # Negative ends are entries and exits of code.
            if isinstance(line, int) and 0 < line <= MOST_LINES:
                lines.add(line)
    if current is not None:
        yield current, lines.lines


def _test(context: str) -> str:
    """A context is `static|dynamic`, either may be missing; pytest-cov's dynamic one is `test id|phase`."""
    name, _, phase = context.rpartition("|")
    if phase not in ("setup", "run", "call", "teardown"):
        name = context.strip("|")
    # The parameters of a case may have the sign themselves: `test_filter[{{ x|first }}]`.
    before, bracket, case = name.partition("[")
    return before.rpartition("|")[2] + bracket + case


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
