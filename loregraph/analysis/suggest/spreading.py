"""Spreads scores: to files that belong together, and between requirements with similar words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from loregraph.analysis.suggest.measures import Matrix, nearest, rarity, unit
from loregraph.analysis.suggest.requirements import Requirements
from loregraph.analysis.suggest.setting import Setting
from loregraph.analysis.suggest.sources import Code
from loregraph.analysis.suggest.vocabulary import Ids, Vocabulary
from loregraph.graph.columns import GraphColumns

_RELATIONS: Final = ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "IMPORTS")
_ROUNDS: Final = 3
_ALIKE_FILES: Final = 10
"""The number of files with the most similar words from which one takes; fewer in a small project, where ten are nearly
all."""
_ALIKE_PART: Final = 12
"""At most one of so many files counts as similar."""
_ALIKE_REQUIREMENTS: Final = 7
_NAMES: Final = 4
"""Weight of a word in the names of a file for its similarity, relative to 1 in the text."""
_DIMENSIONS: Final = 1024
"""Words are hashed to so many dimensions, so that the similarity of all pairs of files stays affordable."""
_CHUNK: Final = 1024
_BATCH: Final = 128


@dataclass(slots=True)
class Shares:
    """The shares that files take from others, ordered by file: the `weights` of one file sum to 1."""

    files: Ids
    others: Ids
    weights: Matrix

    def gathered(self, scores: Matrix) -> Matrix:
        """What each file takes of `scores`, of shape (requirements, files)."""
        result = np.zeros_like(scores)
        if len(self.files):
            there, starts = np.unique(self.files, return_index=True)
            for start in range(0, len(scores), _BATCH):
                rows = slice(start, start + _BATCH)
                result[rows, there] = np.add.reduceat(scores[rows, self.others] * self.weights, starts, axis=1)
        return result


@dataclass(slots=True)
class Neighbours:
    """`related` by edges, `alike` by words; `requirements` has the shape (requirements, requirements)."""

    related: Shares
    alike: Shares
    requirements: Matrix


def neighbours(columns: GraphColumns, requirements: Requirements, code: Code) -> Neighbours:
    vectors = _vectors(requirements.vocabulary, code)
    words = unit(np.log1p(requirements.table) * rarity(requirements.table))
    similarity = words @ words.T
    np.fill_diagonal(similarity, 0)
    return Neighbours(_related(columns, code, vectors), _alike(vectors), nearest(similarity, _ALIKE_REQUIREMENTS))


def spread(scores: Matrix, around: Neighbours, setting: Setting) -> Matrix:
    """`scores` after a few rounds of spreading."""
    result = scores
    for _ in range(_ROUNDS):
        result = (
            scores
            + np.float32(setting.related) * around.related.gathered(result)
            + np.float32(setting.alike) * around.alike.gathered(result)
            + np.float32(setting.requirements) * (around.requirements @ result)
        )
    return result


def _vectors(vocabulary: Vocabulary, code: Code) -> Matrix:
    """Unit vectors of all words in the files, including those in no requirement: files written in another language than
    the requirements share these. Reduced by feature hashing (Weinberger et al., ICML 2009)."""
    named = [vocabulary.any_number(word) for names in code.names for word in names]
    owners = np.repeat(np.arange(len(code.files)), [len(names) for names in code.names])
    width = vocabulary.width
    in_text = code.file_of()[code.word_elements].astype(np.int64) * width + code.words
    in_names = owners.astype(np.int64) * width + np.array(named, np.int64)
    places, inverse = np.unique(np.concatenate((in_text, in_names)), return_inverse=True)
    found = np.bincount(inverse, np.repeat((1.0, float(_NAMES)), (len(in_text), len(in_names))), minlength=len(places))
    files, words = np.divmod(places, width)
    frequency = np.bincount(words, minlength=width)
    # A word in only one file contributes to no similarity.
    rare = np.where(frequency > 1, np.log((len(code.files) + 1) / (frequency + 0.5)).clip(0), 0)
    mixed = (np.arange(width, dtype=np.uint64) * np.uint64(2654435761)) & np.uint64(0xFFFFFFFF)
    fold = ((mixed >> np.uint64(8)) % np.uint64(_DIMENSIONS)).astype(np.int64)
    sign = np.where(mixed >> np.uint64(31), 1.0, -1.0)
    values = np.log1p(found) * rare[words] * sign[words]
    flat = np.bincount(files * _DIMENSIONS + fold[words], values, minlength=len(code.files) * _DIMENSIONS)
    return unit(flat.astype(np.float32).reshape(len(code.files), _DIMENSIONS))


def _related(columns: GraphColumns, code: Code, vectors: Matrix) -> Shares:
    file_of = code.file_of()
    pairs = {(int(file_of[element]), file) for element, file in code.mentions}
    for rel in _RELATIONS:
        for a, b in code.joined(columns, rel):
            if file_of[a] != file_of[b]:
                pairs.add((int(file_of[a]), int(file_of[b])))
    both = sorted(pairs | {(b, a) for a, b in pairs})
    files = np.array([file for file, _ in both], np.int32)
    others = np.array([other for _, other in both], np.int32)
    return _shares(files, others, np.einsum("ij,ij->i", vectors[files], vectors[others]))


def _alike(vectors: Matrix) -> Shares:
    count = min(_ALIKE_FILES, max(1, len(vectors) // _ALIKE_PART))
    files: list[Ids] = []
    others: list[Ids] = []
    weights: list[Matrix] = []
    for start in range(0, len(vectors), _CHUNK):
        similarity = vectors[start : start + _CHUNK] @ vectors.T
        rows = np.arange(len(similarity), dtype=np.int32)
        similarity[rows, rows + start] = 0
        order = np.argsort(-similarity, axis=1, kind="stable")[:, :count].astype(np.int32)
        files.append(np.repeat(rows + np.int32(start), order.shape[1]))
        others.append(order.ravel())
        weights.append(np.take_along_axis(similarity, order, axis=1).ravel())
    return _shares(np.concatenate(files), np.concatenate(others), np.concatenate(weights))


def _shares(files: Ids, others: Ids, weights: Matrix) -> Shares:
    """Weights normalised to a sum of 1 per file; those at or below 0 are left out."""
    kept = weights > 0
    files, others, weights = files[kept], others[kept], weights[kept]
    sums = np.bincount(files, weights, minlength=1)
    return Shares(files, others, (weights / np.maximum(sums[files], 1e-9)).astype(np.float32))
