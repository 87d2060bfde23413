"""Readers of the area "store", given what nobody meant: they end, and raise nothing but what they say."""

from __future__ import annotations

import pytest

from .fuzz_readers import of
from .fuzz_suite import fuzzed

EXAMPLES = 40
# What flipped bits do to the arrays is tested where they are checked; here it is what else a store holds.
NAMES = [name for name in of("store") if name not in ("columns.bin", "lexical.bin")]


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("name", NAMES)
def test_a_reader_survives_edits_of_its_seeds(name: str) -> None:
    fuzzed(name, EXAMPLES)
