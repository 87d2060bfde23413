"""Files of sections are read as they were written, whatever their header ends with."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from loregraph.graph.sections import SectionFile, write_sections


# Verifies REQ-SEC-015.
@pytest.mark.parametrize(
    "value", [192, 193, 0xC1C1, 0xC1C1C1C1, struct.unpack(">d", b"\x40" + b"\xc1" * 7)[0], "a", b"\xc1"]
)
@pytest.mark.parametrize("pad", [*range(0, 64, 9), 62, 63])
def test_a_header_may_end_with_the_byte_that_fills_it_up(tmp_path: Path, value: object, pad: int) -> None:
    meta = {"pad": "x" * pad, "value": value}
    write_sections(tmp_path / "columns.bin", [("a", "|u1", 3, b"abc")], meta)
    assert SectionFile(tmp_path / "columns.bin").meta == meta
