"""Small projects, one a format: what is read of each, and what it joins to the code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from loregraph.config import load_settings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import Design, Edge, File, Node, Requirement
from loregraph.indexer.pipeline import IndexReport, index

FIXTURES = Path(__file__).parents[3] / "fixtures" / "requirements"

EXPECTED = {
    "markdown": """
        TILL-REQ-001 [approved] docs/requirements.md:7
        TILL-REQ-002 [] docs/requirements.md:8 high
        TILL-REQ-003 [planned] docs/requirements.md:10
        TILL-REQ-010 [draft] docs/requirements.md:13
        TILL-REQ-011 [approved] docs/requirements.md:25
        TILL-REQ-012 [planned] docs/requirements.md:26
        design ADR-002 adr [superseded] docs/adr/ADR-002-receipts.md:1
        design docs/adr/0001-cents.md#integers-for-money adr [accepted] docs/adr/0001-cents.md:1
        design docs/design.md#coins section [] docs/design.md:3
        design docs/design.md#storage section [] docs/design.md:7
        orphan src/till.py 18: TILL-REQ-098
        orphan tests/test_till.py 7: TILL-REQ-097
        ADR-002 SATISFIES TILL-REQ-010 declared 1.0
        ADR-002 SATISFIES TILL-REQ-011 declared 1.0
        docs/adr/0001-cents.md#integers-for-money SATISFIES TILL-REQ-002 mention 1.0
        docs/design.md#coins SATISFIES TILL-REQ-002 mention 1.0
        docs/design.md#storage SATISFIES TILL-REQ-001 declared 1.0
        docs/design.md#storage SATISFIES TILL-REQ-010 declared 1.0
        src/till.py::Receipt IMPLEMENTS_REQ TILL-REQ-010 declared 1.0
        src/till.py::Receipt.text FOLLOWS_DESIGN ADR-002 marker 1.0
        src/till.py::Receipt.text IMPLEMENTS_REQ TILL-REQ-010 declared 1.0
        src/till.py::Sale.add IMPLEMENTS_REQ TILL-REQ-001 mention 0.5
        src/till.py::change FOLLOWS_DESIGN docs/adr/0001-cents.md#integers-for-money marker 1.0
        src/till.py::change IMPLEMENTS_REQ TILL-REQ-002 marker 1.0
        tests/test_till.py::test_change IMPLEMENTS_REQ TILL-REQ-002 marker 1.0
        tests/test_till.py::test_receipt IMPLEMENTS_REQ TILL-REQ-010 declared 1.0
        tests/test_till.py::test_till_req_001_adds IMPLEMENTS_REQ TILL-REQ-001 marker 0.95
        docs/trace.md:6: src/tax.py::tax is no file or symbol of the project
        docs/trace.md:7: TILL-REQ-099 is traced here and defined nowhere
    """,
    "doorstop": """
        REQ001 [] reqs/REQ001.yml:1
        REQ002 [] reqs/REQ002.yml:1 <- REQ001
        REQ003 [inactive] reqs/REQ003.yml:1
        design TST001 test_case [] tests/specs/TST001.md:1
        TST001 SATISFIES REQ001 declared 1.0
        orphan src/pump.c 10: REQ009
        src/pump.c IMPLEMENTS_REQ REQ001 declared 1.0
        src/pump.c::pump_start IMPLEMENTS_REQ REQ001 marker 1.0
        src/pump.c::pump_start IMPLEMENTS_REQ REQ002 mention 0.5
        src/pump.c::pump_stop IMPLEMENTS_REQ REQ002 declared 1.0
        reqs/REQ005.yml:9: doorstop item: found unexpected end of stream
    """,
    "strictdoc": """
        SEN-1 [active] docs/sensor.sdoc:21
        SEN-2 [] docs/sensor.sdoc:33 <- SEN-1
        SEN-3 [] docs/sensor.sdoc:51
        design SENDES-1 design [] docs/sensor.sdoc:43
        orphan src/sensor.py 21: SEN-7
        SENDES-1 SATISFIES SEN-1 declared 1.0
        src/sensor.py IMPLEMENTS_REQ SEN-1 marker 1.0
        src/sensor.py::Sensor IMPLEMENTS_REQ SEN-2 marker 1.0
        src/sensor.py::Sensor.read IMPLEMENTS_REQ SEN-1 marker 1.0
        src/sensor.py::Sensor.read IMPLEMENTS_REQ SEN-2 marker 1.0
        src/sensor.py::table FOLLOWS_DESIGN SENDES-1 marker 1.0
        docs/sensor.sdoc:53: STATEMENT begins with >>> and never ends with <<<
    """,
    "sphinx_needs": """
        LAMP_DIM [in progress] docs/index.rst:4
        LAMP_R2 [] docs/index.rst:13 <- LAMP_DIM, LAMP_R9
        LAMP_R3 [open] docs/more.md:3
        design LAMP_S1 design [done] docs/index.rst:19
        design LAMP_S2 design [] docs/more.md:10
        design LAMP_T1 test_case [] docs/index.rst:26
        orphan src/lamp.ts 12: LAMP_R77
        LAMP_S1 SATISFIES LAMP_DIM declared 1.0
        LAMP_T1 SATISFIES LAMP_DIM declared 1.0
        LAMP_S1 SATISFIES LAMP_R2 declared 1.0
        LAMP_S2 SATISFIES LAMP_R3 declared 1.0
        src/lamp.ts::Switch IMPLEMENTS_REQ LAMP_R2 marker 1.0
        src/lamp.ts::Switch IMPLEMENTS_REQ LAMP_R3 marker 1.0
        src/lamp.ts::Switch.press FOLLOWS_DESIGN LAMP_S1 marker 1.0
        src/lamp.ts::dim IMPLEMENTS_REQ LAMP_DIM marker 1.0
    """,
    "reqif": """
        BRK-1 [approved] spec/brake.reqif:36
        BRK-2 [] spec/brake.reqif:55 <- BRK-1
        src/Brake.java::Brake.press IMPLEMENTS_REQ BRK-1 marker 1.0
        src/Brake.java::Brake.press IMPLEMENTS_REQ BRK-2 marker 1.0
        src/Brake.java::Brake.toString IMPLEMENTS_REQ BRK-1 mention 0.5
    """,
    "csv": """
        G-1 [approved] spec/requirements.csv:2 high
        G-2 [planned] spec/requirements.csv:4 low <- G-1
        src/gate.go::Open IMPLEMENTS_REQ G-1 declared 1.0
        src/gate.go::Open IMPLEMENTS_REQ G-2 declared 1.0
        src/gate.go::TestClose IMPLEMENTS_REQ G-2 marker 1.0
        spec/trace.tsv:3: src/gate.go::Missing is no file or symbol of the project
    """,
    "text": """
        UC1 [] requirements/UC1.txt:1
        UC2 [planned] requirements/ui/UC2.txt:1
        src/app.rs::login IMPLEMENTS_REQ UC1 marker 1.0
        src/app.rs::logs_out IMPLEMENTS_REQ UC2 mention 0.5
        requirements/ui/UC1.txt:1: UC1 is defined in requirements/UC1.txt:1 already
    """,
}


def indexed(root: Path, store: Path) -> tuple[IndexReport, list[Node], list[Edge]]:
    report = index(root, load_settings(root, store=str(store)), jobs=1, embed=False)
    with StoreFolder(store).lease() as lease:
        columns = GraphColumns(lease.path)
        return report, list(columns.all_nodes()), list(columns.all_edges())


def shown(report: IndexReport, nodes: list[Node], edges: list[Edge]) -> list[str]:
    """What requirements are in a graph, a line each."""
    lines = []
    for node in nodes:
        if isinstance(node, Requirement):
            priority = f" {node.priority}" if node.priority else ""
            parents = f" <- {', '.join(node.parents)}" if node.parents else ""
            lines.append(f"{node.id} [{node.status}] {node.path}:{node.line}{priority}{parents}")
        elif isinstance(node, Design):
            lines.append(f"design {node.id} {node.kind} [{node.status}] {node.path}:{node.line}")
        elif isinstance(node, File):
            lines += [f"orphan {node.id} {marker}" for marker in node.orphan_markers]
    lines += [
        f"{edge.source} {edge.rel} {edge.target} {edge.how} {edge.confidence}"
        for edge in edges
        if edge.rel in ("IMPLEMENTS_REQ", "SATISFIES", "FOLLOWS_DESIGN")
    ]
    lines += [f"{problem.path}:{problem.line}: {problem.message}" for problem in report.problems]
    return lines


# Verifies REQ-TRC-001.
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_what_is_read_of_a_format_and_joined_to_the_code(tmp_path: Path, name: str) -> None:
    shutil.copytree(FIXTURES / name, tmp_path / "project")
    report, nodes, edges = indexed(tmp_path / "project", tmp_path / "store")
    assert sorted(shown(report, nodes, edges)) == sorted(line.strip() for line in EXPECTED[name].strip().splitlines())
    assert report.requirements == sum(isinstance(node, Requirement) for node in nodes)


def test_every_fixture_is_expected() -> None:
    assert sorted(path.name for path in FIXTURES.iterdir()) == sorted(EXPECTED)


def test_evidence_is_a_place_and_what_stands_there(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "markdown", tmp_path / "project")
    _, _, edges = indexed(tmp_path / "project", tmp_path / "store")
    told = {(e.source, e.target): e.evidence for e in edges if e.rel == "IMPLEMENTS_REQ"}
    assert told["src/till.py::change", "TILL-REQ-002"] == "src/till.py:3: # Implements: TILL-REQ-002"
    assert told["tests/test_till.py::test_till_req_001_adds", "TILL-REQ-001"] == (
        "tests/test_till.py:4: test_till_req_001_adds"
    )
    assert told["src/till.py::Receipt", "TILL-REQ-010"].startswith("docs/trace.md:5: TILL-REQ-010 | ")


def test_indexing_a_project_with_requirements_again_changes_nothing(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "doorstop", tmp_path / "project")
    first, *graph = indexed(tmp_path / "project", tmp_path / "store")
    again, *same = indexed(tmp_path / "project", tmp_path / "store")
    assert graph == same
    assert (again.generation, again.requirements, again.problems) == (
        first.generation,
        first.requirements,
        first.problems,
    )
