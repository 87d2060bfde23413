"""What the processes of servers open."""

from __future__ import annotations

from pathlib import Path

from loregraph.project import Project
from loregraph.workspaces.opening import opened
from loregraph.workspaces.project import WorkspaceProject


def test_a_project_is_opened_again_by_its_options(tmp_path: Path) -> None:
    with Project(tmp_path, store=tmp_path / "store", jobs=3) as first, opened(tmp_path, None, first.options) as again:
        assert again.store.path == first.store.path
        assert again.settings.jobs == 3


def test_a_workspace_is_opened_again_by_its_options(file: Path) -> None:
    with WorkspaceProject(file, jobs=3) as first, opened(first.root, None, first.options) as again:
        assert isinstance(again, WorkspaceProject)
        assert again.store.path == first.store.path
        assert again.settings.jobs == 3
