"""Vectors beside the graph: written once with a generation, mapped by its readers, compared one and all."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from loregraph import rooted
from loregraph.errors import DamagedStoreError, EmbedderMismatchError, UnsafePathError

Matrix = NDArray[np.float32]

VECTORS_FILE: Final = "vectors.bin"
_MAGIC: Final = b"lgvec\x00\x00\x01"
_HEADER: Final = struct.Struct("<8sII")
"""Magic with version, number of vectors, dimensions. Then node numbers, scales, and rows of 8-bit integers."""
_LEVELS: Final = 127


def write_vectors(folder: Path, matrix: NDArray[Any], node_numbers: NDArray[Any]) -> None:
    """Writes the rows of `matrix`, shape (n, dim), for the nodes `node_numbers`, shape (n,), strictly ascending.

    Kept in 8 bits with one scale a row: a quarter of the size, and cosines change by less than 0.005.
    """
    n, dim = matrix.shape
    if len(node_numbers) != n:
        raise ValueError(f"{n} vectors for {len(node_numbers)} nodes")
    rows = np.asarray(matrix, dtype=np.float32)
    scales = np.maximum(np.abs(rows).max(axis=1, initial=0) / _LEVELS, np.finfo(np.float32).tiny).astype("<f4")
    with rooted.create(folder, VECTORS_FILE) as file:
        file.write(_HEADER.pack(_MAGIC, n, dim))
        file.write(np.asarray(node_numbers, dtype="<u4").tobytes())
        file.write(scales.tobytes())
        file.write(np.rint(rows / scales[:, None]).astype(np.int8).tobytes())


def renumber(folder: Path, building: Path, numbers: NDArray[np.int64]) -> None:
    """Copies the vectors of a generation; `numbers` is the new number of each of its nodes, ascending."""
    content = bytearray(rooted.read(folder, VECTORS_FILE))
    _, n, _ = _HEADER.unpack_from(content)
    nodes = np.frombuffer(content, dtype="<u4", count=n, offset=_HEADER.size)
    content[_HEADER.size : _HEADER.size + 4 * n] = numbers[nodes].astype("<u4").tobytes()
    rooted.write(building, VECTORS_FILE, content)


class VectorIndex:
    """The vectors of one generation; compared with all of them, which for 50,000 takes 2 ms. Thread-safe.

    Raises `StoreError` on opening where the file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / VECTORS_FILE
        damaged = DamagedStoreError(f"the vectors {path} are missing or damaged", "run `loregraph index`")
        try:
            with rooted.open_read(folder, VECTORS_FILE) as file:
                raw = np.memmap(file, dtype=np.uint8, mode="r")
        except (OSError, ValueError, UnsafePathError):
            raise damaged from None
        if len(raw) < _HEADER.size:
            raise damaged
        magic, n, self.dim = _HEADER.unpack(raw[: _HEADER.size].tobytes())
        if magic != _MAGIC or len(raw) != _HEADER.size + n * (8 + self.dim):
            raise damaged
        body = raw[_HEADER.size :]
        self.nodes: NDArray[np.int64] = body[: 4 * n].view("<u4").astype(np.int64)
        """Node number of each vector, ascending."""
        self._scales = body[4 * n : 8 * n].view("<f4")
        self._rows = body[8 * n :].view(np.int8).reshape(n, self.dim)
        self._matrix: Matrix | None = None

    def matrix(self) -> Matrix:
        """All vectors as floats, shape (n, dim); made on first use."""
        if self._matrix is None:
            matrix = self._rows.astype(np.float32)
            matrix *= self._scales[:, None]
            self._matrix = matrix
        return self._matrix

    def scores(self, query: Matrix) -> Matrix:
        """Cosine of the unit vector `query`, shape (dim,), with each vector, in order of `nodes`."""
        if query.shape != (self.dim,):
            raise EmbedderMismatchError(
                f"re-embed required: the vectors have {self.dim} dimensions, the query {query.shape[-1]}",
                "run `loregraph index`",
            )
        return np.asarray(self.matrix() @ query, dtype=np.float32)

    def search(self, query: Matrix, k: int, mask: NDArray[np.bool_] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest nodes with their cosines, best first; `mask`, by node number, says which may be found."""
        scores = self.scores(query)
        rows = np.arange(len(scores)) if mask is None else np.flatnonzero(mask[self.nodes])
        if len(rows) > k > 0:
            rows = rows[scores[rows] >= np.partition(scores[rows], len(rows) - k)[len(rows) - k]]
        rows = rows[np.lexsort((self.nodes[rows], -scores[rows]))][: max(k, 0)]
        return [(int(self.nodes[row]), float(scores[row])) for row in rows]
