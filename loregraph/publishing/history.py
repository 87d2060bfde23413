"""What is asked of the history of a clone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from loregraph.git import run_git

_SCRIPTED: Final = 1000
"""Commits that are looked at for those of one second."""


def ancestors(root: Path, commit: str, most: int) -> list[str]:
    """`commit` and the last of its ancestors, at most `most` together, latest first."""
    return _lines(root, "log", "--format=%H", f"--max-count={most}", commit, "--")


def committed_at(root: Path, commit: str) -> tuple[int, int]:
    """When a commit was made, in seconds since 1970, and how many of its last ancestors were in the same second, which
    scripts do; (0, 0) where git does not say."""
    times = _lines(root, "log", "--format=%ct", f"--max-count={_SCRIPTED}", commit, "--")
    if not times or not times[0].isdigit():
        return 0, 0
    return int(times[0]), times.count(times[0]) - 1


def tips(root: Path) -> set[str]:
    """The commits that branches and tags of the clone point at, and HEAD."""
    return set(_lines(root, "log", "--no-walk", "--branches", "--tags", "--remotes", "--format=%H", "HEAD", "--"))


def is_shallow(root: Path) -> bool:
    """Whether the clone has only a part of its history."""
    return _lines(root, "rev-parse", "--is-shallow-repository") == ["true"]


def _lines(root: Path, *words: str) -> list[str]:
    return (run_git(root, *words) or b"").decode("ascii", "replace").split()
