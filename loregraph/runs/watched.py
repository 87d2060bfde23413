"""Which functions the recorder of calls can see being called, and in how many tests each function ran."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

from loregraph.recording.calls import ITERATION, KINDS
from loregraph.runs.record import Call, Place

TextOf = Callable[[Place], str]
"""The text of a place's file as it was measured, "" where that is not known."""
_DECORATOR: Final = "@"


class Watched:
    """What one record says of it.

    A call goes unseen where something else stands between caller and callee: whoever asks a generator for its next
    value, a decorator's wrapper. So a function counts as watched only where it was seen being called in a way that
    would show any call of it: not by iteration, and if it is decorated, from a line with its name.
    """

    def __init__(self, text_of: TextOf) -> None:
        self._text_of = text_of
        self._lines: dict[str, list[str]] = {}
        self._seen: set[str] = set()
        self._doubtful: set[str] = set()
        self._tests: Counter[str] = Counter()

    def ran(self, test: str, functions: Collection[str]) -> None:
        """The ids of what ran in a test, "" for what ran outside of all."""
        if test:
            self._tests.update(functions)

    def missed(self, function: str) -> None:
        """Calls of it may have been missed."""
        self._doubtful.add(function)

    def called(self, call: Call, callee: str) -> bool:
        """Whether the caller called what ran: a generator or coroutine is run by who asks for its next value, and only
        where its name stands in the line is that known to be who called it."""
        is_iterated = call.kind == KINDS[ITERATION]
        if is_iterated:
            self._doubtful.add(callee)
        elif callee in self._seen:
            return True
        is_named = (is_iterated or self._is_decorated(call.callee)) and self._names(call)
        if not is_iterated and (is_named or not self._is_decorated(call.callee)):
            self._seen.add(callee)
        return is_named or not is_iterated

    def of(self, function: str) -> tuple[int, bool]:
        """(in how many tests it ran, whether it was watched)."""
        return self._tests[function], function in self._seen and function not in self._doubtful

    def _is_decorated(self, place: Place) -> bool:
        return self._line(place, place.line).lstrip().startswith(_DECORATOR)

    def _names(self, call: Call) -> bool:
        name = call.callee.name.rpartition(".")[2]
        return re.search(rf"\b{re.escape(name)}\b", self._line(call.caller, call.line)) is not None

    def _line(self, place: Place, number: int) -> str:
        lines = self._lines.get(place.path)
        if lines is None:
            lines = self._lines[place.path] = self._text_of(place).split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""
