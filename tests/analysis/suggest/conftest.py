"""A small hospital: a screen, a service, a store and a record for two subjects, and what everything uses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Class, Edge, File, Function, Graph, Node, Requirement

SOURCES = {
    "app/patient_service.py": """
class PatientService:
    def admit_patient(self, form):
        # A patient gets a bed on a ward.
        check(form)
        return PatientStore().save(form)

    def discharge_patient(self, number):
        return PatientStore().remove(number)
""",
    "app/patient_store.py": """
class PatientStore:
    def save(self, row):
        return self.table.insert(row)

    def remove(self, number):
        return self.table.drop(number)
""",
    "app/invoice_service.py": """
class InvoiceService:
    def print_invoice(self, number):
        # The invoice lists treatments and their prices.
        check(number)
        return InvoiceStore().load(number)

    def cancel_invoice(self, number):
        return InvoiceStore().remove(number)
""",
    "app/invoice_store.py": """
class InvoiceStore:
    def load(self, number):
        return self.table.find(number)

    def remove(self, number):
        return self.table.drop(number)
""",
    "app/checks.py": """
def check(value):
    if value is None:
        raise ValueError("there is none")
""",
    "app/settings.toml": 'patient_bed = "admit discharge invoice"\n',
    "tests/test_patients.py": """
def test_admit_patient():
    assert PatientService().admit_patient({"bed": "ward"})
""",
    "requirements.md": "admit a patient, discharge a patient, print an invoice\n",
}
CALLS = (
    ("app/patient_service.py::PatientService.admit_patient", "app/patient_store.py::PatientStore.save"),
    ("app/patient_service.py::PatientService.admit_patient", "app/checks.py::check"),
    ("app/patient_service.py::PatientService.discharge_patient", "app/patient_store.py::PatientStore.remove"),
    ("app/invoice_service.py::InvoiceService.print_invoice", "app/invoice_store.py::InvoiceStore.load"),
    ("app/invoice_service.py::InvoiceService.print_invoice", "app/checks.py::check"),
    ("app/invoice_service.py::InvoiceService.cancel_invoice", "app/invoice_store.py::InvoiceStore.remove"),
    ("tests/test_patients.py::test_admit_patient", "app/patient_service.py::PatientService.admit_patient"),
)
ACTOR = "Actor: the clerk of the clinic. The system shows a message when it is done."
REQUIREMENTS = {
    "R-ADMIT": ("Admit a patient", f"{ACTOR} The patient gets a bed on a ward."),
    "R-DISCHARGE": ("Discharge a patient", f"{ACTOR} The patient leaves the ward."),
    "R-PRINT": ("Print an invoice", f"{ACTOR} The invoice lists all treatments with prices."),
    "R-CANCEL": ("Cancel an invoice", f"{ACTOR} The invoice counts no longer."),
}
_CLASS = re.compile(r"class (\w+)")
_FUNCTION = re.compile(r"(    )?def (\w+)")


@dataclass
class Project:
    """A graph over files below `root`; `requirement` is the number of a requirement's node."""

    root: Path
    sources: dict[str, str] = field(default_factory=lambda: dict(SOURCES))
    requirements: dict[str, tuple[str, str]] = field(default_factory=lambda: dict(REQUIREMENTS))
    calls: tuple[tuple[str, str], ...] = CALLS
    implements: tuple[tuple[str, str], ...] = ()

    def columns(self) -> GraphColumns:
        nodes: list[Node] = [
            Requirement(one, one, one, title, text, "", "", "requirements.md", 1)
            for one, (title, text) in self.requirements.items()
        ]
        for path, source in self.sources.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(source, encoding="utf-8")
            nodes += nodes_of(path, source)
        edges = [
            Edge(relation, *ends, how=how)
            for relation, how, pairs in (("CALLS", "local", self.calls), ("IMPLEMENTS", "", self.implements))
            for ends in sorted(pairs)
        ]
        folder = self.root / "graph"
        folder.mkdir(exist_ok=True)
        write_columns(folder, Graph(tuple(sorted(nodes, key=lambda node: node.id.encode())), tuple(edges)))
        return GraphColumns.open(folder)


def nodes_of(path: str, source: str) -> list[Node]:
    """The file, its classes and functions, each up to the next line that is not indented deeper."""
    language = {"py": "python", "md": "markdown"}.get(path.rpartition(".")[2], path.rpartition(".")[2])
    lines = source.split("\n")
    found: list[Node] = [File(path, path, path, path, language, "", len(lines), "indexed")]
    scope = ""
    for number, line in enumerate(lines, 1):
        end = next((n for n in range(number + 1, len(lines) + 1) if ends(line, lines[n - 1])), len(lines) + 1) - 1
        if matched := _CLASS.match(line):
            scope = f"{matched[1]}."
            found.append(Class(f"{path}::{matched[1]}", matched[1], matched[1], "class", path, number, end, language))
        elif matched := _FUNCTION.match(line):
            name = f"{scope if matched[1] else ''}{matched[2]}"
            is_test = matched[2].startswith("test_")
            found.append(
                Function(f"{path}::{name}", matched[2], name, "function", path, number, end, language, is_test=is_test)
            )
    return found


def ends(first: str, line: str) -> bool:
    return bool(line.strip()) and len(line) - len(line.lstrip()) <= len(first) - len(first.lstrip())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
