"""The commits that changed some lines, as git tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loregraph.git import GitRefusal, LineRange, ask_git, in_repository

MOST_COMMITS: Final = 20
SECONDS: Final = 15
"""Following lines through a long history takes seconds in a large repository, and is only done when asked for."""
_FIELDS: Final = "%H%x00%an%x00%ad%x00%s%x00"
"""Names and subjects may hold any character but NUL."""
_MOST_SUBJECT: Final = 200


@dataclass(frozen=True)
class Commit:
    """`date` is of the authoring, YYYY-MM-DD; `name` the full hash."""

    name: str
    author: str
    date: str
    subject: str


@dataclass(frozen=True)
class History:
    """The latest commits first, at most `MOST_COMMITS`; `more`: there are others. `of_lines`: they changed the lines
    asked for, else the file. `reason` says why there are none."""

    commits: tuple[Commit, ...] = ()
    more: bool = False
    of_lines: bool = True
    reason: str = ""


def history(root: Path, path: str, lines: LineRange | None) -> History:
    """The commits that changed `lines` of a file as it is at HEAD, or the file; also where the lines cannot be followed
    in time."""
    if not in_repository(root):
        return History(reason="The project is in no git repository.")
    if lines is not None:
        first, last = lines
        found = _log(root, ["-s", f"-L{first},{last}:{path}"])
        if not isinstance(found, GitRefusal):
            return _made(found, of_lines=True)
        if not found.late:  # lines that HEAD does not have, or no repository
            return history(root, path, None)
    found = _log(root, ["--", f":(literal){path}"])
    if isinstance(found, GitRefusal):
        return History(reason=f"git cannot tell: {found.reason}")
    return _made(found, of_lines=False)


def _log(root: Path, selection: Sequence[str]) -> bytes | GitRefusal:
    words = ["log", f"-n{MOST_COMMITS + 1}", "--no-color", "--date=short", f"--format={_FIELDS}", *selection]
    return ask_git(root, words, timeout=SECONDS)


def _made(output: bytes, *, of_lines: bool) -> History:
    fields = output.decode("utf-8", "replace").split("\0")
    commits = [
        Commit(name.strip(), author, date, subject[:_MOST_SUBJECT])
        for name, author, date, subject in zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    ]
    return History(tuple(commits[:MOST_COMMITS]), len(commits) > MOST_COMMITS, of_lines)
