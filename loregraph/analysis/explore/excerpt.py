"""The lines of a symbol that matter, where all of them would be too many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from loregraph.analysis.token_count import size
from loregraph.graph.terms import terms

WIDEST: Final = 300
"""Characters kept of a line; longer ones are data or minified."""
MOST_LINES: Final = 3_000
"""Lines of a symbol that are looked at."""
GAP: Final = 18
"""Bytes of a note about lines left out."""
HEAD_LINES: Final = 12
"""Maximum lines of a signature."""
HEAD: Final = 10.0
MEMBER: Final = 2.0
CALL: Final = 1.5
CHANGED: Final = 4.0
EXIT: Final = 0.6
COMMENT: Final = 0.5
"""What a line of the signature, of a member's, a call of another symbol of the answer, a changed line, and a return or
raise weigh beside a word of the question, which weighs 1, or half of that in a comment."""
NEARBY: Final = 0.3
"""The part of its weight that a line gives to those beside it: a line by itself is hard to understand."""
_EXIT: Final = re.compile(r"^\s*(?:return|raise|throw|yield)\b")
_HEAD_ENDS: Final = re.compile(r"(?:[:{=]|=>|->|\bdo|\bthen|\bis|\bbegin)\s*(?:(?:#|//).*)?$")
DECORATOR: Final = re.compile(r"^\s*(?:@|#\[)")
_COMMENT: Final = re.compile(r"^\s*(?:#|//|\*|/\*|--|;)")


def clipped(line: str) -> str:
    """A line without what nobody reads: trailing space, and all beyond `WIDEST`."""
    line = line.rstrip()
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"


def head_length(lines: Sequence[str]) -> int:
    """How many of a definition's lines are its decorators and signature."""
    depth = 0
    for number, line in enumerate(lines[:HEAD_LINES]):
        before = depth
        depth += sum(line.count(opening) for opening in "([") - sum(line.count(closing) for closing in ")]")
        if depth > 0 or (DECORATOR.match(line) and before == 0):
            continue
        if _HEAD_ENDS.search(line) or depth < 0:
            return number + 1
        # A signature without a body, or one whose end this does not know.
        if number + 1 >= len(lines) or not lines[number + 1].lstrip().startswith(("{", ")", "where", "->")):
            return number + 1
    return min(len(lines), HEAD_LINES)


def weights(
    lines: Sequence[str], asked: Mapping[str, float], marked: Mapping[int, float], members: Iterable[int] = ()
) -> dict[int, float]:
    """Index of a line → how much it matters, for those that do.

    `asked` are the terms of the question with their weights, `marked` indices of lines that matter
    for another reason, with theirs, and `members` are those where members begin.
    """
    head = head_length(lines)
    own: dict[int, float] = {}
    for number, line in enumerate(lines[head:MOST_LINES], head):
        if not line.strip():
            continue
        weight = sum(asked[term] for term in set(terms(line[:WIDEST])) if term in asked) if asked else 0.0
        if _COMMENT.match(line):
            weight *= COMMENT
        weight += marked.get(number, 0.0)
        if _EXIT.match(line):
            weight += EXIT
        if weight:
            own[number] = weight
    found = {number: HEAD - number / 100 for number in range(head)}
    for start in members:
        for number in range(start, start + head_length(lines[start : start + HEAD_LINES])):
            own[number] = own.get(number, 0.0) + MEMBER
    for number, weight in own.items():
        for near, part in ((number, weight), (number - 1, NEARBY * weight), (number + 1, NEARBY * weight)):
            if head <= near < len(lines) and lines[near].strip():
                found[near] = found.get(near, 0.0) + part
    return found


def excerpt_lines(lines: Sequence[str], weight: Mapping[int, float], characters: int) -> frozenset[int]:
    """The indices of the lines of most weight that fit in so many bytes."""
    kept: set[int] = set()
    used = 0
    for number in sorted(weight, key=lambda one: (-weight[one], one)):
        cost = size(clipped(lines[number])) + (0 if number - 1 in kept else GAP)
        if used + cost > characters:
            break
        used += cost
        kept.add(number)
    for number in range(1, len(lines) - 1):
        if number not in kept and {number - 1, number + 1} <= kept and size(clipped(lines[number])) <= GAP:
            kept.add(number)  # the note about it would take more room
    return frozenset(kept)


def text(lines: Sequence[str], first_line: int, kept: Sequence[int]) -> str:
    """The lines with the given indices, in order, and `... 12-40` for each gap; `first_line` is the number of the
    first."""
    parts = []
    before = -1
    for number in [*kept, len(lines)]:
        if number > before + 1:
            first, last = first_line + before + 1, first_line + number - 1
            parts.append(f"... {first}-{last}" if last > first else f"... {first}")
        if number < len(lines):
            parts.append(clipped(lines[number]))
        before = number
    return "\n".join(parts)
