"""Which line of today a line of an older version became, file by file, going back commit by commit.

A line of today is a number: that of its file times `LINES` plus the line, from 1; 0 is none. Lines that a change
replaced go to those that replaced them: a line with the same text, else by its place among the replaced ones, so that a
function that was rewritten bit by bit keeps its past, as for `git log -L`. Blocks that moved, also from file to file,
are found by their text, as for `git blame -C`.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from loregraph.analysis.history.log import FileChange, Hunk

LINES: Final = 1 << 21
"""More than any compared file has: `log.LARGEST_FILE` bytes."""
_TOLD_APART: Final = 8
"""Bytes that a line needs to be recognised elsewhere: a shorter one, as a lone bracket, stands anywhere."""
_MOVED: Final = 3
"""Recognised lines that make a moved block."""
_ABSORBED: Final = 12
"""Removed lines without a successor that count as a part of what stands before them; more were a thing of their own."""


@dataclass(slots=True)
class FileLines:
    """The lines of today of one version of a file: `owners` of its first lines; line n behind them is `tail` + n, or
    none where `tail` is None."""

    owners: array[int]
    tail: int | None

    def part(self, first: int, last: int) -> array[int]:
        """The lines of today of the lines `first` to `last`."""
        known = self.owners[first - 1 : last]
        missing = max(first, len(self.owners) + 1)
        if missing <= last:
            if self.tail is None:
                known.extend([0] * (last + 1 - missing))
            else:
                known.extend(range(self.tail + missing, self.tail + last + 1))
        return known

    def joined(self, other: FileLines) -> FileLines:
        """The same version of a file, seen from two children of its commit: what either knows."""
        if self is other or (self.owners == other.owners and self.tail == other.tail):
            return self
        length = max(len(self.owners), len(other.owners))
        owners = array("q", (one or two for one, two in zip(self.part(1, length), other.part(1, length), strict=True)))
        return FileLines(owners, other.tail if self.tail is None else self.tail)


NOTHING: Final = FileLines(array("q"), None)

Version = dict[str, FileLines]
"""Path → lines, for the files that are not as they are today."""


@dataclass(slots=True)
class _Replaced:
    """A hunk between two versions. `targets`: for each old line the position among the new ones that it became, -1 for
    the line before them, None for no line; `same_old` and `same_new` are lines with a counterpart of the same text."""

    hunk: Hunk
    owners: array[int]
    before: int
    targets: list[int | None]
    same_old: set[int] = field(default_factory=set)
    same_new: set[int] = field(default_factory=set)
    moved: dict[int, int] = field(default_factory=dict)
    """Old line → line of today, for lines that moved."""

    def old_owner(self, line: int) -> int:
        if line in self.moved:
            return self.moved[line]
        target = self.targets[line]
        if target is None:
            return 0
        return self.before if target < 0 else self.owners[target]

    def touched(self) -> Iterable[int]:
        """The lines of today that the change is about: blank lines and lines that were only indented or moved are no
        change."""
        yield from (
            owner
            for line, (text, owner) in enumerate(zip(self.hunk.new, self.owners, strict=True))
            if text and line not in self.same_new
        )
        yield from (
            self.old_owner(line)
            for line, text in enumerate(self.hunk.old)
            if text and line not in self.same_old and line not in self.moved
        )


@dataclass(slots=True)
class Touched:
    """What a commit changed: lines of today, ascending, and files by their present number."""

    lines: list[int]
    files: list[int]


class Walk:
    """Steps back from `files`, the paths of the version of today in the order of their numbers."""

    def __init__(self, files: Sequence[str]) -> None:
        self.numbers = {path: number for number, path in enumerate(files)}

    def lines(self, version: Version, path: str | None) -> FileLines:
        """The lines of a version of a file, none for a path that it does not have."""
        if path is None:
            return NOTHING
        found = version.get(path)
        if found is None:
            number = self.numbers.get(path)
            found = NOTHING if number is None else FileLines(array("q"), number * LINES)
        return found

    def joined(self, one: Version, other: Version) -> Version:
        """A version seen from two children."""
        for path, lines in other.items():
            one[path] = self.lines(one, path).joined(lines) if path in one else lines
        return one

    def back(self, version: Version, changes: Iterable[FileChange]) -> Touched:
        """Turns `version` into the one before `changes`, and tells what they changed."""
        before: Version = {}
        gone: list[str] = []
        replaced: list[_Replaced] = []
        rebuilt: list[tuple[str, FileLines, list[_Replaced]]] = []
        files: set[int] = set()
        for change in changes:
            lines = self.lines(version, change.new_path)
            number = file_of(lines)
            if number is not None:
                files.add(number)
            if change.new_path is not None and change.new_path != change.old_path:
                gone.append(change.new_path)
            if change.is_binary:
                if change.old_path is not None:
                    before[change.old_path] = NOTHING
                continue
            found = list(_replacements(change, lines))
            replaced += found
            if change.old_path is not None:
                rebuilt.append((change.old_path, lines, found))
        _find_moved(replaced)
        for path, lines, found in rebuilt:
            before[path] = _older(lines, found)
        for path in gone:
            version[path] = NOTHING
        version.update(before)
        touched = {line for one in replaced for line in one.touched()}
        touched.discard(0)
        return Touched(sorted(touched), sorted(files))


def file_of(lines: FileLines) -> int | None:
    """The file of today that most of the first lines went to."""
    if lines.tail is not None:
        return max(0, lines.tail + LINES // 2) // LINES
    counted = Counter(owner // LINES for owner in lines.owners if owner)
    return min(counted, key=lambda number: (-counted[number], number)) if counted else None


def _replacements(change: FileChange, lines: FileLines) -> Iterable[_Replaced]:
    for hunk in change.hunks:
        first = hunk.new_start if hunk.new else hunk.new_start + 1
        owners = lines.part(first, first + len(hunk.new) - 1) if hunk.new else array("q")
        before = lines.part(first - 1, first - 1)[0] if first > 1 else 0
        yield _aligned(_Replaced(hunk, owners, before, [None] * len(hunk.old)))


def _aligned(made: _Replaced) -> _Replaced:
    """Fills in where the old lines of a hunk went."""
    old, new = made.hunk.old, made.hunk.new
    anchors = [(-1, -1)]
    if old and new:
        for at, to in _unique_pairs(old, new):
            if to > anchors[-1][1]:
                anchors.append((at, to))
                made.same_old.add(at)
                made.same_new.add(to)
    anchors.append((len(old), len(new)))
    for (at, to), (next_at, next_to) in pairwise(anchors):
        if at >= 0:
            made.targets[at] = to
        room, count = next_to - to - 1, next_at - at - 1
        for step in range(1, count + 1):
            if room > 0:
                made.targets[at + step] = to + min(step, room)
            elif count <= _ABSORBED:
                made.targets[at + step] = to
    return made


def _unique_pairs(old: list[bytes], new: list[bytes]) -> list[tuple[int, int]]:
    """Positions of lines that are there once on both sides, in the order of the old ones."""
    counted_old, counted_new = Counter(old), Counter(new)
    where = {text: at for at, text in enumerate(new) if counted_new[text] == 1}
    return [(at, where[text]) for at, text in enumerate(old) if text and counted_old[text] == 1 and text in where]


def _find_moved(replaced: list[_Replaced]) -> None:
    """Blocks that were removed in one place and added in another by the same commit."""
    removed: dict[bytes, list[tuple[int, int]]] = {}
    for number, one in enumerate(replaced):
        for line, text in enumerate(one.hunk.old):
            if len(text) >= _TOLD_APART and line not in one.same_old:
                removed.setdefault(text, []).append((number, line))
    if not removed:
        return
    added: dict[bytes, list[tuple[int, int]]] = {}
    for number, one in enumerate(replaced):
        for line, text in enumerate(one.hunk.new):
            if text in removed and line not in one.same_new:
                added.setdefault(text, []).append((number, line))
    blocks: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for text, places in added.items():
        if len(places) == 1 and len(removed[text]) == 1:
            ((from_, line),), ((to, target),) = removed[text], places
            if from_ != to:
                blocks.setdefault((from_, to), []).append((line, target))
    for (from_, to), pairs in blocks.items():
        if len(pairs) < _MOVED:
            continue
        source, goal = replaced[from_], replaced[to]
        pairs.sort()
        for line, target in pairs:
            _move(source, goal, line, target)
        for (line, target), (next_line, next_target) in pairwise(pairs):
            if next_line - line == next_target - target:
                for step in range(1, next_line - line):
                    if source.hunk.old[line + step] == goal.hunk.new[target + step]:
                        _move(source, goal, line + step, target + step)


def _move(source: _Replaced, goal: _Replaced, line: int, target: int) -> None:
    source.moved[line] = goal.owners[target]
    goal.same_new.add(target)


def _older(lines: FileLines, replaced: list[_Replaced]) -> FileLines:
    """The version of a file before its hunks."""
    owners = array("q")
    at = 1
    for one in replaced:
        first = one.hunk.new_start if one.hunk.new else one.hunk.new_start + 1
        if first > at:
            owners += lines.part(at, first - 1)
        owners.extend(one.old_owner(line) for line in range(len(one.hunk.old)))
        at = max(at, first + len(one.hunk.new))
    if at <= len(lines.owners):
        owners += lines.part(at, len(lines.owners))
        at = len(lines.owners) + 1
    return FileLines(owners, None if lines.tail is None else lines.tail + at - len(owners) - 1)
