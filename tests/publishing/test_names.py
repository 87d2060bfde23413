"""Names of repositories at a place: fit for a path everywhere, and never those of two."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loregraph.errors import UsageError
from loregraph.publishing.names import checked_name, plain_name, repository_name
from tests.conftest import Repository

SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._-]{0,63}){0,7}")
HOSTILE = [
    "../../etc",
    "/etc/passwd",
    "a/../b",
    "a//b",
    "a\\..\\b",
    "C:/x",
    "con",
    "a/NUL.txt",
    "lpt1",
    "_commits",
    "a/_archives",
    ".git",
    "a.",
    "a b",
    "a\u202eb",
    "a\nb",
    "a\0b",
    "a?b",
    "a#b",
    "a*",
    "~/x",
    "",
    "/",
    "x" * 65,
    "/".join("a" * 9),
    "$(touch x)",
]


# Verifies REQ-PUB-007.
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused_where_given_and_replaced_where_derived(name: str) -> None:
    with pytest.raises(UsageError):
        checked_name(name)
    assert SAFE.fullmatch(plain_name(name))
    assert checked_name(plain_name(name))


@given(st.text(max_size=300))
@example("com1/" * 9)
def test_every_derived_name_is_fit(whole: str) -> None:
    assert checked_name(plain_name(whole)) == plain_name(whole)
    assert plain_name(plain_name(whole)) == plain_name(whole)


def test_different_names_stay_different() -> None:
    assert len({plain_name(name) for name in HOSTILE}) == len(HOSTILE)
    assert plain_name("a b") != plain_name("a-b") != plain_name("a?b")
    assert plain_name("github.com/owner/name.py_1-x") == "github.com/owner/name.py_1-x"


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        ("https://user:secret@GitHub.com/Owner/name.git", "github.com/Owner/name"),
        ("git@github.com:Owner/name.git", "github.com/Owner/name"),
        ("ssh://git@example.com:22/a/b/", "example.com/a/b"),
        ("/srv/git/shop.git", "shop"),
        ("file:///srv/git/shop", "shop"),
        ("../shop/.git", "shop"),
    ],
)
def test_the_name_follows_the_remote(repository: Repository, remote: str, name: str) -> None:
    repository.git("config", "remote.origin.url", remote)
    assert repository_name(repository.root) == name
    assert repository_name(repository.root, "mine/own") == "mine/own"


def test_a_hostile_remote_leads_nowhere(repository: Repository) -> None:
    for remote in (
        "https://x/../../../etc",
        "https://x/%2e%2e/%2e%2e",
        "ssh://x/a\\..\\..",
        "git@x:../../../etc",
        "..",
        "::",
    ):
        repository.git("config", "remote.origin.url", remote)
        assert SAFE.fullmatch(repository_name(repository.root)), remote


def test_worktrees_clones_and_folders_within_have_the_name_of_their_repository(repository: Repository) -> None:
    repository.write("web/app.py", "")
    repository.commit()
    other = repository.root.parent / "elsewhere"
    repository.git("worktree", "add", "-q", str(other))
    assert repository_name(repository.root) == repository_name(other) == "repository"
    clone = repository.root.parent / "a-clone"
    repository.git("clone", "-q", str(repository.root), str(clone))
    assert repository_name(clone) == "repository"
    assert repository_name(repository.root / "web") == "repository/web"
