"""A disk that is full is explained, leaves nothing behind, and what was there before still answers."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from loregraph import rooted
from loregraph.config import Settings
from loregraph.errors import StoreError
from loregraph.graph.state import with_state
from loregraph.memory.api import ProjectMemory
from loregraph.memory.journal_file import JournalFile
from loregraph.project import Project


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "app.py").write_text("def helper():\n    return 1\n\n\ndef main():\n    return helper()\n")
    return folder


def full() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class NoRoom:
    """A file on a disk that has room for no more."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def __enter__(self) -> NoRoom:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def close(self) -> None:
        self.file.close()

    def write(self, _: bytes) -> int:
        raise full()

    writelines = write


# Verifies REQ-SEC-017.
@pytest.mark.parametrize("where", ["arrays", "current"])
def test_a_later_index_says_so_and_the_old_graph_answers(
    root: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Project(root) as project:
        project.index(embed=False)
        (root / "app.py").write_text("def helper():\n    return 1\n\n\ndef other():\n    return helper()\n")
        with monkeypatch.context() as patched:
            if where == "arrays":
                create = rooted.create
                patched.setattr(rooted, "create", lambda *words: NoRoom(create(*words)))
            else:

                def write(*_: Any, **__: Any) -> None:
                    raise full()

                patched.setattr(rooted, "write", write)
            with pytest.raises(StoreError, match="No space left") as raised:
                project.index(embed=False)
        assert "make room" in raised.value.suggestion
        assert {entry.name for entry in (root / ".loregraph").glob("building-*")} == set()
        assert [hit.id for hit in project.callers("helper")] == ["app.py::main"]
        project.index(embed=False)
        assert [hit.id for hit in project.callers("helper")] == ["app.py::other"]


# Verifies REQ-SEC-017.
def test_a_state_without_room_is_kept_and_explained(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite"
    with_state(file, lambda state: state.put_meta("key", b"value"))

    def fill(state: Any) -> None:
        connection: sqlite3.Connection = state._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        state.put_meta("more", bytes(1 << 20))

    with pytest.raises(StoreError, match="full") as raised:
        with_state(file, fill)
    assert "make room" in raised.value.suggestion
    assert with_state(file, lambda state: state.meta("key")) == b"value"


# Verifies REQ-SEC-017.
def test_of_lines_that_find_no_room_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = JournalFile(tmp_path / "j.jsonl")
    with journal.locked():
        journal.append([b"one"])()
        write = os.write

        def half(descriptor: int, data: Any) -> int:
            if len(data) < 8:
                raise full()
            return write(descriptor, bytes(data[:8]))

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", half)
            with pytest.raises(StoreError, match="No space left"):
                journal.append([b"second", b"third"])
        assert journal.path.read_bytes() == b"one\n"
        journal.append([b"four"])()
    assert journal.path.read_bytes() == b"one\nfour\n"


# Verifies REQ-SEC-017.
@pytest.mark.parametrize("fails", ["snapshot", "swap"])
def test_a_normalize_that_fails_leaves_the_journals_and_no_copies(
    root: Path, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = ProjectMemory(root, Settings())
    memory.add("a fact")
    memory.add("of a person", scope="user", kind="user_preference")
    folder = memory.journals[0].parent
    before = {path.name: path.read_bytes() for path in folder.glob("*.jsonl*")}
    replacing = rooted.replacing
    seen: list[Path] = []

    def second_fails(base: Path, path: Path, **words: Any) -> Any:
        if path.suffix == ".jsonl":
            seen.append(path)
            if len(seen) == 2:
                raise full()
        return replacing(base, path, **words)

    def copy(*_: Any) -> None:
        raise full()

    with monkeypatch.context() as patched:
        if fails == "snapshot":
            patched.setattr(rooted, "copy", copy)
        else:
            patched.setattr(rooted, "replacing", second_fails)
        with pytest.raises(StoreError, match="No space left"):
            memory.normalize()
    assert not (folder / "snapshots").exists()
    assert {path.name: path.read_bytes() for path in folder.glob("*.jsonl*")} == before
    assert memory.normalize().snapshots


def test_a_dry_run_writes_nothing(root: Path) -> None:
    with Project(root) as project:
        project.index(dry_run=True)
        project.memory.normalize(dry_run=True)
    assert [entry.name for entry in root.iterdir()] == ["app.py"]
