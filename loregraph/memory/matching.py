"""The similarity of memories to a question: by words, vectors, and single terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from loregraph.errors import EmbedderMismatchError, EmbedderUnavailableError
from loregraph.graph.embedders import Embedder
from loregraph.graph.terms import query_terms
from loregraph.memory import recall
from loregraph.memory.holding import Holding, text_of
from loregraph.memory.record import Memory

Pool = Sequence[tuple[Holding, Memory]]
"""Memories, each with its journal."""


def similarities(
    text: str, pool: Pool, holdings: Iterable[Holding], load: Callable[[], Embedder | None]
) -> tuple[dict[str, float], str, str]:
    """Id → similarity to `text`, above 0 to 1, of the related memories in `pool` (see `recall.related`); "hybrid" or
    "lexical", the method; and the reason for "lexical"."""
    lexical: dict[str, float] = {}
    for holding in holdings:
        with holding.threads:
            lexical.update(holding.index().scores(text))
    try:
        embedder = load() if pool else None
    except (EmbedderUnavailableError, EmbedderMismatchError) as error:
        return lexical, "lexical", error.message
    if embedder is None:
        return lexical, "lexical", ""
    cosines: dict[str, float] = {}
    for holding in holdings:
        texts = {memory.id: text_of(memory) for own, memory in pool if own is holding}
        if texts:
            cosines.update(holding.vectors(embedder).cosines(text, texts))
    found = {key: recall.similarity(lexical.get(key, 0.0), cosine) for key, cosine in cosines.items()}
    for key, match in _term_matches(text, pool, holdings, found, embedder).items():
        found[key] = recall.similarity(lexical.get(key, 0.0), cosines[key], match)
    return recall.related(found, lexical, _floor(embedder)), "hybrid", ""


def _floor(embedder: Embedder) -> float:
    from loregraph.graph.vectors import StaticEmbedder
    from loregraph.memory.vectors import noise_of

    return recall.FLOOR if isinstance(embedder, StaticEmbedder) else recall.floor_of(noise_of(embedder))


def _term_matches(
    text: str, pool: Pool, holdings: Iterable[Holding], so_far: Mapping[str, float], embedder: Embedder
) -> dict[str, float]:
    """How well the best of `pool` match a question term by term; none where the embedder has no vectors of terms."""
    from loregraph.graph.vectors import term_vectors
    from loregraph.memory.vectors import term_matches

    vectors = term_vectors(embedder)
    if vectors is None:
        return {}
    asked = [term for term, weight in query_terms(text).items() if weight == 1]
    best = sorted(pool, key=lambda pair: (-so_far[pair[1].id], pair[1].id))[: recall.SECOND_LOOK]
    found: dict[str, float] = {}
    for holding in holdings:
        with holding.threads:
            index = holding.index()
            terms = {memory.id: index.terms_of(memory.id) for own, memory in best if own is holding}
            found.update(term_matches({term: index.idf(term) for term in asked}, terms, vectors))
    return found
