"""What the measures of a match are worth beside each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from loregraph.analysis.suggest.requirements import read_requirements
from loregraph.analysis.suggest.setting import setting_for
from loregraph.analysis.suggest.sources import read_code
from loregraph.analysis.suggest.views import match

if TYPE_CHECKING:
    from tests.analysis.suggest.conftest import Project


def reached(project: Project, files: int) -> float:
    """What the store of invoices gains for "Print an invoice" by the calls to it, in a project of so many files."""
    for number in range(files - len(project.sources)):
        project.sources[f"lib/part{number}.py"] = f"def turn_{number}(wheel):\n    return wheel\n"
    columns = project.columns()
    asked = read_requirements(list(project.requirements.values()))
    code = read_code(columns, project.root, asked.vocabulary)
    store = [columns.path(file) for file in code.files].index("app/invoice_store.py")
    row = list(project.requirements).index("R-PRINT")
    setting = setting_for(asked)
    found = [match(columns, asked, code, replace(setting, reached=part)).scores[row, store] for part in (1.0, 0.0)]
    return float(found[0] - found[1])


# Verifies REQ-TRC-004.
def test_what_is_reached_counts_less_in_a_project_of_many_files(project: Project) -> None:
    small = reached(project, 60)
    assert small > 0
    assert 0 < reached(project, 480) < 0.5 * small
