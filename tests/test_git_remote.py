"""Fetching one commit of another repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loregraph.errors import FetchError
from loregraph.git_remote import commit_at, fetch_commit
from tests.conftest import Repository


@pytest.fixture
def origin(repository: Repository) -> Repository:
    repository.write("shop.py", "def total(): ...\n")
    repository.commit("first")
    repository.git("tag", "-a", "v1", "-m", "v1")
    repository.write("shop.py", "def total(): return 1\n")
    repository.commit("second")
    return repository


# Verifies REQ-MNY-002, REQ-MNY-005.
def test_a_branch_a_tag_or_head_is_a_commit(origin: Repository, tmp_path: Path) -> None:
    source, head = str(origin.root), origin.git("rev-parse", "HEAD")
    assert commit_at(source, "", tmp_path) == head
    assert commit_at(source, origin.git("branch", "--show-current"), tmp_path) == head
    assert commit_at(source, "v1", tmp_path) == origin.git("rev-parse", "v1^{commit}") != head
    assert commit_at(source, "a" * 40, tmp_path) == "a" * 40
    with pytest.raises(FetchError, match="has no nowhere"):
        commit_at(source, "nowhere", tmp_path)
    with pytest.raises(FetchError, match="git ls-remote failed"):
        commit_at(str(origin.root / "missing"), "", tmp_path)


# Verifies REQ-MNY-002.
def test_one_commit_is_checked_out_as_it_was_committed(origin: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    older = commit_at(str(origin.root), "v1", tmp_path)
    origin.write("shop.py", "def total(): return 2\n")  # not committed
    fetch_commit(str(origin.root), older, folder)
    assert (folder / "shop.py").read_text() == "def total(): ...\n"
    assert subprocess.check_output(["git", "rev-list", "--count", "HEAD"], cwd=folder, text=True) == "1\n"


# Verifies REQ-MNY-005.
def test_nothing_of_the_repository_runs(origin: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    origin.write(".gitattributes", "*.py filter=lfs\n*.txt filter=evil\n")
    origin.write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ext::touch ' + str(ran) + "\n")
    origin.write("a.txt", "text\n")
    hook = origin.root / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    origin.git("config", "filter.evil.smudge", f"touch {ran}")
    origin.git("config", "uploadpack.packObjectsHook", f"touch {ran};")
    origin.commit("hostile")
    folder = tmp_path / "here"
    folder.mkdir()
    fetch_commit(str(origin.root), commit_at(str(origin.root), "", tmp_path), folder)
    assert (folder / "a.txt").read_text() == "text\n"
    assert not ran.exists()
