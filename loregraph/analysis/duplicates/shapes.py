"""The amount of code in a body: statements, tokens and lines, and whether it branches.

A head with many parameters, a call on thirty lines or a long comment make a function long without giving it anything to
share. Only the body is counted, by tokens alone, so that it works the same in every language: a statement ends at a
line end without an open bracket or a continuation, or at a semicolon.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from loregraph.analysis.duplicates.lexical_rules import RULES
from loregraph.analysis.duplicates.tokens import word_hash
from loregraph.analysis.duplicates.units import Units

MOST_READ: Final = 400
"""Maximum tokens examined of a body: longer ones have many statements, unless all is one call."""

_BODIES: Final = {name: rules.body for name, rules in RULES.items()}
_OPENING: Final = {word_hash(sign): sign for sign in "([{"}
_CLOSING: Final = {word_hash(sign): opening for sign, opening in zip(")]}", "([{", strict=True)}
_SEMICOLON, _COLON, _EQUALS, _BAR = map(word_hash, ";:=|")
_CARRIED_ON: Final = frozenset(map(word_hash, ",([=.+-*/%&|?<>\\"))
"""Tokens after which a statement continues in the next line."""
_CARRIES_ON: Final = frozenset(map(word_hash, ".?&|:+,)]={"))
"""Tokens at the start of a line that continue the previous statement."""
_BLOCKS: Final = frozenset(map(word_hash, ("function", "do", "fn")))
_END: Final = word_hash("end")
_DECISIONS: Final = frozenset(
    map(
        word_hash,
        (
            "if elif elsif elseif unless switch match case when cond guard for foreach while until loop repeat try "
            "catch except rescue select orelse"
        ).split(),
    )
)


class Shape(NamedTuple):
    """The amount of code in a body; `decides`: it branches, loops or catches errors."""

    statements: int
    tokens: int
    lines: int
    decides: bool


# Implements REQ-DUP-005.
def shape_of(units: Units, language: str, unit: int, first: int, last: int) -> Shape:
    """The shape of the tokens `first` to `last`, exclusive, of a unit, without its head."""
    begin = max(first, _body(units, language, int(units.first[unit]), int(units.last[unit])))
    if begin >= last:
        return Shape(0, 0, 0, False)
    words, lines = units.tokens.words[begin:last].tolist(), units.tokens.lines[begin:last].tolist()
    return Shape(
        _statements(words[:MOST_READ], lines[:MOST_READ]),
        len(words),
        len(set(lines)),
        not _DECISIONS.isdisjoint(words),
    )


def _body(units: Units, language: str, first: int, last: int) -> int:
    """The first token of a unit's body; `last` where it has none."""
    words = units.tokens.words[first : min(last, first + MOST_READ)].tolist()
    body = _BODIES.get(language, "{")
    if body == "\n":
        return first + int(np.searchsorted(units.tokens.lines[first:last], units.tokens.lines[first], side="right"))
    depth = 0
    best: tuple[int, int] | None = None
    equals = None
    for at, word in enumerate(words):
        sign = _OPENING.get(word)
        if body == ":":
            if word == _COLON and depth == 0:
                return first + at + 1
            depth += (sign is not None) - (word in _CLOSING)
        elif sign == "{":
            # An argument may be a pattern in braces: the body has fewer enclosing brackets, also for a function in a
            # call.
            if best is None or depth < best[0]:
                best = depth, at + 1
        elif sign is not None:
            depth += 1
        elif _CLOSING.get(word, "{") != "{":
            depth -= 1
        elif word == _EQUALS and depth == 0 and equals is None:
            equals = at + 1
    if best is not None or equals is not None:
        return first + (best[1] if best is not None else equals or 0)
    return last if words and words[-1] == _SEMICOLON else first


def _statements(words: Sequence[int], lines: Sequence[int]) -> int:
    count = 0
    has_content = False
    around: list[str] = []
    for at, word in enumerate(words):
        if (sign := _OPENING.get(word)) is not None:
            around.append(sign)
            has_content |= sign != "{"
        elif (opening := _CLOSING.get(word)) is not None:
            while around and around.pop() != opening:
                pass
        elif word in _BLOCKS:
            around.append("do")
            has_content = True
        elif word == _END:
            if around and around[-1] == "do":
                around.pop()
        elif word != _SEMICOLON:
            has_content = True
        if not has_content or (around and around[-1] in "(["):
            continue
        last_of_line = at + 1 == len(words) or lines[at + 1] != lines[at]
        ends_block_head = word == _BAR and around[-1:] == ["do"]
        carried = (word in _CARRIED_ON and not ends_block_head) or (
            at + 1 < len(words) and words[at + 1] in _CARRIES_ON
        )
        if word == _SEMICOLON or (last_of_line and not carried):
            count += 1
            has_content = False
    return count + has_content
