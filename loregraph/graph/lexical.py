"""Lexical index over code: BM25F on split, lightly stemmed identifiers and words.

Two halves. The first runs in extraction workers and uses only the standard library: a definition's texts become a small
blob of (term hash, counts per field). The second reads the inverted index, memory-mapped, that `lexical_writer` makes
from all blobs of a project, with precomputed BM25F impacts.

BM25F follows Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004): term
counts are normalised by length and weighted per field, summed, and saturated once. Impacts have 8 bits, as in
impact-ordered indexes (Anh and Moffat, 2005). Terms are 32-bit hashes: of 50,000 distinct terms two collide in every
third project, which costs a rank at most.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.errors import DamagedStoreError
from loregraph.graph.terms import TermHashes, Words, query_terms, term_hash, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEXICAL_FILE: Final = "lexical.bin"
VERSION: Final = 4
PARTS: Final = ("hashes", "offsets", "postings", "held.offsets", "held")
"""Arrays of the file, all of 32 bits; see `LexicalIndex.parts`."""
FIELDS: Final = ("name", "scope", "path", "signature", "docstring", "body")
_BITS: Final = (4, 4, 4, 6, 7, 7)
"""Width of each field's count in the packed 32 bits, lowest first."""
SHIFTS: Final = (0, 4, 8, 12, 18, 25)
"""The bit offset of each field's count."""
TOPS: Final = tuple((1 << bits) - 1 for bits in _BITS)
"""The highest count of each field."""
_hashes: Final = TermHashes()


def document_terms(path: str, qualname: str, signature: str, docstring: str, body: str) -> bytes:
    """The indexed terms of one definition, as little-endian pairs of uint32: term hash, counts per field.

    `qualname` is dotted, its last part is the name; `body` is the definition's text without its docstring (for a class:
    without its members' bodies, else every method's terms are indexed twice).
    """
    return terms_of_words(path, qualname, words_of(signature), words_of(docstring), words_of(body))


def terms_of_words(path: str, qualname: str, signature: Words, docstring: Words, body: Words) -> bytes:
    """As `document_terms`, for texts already split into words."""
    scope, _, name = qualname.rpartition(".")
    one, top = 1 << SHIFTS[5], TOPS[5]
    counts = _counts(body)
    if len(body) > top:
        counts = {term: n if n < top else top for term, n in counts.items()}
    packed = {term: n * one for term, n in counts.items()}
    own: tuple[Words | str, ...] = (words_of(name.partition("#")[0]), scope, path, signature, docstring)
    for field, words in enumerate(own):
        if not words:
            continue
        one, top = 1 << SHIFTS[field], TOPS[field]
        # Definitions of a file share its path, and members the name of their class.
        for term, n in (_shared_counts(words) if isinstance(words, str) else _counts(words)).items():
            packed[term] = packed.get(term, 0) + (n if n < top else top) * one
    return struct.pack(f"<{2 * len(packed)}I", *chain.from_iterable(packed.items()))


def _counts(words: Words) -> dict[int, int]:
    """Term hash → number of occurrences in `words`."""
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


K1: Final = 1.2
LEVELS: Final = 255
"""Impacts are integers from 1 to this."""
_GROUP_B: Final = 0.3
"""BM25's b for groups: how strongly a group's number of documents is penalised."""


# Implements REQ-SRC-009.
class LexicalIndex:
    """The memory-mapped inverted index of one generation; opening reads only its header. Thread-safe.

    Raises `DamagedStoreError` where the file is missing or, on reading, damaged.
    """

    def __init__(self, folder: Path) -> None:
        from loregraph.graph.column_file import ColumnFile

        path = folder / LEXICAL_FILE
        self._file = ColumnFile(path)
        if self._file.meta.get("index") != VERSION or self._file.names != PARTS:
            raise DamagedStoreError(f"the word index {path} is of another version", "run `loregraph index`")
        self.documents = self._file.count("held.offsets") - 1

    def parts(self) -> tuple[NDArray[np.uint32], ...]:
        """Term hashes, the start of each one's postings, postings, the start of each document's terms, those terms."""
        return tuple(map(self._file.array, PARTS))

    def lengths(self) -> list[tuple[int, int]]:
        """The total number of words in each of `FIELDS`, and the number of documents with any."""
        try:
            return msgspec.convert(self._file.meta.get("lengths"), list[tuple[int, int]])
        except msgspec.ValidationError:
            raise DamagedStoreError(
                f"the word index {self._file.path} has no lengths", "run `loregraph index`"
            ) from None

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
        """Documents with a term of `query`, ascending, and their BM25F scores, positive.

        `query` is a text, or its terms with their weights.
        """
        import numpy as np

        totals = np.zeros(self.documents, dtype=np.float32)
        for term, weight in (query_terms(query) if isinstance(query, str) else query).items():
            postings = self._find(term_hash(term))
            if len(postings):
                factor = np.float32(weight * self._idf(len(postings)) * (K1 + 1) / LEVELS)
                totals[postings >> np.uint32(8)] += factor * (postings & np.uint32(255))
        found = np.flatnonzero(totals)
        return found, totals[found]

    def group_scores(self, terms: Mapping[str, float], groups: NDArray[Any], count: int) -> NDArray[np.float32]:
        """BM25 of groups of documents, each treated as one text, for `terms` with their weights; shape (count,).

        `groups` is the group of each document, from 0 to below `count`. A document's term frequency is its impact, and
        a group's length is its number of documents.
        """
        import numpy as np

        sizes = np.bincount(groups, minlength=count).astype(np.float32)
        norms = np.float32(K1) * (1 - _GROUP_B + _GROUP_B * sizes / max(1.0, float(sizes[sizes > 0].mean())))
        totals = np.zeros(count, dtype=np.float32)
        for term, weight in terms.items():
            postings = self._find(term_hash(term))
            if len(postings):
                counts = np.bincount(groups[postings >> np.uint32(8)], postings & np.uint32(255), minlength=count)
                held = counts.astype(np.float32) / np.float32(LEVELS / 2)
                having = np.count_nonzero(held)
                idf = math.log1p((np.count_nonzero(sizes) - having + 0.5) / (having + 0.5))
                totals += np.float32(weight * idf * (K1 + 1)) * held / (held + norms)
        return totals

    def idf(self, term: str) -> float:
        """Inverse document frequency of a term; the highest for one that no document holds."""
        return self._idf(len(self._find(term_hash(term))))

    def held_terms(self, documents: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Hashes of the terms of each document outside its path, concatenated, and the number of terms of each."""
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
