"""Builds the lexical index of a generation from the blobs of all definitions (for its format see lexical.py).

Needs only numpy. An index is built from all blobs, or from the previous one where only some changed: impacts depend on
other documents only through the mean lengths of fields, which are rounded to steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from loregraph.errors import StoreError
from loregraph.graph.column_file import ColumnFileWriter
from loregraph.graph.lexical import K1, LEVELS, LEXICAL_FILE, PARTS, SHIFTS, TOPS, VERSION, LexicalIndex
from loregraph.graph.row_splice import RowSplice

_WEIGHTS: Final = (7.0, 4.7, 2.4, 1.4, 1.2, 0.4)
"""The weight of a term in each of `FIELDS`."""
_LENGTH_NORMS: Final = (1.0, 0.8, 1.0, 1.0, 0.6, 0.6)
"""BM25F's b of each field: 0 ignores its length, 1 divides by it."""
_STEPS: Final = 64
"""Steps per octave to which mean lengths are rounded."""
_MAX_DOCUMENTS: Final = 1 << 24
_NOT_PATH: Final = 0xFFFFFFFF ^ (TOPS[2] << SHIFTS[2])


def build_lexical(folder: Path, blobs: Sequence[bytes]) -> None:
    """Writes the index of `blobs` (from `document_terms`, b"" for a node without text) to `folder`.

    Document i is the node with number i. Raises `StoreError` for more than 2^24 documents.
    """
    if len(blobs) >= _MAX_DOCUMENTS:
        raise StoreError(f"{len(blobs)} documents are more than one index holds", "exclude generated or vendored code")
    pairs, owners = _pairs(blobs)
    lengths = _lengths(pairs[:, 1], owners, len(blobs))
    sums = [(int(own.sum()), int(np.count_nonzero(own))) for own in lengths]
    # One sort of 64-bit keys orders by term, then document, and carries the impact along.
    keys = _keys(pairs, owners, lengths, _means(sums))
    keys.sort()
    own = _is_held(pairs[:, 1])
    held = np.bincount(owners[own], minlength=len(blobs))
    write_parts(folder, sums, *_grouped(keys), np.append(0, np.cumsum(held)), pairs[own, 0])


def splice_lexical(
    folder: Path,
    building: Path,
    numbers: NDArray[np.int64],
    documents: int,
    gone: Mapping[int, bytes],
    come: Mapping[int, bytes],
) -> bool:
    """Writes to `building` the index that `build_lexical` would make of the documents of `folder` with some of them
    changed.

    `numbers` is the new number of each old document, ascending, -1 for a removed one; there are `documents` in all.
    `gone` maps the old numbers of changed and removed documents to their blobs, `come` new numbers to blobs. False, and
    nothing written, where a field's mean length changed, on which every impact depends, or where there are too many.
    """
    if documents >= _MAX_DOCUMENTS:
        return False
    old = LexicalIndex(folder)
    sums = old.lengths()
    before = _means(sums)
    places = sorted(come)
    pairs, owners = _pairs([come[place] for place in places])
    lengths = _lengths(pairs[:, 1], owners, len(places))
    left_pairs, left_owners = _pairs(list(gone.values()))
    left = _lengths(left_pairs[:, 1], left_owners, len(gone))
    for field, (more, less) in enumerate(zip(lengths, left, strict=True)):
        total, filled = sums[field]
        sums[field] = (
            total + int(more.sum()) - int(less.sum()),
            filled + int(np.count_nonzero(more)) - int(np.count_nonzero(less)),
        )
    if _means(sums) != before:
        return False
    hashes, offsets, postings, held_offsets, held = old.parts()
    away = np.zeros(old.documents, np.bool_)
    away[list(gone)] = True
    owner = postings >> np.uint32(8)
    stays = ~away[owner]
    keys = np.repeat(hashes.astype(np.uint64) << np.uint64(32), np.diff(offsets))
    keys |= (numbers[owner] << 8).astype(np.uint64) | (postings & np.uint32(255))
    keys = keys[stays]
    new = _keys(pairs, np.asarray(places, np.int64)[owners], lengths, before, owners)
    new.sort()
    keys = np.insert(keys, keys.searchsorted(new), new)

    own = _is_held(pairs[:, 1])
    # Rows of each document's terms: those of changed or removed documents, and those of added or changed ones.
    rows_gone = np.flatnonzero(away | (numbers < 0))
    stay = np.delete(numbers, rows_gone)
    free = np.ones(documents, np.bool_)
    free[stay] = False
    rows_come = np.flatnonzero(free)
    counts = np.zeros(documents, np.int64)
    counts[places] = np.bincount(owners[own], minlength=len(places))
    rows = RowSplice(old.documents, rows_gone, stay.searchsorted(rows_come))
    come_offsets = np.append(0, np.cumsum(counts[rows_come]))
    new_offsets, new_held = rows.ragged(held_offsets, held, come_offsets, pairs[own, 0])
    write_parts(building, sums, *_grouped(keys), new_offsets, new_held)
    return True


