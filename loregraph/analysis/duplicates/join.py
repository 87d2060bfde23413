"""Similarity join: all pairs of bags that are similar enough, and all bags similar to one, without comparing all pairs.

Prefix filtering (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007): with the elements of all bags in one
order, rarest first, two sufficiently similar bags must share an element of their prefixes. The length of a prefix
follows from the threshold; with slightly longer prefixes, they must share several elements (Wang, Li and Feng 2012),
which leaves few candidates. As in SourcererCC (Sajnani et al. 2016) for clones, with weights and size bounds. The
result is that of comparing all pairs, unless thousands of bags are all similar, as in generated code. Then each bag is
only compared with the nearest by size and by the overlap of prefixes, so that the cost grows with the bags and not with
their pairs; what was cut is reported.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from loregraph.analysis.duplicates.bags import Bags, Positions, spread

Similarities = npt.NDArray[np.float64]

SHARED: Final = 0.12
"""Share of the smaller bag's weight in common prefixes: a larger one makes prefixes longer and candidates fewer."""
BLOCK: Final = 64
"""Bags looked up together."""
MOST_POSTED: Final = 1_000
"""Maximum bags examined per element, those nearest by size: an element of more bags is in every use of a template."""
MOST_CANDIDATES: Final = 1_000
"""Maximum candidates per bag, those nearest by size."""
MOST_SIMILAR: Final = 300
"""Maximum smaller similar bags reported per bag, those nearest by size."""
MOST_ALIKE: Final = 50
"""Additional ones reported, the most similar."""


class Pairs(NamedTuple):
    """Pairs of bags, the lower number first, ordered, with similarities from 0 to 1. `cut` is a lower bound of the
    number of bags whose possible pairs were not all examined."""

    first: Positions
    second: Positions
    similarity: Similarities
    cut: int = 0


class Postings(NamedTuple):
    """Inverted index: the bags with the element of rank r are `bags[starts[r]:starts[r + 1]]`, ascending."""

    starts: Positions
    bags: npt.NDArray[np.int32]


class _Window:
    """The part of the postings for the bags `low` to `end`, exclusive; it only moves forward."""

    def __init__(self, bags: Bags, postings: Postings, starts: Positions, lengths: Positions) -> None:
        self._ranks, self._bag_starts, self._lengths = bags.ranks, starts, lengths
        self._postings = postings
        self._first, self._last = postings.starts[:-1].copy(), postings.starts[:-1].copy()
        self.low = self.end = 0

    def move(self, low: int, end: int) -> None:
        for bag in range(self.end, end):
            self._last[self._elements(bag)] += 1
        for bag in range(self.low, low):
            self._first[self._elements(bag)] += 1
        self.low, self.end = max(low, self.low), end

    def _elements(self, bag: int) -> npt.NDArray[np.int32]:
        start = self._bag_starts[bag]
        return self._ranks[start : start + self._lengths[bag]]

    def of(self, ranks: npt.NDArray[np.int32]) -> tuple[Positions, npt.NDArray[np.int32]]:
        """The number of bags in the window with each element, and these bags, element by element: of more than
        MOST_POSTED the last ones."""
        last = self._last[ranks]
        sizes = np.minimum(last - self._first[ranks], MOST_POSTED)
        return sizes, self._postings.bags[spread(last - sizes, sizes)]


