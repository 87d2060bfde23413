"""Finds the repository of a folder, and checks that it belongs to the folder.

A `.git` may point elsewhere: in linked worktrees and submodules to their own git folders. An archive can contain one
that points to any repository on the machine, whose files and history would then be read as if they belonged to the
archive. An outside git folder is trusted only if it names the folder in turn, as git does for worktrees and submodules.
Users of `--separate-git-dir` have to add that reference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loregraph import rooted

_MAX_POINTER: Final = 8_192
_MAX_CONFIG: Final = 1_000_000
_WORKTREE: Final = re.compile(rb"(?im)^[ \t]*worktree[ \t]*=([^\r\n]*)")
_HEAD: Final = re.compile(rb"ref:[ \t\r\n]*refs/|[0-9a-fA-F]{40}")
_UNREAD: Final = frozenset(("hooks", "lfs", "rr-cache"))
"""Folders that users link to a common place, and that no subcommand used here reads."""


@dataclass(frozen=True, slots=True)
class Place:
    """A work tree: the folder that contains `.git`."""

    top: Path


@dataclass(frozen=True, slots=True)
class NoPlace:
    """The reason why there is no usable repository; "" where there is none at all."""

    reason: str


def holder(folder: Path) -> Path | None:
    """The nearest folder, from `folder` up without links as git goes, with an entry called `.git`."""
    folder = _real(folder) or folder
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), None)


# Implements REQ-SEC-006.
def place_of(folder: Path) -> Place | NoPlace:
    """The work tree around `folder`, where its repository is its own."""
    top = holder(folder)
    if top is None:
        return NoPlace("")
    inner = _git_folder(top)
    if inner is None or _HEAD.match(_start(inner / "HEAD", _MAX_POINTER)) is None:
        # git reports the error. It must not search further up, but its option for that does not accept such a name.
        return NoPlace(f"not a git repository: {top / '.git'}") if os.pathsep in str(top.parent) else Place(top)
    common = _common(inner)
    if not inner.is_relative_to(top) and not _names(inner, top):
        return NoPlace(
            f"{top / '.git'} leads to {inner}, which does not name this folder (it does after `git worktree repair`,"
            " or with core.worktree in its settings)"
        )
    if common not in (inner, inner.parent.parent) or (common != inner and inner.parent.name != "worktrees"):
        return NoPlace(f"{inner / 'commondir'} leads to {common}, which is not the repository that it lies in")
    for path in (link for base in {inner, common} for link in _links(base)):
        if not _leads_within(path, (common, inner, top)):
            return NoPlace(f"{path} is a link that leads out of the repository")
    return Place(top)


def _links(base: Path) -> list[Path]:
    try:
        with os.scandir(base) as entries:
            return sorted(base / entry.name for entry in entries if entry.is_symlink() and entry.name not in _UNREAD)
    except OSError:  # git reports it
        return []


def _git_folder(top: Path) -> Path | None:
    """The target of `.git` in `top`, without links; None where it is not a folder."""
    path = top / ".git"
    if path.is_file():
        words = _start(path, _MAX_POINTER).strip(b"\r\n")
        if not words.startswith(b"gitdir: "):
            return None
        path = top / os.fsdecode(words.removeprefix(b"gitdir: "))
    real = _real(path)
    return real if real is not None and real.is_dir() else None


def _common(inner: Path) -> Path:
    """The git folder with the objects and settings of `inner`: itself, except for a worktree."""
    words = _start(inner / "commondir", _MAX_POINTER).strip(b"\r\n")
    return (_real(inner / os.fsdecode(words)) or inner) if words else inner


def _names(inner: Path, top: Path) -> bool:
    """Whether the git folder `inner` names `top` as its work tree."""
    back = _start(inner / "gitdir", _MAX_POINTER).strip(b"\r\n")
    if back and _real((inner / os.fsdecode(back)).parent) == top:
        return True
    for file in ("config.worktree", "config"):
        for found in _WORKTREE.finditer(_start(inner / file, _MAX_CONFIG)):
            value = os.fsdecode(found[1]).strip().strip('"')
            if value and _real(inner / value) == top:
                return True
    return False


def _leads_within(path: Path, folders: Iterable[Path]) -> bool:
    real = _real(path)
    return real is not None and any(real.is_relative_to(one) for one in folders)


def _start(path: Path, most: int) -> bytes:
    """At most `most` bytes of a regular file; b"" where there is no readable one. A pipe would block."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return b""


def _real(path: Path) -> Path | None:
    try:
        return rooted.resolved(path)
    except (OSError, ValueError):  # a loop of links, a NUL
        return None
