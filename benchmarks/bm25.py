"""BM25 over texts, split into the same terms as our own index: the baseline of the benchmarks that find code."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from loregraph.graph.terms import terms, words_of

K1, B = 1.2, 0.75

_terms_of = lru_cache(maxsize=200_000)(terms)


class Bm25:
    """An index of `texts`, with the usual constants (Robertson and Zaragoza 2009)."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for number, text in enumerate(texts):
            held = Counter(term for word in words_of(text) for term in _terms_of(word))
            for term, n in held.items():
                self._postings[term].append((number, n))
            self._lengths.append(held.total())
        self._average = sum(self._lengths) / max(1, len(self._lengths))

    def rank(self, query: Sequence[str], limit: int) -> list[int]:
        """The numbers of the texts with the highest scores for the terms of `query`, best first."""
        scores: Counter[int] = Counter()
        count = len(self._lengths)
        for term, asked in Counter(query).items():
            having = self._postings.get(term, ())
            idf = math.log(1 + (count - len(having) + 0.5) / (len(having) + 0.5))
            for number, n in having:
                norm = K1 * (1 - B + B * self._lengths[number] / self._average)
                scores[number] += asked * idf * n * (K1 + 1) / (n + norm)
        return [number for number, _ in sorted(scores.items(), key=lambda row: (-row[1], row[0]))[:limit]]
