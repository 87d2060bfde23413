"""Our reading of .gitignore is git's, in its files and in a list of patterns: the same random trees, asked of both."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from loregraph.ignore_rules import IgnoreRules, add_rule, matcher, parse_rules
from loregraph.indexer.discover.walk import walk
from loregraph.indexer.problems import PathProblem

NAMES = ("a", "b", "ab", "x.py", "y.pyc", "a.b.c", "#x", "!y", "b c")
RULES = (
    "a", "b/", "/a", "a/b", "*.py", "*.b.c", "*.c", "!a", "!b/", "!x.py", "**/a", "a/**", "a/**/b", "a/*", "/*", "!/a",
    "[ab]", "?", "*", "!*/", "\\#x", "\\!y", "#x", "", "  ", "a ", "b\\ c", "a*", "*b", "!a/x.py", "/b/",
    "!", "\\", "a//b",
    "[", "x.p[!y]", "*.py/", ".py", "a/", "!a/", "[[:alpha:]]", "[^a]*", "[]a]", "**/b/", "a**b",
    "[[:alpha:]", "[[:none:]]", "[[:alpha:]_]*", "[[a]", "[a-b]", "[]-b]", "[#-a]", "[a\\]b]", "[!#-a]*", "a\\  ",
    "a\\\\ ", "b c", "#*", "[a-]", "[-a]b", "[a&&b]", "[+--]b", "[a||b]", "***", "/**/b", "x/**/", "**/",
    "[z-a]", "a?", "a/b/", "\\a", "**", "!y.pyc",
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


def _checked_out(base: Path, paths: set[str], lines: str) -> set[str]:
    """What of a commit git checks out when its sparse checkout has these patterns: another list of them than
    .gitignore, read the same way, of which git takes back also what is in a folder that it left out."""

    def run(*words: str, text: str = "") -> str:
        return subprocess.run(["git", *words], cwd=base, input=text, capture_output=True, check=True, text=True).stdout

    run("init", "-q", ".")
    empty = run("hash-object", "-w", "--stdin").strip()
    run("update-index", "--index-info", text="".join(f"100644 {empty}\t{path}\n" for path in sorted(paths)))
    run("config", "core.sparseCheckout", "true")
    (base / ".git" / "info").mkdir(exist_ok=True)
    (base / ".git" / "info" / "sparse-checkout").write_text(f"{lines}\n")
    run("sparse-checkout", "reapply")
    return {entry[2:] for entry in run("ls-files", "-t", "-z").split("\0") if entry.startswith("H ")}


@pytest.mark.skipif(git is None, reason="asks git")
@settings(max_examples=40, deadline=None)
@given(tree, st.lists(st.sampled_from(RULES), min_size=1, max_size=5))
@example({"a/a", "a/b/x.py", "a/b/ab", "b"}, ["a/", "!a/b/", "*.py"])
@example({"a/x.py/b", "x.py/b c/ab", "a"}, ["[[:alpha:]]", "!*/", "*.py"])
@example({"a/x.py/b/ab"}, ["/**/b", "!/a"])
def test_patterns_of_a_configuration_choose_what_git_checks_out(paths: set[str], lines: list[str]) -> None:
    files = {path for path in paths if not any(other.startswith(f"{path}/") for other in paths)}
    found = IgnoreRules("")
    for line in lines:
        add_rule(found, line)
    matches = matcher(found)
    with tempfile.TemporaryDirectory() as name:
        assert {path for path in files if matches(path)} == _checked_out(Path(name), files, "\n".join(lines))


@pytest.mark.parametrize("line", ["!", "/", "\\", "[a", "[z-a]", "[[:none:]]"])
def test_what_is_no_pattern(line: str) -> None:
    rules = IgnoreRules("")
    assert add_rule(rules, line) is False
    assert rules.count == 0


@pytest.mark.parametrize(
    ("line", "name"), [("a  ", "a"), ("a\\  ", "a "), ("a\\\\ ", "a\\"), ("a\x0b", "a\x0b"), ("a\r", "a")]
)
def test_only_spaces_that_are_not_escaped_are_no_part_of_a_pattern(line: str, name: str) -> None:
    found = parse_rules(f"{line}\nb", "")
    assert found is not None
    assert found.decide(name, name, is_folder=False) is True


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
