"""Opens what a server, or a process of one, is told to serve: a project, or a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from loregraph.project import Project

WORKSPACE: Final = "workspace"
"""The option that names the file of a workspace."""


def opened(root: Path, store: Path | None, options: dict[str, Any]) -> Project:
    """The project at `root`; the workspace where `options`, as of `Project.options`, name one, whose file lies in
    `root`."""
    given = dict(options)
    store = given.pop("store", store)
    if WORKSPACE not in given:
        return Project(root, store=store, **given)
    from loregraph.workspaces.project import WorkspaceProject

    return WorkspaceProject(given.pop(WORKSPACE), **given)
