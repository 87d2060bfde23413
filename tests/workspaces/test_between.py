"""Edges between repositories: what is joined, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.graph.columns import GraphColumns
from loregraph.project import Project
from loregraph.workspaces.overview import Connection, overview
from loregraph.workspaces.project import WorkspaceProject

from ..shop import written
from .conftest import workspace_file


def calls(workspace: WorkspaceProject, symbol: str) -> set[tuple[str, str]]:
    """What calls a symbol from another repository, and how that was found."""
    own = symbol.partition(":")[0]
    return {(hit.id, hit.how) for hit in workspace.callers(symbol) if not hit.id.startswith(f"{own}:")}


# Verifies REQ-WSP-005.
@pytest.mark.parametrize(
    ("symbol", "caller"),
    [
        # What a package's __init__ has from a module of it.
        ("money:src/money/amount.py::Amount", "billing:billing/app.py::charge"),
        ("money:src/money/amount.py::Amount.__init__", "billing:billing/app.py::charge"),
        # A member of a base class.
        ("money:src/money/amount.py::Shown.shown", "billing:billing/app.py::charge"),
        # A submodule.
        ("money:src/money/rates.py::rate", "billing:billing/app.py::charge"),
        # What npm's `exports` names, by itself, through `export … from` and `export *`.
        ("client:src/client.ts::Client", "web:src/page.ts::show"),
        ("client:src/client.ts::Base.get", "web:src/page.ts::show"),
        ("client:src/text.ts::format", "web:src/page.ts::show"),
        ("client:src/retry.ts::retry", "web:src/page.ts::show"),
        # A package of a module, and one in a folder of it.
        ("flags:flags.go::New", "tool:main.go::run"),
        ("flags:values/values.go::Default", "tool:main.go::run"),
        # A method of what a function gives.
        ("flags:parse.go::Set.Parse", "tool:main.go::run"),
    ],
)
def test_a_name_of_a_package_is_the_symbol_that_an_import_means(
    workspace: WorkspaceProject, symbol: str, caller: str
) -> None:
    assert calls(workspace, symbol) == {(caller, "dependency")}


# Verifies REQ-WSP-005.
@pytest.mark.parametrize("symbol", ["money:ledger/ledger.py::book", "client:other/index.js::total"])
def test_without_a_declared_dependency_a_name_is_not_joined(workspace: WorkspaceProject, symbol: str) -> None:
    assert calls(workspace, symbol) == set()


def test_what_is_joined_is_not_outside_any_more(workspace: WorkspaceProject) -> None:
    columns = workspace.reader().columns
    outside = {columns.id(node) for node in columns.nodes("External").tolist() if len(columns.into(node))}
    assert outside >= {"billing:external:ledger.book", "web:external:unlisted.total"}
    assert not any("acme" in id or "money" in id for id in outside)


# Verifies REQ-WSP-005.
def test_places_are_kept_and_the_confidence_is_the_measured_one(workspace: WorkspaceProject) -> None:
    (hit,) = workspace.callers("money:src/money/rates.py::rate")
    assert (hit.file_path, hit.lines, hit.confidence) == ("billing:billing/app.py", (13,), 0.96)


def test_types_imports_and_components_are_joined_too(workspace: WorkspaceProject) -> None:
    found = {(one.source, one.target, one.relationship): one.edges for one in overview(workspace).between}
    assert found["billing", "money", "EXTENDS"] == 1
    assert found["web", "client", "EXTENDS"] == 1
    assert found["web", "client", "IMPORTS"] == 1
    assert found["tool", "flags", "DEPENDS_ON"] == 1
    assert {(one, other) for one, other, _ in found} == {("billing", "money"), ("web", "client"), ("tool", "flags")}


# Verifies REQ-WSP-005.
def test_a_declared_dependency_counts_where_no_use_is_known(tmp_path: Path) -> None:
    files = {
        "app": {"App.csproj": '<Project><ItemGroup><PackageReference Include="Acme.Money"/></ItemGroup></Project>'},
        "money": {"Acme.Money.csproj": "<Project />"},
    }
    for name, own in files.items():
        with Project(written(tmp_path / name, {**own, "a.cs": "class A {}\n"})) as project:
            project.index(jobs=1, embed=False)
    with WorkspaceProject(workspace_file(tmp_path, {name: name for name in files})) as workspace:
        assert overview(workspace).between == (Connection("app", "money", "DEPENDS_ON", "", 1, 0),)


def test_a_package_that_two_repositories_provide_is_neither_s(copied: Path, tmp_path: Path) -> None:
    with Project(copied / "tool") as twin:
        (copied / "tool" / "go.mod").write_text("module example.com/flags\n")
        (copied / "tool" / "main.go").write_text("package flags\n\nfunc New() {}\n")
        twin.index(jobs=1, embed=False)
    names = {"billing": "billing", "flags": "flags", "twin": "tool", "money": "money", "money2": "money"}
    file = workspace_file(tmp_path, {name: str(copied / folder) for name, folder in names.items()})
    with WorkspaceProject(file) as project:
        assert not [one for one in overview(project).between if one.how == "dependency"]


# Verifies REQ-WSP-009.
def test_a_marker_names_a_requirement_of_another_repository(workspace: WorkspaceProject) -> None:
    columns = workspace.reader().columns
    (edge,) = [columns.edge(one) for one in columns.edges("IMPLEMENTS_REQ").tolist()]
    assert (edge.source, edge.target) == ("billing:billing/app.py::charge", "money:REQ-MON-001")
    assert edge.evidence == "billing:billing/app.py:11"
    (trace,) = workspace.trace().requirements
    assert [link.id for link in trace.implementations] == ["billing:billing/app.py::charge"]
    assert not [one for one in workspace.trace().orphans if one.kind == "unknown_requirement"]


# Verifies REQ-WSP-009.
def test_a_marker_that_comes_is_joined_after_the_next_index(copied: Path, tmp_path: Path) -> None:
    names = ("money", "tool")
    with WorkspaceProject(workspace_file(tmp_path, {name: str(copied / name) for name in names})) as workspace:
        assert not len(workspace.reader().columns.edges("IMPLEMENTS_REQ"))
        file = copied / "tool" / "main.go"
        file.write_text(file.read_text().replace("func run", "// Implements REQ-MON-001.\nfunc run"))
        with Project(copied / "tool") as project:
            project.index(jobs=1, embed=False)
        columns = workspace.reader().columns
        (edge,) = [columns.edge(one) for one in columns.edges("IMPLEMENTS_REQ").tolist()]
        assert edge.source == "tool:main.go::run"


def test_the_overview_counts_edges_and_places(workspace: WorkspaceProject) -> None:
    found = overview(workspace).between
    assert Connection("tool", "flags", "CALLS", "dependency", 3, 3) in found
    assert isinstance(workspace.reader().columns, GraphColumns)
