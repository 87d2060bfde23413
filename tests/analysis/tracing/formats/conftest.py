"""A report with every kind of link, and with texts that would break a form that does not escape."""

from __future__ import annotations

import pytest

from loregraph.analysis.tracing.orphans import NO_CODE, STALE, UNKNOWN, Orphan
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import (
    CodeLink,
    DesignLink,
    MemoryLink,
    RequirementTrace,
    SuggestedLink,
    coverage,
)
from loregraph.analysis.tracing.verification import Joined

HOSTILE = "</script><script>alert(1)</script> & \"quoted\" 'text'"


def link(identity: str, how: str = "marker", confidence: float = 1.0, result: str = "") -> CodeLink:
    path, _, name = identity.partition("::")
    return CodeLink(
        id=identity,
        name=name or path,
        file_path=path,
        line=3,
        how=how,
        confidence=confidence,
        evidence=f"{path}:3",
        result=result,
    )


def requirement(identity: str, title: str = "A title", status: str = "", **more: object) -> RequirementTrace:
    fields: dict[str, object] = {
        "text": "",
        "path": "docs/r.md",
        "line": 7,
        "counted": status != "planned",
        "implementations": (),
        "tests": (),
        "designs": (),
        "memories": (),
    }
    fields |= more
    fields |= {"implemented": bool(fields["implementations"]), "tested": bool(fields["tests"])}
    return RequirementTrace(id=identity, title=title, status=status, **fields)  # type: ignore[arg-type]


@pytest.fixture
def report() -> TraceReport:
    design = DesignLink(
        id="ADR-1",
        title="Rows",
        kind="adr",
        status="accepted",
        text="",
        path="adr/1.md",
        line=1,
        how="declared",
        evidence="",
    )
    requirements = (
        requirement(
            "R-1",
            text=f"A longer text. {HOSTILE}",
            implementations=(link("a.py::do"), link("b.py", "declared", 0.8)),
            tests=(link("t.py::test_do", result="passed"), link("t.py::test_more", "exercises", result="not run")),
            designs=(design,),
            memories=(MemoryLink("m1", "Cents are whole"),),
            verified="passed",
        ),
        requirement("R-2", HOSTILE, verified="not run", suggestions=(SuggestedLink("c.py::f", "c.py", 0.5, "words"),)),
        requirement("R-3", "=cmd|' /C calc'!A0", "planned", verified="not run"),
    )
    return TraceReport(
        requirements=requirements,
        coverage=coverage(requirements),
        orphans=(
            Orphan(kind=NO_CODE, id="R-2", path="docs/r.md", line=7, message="no code implements R-2"),
            Orphan(kind=UNKNOWN, id="R-9", path="a.py", line=4, message="R-9 is named here and is in no document"),
            Orphan(kind=STALE, id="R-1", path="x.py", line=0, message="x.py::gone is gone"),
        ),
        results=Joined(cases=3, joined=1, unjoined=("other::test",)),
    )
