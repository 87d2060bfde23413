"""How well each definition matches a question: by the index of words, by search, by its file and by its source.

A question here is often long, the message of a commit or an issue, and names parts of bodies; the index of words, made
for short queries, weighs names most. So the best candidates are looked at again in their sources, where every word
counts alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from loregraph.analysis.code_roles import CodeRoles
from loregraph.graph.columns import GraphColumns
from loregraph.graph.lexical import LexicalIndex
from loregraph.graph.model import CONSTANT, LABELS
from loregraph.graph.search import BESIDE_TESTS, TEST_TERMS, SearchHit
from loregraph.graph.terms import STOP_WORDS, query_terms, terms, words_of

MOST_TERMS: Final = 200
"""Terms of a question that count: the most informative."""
REPEATED: Final = 0.5
"""Exponent of a term's count in the question."""
CANDIDATES: Final = 200
SECOND_LOOK: Final = 60
"""How many candidates' sources are read."""
MOST_LINES: Final = 400
MOST_CHARACTERS: Final = 40_000
"""What is read of a candidate."""
WORDS: Final = 0.5
SEARCH: Final = 0.2
FILE: Final = 0.2
"""What the best score of the index of words, of search and of a whole file counts, relative to the best of the sources.
These and the constants of `ranking` were chosen on the commits of six repositories: see benchmarks/context.py."""
TEST_FACTOR: Final = 0.4
"""For test code, unless the question is about tests: the answer lists the tests of what it shows anyway."""
K1: Final = 1.2
B: Final = 0.75
SAID: Final = 3
"""Terms given as a reason."""
EXAMPLE_FACTOR: Final = 0.5
"""The same for examples, fixtures and benchmarks, which repeat the words of what they use."""
CLASS_FACTOR: Final = 0.7
"""For a class, whose methods are found by themselves."""
_EXAMPLE_TERMS: Final = TEST_TERMS | {"exampl", "benchmark", "bench", "demo"}
_LABELS: Final = (LABELS.index("Function"), LABELS.index("Class"))

_terms_of: Final = lru_cache(maxsize=20_000)(terms)
"""Of one word: sources of a project share most of theirs."""


class Evidence(Struct, frozen=True):
    """Of the best candidates, by node: `scores`, above 0, and `reasons`, the most telling words of the question in the
    source, for those that were read."""

    scores: dict[int, float]
    reasons: dict[int, str]


def gathered(
    columns: GraphColumns,
    roles: CodeRoles,
    lexical: LexicalIndex,
    question: str,
    hits: Sequence[SearchHit],
    lines: Callable[[str], Sequence[str]],
) -> Evidence:
    """The evidence for `question`. `hits` are the results of searching for it; `lines` gives the lines of a file."""
    asked = _asked(question, lexical)
    words = np.zeros(columns.node_count, dtype=np.float32)
    searched = np.zeros(columns.node_count, dtype=np.float32)
    documents, found = lexical.scores(asked)
    words[documents] = found
    for hit in hits:
        node = columns.find_id(hit.id) if hit.kind != CONSTANT else None
        if node is not None:
            searched[node] = max(0.0, hit.score)
    files = lexical.group_scores(asked, columns.paths.codes, len(columns.paths.values))
    hidden = np.array([path in columns.generated for path in columns.paths.values], dtype=np.bool_)
    totals = np.float32(WORDS) * _of_best(words) + np.float32(SEARCH) * _of_best(searched)
    totals[hidden[columns.paths.codes] | ~np.isin(columns.labels, _LABELS)] = 0
    nodes = np.flatnonzero(totals)
    nodes = nodes[np.lexsort((nodes, -totals[nodes]))][:CANDIDATES]
    totals[nodes] += np.float32(FILE) * _of_best(files)[columns.paths.codes[nodes]]
    scores = {node: float(totals[node]) for node in nodes.tolist()}
    factors = _factors(columns, roles, question, nodes.tolist())
    again = sorted(scores, key=lambda node: (-scores[node] * factors[node], node))[:SECOND_LOOK]
    sources = _Sources(asked, lexical)
    for node in again:
        sources.add(node, _text(columns, node, lines))
    reasons = {}
    words_by_term = {term: word for word in words_of(question) for term in terms(word)}
    for node, (score, telling) in sources.scores().items():
        scores[node] += score
        reasons[node] = ", ".join(dict.fromkeys(words_by_term[term] for term in telling))
    return Evidence({node: score * factors[node] for node, score in scores.items()}, reasons)


