"""Scores of requirements against single functions and classes, and the resulting scores of files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from loregraph.analysis.suggest.measures import Matrix, counts, rarity, similar, top
from loregraph.analysis.suggest.requirements import Requirements
from loregraph.analysis.suggest.sources import Code
from loregraph.analysis.suggest.vocabulary import UNKNOWN, Ids
from loregraph.graph.columns import GraphColumns

_TEXT, _NAME, _SCOPE, _DOC = 0.5, 3.0, 2.0, 1.5
"""Weights of a word in an element's lines, in its name, in its class's name, in its documentation."""
_COVERAGE: Final = 0.4
"""Share of the name in an element's match: how much of it occurs in the requirement; the rest is shared words."""
_SCOPE_COVERAGE: Final = 0.5
"""Weight of a word of the class's name, relative to 1 for the element's own."""
_MENTIONED: Final = 0.5
"""Confidence that a name in the text is a use; calls have confidences of their own."""
_CHUNK: Final = 4096
_BATCH: Final = 128


@dataclass(slots=True)
class ElementMatch:
    """By requirement and file: the best element's score and that element, the total score of elements in other files
    that use the file, and the best of these where it is better than all in the file (-1 for none)."""

    scores: Matrix
    best: Ids
    reached: Matrix
    reached_from: Ids


@dataclass(slots=True)
class _Uses:
    """Uses of files by elements of other files, ordered by file; `sure` are the confidences. `files` are the used
    files, in order, `starts` the start of each one's uses."""

    elements: Ids
    sure: Matrix
    files: Ids
    starts: Ids


def match_elements(columns: GraphColumns, requirements: Requirements, code: Code, weights: Matrix) -> ElementMatch:
    """`weights` are the weights of words."""
    shape = len(requirements.titles), len(code.files)
    shared, covered = _scores(requirements, code, weights)
    shared *= np.float32((1 - _COVERAGE) / (float(top(shared).mean()) + 1e-9))
    covered *= np.float32(_COVERAGE / (float(top(covered).mean()) + 1e-9))
    shared += covered
    found = ElementMatch(
        scores=np.zeros(shape, np.float32),
        best=np.zeros(shape, np.int32),
        reached=np.zeros(shape, np.float32),
        reached_from=np.full(shape, -1, np.int32),
    )
    heads, uses = np.array(code.heads, np.int32), _uses(columns, code)
    for start in range(0, shape[0], _BATCH):
        rows = slice(start, start + _BATCH)
        scores = shared[rows]
        found.scores[rows], found.best[rows] = _highest(scores, heads)
        if len(uses.files):
            using = scores[:, uses.elements] * uses.sure
            # Divided by the root of their number, since everything uses a hub.
            sizes = np.diff(np.append(uses.starts, len(uses.elements)))
            found.reached[rows, uses.files] = np.add.reduceat(using, uses.starts, axis=1) / np.sqrt(sizes)
            highest, at = _highest(using, uses.starts)
            better = highest > found.scores[rows][:, uses.files]
            found.reached_from[rows, uses.files] = np.where(better, uses.elements[at], -1)
    return found


def _highest(scores: Matrix, starts: Ids) -> tuple[Matrix, Ids]:
    """The highest score of each run of columns, and the first column that has it."""
    width = scores.shape[1]
    highest = np.maximum.reduceat(scores, starts, axis=1)
    there = scores >= np.repeat(highest, np.diff(np.append(starts, width)), axis=1)
    at = np.where(there, np.arange(width, dtype=np.int32), width)
    return highest, np.minimum.reduceat(at, starts, axis=1).astype(np.int32)


def _scores(requirements: Requirements, code: Code, weights: Matrix) -> tuple[Matrix, Matrix]:
    """Shared words, and the share of names found, by requirement and element."""
    asked = requirements.table * weights
    telling = rarity(requirements.table)
    said = np.log1p(requirements.table)
    said *= np.sqrt(telling / max(float(telling.max()), 1e-9))
    said /= np.maximum(np.log1p(requirements.table).max(axis=1, keepdims=True), np.float32(1e-9))
    shape = len(requirements.titles), len(code.elements)
    shared, covered = np.empty(shape, np.float32), np.empty(shape, np.float32)
    for first, table, names, totals in _tables(requirements, code):
        part = slice(first, first + len(table))
        shared[:, part] = similar(asked, np.log1p(table) * weights)
        cover = said @ names.T
        covered[:, part] = cover * (cover / (totals + np.float32(1e-9))) ** 2
    return shared, covered


def _tables(requirements: Requirements, code: Code) -> Iterator[tuple[int, Matrix, Matrix, Matrix]]:
    """Chunks of elements: the number of the first, their words, the rarity of their names' words, and its sums
    including words that no requirement has."""
    number, width = requirements.vocabulary.number, len(requirements.vocabulary)
    rare = _name_rarity(code)
    order = np.argsort(code.word_elements, kind="stable")
    texts = ((code.word_elements[order], code.words[order], _TEXT), (*code.docs, _DOC))
    for first in range(0, len(code.elements), _CHUNK):
        elements = code.elements[first : first + _CHUNK]
        size = len(elements)
        table, names = np.zeros((size, width), np.float32), np.zeros((size, width), np.float32)
        totals = np.zeros(size, np.float32)
        for owners, numbers, value in texts:
            a, b = np.searchsorted(owners, (first, first + size))
            table += np.float32(value) * counts(owners[a:b] - np.int32(first), numbers[a:b], size, width)
        for row, element in enumerate(elements):
            scope = [word for word in element.scope if word not in element.names]
            for parts, value, part in ((element.names, _NAME, 1.0), (scope, _SCOPE, _SCOPE_COVERAGE)):
                for word in parts:
                    totals[row] += part * rare[word]
                    if (at := number(word)) != UNKNOWN:
                        table[row, at] += value
                        names[row, at] += part * rare[word]
        yield first, table, names, totals


def _name_rarity(code: Code) -> dict[str, float]:
    """How rare each word is among the names of files."""
    files: dict[str, int] = {}
    for names in code.names:
        for word in set(names):
            files[word] = files.get(word, 0) + 1
    return {word: float(np.log((len(code.names) + 1) / (n + 0.5))) for word, n in files.items()}


def _uses(columns: GraphColumns, code: Code) -> _Uses:
    """Elements that call, name, override or are overridden by something of another file."""
    found = {(file, element): _MENTIONED for element, file in code.mentions}
    for rel in ("CALLS", "REFERENCES", "OVERRIDES"):
        edges = columns.edges(rel)
        ends = zip(columns.source[edges].tolist(), columns.target[edges].tolist(), strict=True)
        for (source, target), sure in zip(ends, columns.confidence[edges].tolist(), strict=True):
            a, b = code.element_of.get(source), code.element_of.get(target)
            if a is None or b is None:
                continue
            for user, used in ((a, b), (b, a)) if rel == "OVERRIDES" else ((a, b),):
                file = code.elements[used].file
                if code.elements[user].file != file:
                    found[file, user] = max(found.get((file, user), 0.0), sure)
    keys = sorted(found)
    files, starts = np.unique(np.array([file for file, _ in keys], np.int32), return_index=True)
    elements = np.array([element for _, element in keys], np.int32)
    return _Uses(elements, np.array([found[key] for key in keys], np.float32), files, starts.astype(np.int32))
