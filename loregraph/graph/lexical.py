"""Lexical index over code: BM25F on split, lightly stemmed identifiers and words.

Two halves. The first runs in extraction workers and touches nothing but the standard library: a definition's texts
become a small blob of (term hash, counts per field). The second, numpy only, sorts all blobs of a project into one
inverted index with precomputed BM25F impacts, which readers map into memory.

BM25F follows Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004): term
counts are normalised by length and weighted per field, summed, and saturated once. Impacts are kept in 8 bits, in the
manner of impact-ordered indexes (Anh and Moffat, 2005). Terms are kept as 32-bit hashes: of 50,000 distinct terms a
pair shares one in every third project, which costs a rank at most.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from loregraph.errors import DamagedStoreError, StoreError
from loregraph.graph.terms import TermHashes, Words, query_terms, term_hash, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEXICAL_FILE: Final = "lexical.bin"
_VERSION: Final = 4
_PARTS: Final = ("hashes", "offsets", "postings", "held.offsets", "held")
"""Arrays of the file, all of 32 bits; see `LexicalIndex.parts`."""
FIELDS: Final = ("name", "scope", "path", "signature", "docstring", "body")
_BITS: Final = (4, 4, 4, 6, 7, 7)
"""Width of each field's count in the packed 32 bits, lowest first."""
_SHIFTS: Final = (0, 4, 8, 12, 18, 25)
_TOPS: Final = tuple((1 << bits) - 1 for bits in _BITS)
_hashes: Final = TermHashes()


def document_terms(path: str, qualname: str, signature: str, docstring: str, body: str) -> bytes:
    """The indexed terms of one definition, as little-endian pairs of uint32: term hash, counts per field.

    `qualname` is dotted, its last part is the name; `body` is the definition's text without its docstring (for a class:
    without its members' bodies, else every method's terms are indexed twice).
    """
    return terms_of_words(path, qualname, words_of(signature), words_of(docstring), words_of(body))


def terms_of_words(path: str, qualname: str, signature: Words, docstring: Words, body: Words) -> bytes:
    """As `document_terms`, of texts that are cut into words already."""
    scope, _, name = qualname.rpartition(".")
    one, top = 1 << _SHIFTS[5], _TOPS[5]
    counts = _counts(body)
    if len(body) > top:
        counts = {term: n if n < top else top for term, n in counts.items()}
    packed = {term: n * one for term, n in counts.items()}
    own: tuple[Words | str, ...] = (words_of(name.partition("#")[0]), scope, path, signature, docstring)
    for field, words in enumerate(own):
        if not words:
            continue
        one, top = 1 << _SHIFTS[field], _TOPS[field]
        # Definitions of a file share its path, and members the name of their class.
        for term, n in (_shared_counts(words) if isinstance(words, str) else _counts(words)).items():
            packed[term] = packed.get(term, 0) + (n if n < top else top) * one
    return struct.pack(f"<{2 * len(packed)}I", *chain.from_iterable(packed.items()))


def _counts(words: Words) -> dict[int, int]:
    """Term hash → how often `words` have it."""
    counts: dict[int, int] = {}
    get = counts.get
    for term in chain.from_iterable(map(_hashes.__getitem__, words)):
        counts[term] = get(term, 0) + 1
    return counts


@lru_cache(maxsize=256)
def _shared_counts(text: str) -> dict[int, int]:
    return _counts(words_of(text))


def pack(blobs: Sequence[bytes]) -> bytes:
    """The blobs of one file's definitions, in order, as one."""
    return struct.pack(f"<I{len(blobs)}I", len(blobs), *map(len, blobs)) + b"".join(blobs)


def unpack(packed: bytes) -> list[bytes]:
    """The inverse of `pack`. Raises `StoreError` where `packed` was cut."""
    try:
        (n,) = struct.unpack_from("<I", packed)
        lengths = struct.unpack_from(f"<{n}I", packed, 4)
    except struct.error:
        raise DamagedStoreError("the stored terms of a file are damaged", "run `loregraph index`") from None
    at = 4 + 4 * n
    if at + sum(lengths) != len(packed):
        raise DamagedStoreError("the stored terms of a file are damaged", "run `loregraph index`")
    blobs = []
    for length in lengths:
        blobs.append(packed[at : at + length])
        at += length
    return blobs


_WEIGHTS: Final = (7.0, 4.7, 2.4, 1.4, 1.2, 0.4)
"""What a term in each of `FIELDS` counts."""
_LENGTH_NORMS: Final = (1.0, 0.8, 1.0, 1.0, 0.6, 0.6)
"""BM25F's b of each field: 0 ignores its length, 1 divides by it."""
_K1: Final = 1.2
_LEVELS: Final = 255
_STEPS: Final = 8
"""Steps an octave that mean lengths are rounded to."""
_GROUP_B: Final = 0.3
"""BM25's b of groups: how much of a group's number of documents is held against it."""
_MAX_DOCUMENTS: Final = 1 << 24
_NOT_PATH: Final = 0xFFFFFFFF ^ (_TOPS[2] << _SHIFTS[2])


