"""Functions that may do the same in other words: close by the generation's vectors, but no copies by tokens.

Only candidates: vectors represent words and shape, not behaviour. So they are requested and reported separately, and
only functions among the nearest neighbours of one another count.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from loregraph.analysis.duplicates.bags import Positions
from loregraph.analysis.duplicates.join import Similarities
from loregraph.graph.vector_index import VectorIndex

SEMANTIC_THRESHOLD: Final = 0.85
"""Minimum cosine."""
SEMANTIC_TOKENS: Final = 40
"""Shorter functions are close to too many."""
NEAREST: Final = 3
_BLOCK: Final = 1024


def near_pairs(vectors: VectorIndex, nodes: Positions, threshold: float) -> tuple[Positions, Positions, Similarities]:
    """(first, second, cosine) of indexes into `nodes`, ascending node numbers, that are among the NEAREST of one
    another."""
    rows = np.minimum(np.searchsorted(vectors.nodes, nodes), max(len(vectors.nodes) - 1, 0))
    known = np.flatnonzero(vectors.nodes[rows] == nodes) if len(vectors.nodes) else np.empty(0, np.int64)
    matrix = vectors.matrix()[rows[known]]
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    near: set[tuple[int, int]] = set()
    cosine: dict[tuple[int, int], float] = {}
    for low in range(0, len(known), _BLOCK):
        scores = matrix[low : low + _BLOCK] @ matrix.T
        scores[np.arange(len(scores)), low + np.arange(len(scores))] = -1
        row, column = np.nonzero(scores >= threshold)
        for at, other, score in _nearest(row, column, scores[row, column]):
            near.add((low + at, other))
            cosine[min(low + at, other), max(low + at, other)] = score
    mutual = sorted(pair for pair in cosine if pair in near and pair[::-1] in near)
    first = known[np.array([pair[0] for pair in mutual], np.int64)]
    second = known[np.array([pair[1] for pair in mutual], np.int64)]
    return first, second, np.array([cosine[pair] for pair in mutual])


def _nearest(row: Positions, column: Positions, score: Similarities) -> list[tuple[int, int, float]]:
    order = np.lexsort((column, -score, row))
    row, column, score = row[order], column[order], score[order]
    starts = np.flatnonzero(np.concatenate([[True], row[1:] != row[:-1]])) if len(row) else np.empty(0, np.int64)
    place = np.arange(len(row)) - np.repeat(starts, np.diff(np.append(starts, len(row))))
    few = place < NEAREST
    return list(zip(row[few].tolist(), column[few].tolist(), score[few].tolist(), strict=True))
