"""The lines of a symbol that matter, where all of them would be too many."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from loregraph.analysis.token_count import size
from loregraph.graph.terms import terms, words_of

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
SUMMARY: Final = 2.5
EXIT: Final = 0.6
COMMENT: Final = 0.5
"""What a line of the signature, of a member's, a call of another symbol of the answer, a changed line, one of a
docstring's summary, and a return or raise weigh beside a word of the question, which weighs 1, or half of that in a
comment."""
SUMMARY_LINES: Final = 4
NEARBY: Final = 0.3
"""The part of its weight that a line gives to those beside it: a line by itself is hard to understand."""
_EXIT: Final = re.compile(r"^\s*(?:return|raise|throw|yield)\b")
_HEAD_ENDS: Final = re.compile(r"(?:[:{=]|=>|->|\b(?:do|then|is|begin))$")
DECORATOR: Final = re.compile(r"^\s*(?:@|#\[)")
_QUOTES: Final = ('"""', "'''")
_COMMENT: Final = re.compile(r"^\s*(?:#|//|\*|/\*|--|;)")


class AskedWords:
    """How much words of the question weigh in a line; the terms of each word are found once."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._terms: dict[str, tuple[str, ...]] = {}

    def weight(self, line: str) -> float:
        """The sum of the weights of the question's terms in the line, each counted once."""
        if not self._weights:
            return 0.0
        held: set[str] = set()
        for word in words_of(line[:WIDEST]):
            found = self._terms.get(word)
            if found is None:
                found = self._terms[word] = tuple(term for term in terms(word) if term in self._weights)
            held.update(found)
        return sum(self._weights[term] for term in sorted(held))


def clipped(line: str) -> str:
    """A line without what nobody reads: trailing space, and all beyond `WIDEST`."""
    line = line.rstrip()
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"


def _ends_head(line: str) -> bool:
    """Whether a body begins after the line, which may end with a comment."""
    bare = line.rstrip()
    comments = [at for at in (bare.find("#"), bare.find("//")) if at >= 0]
    return any(_HEAD_ENDS.search(text) for text in (bare, *(bare[:at].rstrip() for at in comments)))


def head_length(lines: Sequence[str]) -> int:
    """How many of a definition's lines are its decorators and signature."""
    depth = 0
    for number, line in enumerate(lines[:HEAD_LINES]):
        before = depth
        depth += sum(line.count(opening) for opening in "([") - sum(line.count(closing) for closing in ")]")
        if depth > 0 or (DECORATOR.match(line) and before == 0):
            continue
        if _ends_head(line) or depth < 0:
            return number + 1
        # A signature without a body, or one whose end this does not know.
        if number + 1 >= len(lines) or not lines[number + 1].lstrip().startswith(("{", ")", "where", "->")):
            return number + 1
    return min(len(lines), HEAD_LINES)


def weights(
    lines: Sequence[str],
    asked: AskedWords,
    marked: Mapping[int, float],
    members: Collection[int] = (),
) -> dict[int, float]:
    """Index of a line → how much it matters, for those that do.

    `asked` weighs the words of the question, `marked` are indices of lines that matter for another reason,
    with theirs, and `members` are those where members begin: where there are any, the excerpt is an outline of them.
    """
    head = head_length(lines)
    found = {number: HEAD - number / 100 for number in range(head)}
    for number, line in enumerate(lines[head:MOST_LINES], head):
        if not line.strip():
            continue
        weight = asked.weight(line)
        if _COMMENT.match(line):
            weight *= COMMENT
        weight += marked.get(number, 0.0)
        if not members and _EXIT.match(line):
            weight += EXIT
        if weight:
            for near, part in ((number, weight), (number - 1, NEARBY * weight), (number + 1, NEARBY * weight)):
                if head <= near < len(lines) and lines[near].strip():
                    found[near] = found.get(near, 0.0) + part
    for number in _summary(lines, head):
        found[number] = found.get(number, 0.0) + SUMMARY
    for start in members:
        for number in range(start, _named_at(lines, start) + 1):
            found[number] = max(found.get(number, 0.0), MEMBER) if number >= head else found[number]
    return found


def _summary(lines: Sequence[str], head: int) -> range:
    """The lines of the first paragraph of a docstring below the head, as in Python, at most `SUMMARY_LINES`."""
    if head >= len(lines) or not lines[head].lstrip().startswith(_QUOTES):
        return range(0)
    end = head + 1
    first = lines[head].strip()
    is_whole = len(first) > len(_QUOTES[0]) and first.endswith(_QUOTES)
    while not is_whole and end < min(len(lines), head + SUMMARY_LINES) and lines[end].strip():
        is_whole = lines[end].rstrip().endswith(_QUOTES)
        end += 1
    return range(head, end)


def _named_at(lines: Sequence[str], start: int) -> int:
    """The line of a member's name: the first one below its decorators."""
    number = start
    while number < min(len(lines) - 1, start + HEAD_LINES) and DECORATOR.match(lines[number]):
        number += 1
    return min(number, len(lines) - 1)


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
