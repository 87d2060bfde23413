"""What a repository is called at a place."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final

from loregraph.errors import UsageError
from loregraph.git import run_git
from loregraph.memory.claims import normalised
from loregraph.memory.identity import remote_name

MOST_PARTS: Final = 8
MOST_LENGTH: Final = 64
"""Maximum length of a part of a name: object names are limited to 1,024 bytes."""
_PART: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""Names that Windows reads as devices, whatever follows the dot."""
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


def checked_name(name: str) -> str:
    """`name`, given by the user, if it is fit to be a path everywhere. Raises UsageError for any other."""
    parts = name.split("/")
    if len(parts) > MOST_PARTS or not all(map(_is_plain, parts)):
        raise UsageError(
            f"{name!a} is no name for a published repository",
            "parts of letters, digits, dots, dashes and underscores, separated by /, as github.com/owner/name",
        )
    return name


def _is_plain(part: str) -> bool:
    return bool(_PART.fullmatch(part)) and not part.endswith(".") and not _DEVICES.fullmatch(part)


# Implements REQ-PUB-007.
def repository_name(root: Path, given: str = "") -> str:
    """The name that a repository is published under: `given`, else `host/path` of its remote `origin`, of one on this
    machine the last part only, else the name of the folder; with the folder within the repository where `root` is not
    all of it.

    What is not fit for a path in a derived name is replaced, and a hash of the whole added: two names never become one.
    """
    if given:
        return checked_name(given)
    prefix = _git(root, "rev-parse", "--show-prefix").strip("/")
    whole = _remote_name(root) or _folder_name(root)
    return plain_name(f"{whole}/{prefix}" if prefix else whole)


def name_of_remote(url: str) -> str:
    """The name of a clone of the repository at `url`, which is not on this machine."""
    return plain_name(_name_of(url, Path()))


def _remote_name(root: Path) -> str:
    """`host/path` of the remote; the last part of its path for one on this machine; "" without one."""
    return _name_of(_git(root, "config", "--get", "remote.origin.url"), root)


def _name_of(url: str, root: Path) -> str:
    remote = normalised(url, lambda: root)
    return remote_name(url) if remote.startswith(("file:", "url:")) else remote


def _folder_name(root: Path) -> str:
    """The name of the folder; worktrees have that of the main one."""
    common = Path(_git(root, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    top = common.parent if common.name == ".git" else Path(_git(root, "rev-parse", "--show-toplevel") or root)
    return top.name or "repository"


def plain_name(whole: str) -> str:
    """`whole`, or where that is not fit to be a path, what is left of it and a hash of it."""
    parts = whole.split("/")
    if len(parts) <= MOST_PARTS and all(map(_is_plain, parts)):
        return whole
    kept = [_UNSAFE.sub("-", part).strip(".-_")[:40] for part in parts[: MOST_PARTS - 1]]
    kept = [part for part in kept if part and _is_plain(part)] or ["repository"]
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return "/".join([*kept[:-1], f"{kept[-1]}-{digest}"])


def _git(root: Path, *words: str) -> str:
    answer = run_git(root, *words)
    return "" if answer is None else os.fsdecode(answer).strip()
