"""Vectors of memories: computed on demand, stored by the hash of their text beside the journal.

Derived: a file that is damaged, or was written with another embedder, is computed again.
"""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from loregraph import rooted
from loregraph.errors import UnsafePathError
from loregraph.graph.embedders import Embedder, embedding_text
from loregraph.graph.terms import term_hash
from loregraph.memory.journal_file import FILE_MODE

Matrix = NDArray[np.float32]
_VERSION: Final = 2
MAX_ROWS: Final = 200_000
"""Maximum cached texts; beyond that all are looked up again."""
SAVE_AT: Final = 64
"""Minimum number of new vectors for a save; fewer are computed again by the next process."""


class _Kept(msgspec.Struct):
    version: int
    space: str
    hashes: bytes
    vectors: bytes
    crc: int
    """CRC-32 of hashes and vectors: a flipped bit would otherwise only change a ranking, unnoticed."""


def embedded_text(text: str) -> str:
    """The embedded text of a memory: its beginning, which gives the topic, and as much of all of it as fits."""
    return embedding_text("", "", "", text, text)


class TermVectors(Protocol):
    """Vectors of single terms, by `terms.term_hash`."""

    def of(self, hashes: NDArray[np.uint32], /) -> Matrix:
        """Unit vectors, shape (len(hashes), dim); the zero vector for an unknown term."""


def term_matches(
    asked: Mapping[str, float], texts: Mapping[str, Sequence[str]], vectors: TermVectors
) -> dict[str, float]:
    """How well each text, given by its distinct terms, matches the terms `asked`, 0–1: for each of them the cosine of
    the nearest term of the text, averaged by the weights in `asked`.

    The late interaction of ColBERT (Khattab and Zaharia, SIGIR 2020) on static vectors, as in `graph.search`.
    """
    filled = {key: terms for key, terms in texts.items() if terms}
    total = sum(asked.values())
    if not filled or total <= 0:
        return {}
    column = {term: i for i, term in enumerate(dict.fromkeys(chain.from_iterable(filled.values())))}
    nearness = np.maximum(vectors.of(_hashes(asked)) @ vectors.of(_hashes(column)).T, 0)
    for row, term in enumerate(asked):
        if term in column:
            nearness[row, column[term]] = 1
    held = np.fromiter((column[term] for terms in filled.values() for term in terms), dtype=np.int64)
    starts = np.cumsum([0, *(len(terms) for terms in filled.values())])[:-1]
    nearest = np.maximum.reduceat(nearness[:, held], starts, axis=1)
    weights = np.array(list(asked.values()), dtype=np.float32)
    return dict(zip(filled, (weights @ nearest / total).tolist(), strict=True))


UNRELATED: Final = (
    "Payments are retried three times before an order is parked.",
    "The build runs in a container without a network.",
    "Birds of that valley leave for the south in autumn.",
    "Dates are stored in UTC and shown in the user's time zone.",
    "Her sister plays the cello in the town's orchestra.",
    "Images are resized when they are uploaded.",
    "The tests need a database with the extension for maps.",
    "Bread dough has to rest before it is baked.",
)
"""Unrelated texts."""
_noise: Final[dict[tuple[str, int, str, int], float]] = {}
"""Results of `noise_of`, by vector space."""


def noise_of(embedder: Embedder) -> float:
    """The cosine that `embedder` gives unrelated texts: the mean over the pairs of `UNRELATED`.

    It differs between models by half of the scale, so a cosine alone does not tell whether two texts are related.
    """
    space = (embedder.model_id, embedder.dim, embedder.weights_sha256, embedder.text_version)
    if space not in _noise:
        rows = embedder.embed_documents([embedded_text(text) for text in UNRELATED])
        _noise[space] = float((rows @ rows.T)[np.triu_indices(len(rows), 1)].mean())
    return _noise[space]


def _crc(hashes: bytes, vectors: bytes) -> int:
    return zlib.crc32(vectors, zlib.crc32(hashes))


