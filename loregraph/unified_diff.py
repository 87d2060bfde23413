"""Parses unified diffs: git's own exactly, hand-written and generated ones tolerantly.

In the output of git the line counts of a hunk's header delimit it, so that a removed line `-- a/x` is never taken for a
header. In a hand-written diff the counts are often wrong: further lines that look like a hunk's still count, and a
header inside one ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

_HUNK: Final = re.compile(
    # At most nine digits: longer numbers are not line numbers, and Python limits their length.
    r"^@@+ -(?P<old>\d{1,9})(?:,(?P<old_count>\d{1,9}))? \+(?P<new>\d{1,9})(?:,(?P<new_count>\d{1,9}))? @@"
)
_LOOSE_HUNK: Final = re.compile(r"^@@")
_QUOTED: Final = re.compile(r'^"(?P<name>(?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES: Final = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b'"': b'"',
    b"\\": b"\\",
}
_NOWHERE: Final = "/dev/null"
FARTHEST: Final = 50_000
"""Lines between the place of a hunk and the one that its header names."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """`lines` keep their first character: " ", "+" or "-". A start is 0 where the header has none.

    A count of 0 puts a change *after* its start line, as in the format.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """The changes of one file. `old_path` is None for a new file, `new_path` for a removed one."""

    old_path: str | None
    new_path: str | None
    hunks: tuple[Hunk, ...]
    is_binary: bool = False

    @property
    def path(self) -> str:
        """The file's path after the change, or before it for a removed file."""
        return self.new_path or self.old_path or ""


def parse(text: str) -> list[FilePatch]:
    """The files changed by a unified diff, in order; empty for other text."""
    lines = text.split("\n")
    patches: list[FilePatch] = []
    at = 0
    while at < len(lines):
        line = lines[at].rstrip("\r")
        if line.startswith("diff --git ") or _is_header(lines, at):
            patch, at = _file(lines, at)
            if patch is not None:
                patches.append(patch)
        else:
            at += 1
    return patches


def _is_header(lines: list[str], at: int) -> bool:
    return at + 1 < len(lines) and lines[at].startswith("--- ") and lines[at + 1].startswith("+++ ")


def _file(lines: list[str], at: int) -> tuple[FilePatch | None, int]:
    """The file whose header starts at `at`, and the position after it."""
    old: str | None = None
    new: str | None = None
    binary = is_new = is_gone = False
    hunks: list[Hunk] = []
    if lines[at].startswith("diff --git "):
        old = new = same_name(lines[at].rstrip("\r").removeprefix("diff --git "))
        at += 1
    while at < len(lines):
        line = lines[at].rstrip("\r")
        if line.startswith("diff --git ") or (hunks and _is_header(lines, at)):
            break
        if _is_header(lines, at):
            old, new = header_name(line[4:]), header_name(lines[at + 1].rstrip("\r")[4:])
            at += 2
        elif _LOOSE_HUNK.match(line):
            hunk, at = _hunk(lines, at)
            hunks.append(hunk)
        else:
            if line.startswith(("rename from ", "copy from ")):
                old = unquoted(line.partition(" from ")[2])
            elif line.startswith(("rename to ", "copy to ")):
                new = unquoted(line.partition(" to ")[2])
            elif line.startswith("new file mode "):
                is_new = True
            elif line.startswith("deleted file mode "):
                is_gone = True
            elif line.startswith(("Binary files ", "GIT binary patch")):
                binary = True
            elif hunks and line:
                break  # prose after a diff
            at += 1
    old, new = None if is_new else old, None if is_gone else new
    if old is None and new is None:
        return None, at
    return FilePatch(old, new, tuple(hunks), binary), at


def _hunk(lines: list[str], at: int) -> tuple[Hunk, int]:
    match = _HUNK.match(lines[at])
    old_left = new_left = 0
    old_start = new_start = 0
    if match is not None:
        old_start, new_start = int(match["old"]), int(match["new"])
        old_left = 1 if match["old_count"] is None else int(match["old_count"])
        new_left = 1 if match["new_count"] is None else int(match["new_count"])
    at += 1
    body: list[str] = []
    while at < len(lines):
        line = lines[at]
        sign = line[:1]
        if sign == "\\":
            at += 1
            continue
        if old_left <= 0 and new_left <= 0:
            if not line.rstrip("\r") and lines[at + 1 : at + 2] and lines[at + 1][:1] in ("+", "-", " "):
                line = sign = " "
            elif sign not in ("+", "-", " ") or line.startswith(("--- ", "-- ")):
                break
            if _is_header(lines, at) or _is_header(lines, at + 1):
                break
        elif sign not in ("+", "-", " "):
            # Editors and models strip the space of an empty context line.
            if line.rstrip("\r") or at + 1 == len(lines):
                break
            line = sign = " "
        elif _is_header(lines, at) and old_left <= 0:
            break
        old_left -= sign != "+"
        new_left -= sign != "-"
        body.append(line)
        at += 1
    old_count = sum(line[:1] != "+" for line in body)
    return Hunk(old_start, old_count, new_start, len(body) - sum(line[:1] == "-" for line in body), tuple(body)), at


def header_name(text: str) -> str | None:
    """The path in a `---` or `+++` line; None for /dev/null and for names that are not UTF-8."""
    name = unquoted(text if text.startswith('"') else text.partition("\t")[0].rstrip())
    if name is None or name == _NOWHERE:
        return None
    return name[2:] if name.startswith(("a/", "b/")) else name


