"""Ids of requirements and designs in running text: finding them, taking ranges apart, comparing them with names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from loregraph.config import RequirementSettings

DEFAULT_PATTERN: Final = RequirementSettings().pattern
MAX_RANGE: Final = 500
"""Ids that one range may stand for: past that it is more likely a slip than meant."""

LOOSE: Final = r"[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]?[0-9]+"
"""What looks like an id whatever the configuration says: upper case, and a number at the end (`SRS_012`, `REQ001`)."""

_FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
# "REQ-1..4", "REQ-1..REQ-4", "REQ-1 – 4"; words only before what cannot be anything else ("REQ-1 to -4").
_RANGE_TAIL = (
    r"\s*(?:(?:\.{2,3}|…|–|—)\s*(?P<dots>(?:[\w-]*?[-_])?[0-9]+)"
    r"|(?:to|through|until|-)\s+(?P<words>[\w-]*?[-_][0-9]+))(?![\w])"
)
_NUMBER = re.compile(r"[0-9]+$")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DESIGN_WORDS: Final = frozenset({"ADR", "DES", "DESIGN", "DSN", "SDD", "HLD", "LLD", "SAD", "ADD"})


class Named(msgspec.Struct, frozen=True):
    """An id found in a text, and where: `start` and `end` of what names it (a range names several)."""

    id: str
    start: int
    end: int


class IdPattern:
    """The configured pattern of an id, ready to search with. Made by `compiled`."""

    def __init__(self, pattern: str) -> None:
        flags = ""
        leading = _FLAGS.match(pattern)
        if leading is not None:
            # Python takes flags for the whole expression only at its very start.
            flags, pattern = leading[0], pattern[leading.end() :]
        core = rf"(?:{pattern.removeprefix('^').removesuffix('$')})"
        bounded = rf"(?<![\w-]){core}(?!\w|-\w)"
        self.search = re.compile(flags + bounded)
        self.in_bytes = re.compile((flags + bounded).encode())
        """The same for bytes of UTF-8: finds where to look."""
        self.exact = re.compile(flags + core)
        self._range = re.compile(rf"{flags}{bounded}(?:{_RANGE_TAIL})?")

    def is_id(self, text: str) -> bool:
        return self.exact.fullmatch(text) is not None

    def at(self, text: str, start: int) -> tuple[tuple[str, ...], int]:
        """The ids that begin at `start`, several for a range, and where they end; none: ((), start)."""
        alone = self.search.match(text, start)
        if alone is None:
            return (), start
        ranged = self._range.match(text, start)
        tail = (ranged["dots"] or ranged["words"]) if ranged else None
        spread = between(alone[0], tail) if tail else ()
        return (spread, ranged.end()) if ranged and spread else ((alone[0],), alone.end())

    def found(self, text: str) -> Iterator[Named]:
        """Every id that `text` names, ranges taken apart, in the order of the text."""
        position = 0
        while (match := self.search.search(text, position)) is not None:
            names, end = self.at(text, match.start())
            for identity in names:
                yield Named(identity, match.start(), end)
            position = max(end, match.start() + 1)

    def ids(self, text: str) -> list[str]:
        """The ids in `text`, each once."""
        return list(dict.fromkeys(named.id for named in self.found(text)))


@lru_cache(maxsize=8)
def compiled(pattern: str) -> IdPattern:
    """The pattern of an id. Raises re.error for what is no regular expression; configuration has checked that."""
    return IdPattern(pattern)


def between(first: str, last: str) -> tuple[str, ...]:
    """The ids from `first` to `last`, which is a number or an id that differs in its last number only; () where that
    makes no sense."""
    low, high = _NUMBER.search(first), _NUMBER.search(last)
    if low is None or high is None:
        return ()
    prefix, before = first[: low.start()], last[: high.start()]
    if before.strip("-_") and before != prefix:
        return ()
    start, end, width = int(low[0]), int(high[0]), len(low[0])
    if not start < end <= start + MAX_RANGE:
        return ()
    return tuple(f"{prefix}{number:0{width}}" for number in range(start, end + 1))


def family(identity: str) -> str:
    """What an id has in common with its like: all before its last number; "" where that says nothing."""
    number = _NUMBER.search(identity)
    prefix = identity[: number.start()] if number else ""
    return prefix if sum(map(str.isalpha, prefix)) >= 2 else ""


def names_design(identity: str) -> bool:
    """Whether an id calls what it stands for a design (`ADR-004`, `DES-12`)."""
    return re.split(r"[-_0-9]", identity, maxsplit=1)[0].upper() in _DESIGN_WORDS


def words(name: str) -> tuple[str, ...]:
    """A name as words in lower case, numbers apart: `test_req_001` and `testReq001` are the same."""
    return tuple(word.lower() for word in _WORDS.findall(name))


def folded(identity: str) -> str:
    """An id as people also write it: case, separators and a file's extension aside."""
    return re.sub(r"[\W_]+", "-", identity.removesuffix(".txt")).strip("-").casefold()


def known_as(identities: Iterable[str]) -> dict[str, str]:
    """Folded form → id, of ids that no other has the same form of."""
    every = list(identities)
    forms = Counter(map(folded, every))
    return {folded(identity): identity for identity in every if forms[folded(identity)] == 1}
