"""Opens what a server, or a process of one, is told to serve: a project, or a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from loregraph.project import Project

WORKSPACE: Final = "workspace"
"""The option that names the file of a workspace."""


def opened(root: Path, store: Path | None, options: dict[str, Any]) -> Project:
    """The project at `root`; the workspace where `options` name one, whose file lies in `root`."""
    if WORKSPACE not in options:
        return Project(root, store=store, **options)
    from loregraph.workspaces.project import WorkspaceProject

    given = dict(options)
    return WorkspaceProject(given.pop(WORKSPACE), **given)
