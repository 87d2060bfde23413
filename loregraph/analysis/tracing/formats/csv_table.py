"""The matrix as CSV: one row per link, for filtering in a spreadsheet; a requirement without links has a row too."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.tracing.formats.states import coverage_state
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import CodeLink, RequirementTrace

HEADER: Final = (
    "requirement", "title", "status", "path", "line", "state", "verified",
    "link", "target", "target_path", "target_line", "how", "confidence", "evidence", "result",
    "text", "parents", "document", "section",
)  # fmt: skip
"""New columns come last, so that what reads the file by position goes on to work."""
EXECUTION: Final = "execution"
"""A last column, where runs were imported."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def write(report: TraceReport, title: str = "") -> str:
    """RFC 4180: comma, quotes where needed, CRLF."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    measured = report.coverage.executed is not None
    table.writerow((*HEADER, EXECUTION) if measured else HEADER)
    for one in report.requirements:
        own = (one.id, one.title, one.status, one.path, one.line, coverage_state(one), one.verified)
        place = report.places.get(one.id)
        document, section = (place.document, " / ".join(place.section)) if place is not None else (one.path, "")
        said = (one.text, ", ".join(one.parents), document, section, *((one.execution.state,) if measured else ()))
        for link in list(links(one)) or [("",) * 8]:
            table.writerow([inert(cell) for cell in (*own, *link, *said)])
    for orphan in report.broken:
        told = ("", "", "", "", "", "", "", orphan.message, "", "", "", "", "")
        row = (orphan.id, "", "", orphan.path, orphan.line, orphan.kind, *told)
        table.writerow([inert(cell) for cell in row])
    return text.getvalue()


def links(one: RequirementTrace) -> Iterator[tuple[object, ...]]:
    for design in one.designs:
        yield ("design", design.id, design.path, design.line, design.how, "", design.evidence, "")
    for link in one.implementations:
        yield code("code", link)
    for link in one.tests:
        yield code("test", link)
    for link in one.mentions:
        yield code("mention", link)
    for memory in one.memories:
        yield ("memory", memory.id, "", "", "", "", memory.title, "")


def code(kind: str, link: CodeLink) -> tuple[object, ...]:
    return (kind, link.id, link.file_path, link.line, link.how, link.confidence, link.evidence, link.result)


def inert(cell: object) -> object:
    """Neutralises text that a spreadsheet would execute as a formula: requirements are untrusted."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
