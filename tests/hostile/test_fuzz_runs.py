"""Readers of the area "runs", given what no tool wrote: they end, and raise nothing but what they say."""

from __future__ import annotations

import pytest

from .fuzz_readers import of
from .fuzz_suite import fuzzed

EXAMPLES = 40


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("name", of("runs"))
def test_a_reader_survives_edits_of_its_seeds(name: str) -> None:
    fuzzed(name, EXAMPLES)
