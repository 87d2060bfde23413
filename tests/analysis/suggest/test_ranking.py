"""What is suggested for a requirement, in which order, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from loregraph.analysis.suggest import suggest
from loregraph.analysis.tracing.traces import SuggestedLink
from loregraph.graph.columns import GraphColumns

if TYPE_CHECKING:
    from tests.analysis.suggest.conftest import Project


def suggested(project: Project, columns: GraphColumns, *ids: str, limit: int = 200) -> dict[str, list[SuggestedLink]]:
    nodes = {one: columns.find_id(one) for one in ids or project.requirements}
    numbers = [node for node in nodes.values() if node is not None]
    found = suggest(columns, project.root, numbers, limit=limit)
    return dict(zip(nodes, (found[number] for number in numbers), strict=True))


def paths(links: Iterable[SuggestedLink]) -> list[str]:
    return [link.file_path for link in links]


# Verifies REQ-TRC-004.
def test_the_code_of_each_requirement_comes_first(project: Project) -> None:
    found = suggested(project, project.columns())
    assert {one: links[0].id for one, links in found.items()} == {
        "R-ADMIT": "app/patient_service.py::PatientService.admit_patient",
        "R-DISCHARGE": "app/patient_service.py::PatientService.discharge_patient",
        "R-PRINT": "app/invoice_service.py::InvoiceService.print_invoice",
        "R-CANCEL": "app/invoice_service.py::InvoiceService.cancel_invoice",
    }


def test_what_matching_code_uses_comes_before_what_is_strange_to_it(project: Project) -> None:
    found = paths(suggested(project, project.columns())["R-ADMIT"])
    strange = found.index("app/invoice_service.py") if "app/invoice_service.py" in found else len(found)
    assert found.index("app/patient_store.py") < strange


def test_what_is_called_counts_for_the_calls(project: Project) -> None:
    with_calls = suggested(project, project.columns())["R-PRINT"]
    project.calls = ()
    without = suggested(project, project.columns())["R-PRINT"]
    scores = [{link.file_path: link.score for link in links}.get("app/checks.py", 0) for links in (with_calls, without)]
    assert scores[0] > 1.2 * scores[1]


def test_scores_are_comparable_and_fall(project: Project) -> None:
    for links in suggested(project, project.columns()).values():
        scores = [link.score for link in links]
        assert scores == sorted(scores, reverse=True)
        assert 1 > scores[0] > 0.5 > scores[-1] > 0
        assert len(set(scores)) > 1


def test_a_file_is_suggested_once_and_prose_data_and_the_document_never(project: Project) -> None:
    found = paths(suggested(project, project.columns())["R-ADMIT"])
    assert len(found) == len(set(found))
    assert not {"requirements.md", "app/settings.toml"} & set(found)


def test_tests_come_after_the_code_they_test(project: Project) -> None:
    links = suggested(project, project.columns())["R-ADMIT"]
    assert "tests/test_patients.py" in paths(links)
    assert paths(links)[0] == "app/patient_service.py"
    by_path = {link.file_path: link.score for link in links}
    assert by_path["tests/test_patients.py"] < by_path["app/patient_service.py"] / 1.2


def test_the_evidence_names_words_the_name_and_the_better_neighbour(project: Project) -> None:
    links = {link.file_path: link for link in suggested(project, project.columns())["R-ADMIT"]}
    own = links["app/patient_service.py"].evidence
    assert own.startswith("words: ")
    assert {"admit", "patient", "bed"} <= set(own.partition(";")[0].removeprefix("words: ").split(", "))
    assert "name: PatientService.admit_patient" in own
    assert "which matches better" not in own
    assert "used by PatientService.admit_patient, which matches better" in links["app/patient_store.py"].evidence


def test_words_of_the_template_count_next_to_nothing(project: Project) -> None:
    project.sources["app/messages.py"] = "def message_done(clerk):\n    return system.actor(clerk).clinic\n"
    for links in suggested(project, project.columns()).values():
        assert all(link.score < links[0].score / 5 for link in links if link.file_path == "app/messages.py")


def test_asking_for_one_gives_what_asking_for_all_gives(project: Project) -> None:
    columns = project.columns()
    assert suggested(project, columns, "R-PRINT")["R-PRINT"] == suggested(project, columns)["R-PRINT"]


def test_at_most_the_limit(project: Project) -> None:
    columns = project.columns()
    whole = suggested(project, columns)["R-ADMIT"]
    assert suggested(project, columns, limit=2)["R-ADMIT"] == whole[:2]


def test_files_that_are_gone_are_known_by_their_names(project: Project) -> None:
    columns = project.columns()
    for path in project.sources:
        (project.root / path).unlink()
    assert suggested(project, columns)["R-ADMIT"][0].id == "app/patient_service.py::PatientService.admit_patient"


def test_nothing_to_suggest_from_and_nothing_said(project: Project) -> None:
    project.sources, project.calls = {"requirements.md": "prose"}, ()
    assert suggested(project, project.columns()) == {one: [] for one in project.requirements}


def test_a_requirement_without_words_gets_nothing_and_the_others_theirs(project: Project) -> None:
    project.requirements["R-EMPTY"] = ("", "the 3 of")
    found = suggested(project, project.columns())
    assert found["R-EMPTY"] == []
    assert found["R-PRINT"][0].file_path == "app/invoice_service.py"


def test_one_requirement_alone(project: Project) -> None:
    project.requirements = {"R-PRINT": ("Print an invoice", "")}
    found = suggested(project, project.columns())["R-PRINT"]
    assert found[0].id == "app/invoice_service.py::InvoiceService.print_invoice"


def test_an_identifier_in_the_text_means_what_has_that_name(project: Project) -> None:
    project.requirements["R-NAMED"] = ("Retention", "`discharge_patient` is kept for a year.")
    links = suggested(project, project.columns())["R-NAMED"]
    assert links[0].id == "app/patient_service.py::PatientService.discharge_patient"
    assert "discharge_patient" in links[0].evidence.partition(";")[0]


def test_names_in_another_language_are_reached_by_what_bridges_it(project: Project) -> None:
    """The comment is in the requirement's language, the names are not; the archive shares only names with it."""
    project.sources = {
        "app/Ricovero.py": """
# Admits a patient to a ward with a free bed.
class Ricovero:
    def esegui(self, letto):
        return ArchivioLetti().assegna(letto)
""",
        "app/ArchivioLetti.py": """
class ArchivioLetti:
    def assegna(self, letto):
        return self.righe[letto]
""",
        "app/Fattura.py": """
# Prints an invoice with its prices.
class Fattura:
    def stampa(self, righe):
        return ArchivioPrezzi().cerca(righe)
""",
        "app/ArchivioPrezzi.py": """
class ArchivioPrezzi:
    def cerca(self, voce):
        return self.voci[voce]
""",
    }
    project.calls = ()
    found = suggested(project, project.columns())
    assert paths(found["R-ADMIT"])[:2] == ["app/Ricovero.py", "app/ArchivioLetti.py"]
    assert paths(found["R-PRINT"])[:2] == ["app/Fattura.py", "app/ArchivioPrezzi.py"]


