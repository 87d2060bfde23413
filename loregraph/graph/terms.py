"""Terms: splits identifiers and prose into the units that the lexical index compares.

Uses only the standard library and caches words, since every word of a project passes through here.
"""

from __future__ import annotations

import re
import zlib
from itertools import pairwise
from typing import Final

WORD: Final = re.compile(r"[^\W_]\w*")
"""A run of letters, digits and underscores: the unit of the cache. Leading underscores are dropped."""
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
"""Scripts without blanks between words: Japanese, Chinese; and Korean, whose words have endings."""
_VOWEL: Final = re.compile(r"[aeiouy]")
MAX_WORD: Final = 80
"""Longer runs are data (base64, minified names), not words."""

KEYWORDS: Final = frozenset(
    "self this cls def return if else elif for in not and or is none null nil true false const let var func fn "
    "function public private protected static void import from as the a an of to be by on with".split()
)
"""Words in nearly every definition; dropped from documents where they are whole words."""

STOP_WORDS: Final = KEYWORDS - {"function", "static"} | frozenset(
    "it its that these those are was were will can should how what when where which who does do i my me you your "
    "using use given python code".split()
)
"""Stop words of queries."""


QUESTION_WORDS: Final = frozenset(
    "how what where when which why who does do i can my python code example using given".split()
)
"""Question words, without content."""

JOINED_WEIGHT: Final = 0.4
"""The weight of two neighbouring words of a query as one term, relative to 1 for each of them. Measured."""


Words = list[str]

_BETWEEN_WORDS: Final = bytes(b if chr(b).isalnum() or b == ord("_") else ord(" ") for b in range(128)).ljust(256)
_LEADING_UNDERSCORES: Final = re.compile(rb" _++")


def words_of(text: str) -> Words:
    """The words of `text`, in order."""
    return WORD.findall(text)


def words_of_source(source: bytes) -> Words:
    """As `words_of`, for text in UTF-8; invalid bytes are dropped."""
    if not source.isascii():
        return WORD.findall(source.decode("utf-8", "ignore"))
    # Half the time of the regular expression, for most text.
    spaced = b" " + source.translate(_BETWEEN_WORDS)
    return _LEADING_UNDERSCORES.sub(b" ", spaced).decode("ascii").split()


# Implements REQ-SRC-002.
def split_identifier(name: str) -> list[str]:
    """`name` split at underscores, case changes and digits, in lower case: `HTTPServer2_run` → http, server, 2, run."""
    if name.isascii():
        return " ".join(_PART.findall(name)).lower().split()
    return [part.lower() for run in _RUN.findall(name) for part in _cut_at_case(run)]


def _cut_at_case(run: str) -> list[str]:
    """Like `_PART`, for letters of any alphabet: a capital starts a part after a small letter or before one."""
    starts = [
        i
        for i in range(1, len(run))
        if run[i].isupper() and (run[i - 1].islower() or (run[i : i + 2].istitle() and run[i + 1 : i + 2].islower()))
    ]
    return [run[a:b] for a, b in pairwise([0, *starts, len(run)])]


def stem(word: str) -> str:
    """A light English stem: plural, -ed, -ing, final e. `word` is in lower case; words of three letters stay."""
    n = len(word)
    if n <= 3 or not word.isascii():
        return word
    if word.endswith("ies") and n > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ing") and _VOWEL.search(word, 0, len(word) - 3) and len(word) > 5:
        word = _undouble(word[:-3])
    elif word.endswith("ed") and _VOWEL.search(word, 0, len(word) - 2) and len(word) > 4:
        word = _undouble(word[:-2])
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word


def terms(text: str) -> list[str]:
    """The terms of `text` in order, as documents are indexed."""
    return [term for word in words_of(text) for term in _word_terms(word)]


def _word_terms(word: str) -> list[str]:
    if len(word) > MAX_WORD or word.lower() in KEYWORDS:
        return []
    parts = split_identifier(word)
    found = [stem(part) for part in parts]
    if not word.isascii():
        found += [run[i : i + 2] for run in _UNSPACED.findall(word) if len(run) > 2 for i in range(len(run) - 1)]
    if len(parts) > 1:
        found.append("".join(parts))
    elif len(word) == 1 and not word.isalpha():
        return []
    return found


def query_terms(text: str) -> dict[str, float]:
    """The distinct terms of a query with their weights: stop words dropped unless nothing else remains.

    Neighbouring words also count as one term, with a small weight: "file name" finds `filename`.
    """
    words = words_of(text)
    kept = [word for word in words if word.lower() not in STOP_WORDS] or words
    found = dict.fromkeys((term for word in kept for term in _word_terms(word)), 1.0)
    parts = [part for word in kept for part in split_identifier(word)]
    for left, right in pairwise(parts):
        found.setdefault(left + right, JOINED_WEIGHT)
        found.setdefault(stem(left + right), JOINED_WEIGHT)
    return found


def term_hash(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


class _PartHashes(dict[str, int]):
    """Part of an identifier, as written → hash of its stem: projects have five times as many words as parts."""

    _LIMIT: Final = 100_000

    def __missing__(self, part: str) -> int:
        if len(self) >= self._LIMIT:
            self.clear()
        found = self[part] = term_hash(stem(part.lower()))
        return found


class TermHashes(dict[str, tuple[int, ...]]):
    """Word → hashes of its terms, computed on demand."""

    _LIMIT: Final = 500_000

    def __init__(self) -> None:
        self._parts = _PartHashes()

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= self._LIMIT:
            self.clear()
        found = self[word] = self._hashed(word)
        return found

    def _hashed(self, word: str) -> tuple[int, ...]:
        """The hashes of `_word_terms(word)`."""
        lowered = word.lower()
        if not word.isascii() or len(word) > MAX_WORD or lowered in KEYWORDS:
            return tuple(map(term_hash, _word_terms(word)))
        parts = _PART.findall(word)
        hashes = map(self._parts.__getitem__, parts)
        if len(parts) > 1:
            return (*hashes, term_hash(lowered.replace("_", "")))
        return tuple(hashes) if len(word) > 1 or word.isalpha() else ()
