"""Search over definitions: words, meaning and names in one score.

A definition's score is its cosine with the query plus a share of its BM25F score, absolute, not relative to the query:
a rank or a maximum does not tell how good a match is, and rank fusion measured worse. Names spelled out in the query
add to it; test code, which repeats the words of what it tests, is ranked lower unless tests are asked for. Every
constant below was measured on held-out queries: first sentences of docstrings removed from their functions, and written
questions.

A long query, such as a whole issue, is analysed first (`long_query`), and its terms are searched for in whole files
too. Those constants were measured on issues of real repositories and the files that their fixes changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from loregraph.errors import NotIndexedError, UsageError
from loregraph.graph import long_query
from loregraph.graph.constants import ConstantIndex
from loregraph.graph.lexical import LexicalIndex
from loregraph.graph.long_query import LongQuery
from loregraph.graph.model import CONSTANT
from loregraph.graph.named_files import NamedFiles
from loregraph.graph.terms import query_terms, split_identifier, stem, term_hash
from loregraph.graph.vector_index import VectorIndex

MODES: Final = ("hybrid", "lexical", "semantic")

LEXICAL_SHARE: Final = 0.01
"""Weight of BM25F relative to the cosine."""
TERMS_SHARE: Final = 0.3
"""Added to the cosine for a perfect match term by term."""
SECOND_LOOK: Final = 50
"""How many of the best results are reranked."""
SYMBOL_BONUS: Final = 1.0
"""Added for a name equal to the whole query: more than any cosine, so that it comes first."""
MENTION_BONUS: Final = 0.3
"""Added for an identifier in the query, divided among all definitions with that name."""
MAX_MENTIONED: Final = 20
"""An identifier shared by more definitions is too ambiguous to count."""
TEST_FACTOR: Final = 0.7
CONSTANT_SHARE: Final = 0.8
"""Score of a constant whose name equals the query; a partial match gets a part of it."""
MAX_CONSTANTS: Final = 1_000
"""Maximum constants that filters are applied to: those that match most of the query."""
LEXICAL_CONSTANT: Final = 0.3
"""The factor where scores come from words alone, and are smaller."""

MOST_TERMS: Final = 60
"""Maximum terms of a long query that are searched for: the most informative."""
USUAL_TERMS: Final = 12.0
"""The sum of a question's term weights; those of a long query are scaled down to it, or words would outweigh
meaning."""
FILE_SHARE: Final = 0.5
"""For a long query, what the file with the best words adds to its first definition."""
PLACE_BONUS: Final = 0.4
"""Added for a file that a long query mentions by path, in a stack frame, or by a word of its title."""
BODY_FACTOR: Final = 0.5
FRAME_BONUS: Final = 0.3
"""Factors of an identifier's score: below the title, and for a stack frame's function."""
MAX_SAME_STEM: Final = 3
"""A word that is the name of more files is too ambiguous to count."""
MOST_OF_A_FILE: Final = 3
"""For a long query, definitions of one file shown before those of others: it asks for places, and one file has many."""
LOOKED_THROUGH: Final = 2_000
"""Maximum definitions among which the file's score is shared."""
TITLE_WEIGHT: Final = 0.8
MAX_EMBEDDED: Final = 800
"""For semantic ranking of a long query: the weight of the title relative to the rest, and characters of the rest."""

_IDENTIFIER: Final = re.compile(r"[^\W\d][\w.:/#-]*[\w]")
_COMPOUND: Final = re.compile(r"[^\W_](_|\.|::|/)[^\W_]|[a-z][A-Z]|^_+[^\W_]")
BESIDE_TESTS: Final = re.compile(r"(^|/)(testing|testdata|fixtures?|examples?|benches)/")
"""Folders of what is no product either."""
TEST_TERMS: Final = frozenset({"test", "fixtur", "mock", "spec"})
"""A question with one of them is about tests."""


class Codes(Protocol):
    """A column of few distinct values: an index into `values` for each row."""

    codes: NDArray[Any]
    values: list[str]


class Columns(Protocol):
    """The part of `columns.GraphColumns` that search needs."""

    node_count: int

    @property
    def start_line(self) -> NDArray[np.int32]: ...
    @property
    def end_line(self) -> NDArray[np.int32]: ...
    @property
    def paths(self) -> Codes: ...
    @property
    def generated(self) -> Mapping[str, str]: ...
    def id(self, node: int, /) -> str: ...
    def name(self, node: int, /) -> str: ...
    def kind(self, node: int, /) -> str: ...
    def path(self, node: int, /) -> str: ...
    def signature(self, node: int, /) -> str: ...
    def find_symbol(self, text: str, /) -> list[int]: ...
    def find_name(self, text: str, /) -> list[int]: ...
    def nodes(
        self, label: str | None = None, kind: str | None = None, language: str | None = None, path: str | None = None
    ) -> NDArray[np.int32]: ...


