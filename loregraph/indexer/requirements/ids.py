"""Ids of requirements and designs in running text: search, ranges, comparison with names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from loregraph import patterns
from loregraph.config import RequirementSettings
from loregraph.errors import ConfigError

DEFAULT_PATTERN: Final = RequirementSettings().pattern
MAX_ID: Final = 500
"""Maximum characters of an id."""
MAX_RANGE: Final = 500
"""Maximum ids in a range: a longer one is more likely a mistake."""

LOOSE: Final = r"[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]?[0-9]+"
"""Loosely written ids, whatever the configuration: upper case, and a number at the end (`SRS_012`, `REQ001`)."""

_FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
# "REQ-1..4", "REQ-1..REQ-4", "REQ-1 – 4"; with words only where it is unambiguous ("REQ-1 to -4").
_RANGE_TAIL = (
    r"\s*+(?:(?:\.{2,3}|…|–|—)\s*+(?P<dots>(?:[\w-]*?[-_])?[0-9]+)"
    r"|(?:to|through|until|-)\s++(?P<words>[\w-]*?[-_][0-9]+))(?![\w])"
)
_RANGE = re.compile(_RANGE_TAIL)
_NUMBER = re.compile(r"(?<![0-9])[0-9]+$")
_MAX_DIGITS: Final = 18
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DESIGN_WORDS: Final = frozenset({"ADR", "DES", "DESIGN", "DSN", "SDD", "HLD", "LLD", "SAD", "ADD"})


class Named(msgspec.Struct, frozen=True):
    """An id found in a text, with `start` and `end` of the text that names it (a range names several)."""

    id: str
    start: int
    end: int


class IdPattern:
    """The configured pattern of an id, compiled for searching by `compiled`.

    The default pattern is matched by `re`. A project's own pattern runs in a linear-time engine without look-around:
    there the context of an id is part of the match, and the id is the first group.
    """

    def __init__(self, pattern: str) -> None:
        core, flags = _core(pattern)
        self._own = _LinearIds(core, flags) if pattern != DEFAULT_PATTERN else None
        self._search = re.compile(rf"{flags}(?<![\w-])(?:{core})(?!\w|-\w)") if self._own is None else None
        self._exact = re.compile(rf"{flags}(?:{core})") if self._own is None else None

    def is_id(self, text: str) -> bool:
        if len(text) > MAX_ID:
            return False
        if self._own is not None:
            return self._own.is_id(text)
        assert self._exact is not None
        return self._exact.fullmatch(text) is not None

    def end_of(self, text: str, start: int) -> int:
        """The end of the id that begins at `start`; -1 where none begins there."""
        if self._own is not None:
            return self._own.end_of(text, start)
        assert self._search is not None
        match = self._search.match(text, start)
        return -1 if match is None else match.end()

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """The positions of ids in `text`, ranges unexpanded, in order."""
        if self._own is not None:
            return self._own.spans(text)
        assert self._search is not None
        return (match.span() for match in self._search.finditer(text))

    def is_in(self, text: str) -> bool:
        """Whether `text` contains an id."""
        return next(self.spans(text), None) is not None

    def without(self, text: str) -> str:
        """`text` without its ids."""
        parts, end = [], 0
        for start, after in self.spans(text):
            parts.append(text[end:start])
            end = after
        return "".join(parts) + text[end:]

    def places(self, source: bytes) -> list[int]:
        """Byte offsets of ids of a project's own pattern in UTF-8."""
        return [start for start, _ in self._own.spans_in(source)] if self._own is not None else []

    def at(self, text: str, start: int) -> tuple[tuple[str, ...], int]:
        """The ids that begin at `start`, several for a range, and their end; none: ((), start)."""
        end = self.end_of(text, start)
        return ((), start) if end < 0 else _spread(text, start, end)

    def found(self, text: str) -> Iterator[Named]:
        """All ids in `text`, ranges expanded, in the order of the text."""
        position = 0
        for start, alone in self.spans(text):
            if start < position:
                continue  # the end of a range
            names, end = _spread(text, start, alone)
            for identity in names:
                yield Named(identity, start, end)
            position = end

    def ids(self, text: str) -> list[str]:
        """The ids in `text`, each once."""
        return list(dict.fromkeys(named.id for named in self.found(text)))


