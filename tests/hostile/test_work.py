"""Reading what a repository holds ends, whatever it holds, and what a bound cut is said.

Each text would have taken minutes, or all memory, or the process with it. What is asserted is the outcome; the limit of
CPU is a stop, hundreds of times what the work takes.
"""

from __future__ import annotations

import io
import sys
import time
import zipfile
from pathlib import Path

import pytest

from loregraph.config import RequirementSettings
from loregraph.indexer import workers
from loregraph.indexer.packaging.reader import PackagingReader
from loregraph.indexer.requirements import fields, reqif
from loregraph.indexer.requirements.documents import read_document
from loregraph.indexer.requirements.front_matter import YamlError, mapping
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.marker_syntax import annotated, marked
from loregraph.indexer.workers import Extracted, Task, extract_all

sys.path.insert(0, str(Path(__file__).parent))

from pumping import limited

SECONDS = 30


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("package.json", "[" * 100_000, "not valid JSON"),
        ("package.json", '{"\\' + '"\\' * 200_000, "not valid JSON"),
        ("package.json", '{"a": ' + "1" * 10_000 + "}", "not valid JSON"),
        ("package.json", "/*" * 200_000, "not valid JSON"),
        ("pyproject.toml", "a = " + "[" * 100_000, "not valid TOML"),
        ("pyproject.toml", "a = " + "1" * 10_000, "not valid TOML"),
        ("Cargo.toml", "a." * 400_000 + "a = 1", "not valid TOML"),
        ("pom.xml", "<a>" * 300_000, "not valid XML"),
        ("pom.xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "document types"),
    ],
)
def test_a_packaging_file_is_read_or_refused(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    reader = PackagingReader(tmp_path)
    kind = {"json": reader.json, "toml": reader.toml, "xml": reader.xml}[name.rpartition(".")[2]]
    limited(lambda: kind(name), SECONDS)
    assert told in reader.problems[0].message


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    "text",
    ["a: " + "[" * 90_000, "a: " + "{a: " * 40_000, "- " * 90_000, "a: &a [x]\nb: *a\n", "? " * 90_000],
)
def test_yaml_that_would_run_away_is_refused(text: str) -> None:
    with pytest.raises(YamlError):
        mapping(text)


@pytest.mark.parametrize(
    "line",
    [
        "[ ]" * 20_000,
        "REQ-1" + "*" * 50_000 + "x",
        "`status:" * 20_000,
        "@ " + "a, " * 30_000 + "!",
        "<" * 50_000,
        "[" * 50_000,
        "implements " + " " * 50_000 + "!",
        "`" * 50_000,
        "REQ-1 - " * 10_000,
        "> " * 5_000 + "REQ-1: x",
    ],
)
def test_a_line_of_a_document_is_read(line: str) -> None:
    ids = compiled(DEFAULT_PATTERN)
    limited(lambda: marked(line, ids), SECONDS)
    limited(lambda: annotated(f'trace("{line}', ids), SECONDS)
    limited(lambda: fields.read_fields(line, 1, ids), SECONDS)
    limited(lambda: fields.plain(line), SECONDS)
    settings = RequirementSettings(sources=("a.md", "a.txt", "a.sdoc", "a.rst", "a.csv"))
    for name in settings.sources:
        limited(lambda name=name: read_document(name, f"# REQ-7 t\n{line}\n".encode(), settings), SECONDS)


# Verifies REQ-SEC-010.
def test_an_archive_is_unpacked_up_to_a_limit() -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.reqif", b" " * 30_000_000)
    found = reqif.read_archive(bomb.getvalue(), True)
    assert any("unpacked it is larger" in message for _, message in found.problems)
    assert any("not read from 1.reqif on" in message for _, message in found.problems)
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(reqif.MAX_ENTRIES + 1):
            archive.writestr(f"{number}.reqif", b"")
    assert "at most" in reqif.read_archive(many.getvalue(), True).problems[0][1]


def test_slow_files_leave_less_to_those_that_follow() -> None:
    limits = [workers._allowed(20.0, slow) for slow in range(60)]
    assert limits[:3] == [20.0] * 3
    assert limits == sorted(limits, reverse=True)
    assert min(limits) == workers.LEAST_SECONDS
    assert sum(limits) < 180  # instead of 1,200
    assert workers._allowed(0.5, 50) == 0.5


# Verifies REQ-SEC-010.
def test_a_run_over_slow_files_says_what_was_left_to_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "extract_task", lambda *_: time.sleep(60))
    monkeypatch.setattr(workers, "LEAST_SECONDS", 0.1)
    monkeypatch.setattr(workers, "start_method", lambda: "fork")
    if sys.platform != "linux":
        pytest.skip("what is put in place of extraction reaches a worker by fork only")
    found: list[Extracted] = []
    tasks = [(Task(f"{number}.py", "python"), 400_000) for number in range(8)]
    extract_all(tmp_path, tasks, 1_000_000, 2, found.append, 0.4)
    assert {one.status for one in found} == {"failed"}
    told = " ".join(one.problems[0][1] for one in found)
    assert "longer than 0.4 s" in told
    assert "left to a file after" in told
