"""Finds long runs of tokens shared by two functions that are not copies as a whole.

A run is equal except for names and literals, and names must be renamed consistently within it. Every window of
FRAGMENT_TOKENS tokens is hashed; consecutive equal windows are joined to maximal runs. Repetitive runs (tables, long
lists) are data, not copies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from loregraph.analysis.duplicates.bags import Positions, Streams, mixed, runs, spread
from loregraph.analysis.duplicates.tokens import NAME, Hashes
from loregraph.analysis.duplicates.units import Units

FRAGMENT_TOKENS: Final = 60
"""Minimum length. The longest run that two of 3,000 labelled non-clones share is 36."""
MOST_TOGETHER: Final = 24
"""A window with more occurrences is only paired with the next occurrence: a template of 1,000 uses would give half a
million runs."""
LEAST_VARIETY: Final = 0.4
"""Minimum share of distinct runs of four tokens in a window: less is a table."""
_GRAM: Final = 4


class Fragment(NamedTuple):
    """A run of `length` tokens in two units: from token `start` and from token `other_start`, which is later."""

    unit: int
    start: int
    other: int
    other_start: int
    length: int
    is_exact: bool


def find_fragments(units: Units, streams: Streams, known: Positions, length: int = FRAGMENT_TOKENS) -> list[Fragment]:
    """The shared runs of at least `length` tokens, ordered by place; without pairs of units whose keys are in `known`
    (`first << 32 | second`, ascending)."""
    outer = np.flatnonzero((units.parents < 0) & (units.sizes() >= length))
    windows = units.last[outer] - units.first[outer] - length + 1
    at = spread(units.first[outer], windows)
    unit = np.repeat(outer, windows)
    hashes = _windows(streams.blind, length)[at]
    order = np.argsort(hashes, kind="stable")
    hashes, at, unit = hashes[order], at[order], unit[order]
    shared = np.zeros(len(hashes), np.bool_)
    same = hashes[1:] == hashes[:-1]
    shared[1:] |= same
    shared[:-1] |= same
    varied = _variety(streams.blind, at[shared], length) >= LEAST_VARIETY
    hashes, at, unit = hashes[shared][varied], at[shared][varied], unit[shared][varied]
    first, second = _pairs(hashes)
    a, b = at[first], at[second]
    unit_a, unit_b = unit[first], unit[second]
    apart = ~np.isin((unit_a << 32) | unit_b, known) & ((unit_a != unit_b) | (b - a >= length))
    found = [
        fragment
        for run in _runs(a[apart], b[apart], unit_a[apart], unit_b[apart], length)
        for fragment in _consistent_parts(units, streams, run, length)
    ]
    return _maximal(found)


def _windows(stream: Hashes, length: int) -> Hashes:
    """A hash of each window of `length` tokens, in logarithmically many steps; the last ones are meaningless."""
    width, found = 1, stream
    while width * 2 <= length:
        found = _added(found, width)
        width *= 2
    return _added(found, length - width) if width < length else found


def _added(hashes: Hashes, ahead: int) -> Hashes:
    found = mixed(hashes)
    found[: max(0, len(hashes) - ahead)] += hashes[ahead:]
    return mixed(found)


def _variety(stream: Hashes, at: Positions, length: int) -> npt.NDArray[np.float64]:
    """The share of distinct short runs in the window at each position."""
    grams = runs(stream, _GRAM, 5)
    count = length - _GRAM + 1
    found = np.ones(len(at))
    for low in range(0, len(at), 20_000):
        part = np.sort(grams[at[low : low + 20_000, None] + np.arange(count)], axis=1)
        found[low : low + 20_000] = (1 + (part[:, 1:] != part[:, :-1]).sum(axis=1)) / count
    return found


def _pairs(hashes: Hashes) -> tuple[Positions, Positions]:
    """Pairs of positions with equal hashes, the lower first; of many only each with the next one."""
    starts = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]])) if len(hashes) else np.empty(0, int)
    sizes = np.diff(np.append(starts, len(hashes)))
    firsts, seconds = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes).tolist():
        here = starts[sizes == size]
        if size > MOST_TOGETHER:
            row, column = np.arange(size - 1), np.arange(1, size)
        else:
            row, column = np.triu_indices(size, 1)
        firsts.append((here[:, None] + row).ravel())
        seconds.append((here[:, None] + column).ravel())
    return np.concatenate(firsts), np.concatenate(seconds)


def _runs(a: Positions, b: Positions, unit_a: Positions, unit_b: Positions, length: int) -> Iterator[Fragment]:
    """Joins equal windows at consecutive positions."""
    order = np.lexsort((a, b - a, unit_b, unit_a))
    a, b, unit_a, unit_b = a[order], b[order], unit_a[order], unit_b[order]
    if not len(a):
        return
    cuts = (np.diff(a) != 1) | (np.diff(b) != 1) | (np.diff(unit_a) != 0) | (np.diff(unit_b) != 0)
    starts = np.concatenate([[0], np.flatnonzero(cuts) + 1])
    lengths = np.diff(np.append(starts, len(a))) + length - 1
    for at, count in zip(starts.tolist(), lengths.tolist(), strict=True):
        first, second = int(a[at]), int(b[at])
        if unit_a[at] == unit_b[at]:
            count = min(count, second - first)  # in one function the two must not overlap
        yield Fragment(int(unit_a[at]), first, int(unit_b[at]), second, count, False)


def _consistent_parts(units: Units, streams: Streams, run: Fragment, length: int) -> Iterator[Fragment]:
    """The run, cut where a name is renamed inconsistently; the parts that are long enough."""
    ours = streams.plain[run.start : run.start + run.length]
    theirs = streams.plain[run.other_start : run.other_start + run.length]
    if (ours == theirs).all():
        yield run._replace(is_exact=True)
        return
    names = np.flatnonzero(units.tokens.kinds[run.start : run.start + run.length] == NAME)
    there: dict[int, int] = {}
    back: dict[int, int] = {}
    begin = 0
    for place, one, other in zip(names.tolist(), ours[names].tolist(), theirs[names].tolist(), strict=True):
        if there.setdefault(one, other) != other or back.setdefault(other, one) != one:
            if place - begin >= length:
                yield _part(run, begin, place)
            begin = place
            there, back = {one: other}, {other: one}
    if run.length - begin >= length:
        yield _part(run, begin, run.length)


def _part(run: Fragment, begin: int, end: int) -> Fragment:
    return run._replace(start=run.start + begin, other_start=run.other_start + begin, length=end - begin)


def _maximal(found: list[Fragment]) -> list[Fragment]:
    """Without runs contained in a longer one of the same two units on both sides."""
    kept: list[Fragment] = []
    by_units: dict[tuple[int, int], list[Fragment]] = {}
    for fragment in sorted(found, key=lambda f: (-f.length, f.start, f.other_start)):
        longer = by_units.setdefault((fragment.unit, fragment.other), [])
        if not any(_overlap(fragment, other) for other in longer):
            longer.append(fragment)
            kept.append(fragment)
    return sorted(kept, key=lambda f: (f.start, f.other_start))


def _overlap(short: Fragment, long: Fragment) -> bool:
    """Whether most of `short` is covered by `long`, on either side."""
    return (
        _common(short.start, long.start, short, long) * 2 > short.length
        or _common(short.other_start, long.other_start, short, long) * 2 > short.length
    )


def _common(start: int, other: int, short: Fragment, long: Fragment) -> int:
    return min(start + short.length, other + long.length) - max(start, other)