def _pairs(blobs: Sequence[bytes]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The pairs (term hash, packed counts) of all blobs, and the index in `blobs` of each."""
    pairs = np.frombuffer(b"".join(blobs), dtype="<u4").reshape(-1, 2)
    lengths = np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs)) // 8
    return pairs, np.repeat(np.arange(len(blobs)), lengths)


def _is_held(packed: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which terms occur outside the document's path."""
    held: NDArray[np.bool_] = (packed & np.uint32(_NOT_PATH)) != 0
    return held


def _grouped(keys: NDArray[np.uint64]) -> tuple[NDArray[Any], ...]:
    """Sorted keys as the term hashes, the start of each one's postings, and the postings."""
    hashes = (keys >> np.uint64(32)).astype("<u4")
    starts = np.flatnonzero(np.diff(hashes, prepend=hashes[:1] ^ np.uint32(1)))
    return hashes[starts], np.append(starts, len(keys)), keys


def write_parts(folder: Path, sums: Sequence[tuple[int, int]], *arrays: NDArray[Any]) -> None:
    """Writes the arrays that `LexicalIndex.parts` and `LexicalIndex.lengths` return."""
    writer = ColumnFileWriter()
    for name, values in zip(PARTS, arrays, strict=True):
        writer.array(name, values.astype("<u4"))
    writer.write(folder / LEXICAL_FILE, {"index": VERSION, "lengths": [list(own) for own in sums]})


def _lengths(packed: NDArray[np.uint32], owners: NDArray[np.int64], n: int) -> list[NDArray[np.float64]]:
    """The number of words of each of `n` documents in each field."""
    return [
        np.bincount(owners, weights=(packed >> np.uint32(shift)) & np.uint32(top), minlength=n).astype(np.float64)
        for shift, top in zip(SHIFTS, TOPS, strict=True)
    ]


def _means(sums: Sequence[tuple[int, int]]) -> list[float]:
    """The mean length of each field over the documents that have it (an absent docstring is not a short one), 0 where
    none has; rounded to steps of 1 %, so that an edit hardly ever changes the impacts of other documents."""
    return [2 ** (round(_STEPS * math.log2(total / filled)) / _STEPS) if filled else 0.0 for total, filled in sums]


def _keys(
    pairs: NDArray[np.uint32],
    documents: NDArray[np.int64],
    lengths: Sequence[NDArray[np.float64]],
    means: Sequence[float],
    owners: NDArray[np.int64] | None = None,
) -> NDArray[np.uint64]:
    """Term, document and impact of each pair packed in one integer. `owners` are the indexes in `lengths` of the pairs'
    documents, if they differ from their numbers."""
    keys: NDArray[np.uint64] = pairs[:, 0].astype(np.uint64) << np.uint64(32)
    keys |= documents.astype(np.uint64) << np.uint64(8)
    keys |= _impacts(pairs[:, 1], documents if owners is None else owners, lengths, means)
    return keys


def _impacts(
    packed: NDArray[np.uint32],
    owners: NDArray[np.int64],
    lengths: Sequence[NDArray[np.float64]],
    means: Sequence[float],
) -> NDArray[np.uint64]:
    """Saturated BM25F weight of each posting without its idf, in 1…255, by its document's field lengths."""
    weights = np.zeros(len(packed), dtype=np.float32)
    for field, mean in enumerate(means):
        if not mean:
            continue
        counts = ((packed >> np.uint32(SHIFTS[field])) & np.uint32(TOPS[field])).astype(np.float32)
        b = _LENGTH_NORMS[field]
        norm = _WEIGHTS[field] / (1 - b + b * np.maximum(lengths[field].astype(np.float32), 1) / mean)
        weights += counts * norm[owners]
    saturated = weights / (weights + K1)
    impacts: NDArray[np.uint64] = np.maximum(np.rint(saturated * LEVELS), 1).astype(np.uint64)
    return impacts


def renumber(folder: Path, building: Path, numbers: NDArray[np.int64], documents: int) -> None:
    """Copies the index of a generation to one with `documents` nodes.

    `numbers` is the new number of each document, in order and ascending; -1 for a removed one, which must have no
    terms.
    """
    old = LexicalIndex(folder)
    hashes, offsets, postings, held_offsets, held = old.parts()
    moved = (numbers[postings >> np.uint32(8)] << 8).astype("<u4") | (postings & np.uint32(255))
    counts = np.zeros(documents, dtype=np.int64)
    there = numbers >= 0
    counts[numbers[there]] = np.diff(held_offsets.astype(np.int64))[there]
    write_parts(building, old.lengths(), hashes, offsets, moved, np.append(0, np.cumsum(counts)), held)
