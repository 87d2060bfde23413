"""Asking git for the files of a folder."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Final

from msgspec import Struct

from loregraph.indexer.problems import PathProblem

_TIMEOUT_SECONDS: Final = 60
_LOCATION: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)
"""Set while a git hook runs, and then about that hook's repository, not the one asked here."""
_MAX_NESTING: Final = 8
_STAGE: Final = re.compile(rb"(?:(?<=\0)|^)[0-7]{6} [0-9a-f]{40,64} [0-3]\t")
"""What `--stage` puts before the path of a tracked file: mode, object, side of a merge."""
_SUBMODULE: Final = re.compile(rb"(?:(?<=\0)|^)160000 [0-9a-f]{40,64} [0-3]\t([^\0]*)")


class GitRefusal(Struct, frozen=True):
    """git did not answer. `reason` is "" where there is no repository to ask it about."""

    reason: str


def git_files(base: Path, problems: list[PathProblem]) -> list[str] | GitRefusal:
    """Paths beneath `base` that git tracks, or does not track and does not ignore; submodules and nested repositories
    included. Names that are not UTF-8 become problems. The same path may be a folder or be gone from the disk.
    """
    if not _in_repository(base):
        return GitRefusal("")
    return _list(base, "", problems, 0)


def _in_repository(base: Path) -> bool:
    return any((folder / ".git").exists() for folder in (base, *base.parents))


def _list(base: Path, prefix: str, problems: list[PathProblem], depth: int) -> list[str] | GitRefusal:
    environment = {key: value for key, value in os.environ.items() if key not in _LOCATION}
    # No locks and no file-system monitor: listing writes nothing and runs nothing that the repository configures.
    environment.update(GIT_OPTIONAL_LOCKS="0", LC_ALL="C")
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--stage", "--others"]
    command.append("--exclude-standard")
    try:
        done = subprocess.run(
            command,
            cwd=base / prefix,
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        return GitRefusal("git is not installed")
    except (OSError, subprocess.TimeoutExpired) as error:
        return GitRefusal(str(error))
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return GitRefusal(lines[0].removeprefix("fatal: ") if lines else f"exit code {done.returncode}")
    submodules = frozenset(_decoded(b"\0".join(_SUBMODULE.findall(done.stdout)), prefix, []))
    # Unmerged files are listed once a side.
    names = dict.fromkeys(_decoded(_STAGE.sub(b"", done.stdout), prefix, problems))
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
    """`names` with each folder among them, a submodule or another repository, replaced by the files in it."""
    found: list[str] = []
    for name in names:
        path = prefix + name
        # An untracked repository ends in a slash.
        if not name.endswith("/") and name not in submodules:
            found.append(path)
            continue
        folder = path.rstrip("/") + "/"
        if not (base / folder / ".git").exists() or (base / path.rstrip("/")).is_symlink() or depth >= _MAX_NESTING:
            continue  # declared and not checked out
        inner = _list(base, folder, problems, depth + 1)
        if isinstance(inner, GitRefusal):
            problems.append(PathProblem(folder.rstrip("/"), 0, f"git cannot list the files: {inner.reason}"))
        else:
            found.extend(inner)
    return found