def build_lexical(folder: Path, blobs: Sequence[bytes]) -> None:
    """Writes the index of `blobs` (from `document_terms`, b"" for a node without text) to `folder`.

    Document i is the node with number i. Raises `StoreError` for more than 2^24 documents.
    """
    import numpy as np

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
    _write(folder, sums, *_grouped(keys), np.append(0, np.cumsum(held)), pairs[own, 0])


def splice_lexical(
    folder: Path,
    building: Path,
    numbers: NDArray[np.int64],
    documents: int,
    gone: Mapping[int, bytes],
    come: Mapping[int, bytes],
) -> bool:
    """Writes to `building` the index that `build_lexical` makes of the documents of `folder` with some of them changed.

    `numbers` is the new number of each old document, ascending, -1 for one that is gone, of `documents` in all. `gone`
    maps the old numbers of those that change or go to their blobs, `come` new numbers to blobs. False, and nothing
    written, where the mean length of a field is another one now, on which every impact depends.
    """
    import numpy as np

    from loregraph.graph.row_splice import RowSplice

    old = LexicalIndex(folder)
    sums = list(old.sums)
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
    # Rows of what each document holds: those that change or go, and those that have no number yet or another blob.
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
    _write(building, sums, *_grouped(keys), new_offsets, new_held)
    return True


