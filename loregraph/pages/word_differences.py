"""The words that two versions of a text differ in.

Lines are compared first, then the words of the lines that differ: the cost is bounded by their number, and where there
are more the lines stand as they are, the old ones before the new ones.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

MOST_LINES: Final = 2_000
"""Lines of a version that are compared."""
MOST_WORDS: Final = 2_000
"""Words, marks and spaces that are compared of what differs between two equal lines."""

_WORD: Final = re.compile(r"\w+|[^\w\s]|\s+")
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")

How = Literal["same", "removed", "added"]


class Run(msgspec.Struct, frozen=True):
    """Text that both versions have, or only the old (`removed`) or the new one (`added`)."""

    how: How
    text: str


def word_differences(old: str, new: str) -> list[Run]:
    """Runs in order: without the added ones they are `old`, without the removed ones `new`."""
    found: list[Run] = []
    for run in _by_lines(old, new):
        if not run.text:
            continue
        if found and found[-1].how == run.how:
            found[-1] = Run(run.how, found[-1].text + run.text)
        else:
            found.append(run)
    return found


def _by_lines(old: str, new: str) -> Iterator[Run]:
    before, after = _LINE.findall(old), _LINE.findall(new)
    if max(len(before), len(after)) > MOST_LINES:
        yield from (Run("removed", old), Run("added", new)) if old != new else (Run("same", old),)
        return
    for how, gone, come in _blocks(before, after):
        if how == "equal":
            yield Run("same", "".join(gone))
        else:
            yield from _by_words("".join(gone), "".join(come))


def _by_words(old: str, new: str) -> Iterator[Run]:
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > MOST_WORDS:
        yield from (Run("removed", old), Run("added", new))
        return
    removed, added = "", ""
    for how, gone, come in _blocks(before, after):
        text = "".join(gone)
        if how != "equal" or ((removed or added) and text.isspace() and "\n" not in text):
            # A space that both have does not part what differs around it.
            removed, added = removed + text, added + "".join(come)
            continue
        yield from (Run("removed", removed), Run("added", added), Run("same", text))
        removed, added = "", ""
    yield from (Run("removed", removed), Run("added", added))


def _blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    # Words that are frequent in a long text only match beside others: that is what bounds the comparison's cost.
    for how, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        yield how, old[a:b], new[c:d]
