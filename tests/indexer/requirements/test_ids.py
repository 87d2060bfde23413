from __future__ import annotations

import pytest

from loregraph.indexer.requirements.ids import (
    DEFAULT_PATTERN,
    between,
    compiled,
    family,
    folded,
    known_as,
    names_design,
    words,
)

IDS = compiled(DEFAULT_PATTERN)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("REQ-1", ["REQ-1"]),
        ("see REQ-MEM-005-FN-001.", ["REQ-MEM-005-FN-001"]),
        ("REQ-1, REQ-2 and REQ-1", ["REQ-1", "REQ-2"]),
        ("REQ-1-foo XREQ-2x REQ-3_a", []),
        ("req-1", []),
        ("REQ-IDX-001..004", ["REQ-IDX-001", "REQ-IDX-002", "REQ-IDX-003", "REQ-IDX-004"]),
        ("REQ-IDX-009 to -011, REQ-1", ["REQ-IDX-009", "REQ-IDX-010", "REQ-IDX-011", "REQ-1"]),
        ("REQ-1 to REQ-3", ["REQ-1", "REQ-2", "REQ-3"]),
        ("REQ-1 – 3", ["REQ-1", "REQ-2", "REQ-3"]),
        ("REQ-1 to 4 users", ["REQ-1"]),
        ("REQ-1 to OTHER-4", ["REQ-1", "OTHER-4"]),
        ("REQ-4..2", ["REQ-4"]),
        ("REQ-1..9999", ["REQ-1"]),
        ("REQ-1...", ["REQ-1"]),
    ],
)
def test_ids_in_running_text(text: str, found: list[str]) -> None:
    assert IDS.ids(text) == found


def test_a_pattern_may_have_flags_anchors_and_groups() -> None:
    ids = compiled(r"(?i)^(req|spec)_([a-z]+)$")
    assert ids.ids("REQ_ABC, spec_x; spec_1") == ["REQ_ABC", "spec_x"]
    assert ids.is_id("Req_abc")
    assert not ids.is_id("req_abc1")
    assert ids.places(b"a REQ_ABC b") == [2]


def test_a_range_keeps_the_width_of_its_numbers() -> None:
    assert between("R-08", "11") == ("R-08", "R-09", "R-10", "R-11")
    assert between("R-08", "S-11") == ()


@pytest.mark.parametrize(
    ("identity", "expected"), [("REQ-IDX-001", "REQ-IDX-"), ("REQ001", "REQ"), ("R12", ""), ("LAMP_DIM", "")]
)
def test_a_family_is_what_comes_before_the_number(identity: str, expected: str) -> None:
    assert family(identity) == expected


def test_names_are_words_however_they_are_written() -> None:
    assert words("test_req_mem_005_x") == ("test", "req", "mem", "005", "x")
    assert words("testReqMem005") == ("test", "req", "mem", "005")
    assert words("REQ-MEM-005") == ("req", "mem", "005")


def test_other_ways_to_write_an_id_are_known_unless_two_ids_share_them() -> None:
    assert folded("REQ_Mem-5.txt") == folded("req-mem-5")
    assert known_as(["REQ-1", "UC2"]) == {"req-1": "REQ-1", "uc2": "UC2"}
    assert known_as(["REQ-1", "REQ_1", "UC2"]) == {"uc2": "UC2"}


def test_ids_that_call_themselves_a_design() -> None:
    assert [i for i in ("ADR-4", "DES_1", "REQ-ARCH-1", "DESK-1", "SDD12") if names_design(i)] == [
        "ADR-4",
        "DES_1",
        "SDD12",
    ]
