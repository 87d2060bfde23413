"""A trace of many requirements, in documents with sections."""

from __future__ import annotations

import pytest

from loregraph.analysis.tracing.places import Place
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import CodeLink, RequirementTrace, coverage


def link(identity: str, result: str = "", how: str = "marker") -> CodeLink:
    path, _, name = identity.partition("::")
    return CodeLink(
        id=identity, name=name, file_path=path, line=3, how=how, confidence=1.0, evidence=f"{path}:3", result=result
    )


def stated(identity: str, title: str = "A title", status: str = "", **more: object) -> RequirementTrace:
    fields: dict[str, object] = {"text": title, "path": "docs/r.md", "line": 1, "counted": status != "planned"}
    fields |= {"implementations": (), "tests": (), "designs": (), "memories": ()} | more
    fields |= {"implemented": bool(fields["implementations"]), "tested": bool(fields["tests"])}
    return RequirementTrace(id=identity, title=title, status=status, **fields)  # type: ignore[arg-type]


def reported(*requirements: RequirementTrace) -> TraceReport:
    return TraceReport(requirements=requirements, coverage=coverage(requirements), orphans=())


@pytest.fixture
def report() -> TraceReport:
    return reported(
        stated("R-1", implementations=(link("a.py::f"),), tests=(link("t.py::test_f"),), line=1, parts=("R-4",)),
        stated("R-2", "Needs care", implementations=(link("b.py::g"),), line=5),
        stated("R-3", "Nothing yet", line=9),
        stated("R-4", status="planned", line=12),
        stated("R-5", tests=(link("t.py::test_g"),), line=14, path="docs/other.md"),
    )


@pytest.fixture
def places() -> dict[str, Place]:
    one, other = "docs/r.md", "docs/other.md"
    return {
        "R-1": Place(one, "The till", ("Payments",), (1,)),
        "R-2": Place(one, "The till", ("Payments", "Refunds"), (5,)),
        "R-3": Place(one, "The till", ("Payments", "Refunds"), (9,)),
        "R-4": Place(one, "The till", ("Ledger",), (12,)),
        "R-5": Place(other, "", (), (14,)),
    }
