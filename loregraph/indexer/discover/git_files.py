"""Lists the files of a folder with git."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from loregraph.git import GitRefusal, ask_git, in_repository
from loregraph.indexer.discover.walk import is_linked_worktree
from loregraph.indexer.problems import PathProblem

_LIST: Final = ("ls-files", "-z", "--cached", "--stage", "--others", "--exclude-standard")
_MAX_NESTING: Final = 8
_STAGE: Final = re.compile(rb"(?:(?<=\0)|^)[0-7]{6} [0-9a-f]{40,64} [0-3]\t")
"""What `--stage` prints before the path of a tracked file: mode, object, merge stage."""
_SUBMODULE: Final = re.compile(rb"(?:(?<=\0)|^)160000 [0-9a-f]{40,64} [0-3]\t([^\0]*)")


def git_files(base: Path, problems: list[PathProblem]) -> list[str] | GitRefusal:
    """Paths relative to `base` that git tracks, or neither tracks nor ignores; including submodules and nested
    repositories, but not linked worktrees. Names that are not UTF-8 become problems. A path may be a folder or be
    missing on disk. Raises GitTooSlowError."""
    if not in_repository(base):
        return GitRefusal("")
    return _list(base, "", problems, 0)


def _list(base: Path, prefix: str, problems: list[PathProblem], depth: int) -> list[str] | GitRefusal:
    answer = ask_git(base / prefix, _LIST)
    if isinstance(answer, GitRefusal):
        answer.raise_if_late()
        return answer
    submodules = frozenset(_decoded(b"\0".join(_SUBMODULE.findall(answer)), prefix, []))
    # Unmerged files are listed once per stage.
    names = dict.fromkeys(_decoded(_STAGE.sub(b"", answer), prefix, problems))
    return _with_nested(base, prefix, names, submodules, problems, depth)


def _decoded(listing: bytes, prefix: str, problems: list[PathProblem]) -> list[str]:
    try:
        names = listing.decode("utf-8").split("\0")
    except UnicodeDecodeError:
        names = []
        for raw in listing.split(b"\0"):
            try:
                names.append(raw.decode("utf-8"))
            except UnicodeDecodeError:
                shown = prefix + raw.decode("utf-8", "backslashreplace")
                problems.append(PathProblem(shown, 0, "the file's name is not UTF-8; left out"))
    return [name for name in names if name]


def _with_nested(
    base: Path,
    prefix: str,
    names: dict[str, None],
    submodules: frozenset[str],
    problems: list[PathProblem],
    depth: int,
) -> list[str]:
    """`names` with each folder among them, a submodule or nested repository, replaced by its files."""
    found: list[str] = []
    for name in names:
        path = prefix + name
        # An untracked repository ends in a slash.
        if not name.endswith("/") and name not in submodules:
            found.append(path)
            continue
        folder = path.rstrip("/") + "/"
        if not (base / folder / ".git").exists() or (base / path.rstrip("/")).is_symlink() or depth >= _MAX_NESTING:
            continue  # declared but not checked out
        if is_linked_worktree(base / folder):
            continue
        inner = _list(base, folder, problems, depth + 1)
        if isinstance(inner, GitRefusal):
            problems.append(PathProblem(folder.rstrip("/"), 0, f"git cannot list the files: {inner.reason}"))
        else:
            found.extend(inner)
    return found
