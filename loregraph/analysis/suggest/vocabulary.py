"""The words of the requirements, and the conversion of code to them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.graph.terms import MAX_WORD, STOP_WORDS, WORD, split_identifier, stem

Ids = npt.NDArray[np.int32]

_STOP: Final = STOP_WORDS | frozenset(
    "shall must may might would could if then than at into onto there their they them he she his her been has have had "
    "such so no all any each other also only same own between before after while during via per we our us at".split()
)
"""English stop words; those of other languages are recognised by their frequency."""
UNKNOWN: Final = -1
"""The number of a word that no requirement has."""


def words(text: str) -> list[str]:
    """The stems of `text` in order: identifiers split, without stop words, numbers and single letters."""
    return [stemmed for word in WORD.findall(text) for stemmed, _ in _parts(word)]


def surface(texts: Iterable[str]) -> dict[str, str]:
    """Stem → the shortest word of `texts` that has it."""
    found: dict[str, str] = {}
    for text in texts:
        for word in WORD.findall(text):
            for stemmed, part in _parts(word):
                known = found.setdefault(stemmed, part)
                if (len(part), part) < (len(known), known):
                    found[stemmed] = part
    return found


def _parts(word: str) -> list[tuple[str, str]]:
    """Stems and what they are the stems of."""
    if len(word) > MAX_WORD:
        return []
    parts = [
        (stem(part), part)
        for part in split_identifier(word)
        if len(part) > 1 and part not in _STOP and not part.isdigit()
    ]
    # A whole identifier is a rare word: whoever writes `parse_header` means exactly that.
    return [*parts, ("".join(stemmed for stemmed, _ in parts), word)] if len(parts) > 1 else parts


class Vocabulary:
    """Numbers the words of `texts` in order, followed by those of the code, as they occur."""

    def __init__(self, texts: Iterable[list[str]]) -> None:
        self.words: list[str] = sorted(set(chain.from_iterable(texts)))
        self._ids = {word: number for number, word in enumerate(self.words)}
        self._others: dict[str, int] = {}
        self._known: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.words)

    @property
    def width(self) -> int:
        """The number of words including those of the code."""
        return len(self.words) + len(self._others)

    def number(self, word: str) -> int:
        """The number of a stem, `UNKNOWN` where no requirement has it."""
        return self._ids.get(word, UNKNOWN)

    def any_number(self, word: str) -> int:
        """The number of a stem, assigned on first use."""
        known = self._ids.get(word)
        return self._others.setdefault(word, self.width) if known is None else known

    def numbers(self, found: Iterable[str]) -> list[int]:
        """Numbers of the parts of words matched by `WORD`, in order."""
        known = self._known
        numbers: list[int] = []
        for word in found:
            parts = known.get(word)
            if parts is None:
                parts = known[word] = tuple(self.any_number(stemmed) for stemmed, _ in _parts(word))
            numbers += parts
        return numbers
