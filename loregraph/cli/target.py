"""Which project a command is about."""

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
    """What `--root` and `--store` name. None: to be found."""

    root: Path | None
    store: Path | None

    def open(self, path: Path | None = None, **settings: Any) -> Project:
        """The project at the root that is named, else the one that `path`, else the working folder, lies in."""
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
    """A line on standard error for each setting of the repository that is ignored."""
    for remark in settings.remarks:
        say(f"warning: {remark}")
