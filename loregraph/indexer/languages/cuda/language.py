"""CUDA: what the rest of loregraph has to know of it, where that is not what C++ says."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from loregraph.indexer.languages.cpp.language import LANGUAGES as CPP
from loregraph.indexer.languages.tokens import CHARACTER, CPP_RAW, DOUBLE, Tokens

_TOKENS: Final = CPP[0].tokens

LANGUAGES: Final = (
    replace(
        CPP[0],
        name="cuda",
        grammar="cuda",
        scip="CUDA",
        extensions=(".cu", ".cuh"),
        heads=(),
        shared=(),
        packaging=(),
        counts_as="cpp",
        tokens=Tokens(
            f"{_TOKENS.keywords if _TOKENS is not None else ''} __constant__ __device__ __forceinline__ __global__ "
            "__grid_constant__ __host__ __managed__ __noinline__ __restrict__ __shared__",
            strings=(CPP_RAW, DOUBLE, CHARACTER),
        ),
    ),
)
