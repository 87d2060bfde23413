"""How well each requirement matches each file, by several measures: shape (requirements, files), 0 for no match."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from loregraph.analysis.suggest.elements import match_elements
from loregraph.analysis.suggest.measures import Matrix, counts, rarity, similar, top
from loregraph.analysis.suggest.requirements import TITLE, Requirements
from loregraph.analysis.suggest.sources import Code
from loregraph.analysis.suggest.vocabulary import Ids
from loregraph.graph.columns import GraphColumns

_TEXT: Final = 0.6
"""What a word in a file's text counts."""
_NAMES: Final = 2.5
"""What it counts more where it is part of the name of a file, class or function."""
_WEIGHTS: Final = {"words": 0.4, "distinctive": 0.6, "phrases": 0.25, "element": 0.3, "reached": 0.6}
"""What each measure counts, where 1 is what is good in it."""


@dataclass(slots=True)
class Match:
    """`scores` of files; for each the element in it that matched `best`, and the better one that it is `reached_from`,
    -1 for none. `weights` is how telling each word is, `files` how much each file has of it."""

    scores: Matrix
    best: Ids
    reached_from: Ids
    weights: Matrix
    files: Matrix


def match(columns: GraphColumns, requirements: Requirements, code: Code) -> Match:
    """The sum of all measures, each in units of what is good in it."""
    files = _file_words(requirements, code)
    # A word has to be rare on both sides: what every requirement says, or every file, joins nothing.
    weights = np.sqrt(rarity(files) * rarity(requirements.table))
    asked = requirements.table * weights
    gentle = np.log1p(files)
    elements = match_elements(columns, requirements, code, weights)
    views = {
        "words": similar(asked, gentle * weights),
        "distinctive": similar(asked, _distinctive(code, files) * weights),
        "phrases": _phrases(requirements, code),
        "element": elements.scores,
        "reached": elements.reached,
    }
    scores = np.zeros_like(elements.scores)
    for name, view in views.items():
        scores += view * np.float32(_WEIGHTS[name] / (float(top(view).mean()) + 1e-9))
    return Match(scores, elements.best, elements.reached_from, weights, gentle)


def _file_words(requirements: Requirements, code: Code) -> Matrix:
    vocabulary, files = requirements.vocabulary, len(code.files)
    text = counts(code.file_of()[code.word_elements], code.words, files, len(vocabulary))
    owners = np.repeat(np.arange(files, dtype=np.int32), [len(names) for names in code.names])
    numbers = np.array([vocabulary.number(word) for names in code.names for word in names], np.int32)
    found: Matrix = np.float32(_TEXT) * text + np.float32(_NAMES) * counts(owners, numbers, files, len(vocabulary))
    return found


def _distinctive(code: Code, files: Matrix) -> Matrix:
    """How much more often a file has each word than its length and the whole project let expect."""
    sizes = np.bincount(code.file_of()[code.word_elements], minlength=len(code.files)).astype(np.float32)
    sizes = np.maximum(np.float32(_TEXT) * sizes, 1)[:, None]
    surplus: Matrix = (files - sizes * (files.sum(axis=0) / sizes.sum())).clip(0)
    return surplus


def _phrases(requirements: Requirements, code: Code) -> Matrix:
    """As the words, for pairs of neighbouring words."""
    number, width = requirements.vocabulary.number, len(requirements.vocabulary)
    owners: list[int] = []
    pairs: list[int] = []
    values: list[float] = []
    for row, texts in enumerate(zip(requirements.titles, requirements.bodies, strict=True)):
        for text, value in zip(texts, (TITLE, 1.0), strict=True):
            found = [left * width + right for left, right in pairwise(map(number, text))]
            pairs += found
            owners += [row] * len(found)
            values += [value] * len(found)
    if not pairs:
        return np.zeros((len(requirements.titles), len(code.files)), np.float32)
    known, places = np.unique(np.array(pairs, np.int64), return_inverse=True)
    asked = np.zeros((len(requirements.titles), len(known)), np.float32)
    np.add.at(asked, (np.array(owners), places), values)
    left, right = code.words[:-1].astype(np.int64), code.words[1:]
    found_pairs = left * width + right
    at = np.minimum(np.searchsorted(known, found_pairs), len(known) - 1)
    there = (left < width) & (right < width) & (code.word_elements[:-1] == code.word_elements[1:])
    there &= known[at] == found_pairs
    files = code.file_of()[code.word_elements[:-1]][there]
    table = counts(files, at[there].astype(np.int32), len(code.files), len(known))
    weights = np.sqrt(rarity(table) * rarity(asked))
    return similar(asked * weights, np.log1p(table) * weights)
