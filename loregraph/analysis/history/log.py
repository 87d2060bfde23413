"""The commits of a history and what they changed, line by line, as git tells them.

git runs with the settings of `loregraph.git` only. Bounds count commits and bytes: a commit whose difference is larger
than `MOST_BYTES` is told without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from loregraph import git
from loregraph.unified_diff import header_name, same_name, unquoted

MOST_BYTES: Final = 32_000_000
"""Bytes of the differences asked for at once, and the most of a single commit."""
LARGEST_FILE: Final = 500_000
"""Bytes of a file above which git compares it as binary: data, generated and minified files."""
_BATCH: Final = 256
"""Commits asked for at once."""
_MISSING: Final = ("unable to read", "could not fetch", "missing blob", "lazy fetching disabled", "object ")
"""How git begins to say that a clone lacks a file's content."""
_DIFF: Final = (
    "-p --no-color --relative --unified=0 --inter-hunk-context=0 --diff-algorithm=histogram --indent-heuristic "
    "--find-renames --ignore-submodules=all --src-prefix=a/ --dst-prefix=b/"
).split()


@dataclass(frozen=True, slots=True)
class Commit:
    """`parents` are names of commits, none for the first of a history or where a shallow clone was cut off; `seconds`
    is when it was committed, since 1970."""

    name: str
    parents: tuple[str, ...]
    author: str
    seconds: int


@dataclass(slots=True)
class Hunk:
    """Lines `old_start`… were replaced by lines `new_start`…; a side without lines stands after its start. `old` and
    `new` are the lines without spaces around them."""

    old_start: int
    new_start: int
    old: list[bytes]
    new: list[bytes]


@dataclass(slots=True)
class FileChange:
    """The change of one file by a commit. `old_path` is None for a new file, `new_path` for a removed one."""

    old_path: str | None
    new_path: str | None
    hunks: list[Hunk]
    is_binary: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """`size` is that of the text in bytes. Without `whole` only the names of the files are known: there was too much,
    or a partial clone lacks some of it."""

    files: list[FileChange]
    size: int
    whole: bool = True


def commits(root: Path, most: int, since: str = "") -> list[Commit] | git.GitRefusal:
    """The last `most` commits up to HEAD, children before their parents, those that are in `since` left out."""
    chosen = ["HEAD", f"^{since}"] if since else ["HEAD"]
    words = ["log", "--date-order", f"--max-count={most}", "--no-color", "--format=tformat:%H%x00%P%x00%an%x00%ct%x00"]
    answer = git.ask_git(root, [*words, *chosen, "--"])
    if isinstance(answer, git.GitRefusal):
        return answer
    fields = answer.decode("utf-8", "replace").split("\0")
    return [
        Commit(name.strip(), tuple(parents.split()), author, int(seconds))
        for name, parents, author, seconds in zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    ]


def differences(root: Path, pairs: Sequence[tuple[str, str]]) -> Iterator[Difference | git.GitRefusal]:
    """The difference between each commit and a parent of it, in the order of `pairs`. Ends with git's refusal where
    there is one."""
    rows = iter(pairs)
    while batch := list(islice(rows, _BATCH)):
        yield from _asked(root, batch)


def _asked(root: Path, batch: list[tuple[str, str]]) -> Iterator[Difference | git.GitRefusal]:
    given = "".join(f"{commit} {parent}\n" for commit, parent in batch).encode("ascii")
    answer = git.ask_git(
        root,
        ["diff-tree", "--stdin", "--always", "-r", *_DIFF, "--", "."],
        given=given,
        most=MOST_BYTES,
        largest_file=LARGEST_FILE,
    )
    if not isinstance(answer, git.GitRefusal):
        yield from _parsed(answer, [commit.encode("ascii") for commit, _ in batch])
    elif not answer.long and not answer.reason.startswith(_MISSING):
        yield answer
    elif len(batch) == 1:
        yield _unread(root, *batch[0])
    else:
        middle = len(batch) // 2
        yield from _asked(root, batch[:middle])
        yield from _asked(root, batch[middle:])


