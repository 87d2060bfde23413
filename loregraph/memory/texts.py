"""The lexical index of memories: an inverted index that is updated as memories are added and removed.

Scores are BM25 (Robertson and Walker, SIGIR 1994) divided by the score of a text with every word of the query, so that
they are absolute: 0 for nothing in common, 1 for all.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import Final

from loregraph.graph.terms import WORD, query_terms, terms

K1: Final = 1.2
B: Final = 0.75


@lru_cache(maxsize=100_000)
def _terms_of(word: str) -> tuple[str, ...]:
    return tuple(terms(word))


def term_counts(text: str) -> Counter[str]:
    """Term → number of occurrences in `text`."""
    return Counter(term for word in WORD.findall(text) for term in _terms_of(word))


class TextIndex:
    """Texts by id. Not thread-safe."""

    def __init__(self) -> None:
        self._texts: dict[str, Counter[str]] = {}
        self._postings: dict[str, dict[str, int]] = {}
        self._lengths: dict[str, int] = {}
        self._norms: dict[str, float] = {}
        self._total = 0

    def __len__(self) -> int:
        return len(self._texts)

    def put(self, key: str, text: str) -> None:
        """Adds or replaces the text `key`."""
        self.drop(key)
        counts = term_counts(text)
        self._texts[key] = counts
        self._lengths[key] = counts.total()
        self._norms[key] = math.sqrt(sum(n * n for n in counts.values()))
        self._total += counts.total()
        for term, n in counts.items():
            self._postings.setdefault(term, {})[key] = n

    def drop(self, key: str) -> None:
        """Removes the text `key`."""
        counts = self._texts.pop(key, None)
        if counts is None:
            return
        self._total -= self._lengths.pop(key)
        del self._norms[key]
        for term in counts:
            posting = self._postings[term]
            del posting[key]
            if not posting:
                del self._postings[term]

    def clear(self) -> None:
        self._texts.clear()
        self._postings.clear()
        self._lengths.clear()
        self._norms.clear()
        self._total = 0

    def terms_of(self, key: str) -> list[str]:
        """The distinct terms of a text; none of an unknown one."""
        return list(self._texts.get(key, ()))

    def idf(self, term: str) -> float:
        """Inverse document frequency of a term."""
        n, having = len(self._texts), len(self._postings.get(term, ()))
        return math.log(1 + (n - having + 0.5) / (having + 0.5))

    def scores(self, query: str) -> dict[str, float]:
        """Id → how well its text matches the query, above 0 to 1, for texts with a word in common."""
        asked = query_terms(query)
        if not self._texts or not asked:
            return {}
        average = self._total / len(self._texts) or 1.0
        found: dict[str, float] = {}
        best = 0.0
        for term, weight in asked.items():
            idf = weight * self.idf(term)
            if weight == 1:
                best += idf
            for key, count in self._postings.get(term, {}).items():
                norm = K1 * (1 - B + B * self._lengths[key] / average)
                found[key] = found.get(key, 0.0) + idf * count * (K1 + 1) / (count + norm)
        return {key: min(1.0, score / best) for key, score in found.items()}

    def similar(self, text: str, above: float) -> list[tuple[str, float]]:
        """(id, cosine of term counts) of every text with a cosine above `above`, nearest first.

        Only texts with one of the rarest terms are examined: those that carry so much of the length of `text` that
        without all of them the cosine cannot be reached (prefix filtering; Bayardo, Ma and Srikant, WWW 2007).
        """
        counts = term_counts(text)
        length = math.sqrt(sum(n * n for n in counts.values()))
        if not length:
            return []
        candidates: set[str] = set()
        needed = (1 - above * above) * length * length
        for term in sorted(counts, key=lambda term: (len(self._postings.get(term, ())), term)):
            if needed < 0:
                break
            needed -= counts[term] ** 2
            candidates.update(self._postings.get(term, ()))
        found = []
        for key in candidates:
            other = self._texts[key]
            small, large = (counts, other) if len(counts) < len(other) else (other, counts)
            dot = sum(n * large[term] for term, n in small.items() if term in large)
            cosine = dot / (length * self._norms[key])
            if cosine > above:
                found.append((key, min(1.0, cosine)))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))
