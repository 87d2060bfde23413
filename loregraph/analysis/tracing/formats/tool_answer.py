"""A trace in the form of the tool `trace_requirements` (docs/mcp.md): of one requirement, or of all."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from loregraph.analysis.context import EXCERPT, RequirementExcerpt
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import CodeLink, Coverage, DesignLink, RequirementTrace, SuggestedLink

MOST_SUGGESTED: Final = 10
"""Maximum suggestions for a requirement."""
FOUND: Final = "found"
"""The status of a test for which no results were read."""


class OneTrace(msgspec.Struct, frozen=True, kw_only=True):
    """The trace of one requirement. `implementations` and `mentions` are those of `code`, `design_documents` of
    `design`, `tests` of `test`."""

    requirement: RequirementExcerpt | None = None
    implementations: tuple[dict[str, Any], ...] = ()
    design_documents: tuple[dict[str, Any], ...] = ()
    tests: tuple[dict[str, Any], ...] = ()
    coverage: dict[str, Any]
    """Parts of `total`, 0 to 1."""
    mentions: tuple[dict[str, Any], ...] | UnsetType = UNSET
    suggestions: tuple[SuggestedLink, ...] | UnsetType = UNSET


class TraceAnswer(OneTrace, frozen=True, kw_only=True):
    """As of one requirement; where none is named, `requirements` holds the trace of each."""

    requirements: tuple[OneTrace, ...] | UnsetType = UNSET


def answer(report: TraceReport, requirement_id: str | None) -> TraceAnswer:
    """`report`, which is that of the requirement if one is named."""
    if requirement_id is not None:
        return TraceAnswer(**traced(report.requirements[0]))
    requirements = tuple(OneTrace(**traced(one)) for one in report.requirements)
    return TraceAnswer(coverage=covered(report.coverage), requirements=requirements)


def traced(one: RequirementTrace) -> dict[str, Any]:
    """The fields of the answer about one requirement."""
    source = f"{one.path}:{one.line}"
    return {
        "requirement": RequirementExcerpt(one.id, one.title, one.status, one.text[:EXCERPT], source),
        "implementations": tuple(map(code, one.implementations)),
        "design_documents": tuple(map(design, one.designs)),
        "tests": tuple(map(test, one.tests)),
        "coverage": {"implementation": float(one.implemented), "testing": float(one.tested), "total": 1},
        "mentions": tuple(map(code, one.mentions)),
        "suggestions": UNSET if one.suggestions is UNSET else one.suggestions[:MOST_SUGGESTED],
    }


def covered(coverage: Coverage) -> dict[str, Any]:
    return {"implementation": coverage.implementation, "testing": coverage.testing, "total": coverage.total}


def code(link: CodeLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "name": link.name,
        "file_path": link.file_path,
        "link": link.how,
        "confidence": link.confidence,
        "evidence": link.evidence,
    }


def test(link: CodeLink) -> dict[str, Any]:
    return {"id": link.id, "name": link.name, "file_path": link.file_path, "status": link.result or FOUND}


def design(link: DesignLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "title": link.title,
        "type": link.kind,
        "status": link.status,
        "excerpt": link.text[:EXCERPT],
        "path": link.path,
    }
