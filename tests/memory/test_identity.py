"""Who asks, and about which project: from the configuration, from git, from folders."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from loregraph.config import Settings
from loregraph.errors import UsageError
from loregraph.memory.identity import Identity, remote_name, slug_of


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def identity(root: Path, **settings: str) -> Identity:
    return Identity(root, Settings(**settings))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("git@github.com:org/My.Repo.git", "My.Repo"),
        ("https://example.org/org/shop/", "shop"),
        ("/srv/git/shop.git", "shop"),
        (r"C:\git\shop", "shop"),
        ("host:shop", "shop"),
        ("", ""),
        ("/srv/shop/.", "shop"),
        ("/srv/shop/.git", "shop"),
        (".", ""),
        ("..", ""),
        ("../..", ""),
        ("git@github.com:org/42.git", "42"),
    ],
)
def test_the_name_of_a_remote(url: str, name: str) -> None:
    assert remote_name(url) == name


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("My.Repo", "my-repo"),
        ("2048-game", "game"),
        ("_x", "x"),
        ("проект", ""),
        ("a" * 80, "a" * 63),
        ("a (copy)", "a-copy"),
    ],
)
def test_slugs(name: str, slug: str) -> None:
    assert slug_of(name) == slug


def test_the_configured_id_comes_before_the_remote_and_that_before_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "Some Folder"
    root.mkdir()
    assert identity(root).project_id == "some-folder"
    git(root, "init", "-q")
    assert identity(root).project_id == "some-folder"
    other = tmp_path / "Other Folder"
    other.mkdir()
    git(other, "init", "-q")
    git(other, "remote", "add", "origin", "git@example.org:org/The-Shop.git")
    assert identity(other).project_id == "the-shop"
    assert identity(other, project_id="mine").project_id == "mine"


def test_a_project_keeps_its_journal_when_it_gets_a_remote(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q")
    assert identity(root).project_id == "shop"
    git(root, "remote", "add", "origin", "git@example.org:org/The-Store.git")
    assert identity(root).project_id == "shop"
    clone = tmp_path / "clone"
    clone.mkdir()
    git(clone, "init", "-q")
    git(clone, "remote", "add", "origin", "https://example.org/org/The-Store")
    assert identity(clone).project_id == "shop"


@pytest.mark.parametrize("name", ["Mine", "2x", "a b", "a" * 64])
def test_a_configured_id_that_does_not_fit_is_refused_with_the_reason(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="project_id"):
        identity(tmp_path, project_id=name).project_id  # noqa: B018


# Verifies REQ-MEM-012.
def test_what_has_no_letter_is_named_by_the_next_that_has_one(tmp_path: Path) -> None:
    main = tmp_path / "shop"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "clone", "-q", ".", "copy")
    assert identity(main / "copy").project_id == "shop"
    games = tmp_path / "games"
    games.mkdir()
    git(games, "init", "-q")
    git(games, "remote", "add", "origin", "https://example.org/org/2048.git")
    assert identity(games).project_id == "games"


def test_without_any_name_the_id_is_made_of_a_hash(tmp_path: Path) -> None:
    roots = [tmp_path / "2048", tmp_path / "42"]
    for root in roots:
        root.mkdir()
    first, second = (identity(root).project_id for root in roots)
    assert first != second and first == identity(roots[0]).project_id
    assert re.fullmatch("project-[0-9a-f]{8}", first) and re.fullmatch("project-[0-9a-f]{8}", second)


# Verifies REQ-SEC-004.
def test_clones_of_a_repository_without_a_name_are_one_project_and_others_are_not(tmp_path: Path) -> None:
    here, there, other = tmp_path / "here", tmp_path / "there", tmp_path / "other" / "here"
    for folder, url in (
        (here, "git@example.org:org/42.git"),
        (there, "https://example.org/org/42"),
        (other, "https://example.org/another/42"),
    ):
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        git(folder, "remote", "add", "origin", url)
    assert identity(here).project_id == identity(there).project_id == "here"
    assert identity(other).project_id != "here"
    shared = {identity(folder, memory_dir="team").project_id for folder in (here, there)}
    assert len(shared) == 1 and shared.pop().startswith("project-"), "the journal's name is the same in all clones"


def test_worktrees_and_clones_share_a_journal(tmp_path: Path, home: Path) -> None:
    main = tmp_path / "shop"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", str(tmp_path / "wt"))
    bare = identity(main).wanted_id
    assert identity(tmp_path / "wt").wanted_id == bare == "shop"
    git(main, "remote", "add", "origin", "https://example.org/org/store.git")
    git(tmp_path, "clone", "-q", str(main), "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", "https://example.org/org/store.git")
    paths = {identity(folder).journal_of("store") for folder in (main, tmp_path / "wt", tmp_path / "clone")}
    assert paths == {home / "memory" / "store.jsonl"}
    assert {identity(folder).project_id for folder in (main, tmp_path / "wt", tmp_path / "clone")} == {"store"}


def test_memory_dir_puts_the_projects_journal_into_the_repository(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    own = identity(root, memory_dir="team")
    assert own.journal_of("shop") == root / "team" / "shop.jsonl"
    assert own.journal_of("other") == home / "memory" / "other.jsonl"
    assert own.user_journal == home / "memory" / "_user.jsonl"


# Verifies REQ-MEM-011.
def test_the_user_is_gits_and_the_author_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert identity(tmp_path).user_id == "ann@example.org"
    assert identity(tmp_path).author == "Ann Lee <ann@example.org>"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("LOGNAME", "account")
    assert identity(tmp_path).user_id == identity(tmp_path).author == "account"
    monkeypatch.setenv("PATH", "")
    assert identity(tmp_path).user_id == "account"


def test_a_hooks_repository_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other, root = tmp_path / "other", tmp_path / "shop"
    for folder in (other, root):
        folder.mkdir()
        git(folder, "init", "-q")
    git(other, "remote", "add", "origin", "https://example.org/wrong.git")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert identity(root).project_id == "shop"
