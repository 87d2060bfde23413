"""Selects the project for a command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loregraph.cli.output import say

if TYPE_CHECKING:
    from loregraph.config import ProjectSettings
    from loregraph.project import Project


@dataclass(frozen=True)
class Target:
    """The values of `--root` and `--store`. None: to be detected."""

    root: Path | None
    store: Path | None

    def open(self, path: Path | None = None, **settings: Any) -> Project:
        """The project at the given root, else the one around `path`, else the one around the working folder."""
        from loregraph.project import Project, open_project

        if self.root is None:
            project = open_project(path or Path(), store=self.store, **settings)
        else:
            project = Project(self.root, store=self.store, **settings)
            if path is not None:
                project.inside(path)
        say_ignored(project.settings)
        return project


# Implements REQ-SEC-002.
def say_ignored(settings: ProjectSettings) -> None:
    """Prints a line on standard error for each ignored setting of the repository."""
    for remark in settings.remarks:
        say(f"warning: {remark}")
