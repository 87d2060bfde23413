"""CUDA: a fixture that asserts itself, and what it has beside C++."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.languages.registry import by_path
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "cuda").glob("*.cu"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "cuda", "//") == []


def test_kernels_are_called_by_their_launches() -> None:
    files = {
        "kernels.cuh": "template <typename T> __device__ T half(T x);\n"
        "__global__ void fill(float *out) { half(*out); }\n"
        "template <typename T> __device__ T half(T x) { return x; }",
        "host.cuh": "void launch(float *p);",
        "host.cu": '#include "kernels.cuh"\n#include "host.cuh"\nusing Kernel = void (*)(float *);\n'
        "void launch(float *p) { fill<<<1, 32>>>(p); Kernel other = &fill; other<<<1, 1>>>(p); }",
        "main.cpp": '#include "host.cuh"\nint main() { launch(nullptr); }',
    }
    assert calls_between(files) == {("fill", "half"), ("launch", "fill"), ("main", "launch")}


def test_files_of_cuda_are_its_own() -> None:
    assert [by_path(path) for path in ("a.cu", "a.cuh", "a.cpp")] == ["cuda", "cuda", "cpp"]


@pytest.mark.parametrize(
    ("text", "status"),
    [("void f() { " + "k<<<1, " * 1000 + "1" + ">>>(a)" * 1000 + "; }", "indexed"), ("__align__(" * 3000, "partial")],
    ids=["launches", "attributes"],
)
def test_deep_nesting_ends(text: str, status: str) -> None:
    assert extract("a.cu", text.encode(), "cuda").status == status
