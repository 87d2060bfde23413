"""The vector index: written once per generation, memory-mapped by readers, searched exhaustively."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from loregraph.errors import DamagedStoreError, EmbedderMismatchError
from loregraph.graph.column_file import ColumnFile, ColumnFileWriter
from loregraph.graph.row_splice import RowSplice

Matrix = NDArray[np.float32]

VECTORS_FILE: Final = "vectors.bin"
_VERSION: Final = 2
_LEVELS: Final = 127


def write_vectors(folder: Path, matrix: NDArray[Any], node_numbers: NDArray[Any]) -> None:
    """Writes the rows of `matrix`, shape (n, dim), for the nodes `node_numbers`, shape (n,), strictly ascending.

    Stored in 8 bits with one scale per row: a quarter of the size, and cosines change by less than 0.005.
    """
    n, dim = matrix.shape
    if len(node_numbers) != n:
        raise ValueError(f"{n} vectors for {len(node_numbers)} nodes")
    write_rows(folder, dim, np.asarray(node_numbers), *_in_bytes(matrix))


def _in_bytes(matrix: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The scale of each row, and all rows concatenated."""
    rows = np.asarray(matrix, dtype=np.float32)
    scales = np.maximum(np.abs(rows).max(axis=1, initial=0) / _LEVELS, np.finfo(np.float32).tiny).astype("<f4")
    return scales, np.rint(rows / scales[:, None]).astype(np.int8).ravel()


def write_rows(folder: Path, dim: int, nodes: NDArray[Any], scales: NDArray[Any], rows: NDArray[Any]) -> None:
    """Writes vectors as they are stored: `rows` in 8 bits, one after the other, and the scale of each."""
    writer = ColumnFileWriter()
    writer.array("nodes", nodes.astype("<u4"))
    writer.array("scales", scales)
    writer.array("rows", rows)
    writer.write(folder / VECTORS_FILE, {"vectors": _VERSION, "dim": dim})


def renumber(folder: Path, building: Path, numbers: NDArray[np.int64]) -> None:
    """Copies the vectors of a generation; `numbers` is the new number of each of its nodes, ascending."""
    file = ColumnFile(folder / VECTORS_FILE)
    write_rows(building, file.meta["dim"], numbers[file.array("nodes")], file.array("scales"), file.array("rows"))


def splice_vectors(
    folder: Path, building: Path, numbers: NDArray[np.int64], matrix: NDArray[Any], come: NDArray[Any]
) -> None:
    """Copies the vectors of a generation and inserts the rows of `matrix` for the nodes `come`.

    `numbers` is the new number of each node, ascending, -1 for one whose vector is removed; `come` are new numbers,
    strictly ascending, of nodes without a copied vector.
    """
    file = ColumnFile(folder / VECTORS_FILE)
    dim: int = file.meta["dim"]
    nodes = numbers[file.array("nodes")]
    gone = np.flatnonzero(nodes < 0)
    left = np.delete(nodes, gone)
    splice = RowSplice(len(nodes), gone, left.searchsorted(come))
    scales, rows = _in_bytes(matrix)
    _, content = splice.ragged(
        np.arange(len(nodes) + 1) * dim, file.array("rows"), np.arange(len(come) + 1) * dim, rows
    )  # fmt: skip
    write_rows(building, dim, np.insert(left, splice.at, come), splice.array(file.array("scales"), scales), content)


class VectorIndex:
    """The vectors of one generation; a query is compared with all of them, which takes 2 ms for 50,000. Thread-safe.

    Raises `DamagedStoreError` where the file is missing or, on reading, damaged.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / VECTORS_FILE
        file = self._file = ColumnFile(path)
        if file.meta.get("vectors") != _VERSION:
            raise DamagedStoreError(f"the vectors {path} are of another version", "run `loregraph index`")
        self.dim: int = file.meta["dim"]
        n = file.count("nodes")
        if file.count("scales") != n or file.count("rows") != n * self.dim:
            raise DamagedStoreError(f"the vectors {path} are damaged", "run `loregraph index`")
        self._matrix: Matrix | None = None

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """Node number of each vector, ascending."""
        return self._file.array("nodes").astype(np.int64)

    def matrix(self) -> Matrix:
        """All vectors as floats, shape (n, dim); made on first use."""
        if self._matrix is None:
            scales = self._file.array("scales")
            matrix = self._file.array("rows").reshape(len(scales), self.dim).astype(np.float32)
            matrix *= scales[:, None]
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
        """The `k` nearest nodes with their cosines, best first; `mask`, by node number, selects the allowed ones."""
        scores = self.scores(query)
        rows = np.arange(len(scores)) if mask is None else np.flatnonzero(mask[self.nodes])
        if len(rows) > k > 0:
            rows = rows[scores[rows] >= np.partition(scores[rows], len(rows) - k)[len(rows) - k]]
        rows = rows[np.lexsort((self.nodes[rows], -scores[rows]))][: max(k, 0)]
        return [(int(self.nodes[row]), float(scores[row])) for row in rows]
