"""The journal: lines that survive writers that die, hands that edit, and branches that merge."""

from __future__ import annotations

import itertools
import json
import logging
import os
import stat
import threading
from pathlib import Path

import msgspec
import pytest

from loregraph.errors import StoreBusyError, StoreError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.journal import Folded, Journal, Purge, encoded_lines
from loregraph.memory.journal_file import BACKUPS, JournalFile
from loregraph.memory.record import Memory, encode

from .conftest import Opens, record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "shop.jsonl"


def put(journal: Journal, *entries: Memory | Purge) -> None:
    with journal.writing() as writer:
        for entry in entries:
            writer.put(entry)


def version(memory: Memory, number: int, content: str, at: str = "2026-02-01T00:00:00.000000Z") -> Memory:
    return msgspec.structs.replace(memory, version=number, content=content, updated_at=at)


def contents(journal: Journal) -> set[str]:
    journal.refresh()
    return {memory.content for memory in journal.all()}


# Verifies REQ-MEM-001.
def test_a_line_is_a_whole_record_that_a_person_can_read(path: Path) -> None:
    put(Journal(path), record("café", tags=("money",)))
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    assert json.loads(text)["content"] == "café"
    assert "café" in text


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_files_are_their_owners_alone(path: Path) -> None:
    old = os.umask(0)
    try:
        journal = Journal(path)
        put(journal, record())
        path.write_bytes(path.read_bytes() + b"torn\n")
        journal.refresh()
        journal.file.replace(b"", "1")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert len(modes) == 4
    assert set(modes.values()) == {0o600}


def test_readers_take_in_what_others_append_without_reading_all_again(path: Path) -> None:
    writer, reader = Journal(path), Journal(path)
    put(writer, record("one"))
    assert contents(reader) == {"one"}
    before = reader.offset
    put(writer, record("two"))
    afresh, lines = reader.file.read_new()
    assert (afresh, len(lines)) == (False, 1)
    assert reader.offset > before


def test_a_line_that_is_still_being_written_does_not_count_yet(path: Path) -> None:
    journal = Journal(path)
    put(journal, record("one"))
    line = encode(record("two")) + b"\n"
    with path.open("ab") as file:
        file.write(line[:40])
        file.flush()
        assert contents(journal) == {"one"}
        assert journal.rejected == 0
        file.write(line[40:])
    assert contents(journal) == {"one", "two"}


# Verifies REQ-MEM-002.
@pytest.mark.parametrize("cut", [1, 30, 120])
def test_a_torn_line_costs_nothing_but_itself(path: Path, cut: int, caplog: pytest.LogCaptureFixture) -> None:
    put(Journal(path), record("before"))
    with path.open("ab") as file:
        file.write(encode(record("torn"))[:cut])
    with caplog.at_level(logging.WARNING):
        put(Journal(path), record("after"))
        fresh = Journal(path)
        assert contents(fresh) == {"before", "after"}
    assert fresh.rejected == 1
    assert [m for m in caplog.messages if f"{path}:2" in m]
    assert len(path.with_name("shop.jsonl.rejected").read_bytes().splitlines()) == 1


def test_a_line_whose_writer_died_before_its_end_is_kept(path: Path) -> None:
    put(Journal(path), record("before"))
    with path.open("ab") as file:
        file.write(encode(record("complete but for its end")))
    put(Journal(path), record("after"))
    assert contents(Journal(path)) == {"before", "complete but for its end", "after"}


# Verifies REQ-MEM-002.
@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[1, 2]",
        b'{"id": "x"}',
        b'{"purge": 5}',
        b"<<<<<<< HEAD",
        b"\xff\xfe",
        b'{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","kind":"poem","content":"x"}',
        b"[" * 100_000,
        b"\x00" * 50,
    ],
)
def test_unreadable_lines_are_set_aside_once(path: Path, line: bytes, caplog: pytest.LogCaptureFixture) -> None:
    good = [record("one"), record("two")]
    path.parent.mkdir()
    path.write_bytes(encode(good[0]) + b"\n" + line + b"\n\n" + encode(good[1]) + b"\n")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert contents(Journal(path)) == {"one", "two"}
    assert len(caplog.messages) == 1
    assert path.with_name("shop.jsonl.rejected").read_bytes() == line + b"\n"
    assert line in path.read_bytes()


