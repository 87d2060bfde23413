"""What is asked of the history of a clone."""

from __future__ import annotations

from pathlib import Path

from loregraph.git import run_git


def ancestors(root: Path, commit: str, most: int) -> list[str]:
    """`commit` and the last of its ancestors, at most `most` together, latest first."""
    return _lines(root, "log", "--format=%H", f"--max-count={most}", commit, "--")


def committed_at(root: Path, commit: str) -> int:
    """When a commit was made, in seconds since 1970; 0 where git does not say."""
    times = _lines(root, "log", "-1", "--format=%ct", commit, "--")
    return int(times[0]) if times and times[0].isdigit() else 0


def tips(root: Path) -> set[str]:
    """The commits that branches and tags of the clone point at, and HEAD."""
    return set(_lines(root, "log", "--no-walk", "--branches", "--tags", "--remotes", "--format=%H", "HEAD", "--"))


def is_shallow(root: Path) -> bool:
    """Whether the clone has only a part of its history."""
    return _lines(root, "rev-parse", "--is-shallow-repository") == ["true"]


def _lines(root: Path, *words: str) -> list[str]:
    return (run_git(root, *words) or b"").decode("ascii", "replace").split()
