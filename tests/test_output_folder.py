"""Folders that an export fills."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph import output_folder
from loregraph.errors import InTheWayError, UnsafePathError, UsageError


def fill(path: Path, root: Path, **files: str) -> None:
    with output_folder.filling(path, root) as folder:
        for name, text in files.items():
            folder.write(name.replace("__", "/") + ".txt", text.encode())


def content(path: Path) -> dict[str, str]:
    files = (file for file in path.rglob("*") if file.is_file() and file.name != output_folder.MANIFEST)
    return {file.relative_to(path).as_posix(): file.read_text() for file in sorted(files)}


@pytest.fixture(params=["inside", "outside"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A folder for exports and the root of a project, one in the other or beside it."""
    root = tmp_path / "project"
    root.mkdir()
    return (root if request.param == "inside" else tmp_path) / "public" / "site", root


# Verifies REQ-SEC-005.
def test_a_second_export_replaces_the_first_and_removes_what_it_no_longer_has(place: tuple[Path, Path]) -> None:
    site, root = place
    fill(site, root, index="1", files__a="a", files__deep__b="b")
    assert content(site) == {"index.txt": "1", "files/a.txt": "a", "files/deep/b.txt": "b"}
    fill(site, root, index="2", files__a="a")
    assert content(site) == {"index.txt": "2", "files/a.txt": "a"}
    assert sorted(path.name for path in site.iterdir()) == ["files", "index.txt", output_folder.MANIFEST]
    assert not (site / "files" / "deep").exists()


def test_the_same_files_leave_the_same_bytes(place: tuple[Path, Path]) -> None:
    site, root = place
    fill(site, root, b="b", a="a")
    first, time = (site / output_folder.MANIFEST).read_bytes(), (site / "a.txt").stat().st_mtime_ns
    fill(site, root, a="a", b="b")
    assert (site / output_folder.MANIFEST).read_bytes() == first
    assert (site / "a.txt").stat().st_mtime_ns == time, "an unchanged file was written again"


# Verifies REQ-SEC-005.
def test_a_folder_with_other_files_is_refused(place: tuple[Path, Path]) -> None:
    site, root = place
    site.mkdir(parents=True)
    (site / "thesis.txt").write_text("years of work")
    with pytest.raises(InTheWayError, match=r"thesis\.txt"):
        fill(site, root, index="1")
    assert content(site) == {"thesis.txt": "years of work"}


def test_files_of_version_control_and_of_pages_hosts_stay(place: tuple[Path, Path]) -> None:
    site, root = place
    site.mkdir(parents=True)
    (site / ".nojekyll").write_text("")
    fill(site, root, index="1")
    (site / "CNAME").write_text("example.org")
    fill(site, root, index="2")
    assert content(site) == {"index.txt": "2", ".nojekyll": "", "CNAME": "example.org"}


# Verifies REQ-SEC-005.
def test_a_file_that_was_changed_is_neither_overwritten_nor_removed(place: tuple[Path, Path]) -> None:
    site, root = place
    fill(site, root, index="1", old="old")
    (site / "old.txt").write_text("changed by hand")
    fill(site, root, index="1")
    assert content(site) == {"index.txt": "1", "old.txt": "changed by hand"}
    with pytest.raises(InTheWayError, match=r"old\.txt"):
        fill(site, root, index="2", old="new")
    assert content(site) == {"index.txt": "1", "old.txt": "changed by hand"}


def test_an_export_that_fails_leaves_the_last_one(place: tuple[Path, Path]) -> None:
    site, root = place
    fill(site, root, index="1")
    with pytest.raises(ZeroDivisionError), output_folder.filling(site, root) as folder:
        folder.write("index.txt", b"2")
        raise ZeroDivisionError
    assert content(site) == {"index.txt": "1"}
    assert sorted(path.name for path in site.iterdir()) == ["index.txt", output_folder.MANIFEST]


def test_what_an_export_left_that_was_killed_is_removed(place: tuple[Path, Path]) -> None:
    site, root = place
    (site / ".loregraph-export-abc" / "files").mkdir(parents=True)
    (site / ".loregraph-export-abc" / "files" / "a.txt").write_text("half")
    fill(site, root, index="1")
    assert sorted(path.name for path in site.iterdir()) == ["index.txt", output_folder.MANIFEST]


def test_an_export_that_was_killed_while_its_files_were_moved_can_be_repeated(
    place: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, root = place
    fill(site, root, a="1", b="1", c="1")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(output_folder, "_remove", killed)
        fill(site, root, a="2", b="2")
    assert content(site) == {"a.txt": "2", "b.txt": "2", "c.txt": "1"}
    fill(site, root, a="3")
    assert content(site) == {"a.txt": "3"}


# Verifies REQ-SEC-001.
def test_no_link_is_followed(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (root / "public").symlink_to(elsewhere)
    with pytest.raises(UnsafePathError):
        fill(root / "public" / "site", root, index="1")
    (root / "site").mkdir()
    (root / "site" / output_folder.MANIFEST).write_text('{"files": {"files/a.txt": ""}}')
    (root / "site" / "files").symlink_to(elsewhere)
    with pytest.raises(InTheWayError):
        fill(root / "site", root, files__a="a")
    (root / "site" / "index.txt").symlink_to(elsewhere / "index.txt")
    with pytest.raises(InTheWayError):
        fill(root / "site", root, index="1")
    assert list(elsewhere.iterdir()) == []


# Verifies REQ-SEC-005.
@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", ".git/config", "a//b", "a\\\\b", "c:x"])
def test_a_manifest_that_names_anything_else_is_not_believed(tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secret.txt").write_text("kept")
    (site / output_folder.MANIFEST).write_text(f'{{"files": {{"{name}": "00"}}}}')
    with pytest.raises(InTheWayError):
        fill(site, tmp_path / "project", index="1")
    assert (tmp_path / "secret.txt").read_text() == "kept"


def test_names_that_leave_the_folder_are_refused(tmp_path: Path) -> None:
    with output_folder.filling(tmp_path / "site", tmp_path / "project") as folder:
        for name in ("../up.html", "/up.html", ".git/up.html", "a/../up.html", output_folder.MANIFEST, ""):
            with pytest.raises(ValueError, match="no name of a file"):
                folder.write(name, b"")


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file")
    with pytest.raises(UsageError, match="cannot be written"):
        fill(tmp_path / "site", tmp_path / "project", index="1")