def test_a_journal_without_a_folder_to_write_to_is_read_all_the_same(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(encode(record("one")) + b"\nbad\n")
    path.with_name("shop.jsonl.rejected").mkdir()
    assert contents(Journal(path)) == {"one"}


def test_a_file_that_was_replaced_is_read_anew(path: Path) -> None:
    journal = Journal(path)
    put(journal, record("one"), record("two"))
    other = path.with_name("other")
    other.write_bytes(encode(record("three")) + b"\n" + encode(record("four")) + b"\n" + encode(record("5")) + b"\n")
    other.replace(path)
    assert contents(journal) == {"three", "four", "5"}


def test_a_file_that_was_edited_in_place_is_read_anew(path: Path) -> None:
    journal = Journal(path)
    first = record("one")
    put(journal, first)
    changed = encode(msgspec.structs.replace(first, content="a longer text")) + b"\n"
    path.write_bytes(changed + encode(record("two")) + b"\n")
    assert contents(journal) == {"a longer text", "two"}
    path.write_bytes(changed)
    assert contents(journal) == {"a longer text"}
    path.unlink()
    assert contents(journal) == set()


def test_the_last_writer_wins_in_any_order_of_lines() -> None:
    first = record("one")
    lines = [
        first,
        version(first, 2, "two"),
        version(first, 3, "three of the one branch", "2026-02-02T00:00:00.000000Z"),
        version(first, 3, "three of the other", "2026-02-03T00:00:00.000000Z"),
    ]
    for order in itertools.permutations(lines):
        folded = Folded()
        for entry in (*order, *order[:2]):
            folded.add(entry)
        assert folded.current(first.id) == lines[3]
        assert folded.versions[first.id] == lines
        assert folded.duplicates == 2


def test_equal_versions_at_an_equal_time_are_decided_alike_everywhere() -> None:
    first = record("one")
    twins = [version(first, 2, "a"), version(first, 2, "b")]
    winners = set()
    for order in itertools.permutations(twins):
        folded = Folded()
        for entry in order:
            folded.add(entry)
        current = folded.current(first.id)
        assert current is not None
        winners.add(current.content)
    assert len(winners) == 1


def test_a_purge_outlives_every_version_in_any_order() -> None:
    first = record("one")
    entries = [first, Purge(first.id, "2026-02-01T00:00:00.000000Z"), version(first, 9, "late")]
    for order in itertools.permutations(entries):
        folded = Folded()
        for entry in order:
            folded.add(entry)
        assert folded.current(first.id) is None
        assert b"late" not in encoded_lines(folded)
        assert list(folded.purged) == [first.id]


def test_a_line_whose_end_comes_later_does_not_have_the_file_read_again(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"one")
    reader = JournalFile(path, is_whole=lambda line: True)
    assert reader.read_new() == (True, [b"one"])
    for more, given in ((b"\n", []), (b"two\n", [b"two"])):
        with path.open("ab") as file:
            file.write(more)
        assert reader.read_new() == (False, given)


def test_a_file_that_is_not_there_is_news_once(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    reader = JournalFile(path)
    assert reader.read_new() == (False, [])
    path.write_bytes(b"one\n")
    assert reader.read_new() == (True, [b"one"])
    path.unlink()
    assert reader.read_new() == (True, [])
    assert reader.read_new() == (False, [])


def test_processes_of_other_versions_find_the_lock_by_its_name(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "j.jsonl")
    with journal.locked():
        assert journal.lock_path == tmp_path / "j.jsonl.lock"
        assert journal.lock_path.exists()


def test_two_branches_merge_by_keeping_both_sides(opens: Opens, tmp_path: Path) -> None:
    """As git does it: with a union of the lines, and with the marks of a conflict left in."""
    base = opens(memory_dir="team")
    kept = base.add("known to both").memory_id
    journal = tmp_path / "shop" / "team" / "shop.jsonl"
    common = journal.read_bytes()
    base.update(kept, content="changed by the one")
    base.add("added by the one")
    ours = journal.read_bytes()[len(common) :]
    journal.write_bytes(common)
    other = opens(memory_dir="team")
    other.update(kept, content="changed by the other, later")
    other.add("added by the other")
    theirs = journal.read_bytes()[len(common) :]
    expected = {"changed by the other, later", "added by the one", "added by the other"}
    conflict = b"<<<<<<< HEAD\n" + ours + b"=======\n" + theirs + b">>>>>>> branch\n"
    for merged in (common + ours + theirs, common + theirs + ours, common + conflict):
        journal.write_bytes(merged)
        after = opens(memory_dir="team")
        assert {memory.content for memory in after.list()} == expected
        assert [memory.version for memory in after.history(kept)] == [1, 2, 2]
    assert "merge=union" in (journal.parent / ".gitattributes").read_text()


def test_reading_a_shared_folder_writes_nothing_into_the_repository(opens: Opens, tmp_path: Path) -> None:
    memory = opens(memory_dir="team")
    assert memory.list() == []
    assert memory.stats().total == 0
    assert not (tmp_path / "shop" / "team").exists()


def test_backups_of_a_replaced_file_are_kept_five_deep_and_the_lock_for_ever(path: Path) -> None:
    journal = Journal(path)
    put(journal, record("one"))
    for number in range(8):
        with journal.file.locked():
            journal.file.replace(encode(record(str(number))) + b"\n", f"{number}")
    assert [backup.name[-1] for backup in journal.file.backups()] == list("76543")
    assert BACKUPS == 5
    assert journal.file.lock_path.exists()
    assert contents(journal) == {"7"}


def test_a_replacement_that_fails_leaves_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(path)
    put(journal, record("one"))
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"), journal.file.locked():
        journal.file.replace(b"", "1")
    assert path.read_bytes() == before
    assert not path.with_name("shop.jsonl.new").exists()


def test_a_call_does_not_return_before_its_line_is_on_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(os.fstat(descriptor).st_size), real(descriptor)))
    put(Journal(path), record("one"))
    assert path.stat().st_size in synced


def test_a_failed_flush_is_an_error_and_no_success(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(StoreError, match="Input/output error"):
        put(Journal(path), record("one"))


def test_who_waits_too_long_for_the_lock_is_told(path: Path) -> None:
    holder, waiter = JournalFile(path), JournalFile(path)
    with holder.locked(), pytest.raises(StoreBusyError), waiter.locked(timeout=0.05):
        pass
    with waiter.locked(timeout=0.05):
        pass


def test_threads_of_one_process_lose_nothing(memory: ProjectMemory) -> None:
    def add(number: int) -> None:
        for i in range(25):
            memory.add(f"thread {number} fact {i}")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.page(limit=1000).total == 150


def test_an_error_while_writing_writes_nothing(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(ValueError, match="stop"), journal.writing() as writer:
        writer.put(record("never"))
        raise ValueError("stop")
    assert contents(journal) == set()
