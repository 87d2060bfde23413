"""A text that is being edited, which still knows what it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NAME: Final = "loregraph"
"""The name of the server in every host's configuration."""


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from `start` to `end` of the text as it is now, which were `before`."""

    start: int
    end: int
    before: str


@dataclass(frozen=True, slots=True)
class Edited:
    """A text and the places where it was changed: in order, without overlaps."""

    text: str
    spans: tuple[Span, ...] = ()

    def replace(self, start: int, end: int, new: str) -> Edited:
        """The text with `new` in place of the characters from `start` to `end`; with equal ones, an insertion."""
        inside = [one for one in self.spans if one.start < end and one.end > start]
        low = min([start, *(one.start for one in inside)])
        high = max([end, *(one.end for one in inside)])
        piece = self.text[low:start] + new + self.text[end:high]
        before = restored(self.text[low:high], [Span(one.start - low, one.end - low, one.before) for one in inside])
        grown = len(piece) - (high - low)
        spans = [
            *(one for one in self.spans if one not in inside and one.end <= low),
            Span(low, low + len(piece), before),
            *(
                Span(one.start + grown, one.end + grown, one.before)
                for one in self.spans
                if one not in inside and one.end > low
            ),
        ]
        return Edited(self.text[:low] + piece + self.text[high:], tuple(spans))

    def insert(self, at: int, new: str) -> Edited:
        return self.replace(at, at, new)


def restored(text: str, spans: Sequence[Span]) -> str:
    """What `text` was before the edits at `spans`."""
    pieces = []
    at = 0
    for span in spans:
        pieces += [text[at : span.start], span.before]
        at = span.end
    return "".join([*pieces, text[at:]])


def line_end(text: str) -> str:
    """The line end that `text` uses, by its first line; "\\n" where it has none."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def line_start(text: str, at: int) -> int:
    """Where the line of the character `at` begins."""
    return text.rfind("\n", 0, at) + 1


def closed(text: str) -> str:
    """What has to follow `text` for a new line to begin there: "" where one does."""
    return "" if not text.removeprefix("\ufeff") or text.endswith("\n") else line_end(text)
