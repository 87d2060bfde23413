"""Where a file of the project stands in its repository: the commit checked out, and whether the file is that of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loregraph.git import GitRefusal, ask_git, run_git
from loregraph.pages.permalink import Repository, repository

_SECONDS: Final = 5
_SECONDS_FOR_ALL: Final = 60
_MOST_BYTES: Final = 8 << 20


@dataclass(frozen=True)
class Checkout:
    """`repository` is the host's, None without a remote whose addresses are known; `prefix` is the project's folder
    below the repository's top, "" or with a slash at its end."""

    repository: Repository | None
    prefix: str
    commit: str

    def permalink(self, path: str, first: int = 0, last: int = 0) -> str:
        """The address of the file at the commit; "" where it has none."""
        if self.repository is None:
            return ""
        return self.repository.file(self.commit, self.prefix + path, first, last)


def checkout(root: Path) -> Checkout | None:
    """None without a repository or a commit."""
    found = ask_git(root, ["rev-parse", "HEAD", "--show-prefix"], timeout=_SECONDS)
    if isinstance(found, GitRefusal):
        return None
    commit, prefix, *_ = [*found.decode("utf-8", "replace").split("\n"), ""]
    origin = run_git(root, "config", "--get", "remote.origin.url", timeout=_SECONDS) or b""
    # One line, but for its end: another control character makes it no address.
    return Checkout(repository(origin.decode("utf-8", "replace").removesuffix("\n")), prefix, commit)


def is_as_committed(root: Path, path: str) -> bool:
    """Whether the file is, byte for byte, that of HEAD, so that its lines have the same numbers there."""
    found = run_git(root, "rev-parse", "--verify", "--quiet", f"HEAD:./{path}", timeout=_SECONDS)
    return found is not None and is_blob(root, path, found.decode("ascii", "replace").strip())


def committed(root: Path) -> dict[str, str]:
    """Path → git's name of its content, of all files of HEAD below `root`: one question instead of one a file."""
    found = run_git(root, "ls-tree", "-r", "-z", "HEAD", "--", ".", timeout=_SECONDS_FOR_ALL) or b""
    rows = (row.partition("\t") for row in found.decode("utf-8", "surrogateescape").split("\0"))
    return {path: head.rpartition(" ")[2] for head, tab, path in rows if tab}


def is_blob(root: Path, path: str, name: str) -> bool:
    """Whether the file has the content with git's `name`."""
    try:
        file = root / path
        if file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            return False
        content = file.read_bytes()
    except OSError:
        return False
    blob = b"blob %d\0%b" % (len(content), content)
    # SHA-1 is what git calls the content, and protects nothing here.
    digest = hashlib.sha256(blob) if len(name) == 64 else hashlib.sha1(blob, usedforsecurity=False)
    return digest.hexdigest() == name
