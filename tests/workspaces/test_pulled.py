"""Repositories of which only the published graph is here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loregraph.cli.main import main
from loregraph.project import Project
from loregraph.workspaces.overview import overview
from loregraph.workspaces.project import WorkspaceProject

from ..conftest import Repository
from ..shop import written
from .conftest import FLAGS, workspace_file


@pytest.fixture
def place(repository: Repository, tmp_path: Path) -> Path:
    """Where the graph of a library is published."""
    written(repository.root, FLAGS)
    repository.commit()
    with Project(repository.root) as project:
        project.index(jobs=1)
        project.publish(str(tmp_path / "place"), name="team/flags")
    return tmp_path / "place"


def file_with(place: Path, tool: Path, folder: Path, repository: str = "team/flags") -> Path:
    file = workspace_file(folder, {"tool": str(tool)})
    more = f'[repositories.flags]\nurl = "{place}"\nrepository = "{repository}"\n'
    file.write_text(file.read_text() + more)
    return file


# Verifies REQ-WSP-003.
def test_a_published_graph_is_asked_without_its_files(place: Path, indexed: Path, tmp_path: Path) -> None:
    with WorkspaceProject(file_with(place, indexed / "tool", tmp_path)) as workspace:
        assert workspace.remarks == ("flags: its files are not here: answers have none of its source",)
        assert [hit.id for hit in workspace.callers("flags:flags.go::New")] == ["tool:main.go::run"]
        assert workspace.search("parse")[0].id == "flags:parse.go::Set.Parse"
        assert workspace.source_lines("flags:flags.go") == []
        assert not workspace.behind(["flags:flags.go"]).changed
        assert not workspace.outdated(["flags:flags.go"]).changed
        assert workspace.without_sources == ("flags",)
        explored = workspace.explore(symbol="flags:flags.go::New")
        assert {one.id for one in explored.symbols if one.source} == {"tool:main.go::run"}


def test_a_place_that_has_no_such_graph_is_a_problem_of_that_repository(
    place: Path, indexed: Path, tmp_path: Path
) -> None:
    with WorkspaceProject(file_with(place, indexed / "tool", tmp_path, "team/other")) as workspace:
        assert [line.partition(":")[0] for line in workspace.remarks] == ["flags"]
        assert workspace.show("run").id == "tool:main.go::run"
        assert [one.name for one in overview(workspace).repositories if one.problem] == ["flags"]


def test_index_pulls_what_was_published_since(
    place: Path, repository: Repository, copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_with(place, copied / "tool", tmp_path)
    with WorkspaceProject(file) as workspace:
        assert workspace.show("flags.go::New").id == "flags:flags.go::New"
        repository.write("flags.go", FLAGS["flags.go"] + "\nfunc Later() {}\n")
        commit = repository.commit()
        with Project(repository.root) as project:
            project.index(jobs=1)
            project.publish(str(place), name="team/flags")
        assert main(["index", "--workspace", str(file), "--no-embed", "--json"], standalone_mode=False) == 0
        assert json.loads(capsys.readouterr().out)["flags"] == {"commit": commit}
        assert workspace.show("Later").id == "flags:flags.go::Later"


def test_an_address_is_shown_without_credentials(tmp_path: Path, indexed: Path) -> None:
    file = workspace_file(tmp_path, {"tool": str(indexed / "tool")})
    file.write_text(file.read_text() + '[repositories.far]\nurl = "https://user:secret@example.com/graphs"\n')
    with WorkspaceProject(file) as workspace:
        assert "secret" not in str(overview(workspace)) + str(workspace.remarks)
