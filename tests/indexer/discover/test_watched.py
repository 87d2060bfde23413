"""Which folders of a project are watched, and which changes in them matter."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from loregraph.config import load_settings
from loregraph.indexer.discover import watched
from loregraph.indexer.discover.watched import TooManyFoldersError, WatchedTree, watched_tree

KNOWN = ("app.py", "pkg/inner/deep.py", "generated/kept.py")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for path in (*KNOWN, "node_modules/left/index.js", "build-output/out.py", ".loregraph/current", "docs/a.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("", encoding="utf-8")
    (root / "empty" / "still").mkdir(parents=True)
    (root / ".gitignore").write_text("generated/\nbuild-output/\n*.log\nsecret_*.py\n", encoding="utf-8")
    return root


def tree(root: Path, known: tuple[str, ...] = KNOWN) -> WatchedTree:
    return watched_tree(root, load_settings(root), known)


# Verifies REQ-IDX-018.
def test_ignored_folders_and_the_store_are_not_watched(root: Path) -> None:
    assert set(tree(root).folders) == {"", "pkg/", "pkg/inner/", "docs/", "empty/", "empty/still/", "generated/"}


def test_a_store_elsewhere_in_the_project_is_not_watched(root: Path) -> None:
    (root / "kept" / "here").mkdir(parents=True)
    settings = load_settings(root, store="kept")
    assert "kept/" not in watched_tree(root, settings, KNOWN).folders


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside" / "inner").mkdir(parents=True)
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root)
    (root / "generated" / "kept.py").unlink()
    (root / "generated").rmdir()
    (root / "generated").symlink_to(tmp_path / "outside")
    found = tree(root)
    assert {"out/", "loop/", "generated/"}.isdisjoint(found.folders)
    assert all(Path(folder).resolve().is_relative_to(root) for folder in found.absolute())


@pytest.mark.parametrize(
    ("path", "matters"),
    [
        ("app.py", True),
        ("new.py", True),
        ("notes.txt", True),
        ("pyproject.toml", True),
        (".gitignore", True),
        ("pkg/.gitattributes", True),
        ("loregraph.toml", True),
        ("data.bin", False),
        ("run.log", False),
        ("secret_x.py", False),
        ("generated/other.py", False),
        ("generated/kept.py", True),
        ("build-output/out.py", False),
        ("node_modules/left/index.js", False),
        ("tool", True),
        ("data", False),
        ("subfolder", True),
        (".git/index", False),
        (".git/logs/HEAD", True),
    ],
)
def test_only_changes_that_the_indexer_would_see_matter(root: Path, path: str, matters: bool) -> None:
    found = tree(root)
    if path == "subfolder":
        (root / path).mkdir()
    elif not path.startswith(".git/"):
        (root / path).write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    if path == "tool":
        (root / path).chmod(0o755)
    assert found.concerns(path) is matters


def test_what_is_gone_matters_only_if_the_graph_has_it(root: Path) -> None:
    found = tree(root)
    (root / "app.py").unlink()
    assert found.concerns("app.py")
    assert found.concerns("pkg")
    assert not found.concerns("never.py")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_does_not_matter(root: Path) -> None:
    os.mkfifo(root / "pipe.py")
    assert not tree(root).concerns("pipe.py")


def test_excluded_files_do_not_matter(root: Path) -> None:
    (root / "loregraph.toml").write_text('exclude = ["docs/"]\n', encoding="utf-8")
    (root / "docs" / "b.md").write_text("", encoding="utf-8")
    assert not tree(root).concerns("docs/b.md")


def test_new_folders_and_rules_decide_what_is_watched(root: Path) -> None:
    found = tree(root)
    (root / "more").mkdir()
    assert found.decides("more")
    assert found.decides("pkg/.gitignore")
    assert not found.decides("app.py")


def test_paths_elsewhere_are_none_of_it(root: Path, tmp_path: Path) -> None:
    found = tree(root)
    assert found.relative(str(root / "pkg" / "a.py")) == "pkg/a.py"
    assert found.relative(str(tmp_path / "other.py")) is None
    assert found.relative(f"{root}{os.sep}bad\udcff.py") is None


def test_too_many_folders_are_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "MOST_FOLDERS", 3)
    with pytest.raises(TooManyFoldersError, match="3 folders"):
        tree(root)
