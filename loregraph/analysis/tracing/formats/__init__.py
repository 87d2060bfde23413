"""Output formats of the traceability matrix, one module each; HTML is among the pages."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

from loregraph.errors import UsageError

if TYPE_CHECKING:
    from loregraph.analysis.tracing.report import TraceReport

FORMATS: Final = {
    "text": "plain_text",
    "json": "json_contract",
    "csv": "csv_table",
    "reqif": "reqif_file",
}
"""Name of a format → its module, which has `write(report, title) -> str`."""


# Implements REQ-TRC-007.
def write(report: TraceReport, form: str, title: str) -> str:
    """`report` in one of FORMATS; `title` names the project. Raises UsageError for another one."""
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}", f"use one of html, {', '.join(FORMATS)}")
    module = importlib.import_module(f"{__name__}.{FORMATS[form]}")
    text: str = module.write(report, title)
    return text
