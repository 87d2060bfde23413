"""The matrix on a terminal."""

from __future__ import annotations

import msgspec

from loregraph.analysis.tracing.formats.plain_text import write
from loregraph.analysis.tracing.report import TraceReport

from .conftest import link, requirement


def test_a_line_a_requirement_then_what_leads_nowhere_then_the_sums(report: TraceReport) -> None:
    lines = write(report).splitlines()
    assert lines[0].split() == "R-1 covered 2 code, 2 tests, 1 design passed A title".split()
    assert lines[1].startswith("R-2  missing")
    assert lines[2] == "  0.50  c.py::f  words"
    assert lines[3].startswith("R-3  planned")
    assert "  a.py:4  R-9" in lines
    assert "  x.py  x.py::gone is gone" in lines
    assert "test results: 1 of 3 cases are a test of the graph" in lines
    assert "  not joined: other::test" in lines
    assert lines[-1] == (
        "implemented 1 of 2 (50 %); tested 1 of 2 (50 %); verified 1 of 2 (50 %); not counted: 1 planned"
    )


def test_one_requirement_in_full(report: TraceReport) -> None:
    text = write(msgspec.structs.replace(report, requirements=report.requirements[:1], orphans=(), results=None))
    assert text.startswith("docs/r.md:7  R-1  A title  (covered, passed)\n  A longer text.")
    assert "  a.py:3  do  marker, line 3\n" in text
    assert "  b.py:3  declared 0.80, line 3\n" in text
    assert "  t.py:3  test_do  passed  marker, line 3\n" in text
    assert "  adr/1.md:1  ADR-1  Rows  declared\n" in text
    assert "  m1  Cents are whole\n" in text


def test_no_suggestions_under_what_has_code() -> None:
    from loregraph.analysis.tracing.traces import SuggestedLink, coverage

    one = requirement(
        "R-1", implementations=(link("a.py::do"),), suggestions=(SuggestedLink("b.py::g", "b.py", 0.4, ""),)
    )
    other = requirement("R-2")
    report = TraceReport(requirements=(one, other), coverage=coverage([one, other]), orphans=())
    assert "b.py::g" not in write(report)
    alone = msgspec.structs.replace(report, requirements=(one,))
    assert "0.40  b.py::g" in write(alone)


# Verifies REQ-TRC-003.
def test_it_is_said_where_nothing_fits() -> None:
    from loregraph.analysis.tracing.traces import SuggestedLink, coverage

    weak = requirement("R-1", suggestions=(SuggestedLink("b.py::g", "b.py", 0.31, "words"),))
    none = requirement("R-2", suggestions=())
    mixed = requirement(
        "R-3",
        suggestions=(SuggestedLink("c.py::h", "c.py", 0.62, "words"), SuggestedLink("d.py::i", "d.py", 0.2, "words")),
    )
    report = TraceReport(requirements=(weak, none, mixed), coverage=coverage([weak, none, mixed]), orphans=())
    lines = write(report).splitlines()
    assert lines[1] == "  nothing fits; the best scores 0.31"
    assert lines[3] == "  nothing fits"
    assert lines[5] == "  0.62  c.py::h  words"
    assert "d.py::i" not in write(report)
    alone = write(msgspec.structs.replace(report, requirements=(weak,)))
    assert "nothing fits well; this comes nearest; --accept or --reject them\n  0.31  b.py::g" in alone
