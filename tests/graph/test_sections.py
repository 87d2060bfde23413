"""Files of sections are read as they were written, whatever their header ends with."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from loregraph.errors import DamagedStoreError
from loregraph.graph.sections import BLOCK, SectionFile, write_sections


# Verifies REQ-SEC-015.
@pytest.mark.parametrize(
    "value", [192, 193, 0xC1C1, 0xC1C1C1C1, struct.unpack(">d", b"\x40" + b"\xc1" * 7)[0], "a", b"\xc1"]
)
@pytest.mark.parametrize("pad", [*range(0, 64, 9), 62, 63])
def test_a_header_may_end_with_the_byte_that_fills_it_up(tmp_path: Path, value: object, pad: int) -> None:
    meta = {"pad": "x" * pad, "value": value}
    write_sections(tmp_path / "columns.bin", [("a", "|u1", 3, b"abc")], meta)
    assert SectionFile(tmp_path / "columns.bin").meta == meta


# Verifies REQ-SEC-015.
def test_a_block_that_is_right_says_nothing_of_the_next(tmp_path: Path) -> None:
    path = tmp_path / "columns.bin"
    write_sections(path, [("a", "|u1", 3 * BLOCK, bytes(3 * BLOCK))], {})
    with path.open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"\1")
    section = SectionFile(path).section("a")
    section.check(0, BLOCK)
    assert not section.is_whole
    with pytest.raises(DamagedStoreError, match="not what was written"):
        section.check(2 * BLOCK, 3 * BLOCK)


def test_a_section_is_whole_once_each_block_was_looked_at(tmp_path: Path) -> None:
    write_sections(tmp_path / "columns.bin", [("a", "|u1", 2 * BLOCK, bytes(2 * BLOCK))], {})
    section = SectionFile(tmp_path / "columns.bin").section("a")
    for block, whole in ((1, False), (0, True)):
        section.check(block * BLOCK, (block + 1) * BLOCK)
        assert section.is_whole is whole
