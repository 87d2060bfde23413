"""Arithmetic on tables of requirements, files and words."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.analysis.suggest.vocabulary import Ids

Matrix = npt.NDArray[np.float32]

_LENGTH: Final = 0.5
"""Exponent of a text's length in a match: 0 prefers long texts, 1 (the cosine) short ones."""
_TOP: Final = 5
"""Number of a requirement's best matches that define a good match."""
_COLUMN: Final = 3
"""Number of a file's best matches that define how well it matches anything."""
_BROAD: Final = 20
"""Number of a requirement's best matches that define how broadly it is implemented."""
_SOFT: Final = 0.03
"""Share of a good score within which the subtraction of the usual score bends towards 0."""
_NONE: Final = np.float32(1e-9)
_FLOOR: Final = np.float32(0.3)


def counts(owners: Ids, numbers: Ids, rows: int, columns: int) -> Matrix:
    """How often each owner has each of the words 0…columns - 1, shape (rows, columns)."""
    known = (numbers >= 0) & (numbers < columns)
    flat = owners[known].astype(np.int64) * columns + numbers[known]
    return np.bincount(flat, minlength=rows * columns).astype(np.float32).reshape(rows, columns)


def rarity(table: Matrix) -> Matrix:
    """Inverse document frequency of each column, at least 0."""
    found: Matrix = np.log((len(table) + 1) / (np.count_nonzero(table, axis=0) + 0.5)).clip(0).astype(np.float32)
    return found


def lengths(table: Matrix) -> Matrix:
    """Euclidean lengths of the rows."""
    found: Matrix = np.sqrt(np.einsum("ij,ij->i", table, table))
    return found


def unit(table: Matrix) -> Matrix:
    """Rows of length one; zero rows stay."""
    found: Matrix = table / (lengths(table)[:, None] + _NONE)
    return found


def similar(asked: Matrix, table: Matrix) -> Matrix:
    """Products of the unit rows of `asked` with the rows of `table`, divided by a power of their lengths."""
    found: Matrix = (unit(asked) @ table.T) / (lengths(table) ** np.float32(_LENGTH) + _NONE)
    return found


def top(scores: Matrix) -> Matrix:
    """The mean of each row's best scores, shape (rows, 1)."""
    mean: Matrix = np.sort(scores, axis=1)[:, -_TOP:].mean(axis=1, keepdims=True)
    return mean


def relative(scores: Matrix, part: float, broad: float = 0) -> Matrix:
    """Scores divided by their row's best: not at all where `part` is 0, entirely where it is 1. `broad` is how strongly
    rows with many good scores, compared with other rows, are raised."""
    found: Matrix = scores / (top(scores) ** np.float32(part) + _NONE)
    if broad:
        many = np.sort(scores, axis=1)[:, -_BROAD:].mean(axis=1, keepdims=True)
        found *= (many / (many.mean() + _NONE)) ** np.float32(broad)
    return found


def without_hubs(scores: Matrix, part: float) -> Matrix:
    """Scores divided by the best of their column, plus a part of the table's usual one."""
    best = np.sort(scores, axis=0)[-_COLUMN:].mean(axis=0, keepdims=True)
    found: Matrix = scores / (best / (best.mean() + _NONE) + _FLOOR) ** np.float32(part)
    return found


def above_background(scores: Matrix, part: float) -> Matrix:
    """Scores minus `part` of the mean of their row. Lower ones approach 0 without reaching it, so that the order in a
    row stays; 0 stays 0."""
    if not part:
        return scores
    scale = _SOFT * top(scores).mean() + _NONE
    over = (scores - part * scores.mean(axis=1, keepdims=True)).astype(np.float64) / scale
    found: Matrix = np.where(scores > 0, scale * np.logaddexp(0, over), 0).astype(np.float32)
    return found


def nearest(similarity: Matrix, count: int) -> Matrix:
    """The `count` highest entries of each row as shares of 1, the others 0."""
    order = np.argsort(-similarity, axis=1, kind="stable")[:, :count]
    kept = np.zeros_like(similarity)
    np.put_along_axis(kept, order, np.take_along_axis(similarity, order, axis=1).clip(0), axis=1)
    found: Matrix = kept / np.maximum(kept.sum(axis=1, keepdims=True), _NONE)
    return found
