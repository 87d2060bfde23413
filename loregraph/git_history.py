"""How often files were changed, by the last commits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import msgspec

from loregraph import git

MOST_COMMITS: Final = 2_000
"""Commits looked at: a year or more of most projects, and about a second of git's time."""
_START: Final = b"\x02"


class Churn(msgspec.Struct, frozen=True):
    """`files`: path → number of commits that changed it, `folders` the same of every folder, a commit counting once.

    `commits` is how many of them changed something there; `limited`: there are older ones. `refusal` is why git said
    nothing, "" where it did.
    """

    files: dict[str, int] = {}
    folders: dict[str, int] = {}
    commits: int = 0
    limited: bool = False
    refusal: str = ""


def churn(root: Path, most: int = MOST_COMMITS) -> Churn:
    """The changes of the last `most` commits below `root`, by path relative to it, merges left out.

    A commit without a parent is left out: it is a first import, or where a shallow clone was cut off. A renamed file is
    two files.
    """
    shown = "--no-merges --no-renames --no-color --relative --name-only -z --format=tformat:%x02%P".split()
    answer = git.ask_git(root, ["log", f"--max-count={most + 1}", *shown, "HEAD", "--", "."])
    if isinstance(answer, git.GitRefusal):
        return Churn(refusal=answer.reason or "this is no git repository")
    files: Counter[str] = Counter()
    folders: Counter[str] = Counter()
    commits = 0
    for commit in answer.split(_START)[1:]:
        head, _, rest = commit.partition(b"\0")
        commits += 1
        if not head.strip() or commits > most:
            continue
        paths = {raw.decode("utf-8", "surrogateescape") for raw in rest.lstrip(b"\n").split(b"\0") if raw.strip(b"\n")}
        files.update(paths)
        folders.update({folder for path in paths for folder in _folders(path)})
    return Churn(dict(files), dict(folders), min(commits, most), commits > most)


def _folders(path: str) -> list[str]:
    """The folders around a path, the root as ""."""
    found = [""]
    at = path.find("/")
    while at >= 0:
        found.append(path[:at])
        at = path.find("/", at + 1)
    return found
