"""How memories are ranked for a question, and which have nothing to do with it.

Functions of their arguments: the time is one of them.
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
"""What words, vectors of whole texts and vectors of single terms add to a similarity. Measured: see docs/memory.md."""
LEXICAL_SHARE_OF_TWO: Final = 0.6
"""The share of words where there are no vectors of single terms; the cosine has the rest."""
SECOND_LOOK: Final = 200
"""How many of the best are compared term by term."""
CONFLICT_ABOVE: Final = 0.95

FLOOR: Final = 0.08
"""The similarity of a memory without words in common below which the packaged embedder says nothing."""
SHARE_OF_BEST: Final = 0.3
"""What such a memory has to reach of the best one's similarity. Both were measured: see docs/memory.md."""


# Implements REQ-MEM-006.
def relevance(similarity: float, importance: float, updated_at: datetime, hops: int | None, now: datetime) -> float:
    """0–0.9. `hops` is the distance to what the question is about, None where it is not near or nothing was named.

    How often a memory was recalled is no part of it: what was found once would be found for every other question too.
    """
    days = max(0.0, (now - updated_at).total_seconds() / 86_400)
    return (
        SIMILARITY * similarity
        + IMPORTANCE * importance
        + RECENCY * math.exp(-DECAY_PER_DAY * days)
        + NEARNESS * (0.0 if hops is None else 1 / (1 + hops))
    )


def similarity(lexical: float, cosine: float | None, terms: float | None = None) -> float:
    """0–1 from the lexical score, the cosine of the vectors and the match term by term; None: there is no such."""
    if cosine is None:
        return lexical
    cosine = max(0.0, cosine)
    if terms is None:
        return min(1.0, LEXICAL_SHARE_OF_TWO * lexical + (1 - LEXICAL_SHARE_OF_TWO) * cosine)
    return min(1.0, LEXICAL_SHARE * lexical + COSINE_SHARE * cosine + TERMS_SHARE * max(0.0, terms))


def related(similar: Mapping[str, float], lexical: Mapping[str, float], floor: float) -> dict[str, float]:
    """Those of `similar`, id → similarity, that have to do with the question: they share a word with it, by their
    scores in `lexical`, or come near enough by meaning. `floor` is the similarity of what has nothing in common.

    A word that most memories share is one too: in a small journal it is what they all are about.
    """
    least = max(floor, SHARE_OF_BEST * max(similar.values(), default=0.0))
    return {key: value for key, value in similar.items() if lexical.get(key, 0.0) > 0 or (value >= least and value > 0)}


def floor_of(noise: float) -> float:
    """The floor for an embedder without vectors of single terms; `noise` is its cosine of texts that have nothing in
    common."""
    return (1 - LEXICAL_SHARE_OF_TWO) * max(0.0, noise)
