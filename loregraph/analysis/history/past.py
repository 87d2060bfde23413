"""What the commits of a history changed, in the lines of the version that is checked out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from loregraph import git
from loregraph.analysis.history import log
from loregraph.analysis.history.line_map import LINES, Touched, Version, Walk, file_of

MOST_COMMITS: Final = 5_000
"""Commits looked at, merges included: years of most projects."""
MOST_FILES: Final = 50
"""Files of a commit above which it is a mass edit: a reformatting, a new header, a moved folder."""
MOST_BYTES: Final = 200_000_000
"""Bytes of differences looked at, half a minute of a processor at worst."""
_MOST_AUTHOR: Final = 100


class PastCommit(msgspec.Struct, frozen=True, array_like=True):
    """`files` are numbers of files of today, `lines` first and last lines of what it changed of today's code (see
    `line_map`), ascending, one after the other; none for a mass edit, a merge or a first commit. `kind` is "" for a
    commit that counts, else why it does not: merge, first, mass or unread. `size`: bytes of its differences."""

    name: str
    author: str
    seconds: int
    files: list[int] = []
    lines: list[int] = []
    kind: str = ""
    size: int = 0
    parents: int = 1


class Past(msgspec.Struct, frozen=True):
    """The history up to the commit `head`, the latest commits first. `files` are its files by number. `limited`: there
    are older commits, that were not looked at; `shallow`: older ones are missing in the clone. `refusal` is why git
    said nothing, "" where it did."""

    head: str = ""
    files: list[str] = []
    commits: list[PastCommit] = []
    limited: bool = False
    shallow: bool = False
    refusal: str = ""


# Implements REQ-HIS-006.
def past(root: Path) -> Past:
    """The history of the files below `root`; empty, with a reason, without a repository or commits."""
    found = log.commits(root, MOST_COMMITS + 1)
    if isinstance(found, git.GitRefusal):
        return Past(refusal=_reason(found))
    if not found:
        return Past(refusal="there is no commit yet")
    files = _files(root, found[0].name)
    if isinstance(files, git.GitRefusal):
        return Past(refusal=_reason(files))
    told, limited, _ = _walked(root, found, files)
    return Past(found[0].name, files, told, limited, git.is_shallow(root))


def continued(root: Path, known: Past) -> Past | None:
    """The history up to HEAD, where that is a line of commits on top of those that are `known`; None where it is not:
    after a merge, a rebase or in another branch. It is the same as `past` finds."""
    new = log.commits(root, MOST_COMMITS + 1, since=known.head)
    if isinstance(new, git.GitRefusal) or not new or not is_line(new, known.head):
        return None
    files = _files(root, new[0].name)
    if isinstance(files, git.GitRefusal):
        return None
    told, limited, version = _walked(root, new, files)
    if limited:
        return None
    walk = Walk(files)
    moved = [lines_moved(walk, version, known.files, commit) for commit in known.commits]
    every = [*told, *moved]
    kept = _within(every)
    return Past(new[0].name, files, kept, known.limited or len(kept) < len(every), known.shallow)


def is_line(commits: list[log.Commit], base: str) -> bool:
    """Whether each of the commits has the next one as its only parent, the last one `base`."""
    names = [*(commit.name for commit in commits[1:]), base]
    return all(commit.parents == (name,) for commit, name in zip(commits, names, strict=True))


def lines_moved(walk: Walk, version: Version, files: list[str], commit: PastCommit) -> PastCommit:
    """The commit with its lines, those of the files `files` of `version`, as lines of today."""
    lines: set[int] = set()
    for first, last in zip(commit.lines[::2], commit.lines[1::2], strict=True):
        number = first // LINES
        found = walk.lines(version, files[number])
        lines.update(found.part(first - number * LINES, last - number * LINES))
    lines.discard(0)
    numbers = {file_of(walk.lines(version, files[number])) for number in commit.files}
    return msgspec.structs.replace(
        commit, lines=_ranges(sorted(lines)), files=sorted(number for number in numbers if number is not None)
    )


def _within(commits: list[PastCommit]) -> list[PastCommit]:
    """The commits within the bounds."""
    left, kept = MOST_BYTES, []
    for commit in commits[:MOST_COMMITS]:
        left -= commit.size
        if left < 0:
            break
        kept.append(commit)
    return kept


def _reason(refusal: git.GitRefusal) -> str:
    return refusal.reason or "this is no git repository"


def _files(root: Path, commit: str) -> list[str] | git.GitRefusal:
    listed = git.ask_git(root, ["ls-tree", "-r", "-z", "--name-only", commit, "--", "."])
    if isinstance(listed, git.GitRefusal):
        return listed
    return [raw.decode("utf-8", "surrogateescape") for raw in listed.split(b"\0") if raw]


def _walked(root: Path, found: list[log.Commit], files: list[str]) -> tuple[list[PastCommit], bool, Version]:
    """What the commits changed; whether older ones were left out; and the version before the last of
    them."""
    walk = Walk(files)
    known = {commit.name for commit in found}
    versions: dict[str, Version] = {found[0].name: {}}
    told: list[PastCommit] = []
    bytes_left = MOST_BYTES
    version: Version = {}
    older: Version = {}
    asked = log.differences(root, [(commit.name, parent) for commit in found for parent in commit.parents])
    for commit in found[:MOST_COMMITS]:
        version = versions.pop(commit.name)
        size = 0
        one = PastCommit(commit.name, commit.author, commit.seconds, kind="first", parents=len(commit.parents))
        for number, parent in enumerate(commit.parents):
            answer = next(asked)
            if isinstance(answer, git.GitRefusal):
                answer.raise_if_late()
                return told, True, older
            size += answer.size
            older = version if number == len(commit.parents) - 1 else dict(version)
            touched = walk.back(older, answer.files)
            if parent in known:
                versions[parent] = walk.joined(versions[parent], older) if parent in versions else older
            one = _told(commit, touched, answer, size)
        bytes_left -= size
        if bytes_left < 0:
            return told, True, older
        told.append(one)
    return told, len(found) > MOST_COMMITS, older


def _told(commit: log.Commit, touched: Touched, difference: log.Difference, size: int) -> PastCommit:
    kind = ""
    if len(commit.parents) > 1:
        kind = "merge"
    elif len(difference.files) > MOST_FILES:
        kind = "mass"
    elif not difference.whole:
        kind = "unread"
    counts = not kind
    return PastCommit(
        commit.name,
        commit.author[:_MOST_AUTHOR],
        commit.seconds,
        touched.files if counts else [],
        _ranges(touched.lines) if counts else [],
        kind,
        size,
        len(commit.parents),
    )


def _ranges(lines: list[int]) -> list[int]:
    if not lines:
        return []
    found = [lines[0]]
    for one, after in pairwise(lines):
        if after != one + 1:
            found += (one, after)
    return [*found, lines[-1]]
