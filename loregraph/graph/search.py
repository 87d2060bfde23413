"""Search over definitions: words, meaning and names in one score.

A definition's score is its cosine with the query plus a share of its BM25F score, absolute, not per query: a rank or a
maximum says nothing of how good a match is, and fusing ranks measured worse. Names that the query spells out add to it;
test code, which repeats the words of what it tests, gives way unless tests are asked for. Every constant below was
measured on held-out queries: first sentences of docstrings of functions that had lost them, and written questions.

A long query, such as a whole issue, is taken apart first (`long_query`), and what it is about is looked for in whole
files too. Those constants were measured on issues of real repositories and the files that their fixes changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import msgspec
import numpy as np
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
"""What a point of BM25F adds to a cosine."""
TERMS_SHARE: Final = 0.3
"""What a perfect match term by term adds to a cosine."""
SECOND_LOOK: Final = 50
"""How many of the best are looked at a second time."""
SYMBOL_BONUS: Final = 1.0
"""For what the whole query names: more than any cosine, so that it comes first."""
MENTION_BONUS: Final = 0.3
"""For what an identifier within the query names, shared among all that have the name."""
MAX_MENTIONED: Final = 20
"""An identifier that more definitions have says little about which is meant."""
TEST_FACTOR: Final = 0.7
CONSTANT_SHARE: Final = 0.8
"""Score of a constant whose name is what the query says, no more and no less; what it says a part of has a part."""
MAX_CONSTANTS: Final = 1_000
"""Constants that filters choose from: those of which the query says most."""
LEXICAL_CONSTANT: Final = 0.3
"""Its part where scores are of words alone, and smaller."""

MOST_TERMS: Final = 60
"""Terms of a long query that are looked for: those that say most."""
USUAL_TERMS: Final = 12.0
"""What the terms of a question count together; those of a long query are scaled down to it, or words drown meaning."""
FILE_SHARE: Final = 0.5
"""What the file with the best words of all adds to the first of its definitions, for a long query."""
PLACE_BONUS: Final = 0.4
"""For a file that a long query names by path, in a frame of a stack trace, or by a word of its title."""
BODY_FACTOR: Final = 0.5
FRAME_BONUS: Final = 0.3
"""Of what an identifier gives: one below the title, and a function of a frame."""
MAX_SAME_STEM: Final = 3
"""A word that is the name of more files than that means none of them."""
MOST_OF_A_FILE: Final = 3
"""Definitions of one file before those of others, for a long query: it asks for places, and one file has many."""
LOOKED_THROUGH: Final = 2_000
"""Definitions that are looked at where those of a file share what it has."""
TITLE_WEIGHT: Final = 0.8
MAX_EMBEDDED: Final = 800
"""What the title counts beside the rest of a long query where meaning is compared, and characters of that rest."""

_IDENTIFIER: Final = re.compile(r"[^\W\d][\w.:/#-]*[\w]")
_COMPOUND: Final = re.compile(r"[^\W_](_|\.|::|/)[^\W_]|[a-z][A-Z]|^_+[^\W_]")
_TEST_PATH: Final = re.compile(
    r"(^|/)(tests?|testing|__tests__|specs?|testdata|fixtures?|examples?|benches)/"
    r"|(^|/)(test_[^/]*|conftest)\.\w+$|[_.-](test|tests|spec)\.\w+$|(^|/)\w*[a-z0-9]Tests?\.\w+$"
)
_TEST_TERMS: Final = frozenset({"test", "fixtur", "mock", "spec"})


class Codes(Protocol):
    """A column of few distinct values: an index into `values` for each row."""

    codes: NDArray[Any]
    values: list[str]


class Columns(Protocol):
    """What search needs of `columns.GraphColumns`."""

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
    """One definition found. `score` compares within one list; `why` says what matched, in words."""

    id: str
    name: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    signature: str
    score: float
    why: tuple[str, ...]


# Implements REQ-SRC-008.
class Filters(msgspec.Struct, frozen=True):
    """What may be found: of a kind, in a language, in a file or below a folder."""

    kind: str | None = None
    language: str | None = None
    path: str | None = None
    generated: bool = False
    """Whether what is in files that nobody of the project writes may be found as well."""

    def narrow(self) -> bool:
        """Whether they leave anything out by what it is or where it is."""
        return self.kind is not None or self.language is not None or self.path is not None


# Implements REQ-SRC-001, REQ-SRC-003, REQ-SRC-004, REQ-SRC-010.
class Searcher:
    """Search in one generation. Immutable once made; threads may share it."""

    def __init__(
        self,
        lexical: LexicalIndex,
        vectors: VectorIndex | None,
        columns: Columns,
        constants: ConstantIndex | None = None,
    ) -> None:
        self._constants = constants
        self._lexical = lexical
        self._vectors = vectors
        self._columns = columns
        is_test = np.array([bool(_TEST_PATH.search(path)) for path in columns.paths.values], dtype=np.bool_)
        self._files = NamedFiles(columns.paths.values)
        self._factors: NDArray[np.float32] | None = None
        if is_test.any():
            self._factors = np.where(is_test[columns.paths.codes], np.float32(TEST_FACTOR), np.float32(1))
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
        """The best `limit` definitions for `query`, best first, equal scores in order of id.

        `query_vector` is the embedder's for the same text, `term_vectors` what `vectors.term_vectors` gives for it:
        with them, "hybrid" looks at the best definitions a second time, term by term. "hybrid" without vectors is
        "lexical"; "semantic" without raises `NotIndexedError`, an unknown mode `UsageError`.
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
        if self._factors is not None and not _TEST_TERMS & said.keys():
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
        hits.sort(key=lambda hit: -hit.score)  # stable: equal scores stay in order
        return hits[: max(limit, 0)]

    def _constant_hits(self, query: str, mode: str, limit: int, filters: Filters) -> list[SearchHit]:
        """The constants that the query means as a whole, or spells somewhere in it."""
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
        """How well each document's terms answer the query's, 0…1: for each term of the query the cosine of the nearest
        term of the document, averaged by idf. One mean vector cannot say that every part of a question is met.

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
        """Halves what is past the first few definitions of each file among the best."""
        seen: Counter[int] = Counter()
        for node in _best(totals, LOOKED_THROUGH, allowed):
            code = int(self._columns.paths.codes[node])
            seen[code] += 1
            if seen[code] > MOST_OF_A_FILE:
                totals[node] *= np.float32(0.5)

    def _most_telling(self, terms: dict[str, float]) -> dict[str, float]:
        """Of a long query's terms, those that say most: what they count times their idf."""
        best = sorted(terms, key=lambda term: (-terms[term] * self._lexical.idf(term), term))[:MOST_TERMS]
        return {term: terms[term] for term in best}

    def _of_files(
        self, long: LongQuery, asked: dict[str, float], totals: NDArray[np.float32], mode: str
    ) -> NDArray[np.float32]:
        """What its file adds to each definition: all to the best of the file by `totals`, half to the next, and so on.

        What a report is about is spread over a file: no function has all of its words.
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
        # Those that lead with all that their file can add; what comes before them in their file is among them.
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
        """As `_named`, of a long query: in full what its title names, less what the rest does and the frames do."""
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
        """Definitions that the query spells out, with what that adds to their score."""
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
    """The vector of `query` by `embed`, shape (dim,): of a long one, that of its title and of what else it says."""
    if not long_query.is_long(query):
        return embed(query)
    long = long_query.read(query)
    vector = embed(long.text[:MAX_EMBEDDED])
    vector = np.asarray(vector + np.float32(TITLE_WEIGHT) * embed(long.title), dtype=np.float32)
    length = float(np.sqrt(vector @ vector))
    return vector / np.float32(length) if length else vector


def _best(totals: NDArray[np.float32], limit: int, allowed: NDArray[np.int32] | None) -> list[int]:
    """The `limit` nodes with the highest totals above zero, best first, equal ones by number."""
    nodes = np.flatnonzero(totals > 0) if allowed is None else allowed[totals[allowed] > 0]
    scores = totals[nodes]
    if len(nodes) > limit > 0:
        # A threshold rather than a cut, so that equal scores are decided by number and not by chance.
        threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = scores >= threshold
        nodes, scores = nodes[kept], scores[kept]
    order = np.lexsort((nodes, -scores))[: max(limit, 0)]
    return [int(node) for node in nodes[order]]