# Implements REQ-DUP-003.
def similar_pairs(bags: Bags, thresholds: Similarities) -> Pairs:
    """All pairs whose similarity is at least the threshold of the smaller of the two, which must not rise with size.

    `thresholds` has one per bag, above 0. Of two bags with the same weight the lower number is the smaller one.
    """
    count = len(bags.totals)
    by_size = np.argsort(bags.totals, kind="stable")
    totals, thresholds = bags.totals[by_size], np.minimum.accumulate(thresholds[by_size])
    starts, lengths = bags.offsets[:-1][by_size], np.diff(bags.offsets)[by_size]
    begun = _weight_left(bags)
    shared = SHARED * totals
    # The minimum overlap of a pair in which this bag is the larger one, and in which it is the smaller one.
    as_larger = thresholds / (2 - thresholds) * totals
    as_smaller = thresholds * totals
    probe = _beginnings(begun, starts, lengths, as_larger - shared)
    index = _beginnings(begun, starts, lengths, as_smaller - shared)
    needed = np.maximum(1, np.ceil(shared))
    smallest = np.searchsorted(totals, np.floor(as_larger))
    # Bags too small for all later ones leave the window, which only moves forward.
    lowest = np.minimum.accumulate(smallest[::-1])[::-1]
    window = _Window(bags, _postings(bags, starts, index), starts, index)
    found = []
    cut = 0
    weight_at = np.zeros(len(bags.weights), np.uint8)
    for low in range(0, count, BLOCK):
        block = np.arange(low, min(low + BLOCK, count))
        window.move(int(lowest[low]), int(block[-1]) + 1)
        larger, smaller, cut_here = _candidates(bags, window, block, starts, probe, smallest, needed)
        cut += cut_here
        for bag, others in _grouped(larger, smaller):
            own = bags.ranks[starts[bag] : starts[bag] + lengths[bag]]
            weight_at[own] = bags.weights[own]
            similarity = _similarity(bags, weight_at, totals[bag], by_size[others])
            weight_at[own] = 0
            kept = similarity >= thresholds[others]
            if kept.sum() > MOST_SIMILAR:
                cut += 1
                kept = _nearest_and_most_alike(kept, similarity)
            if kept.any():
                found.append((np.full(int(kept.sum()), bag), others[kept], similarity[kept]))
    if not found:
        return Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), cut)
    ends = by_size[np.concatenate([row[0] for row in found])], by_size[np.concatenate([row[1] for row in found])]
    first, second = np.minimum(*ends), np.maximum(*ends)
    order = np.lexsort((second, first))
    return Pairs(first[order], second[order], np.concatenate([row[2] for row in found])[order], cut)


def _candidates(
    bags: Bags,
    window: _Window,
    block: Positions,
    starts: Positions,
    probe: Positions,
    smallest: Positions,
    needed: Similarities,
) -> tuple[Positions, Positions, int]:
    """(larger, smaller) bags of pairs with enough overlap of prefixes, for all larger ones in `block`; how many of
    these have more than are returned."""
    ranks = bags.ranks[spread(starts[block], probe[block])]
    sizes, others = window.of(ranks)
    width = window.end - window.low
    row = np.repeat(np.arange(len(block)) * width - window.low, probe[block])
    weight = np.bincount(np.repeat(row, sizes) + others, np.repeat(bags.weights[ranks], sizes), len(block) * width)
    found, column = np.nonzero(weight.reshape(len(block), width) >= needed[None, window.low : window.end])
    larger, smaller = block[found], column + window.low
    right = (smaller < larger) & (smaller >= smallest[larger])
    return _nearest(larger[right], smaller[right])


