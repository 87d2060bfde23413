"""coverage.py's data files: what our reader gives is what coverage.py's own gives."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path

import coverage
import pytest

from loregraph.errors import RunFileError
from loregraph.runs import coverage_data
from loregraph.runs.lines import numbers
from loregraph.runs.record import Covered

sys.path.insert(0, str(Path(__file__).parent))

from data import RUNS


def covered(path: Path) -> list[Covered]:
    return [one for one in coverage_data.read(path, lambda _: None) if isinstance(one, Covered)]


@pytest.mark.parametrize("name", ["lines.coverage", "branches.coverage"])
def test_the_same_lines_as_its_own_reader(name: str, tmp_path: Path) -> None:
    copy = tmp_path / name  # its reader opens files for writing
    shutil.copy(RUNS / "python" / name, copy)
    data = coverage.CoverageData(str(copy))
    data.read()
    theirs = {
        (path, context.partition("|")[0], line)
        for path in data.measured_files()
        for line, contexts in data.contexts_by_lineno(path).items()
        for context in contexts
    }
    ours = {(one.paths[0], one.test, line) for one in covered(copy) for line in numbers(one.executed)}
    assert ours == theirs


@pytest.mark.parametrize(
    ("context", "test"),
    [
        ("tests/test_a.py::test_b|run", "tests/test_a.py::test_b"),
        ("nightly|tests/test_a.py::test_b[1]|setup", "tests/test_a.py::test_b[1]"),
        ("tests/test_a.py::test_b[{{ x|first }}-1]|run", "tests/test_a.py::test_b[{{ x|first }}-1]"),
        ("nightly|tests.test_a.test_b", "tests.test_a.test_b"),
    ],
)
def test_a_context_names_a_test_whatever_its_parameters(context: str, test: str, tmp_path: Path) -> None:
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.set_context(context)
    data.add_lines({"/project/shop.py": [1]})
    data.write()
    assert [one.test for one in covered(tmp_path / ".coverage")] == [test]


def test_reading_changes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / ".coverage"
    shutil.copy(RUNS / "python/lines.coverage", copy)
    before = copy.read_bytes()
    assert covered(copy)
    assert copy.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [".coverage"]


@pytest.mark.parametrize(
    "script",
    [
        "create table other (a)",
        "create view coverage_schema as select 7 as version",
        "create table coverage_schema (version integer); insert into coverage_schema values (99);"
        + "".join(f"create table {name} (id);" for name in ("meta", "file", "context", "line_bits", "arc")),
    ],
)
def test_another_database_is_refused(script: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    with sqlite3.connect(path) as database:
        database.executescript(script)
    database.close()
    with pytest.raises(RunFileError, match="data of coverage"):
        covered(path)


def test_work_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage_data, "_INSTRUCTIONS", 1)
    monkeypatch.setattr(coverage_data, "_STEP", 1)
    with pytest.raises(RunFileError, match="more work than such a file may"):
        covered(RUNS / "python/lines.coverage")


def test_damaged_sets_of_lines_are_counted(tmp_path: Path) -> None:
    copy = tmp_path / ".coverage"
    shutil.copy(RUNS / "python/lines.coverage", copy)
    with sqlite3.connect(copy) as database:
        database.execute("update line_bits set numbits = 'text' where context_id = 3 and file_id = 2")
    database.close()
    found = list(coverage_data.read(copy, lambda _: None))
    assert [one.count for one in found if type(one).__name__ == "LeftOut"] == [1]