class TermVectors(Protocol):
    """Vectors of single terms, by `terms.term_hash`."""

    def of(self, hashes: NDArray[np.uint32], /) -> NDArray[np.float32]:
        """Unit vectors, shape (len(hashes), dim); the zero vector for an unknown term."""


class SearchHit(msgspec.Struct, frozen=True):
    """One definition found. `score` is comparable within one list; `why` is what matched, in words; `docstring`, cut
    after `summaries.MOST_DOCSTRING` characters, is there only if it was asked for."""

    id: str
    name: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    signature: str
    score: float
    why: tuple[str, ...]
    docstring: str | UnsetType = UNSET


# Implements REQ-SRC-008.
class Filters(msgspec.Struct, frozen=True):
    """Restricts results: kind, language, file or folder."""

    kind: str | None = None
    language: str | None = None
    path: str | None = None
    generated: bool = False
    """Whether results may be in generated, minified or vendored files."""

    def narrow(self) -> bool:
        """Whether they exclude anything by kind, language or place."""
        return self.kind is not None or self.language is not None or self.path is not None


# Implements REQ-SRC-001, REQ-SRC-003, REQ-SRC-004, REQ-SRC-010.
class Searcher:
    """Search in one generation. Immutable once made; threads may share it.

    `is_test` says of a path whether tests or their helpers are in the file: these count less.
    """

    def __init__(
        self,
        lexical: LexicalIndex,
        vectors: VectorIndex | None,
        columns: Columns,
        constants: ConstantIndex | None = None,
        *,
        is_test: Callable[[str], bool],
    ) -> None:
        self._constants = constants
        self._lexical = lexical
        self._vectors = vectors
        self._columns = columns
        beside = [is_test(path) or BESIDE_TESTS.search(path) is not None for path in columns.paths.values]
        self._files = NamedFiles(columns.paths.values)
        self._factors: NDArray[np.float32] | None = None
        if any(beside):
            self._factors = np.where(np.array(beside)[columns.paths.codes], np.float32(TEST_FACTOR), np.float32(1))
        generated = np.array([path in columns.generated for path in columns.paths.values], dtype=np.bool_)
        self._generated: NDArray[np.bool_] | None = generated[columns.paths.codes] if generated.any() else None

    def search(
        self,
        query: str,
        query_vector: NDArray[np.float32] | None = None,
        *,
        term_vectors: TermVectors | None = None,
        mode: str = "hybrid",
        limit: int = 10,
        filters: Filters = Filters(),
    ) -> list[SearchHit]:
        """The best `limit` definitions for `query`, best first, ties in order of id.

        `query_vector` is the embedder's vector of that text, `term_vectors` the result of `vectors.term_vectors`: with
        them, "hybrid" reranks the best definitions term by term. "hybrid" without vectors is "lexical"; "semantic"
        without raises `NotIndexedError`, an unknown mode `UsageError`.
        """
        if mode not in MODES:
            raise UsageError(f"unknown mode {mode!r}", f"Use one of {', '.join(MODES)}.")
        long = long_query.read(query) if long_query.is_long(query) else None
        asked = query_terms(query) if long is None else self._most_telling(long.terms)
        scale = 1.0 if long is None else min(1.0, USUAL_TERMS / max(1.0, sum(asked.values())))
        words = np.zeros(self._columns.node_count, dtype=np.float32)
        meaning = np.zeros(self._columns.node_count, dtype=np.float32)
        if mode != "semantic":
            documents, scores = self._lexical.scores(asked)
            words[documents] = scores
        if mode != "lexical" and self._vectors is not None and query_vector is not None:
            meaning[self._vectors.nodes] = self._vectors.scores(query_vector)
        elif mode == "semantic":
            raise NotIndexedError("the graph has no vectors", "Run `loregraph index` with an embedder configured.")
        totals = meaning + np.float32(LEXICAL_SHARE * scale) * words
        allowed = None
        if filters.narrow():
            allowed = self._columns.nodes(kind=filters.kind, language=filters.language, path=filters.path)
        hidden = None if filters.generated else self._generated
        if hidden is not None:
            totals[hidden] = 0
        if mode == "hybrid" and term_vectors is not None:
            wanted = max(SECOND_LOOK, 2 * limit)
            again = np.array(_best(totals, wanted, allowed), dtype=np.int64)
            parts = asked if long is None else query_terms(long.title)
            totals[again] += np.float32(TERMS_SHARE) * self._term_match(parts, again, term_vectors)
        if long is not None:
            totals += self._of_files(long, asked, totals, mode)
            if hidden is not None:
                totals[hidden] = 0
        said = asked if long is None else query_terms(long.title)
        if self._factors is not None and not TEST_TERMS & said.keys():
            totals *= self._factors
        named = {}
        if mode != "semantic":
            named = self._named(query) if long is None else self._named_in(long)
        for node, bonus in named.items():
            if hidden is None or not hidden[node]:
                totals[node] += np.float32(bonus)
        if long is not None:
            self._share_out(totals, limit, allowed)
        hits = [
            self._hit(node, float(totals[node]), float(words[node]), float(meaning[node]), asked, node in named)
            for node in _best(totals, limit, allowed)
        ]
        if self._constants is None or mode == "semantic" or filters.kind not in (None, CONSTANT):
            return hits
        hits += self._constant_hits(query, mode, limit, filters)
        hits.sort(key=lambda hit: -hit.score)  # stable: ties stay in order
        return hits[: max(limit, 0)]

    def _constant_hits(self, query: str, mode: str, limit: int, filters: Filters) -> list[SearchHit]:
        """The constants whose names equal the query, or are spelled out in it."""
        assert self._constants is not None
        whole = query.strip()
        found = self._constants.find(whole, MAX_CONSTANTS if filters.narrow() else limit)
        if any(character.isspace() for character in whole):
            for identifier in dict.fromkeys(_IDENTIFIER.findall(query)):
                if _COMPOUND.search(identifier):
                    found += [one for one in self._constants.find(identifier, MAX_MENTIONED) if one.spelled]
        folder = (filters.path or "").strip("/")
        hits = []
        for one in dict.fromkeys(found):
            if filters.language is not None and one.language != filters.language:
                continue
            if folder not in ("", ".") and one.path != folder and not one.path.startswith(f"{folder}/"):
                continue
            share = SYMBOL_BONUS + CONSTANT_SHARE if one.spelled else CONSTANT_SHARE * one.share
            score = share if mode == "hybrid" or one.spelled else share * LEXICAL_CONSTANT
            hits.append(
                SearchHit(
                    id=one.path,
                    name=one.name,
                    kind=CONSTANT,
                    file_path=one.path,
                    start_line=one.line,
                    end_line=one.line,
                    signature=one.text,
                    score=round(score, 4),
                    why=("named in the query",) if one.spelled else ("its name has all the words",),
                )
            )
        return hits

    def _term_match(
        self, asked: dict[str, float], documents: NDArray[np.int64], vectors: TermVectors
    ) -> NDArray[np.float32]:
        """How well each document's terms match the query's, 0…1: for each term of the query the cosine of the nearest
        term of the document, averaged by idf. A single mean vector cannot tell whether every part of a question is
        matched.

        The late interaction of ColBERT (Khattab and Zaharia, SIGIR 2020) on static vectors.
        """
        parts = [term for term, weight in asked.items() if weight == 1]
        held, counts = self._lexical.held_terms(documents)
        match = np.zeros(len(documents), dtype=np.float32)
        if not parts or not len(held):
            return match
        hashes = np.array([term_hash(term) for term in parts], dtype=np.uint32)
        weights = np.array([self._lexical.idf(term) for term in parts], dtype=np.float32)
        distinct, column = np.unique(held, return_inverse=True)
        nearness = np.maximum(vectors.of(hashes) @ vectors.of(distinct).T, 0)
        nearness = np.maximum(nearness, hashes[:, None] == distinct[None, :])
        filled = np.flatnonzero(counts)
        starts = (np.cumsum(counts) - counts)[filled]
        nearest = np.maximum.reduceat(nearness[:, column], starts, axis=1)
        match[filled] = weights @ nearest / weights.sum()
        return match

    def _share_out(self, totals: NDArray[np.float32], limit: int, allowed: NDArray[np.int32] | None) -> None:
        """Halves the scores beyond the first few definitions of each file among the best."""
        seen: Counter[int] = Counter()
        for node in _best(totals, LOOKED_THROUGH, allowed):
            code = int(self._columns.paths.codes[node])
            seen[code] += 1
            if seen[code] > MOST_OF_A_FILE:
                totals[node] *= np.float32(0.5)

    def _most_telling(self, terms: dict[str, float]) -> dict[str, float]:
        """The most informative terms of a long query: by weight times idf."""
        best = sorted(terms, key=lambda term: (-terms[term] * self._lexical.idf(term), term))[:MOST_TERMS]
        return {term: terms[term] for term in best}

    def _of_files(
        self, long: LongQuery, asked: dict[str, float], totals: NDArray[np.float32], mode: str
    ) -> NDArray[np.float32]:
        """The score that its file adds to each definition: all of it to the file's best by `totals`, half to the next,
        and so on.

        The terms of a report are spread over a file: no single function has all of them.
        """
        paths = self._columns.paths
        scores = np.zeros(len(paths.values), dtype=np.float32)
        if mode != "semantic":
            scores = self._lexical.group_scores(asked, paths.codes, len(paths.values))
            scores *= np.float32(FILE_SHARE / max(1e-6, float(scores.max())))
            for word, weight in long.words.items():
                if len(files := self._files.named(word)) <= MAX_SAME_STEM:
                    scores[files] += np.float32(PLACE_BONUS * weight / max(1, len(files)) ** 0.5)
            for place in long.places:
                if len(files := self._files.find(place)) <= MAX_MENTIONED:
                    scores[files] += np.float32(PLACE_BONUS * place.weight / max(1, len(files)) ** 0.5)
        whole: NDArray[np.float32] = scores[paths.codes]
        # The definitions that lead with their file's full score; all earlier ones of their file are among them.
        first = _best(totals + whole, LOOKED_THROUGH, None)
        nodes = np.array(first, dtype=np.int64)
        order = nodes[np.lexsort((-totals[nodes], paths.codes[nodes]))]
        codes = paths.codes[order]
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        place_in_file = np.arange(len(codes)) - np.repeat(starts, np.diff(np.append(starts, len(codes))))
        added = np.zeros(len(totals), dtype=np.float32)
        added[order] = whole[order] / (1 + place_in_file).astype(np.float32)
        return added

    def _named_in(self, long: LongQuery) -> dict[int, float]:
        """As `_named`, for a long query: full scores for names in the title, lower ones for other text and stack
        frames."""
        found = self._named(long.title)
        for node, bonus in self._named(long.text).items():
            found[node] = max(found.get(node, 0.0), BODY_FACTOR * bonus)
        for name, weight in long.names.items():
            nodes = self._columns.find_name(name)
            if len(nodes) <= MAX_MENTIONED:
                for node in nodes:
                    found[node] = max(found.get(node, 0.0), FRAME_BONUS * weight / len(nodes) ** 0.5)
        return found

    def _named(self, query: str) -> dict[int, float]:
        """Definitions spelled out in the query, with the score that this adds."""
        find = self._columns.find_symbol
        whole = query.strip().removesuffix("()")
        found: dict[int, float] = {}
        if whole and not any(character.isspace() for character in whole):
            return dict.fromkeys(find(whole), SYMBOL_BONUS)
        for identifier in dict.fromkeys(_IDENTIFIER.findall(query)):
            if _COMPOUND.search(identifier):
                nodes = find(identifier)
                if len(nodes) <= MAX_MENTIONED:
                    for node in nodes:
                        found[node] = max(found.get(node, 0.0), MENTION_BONUS / len(nodes) ** 0.5)
        return found

    def _hit(
        self, node: int, score: float, words: float, meaning: float, asked: dict[str, float], is_named: bool
    ) -> SearchHit:
        columns = self._columns
        name = columns.name(node)
        why = []
        if is_named:
            why.append("named in the query")
        if common := [part for part in dict.fromkeys(split_identifier(name)) if stem(part) in asked]:
            why.append(f"name has {', '.join(common)}")
        if words:
            why.append(f"words {words:.1f}")
        if meaning:
            why.append(f"meaning {meaning:.2f}")
        return SearchHit(
            id=columns.id(node),
            name=name,
            kind=columns.kind(node),
            file_path=columns.path(node),
            start_line=int(columns.start_line[node]),
            end_line=int(columns.end_line[node]),
            signature=columns.signature(node),
            score=round(score, 4),
            why=tuple(why),
        )


def embedded(query: str, embed: Callable[[str], NDArray[np.float32]]) -> NDArray[np.float32]:
    """The vector of `query` by `embed`, shape (dim,): for a long one, that of its title and of the rest."""
    if not long_query.is_long(query):
        return embed(query)
    long = long_query.read(query)
    vector = embed(long.text[:MAX_EMBEDDED])
    vector = np.asarray(vector + np.float32(TITLE_WEIGHT) * embed(long.title), dtype=np.float32)
    length = float(np.sqrt(vector @ vector))
    return vector / np.float32(length) if length else vector


def _best(totals: NDArray[np.float32], limit: int, allowed: NDArray[np.int32] | None) -> list[int]:
    """The `limit` nodes with the highest totals above zero, best first, ties by number."""
    nodes = np.flatnonzero(totals > 0) if allowed is None else allowed[totals[allowed] > 0]
    scores = totals[nodes]
    if len(nodes) > limit > 0:
        # A threshold rather than a cut, so that ties are broken by number and not by chance.
        threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = scores >= threshold
        nodes, scores = nodes[kept], scores[kept]
    order = np.lexsort((nodes, -scores))[: max(limit, 0)]
    return [int(node) for node in nodes[order]]
