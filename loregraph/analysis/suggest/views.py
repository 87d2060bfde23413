"""How well each requirement matches each file, by several measures: shape (requirements, files), 0 for no match."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from loregraph.analysis.suggest.elements import match_elements
from loregraph.analysis.suggest.measures import Matrix, counts, lengths, rarity, similar, top, unit
from loregraph.analysis.suggest.requirements import TITLE, Requirements
from loregraph.analysis.suggest.setting import Setting
from loregraph.analysis.suggest.sources import Code
from loregraph.analysis.suggest.vocabulary import Ids
from loregraph.graph.columns import GraphColumns

_TEXT: Final = 0.6
"""Weight of a word in a file's text."""
_NAMES: Final = 2.5
"""Added weight where it is part of the name of a file, class or function."""
_FOLDERS: Final = 2.0
"""Weight of a word in the name of a folder above the file: components are named by folders."""
_PHRASES: Final = 0.2
"""Weight of phrases relative to shared words."""
_INTERFACE: Final = 0.9
"""Share of an interface's score that each implementing class gets."""
_FEW_FILES: Final = 120
"""Number of files in a project up to which reached code counts in full; beyond that it is divided by their number."""
_LENGTH: Final = 0.55
"""Exponent of a file's length in the match of words: 0 prefers long files, 1 (the cosine) short ones."""


@dataclass(slots=True)
class Match:
    """`scores` of files; for each the element in it that matched `best`, and the better one that it is `reached_from`,
    -1 for none. `weights` are those of words, `files` the frequency of each word in each file."""

    scores: Matrix
    best: Ids
    reached_from: Ids
    weights: Matrix
    files: Matrix


def match(columns: GraphColumns, requirements: Requirements, code: Code, setting: Setting) -> Match:
    """The sum of all measures in units of shared words, so that a measure without matches adds nothing."""
    files = _file_words(requirements, code)
    # A word must be rare on both sides: one in every requirement, or every file, distinguishes nothing.
    weights = np.sqrt(rarity(files) * rarity(requirements.table))
    asked = requirements.table * weights
    gentle = np.log1p(files)
    weighed = gentle * weights
    own = lengths(weighed)
    # Half by the words that occur in requirements and half by all: a file that declares everything has many other
    # words.
    length = np.sqrt(own * np.sqrt(own**2 + _other_words(requirements, code)))
    scores: Matrix = (unit(asked) @ weighed.T) / (length ** np.float32(_LENGTH) + np.float32(1e-9))
    scores += _phrases(requirements, code) * np.float32(_PHRASES)
    scores /= np.float32(_good(scores))
    if setting.distinctive:
        distinctive = similar(asked, _distinctive(code, files) * weights)
        scores += distinctive * np.float32(setting.distinctive / _good(distinctive))
    elements = match_elements(columns, requirements, code, weights)
    # Code reached by every requirement belongs to none: only more than the usual counts.
    reached = (elements.reached - elements.reached.mean(axis=0, keepdims=True)).clip(0)
    # In a project of many files a call seldom stays in the code of one requirement.
    telling = setting.reached * min(1.0, _FEW_FILES / len(code.files))
    scores += reached * np.float32(telling / _good(elements.scores))
    _implemented(columns, code, scores)
    return Match(scores, elements.best, elements.reached_from, weights, gentle)


def _implemented(columns: GraphColumns, code: Code, scores: Matrix) -> None:
    """An interface's score goes to its implementations: it has the words, they have the behaviour."""
    own = scores.copy()
    for a, b in code.joined(columns, "IMPLEMENTS"):
        file, interface = code.elements[a].file, code.elements[b].file
        np.maximum(scores[:, file], own[:, interface] * np.float32(_INTERFACE), out=scores[:, file])


def _good(scores: Matrix) -> float:
    """The size of a good score."""
    return float(top(scores).mean()) + 1e-9


def _file_words(requirements: Requirements, code: Code) -> Matrix:
    vocabulary, files = requirements.vocabulary, len(code.files)
    found: Matrix = np.float32(_TEXT) * counts(code.file_of()[code.word_elements], code.words, files, len(vocabulary))
    for parts, value in ((code.names, _NAMES), (code.folders, _FOLDERS)):
        owners = np.repeat(np.arange(files, dtype=np.int32), [len(names) for names in parts])
        numbers = np.array([vocabulary.number(word) for names in parts for word in names], np.int32)
        found += np.float32(value) * counts(owners, numbers, files, len(vocabulary))
    return found


def _other_words(requirements: Requirements, code: Code) -> Matrix:
    """By file: the squared length of its words that no requirement has, in its text and names."""
    vocabulary, files = requirements.vocabulary, len(code.files)
    named = np.array([vocabulary.any_number(word) for names in code.names for word in names], np.int64)
    owners = np.repeat(np.arange(files), [len(names) for names in code.names])
    width = vocabulary.width
    text = code.file_of()[code.word_elements].astype(np.int64) * width + code.words
    places, inverse = np.unique(np.concatenate((text, owners * width + named)), return_inverse=True)
    found = np.bincount(inverse, np.repeat((_TEXT, _NAMES), (len(text), len(named))), minlength=len(places))
    file, word = np.divmod(places, width)
    idf = np.log((files + 1) / (np.bincount(word, minlength=width) + 0.5)).clip(0)
    values = np.where(word < len(vocabulary), 0, np.log1p(found) * idf[word])
    result: Matrix = np.bincount(file, values**2, minlength=files).astype(np.float32)
    return result


def _distinctive(code: Code, files: Matrix) -> Matrix:
    """How much more frequent each word is in a file than expected from the file's length and the whole project."""
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
