"""Finds copies among units, with their types: the index of one graph, and queries to it.

Two units are a pair if their similarity reaches the threshold. Short ones need a higher similarity, since a few lines
often have the same shape: from FULL_TOKENS on the threshold applies as given, below it rises to SHORT_THRESHOLD at
SHORT_TOKENS. Units that are equal except for consistently renamed names and literals are copies regardless.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.analysis.duplicates import bags as bagging
from loregraph.analysis.duplicates.bags import Bags, Positions, Streams, elements_of, mixed, spread, streams_of
from loregraph.analysis.duplicates.fragments import Fragment
from loregraph.analysis.duplicates.join import (
    Pairs,
    Postings,
    Similarities,
    posted,
    similar_pairs,
    similar_to,
    similarities,
)
from loregraph.analysis.duplicates.pairing import TYPES, Found, classes_of, expanded, is_in, keys_of, within
from loregraph.analysis.duplicates.renaming import Names, is_renaming, names_of
from loregraph.analysis.duplicates.results import EDITED, EXACT, RENAMED
from loregraph.analysis.duplicates.tokens import NAME, Hashes, Source, tokenize
from loregraph.analysis.duplicates.units import Units

THRESHOLD: Final = 0.585
"""Minimum similarity of copies. See bags.py for the measurements."""
NATURE_THRESHOLD: Final = 0.75
"""The same for edited copies that are both tests or both constructors, which are similar by nature. With fewer than
FULL_TOKENS tokens only identical ones are copies, as for functions of fewer than FEWEST_LINES lines."""
FEWEST_LINES: Final = 3
MIN_TOKENS: Final = 20
"""A smaller unit is never a copy: `def __str__(self): return self.name` has 10 tokens."""
FULL_TOKENS: Final = 50
SHORT_TOKENS: Final = 20
SHORT_THRESHOLD: Final = 0.85
MOST_COMPARED: Final = 100_000
"""Maximum pairs of one shape whose names are compared: more come from generated code, and count as edited."""
RENAMED_TOKENS: Final = 35
"""From so many tokens on, a consistent renaming is a copy however much is renamed."""
RENAMING: Final = 0.1
"""What renaming everything subtracts from a similarity of 1."""
_FEWEST_TOKENS: Final = 4


# Implements REQ-DUP-002.
class CloneIndex:
    """The units of one graph, ready for comparison. Takes seconds to make, milliseconds to query; thread-safe."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.sizes = units.sizes()
        self._streams = streams_of(units.tokens)
        self.uncompared = 0
        """Pairs of one shape whose names were not compared when `pairs` was asked last."""
        self.cut = 0
        """Units that were then not compared with each that may be like them."""

    @cached_property
    def exact(self) -> Hashes:
        """A hash of all tokens of each unit."""
        return _sequences(self._streams.plain, self.units.first, self.units.last)

    @cached_property
    def blind(self) -> Hashes:
        """A hash of all tokens of each unit, with placeholders for names and literals."""
        return _sequences(self._streams.blind, self.units.first, self.units.last)

    @property
    def streams(self) -> Streams:
        return self._streams

    def pairs(self, threshold: float = THRESHOLD, min_tokens: int = MIN_TOKENS) -> Found:
        """All pairs of units of at least `min_tokens` whose similarity is at least `threshold`, 0.3 to 1.

        Without pairs of a unit and one nested in it, and without those nested in two units that are a pair.
        """
        chosen = np.flatnonzero(self.sizes >= max(min_tokens, _FEWEST_TOKENS))
        classes = [chosen[places] for places in classes_of(self.exact[chosen])]
        heads = np.array([members[0] for members in classes], np.int64)
        places = np.flatnonzero([not self._plain[members].all() for members in classes])
        near = self._near(heads[places], threshold)
        first, second = places[near.first], places[near.second]
        return self._outermost(expanded(classes, Found(first, second, near.similarity, near.types)))

    @cached_property
    def _plain(self) -> npt.NDArray[np.bool_]:
        """Short units that are similar by nature, of which only identical ones are copies: tests, constructors,
        one-liners."""
        units, tokens = self.units, self.units.tokens
        new = np.ones(len(tokens.lines) + 1, np.int64)
        new[1:-1] = tokens.lines[1:] != tokens.lines[:-1]
        upto = np.concatenate([[0], np.cumsum(new)])
        lines = upto[units.last] - upto[units.first]
        simple = units.is_test | units.is_constructor | (lines < FEWEST_LINES)
        found: npt.NDArray[np.bool_] = simple & (self.sizes < FULL_TOKENS)
        return found

    def _near(self, units: Positions, threshold: float) -> Found:
        """The pairs among `units`, which are all different, as indexes into it."""
        sizes = self.sizes[units]
        bags = bagging.ranked(*elements_of(self._streams, self.units.first[units], self.units.last[units]))
        near = similar_pairs(bags, required(sizes, threshold))
        self.cut = near.cut
        renamed = _same_blind(self.blind[units], sizes, near)
        first = np.concatenate([near.first, renamed[0]])
        second = np.concatenate([near.second, renamed[1]])
        measured = np.concatenate([near.similarity, similarities(bags, *renamed)])
        kinds = self._kinds(units[first], units[second])
        told = _final(measured, kinds)
        enough = measured >= _required_of(kinds, np.minimum(sizes[first], sizes[second]), threshold)
        enough &= told >= threshold
        alike = self.units.is_test, self.units.is_constructor
        by_nature = np.logical_or.reduce([trait[units[first]] & trait[units[second]] for trait in alike])
        enough &= ~by_nature | (kinds != TYPES.index(EDITED)) | (told >= NATURE_THRESHOLD)
        return Found(first[enough], second[enough], told[enough], kinds[enough])

    def similar(self, code: str, language: str, threshold: float, leave_out: int | None = None) -> Found:
        """The units similar to `code`; `second` are their numbers, `first` is 0. Short code needs a higher
        similarity."""
        tokens = tokenize([Source(code, language)])
        size = len(tokens.words)
        streams = streams_of(tokens)
        whole = np.array([0]), np.array([size])
        _, elements = elements_of(streams, *whole)
        units, similarity = similar_to(self._all_bags, self._postings, elements, threshold)
        exact, blind = _sequences(streams.plain, *whole)[0], _sequences(streams.blind, *whole)[0]
        alike = np.flatnonzero(self.blind == blind)
        extra = np.setdiff1d(alike, units)
        units, similarity = np.concatenate([units, extra]), np.concatenate([similarity, np.zeros(len(extra))])
        kinds = np.full(len(units), TYPES.index(EDITED), np.int8)
        kinds[self.exact[units] == exact] = TYPES.index(EXACT)
        names = names_of(tokens.words, tokens.kinds)
        for at in np.flatnonzero((self.blind[units] == blind) & (kinds != TYPES.index(EXACT))).tolist():
            if is_renaming(names, self._names(int(units[at]))):
                kinds[at] = TYPES.index(RENAMED)
        enough = similarity >= _required_of(kinds, np.minimum(self.sizes[units], size), threshold)
        similarity = _final(similarity, kinds)
        enough &= similarity >= threshold
        if leave_out is not None:
            around = set(self.around(leave_out)) | {leave_out}
            enough &= ~np.isin(units, sorted(around)) & (self.units.parents[units] != leave_out)
        order = np.lexsort((units[enough], -similarity[enough]))
        return Found(np.zeros(len(units), np.int64), units, similarity, kinds).of(np.flatnonzero(enough)[order])

    def around(self, unit: int) -> list[int]:
        """The units around `unit`, nearest first."""
        found = []
        while (unit := int(self.units.parents[unit])) >= 0:
            found.append(unit)
        return found

    @cached_property
    def _all_bags(self) -> Bags:
        """The bag of each unit; empty for units too small to be compared."""
        last = np.where(self.sizes >= _FEWEST_TOKENS, self.units.last, self.units.first)
        return bagging.ranked(*elements_of(self._streams, self.units.first, last))

    @cached_property
    def _postings(self) -> Postings:
        return posted(self._all_bags)

    def renamed_share(self, fragment: Fragment) -> float:
        """Similarity of a renamed run: 1 minus the share of names that differ, times the share of names in the run."""
        here = slice(fragment.start, fragment.start + fragment.length)
        there = slice(fragment.other_start, fragment.other_start + fragment.length)
        names = self.units.tokens.kinds[here] == NAME
        other = self._streams.plain[there][names] != self._streams.plain[here][names]
        return 1 - RENAMING * float(other.mean() if len(other) else 1)

    def _names(self, unit: int) -> Names:
        part = slice(int(self.units.first[unit]), int(self.units.last[unit]))
        return names_of(self.units.tokens.words[part], self.units.tokens.kinds[part])

    def _kinds(self, first: Positions, second: Positions) -> npt.NDArray[np.int8]:
        kinds = np.full(len(first), TYPES.index(EDITED), np.int8)
        kinds[self.exact[first] == self.exact[second]] = TYPES.index(EXACT)
        alike = (self.blind[first] == self.blind[second]) & (kinds != TYPES.index(EXACT))
        at = np.flatnonzero(alike)
        names: dict[int, Names] = {}
        spelt: dict[tuple[bytes, bytes], int] = {}
        # Generated code has thousands of units with the same names: each combination is compared once.
        spelling = np.zeros(len(self.units.nodes), np.int64)
        for unit in np.unique(np.concatenate([first[at], second[at]])).tolist():
            own = names[unit] = self._names(unit)
            spelling[unit] = spelt.setdefault((own.words.tobytes(), own.foreign.tobytes()), unit)
        keys, place = np.unique(keys_of(spelling[first[at]], spelling[second[at]]), return_inverse=True)
        compared = keys[:MOST_COMPARED].tolist()
        renamed = np.zeros(len(keys), np.bool_)
        renamed[: len(compared)] = [is_renaming(names[key >> 32], names[key & 0xFFFFFFFF]) for key in compared]
        kinds[at[renamed[place]]] = TYPES.index(RENAMED)
        self.uncompared = int((place >= MOST_COMPARED).sum())
        return kinds

    def _outermost(self, found: Found) -> Found:
        """`found` without pairs of a unit and one nested in it, and without those nested in or beside a part of a
        pair."""
        parents = self.units.parents
        known = np.sort(keys_of(found.first, found.second))
        kept = np.ones(len(found.first), np.bool_)
        one = found.first
        while (one >= 0).any():
            other = found.second
            while (other >= 0).any():
                there = (one >= 0) & (other >= 0) & ((one != found.first) | (other != found.second))
                inside = (one == found.second) | (other == found.first)
                kept &= ~(there & (inside | is_in(keys_of(np.minimum(one, other), np.maximum(one, other)), known)))
                other = np.where(other >= 0, parents[other], -1)
            one = np.where(one >= 0, parents[one], -1)
        return found.of(kept)