# Verifies REQ-TRC-004.
def test_a_requirement_without_code_stays_below_those_that_have_some(project: Project) -> None:
    project.requirements["R-EXPORT"] = (
        "Export the calendar",
        "Staff export holidays, shifts and birthdays as a calendar; a number is given to each export.",
    )
    found = suggested(project, project.columns())
    best = {one: max((link.score for link in links), default=0) for one, links in found.items()}
    assert best.pop("R-EXPORT") < 0.5 * min(best.values())


def test_a_file_that_declares_everything_is_first_for_nothing(project: Project) -> None:
    subjects = "bed ward invoice price treatment clinic nurse doctor visit report letter shift".split()
    project.sources = {
        f"app/{one}.py": f"""
def begin(number, types=ClinicTypes):
    # Marks the {one}.
    return slots[number].used
"""
        for one in subjects
    }
    declared = (
        f"# Opens a {one} by its number.\ndef open_{one}(n): ...\n# Closes a {one}.\ndef close_{one}(n): ...\n"
        for one in subjects
    )
    project.sources["app/declarations.py"] = "class ClinicTypes:\n    last = 4\n\n" + "\n".join(declared)
    project.calls = ()
    text = "A {} is opened by its number and closed when it is done."
    project.requirements = {f"R-{one}": (f"Open a {one}", text.format(one)) for one in subjects}
    found = suggested(project, project.columns())
    assert {one: paths(links)[0] for one, links in found.items()} == {f"R-{one}": f"app/{one}.py" for one in subjects}


def test_what_an_interface_promises_is_due_to_what_implements_it(project: Project) -> None:
    project.sources["app/ward_port.py"] = """
class WardPort:
    # The ward gets a bed for a patient.
    def occupy(self, bed, ward):
        pass
"""
    project.sources["app/sql_adapter.py"] = """
class SqlAdapter:
    def occupy(self, row, table):
        return self.run(row, table)
"""
    without = {link.file_path: link.score for link in suggested(project, project.columns())["R-ADMIT"]}
    project.implements = (("app/sql_adapter.py::SqlAdapter", "app/ward_port.py::WardPort"),)
    links = {link.file_path: link for link in suggested(project, project.columns())["R-ADMIT"]}
    assert links["app/sql_adapter.py"].score > 2 * without.get("app/sql_adapter.py", 0)
    assert links["app/sql_adapter.py"].score > 0.7 * links["app/ward_port.py"].score
    assert "joined to app/ward_port.py" in links["app/sql_adapter.py"].evidence


def test_a_component_is_named_by_its_folder(project: Project) -> None:
    body = "class Endpoint:\n    def handle(self, call):\n        return self.answer(call)\n"
    project.sources = {f"services/{one}/endpoint.py": body for one in ("auth", "image", "registry", "recommender")}
    project.calls = ()
    project.requirements = {
        "R-AUTH": ("", "Users are authenticated by the Auth service."),
        "R-IMAGE": ("", "Pictures come from the Image service."),
    }
    found = suggested(project, project.columns())
    assert paths(found["R-AUTH"])[0] == "services/auth/endpoint.py"
    assert paths(found["R-IMAGE"])[0] == "services/image/endpoint.py"
