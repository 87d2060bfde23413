"""Ranking of memories for a question, and the threshold for unrelated ones.

Pure functions: the time is an argument.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Final

SIMILARITY: Final = 0.5
IMPORTANCE: Final = 0.2
RECENCY: Final = 0.1
NEARNESS: Final = 0.1
DECAY_PER_DAY: Final = 0.1

LEXICAL_SHARE: Final = 0.2
COSINE_SHARE: Final = 0.3
TERMS_SHARE: Final = 0.5
"""Weights of words, whole-text vectors and single-term vectors in a similarity. Measured: see docs/memory.md."""
LEXICAL_SHARE_OF_TWO: Final = 0.6
"""The weight of words without single-term vectors; the cosine has the rest."""
SECOND_LOOK: Final = 200
"""How many of the best are compared term by term."""
CONFLICT_ABOVE: Final = 0.95

FLOOR: Final = 0.08
"""Similarity of a memory without common words below which the packaged embedder's value is meaningless."""
SHARE_OF_BEST: Final = 0.3
"""Minimum similarity of such a memory relative to the best one. Both were measured: see docs/memory.md."""


# Implements REQ-MEM-006.
def relevance(similarity: float, importance: float, updated_at: datetime, hops: int | None, now: datetime) -> float:
    """Relevance, 0–0.9. `hops` is the distance to the symbols of the question, None where it is too far or there are
    none.

    The number of recalls has no influence: a memory found once would then be found for every other question too.
    """
    days = max(0.0, (now - updated_at).total_seconds() / 86_400)
    return (
        SIMILARITY * similarity
        + IMPORTANCE * importance
        + RECENCY * math.exp(-DECAY_PER_DAY * days)
        + NEARNESS * (0.0 if hops is None else 1 / (1 + hops))
    )


def similarity(lexical: float, cosine: float | None, terms: float | None = None) -> float:
    """Similarity, 0–1, from the lexical score, the cosine and the term match; None: not available."""
    if cosine is None:
        return lexical
    cosine = max(0.0, cosine)
    if terms is None:
        return min(1.0, LEXICAL_SHARE_OF_TWO * lexical + (1 - LEXICAL_SHARE_OF_TWO) * cosine)
    return min(1.0, LEXICAL_SHARE * lexical + COSINE_SHARE * cosine + TERMS_SHARE * max(0.0, terms))


def related(similar: Mapping[str, float], lexical: Mapping[str, float], floor: float) -> dict[str, float]:
    """The related memories among `similar`, id → similarity: those with a word in common (a score in `lexical`), or
    close enough by meaning. `floor` is the similarity of unrelated texts.

    A word shared by most memories counts too: in a small journal it is the topic of all of them.
    """
    least = max(floor, SHARE_OF_BEST * max(similar.values(), default=0.0))
    return {key: value for key, value in similar.items() if lexical.get(key, 0.0) > 0 or (value >= least and value > 0)}


def floor_of(noise: float) -> float:
    """The floor for an embedder without single-term vectors; `noise` is its cosine of unrelated texts."""
    return (1 - LEXICAL_SHARE_OF_TWO) * max(0.0, noise)