def required(sizes: Positions, threshold: float) -> Similarities:
    """The similarity required of units with so many tokens, at a threshold for those of FULL_TOKENS or more."""
    short = np.maximum(0, (FULL_TOKENS - sizes) / (FULL_TOKENS - SHORT_TOKENS))
    found: Similarities = np.minimum(1.0, threshold + np.maximum(0.0, SHORT_THRESHOLD - threshold) * short)
    return found


def _required_of(kinds: npt.NDArray[np.int8], sizes: Positions, threshold: float) -> Similarities:
    """The similarity required of pairs of these types, whose smaller units have so many tokens."""
    shapes = np.where(sizes >= RENAMED_TOKENS, 0.0, required(sizes, threshold))
    needed = np.where(kinds == TYPES.index(RENAMED), shapes, required(sizes, threshold))
    return np.where(kinds == TYPES.index(EXACT), 0.0, needed)


def _final(similarity: Similarities, kinds: npt.NDArray[np.int8]) -> Similarities:
    """The reported similarity: 1 for exact copies, and little less for renamed ones however much is renamed."""
    told = np.where(kinds == TYPES.index(RENAMED), 1 - RENAMING * (1 - similarity), similarity)
    return np.where(kinds == TYPES.index(EXACT), 1.0, told)


def _sequences(stream: Hashes, first: Positions, last: Positions) -> Hashes:
    """A hash of the tokens `first` to `last` of a stream, in order."""
    lengths = last - first
    at = spread(first, lengths)
    place = (at - np.repeat(first, lengths)).astype(np.uint64)
    values = mixed(stream[at] + mixed(place + np.uint64(77)))
    upto = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
    ends = np.cumsum(lengths)
    found: Hashes = upto[ends] - upto[ends - lengths] + lengths.astype(np.uint64)
    return mixed(found)


def _same_blind(hashes: Hashes, sizes: Positions, near: Pairs) -> tuple[Positions, Positions]:
    """Pairs of indexes with equal hashes, for units that are long enough, without those in `near`."""
    rows = [within(places) for places in classes_of(hashes) if len(places) > 1 and sizes[places[0]] >= RENAMED_TOKENS]
    first = np.concatenate([np.empty(0, np.int64), *(row[0] for row in rows)])
    second = np.concatenate([np.empty(0, np.int64), *(row[1] for row in rows)])
    fresh = ~is_in(keys_of(first, second), keys_of(near.first, near.second))
    return first[fresh], second[fresh]
