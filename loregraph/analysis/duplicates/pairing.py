"""Pairs of units: between classes of identical units, within them, and limits on their number."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from loregraph.analysis.duplicates.bags import Positions
from loregraph.analysis.duplicates.join import Similarities
from loregraph.analysis.duplicates.results import EDITED, EXACT, RENAMED
from loregraph.analysis.duplicates.tokens import Hashes

TYPES: Final = (EXACT, RENAMED, EDITED)
LARGEST_CLASS: Final = 300
"""Identical units beyond so many are only paired with the first one: 3,000 of them would be 4.5 million pairs."""
MOST_PAIRS: Final = 400_000
"""With more pairs, which only generated code has, each unit keeps those with its NEAREST nearest."""
NEAREST: Final = 50


class Found(NamedTuple):
    """Pairs of units, the lower number first, ordered; `types` are indexes into TYPES."""

    first: Positions
    second: Positions
    similarity: Similarities
    types: npt.NDArray[np.int8]

    def of(self, kept: Positions | npt.NDArray[np.bool_]) -> Found:
        """The pairs selected by `kept`."""
        return Found(self.first[kept], self.second[kept], self.similarity[kept], self.types[kept])


def classes_of(hashes: Hashes) -> list[Positions]:
    """The indexes with equal hashes, ascending, each class by its first."""
    order = np.argsort(hashes, kind="stable")
    cuts = np.flatnonzero(np.diff(hashes[order])) + 1
    return sorted(np.split(order, cuts), key=lambda members: int(members[0])) if len(hashes) else []


def is_in(keys: Positions, ordered: Positions) -> npt.NDArray[np.bool_]:
    if not len(ordered):
        return np.zeros(len(keys), np.bool_)
    found: npt.NDArray[np.bool_] = ordered[np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)] == keys
    return found


def keys_of(first: Positions, second: Positions) -> Positions:
    return (first << 32) | second


def expanded(classes: list[Positions], found: Found) -> Found:
    """Pairs of classes of identical units → pairs of their members, including those within a class."""
    first, second, similarity, kinds = found
    rows: list[tuple[Positions, Positions, float, int]] = []
    for members in classes:
        if len(members) > 1:
            rows.append((*within(members), 1.0, TYPES.index(EXACT)))
    single = np.array([len(members) == 1 for members in classes], np.bool_)
    heads = np.array([members[0] for members in classes], np.int64)
    plain = single[first] & single[second]
    for a, b, share, kind in zip(
        first[~plain].tolist(),
        second[~plain].tolist(),
        similarity[~plain].tolist(),
        kinds[~plain].tolist(),
        strict=True,
    ):
        rows.append((*_across(classes[a], classes[b]), share, kind))
    ones = [heads[first[plain]], *(row[0] for row in rows)]
    others = [heads[second[plain]], *(row[1] for row in rows)]
    shares = [similarity[plain], *(np.full(len(row[0]), row[2]) for row in rows)]
    types = [kinds[plain], *(np.full(len(row[0]), row[3], np.int8) for row in rows)]
    one, other = np.concatenate(ones), np.concatenate(others)
    low, high = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((high, low))
    return Found(low[order], high[order], np.concatenate(shares)[order], np.concatenate(types)[order])


def within(members: Positions) -> tuple[Positions, Positions]:
    if len(members) > LARGEST_CLASS:
        return np.full(len(members) - 1, members[0]), members[1:]
    row, column = np.triu_indices(len(members), 1)
    return members[row], members[column]


def _across(one: Positions, other: Positions) -> tuple[Positions, Positions]:
    if max(len(one), len(other)) > LARGEST_CLASS:
        return np.concatenate([one, np.full(len(other) - 1, one[0])]), np.concatenate(
            [np.full(len(one), other[0]), other[1:]]
        )
    return np.repeat(one, len(other)), np.tile(other, len(one))


def nearest(found: Found, most: int = MOST_PAIRS) -> Found:
    """`found`; of more than `most` pairs those among the NEAREST of one of their two units."""
    count = len(found.first)
    if count <= most:
        return found
    kept = np.zeros(count, np.bool_)
    for unit in (found.first, found.second):
        order = np.lexsort((np.arange(count), -found.similarity, unit))
        starts = np.flatnonzero(np.concatenate([[True], np.diff(unit[order]) != 0]))
        place = np.arange(count) - np.repeat(starts, np.diff(np.append(starts, count)))
        kept[order[place < NEAREST]] = True
    return found.of(kept)