class _LinearIds:
    """A project's own pattern. Texts are searched in windows, so the cost is at most the text's length times a window,
    whatever the pattern does at each position."""

    def __init__(self, core: str, flags: str) -> None:
        behind = r"(?:\z|[^\p{L}\p{N}_-]|-(?:\z|[^\p{L}\p{N}_]))"
        self._first = patterns.engine(rf"{flags}(?:\A|[^\p{{L}}\p{{N}}_-])({core}){behind}")
        self._later = patterns.engine(rf"{flags}[^\p{{L}}\p{{N}}_-]({core}){behind}")
        self._here = patterns.engine(rf"{flags}({core}){behind}")
        self._exact = patterns.engine(rf"{flags}(?:{core})")

    def is_id(self, text: str) -> bool:
        return self._exact.fullmatch(text.encode("utf-8", "replace")) is not None

    def end_of(self, text: str, start: int) -> int:
        if start and (text[start - 1] in "-_" or text[start - 1].isalnum()):
            return -1
        window = text[start : start + 2 * MAX_ID]
        match = self._here.match(window.encode("utf-8", "replace"))
        if match is None or match.end(1) - match.start(1) > MAX_ID:
            return -1
        return start + len(match[1].decode("utf-8", "replace"))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        data = text.encode("utf-8", "replace")
        if len(data) == len(text):
            yield from self.spans_in(data)
            return
        known = at = 0
        for start, end in self.spans_in(data):
            at += len(data[known:start].decode("utf-8", "replace"))
            length = len(data[start:end].decode("utf-8", "replace"))
            yield at, at + length
            known, at = end, at + length

    def spans_in(self, data: bytes) -> Iterator[tuple[int, int]]:
        """The positions of ids in UTF-8, each of at most `MAX_ID` bytes."""
        position = 0
        while position < len(data):
            # The character before an id is part of the match, hence one more byte.
            begin, stop = _whole(data, max(0, position - 1)), position + 4 * MAX_ID
            match = (self._later if position else self._first).search(data[begin:stop])
            if match is None:
                position = len(data) if stop >= len(data) else _whole(data, position + 3 * MAX_ID)
                continue
            start, end = begin + match.start(1), begin + match.end(1)
            if begin + match.end() >= stop < len(data) and start > position:
                position = start  # it may continue past the window: search again from its start
                continue
            if start < end <= start + MAX_ID:
                yield start, end
            position = max(end, start + 1)


def _whole(data: bytes, place: int) -> int:
    """The start of the UTF-8 character that contains the byte at `place`."""
    while place > 0 and data[place] & 0xC0 == 0x80:
        place -= 1
    return place


def _core(pattern: str) -> tuple[str, str]:
    """A configured pattern without its anchors, and its flags, for the engine used."""
    own = pattern != DEFAULT_PATTERN
    expression = patterns.translated(pattern) if own else pattern
    leading = _FLAGS.match(expression)
    flags = leading[0] if leading is not None else ""
    return expression[len(flags) :].removeprefix("^").removesuffix("$"), flags


def _spread(text: str, start: int, end: int) -> tuple[tuple[str, ...], int]:
    """The ids denoted from `start` to `end`, several where a range follows, and the end."""
    alone = text[start:end]
    tail = _RANGE.match(text, end)
    spread = between(alone, tail["dots"] or tail["words"]) if tail else ()
    return (spread, tail.end()) if tail and spread else ((alone,), end)


@lru_cache(maxsize=8)
def compiled(pattern: str) -> IdPattern:
    """Compiles the pattern of an id. Raises ConfigError for an unusable one."""
    try:
        return IdPattern(pattern)
    except patterns.PatternError as error:
        raise ConfigError(f"requirements.pattern cannot be used: {error}", "write it without what it names") from error


def between(first: str, last: str) -> tuple[str, ...]:
    """The ids from `first` to `last`, a number or an id that differs in its last number only; () where that makes no
    sense."""
    low, high = _NUMBER.search(first), _NUMBER.search(last)
    if low is None or high is None:
        return ()
    prefix, before = first[: low.start()], last[: high.start()]
    if before.strip("-_") and before != prefix:
        return ()
    if max(len(low[0]), len(high[0])) > _MAX_DIGITS:
        return ()
    start, end, width = int(low[0]), int(high[0]), len(low[0])
    if not start < end <= start + MAX_RANGE:
        return ()
    return tuple(f"{prefix}{number:0{width}}" for number in range(start, end + 1))


def family(identity: str) -> str:
    """The part of an id before its last number, shared by related ids; "" where that is no useful prefix."""
    number = _NUMBER.search(identity)
    prefix = identity[: number.start()] if number else ""
    return prefix if sum(map(str.isalpha, prefix)) >= 2 else ""


def names_design(identity: str) -> bool:
    """Whether an id denotes a design (`ADR-004`, `DES-12`)."""
    return re.split(r"[-_0-9]", identity, maxsplit=1)[0].upper() in _DESIGN_WORDS


def words(name: str) -> tuple[str, ...]:
    """A name as words in lower case, numbers separate: `test_req_001` and `testReq001` are the same."""
    return tuple(word.lower() for word in _WORDS.findall(name))


def folded(identity: str) -> str:
    """An id normalised for variants of spelling: without case, separators and a file extension."""
    return re.sub(r"[\W_]+", "-", identity.removesuffix(".txt")).strip("-").casefold()


def known_as(identities: Iterable[str]) -> dict[str, str]:
    """Folded form → id, for forms that belong to one id only."""
    every = list(identities)
    forms = Counter(map(folded, every))
    return {folded(identity): identity for identity in every if forms[folded(identity)] == 1}