def unquoted(text: str) -> str | None:
    """A path in git's notation: unusual characters are quoted as in C, byte by byte."""
    match = _QUOTED.match(text)
    if match is None:
        return text

    def plain(escape: re.Match[bytes]) -> bytes:
        what = escape[1]
        return bytes([int(what, 8) & 0xFF]) if len(what) == 3 else _ESCAPES.get(what, what)

    try:
        return _ESCAPE.sub(plain, match["name"].encode()).decode("utf-8")
    except UnicodeDecodeError:
        return None


def same_name(text: str) -> str | None:
    """The path after `diff --git`, where both sides have the same: `a/x b/x`. None otherwise."""
    if text.startswith('"'):
        return header_name(text)
    half = (len(text) - 1) // 2
    old, new = text[:half], text[half + 1 :]
    return old[2:] if text[half : half + 1] == " " and old[2:] == new[2:] and old.startswith("a/") else None


def apply(patch: FilePatch, text: str) -> str | int:
    """The text after applying the hunks of `patch`; if one does not fit, its index from 0.

    A hunk is located by its own lines, nearest to the position in its header and at most `FARTHEST` lines away, since
    headers of hand-written diffs are wrong; trailing spaces matter only if there is a choice.
    """
    lines = text.split("\n")
    for placed in _placed(patch, lines):
        if isinstance(placed, int):
            return placed
    return "\n".join(lines)


def changed_lines(patch: FilePatch, text: str) -> list[tuple[int, int]] | int:
    """The lines of `text` that `patch` removes or replaces, as ranges of numbers, both ends included, ascending; where
    it only adds lines, the one before them. If a hunk does not fit, its index from 0."""
    lines = text.split("\n")
    numbers = list(range(1, len(lines) + 1))
    changed: set[int] = set()
    for placed in _placed(patch, lines):
        if isinstance(placed, int):
            return placed
        at, hunk = placed
        old = numbers[at : at + sum(line[:1] != "+" for line in hunk.lines)]
        new: list[int] = []
        before = numbers[at - 1] if at else 1
        taken = 0
        for is_change, run in groupby(hunk.lines, key=lambda line: line[:1] in ("+", "-")):
            signs = [line[:1] for line in run]
            here = old[taken : taken + len(signs) - signs.count("+")]
            taken += len(here)
            if is_change:
                changed.update(here or [before])
                new += [here[0] if here else before] * signs.count("+")
            else:
                new += here
            before = here[-1] if here else before
        numbers[at : at + len(old)] = new
    return _ranges(sorted(changed))


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def _placed(patch: FilePatch, lines: list[str]) -> Iterator[tuple[int, Hunk] | int]:
    """Applies the hunks to `lines`, one after the other: where each stood, or the index of the first that does not
    fit."""
    moved = 0
    for number, hunk in enumerate(patch.hunks):
        old = [line[1:] for line in hunk.lines if line[:1] != "+"]
        new = [line[1:] for line in hunk.lines if line[:1] != "-"]
        # An empty side is placed after its line, another one at it.
        wanted = moved + (hunk.old_start if not old else max(0, hunk.old_start - 1))
        at = _nearest(lines, old, wanted) if old else min(wanted, len(lines))
        if at is None:
            yield number
            return
        lines[at : at + len(old)] = new
        moved += len(new) - len(old)
        yield at, hunk


def reversed_patch(patch: FilePatch) -> FilePatch:
    """The patch that reverts `patch`."""
    turned = {"+": "-", "-": "+"}
    hunks = tuple(
        Hunk(
            hunk.new_start,
            hunk.new_count,
            hunk.old_start,
            hunk.old_count,
            tuple(turned.get(line[:1], " ") + line[1:] for line in hunk.lines),
        )
        for hunk in patch.hunks
    )
    return FilePatch(patch.new_path, patch.old_path, hunks, patch.is_binary)


def _nearest(lines: list[str], block: list[str], wanted: int) -> int | None:
    """The position of `block` in `lines`, nearest to `wanted`; None where it does not occur near it."""
    if lines[wanted : wanted + len(block)] == block:
        return wanted
    first = max(0, wanted - FARTHEST)
    near = lines[first : wanted + FARTHEST + len(block)]
    for same in (_exactly, _without_trailing):
        found = [first + at for at in _occurrences(list(map(same, near)), list(map(same, block)))]
        if found:
            return min(found, key=lambda at: (abs(at - wanted), at))
    return None


def _occurrences(lines: list[str], block: list[str]) -> Iterator[int]:
    """Every position of `block` in `lines`, in linear time: Knuth, Morris and Pratt."""
    back = [0]
    """Length of the longest start of the block that its first lines end with, too."""
    for line in block[1:]:
        length = back[-1]
        while length and block[length] != line:
            length = back[length - 1]
        back.append(length + (block[length] == line))
    length = 0
    for at, line in enumerate(lines):
        if length == len(block):
            length = back[length - 1]
        while length and block[length] != line:
            length = back[length - 1]
        length += block[length] == line
        if length == len(block):
            yield at + 1 - length


def _exactly(line: str) -> str:
    return line


def _without_trailing(line: str) -> str:
    return line.rstrip()