def _factors(columns: GraphColumns, roles: CodeRoles, question: str, nodes: Sequence[int]) -> dict[int, float]:
    """How much each node counts: test code and examples less, unless the question is about such."""
    title = query_terms(question.partition("\n")[0]).keys()
    tests = 1.0 if title & TEST_TERMS else TEST_FACTOR
    examples = 1.0 if title & _EXAMPLE_TERMS else EXAMPLE_FACTOR
    found = {}
    for node in nodes:
        path, is_class = columns.path(node), columns.label(node) == "Class"
        # Whether one of a class's methods is a test is not worth the walk here.
        is_test = roles.is_test_file(path) if is_class else roles.is_test(node)
        factor = tests if is_test else examples if BESIDE_TESTS.search(path) else 1.0
        found[node] = CLASS_FACTOR * factor if is_class else factor
    return found


def _asked(question: str, lexical: LexicalIndex) -> dict[str, float]:
    """The most informative terms of the question with their weights: what is repeated weighs a little more."""
    counts = Counter(term for word in words_of(question) if word.lower() not in STOP_WORDS for term in terms(word))
    weights = {term: count**REPEATED for term, count in counts.items()}
    best = sorted(weights, key=lambda term: (-weights[term] * lexical.idf(term), term))[:MOST_TERMS]
    return {term: weights[term] for term in best}


def _text(columns: GraphColumns, node: int, lines: Callable[[str], Sequence[str]]) -> str:
    """The name and source of a function; of a class what is before its first method."""
    first, last = int(columns.start_line[node]), int(columns.end_line[node])
    if columns.label(node) == "Class":
        members = columns.target[columns.out(node, "CONTAINS")].tolist()
        last = min([last, *(int(columns.start_line[one]) - 1 for one in members if columns.start_line[one] > first)])
    own = lines(columns.path(node))[max(0, first - 1) : min(last, first - 1 + MOST_LINES)]
    return "\n".join((columns.id(node), *own))[:MOST_CHARACTERS]


class _Sources:
    """Texts compared by BM25 with the terms of a question."""

    def __init__(self, asked: Mapping[str, float], lexical: LexicalIndex) -> None:
        self._weights = {term: weight * lexical.idf(term) for term, weight in asked.items()}
        self._held: dict[int, tuple[dict[str, int], int]] = {}
        """Node → the counts of the question's terms, and the number of all terms."""

    def add(self, node: int, text: str) -> None:
        held: Counter[str] = Counter()
        length = 0
        for word, count in Counter(words_of(text)).items():
            found = _terms_of(word)
            length += count * len(found)
            for term in found:
                if term in self._weights:
                    held[term] += count
        self._held[node] = held, length

    def scores(self) -> dict[int, tuple[float, list[str]]]:
        """Node → its score, the best one 1, and its most telling terms."""
        mean = sum(length for _, length in self._held.values()) / max(1, len(self._held))
        found: dict[int, tuple[float, list[str]]] = {}
        for node, (held, length) in self._held.items():
            norm = K1 * (1 - B + B * length / max(1.0, mean))
            parts = {term: self._weights[term] * n * (K1 + 1) / (n + norm) for term, n in held.items()}
            telling = sorted(parts, key=lambda term: (-parts[term], term))[:SAID]
            found[node] = sum(parts.values()), telling
        best = max((score for score, _ in found.values()), default=0.0)
        return {node: (score / best if best else 0.0, telling) for node, (score, telling) in found.items()}


def _of_best(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Relative to the highest score."""
    best = float(scores.max(initial=0.0))
    return scores / np.float32(best) if best > 0 else scores
