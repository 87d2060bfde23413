"""How the suite fuzzes a reader: few examples, always the same ones, made smaller where one fails."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from .fuzz_readers import READERS
from .fuzzing import KINDS, PIECES, applied, tried

EDITS = st.lists(
    st.tuples(
        st.integers(0, KINDS - 1), st.integers(0, 1 << 14), st.integers(0, 63), st.integers(0, max(255, len(PIECES)))
    ),
    max_size=6,
)


def fuzzed(name: str, examples: int) -> None:
    """Reads each seed as it is, and `examples` edits of them. Fails as `fuzzing.tried` says."""
    reader = READERS[name]
    seeds = list(reader.seeds())
    assert seeds, f"{name} has no seeds"
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            tried(reader, seed, Path(folder))

        @settings(
            max_examples=examples,
            derandomize=True,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        @given(st.integers(0, len(seeds) - 1), EDITS)
        def reads(number: int, edits: list[tuple[int, int, int, int]]) -> None:
            tried(reader, applied(seeds[number], edits, seeds), Path(folder))

        reads()
