"""The matrix as JSON, in the documented form of the command line."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from msgspec import UNSET

from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import CodeLink, DesignLink, RequirementTrace

MOST_TESTS: Final = 50
"""Tests listed that ran the code of a requirement; all are counted."""


def write(report: TraceReport, title: str = "") -> str:
    return json.dumps(contract(report), indent=2, ensure_ascii=False) + "\n"


def contract(report: TraceReport) -> dict[str, Any]:
    """`results` and related fields are included only if test results were read, `execution` and `coverage.executed`
    only if runs say something, suggestions if requested."""
    verified = report.results is not None
    coverage = msgspec.to_builtins(report.coverage)
    if not verified:
        del coverage["verified"]
    if report.coverage.executed is None:
        del coverage["executed"]
    answer = {
        "requirements": [requirement(one, verified) for one in report.requirements],
        "coverage": coverage,
        "orphans": msgspec.to_builtins(report.orphans),
    }
    if verified:
        answer["results"] = msgspec.to_builtins(report.results)
    return answer


def requirement(one: RequirementTrace, verified: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": one.id,
        "title": one.title,
        "status": one.status,
        "path": one.path,
        "line": one.line,
        "implementations": [code(link) for link in one.implementations],
        "tests": [code(link) | ({"result": link.result} if verified else {}) for link in one.tests],
        "designs": [design(link) for link in one.designs],
        "memories": [memory.id for memory in one.memories],
        "mentions": [code(link) for link in one.mentions],
        "parts": list(one.parts),
    }
    if verified:
        record["verified"] = one.verified
    if one.execution.state:
        tests = one.execution.tests
        record["execution"] = {
            "state": one.execution.state,
            "only": one.is_only_executed,
            "tests": list(tests[:MOST_TESTS]),
            "test_count": len(tests),
        }
    if one.suggestions is not UNSET:
        record["suggestions"] = msgspec.to_builtins(one.suggestions)
    return record


def design(link: DesignLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "title": link.title,
        "status": link.status,
        "path": link.path,
        "line": link.line,
        "how": link.how,
        "evidence": link.evidence,
    }


def code(link: CodeLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "file_path": link.file_path,
        "how": link.how,
        "confidence": link.confidence,
        "evidence": link.evidence,
    }
