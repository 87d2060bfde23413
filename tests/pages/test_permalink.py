"""Addresses on the host of a repository, and in editors."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath
from typing import get_args, get_type_hints

import pytest

from loregraph.config import ViewSettings
from loregraph.pages.editors import NAMES, NO_EDITOR, editor_link
from loregraph.pages.permalink import repository

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("git@github.com:team/shop.git", f"https://github.com/team/shop/blob/{COMMIT}/a%20b/c.py#L3-L9"),
        ("https://github.com/team/shop", f"https://github.com/team/shop/blob/{COMMIT}/a%20b/c.py#L3-L9"),
        ("ssh://git@gitlab.com/a/b/shop.git", f"https://gitlab.com/a/b/shop/-/blob/{COMMIT}/a%20b/c.py#L3-9"),
        (
            "ssh://git@gitlab.shop.example:2222/a/shop.git",
            f"https://gitlab.shop.example/a/shop/-/blob/{COMMIT}/a%20b/c.py#L3-9",
        ),
        ("git@bitbucket.org:team/shop.git", f"https://bitbucket.org/team/shop/src/{COMMIT}/a%20b/c.py#lines-3:9"),
        ("https://codeberg.org/a/shop.git", f"https://codeberg.org/a/shop/src/commit/{COMMIT}/a%20b/c.py#L3-L9"),
        ("git@git.sr.ht:~me/shop", f"https://git.sr.ht/~me/shop/tree/{COMMIT}/item/a%20b/c.py#L3-9"),
    ],
)
def test_lines_have_an_address_on_each_host(remote: str, address: str) -> None:
    known = repository(remote)
    assert known is not None
    assert known.file(COMMIT, "a b/c.py", 3, 9) == address
    assert known.file(COMMIT, "a b/c.py") == address.partition("#")[0]


def test_credentials_are_dropped() -> None:
    known = repository("https://me:ghp_secret@github.com/team/shop.git")
    assert known is not None
    assert known.address == "https://github.com/team/shop"


@pytest.mark.parametrize(
    "remote",
    [
        "",
        "javascript:alert(1)",
        "javascript://github.com/a/b",
        "data:text/html,x",
        "file:///etc/passwd",
        "/srv/git/shop",
        "ext::sh -c evil",
        "https://github.com/a/b\nhttps://evil.example/x",
        "https://github.com/a\u202e/b",
        "https://github.com/a/<script>",
        'https://github.com/a/b"onclick="x',
        "https://github.com/../b",
        "https://github.com/a",
        "https://github.com\\@evil.example/a/b",
        "https://evil.example/github.com/a/b",
        "https://notgithub.com/a/b",
        "https://github.com:x@evil.example/a/b",
        "-oProxyCommand=x:a/b",
        "git@github.com:" + "a/" * 400 + "b",
    ],
)
def test_other_remotes_have_none(remote: str) -> None:
    assert repository(remote) is None


def test_a_revision_that_is_no_commit_has_no_address() -> None:
    known = repository("git@github.com:team/shop.git")
    assert known is not None
    assert known.file("main", "a.py") == ""
    assert known.commit("../..") == ""
    assert known.commit(COMMIT) == f"https://github.com/team/shop/commit/{COMMIT}"


def test_every_editor_of_the_settings_has_a_link_but_none() -> None:
    known = set(get_args(get_type_hints(ViewSettings)["editor"]))
    assert known == {*NAMES, NO_EDITOR}
    for editor in NAMES:
        scheme = editor_link(editor, Path("/src/a b#c.py"), 3).partition(":")[0]
        assert scheme in (editor, "subl")
        assert "/src/a%20b%23c.py" in editor_link(editor, Path("/src/a b#c.py"), 3)
    assert editor_link(NO_EDITOR, Path("/a.py"), 3) == ""
    assert editor_link("javascript", Path("/a.py"), 3) == ""


def test_a_link_names_the_line() -> None:
    assert editor_link("vscode", Path("/a.py"), 3) == "vscode://file/a.py:3"
    assert editor_link("idea", Path("/a&line=9.py"), 0) == "idea://open?file=/a%26line%3D9.py&line=1"
    assert editor_link("vscode", PureWindowsPath("C:\\a.py"), 1) == "vscode://file/C%3A/a.py:1"  # type: ignore[arg-type]
