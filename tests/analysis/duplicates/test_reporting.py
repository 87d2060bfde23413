"""Copies as findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.duplicates.reporting import RULES, findings, known_findings, only_new
from loregraph.analysis.duplicates.results import CODE, Duplicates, Family, Pair, Side
from loregraph.analysis.findings import read_baseline, write_baseline
from loregraph.analysis.sarif import to_sarif

A = Side("a.py::load", "a.py", 2, 11)
B = Side("b.py::fetch", "b.py", 2, 11)
C = Side("c.py::load", "c.py", 5, 15)


def found(*sides: Side, scope: str = "function", clone_type: str = "type-2", keep: int = 0) -> Duplicates:
    members = (sides[keep], *(side for side in sides if side != sides[keep]))
    pairs = tuple(Pair(a, b, 0.9, clone_type, scope, 80) for a in sides for b in sides if a < b)
    family = Family(members, sides[keep].id, 0.9, clone_type, scope, 10, CODE, "Keep one.")
    return Duplicates(pairs, (family,), 3, ("2 files cannot be read",))


def test_a_finding_for_each_copy_that_could_go() -> None:
    told = findings(found(A, B, C))
    assert [finding.place.id for finding in told] == ["b.py::fetch", "c.py::load"]
    assert [place.id for place in told[0].related] == ["a.py::load", "c.py::load"]
    assert "a.py::load (a.py:2) and 1 more [type-2, 90%]. Keep one." in told[0].message
    assert {finding.rule for finding in told} <= RULES.keys()
    results = to_sarif(told, RULES, "1.0")["runs"][0]["results"]
    assert [result["level"] for result in results] == ["warning", "warning"]


@pytest.mark.parametrize(("scope", "clone_type"), [("file", "type-1"), ("fragment", "type-2"), ("function", "type-4")])
def test_every_kind_has_a_rule(scope: str, clone_type: str) -> None:
    (finding,) = findings(found(A, B, scope=scope, clone_type=clone_type))
    assert finding.rule in RULES
    assert finding.severity == RULES[finding.rule].level


def test_a_baseline_knows_copies_whichever_is_kept_and_wherever_they_move(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    with file.open("wb") as opened:
        assert write_baseline(opened, known_findings(found(A, B))) == 2
    baseline = read_baseline(file)
    moved = Side("a.py::load", "a.py", 40, 49)
    assert only_new(found(moved, B, keep=1), baseline).families == ()
    left = only_new(found(A, B, C), baseline)
    assert len(left.families) == 1
    assert [(pair.a, pair.b) for pair in left.pairs] == [(A, C), (B, C)]
