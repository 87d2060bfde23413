"""The reports in HTML of `duplicates`, `check` and `diff`: single pages, of bounded size whatever a project holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from loregraph.analysis.duplicates.results import CLONE_TYPES, Duplicates
from loregraph.analysis.rules.runner import Checked
from loregraph.config import CheckSettings
from loregraph.graph.columns import GraphColumns
from loregraph.pages import checked, copies
from loregraph.pages.beside import Lines
from loregraph.pages.changed import ChangeShown
from loregraph.pages.document import document


# Implements REQ-WEB-012.
def duplicates_report(found: Duplicates, project: str, columns: GraphColumns, lines: Lines) -> str:
    """Families of copies with the source of two of each; `lines` is called once per file. `project` is its name."""
    shown = copies.report(found, columns, cache(lines))
    return document(
        f"Duplicates in {project}",
        "duplicates_report.html",
        {"project": project, "copies": shown, "types": CLONE_TYPES},
        styles=["findings.css"],
        scripts=["filtering.js"],
    )


# Implements REQ-WEB-012.
def check_report(found: Sequence[Checked], project: str, settings: CheckSettings, known: int = 0) -> str:
    """Findings by rule; `known` were left out, since a baseline has them."""
    shown = checked.rules_shown(found, found, checked.Wanted(), settings, most=checked.FINDINGS_IN_REPORT)
    return document(
        f"Findings in {project}",
        "check_report.html",
        {"project": project, "checked": shown, "known": known, "only": False, "options": {}},
        styles=["findings.css"],
        scripts=["filtering.js"],
    )


# Implements REQ-WEB-012.
def change_report(shown: ChangeShown, project: str) -> str:
    """What changed and whom it affects."""
    return document(
        f"{project} since {shown.view.revision}",
        "change_report.html",
        {"project": project, "shown": shown},
        styles=["findings.css", "change.css"],
    )
