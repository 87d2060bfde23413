from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from loregraph.errors import EmbedderMismatchError, StoreError
from loregraph.graph.vector_index import VECTORS_FILE, VectorIndex, write_vectors


def unit(n: int, dim: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(7).normal(size=(n, dim)).astype(np.float32)
    unit_rows: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit_rows


def test_cosines_survive_eight_bits(tmp_path: Path) -> None:
    matrix = unit(200, 64)
    write_vectors(tmp_path, matrix, np.arange(200) * 3)
    index = VectorIndex(tmp_path)
    assert index.nodes.tolist() == list(range(0, 600, 3))
    assert np.abs(index.scores(matrix[5]) - matrix @ matrix[5]).max() < 0.005


def test_half_floats_are_taken(tmp_path: Path) -> None:
    matrix = unit(4, 8)
    write_vectors(tmp_path, matrix.astype(np.float16), np.arange(4))
    assert np.abs(VectorIndex(tmp_path).matrix() - matrix).max() < 0.01


def test_nearest_first_and_equal_ones_by_number(tmp_path: Path) -> None:
    rows = np.array([[0, 1], [1, 0], [0.6, 0.8], [1, 0], [0, 0]], dtype=np.float32)
    write_vectors(tmp_path, rows, np.array([2, 3, 5, 7, 9]))
    index = VectorIndex(tmp_path)
    query = np.array([1, 0], dtype=np.float32)
    assert [node for node, _ in index.search(query, 3)] == [3, 7, 5]
    assert [node for node, _ in index.search(query, 1)] == [3]
    assert [node for node, _ in index.search(query, 99)] == [3, 7, 5, 2, 9]
    assert index.search(query, 0) == []


def test_a_mask_says_what_may_be_found(tmp_path: Path) -> None:
    write_vectors(tmp_path, np.eye(3, dtype=np.float32), np.array([0, 2, 4]))
    mask = np.array([True, True, False, True, True])
    found = VectorIndex(tmp_path).search(np.array([0, 1, 0], dtype=np.float32), 5, mask)
    assert [node for node, _ in found] == [0, 4]


def test_no_vectors(tmp_path: Path) -> None:
    write_vectors(tmp_path, np.zeros((0, 8), dtype=np.float32), np.zeros(0, dtype=np.uint32))
    index = VectorIndex(tmp_path)
    assert index.search(np.zeros(8, dtype=np.float32), 3) == []


def test_another_size_is_refused(tmp_path: Path) -> None:
    write_vectors(tmp_path, np.eye(3, dtype=np.float32), np.arange(3))
    with pytest.raises(EmbedderMismatchError, match="re-embed required"):
        VectorIndex(tmp_path).scores(np.zeros(4, dtype=np.float32))
    with pytest.raises(ValueError, match="3 vectors for 2 nodes"):
        write_vectors(tmp_path, np.eye(3, dtype=np.float32), np.arange(2))


def test_damage_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        VectorIndex(tmp_path)
    write_vectors(tmp_path, np.eye(3, dtype=np.float32), np.arange(3))
    file = tmp_path / VECTORS_FILE
    whole = file.read_bytes()
    for broken in (b"", whole[:8], whole[:-1], whole + b"0", b"x" + whole[1:]):
        file.write_bytes(broken)
        with pytest.raises(StoreError):
            VectorIndex(tmp_path)
