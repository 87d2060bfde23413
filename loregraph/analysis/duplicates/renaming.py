"""Decides whether one piece of code is a consistent renaming of another.

Variables of a piece must be renamed everywhere or nowhere. A name that follows a dot, is called, or names an argument
or key may be unrelated to a variable of the same name: it may be renamed with the variable or stay.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from loregraph.analysis.duplicates.tokens import NAME, Hashes, Kinds, word_hash

_DOT, _ROUND, _COMMA, _CURLY, _EQUALS, _COLON = (np.uint64(word_hash(sign)) for sign in ".(,{=:")
_BEFORE_A_KEY: Final = np.array([_ROUND, _COMMA, _CURLY])
_AFTER_A_KEY: Final = np.array([_EQUALS, _COLON])


class Names(NamedTuple):
    """The names of a piece of code in order, and which of them may be unrelated to its variables."""

    words: Hashes
    foreign: npt.NDArray[np.bool_]


def names_of(words: Hashes, kinds: Kinds) -> Names:
    before, after = np.zeros_like(words), np.zeros_like(words)
    before[1:], after[:-1] = words[:-1], words[1:]
    keys = np.isin(before, _BEFORE_A_KEY) & np.isin(after, _AFTER_A_KEY)
    foreign = (before == _DOT) | (after == _ROUND) | keys
    names = kinds == NAME
    return Names(words[names], foreign[names])


def is_renaming(one: Names, other: Names) -> bool:
    """Whether `other` is `one` renamed. Both must be equal except for names and literals."""
    if len(one.words) != len(other.words):
        return False
    there: dict[int, int] = {}
    back: dict[int, int] = {}
    rest = []
    foreign = one.foreign & other.foreign
    for a, b, free in zip(one.words.tolist(), other.words.tolist(), foreign.tolist(), strict=True):
        if free:
            rest.append((a, b))
        elif there.setdefault(a, b) != b or back.setdefault(b, a) != a:
            return False
    apart: dict[int, int] = {}
    together: dict[int, int] = {}
    return all(
        a == b or there.get(a) == b or (apart.setdefault(a, b) == b and together.setdefault(b, a) == a) for a, b in rest
    )
