"""The user's cache of graphs: what is kept, what goes first, and what other processes may do meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from loregraph import rooted
from loregraph.errors import UnsafePathError
from loregraph.graph import snapshots
from loregraph.graph.generation import Current
from loregraph.graph.model import File, Graph
from loregraph.graph.snapshots import Snapshots, key_of
from loregraph.graph.state import State
from loregraph.graph.store import write_generation

VERSION = "0123456789ab"
KEYS = [key_of("a.py", "1"), key_of("b.py", "2")]


@pytest.fixture
def generation(tmp_path: Path) -> Path:
    folder = tmp_path / "generation"
    folder.mkdir()
    node = File("a.py", "a.py", "a", "a.py", "python", "", 1, "indexed")
    write_generation(folder, Graph((node,), ()), engine=False)
    with State.open(tmp_path / "state.sqlite") as state:
        state.put_meta("totals", b"1")
        state.put_meta("store_id", b"one store's")
        state.put_meta("commits", b"a history")
        state.put_vectors("space", [(b"k" * 16, b"vector")])
        state.put_vectors("another", [(b"k" * 16, b"other")])
    return folder


def save(cache: Snapshots, generation: Path, number: int) -> str:
    with State.open(generation.parent / "state.sqlite") as state:
        current = Current(state_token=token(number), loregraph_version="1")
        return cache.save(current, "space", generation, state, KEYS)


def token(number: int) -> str:
    return f"{number:032x}"


def kept(folder: Path) -> list[int]:
    return [int(path.name.partition("-")[2], 16) for path in sorted(folder.iterdir()) if path.is_dir()]


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# Verifies REQ-STO-012.
def test_what_is_kept_is_found_by_its_token(tmp_path: Path, generation: Path) -> None:
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    assert cache.exact(token(1)) is None
    assert cache.all() == {}
    assert save(cache, generation, 1) == ""
    assert cache.all() == {token(1): frozenset(KEYS)}
    assert cache.exact(token(2)) is None
    found = cache.exact(token(1))
    assert found is not None
    with found:
        building = tmp_path / "building"
        building.mkdir()
        found.copy_arrays(building)
        assert (building / "columns.bin").read_bytes() == (generation / "columns.bin").read_bytes()
        state = found.state()
        assert state.meta("totals") == b"1"
        assert state.meta("store_id") is None
        assert state.meta("commits") is None
        assert state.vectors("space") == {b"k" * 16: b"vector"}
        assert state.vectors("another") == {}
        state.close()
    assert sorted(file.name for file in found.path.iterdir()) == ["about", "columns.bin", "lease", "state.sqlite"]


def test_only_its_user_can_read_it(tmp_path: Path, generation: Path) -> None:
    folder = tmp_path / "far" / "cache"
    assert save(Snapshots(VERSION, 1 << 30, folder), generation, 1) == ""
    assert folder.stat().st_mode & 0o777 == 0o700


# Verifies REQ-SEC-001.
@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_what_others_can_write_to_is_not_used(tmp_path: Path, generation: Path, mode: int) -> None:
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    save(cache, generation, 1)
    cache.folder.chmod(mode)
    assert "can be written by others" in cache.unusable()
    assert cache.exact(token(1)) is None
    assert cache.all() == {}
    assert "can be written by others" in save(cache, generation, 2)
    with pytest.raises(UnsafePathError):
        cache.clear()
    cache.folder.chmod(0o700)
    assert kept(cache.folder) == [1]


# Verifies REQ-SEC-001.
def test_a_link_in_the_cache_is_not_followed(tmp_path: Path, generation: Path) -> None:
    elsewhere = Snapshots(VERSION, 1 << 30, tmp_path / "elsewhere")
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    for one in (elsewhere, cache):
        save(one, generation, 1)
    (cache.folder / f"{VERSION}-{token(2)}").symlink_to(elsewhere.folder / f"{VERSION}-{token(1)}")
    assert cache.exact(token(2)) is None
    cache.clear()
    assert kept(elsewhere.folder) == [1]


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, generation: Path) -> None:
    folder = tmp_path / "cache"
    save(Snapshots(VERSION, 1 << 30, folder), generation, 1)
    cache = Snapshots(VERSION, 3 * size_of(folder) + 100, folder)
    for number in (2, 3):
        assert save(cache, generation, number) == ""
    for number in (1, 2, 3):
        os.utime(folder / f"{VERSION}-{token(number)}" / "lease", ns=(number, number))
    used = cache.exact(token(1))
    assert used is not None
    used.close()
    assert save(cache, generation, 4) == ""
    assert kept(folder) == [1, 3, 4]
    assert sum(cache.sizes().values()) <= cache.most_bytes
    assert save(cache, generation, 5) == ""
    assert kept(folder) == [1, 4, 5]


def test_there_are_no_more_than_so_many(tmp_path: Path, generation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "MOST", 2)
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    for number in (1, 2, 3):
        save(cache, generation, number)
        os.utime(cache.folder / f"{VERSION}-{token(number)}" / "lease", ns=(number, number))
    assert kept(cache.folder) == [2, 3]


def test_what_another_version_kept_makes_room(tmp_path: Path, generation: Path) -> None:
    folder = tmp_path / "cache"
    save(Snapshots("f" * 12, 1 << 30, folder), generation, 1)
    cache = Snapshots(VERSION, size_of(folder) + 100, folder)
    assert cache.all() == {}
    assert save(cache, generation, 2) == ""
    assert kept(folder) == [2]


def test_what_is_being_read_stays(tmp_path: Path, generation: Path) -> None:
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    save(cache, generation, 1)
    held = cache.exact(token(1))
    assert held is not None
    assert cache.clear() == 0
    assert kept(cache.folder) == [1]
    held.close()
    assert cache.clear() > 0
    assert kept(cache.folder) == []


def _saves_and_dies(folder: Path, generation: Path, step: str) -> None:
    setattr(rooted, step, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
    save(Snapshots(VERSION, 1 << 30, folder), generation, 2)


# Verifies REQ-STO-004.
@pytest.mark.skipif(os.name != "posix", reason="kills with a signal")
@pytest.mark.parametrize("step", ["make_new_folder", "copy", "write", "create", "rename"])
def test_killed_at_any_step_a_process_leaves_whole_snapshots_only(tmp_path: Path, generation: Path, step: str) -> None:
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    save(cache, generation, 1)
    process = multiprocessing.get_context("fork").Process(target=_saves_and_dies, args=(cache.folder, generation, step))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert cache.all().keys() == {token(1)}
    assert cache.exact(token(2)) is None
    assert save(cache, generation, 2) == ""
    assert sorted(path.name for path in cache.folder.iterdir() if path.is_dir()) == [
        f"{VERSION}-{token(1)}",
        f"{VERSION}-{token(2)}",
    ]
    found = cache.exact(token(2))
    assert found is not None
    with found:
        found.check()


def test_what_a_killed_process_left_is_removed(tmp_path: Path, generation: Path) -> None:
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    save(cache, generation, 1)
    left = cache.folder / f"building-{VERSION}-{token(2)}"
    left.mkdir()
    (left / "columns.bin").write_bytes(b"half")
    assert cache.exact(token(2)) is None
    assert save(cache, generation, 3) == ""
    assert kept(cache.folder) == [1, 3]


def _saves_and_reads(folder: Path, generation: Path, most: int, first: int) -> None:
    cache = Snapshots(VERSION, most, folder)
    for number in range(first, first + 8):
        problem = save(cache, generation, number % 5)
        assert problem == "", problem
        for one in cache.all():
            found = cache.exact(one)
            if found is not None:
                with found:
                    found.check()
                    found.state().close()


# Verifies REQ-STO-005.
def test_many_processes_at_once(tmp_path: Path, generation: Path) -> None:
    folder = tmp_path / "cache"
    save(Snapshots(VERSION, 1 << 30, folder), generation, 0)
    most = 3 * size_of(folder)
    context = multiprocessing.get_context("fork" if os.name == "posix" else "spawn")
    processes = [context.Process(target=_saves_and_reads, args=(folder, generation, most, first)) for first in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert not [path for path in folder.iterdir() if path.name.startswith(("building", "trash"))]
    cache = Snapshots(VERSION, most, folder)
    assert cache.all().keys() == {token(number) for number in kept(folder)} != set()
    assert snapshots.bytes_of(folder) <= most + size_of(folder) // 3


@pytest.mark.parametrize("content", [b"", b"abc", b"\0\0\0\0\xc1", b"\xd2\x02\xef\x8d\x00"])
def test_what_says_nothing_of_itself_is_not_there(tmp_path: Path, generation: Path, content: bytes) -> None:
    cache = Snapshots(VERSION, 1 << 30, tmp_path / "cache")
    save(cache, generation, 1)
    (cache.folder / f"{VERSION}-{token(1)}" / "about").write_bytes(content)
    assert cache.all() == {}
    assert cache.exact(token(1)) is None
    assert save(cache, generation, 1) == ""
    assert cache.all().keys() == {token(1)}
