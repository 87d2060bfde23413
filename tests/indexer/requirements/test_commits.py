"""Commit trailers, on repositories made for the purpose."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import loregraph.orphans
from loregraph.config import load_settings
from loregraph.errors import GitTooSlowError
from loregraph.git import GitRefusal
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.indexer.pipeline import index
from loregraph.indexer.requirements import commits
from loregraph.indexer.requirements.commits import read_history, survivors
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.joining import CommitLink

IDS = compiled(DEFAULT_PATTERN)


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def commit(root: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        path = root / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def repository(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def history(root: Path, before: bytes | None = None) -> tuple[list[CommitLink], bytes | None]:
    hashes = {str(p.relative_to(root)): str(hash(p.read_bytes())) for p in root.rglob("*.py")}
    return read_history(root, IDS, DEFAULT_PATTERN, hashes, before)


def test_lines_that_a_naming_commit_left(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    commit(root, "Begin", a="one\ntwo\nthree\n")
    named = commit(root, "More\n\nImplements: REQ-1, REQ-3..4\nReviewed-by: X-1", a="one\nTWO\nthree\nfour\n")
    commit(root, "Again", a="zero\none\nTWO\nthree\nfour\n")
    evidence = f"commit {named[:12]}: Implements: REQ-1, REQ-3..4"
    links, _ = history(root)
    assert links == [
        CommitLink("a.py", start, end, identity, evidence)
        for start, end in ((3, 3), (5, 5))
        for identity in ("REQ-1", "REQ-3", "REQ-4")
    ]


def test_lines_that_were_changed_since_are_not_theirs(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    commit(root, "Begin\n\nRefs: REQ-1", a="one\ntwo\n")
    (root / "a.py").write_text("one\n2\n")
    links, _ = history(root)
    assert [(link.start_line, link.end_line) for link in links] == [(1, 1)]


def test_history_in_steps_is_history_at_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    before: bytes | None = None
    for step in range(6):
        trailer = f"\n\nSatisfies: REQ-{step}" if step % 2 else ""
        commit(root, f"Step {step}{trailer}", a="\n".join(f"line {n}" for n in range(step + 3)), b=f"b{step}\n")
        if step == 3:
            git(root, "checkout", "-q", "-b", "other", "HEAD~2")
            commit(root, "Elsewhere\n\nVerifies: REQ-77", c="c\n")
            git(root, "checkout", "-q", "-")
            git(root, "merge", "-q", "other")
        links, before = history(root, before)
        assert links == history(root)[0]
    assert {link.id for link in links} == {"REQ-1", "REQ-3", "REQ-5", "REQ-77"}


def test_history_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    commit(root, "Begin", a="one\n")
    commit(root, "Named\n\nImplements: REQ-1", a="one\ntwo\n")
    _, kept = history(root)
    git(root, "commit", "-q", "--amend", "-m", "Not named")
    assert history(root, kept)[0] == []


def test_nothing_is_read_again_while_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r")
    commit(root, "Begin\n\nImplements: REQ-1", a="one\n")
    links, kept = history(root)
    asked: list[str] = []
    real = commits.ask_git

    def watched(folder: Path, arguments: Sequence[str], **options: Any) -> bytes | GitRefusal:
        asked.append(arguments[0])
        return real(folder, arguments, **options)

    monkeypatch.setattr(commits, "ask_git", watched)
    assert history(root, kept) == (links, kept)
    assert asked == ["rev-parse"]


def test_a_history_that_git_has_no_time_for_is_not_kept_as_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r")
    commit(root, "Implements: REQ-1", a="x\n")
    real = loregraph.orphans.run

    def run(command: list[str], **options: Any) -> Any:
        if "log" in command:
            raise subprocess.TimeoutExpired("git", 120)
        return real(command, **options)

    monkeypatch.setattr("loregraph.orphans.run", run)
    with pytest.raises(GitTooSlowError):
        history(root)


def test_what_is_kept_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r")
    for step in range(5):
        commit(root, f"Step\n\nImplements: REQ-{step}", **{f"m{step}": f"{step}\n"})
    monkeypatch.setattr(commits, "MAX_NAMING", 2)
    assert [link.id for link in history(root)[0]] == ["REQ-3", "REQ-4"]
    monkeypatch.setattr(commits, "MAX_FILES", 1)
    assert [link.id for link in history(root)[0]] == ["REQ-3"]


def test_no_repository_no_history(tmp_path: Path) -> None:
    assert history(tmp_path) == ([], None)
    assert history(repository(tmp_path / "empty")) == ([], None)


def test_a_project_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    (root / "inner").mkdir()
    commit(root, "Begin\n\nImplements: REQ-1", **{"inner/a": "one\n", "b": "two\n"})
    assert [link.path for link in history(root / "inner")[0]] == ["a.py"]


lines = st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b""]), max_size=12)


@given(lines, lines)
def test_survivors_are_the_same_lines(then: list[bytes], now: list[bytes]) -> None:
    found = list(survivors(then, now, [(1, len(then))]))
    places = [line for start, end in found for line in range(start, end + 1)]
    assert places == sorted(set(places))
    assert all(now[line - 1] in then and now[line - 1] for line in places)


@given(lines)
def test_what_is_unchanged_survives(then: list[bytes]) -> None:
    places = [line for start, end in survivors(then, then, [(1, len(then))]) for line in range(start, end + 1)]
    assert places == [number for number, line in enumerate(then, 1) if line]


def test_moved_around_insertions_and_removals() -> None:
    then = b"a b c d e f g".split()
    now = b"x a b y d e e2 g".split()
    assert list(survivors(then, now, [(1, 7)])) == [(2, 3), (5, 6), (8, 8)]


def test_a_new_commit_changes_the_graph_of_the_next_run(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    (root / "requirements.md").write_text("# Requirements\n\n- REQ-1: It shall run.\n- REQ-2: It shall stop.\n")
    commit(root, "Begin", a="def f():\n    return 1\n")

    def joined(store: str) -> list[tuple[str, str, str]]:
        index(root, load_settings(root, store=str(tmp_path / store)), jobs=1, embed=False)
        with StoreFolder(tmp_path / store).lease() as lease:
            columns = GraphColumns(lease.path)
            return [(e.source, e.target, e.evidence) for e in columns.all_edges() if e.rel == "IMPLEMENTS_REQ"]

    assert joined("store") == []
    (root / "a.py").write_text("def f():\n    return 2\n")
    assert joined("store") == []
    named = commit(root, "Change\n\nRequirement: REQ-1")
    evidence = f"commit {named[:12]}: Requirement: REQ-1"
    assert joined("store") == joined("fresh") == [("a.py::f", "REQ-1", evidence)]
    (root / "a.py").write_text("# prose\n\ndef f():\n    return 2\n")
    assert joined("store") == [("a.py::f", "REQ-1", evidence)]
    (root / "a.py").write_text("def f():\n    return 3\n")
    assert joined("store") == []