def _unread(root: Path, commit: str, parent: str) -> Difference | git.GitRefusal:
    """Only which files are different."""
    words = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", "--relative", parent, commit, "--", "."]
    answer = git.ask_git(root, words, most=MOST_BYTES)
    if isinstance(answer, git.GitRefusal):
        return answer
    paths = [raw.decode("utf-8", "surrogateescape") for raw in answer.split(b"\0") if raw]
    return Difference([FileChange(path, path, [], is_binary=True) for path in paths], len(answer), whole=False)


def uncommitted(root: Path, commit: str) -> list[FileChange]:
    """What is different in the files on disk from `commit`; nothing where git cannot tell or it is too much."""
    words = ["diff", *_DIFF, commit, "--"]
    answer = git.ask_git(root, words, most=MOST_BYTES, largest_file=LARGEST_FILE)
    if isinstance(answer, git.GitRefusal):
        answer.raise_if_late()
        return []
    lines = answer.split(b"\n")
    found, at = [], 0
    while lines[at].startswith(b"diff --git "):
        change, at = _file(lines, at)
        found.append(change)
    return found


def _parsed(output: bytes, names: Iterable[bytes]) -> Iterator[Difference]:
    lines = output.split(b"\n")
    at = 0
    for name in names:
        if lines[at] != name:
            raise ValueError("git diff-tree does not answer in the order it was asked")
        at += 1
        start = at
        files: list[FileChange] = []
        while lines[at].startswith(b"diff --git "):
            change, at = _file(lines, at)
            files.append(change)
        yield Difference(files, sum(map(len, lines[start:at])) + at - start)


def _file(lines: list[bytes], at: int) -> tuple[FileChange, int]:
    change = FileChange(None, None, [])
    both = lines[at][11:]
    at += 1
    while True:
        line = lines[at]
        if line.startswith(b"@@ "):
            at = _hunk(lines, at, change.hunks)
            continue
        if line.startswith(b"--- ") and not change.hunks:
            change.old_path = header_name(line[4:].decode("utf-8", "surrogateescape"))
        elif line.startswith(b"+++ ") and not change.hunks:
            change.new_path = header_name(line[4:].decode("utf-8", "surrogateescape"))
        elif line.startswith(b"rename from "):
            change.old_path = unquoted(line[12:].decode("utf-8", "surrogateescape"))
        elif line.startswith(b"rename to "):
            change.new_path = unquoted(line[10:].decode("utf-8", "surrogateescape"))
        elif line.startswith(b"Binary files "):
            change.is_binary = True
            change.old_path = change.old_path or same_name(both.decode("utf-8", "surrogateescape"))
            change.new_path = change.new_path or change.old_path
        elif line.startswith(b"diff --git ") or not _HEADERS.intersection(line.split(b" ", 1)[:1]):
            return change, at
        at += 1


_HEADERS: Final = frozenset(b"old new deleted index similarity dissimilarity rename copy Binary --- +++ \\".split())
"""First words of the lines about a file; what begins otherwise belongs to the next."""


def _hunk(lines: list[bytes], at: int, hunks: list[Hunk]) -> int:
    _, old_side, new_side, _ = lines[at].split(b" ", 3)
    old_start, old_count = _side(old_side)
    new_start, new_count = _side(new_side)
    at += 1
    old_end = at + old_count
    old = [line[1:].strip() for line in lines[at:old_end]]
    if lines[old_end].startswith(b"\\"):
        old_end += 1
    new_end = old_end + new_count
    new = [line[1:].strip() for line in lines[old_end:new_end]]
    if lines[new_end].startswith(b"\\"):
        new_end += 1
    hunks.append(Hunk(old_start, new_start, old, new))
    return new_end


def _side(text: bytes) -> tuple[int, int]:
    start, _, count = text[1:].partition(b",")
    return int(start), int(count) if count else 1
