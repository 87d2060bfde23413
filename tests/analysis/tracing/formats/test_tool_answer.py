"""The form of the tool `trace_requirements`."""

from __future__ import annotations

import msgspec

from loregraph.analysis.context import EXCERPT
from loregraph.analysis.tracing.formats.tool_answer import MOST_SUGGESTED, answer
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import SuggestedLink, coverage

from .conftest import requirement


def test_one_requirement(report: TraceReport) -> None:
    body = msgspec.to_builtins(answer(report, "R-1"))
    assert set(body) == {"requirement", "implementations", "design_documents", "tests", "coverage", "mentions"}
    assert (body["requirement"]["requirement_id"], body["requirement"]["source"]) == ("R-1", "docs/r.md:7")
    assert body["implementations"][1] == {
        "id": "b.py",
        "name": "b.py",
        "file_path": "b.py",
        "link": "declared",
        "confidence": 0.8,
        "evidence": "b.py:3",
    }
    assert [(test["name"], test["status"]) for test in body["tests"]] == [
        ("test_do", "passed"),
        ("test_more", "not run"),
    ]
    assert [(design["id"], design["type"], design["path"]) for design in body["design_documents"]] == [
        ("ADR-1", "adr", "adr/1.md")
    ]
    assert body["coverage"] == {"implementation": 1.0, "testing": 1.0, "total": 1}


def test_all_of_them(report: TraceReport) -> None:
    body = msgspec.to_builtins(answer(report, None))
    assert (body["requirement"], body["implementations"], body["tests"]) == (None, (), ())
    assert [one["requirement"]["requirement_id"] for one in body["requirements"]] == ["R-1", "R-2", "R-3"]
    assert body["coverage"] == {"implementation": 0.5, "testing": 0.5, "total": 2}


def test_long_texts_and_many_suggestions_are_cut() -> None:
    many = tuple(SuggestedLink(f"c.py::f{number}", "c.py", 0.5, "words") for number in range(20))
    one = requirement("R-1", text="x" * 1_000, suggestions=many)
    body = answer(TraceReport(requirements=(one,), coverage=coverage([one]), orphans=()), "R-1")
    assert body.requirement is not None
    assert len(body.requirement.text) == EXCERPT
    assert body.suggestions == many[:MOST_SUGGESTED]
