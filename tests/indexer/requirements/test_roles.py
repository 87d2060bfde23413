"""Requirements, designs and test cases: who says which of them an item is, and what follows for the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.tracing.traces import coverage, trace
from loregraph.config import load_settings
from loregraph.errors import ConfigError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import Design, Requirement
from loregraph.indexer.pipeline import index

ITEM = """active: true
derived: false
header: ''
level: 1.0
links:{links}
normative: true
ref: {ref}
reviewed: null
text: |
  {text}
"""


def item(text: str, *parents: str, ref: str = "''", more: str = "") -> str:
    links = "".join(f"\n- {parent}: null" for parent in parents) or " []"
    return ITEM.format(links=links, ref=ref, text=text) + more


def tree(prefix: str, parent: str = "") -> str:
    return f"settings:\n  digits: 3\n  prefix: {prefix}\n" + (f"  parent: {parent}\n" if parent else "")


DOORSTOP = {
    "reqs/.doorstop.yml": tree("REQ"),
    "reqs/REQ001.yml": item("It shall add."),
    "reqs/REQ002.yml": item("It shall stop.", ref="stop the motor at once"),
    "reqs/REQ003.yml": item(
        "It shall be quick.", more="references:\n- path: src/app.py\n  type: file\n  keyword: quickly\n"
    ),
    "tests/docs/.doorstop.yml": tree("TST", "REQ"),
    "tests/docs/TST001.yml": item("Add two numbers.", "REQ001", ref="Verify that it adds."),
    "tests/docs/TST002.yml": item("Stop it by hand.", "REQ002"),
    "src/app.py": (
        "def add(a, b):\n    return a + b\n\n\ndef stop():\n    # stop the motor at once\n    quickly = 1\n"
        "    return quickly\n"
    ),
    "tests/test_app.py": 'def test_add():\n    """Verify that it adds."""\n    assert 1 + 1 == 2\n',
}


def built(root: Path, files: dict[str, str]) -> tuple[GraphColumns, tuple[str, ...]]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    settings = load_settings(root, store=str(root.parent / "store"))
    report = index(root, settings, jobs=1, embed=False)
    with StoreFolder(root.parent / "store").lease() as lease:
        return GraphColumns(lease.path), tuple(problem.message for problem in report.problems)


def kinds(columns: GraphColumns) -> dict[str, str]:
    return {
        node.id: node.kind if isinstance(node, Design) else "requirement"
        for node in columns.all_nodes()
        if isinstance(node, Design | Requirement)
    }


def links(columns: GraphColumns) -> set[tuple[str, str, str]]:
    return {(e.source, e.target, e.how) for e in columns.all_edges() if e.rel == "IMPLEMENTS_REQ"}


# Verifies REQ-TRC-009.
def test_doorstop_s_test_documents_are_no_requirements(tmp_path: Path) -> None:
    columns, problems = built(tmp_path / "project", DOORSTOP)
    assert problems == ()
    assert kinds(columns) == {
        "REQ001": "requirement",
        "REQ002": "requirement",
        "REQ003": "requirement",
        "TST001": "test_case",
        "TST002": "test_case",
    }
    found = trace(columns)
    total = coverage(found)
    assert (total.implemented, total.tested, total.total) == (2, 2, 3)
    tests = {one.id: [(test.id, test.how) for test in one.tests] for one in found}
    assert tests == {
        "REQ001": [("TST001", "declared"), ("tests/test_app.py::test_add", "declared")],
        "REQ002": [("TST002", "declared")],
        "REQ003": [],
    }
    assert [one.designs for one in found] == [(), (), ()]


def test_a_word_that_stands_in_one_place_points_to_the_code_around_it(tmp_path: Path) -> None:
    columns, _ = built(tmp_path / "project", DOORSTOP)
    assert links(columns) == {
        ("src/app.py::stop", "REQ002", "declared"),
        ("src/app.py::stop", "REQ003", "declared"),
        ("tests/test_app.py::test_add", "REQ001", "declared"),
    }
    (edge,) = [e for e in columns.all_edges() if (e.rel, e.target) == ("IMPLEMENTS_REQ", "REQ002")]
    assert edge.evidence == "reqs/REQ002.yml:7: ref: stop the motor at once"


def test_a_word_is_looked_for_again_where_files_changed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    built(root, DOORSTOP)
    moved = {"src/app.py": "x = 1\n", "src/b.py": "def halt():\n    return 'stop the motor at once'\n"}
    columns, problems = built(root, moved)
    assert ("src/b.py::halt", "REQ002", "declared") in links(columns)
    assert problems == ("no 'quickly' in src/app.py",)
    columns, problems = built(root, {"src/c.py": "# stop the motor at once\n"})
    assert "REQ002" not in {target for _, target, _ in links(columns)}
    assert "'stop the motor at once' stands in several files, so that it points to none: src/b.py::halt, src/c.py" in (
        problems
    )


def test_the_configuration_knows_better(tmp_path: Path) -> None:
    roles = '[requirements.roles]\n"tests/docs/" = "requirement"\n"id:TST002" = "design"\n"reqs/REQ003.yml" = "test"\n'
    columns, _ = built(tmp_path / "project", {**DOORSTOP, "loregraph.toml": roles})
    assert kinds(columns) == {
        "REQ001": "requirement",
        "REQ002": "requirement",
        "REQ003": "test_case",
        "TST001": "requirement",
        "TST002": "design",
    }


@pytest.mark.parametrize(
    ("folder", "prefix", "parent", "kind"),
    [
        ("reqs/tst", "TST", "REQ", "test_case"),
        ("reqs/hlt", "HLT", "REQ", "test_case"),
        ("app/tests/docs", "CASE", "REQ", "test_case"),
        ("reqs/tst", "TST", "", "requirement"),
        ("reqs/tut", "TUT", "REQ", "requirement"),
        ("reqs/latest", "ART", "REQ", "requirement"),
    ],
)
def test_what_a_doorstop_document_is(tmp_path: Path, folder: str, prefix: str, parent: str, kind: str) -> None:
    files = {
        "reqs/.doorstop.yml": tree("REQ"),
        "reqs/REQ001.yml": item("It shall add."),
        f"{folder}/.doorstop.yml": tree(prefix, parent),
        f"{folder}/{prefix}001.yml": item("Add.", "REQ001"),
    }
    columns, _ = built(tmp_path / "project", files)
    assert kinds(columns)[f"{prefix}001"] == kind


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "docs/index.rst",
            (
                ".. req:: Add\n   :id: R_1\n\n   It shall add.\n\n.. test:: Adding\n   :id: T_1\n   :links: R_1\n\n"
                "   Add.\n"
            ),
        ),
        (
            "docs/a.sdoc",
            "[DOCUMENT]\nTITLE: A\n\n[REQUIREMENT]\nUID: R_1\nSTATEMENT: It shall add.\n\n"
            "[TEST_CASE]\nUID: T_1\nSTATEMENT: Add.\nRELATIONS:\n- TYPE: Parent\n  VALUE: R_1\n",
        ),
    ],
)
def test_formats_that_know_test_cases(tmp_path: Path, path: str, text: str) -> None:
    code = {"a_test.py": "# Verifies: T_1\ndef test_a():\n    pass\n"}
    columns, _ = built(tmp_path / "project", {path: text, **code})
    assert kinds(columns) == {"R_1": "requirement", "T_1": "test_case"}
    (one,) = trace(columns)
    assert [(test.id, test.how) for test in one.tests] == [("T_1", "declared"), ("a_test.py::test_a", "marker")]


def test_a_role_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loregraph.toml").write_text('[requirements.roles]\n"a.md" = "tests"\n')
    with pytest.raises(ConfigError, match="roles"):
        load_settings(tmp_path)


def test_a_parent_within_a_line_is_one(tmp_path: Path) -> None:
    text = (
        "# Requirements\n\n- **REQ-1** It shall add.\n- **REQ-2** It shall add floats. Parent: REQ-1\n"
        "- **REQ-3**: It shall add ints (**Parents:** REQ-1 and REQ-2).\n"
        "- REQ-4: It shall stop; derived from: `SYS004`.\n"
        "- REQ-5: The parent of a node is REQ-1.\n"
    )
    columns, _ = built(tmp_path / "project", {"requirements.md": text})
    assert {node.id: node.parents for node in columns.all_nodes() if isinstance(node, Requirement)} == {
        "REQ-1": (),
        "REQ-2": ("REQ-1",),
        "REQ-3": ("REQ-1", "REQ-2"),
        "REQ-4": ("SYS004",),
        "REQ-5": (),
    }
