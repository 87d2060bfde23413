"""Lines of a journal with other ends, or a last one without: nothing is lost, nothing counted twice."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from loregraph.memory.graph_nodes import is_behind, read_journals
from loregraph.memory.journal import Journal
from loregraph.memory.record import encode

from ..memory.conftest import record


def entry(content: str, number: int) -> bytes:
    return encode(record(content, id=f"3f2504e0-4f89-41d3-9a0c-{number:012d}"))


LINES = [entry(content, number) for number, content in enumerate(("one", "two", "three"))]


def told(journal: Journal) -> list[str]:
    journal.refresh()
    return [memory.content for memory in journal.all()]


# Verifies REQ-SEC-018.
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("last", [True, False])
def test_every_end_of_a_line_is_known(tmp_path: Path, end: bytes, last: bool) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(end.join(LINES) + end * last)
    journal = Journal(path)
    assert told(journal) == ["one", "two", "three"]
    assert journal.rejected == 0
    with journal.writing() as writer:
        writer.put(record("four"))
    assert told(journal) == told(Journal(path)) == ["one", "two", "three", "four"]


def test_a_bad_line_of_any_end_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"\r".join([LINES[0], b"[core]", LINES[1], b""]))
    with caplog.at_level(logging.WARNING):
        assert told(Journal(path)) == ["one", "two"]
    assert "j.jsonl:2 is left out" in caplog.text
    assert (tmp_path / "j.jsonl.rejected").read_bytes() == b"[core]\n"


# Verifies REQ-SEC-018.
def test_a_purge_without_an_end_holds_at_once(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    purge = b'{"purge": "3f2504e0-4f89-41d3-9a0c-000000000001", "at": "2026-01-02T00:00:00.000000Z"}'
    path.write_bytes(b"\n".join([*LINES, purge]))
    journal = Journal(path)
    assert told(journal) == ["one", "three"]
    with journal.writing() as writer:
        writer.put(record("four"))
    assert told(journal) == told(Journal(path)) == ["one", "three", "four"]


# Verifies REQ-SEC-018.
def test_a_line_that_is_being_written_counts_once_and_when_it_is_whole(tmp_path: Path) -> None:
    """Read after each byte, as another process may."""
    path = tmp_path / "j.jsonl"
    data = LINES[0] + b"\n" + LINES[1] + b"\n"
    journal = Journal(path)
    seen: list[list[str]] = []
    touched: list[object] = []
    journal._changed = touched.append
    with path.open("wb", buffering=0) as file:
        for at in range(len(data)):
            file.write(data[at : at + 1])
            seen.append(told(journal))
    first, second = len(LINES[0]), len(LINES[0]) + 1 + len(LINES[1])
    assert [len(each) for each in seen] == [(at + 1 >= first) + (at + 1 >= second) for at in range(len(data))]
    assert journal.rejected == 0
    assert journal._folded.duplicates == 0
    assert len([each for each in touched if each]) == 2
    assert not path.with_name("j.jsonl.rejected").exists()
    assert journal.offset == len(data)


def test_a_torn_line_does_not_count_and_the_next_writer_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(LINES[0] + b"\n" + LINES[1][:-1])
    journal = Journal(path)
    assert told(journal) == ["one"]
    assert journal.offset == len(LINES[0]) + 1
    with journal.writing() as writer:
        writer.put(record("four"))
    assert told(journal) == ["one", "four"]
    assert journal.rejected == 1


def test_a_last_line_that_goes_on_after_it_counted_is_another_line(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(LINES[0] + b"\n" + LINES[1])
    journal = Journal(path)
    assert told(journal) == ["one", "two"]
    with path.open("ab") as file:
        file.write(b" and more\n" + LINES[2])
    assert told(journal) == ["one", "three"]
    assert journal.rejected == 1


def test_a_last_line_that_is_taken_back_counts_no_more(tmp_path: Path) -> None:
    """What a writer takes back that found no room."""
    path = tmp_path / "j.jsonl"
    path.write_bytes(LINES[0] + b"\n" + LINES[1])
    journal = Journal(path)
    assert told(journal) == ["one", "two"]
    with path.open("r+b") as file:
        file.truncate(len(LINES[0]) + 1)
    assert told(journal) == ["one"]


def test_a_graph_knows_of_a_last_line_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(LINES[0] + b"\n")
    _, _, offsets = read_journals([path])
    assert not is_behind(offsets, [path])
    with path.open("ab") as file:
        file.write(LINES[1][:-1])
    assert not is_behind(offsets, [path])
    with path.open("ab") as file:
        file.write(LINES[1][-1:])
    assert is_behind(offsets, [path])
    memories, _, offsets = read_journals([path])
    assert len(memories) == 2
    assert not is_behind(offsets, [path])