def _nearest(larger: Positions, smaller: Positions) -> tuple[Positions, Positions, int]:
    """Of each larger bag the MOST_CANDIDATES nearest by size, in order, and how many have more."""
    _, counts = np.unique(larger, return_counts=True)
    cut = int((counts > MOST_CANDIDATES).sum())
    place = np.arange(len(larger)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place >= np.repeat(counts - MOST_CANDIDATES, counts)
    return larger[kept], smaller[kept], cut


def _nearest_and_most_alike(similar: npt.NDArray[np.bool_], similarity: Similarities) -> npt.NDArray[np.bool_]:
    """`similar`, of bags ascending by size, with the MOST_SIMILAR nearest and the MOST_ALIKE most similar of them: the
    former are similar to one another too, which makes them families."""
    at = np.flatnonzero(similar)
    kept = np.zeros(len(similar), np.bool_)
    kept[at[-MOST_SIMILAR:]] = True
    kept[at[np.lexsort((-at, -similarity[at]))[:MOST_ALIKE]]] = True
    return kept


def _postings(bags: Bags, starts: Positions, lengths: Positions) -> Postings:
    """The inverted index of each bag's first `lengths` elements, by number in the order of size."""
    at = spread(starts, lengths)
    bag = np.repeat(np.arange(len(starts)), lengths)
    keys = (bags.ranks[at].astype(np.int64) << 32) | bag
    keys.sort()
    often = np.bincount(keys >> 32, minlength=len(bags.weights))
    return Postings(np.concatenate([[0], np.cumsum(often)]), (keys & 0xFFFFFFFF).astype(np.int32))


def _beginnings(begun: Positions, starts: Positions, lengths: Positions, bound: Similarities) -> Positions:
    """The length of each bag's prefix: up to where less than `bound` of weight is left."""
    ends = begun[starts + lengths]
    # `begun` grows along a bag: the first element whose remaining weight is under the bound.
    limit = ends - np.maximum(bound, 0)
    found = np.searchsorted(begun, limit, side="right") - starts
    clipped: Positions = np.clip(found, 0, lengths)
    return clipped


def _weight_left(bags: Bags) -> Positions:
    """The weight before each element, over all bags."""
    return np.concatenate([[0], np.cumsum(bags.weights[bags.ranks], dtype=np.int64)])


def _grouped(larger: Positions, smaller: Positions) -> list[tuple[int, Positions]]:
    """The candidates of each larger bag."""
    if not len(larger):
        return []
    cuts = np.flatnonzero(np.diff(larger)) + 1
    return [(int(larger[at]), part) for at, part in zip([0, *cuts], np.split(smaller, cuts), strict=True)]


def _similarity(bags: Bags, weight_at: npt.NDArray[np.uint8], total: int, others: Positions) -> Similarities:
    """Similarities of the bag with the weights `weight_at` by rank to each of `others`, none of which is empty."""
    if not len(others):
        return np.empty(0)
    starts = bags.offsets[others]
    lengths = bags.offsets[others + 1] - starts
    shares = weight_at[bags.ranks[spread(starts, lengths)]]
    overlap = np.add.reduceat(shares, np.cumsum(lengths) - lengths, dtype=np.int64)
    found: Similarities = 2 * overlap / (total + bags.totals[others])
    return found


def similarities(bags: Bags, first: Positions, second: Positions) -> Similarities:
    """Of each pair of bags, however low. `first` must ascend."""
    weight_at = np.zeros(len(bags.weights), np.uint8)
    found = [np.empty(0)]
    for bag, others in _grouped(first, second):
        own = bags.ranks[bags.offsets[bag] : bags.offsets[bag + 1]]
        weight_at[own] = bags.weights[own]
        found.append(_similarity(bags, weight_at, int(bags.totals[bag]), others))
        weight_at[own] = 0
    return np.concatenate(found)


def posted(bags: Bags) -> Postings:
    """The inverted index of all elements, for `similar_to`."""
    return _postings(bags, bags.offsets[:-1], np.diff(bags.offsets))


def similar_to(
    bags: Bags, postings: Postings, elements: npt.NDArray[np.int32], threshold: float
) -> tuple[Positions, Similarities]:
    """The bags whose similarity to the bag of `elements` is at least `threshold`, ascending, and these similarities."""
    weights = (elements & 3).astype(np.int64)
    total = int(weights.sum())
    place = np.minimum(np.searchsorted(bags.elements, elements), max(len(bags.elements) - 1, 0))
    known = bags.elements[place] == elements if len(bags.elements) else np.zeros(len(elements), np.bool_)
    ranks = bags.rank_of[place[known]]
    order = np.argsort(ranks)
    ranks, weights = ranks[order].astype(np.int64), weights[known][order]
    shared = SHARED * threshold / (2 - threshold) * total
    bound = threshold / (2 - threshold) * total - shared
    left = weights.sum() - (np.cumsum(weights) - weights)
    begin, begin_weights = ranks[left >= bound], weights[left >= bound]
    sizes = postings.starts[begin + 1] - postings.starts[begin]
    others = postings.bags[spread(postings.starts[begin], sizes)]
    weight = np.bincount(others, np.repeat(begin_weights, sizes), len(bags.totals))
    candidates = np.flatnonzero(weight >= max(1.0, shared))
    weight_at = np.zeros(len(bags.weights), np.uint8)
    weight_at[ranks] = weights
    similarity = _similarity(bags, weight_at, total, candidates)
    kept = similarity >= threshold
    return candidates[kept], similarity[kept]
