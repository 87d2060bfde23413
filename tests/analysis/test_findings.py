"""Known findings are told from new ones, whatever lines they stand on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from loregraph.analysis.findings import (
    Finding,
    Place,
    fingerprint,
    new_findings,
    ordered,
    read_baseline,
    write_baseline,
)
from loregraph.errors import ConfigError, UsageError


def finding(key: str, line: int = 1, rule: str = "naming", path: str = "a.py") -> Finding:
    return Finding(rule, "warning", f"about {key}", Place(path, line, line), key)


def baseline_at(path: Path, findings: Iterable[Finding]) -> int:
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        return write_baseline(file, findings)


def test_a_finding_that_has_moved_is_not_new(tmp_path: Path) -> None:
    file = tmp_path / "known" / "baseline.json"
    assert baseline_at(file, [finding("f", line=3)]) == 1
    assert new_findings([finding("f", line=90), finding("g")], read_baseline(file)) == [finding("g")]


def test_of_equal_findings_only_as_many_are_known_as_there_were(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    baseline_at(file, [finding("f"), finding("f", line=5)])
    now = [finding("f"), finding("f", line=5), finding("f", line=9)]
    assert new_findings(now, read_baseline(file)) == [finding("f", line=9)]


def test_the_same_key_under_another_rule_is_another_finding() -> None:
    assert fingerprint(finding("f")) != fingerprint(finding("f", rule="tests"))
    assert fingerprint(finding("f")) == fingerprint(finding("f", line=7, path="moved.py"))


def test_a_baseline_has_a_line_a_finding_and_its_order_is_not_that_of_the_findings(tmp_path: Path) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    found = [finding("f", path="b.py"), finding("g", path="a.py")]
    baseline_at(first, found)
    baseline_at(second, reversed(found))
    assert first.read_bytes() == second.read_bytes()
    assert [line.count("fingerprint") for line in first.read_text().splitlines()] == [0, 0, 0, 1, 1, 0, 0]


def test_an_empty_baseline_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    assert baseline_at(file, []) == 0
    assert new_findings([finding("f")], read_baseline(file)) == [finding("f")]


@pytest.mark.parametrize("text", ["", "[]", '{"version": 1}', '{"version": 9, "findings": []}', '{"findings": 3}'])
def test_a_file_that_is_no_baseline_is_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read_baseline(file)
    assert "other.json" in refused.value.message
    assert "--write-baseline" in (refused.value.suggestion or "")


def test_a_baseline_that_is_not_there_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_baseline(tmp_path / "none.json")


def test_findings_are_worked_through_by_place() -> None:
    late, early, other = finding("a", line=9), finding("b", line=2), finding("c", path="Z.py")
    assert ordered([late, early, other]) == [other, early, late]
