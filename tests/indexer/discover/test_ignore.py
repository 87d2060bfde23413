"""Our reading of .gitignore is git's: the same random trees and rules, asked of both."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from loregraph.indexer.discover.ignore import parse_rules
from loregraph.indexer.discover.walk import walk
from loregraph.indexer.problems import PathProblem

NAMES = ("a", "b", "ab", "x.py", "y.pyc", "a.b.c", "#x", "!y", "b c")
RULES = (
    "a", "b/", "/a", "a/b", "*.py", "*.b.c", "*.c", "!a", "!b/", "!x.py", "**/a", "a/**", "a/**/b", "a/*", "/*", "!/a",
    "[ab]", "?", "*", "!*/", "\\#x", "\\!y", "#x", "", "  ", "a ", "b\\ c", "a*", "*b", "!a/x.py", "/b/",
    "!", "\\", "a//b",
    "[", "x.p[!y]", "*.py/", ".py", "a/", "!a/", "[[:alpha:]]", "[^a]*", "[]a]", "**/b/", "a**b",
    "***", "/**/b", "x/**/", "**/", "[z-a]", "a?", "a/b/", "\\a", "**", "!y.pyc",
)  # fmt: skip

git = shutil.which("git")


def _git(base: Path) -> set[str]:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    out = subprocess.run(command, cwd=base, env=environment, capture_output=True, check=True).stdout.decode()
    return set(out.split("\0")) - {""}


tree = st.sets(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join), min_size=1, max_size=12)
rules = st.lists(st.sampled_from(RULES), max_size=5).map("\n".join)


@pytest.mark.skipif(git is None, reason="asks git")
@settings(max_examples=60, deadline=None)
@given(tree, rules, rules)
@example({"a/a"}, "a/*", "!a")
@example({"a/a", "a/x.py", "b"}, "a/*\n!a/x.py", "")
def test_the_walk_finds_what_git_finds(paths: set[str], outer: str, inner: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        subprocess.run(["git", "init", "-q", name], check=True)
        (base / ".gitignore").write_text(outer)
        for path in sorted(paths):
            file = base / path
            if not any(parent.is_file() for parent in file.parents) and not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("")
        if (base / "a").is_dir():
            (base / "a" / ".gitignore").write_text(inner)
        problems: list[PathProblem] = []
        assert set(walk(base, problems, rules_above=False)) == _git(base)
        assert problems == []


def test_last_rule_decides() -> None:
    found = parse_rules("*.log\n!keep.log\nkeep.log/\n", "")
    assert found is not None
    assert found.decide("a.log", "a.log", is_folder=False) is True
    assert found.decide("keep.log", "keep.log", is_folder=False) is False
    assert found.decide("keep.log", "keep.log", is_folder=True) is True
    assert found.decide("a.txt", "a.txt", is_folder=False) is None


@pytest.mark.parametrize("rule", ["a/*", "a/**", "/a/*", "**/a/*"])
def test_all_that_is_in_a_folder_is_not_the_folder(rule: str) -> None:
    """`a/*` and then `!a/keep`: the folder is entered."""
    found = parse_rules(f"{rule}\n!a/keep\n", "")
    assert found is not None
    assert found.decide("a", "a", is_folder=True) is None
    assert found.decide("a/x", "x", is_folder=False) is True
    assert found.decide("a/b", "b", is_folder=True) is True
    assert found.decide("a/keep", "keep", is_folder=False) is False


def test_rules_of_nothing() -> None:
    assert parse_rules("\ufeff# only a comment\n\n", "") is None
