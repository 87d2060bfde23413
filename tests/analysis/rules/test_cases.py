"""Every rule's own cases: projects it finds nothing in, and projects it finds exactly what it should in."""

from __future__ import annotations

import pytest

from loregraph.analysis.rules.registry import RULES
from loregraph.analysis.rules.rule import Case

from .conftest import Checked

VALID = [pytest.param(r.name, case, id=f"{r.name}: {case.about}") for r in RULES.values() for case in r.valid]
INVALID = [pytest.param(r.name, case, id=f"{r.name}: {case.about}") for r in RULES.values() for case in r.invalid]


# Verifies REQ-RUN-015.
@pytest.mark.parametrize(("rule", "case"), VALID)
def test_nothing_is_found(checked: Checked, rule: str, case: Case) -> None:
    result = checked(rule, case.files, case)
    assert [(one.finding.place.file_path, one.finding.message) for one in result.findings] == []


# Verifies REQ-CON-001, REQ-RUN-015, REQ-RUN-019.
@pytest.mark.parametrize(("rule", "case"), INVALID)
def test_exactly_this_is_found(checked: Checked, rule: str, case: Case) -> None:
    result = checked(rule, case.files, case)
    assert [(one.finding.place.file_path, one.finding.place.start_line) for one in result.findings] == list(
        case.findings
    )
    assert all(one.expected and one.actual and one.evidence and one.finding.message for one in result.findings)


def test_every_rule_has_cases_of_both_sorts() -> None:
    assert [rule.name for rule in RULES.values() if not rule.valid or not rule.invalid] == []