def _hashes(terms: Iterable[str]) -> NDArray[np.uint32]:
    return np.array([term_hash(term) for term in terms], dtype=np.uint32)


class VectorTable:
    """Vectors of texts in one embedder's space. Thread-safe."""

    def __init__(self, path: Path, embedder: Embedder, base: Path | None = None) -> None:
        self.path = path
        self._base = base or path.parent
        self.embedder = embedder
        self._space = f"{embedder.model_id} {embedder.dim} {embedder.weights_sha256} {embedder.text_version}"
        self._threads = threading.Lock()
        self._vectors: dict[bytes, Matrix] = {}
        self._row: dict[str, int] = {}
        self._matrix: Matrix = np.zeros((0, embedder.dim), dtype=np.float32)
        self._unsaved = 0
        self._load()

    def _load(self) -> None:
        try:
            kept = msgspec.msgpack.decode(rooted.read(self._base, self.path), type=_Kept)
        except (OSError, UnsafePathError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        dim = self.embedder.dim
        if (
            kept.version != _VERSION
            or kept.space != self._space
            or len(kept.vectors) * 16 != len(kept.hashes) * 2 * dim
            or _crc(kept.hashes, kept.vectors) != kept.crc
        ):
            return
        rows = np.frombuffer(kept.vectors, dtype="<f2").astype(np.float32).reshape(-1, dim)
        self._vectors = {kept.hashes[16 * i : 16 * i + 16]: row for i, row in enumerate(rows)}

    def cosines(self, query: str, texts: Mapping[str, str]) -> dict[str, float]:
        """Key → cosine of the text with the query."""
        if not texts:
            return {}
        scores = self.of(texts.values()) @ self.embedder.embed_query(query)
        return dict(zip(texts, scores.tolist(), strict=True))

    def of(self, texts: Iterable[str]) -> Matrix:
        """Unit vectors of `texts`, shape (number of texts, dim); missing ones are computed."""
        with self._threads:
            wanted = list(texts)
            unknown = [text for text in dict.fromkeys(wanted) if text not in self._row]
            if unknown:
                self._learn(unknown)
            return self._matrix[[self._row[text] for text in wanted]]

    def _learn(self, texts: list[str]) -> None:
        """Assigns each of `texts` its row of the matrix."""
        shortened = [embedded_text(text) for text in texts]
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in shortened]
        new = {key: text for key, text in zip(keys, shortened, strict=True) if key not in self._vectors}
        if new:
            made = self.embedder.embed_documents(list(new.values()))
            # Used as stored, so that a vector is the same whether it was computed now or earlier.
            self._vectors.update(zip(new, made.astype("<f2").astype(np.float32), strict=True))
            self._unsaved += len(new)
        if self._unsaved >= SAVE_AT:
            self._save()
        if len(self._row) + len(texts) > MAX_ROWS:
            self._row, self._matrix = {}, self._matrix[:0]
        first = len(self._matrix)
        self._matrix = np.concatenate((self._matrix, np.stack([self._vectors[key] for key in keys])))
        self._row.update((text, first + i) for i, text in enumerate(texts))

    def refresh(self, texts: Iterable[str]) -> int:
        """Computes the vectors of exactly `texts` again and drops all others; returns their number."""
        with self._threads:
            self._vectors, self._unsaved = {}, 0
            self._row, self._matrix = {}, self._matrix[:0]
        count = len(self.of(texts))
        with self._threads:
            self._save()
        return count

    def _save(self) -> None:
        rows = np.stack(list(self._vectors.values())).astype("<f2") if self._vectors else np.zeros((0, 0), "<f2")
        hashes, vectors = b"".join(self._vectors), rows.tobytes()
        kept = _Kept(_VERSION, self._space, hashes, vectors, _crc(hashes, vectors))
        with suppress(OSError, UnsafePathError):
            rooted.write(self._base, self.path, msgspec.msgpack.encode(kept), mode=FILE_MODE)
            self._unsaved = 0
