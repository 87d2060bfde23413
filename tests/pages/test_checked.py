"""Findings of `check` as pages show them, and the report of them."""

from __future__ import annotations

import re

import pytest

from loregraph.analysis.findings import Finding, Place, Severity
from loregraph.analysis.rules.registry import RULES
from loregraph.analysis.rules.runner import Checked
from loregraph.config import CheckSettings
from loregraph.pages import checked
from loregraph.pages.checked import Wanted, rules_shown
from loregraph.pages.reports import check_report


def one(rule: str, path: str = "a.py", severity: Severity = "note", key: str = "", said: str = "it is odd") -> Checked:
    finding = Finding(rule, severity, said, Place(path, 3, 4, f"{path}::f"), key or path)
    return Checked(finding, "something even", "something odd", ("nine of ten are even",))


FOUND = [one("complexity"), one("complexity", "b.py"), one("naming", "b.py", "warning")]


def test_rules_with_the_worst_findings_come_first_and_quiet_ones_are_counted() -> None:
    shown = rules_shown(FOUND, FOUND, Wanted(), CheckSettings())
    assert [(rule.rule.name, rule.total) for rule in shown.rules] == [("naming", 1), ("complexity", 2)]
    assert shown.severities == (("warning", "fair", 1), ("note", "none", 2))
    names = {rule.rule.name for group in (shown.rules, shown.quiet, shown.off) for rule in group}
    assert names == RULES.keys()
    assert {rule.rule.name for rule in shown.off} == {
        rule.name for rule in RULES.values() if not rule.on and rule.name != "naming"
    }


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(rule="naming"), ["b.py"]),
        (Wanted(severity="note"), ["a.py", "b.py"]),
        (Wanted(path="B."), ["b.py", "b.py"]),
        (Wanted(state="known"), ["a.py"]),
        (Wanted(state="new"), ["b.py", "b.py"]),
    ],
)
def test_filters(wanted: Wanted, expected: list[str]) -> None:
    shown = rules_shown(FOUND, FOUND[1:], wanted, CheckSettings())
    assert sorted(it.checked.finding.place.file_path for rule in shown.rules for it in rule.findings) == expected


def test_new_findings_come_before_known_ones() -> None:
    (rule,) = rules_shown(FOUND[:2], FOUND[1:2], Wanted(), CheckSettings()).rules
    assert [(it.checked.finding.place.file_path, it.is_known) for it in rule.findings] == [
        ("b.py", False),
        ("a.py", True),
    ]


def test_a_rule_shows_some_and_says_where_the_others_begin() -> None:
    many = [one("complexity", f"f{n:03}.py") for n in range(25)]
    (rule,) = rules_shown(many, many, Wanted(), CheckSettings()).rules
    assert (len(rule.findings), rule.total, rule.next_start) == (checked.FINDINGS, 25, checked.FINDINGS)
    (last,) = rules_shown(many, many, Wanted(rule="complexity"), CheckSettings(), start=20).rules
    assert (len(last.findings), last.next_start) == (5, 0)


def test_every_rule_has_its_text_and_its_cases_in_the_report() -> None:
    found = [one(name) for name in RULES]
    text = check_report(found, "desk", CheckSettings())
    for rule in RULES.values():
        assert f'id="rule-{rule.name}"' in text
    assert text.count('<figure class="case">') == sum(len(rule.valid) + len(rule.invalid) for rule in RULES.values())
    assert "something even" in text
    assert "nine of ten are even" in text


def test_the_report_escapes_what_it_is_told_and_counts_what_it_leaves_out() -> None:
    evil = '<img src=x onerror=alert(1)>\u202e"'
    many = [one("naming", f"{evil}/{n}.py", said=evil) for n in range(checked.FINDINGS_IN_REPORT + 7)]
    text = check_report(many, evil, CheckSettings(), known=3)
    assert "<img" not in text
    assert "\u202e" not in text
    assert "7 more findings" in text
    assert "3 more in the baseline" in text
    assert not re.search(r"<(?:link|iframe|object|embed|base)|<script [^>]|https?:|@import|url\(", text)


def test_nothing_found_is_said() -> None:
    assert "Nothing found" in check_report([], "desk", CheckSettings())
