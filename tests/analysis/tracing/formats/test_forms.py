"""What the forms of the matrix have in common."""

from __future__ import annotations

import pytest

from loregraph.analysis.tracing import formats
from loregraph.analysis.tracing.formats.states import coverage_state, percent
from loregraph.analysis.tracing.report import TraceReport
from loregraph.errors import UsageError

from .conftest import link, requirement


# Verifies REQ-TRC-007.
@pytest.mark.parametrize("form", formats.FORMATS)
def test_every_form_names_every_requirement_and_what_is_linked(report: TraceReport, form: str) -> None:
    text = formats.write(report, form, "shop")
    for name in ("R-1", "R-2", "R-3"):
        assert name in text
    if form != "text":
        for name in ("do", "test_do", "ADR-1"):
            assert name in text
    assert text == formats.write(report, form, "shop")


def test_a_form_that_there_is_not(report: TraceReport) -> None:
    with pytest.raises(UsageError) as raised:
        formats.write(report, "pdf", "shop")
    assert "reqif" in raised.value.suggestion


def test_states() -> None:
    code, test = (link("a.py::do"),), (link("t.py::t"),)
    assert coverage_state(requirement("R", implementations=code, tests=test)) == "covered"
    assert coverage_state(requirement("R", implementations=code)) == "untested"
    assert coverage_state(requirement("R", tests=test)) == "only tested"
    assert coverage_state(requirement("R")) == "missing"
    assert coverage_state(requirement("R", status="planned", implementations=code)) == "planned"


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 0, "100 %"), (1, 2, "50 %"), (2, 3, "66.6 %"), (999, 1000, "99.9 %"), (3, 3, "100 %")],
)
def test_percentages_are_never_rounded_up(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text