def _pairs(blobs: Sequence[bytes]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The pairs (term hash, packed counts) of all blobs, and the place in `blobs` of each."""
    import numpy as np

    pairs = np.frombuffer(b"".join(blobs), dtype="<u4").reshape(-1, 2)
    lengths = np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs)) // 8
    return pairs, np.repeat(np.arange(len(blobs)), lengths)


def _is_held(packed: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which terms stand elsewhere than in the document's path."""
    import numpy as np

    held: NDArray[np.bool_] = (packed & np.uint32(_NOT_PATH)) != 0
    return held


def _grouped(keys: NDArray[np.uint64]) -> tuple[NDArray[Any], ...]:
    """Sorted keys as the term hashes, where each one's postings begin, and the postings."""
    import numpy as np

    hashes = (keys >> np.uint64(32)).astype("<u4")
    starts = np.flatnonzero(np.diff(hashes, prepend=hashes[:1] ^ np.uint32(1)))
    return hashes[starts], np.append(starts, len(keys)), keys


def _write(folder: Path, sums: Sequence[tuple[int, int]], *arrays: NDArray[Any]) -> None:
    """Writes what `LexicalIndex.parts` and `LexicalIndex.sums` return."""
    from loregraph.graph.column_file import ColumnFileWriter

    writer = ColumnFileWriter()
    for name, values in zip(_PARTS, arrays, strict=True):
        writer.array(name, values.astype("<u4"))
    writer.write(folder / LEXICAL_FILE, {"index": _VERSION, "lengths": [list(own) for own in sums]})


def _lengths(packed: NDArray[np.uint32], owners: NDArray[np.int64], n: int) -> list[NDArray[np.float64]]:
    """How many words each of `n` documents has in each field."""
    import numpy as np

    return [
        np.bincount(owners, weights=(packed >> np.uint32(shift)) & np.uint32(top), minlength=n).astype(np.float64)
        for shift, top in zip(_SHIFTS, _TOPS, strict=True)
    ]


def _means(sums: Sequence[tuple[int, int]]) -> list[float]:
    """The mean length of each field over the documents that have it at all (an absent docstring is not a short one), 0
    where none has; rounded to steps of 9 %, so that an edit hardly ever changes the impacts of other documents."""
    return [2 ** (round(_STEPS * math.log2(total / filled)) / _STEPS) if filled else 0.0 for total, filled in sums]


def _keys(
    pairs: NDArray[np.uint32],
    documents: NDArray[np.int64],
    lengths: Sequence[NDArray[np.float64]],
    means: Sequence[float],
    owners: NDArray[np.int64] | None = None,
) -> NDArray[np.uint64]:
    """Term, document and impact of each pair in one number. `owners` are the places in `lengths` of the pairs'
    documents, if these are not their numbers."""
    import numpy as np

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
    """Saturated BM25F weight of each posting without its idf, in 1…255, by the lengths of its document's fields."""
    import numpy as np

    weights = np.zeros(len(packed), dtype=np.float32)
    for field, mean in enumerate(means):
        if not mean:
            continue
        counts = ((packed >> np.uint32(_SHIFTS[field])) & np.uint32(_TOPS[field])).astype(np.float32)
        b = _LENGTH_NORMS[field]
        norm = _WEIGHTS[field] / (1 - b + b * np.maximum(lengths[field].astype(np.float32), 1) / mean)
        weights += counts * norm[owners]
    saturated = weights / (weights + _K1)
    impacts: NDArray[np.uint64] = np.maximum(np.rint(saturated * _LEVELS), 1).astype(np.uint64)
    return impacts


def renumber(folder: Path, building: Path, numbers: NDArray[np.int64], documents: int) -> None:
    """Copies the index of a generation to one with `documents` nodes.

    `numbers` is the new number of each document, in their order and ascending; -1 for one that is gone, which must have
    no terms.
    """
    import numpy as np

    old = LexicalIndex(folder)
    hashes, offsets, postings, held_offsets, held = old.parts()
    moved = (numbers[postings >> np.uint32(8)] << 8).astype("<u4") | (postings & np.uint32(255))
    counts = np.zeros(documents, dtype=np.int64)
    there = numbers >= 0
    counts[numbers[there]] = np.diff(held_offsets.astype(np.int64))[there]
    _write(building, old.sums, hashes, offsets, moved, np.append(0, np.cumsum(counts)), held)


# Implements REQ-SRC-009.
class LexicalIndex:
    """The inverted index of one generation, mapped into memory; opening reads its header only. Thread-safe.

    Raises `DamagedStoreError` where the file is missing or, once it is read, is not what was written.
    """

    def __init__(self, folder: Path) -> None:
        from loregraph.graph.column_file import ColumnFile

        path = folder / LEXICAL_FILE
        self._file = ColumnFile(path)
        if self._file.meta.get("index") != _VERSION or self._file.names != _PARTS:
            raise DamagedStoreError(f"the word index {path} is of another version", "run `loregraph index`")
        self.documents = self._file.count("held.offsets") - 1
        self.sums: list[tuple[int, int]] = [(int(total), int(filled)) for total, filled in self._file.meta["lengths"]]
        """How many words all documents have in each of `FIELDS`, and how many documents have any."""

    def parts(self) -> tuple[NDArray[np.uint32], ...]:
        """Term hashes, where each one's postings begin, postings, where each document's terms begin, those terms."""
        return tuple(map(self._file.array, _PARTS))

    @cached_property
    def _hashes(self) -> NDArray[np.uint32]:
        return self._file.array("hashes")

    @cached_property
    def _offsets(self) -> NDArray[np.uint32]:
        return self._file.bounds("offsets", self._file.count("postings"))

    @cached_property
    def _held_offsets(self) -> NDArray[np.uint32]:
        return self._file.bounds("held.offsets", self._file.count("held"))

    def scores(self, query: str | Mapping[str, float]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Documents that hold a term of `query`, ascending, and their BM25F scores, positive.

        `query` is a text, or its terms with what each counts.
        """
        import numpy as np

        totals = np.zeros(self.documents, dtype=np.float32)
        for term, weight in (query_terms(query) if isinstance(query, str) else query).items():
            postings = self._find(term_hash(term))
            if len(postings):
                factor = np.float32(weight * self._idf(len(postings)) * (_K1 + 1) / _LEVELS)
                totals[postings >> np.uint32(8)] += factor * (postings & np.uint32(255))
        found = np.flatnonzero(totals)
        return found, totals[found]

    def group_scores(self, terms: Mapping[str, float], groups: NDArray[Any], count: int) -> NDArray[np.float32]:
        """BM25 of groups of documents, each taken as one text, for `terms` with what each counts; shape (count,).

        `groups` is the group of each document, from 0 to below `count`. What a document holds of a term is its impact,
        and the length of a group is the number of its documents.
        """
        import numpy as np

        sizes = np.bincount(groups, minlength=count).astype(np.float32)
        norms = np.float32(_K1) * (1 - _GROUP_B + _GROUP_B * sizes / max(1.0, float(sizes[sizes > 0].mean())))
        totals = np.zeros(count, dtype=np.float32)
        for term, weight in terms.items():
            postings = self._find(term_hash(term))
            if len(postings):
                counts = np.bincount(groups[postings >> np.uint32(8)], postings & np.uint32(255), minlength=count)
                held = counts.astype(np.float32) / np.float32(_LEVELS / 2)
                having = np.count_nonzero(held)
                idf = math.log1p((np.count_nonzero(sizes) - having + 0.5) / (having + 0.5))
                totals += np.float32(weight * idf * (_K1 + 1)) * held / (held + norms)
        return totals

    def idf(self, term: str) -> float:
        """Inverse document frequency of a term; the highest for one that no document holds."""
        return self._idf(len(self._find(term_hash(term))))

    def held_terms(self, documents: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Hashes of the terms that each document holds outside its path, one after the other, and how many each has."""
        import numpy as np

        starts = self._held_offsets[documents].astype(np.int64)
        counts = self._held_offsets[documents + 1].astype(np.int64) - starts
        shifts = np.repeat(starts - np.cumsum(counts) + counts, counts)
        held = self._file.parts("held", zip(starts.tolist(), (starts + counts).tolist(), strict=True))
        return held[np.arange(int(counts.sum())) + shifts], counts

    def _idf(self, frequency: int) -> float:
        return math.log1p((self.documents - frequency + 0.5) / (frequency + 0.5))

    def _find(self, wanted: int) -> NDArray[np.uint32]:
        """Postings of a term: document number shifted by 8, or'ed with its impact; ascending."""
        import numpy as np

        at = int(np.searchsorted(self._hashes, np.uint32(wanted)))
        if at == len(self._hashes) or self._hashes[at] != wanted:
            return self._file.part("postings", 0, 0)
        return self._file.part("postings", *self._offsets[at : at + 2].tolist())
