"""Writes and reads below a folder that somebody else filled."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from loregraph import rooted
from loregraph.errors import UnsafePathError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and FIFOs as POSIX has them")

Writes = Callable[[Path, str], object]


def append(base: Path, path: str) -> None:
    descriptor, _ = rooted.open_append(base, path)
    os.write(descriptor, b"more\n")
    os.close(descriptor)


def create(base: Path, path: str) -> None:
    with rooted.create(base, path) as file:
        file.write(b"new")


WRITERS: list[Writes] = [append, create, lambda base, path: rooted.write(base, path, b"new")]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file").write_bytes(b"theirs\n")
    return folder


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("writes", WRITERS)
def test_a_linked_folder_on_the_way_is_refused(writes: Writes, base: Path, outside: Path) -> None:
    (base / "a").mkdir()
    (base / "a" / "linked").symlink_to(outside)
    with pytest.raises(UnsafePathError, match="is a link"):
        writes(base, "a/linked/file")
    assert (outside / "file").read_bytes() == b"theirs\n"
    assert [entry.name for entry in outside.iterdir()] == ["file"]


# Verifies REQ-SEC-001.
@pytest.mark.parametrize("writes", WRITERS)
@pytest.mark.parametrize("target", ["file", "missing"])
def test_a_linked_file_is_never_written_through(writes: Writes, target: str, base: Path, outside: Path) -> None:
    (base / "file").symlink_to(outside / target)
    if writes is append:
        with pytest.raises(UnsafePathError, match="is a link"):
            writes(base, "file")
    else:
        writes(base, "file")
        assert (base / "file").read_bytes() == b"new"
        assert not (base / "file").is_symlink()
    assert (outside / "file").read_bytes() == b"theirs\n"
    assert not (outside / "missing").exists()


@pytest.mark.parametrize("writes", WRITERS)
def test_a_second_name_of_a_file_elsewhere_is_left_alone(writes: Writes, base: Path, outside: Path) -> None:
    (base / "file").hardlink_to(outside / "file")
    writes(base, "file")
    assert (outside / "file").read_bytes() == b"theirs\n"
    assert (base / "file").read_bytes() == (b"theirs\nmore\n" if writes is append else b"new")
    assert [entry.name for entry in base.iterdir()] == ["file"]


def test_a_fifo_holds_nobody_up(base: Path) -> None:
    os.mkfifo(base / "fifo")
    for opens in (append, rooted.read, rooted.plain, rooted.lock_path):
        with pytest.raises(UnsafePathError, match="no regular file"):
            opens(base, "fifo")
    create(base, "fifo")
    assert (base / "fifo").read_bytes() == b"new"


def test_reading_follows_no_link(base: Path, outside: Path) -> None:
    (base / "file").symlink_to(outside / "file")
    (base / "folder").symlink_to(outside)
    for path in ("file", "folder/file"):
        for opens in (rooted.read, rooted.plain, rooted.lock_path, rooted.status):
            with pytest.raises(UnsafePathError, match="is a link"):
                opens(base, path)


def test_the_base_itself_may_be_a_link(base: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(base)
    for writes in WRITERS:
        writes(tmp_path / "linked", "file")
    assert (base / "file").exists()


def test_removing_a_tree_stops_at_links(base: Path, outside: Path) -> None:
    (base / "tree" / "deep").mkdir(parents=True)
    (base / "tree" / "deep" / "linked").symlink_to(outside)
    (base / "linked").symlink_to(outside)
    rooted.remove_tree(base, "tree")
    rooted.remove_tree(base, "linked")
    assert list(base.iterdir()) == []
    assert (outside / "file").read_bytes() == b"theirs\n"


def test_nothing_leaves_the_base(base: Path) -> None:
    for path in ("../file", "a/../../file", base.parent / "file"):
        with pytest.raises(ValueError, match=r"below|subpath"):
            create(base, path)  # type: ignore[arg-type]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(base: Path) -> None:
    (base / "file").write_bytes(b"old")
    with pytest.raises(RuntimeError), rooted.replacing(base, "file") as file:
        file.write(b"half")
        raise RuntimeError
    assert {entry.name: entry.read_bytes() for entry in base.iterdir()} == {"file": b"old"}


def test_folders_and_files_have_the_modes_that_are_asked_for(base: Path) -> None:
    before = os.umask(0o200)
    try:
        rooted.make_folder(base, "a/b", private=True)
        descriptor, new = rooted.open_append(base, "a/b/file", rooted.PRIVATE)
        os.close(descriptor)
    finally:
        os.umask(before)
    assert new
    modes = {name: stat.S_IMODE((base / name).stat().st_mode) for name in ("a", "a/b", "a/b/file")}
    assert modes == {"a": 0o700, "a/b": 0o700, "a/b/file": 0o600}


def test_a_replaced_file_keeps_its_mode(base: Path) -> None:
    (base / "file").write_bytes(b"old")
    (base / "file").chmod(0o640)
    rooted.write(base, "file", b"new")
    assert stat.S_IMODE((base / "file").stat().st_mode) == 0o640


def test_a_lock_file_with_content_and_another_name_is_refused(base: Path, outside: Path) -> None:
    (base / "full.lock").hardlink_to(outside / "file")
    (outside / "empty").touch()
    (base / "empty.lock").hardlink_to(outside / "empty")
    assert rooted.lock_path(base, "empty.lock") == base / "empty.lock"
    assert rooted.lock_path(base, "new.lock") == base / "new.lock"
    with pytest.raises(UnsafePathError, match="second name"):
        rooted.lock_path(base, "full.lock")


def named_file(path: Path, root: Path) -> None:
    with rooted.writing_named(path, root, parents=True) as file:
        file.write(b"named")


def test_a_named_file_is_the_users_word_until_it_enters_the_project(
    base: Path, outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (base / "linked").symlink_to(outside)
    (base / "linked.html").symlink_to(outside / "file")
    (tmp_path / "way").symlink_to(base)
    for path in (base / "linked" / "a.html", tmp_path / "way" / "linked" / "a.html", base / "linked.html"):
        with pytest.raises(UnsafePathError):
            named_file(path, base)
    (base / "reports").mkdir()
    named_file(tmp_path / "way" / "reports" / "a.html", base)
    assert (base / "reports" / "a.html").read_bytes() == b"named"
    monkeypatch.chdir(base)
    named_file(Path("b.html"), base)
    assert (base / "b.html").read_bytes() == b"named"
    # Elsewhere a link is the user's own.
    (tmp_path / "own.html").symlink_to(outside / "file")
    named_file(tmp_path / "own.html", base)
    assert (outside / "file").read_bytes() == b"named"


def test_a_base_is_the_root_below_it_and_the_folder_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "root"
    assert rooted.base_of(root / "a" / "file", root) == root
    assert rooted.base_of(tmp_path / "data" / "file", root) == tmp_path / "data"


def test_where_a_path_leads(tmp_path: Path) -> None:
    base = tmp_path.resolve()
    (base / "real").mkdir()
    (base / "link").symlink_to("real")
    for name in ("loop", "one", "two"):
        (base / name).symlink_to({"one": "two", "two": "one"}.get(name, name))
    assert rooted.resolved(base / "link" / "new") == base / "real" / "new"
    assert rooted.resolved(base / "link" / ".." / "real") == base / "real"
    for path in (base / "loop", base / "loop" / "x", base / "link" / ".." / "one" / "x"):
        with pytest.raises(OSError, match="symbolic links"):
            rooted.resolved(path)
    with pytest.raises(ValueError, match="null"):
        rooted.resolved(base / "a\0b")
