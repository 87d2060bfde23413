"""How memories are ranked for a question. Functions of their arguments: the time is one of them."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Final

SIMILARITY: Final = 0.5
IMPORTANCE: Final = 0.2
RECENCY: Final = 0.1
USE: Final = 0.1
NEARNESS: Final = 0.1
DECAY_PER_DAY: Final = 0.1
ACCESSES_FOR_ALL: Final = 100

LEXICAL_SHARE: Final = 0.2
COSINE_SHARE: Final = 0.3
TERMS_SHARE: Final = 0.5
"""What words, vectors of whole texts and vectors of single terms add to a similarity. Measured: see docs/memory.md."""
LEXICAL_SHARE_OF_TWO: Final = 0.6
"""The share of words where there are no vectors of single terms; the cosine has the rest."""
SECOND_LOOK: Final = 200
"""How many of the best are compared term by term."""
CONFLICT_ABOVE: Final = 0.95


# Implements REQ-MEM-006.
def relevance(
    similarity: float, importance: float, updated_at: datetime, accesses: int, hops: int | None, now: datetime
) -> float:
    """0–1. `hops` is the distance to what the question is about, None where it is not near or nothing was named."""
    days = max(0.0, (now - updated_at).total_seconds() / 86_400)
    return (
        SIMILARITY * similarity
        + IMPORTANCE * importance
        + RECENCY * math.exp(-DECAY_PER_DAY * days)
        + USE * min(accesses / ACCESSES_FOR_ALL, 1.0)
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
